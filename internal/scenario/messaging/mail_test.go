package messaging

import (
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"net/textproto"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"workforce/ent"
	entMessage "workforce/ent/message"
	"workforce/internal/apitest"
	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// A mailServer takes mail over SMTP, until the test ends.
type mailServer struct {
	addr  string
	mu    sync.Mutex
	mails []string

	taken harness.Signal // notified of each mail
}

func newMailServer(t *testing.T) *mailServer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &mailServer{addr: l.Addr().String()}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() { s.serve(textproto.NewConn(conn)) })
		}
	})
	t.Cleanup(func() { _ = l.Close(); all.Wait() })
	return s
}

// serve takes the mail of one connection.
func (s *mailServer) serve(c *textproto.Conn) {
	defer c.Close()
	_ = c.PrintfLine("220 mail.test ESMTP")
	for {
		line, err := c.ReadLine()
		if err != nil {
			return
		}
		switch verb, _, _ := strings.Cut(line, " "); strings.ToUpper(verb) {
		case "DATA":
			_ = c.PrintfLine("354 go on")
			data, err := c.ReadDotBytes()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.mails = append(s.mails, string(data))
			s.mu.Unlock()
			s.taken.Notify()
			_ = c.PrintfLine("250 taken")
		case "QUIT":
			_ = c.PrintfLine("221 bye")
			return
		default:
			_ = c.PrintfLine("250 ok")
		}
	}
}

// wait returns the nth mail.
func (s *mailServer) wait(t *testing.T, nth int) *mail.Message {
	t.Helper()
	var mails []string
	came := s.taken.Wait(func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		mails = s.mails
		return len(mails) >= nth
	})
	if !came {
		t.Fatalf("no mail number %d", nth)
	}
	return harness.Must[*mail.Message](t)(mail.ReadMessage(strings.NewReader(mails[nth-1])))
}

// parts returns the texts of a mail by their media type.
func parts(t *testing.T, m *mail.Message) map[string]string {
	t.Helper()
	media, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || media != "multipart/alternative" {
		t.Fatalf("media type %q, error %v", media, err)
	}
	texts := map[string]string{}
	for r := multipart.NewReader(m.Body, params["boundary"]); ; {
		p, err := r.NextRawPart()
		if err == io.EOF {
			return texts
		}
		if err != nil {
			t.Fatal(err)
		}
		media, _, _ := mime.ParseMediaType(p.Header.Get("Content-Type"))
		texts[media] = string(harness.Must[[]byte](t)(io.ReadAll(quotedprintable.NewReader(p))))
	}
}

// TestMail signs somebody in with a code that comes by mail, and leaves what
// goes to phones to the log.
func TestMail(t *testing.T) {
	box := newMailServer(t)
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		box.mu.Lock()
		before := len(box.mails)
		box.mu.Unlock()
		s.Run(t, []apitest.Scenario{harness.Register("a"), harness.Login("a", "Budi@demo.test", demo.Password)})
		asked := time.Now()
		m := box.wait(t, before+1)
		if took := time.Since(asked); took > time.Second {
			t.Errorf("the mail took %v", took)
		}
		subject := harness.Must[string](t)(new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject")))
		if m.Header.Get("From") != `"Workforce" <no-reply@demo.test>` || m.Header.Get("To") != "<budi@demo.test>" || subject != "Kode masuk Anda" {
			t.Errorf("header %v", m.Header)
		}
		texts := parts(t, m)
		code := regexp.MustCompile(`^(\d{6}) adalah kode masuk Workforce Anda, berlaku 10 menit\.`).FindStringSubmatch(texts["text/plain"])
		if code == nil || len(texts) != 2 || !strings.Contains(texts["text/html"], ">"+code[1]+"</strong>") {
			t.Fatalf("texts %q", texts)
		}
		s.Run(t, []apitest.Scenario{harness.Verify("the code in the mail", "a", code[1], 200, `{"verified":true}`)})
		if row := sent(t, s, "budi@demo.test", isSent); row.Kind != "login_code" || row.Attempts != 1 || row.SealedText == nil {
			t.Errorf("kept as %v", row)
		}
		if log := s.Log.Lines(); strings.Contains(log, "budi@demo.test") {
			t.Errorf("what went by mail is in the log:\n%s", log)
		}
		s.Run(t, []apitest.Scenario{harness.Register("b"), harness.Login("b", "+628401123789", demo.Password)})
		s.Log.Code(t, "+628401123789", 1)
	}, func(s *server.Config) { s.SMTPURL, s.MailFrom = "smtp://"+box.addr, "Workforce <no-reply@demo.test>" })
}

