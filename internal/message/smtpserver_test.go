package message

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"net"
	"net/http/httptest"
	"net/textproto"
	"strings"
	"sync"
	"testing"
)

// An smtpServer is an SMTP server with one port on this machine.
type smtpServer struct {
	startTLS bool              // offered
	utf8     bool              // offers SMTPUTF8
	implicit bool              // TLS from the start
	password string            // of the user "budi"; "" asks for none
	replies  map[string]string // by verb, in place of the usual; "" is silence

	addr  string
	roots *x509.CertPool
	cert  tls.Certificate

	mu    sync.Mutex
	mails []received
	ended chan struct{} // has a value for each connection that ended, 16 at most
}

// A received is one mail as the server took it.
type received struct {
	from, to string
	data     string
	tls      bool
	user     string
}

// start listens until the test ends.
func (s *smtpServer) start(t *testing.T) *smtpServer {
	t.Helper()
	web := httptest.NewTLSServer(nil) // for its certificate
	web.Close()
	s.cert, s.roots = web.TLS.Certificates[0], x509.NewCertPool()
	s.roots.AddCert(web.Certificate())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.addr, s.ended = l.Addr().String(), make(chan struct{}, 16)
	var open sync.WaitGroup
	done := make(chan struct{})
	open.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			open.Go(func() {
				gone := make(chan struct{})
				go func() {
					select {
					case <-done:
					case <-gone:
					}
					_ = conn.Close()
				}()
				s.serve(conn)
				close(gone)
				select {
				case s.ended <- struct{}{}:
				default:
				}
			})
		}
	})
	t.Cleanup(func() {
		close(done)
		_ = l.Close()
		open.Wait()
	})
	return s
}

func (s *smtpServer) taken() []received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mails
}

func (s *smtpServer) config() *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{s.cert}}
}

// serve speaks SMTP with one client until it leaves.
func (s *smtpServer) serve(conn net.Conn) {
	if s.implicit {
		conn = tls.Server(conn, s.config())
	}
	c := textproto.NewConn(conn)
	var mail received
	mail.tls = s.implicit
	say := func(verb, usual string) bool {
		reply, changed := s.replies[verb]
		if !changed {
			reply = usual
		}
		return reply == "" || c.PrintfLine("%s", reply) == nil
	}
	for ok := say("GREET", "220 mail.test ESMTP"); ok; {
		line, err := c.ReadLine()
		if err != nil {
			return
		}
		verb, rest, _ := strings.Cut(line, " ")
		switch verb = strings.ToUpper(verb); verb {
		case "EHLO":
			ok = say(verb, s.hello(mail.tls))
		case "STARTTLS":
			ok = say(verb, "220 go ahead")
			conn = tls.Server(conn, s.config())
			c = &textproto.Conn{Reader: textproto.Reader{R: bufio.NewReader(conn)}, Writer: textproto.Writer{W: bufio.NewWriter(conn)}}
			mail.tls = true
		case "AUTH":
			mail.user = s.user(rest)
			if mail.user == "" {
				ok = say(verb, "535 5.7.8 wrong")
			} else {
				ok = say(verb, "235 welcome")
			}
		case "MAIL":
			mail.from, _, _ = strings.Cut(strings.TrimPrefix(rest, "FROM:"), " ")
			ok = say(verb, "250 ok")
		case "RCPT":
			mail.to = strings.TrimPrefix(rest, "TO:")
			ok = say(verb, "250 ok")
		case "DATA":
			if ok = say(verb, "354 go on"); s.replies[verb] != "" {
				continue
			}
			data, err := c.ReadDotBytes()
			if err != nil {
				return
			}
			mail.data = string(data)
			s.mu.Lock()
			s.mails = append(s.mails, mail)
			s.mu.Unlock()
			ok = say("END", "250 taken")
		case "QUIT":
			say(verb, "221 bye")
			return
		default:
			ok = say(verb, "250 ok")
		}
	}
}

func (s *smtpServer) hello(encrypted bool) string {
	lines := []string{"250-mail.test"}
	if s.startTLS && !encrypted {
		lines = append(lines, "250-STARTTLS")
	}
	if s.utf8 {
		lines = append(lines, "250-SMTPUTF8")
	}
	if s.password != "" {
		lines = append(lines, "250-AUTH PLAIN LOGIN")
	}
	return strings.Join(append(lines, "250 8BITMIME"), "\r\n")
}

// user returns who signs in by AUTH PLAIN, "" where the password is wrong.
func (s *smtpServer) user(auth string) string {
	text, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(auth, "PLAIN "))
	if s.password == "" || string(text) != "\x00budi\x00"+s.password {
		return ""
	}
	return "budi"
}
