package message

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"strconv"
	"strings"
	"unicode"

	"workforce/internal/textform"

	gomail "github.com/wneessen/go-mail"
)

// Mail sends messages as e-mail through one SMTP server.
type Mail struct {
	Server  SMTP
	From    mail.Address   // as ParseFrom reads it
	RootCAs *x509.CertPool // that sign the server's certificate; nil is the system's
}

// ParseFrom reads the sender of all mail: no-reply@example.com, or
// Workforce <no-reply@example.com>.
func ParseFrom(text string) (mail.Address, error) {
	a, err := mail.ParseAddress(text)
	if err != nil {
		return mail.Address{}, errors.New("not an e-mail address, such as no-reply@example.com or Workforce <no-reply@example.com>")
	}
	if strings.ContainsFunc(a.Address, func(r rune) bool { return r > unicode.MaxASCII }) {
		return mail.Address{}, errors.New("the address must be in ASCII; write its domain in the xn-- form")
	}
	return *a, nil
}

// Carry implements Carrier. It opens a connection for each message and fails
// unless the server accepted the message; ctx ends it at any point.
func (m Mail) Carry(ctx context.Context, msg Message) error {
	if m.Server.host == "" || m.From.Address == "" {
		return errors.New("mail: not configured")
	}
	composed, err := m.compose(msg)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // closes the connection, whatever state it is in
	client, err := m.client(ctx)
	if err != nil {
		return fmt.Errorf("mail: %w", err)
	}
	err = send(ctx, client, composed, msg.To)
	switch {
	case errors.Is(err, ErrNoUTF8):
		return err
	case composed.IsDelivered(): // only the farewell to the server failed
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("mail: %w", ctx.Err())
	case err != nil:
		return fmt.Errorf("mail: %w", err)
	}
	return nil
}

// ErrNoUTF8 means that no later try will succeed: the address has letters beyond ASCII before the
// @, and the server does not offer SMTPUTF8 (RFC 6531).
var ErrNoUTF8 = errors.New("mail: the server takes no address with letters beyond ASCII before the @")

// send sends a mail to an address on a connection of its own.
func send(ctx context.Context, client *gomail.Client, composed *gomail.Msg, to string) error {
	conn, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return err
	}
	if _, ok := textform.WireEmail(to); !ok {
		if ok, _ := conn.Extension("SMTPUTF8"); !ok {
			_ = client.CloseWithSMTPClient(conn)
			return ErrNoUTF8
		}
	}
	err = client.SendWithSMTPClient(conn, composed)
	if closing := client.CloseWithSMTPClient(conn); err == nil {
		err = closing
	}
	return err
}

// compose writes msg as a mail. The same message always has the same Message-ID,
// so that receivers recognize a repeat.
func (m Mail) compose(msg Message) (*gomail.Msg, error) {
	to, err := mail.ParseAddress(msg.To)
	if err != nil || to.Address != msg.To {
		return nil, errors.New("mail: the destination is not an e-mail address")
	}
	l := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	l.FromMailAddress(&m.From)
	to.Address, _ = textform.WireEmail(to.Address)
	l.ToMailAddress(to)
	l.Subject(oneLine(cmp.Or(msg.Subject, "Workforce")))
	l.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: no answers from machines
	domain := m.From.Address[strings.LastIndex(m.From.Address, "@")+1:]
	id := msg.ID
	if !msg.CreatedAt.IsZero() { // ids begin again in a new database
		l.SetDateWithValue(msg.CreatedAt)
		id += "." + strconv.FormatInt(msg.CreatedAt.Unix(), 10)
	}
	l.SetMessageIDWithValue(oneLine(id) + "@" + domain)
	l.SetBodyString(gomail.TypeTextPlain, msg.Text)
	if msg.HTML != "" {
		l.AddAlternativeString(gomail.TypeTextHTML, msg.HTML)
	}
	return l, nil
}

// oneLine turns control characters, line ends among them, into spaces.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
}

// client returns what talks to the server for one message.
func (m Mail) client(ctx context.Context) (*gomail.Client, error) {
	s := m.Server
	config := &tls.Config{ServerName: s.host, RootCAs: m.RootCAs, MinVersion: tls.VersionTLS12}
	options := []gomail.Option{
		gomail.WithTLSConfig(config), gomail.WithTLSPolicy(s.policy()),
		gomail.WithDialContextFunc(s.dialer(ctx, config)),
		gomail.WithoutNoop(), gomail.WithoutRset(), // one message a connection
	}
	if s.user != "" {
		options = append(options, gomail.WithUsername(s.user), gomail.WithPassword(s.password),
			gomail.WithOpportunisticSMTPAuth(gomail.SMTPAuthSCRAMSHA256, gomail.SMTPAuthPlain, gomail.SMTPAuthLogin))
	}
	return gomail.NewClient(s.host, options...)
}

// dialer connects to the server. The connection is closed as soon as ctx ends:
// the library minds it only while it dials.
func (s SMTP) dialer(ctx context.Context, config *tls.Config) gomail.DialContextFunc {
	return func(dialing context.Context, network, _ string) (net.Conn, error) {
		address := net.JoinHostPort(s.host, strconv.Itoa(s.port))
		conn, err := s.connect(dialing, network, address, config)
		if err != nil {
			return nil, err
		}
		context.AfterFunc(ctx, func() { _ = conn.Close() })
		return conn, nil
	}
}

func (s SMTP) connect(ctx context.Context, network, address string, config *tls.Config) (net.Conn, error) {
	if s.security == tlsImplicit {
		return (&tls.Dialer{Config: config}).DialContext(ctx, network, address)
	}
	return (&net.Dialer{}).DialContext(ctx, network, address)
}

// Check connects to the server as Carry does, signs in, and sends nothing.
func (m Mail) Check(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // closes the connection, whatever state it is in
	client, err := m.client(ctx)
	if err != nil {
		return err
	}
	conn, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return err
	}
	_ = client.CloseWithSMTPClient(conn) // only the farewell
	return nil
}