// TestOutboxOutlivesServer leaves messages to a server that starts later.
func TestOutboxOutlivesServer(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		g := &gateway{asked: map[string]int{}, taken: map[string]map[string]string{}, down: true}
		carrier := httptest.NewServer(g)
		t.Cleanup(carrier.Close)
		key := filepath.Join(t.TempDir(), "key") // outlives the first server
		useGateway := func(s *server.Config) { s.SMSURL, s.SMSSecret, s.SecretKeyFile = carrier.URL, GatewaySecret, key }
		t.Run("before", func(t *testing.T) {
			s := harness.New(t, database, useGateway)
			s.Run(t, []apitest.Scenario{harness.Register("a"), harness.Forgot("a", "agus@demo.test"), harness.Forgot("a", "+628401123789")})
			sent(t, s, "agus@demo.test", func(m *ent.Message) bool { return m.Attempts == 1 && m.DueAt.Equal(harness.Morning.Add(5*time.Second)) })
			sent(t, s, "+628401123789", func(m *ent.Message) bool { return m.Attempts == 1 && m.DueAt.Equal(harness.Morning.Add(5*time.Second)) })
		})
		g.setDown(false)
		t.Run("after", func(t *testing.T) {
			s := harness.New(t, database, useGateway)
			s.Clock.Advance(5 * time.Minute) // the code to the phone has expired, that by mail has not
			sent(t, s, "agus@demo.test", isSent)
			sent(t, s, "+628401123789", func(m *ent.Message) bool { return m.Status == entMessage.StatusFailed })
			if mails, texts := g.to("agus@demo.test"), g.to("+628401123789"); len(mails) != 1 || len(texts) != 0 {
				t.Errorf("the gateway took %v and %v", mails, texts)
			}
		})
	})
}

// TestOneHangingMessage has the gateway hang on a message to one person: others
// get theirs.
func TestOneHangingMessage(t *testing.T) {
	release := make(chan struct{})
	taken := make(chan string, 10)
	carrier := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m map[string]string
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		if m["to"] == "agus@demo.test" {
			<-release
		}
		taken <- m["to"]
	}))
	t.Cleanup(carrier.Close)
	s := harness.New(t, testdb.SQLite(t), func(s *server.Config) { s.SMSURL, s.SMSSecret = carrier.URL, GatewaySecret })
	s.Run(t, []apitest.Scenario{harness.Register("a"), harness.Forgot("a", "agus@demo.test")})
	sent(t, s, "agus@demo.test", func(m *ent.Message) bool { return m.Attempts == 1 })
	s.Run(t, []apitest.Scenario{harness.Forgot("a", "ayu@demo.test"), harness.Forgot("a", "fitri@demo.test")})
	for range 2 {
		harness.Get(t, taken, "another person's message")
	}
	close(release)
	sent(t, s, "agus@demo.test", isSent)
}

// TestUnreadableMessage keeps no other waiting, and is not tried again.
func TestUnreadableMessage(t *testing.T) {
	s := harness.New(t, testdb.SQLite(t))
	id := aMessage(t, s, entMessage.StatusQueued)
	s.Clock.Advance(time.Hour)
	s.Run(t, []apitest.Scenario{harness.Register("a"), harness.Forgot("a", "budi@demo.test")})
	s.Log.Code(t, "budi@demo.test", 1)
	if m := stored(t, s, id); m.Status != entMessage.StatusFailed || m.Attempts != 2 || m.SealedText != nil {
		t.Errorf("kept as %v", m)
	}
	if log := s.Log.Lines(); !strings.Contains(log, fmt.Sprintf("message cannot be read id=%d", id)) {
		t.Errorf("log:\n%s", log)
	}
}

// TestManyMessages writes more to one person than are looked at in one go.
func TestManyMessages(t *testing.T) {
	s := harness.New(t, testdb.SQLite(t))
	for range 120 { // unreadable ones: each is looked at, and given up
		aMessage(t, s, entMessage.StatusQueued)
	}
	s.Clock.Advance(time.Hour)
	s.Wait(t, "all messages to be given up", func() bool {
		left := harness.Must[int](t)(s.Store.Ent.Message.Query().Where(entMessage.StatusEQ(entMessage.StatusQueued)).Count(viewer.System(t.Context())))
		return left == 0
	})
}
