package message

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	from   = mail.Address{Name: "Workforce", Address: "no-reply@demo.test"}
	sample = Message{
		ID: "7", Channel: "email", To: "budi@demo.test", Subject: "Kode masuk Anda – baru",
		Text: "123456 adalah kode\n.\nAnda", HTML: "<p>123456 adalah kode Anda é</p>", CreatedAt: noon,
	}
)

// to returns what sends through s by a URL of scheme, user and query.
func to(t *testing.T, s *smtpServer, scheme, query string) Mail {
	t.Helper()
	server, err := ParseSMTP(scheme + s.addr + query)
	if err != nil {
		t.Fatal(err)
	}
	return Mail{Server: server, From: from, RootCAs: s.roots}
}

func TestMailArrives(t *testing.T) {
	tests := []struct {
		name          string
		server        *smtpServer
		scheme, query string
		tls           bool
		user          string
	}{
		{"plain", &smtpServer{}, "smtp://", "?tls=none", false, ""},
		{"offer not taken", &smtpServer{startTLS: true}, "smtp://", "?tls=none", false, ""},
		{"offered", &smtpServer{startTLS: true}, "smtp://", "?tls=starttls", true, ""},
		{"not offered", &smtpServer{}, "smtp://", "?tls=starttls", false, ""},
		{"same machine", &smtpServer{}, "smtp://", "", false, ""},
		{"mandatory", &smtpServer{startTLS: true}, "smtp://", "?tls=mandatory", true, ""},
		{"from the start", &smtpServer{implicit: true}, "smtps://", "", true, ""},
		{"signed in after STARTTLS", &smtpServer{startTLS: true, password: "p@ss/word"}, "smtp://budi:p%40ss%2Fword@", "?tls=mandatory", true, "budi"},
		{"signed in, TLS from the start", &smtpServer{implicit: true, password: "pw"}, "smtps://budi:pw@", "", true, "budi"},
		{"signed in on the same machine", &smtpServer{password: "pw"}, "smtp://budi:pw@", "?tls=none", false, "budi"},
		{"farewell fails", &smtpServer{replies: map[string]string{"QUIT": "500 no"}}, "smtp://", "", false, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := tt.server.start(t)
			if err := to(t, s, tt.scheme, tt.query).Carry(t.Context(), sample); err != nil {
				t.Fatal(err)
			}
			got := s.taken()
			if len(got) != 1 {
				t.Fatalf("%d mails arrived, want 1", len(got))
			}
			m := got[0]
			m.data = ""
			if want := (received{"<no-reply@demo.test>", "<budi@demo.test>", "", tt.tls, tt.user}); m != want {
				t.Errorf("got %+v, want %+v", m, want)
			}
		})
	}
}

func TestMailRefused(t *testing.T) {
	tests := []struct {
		name          string
		server        *smtpServer
		scheme, query string
		want          string // in the error
	}{
		{"no STARTTLS", &smtpServer{}, "smtp://", "?tls=mandatory", "STARTTLS"},
		{"wrong password", &smtpServer{startTLS: true, password: "other"}, "smtp://budi:hunter2@", "?tls=mandatory", "535"},
		{"nothing to sign in to", &smtpServer{startTLS: true}, "smtp://budi:hunter2@", "?tls=mandatory", "AUTH"},
		{"greeting", &smtpServer{replies: map[string]string{"GREET": "554 go away"}}, "smtp://", "", "554"},
		{"sender", &smtpServer{replies: map[string]string{"MAIL": "550 not you"}}, "smtp://", "", "550"},
		{"recipient", &smtpServer{replies: map[string]string{"RCPT": "550 unknown"}}, "smtp://", "", "550"},
		{"data", &smtpServer{replies: map[string]string{"DATA": "451 later"}}, "smtp://", "", "451"},
		{"content", &smtpServer{replies: map[string]string{"END": "552 too big"}}, "smtp://", "", "552"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := tt.server.start(t)
			err := to(t, s, tt.scheme, tt.query).Carry(t.Context(), sample)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("error %v, want one with %q", err, tt.want)
			}
			if strings.Contains(err.Error(), "hunter2") {
				t.Errorf("the error holds the password: %v", err)
			}
			select {
			case <-s.ended:
			case <-time.After(time.Minute):
				t.Fatal("the connection stays open")
			}
		})
	}
}

func TestMailChecksTheCertificate(t *testing.T) {
	for _, s := range []*smtpServer{{startTLS: true}, {implicit: true}} {
		s.start(t)
		m := to(t, s, map[bool]string{true: "smtps://", false: "smtp://"}[s.implicit], "")
		m.RootCAs = nil
		if err := m.Carry(t.Context(), sample); err == nil || len(s.taken()) != 0 {
			t.Errorf("implicit %v: error %v and %d mails over an unknown certificate", s.implicit, err, len(s.taken()))
		}
	}
}

func TestMailEndsWithItsContext(t *testing.T) {
	for _, verb := range []string{"GREET", "EHLO", "MAIL", "END"} {
		t.Run(verb, func(t *testing.T) {
			s := (&smtpServer{replies: map[string]string{verb: ""}}).start(t)
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			started := time.Now()
			err := to(t, s, "smtp://", "").Carry(ctx, sample)
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("error %v, want the deadline", err)
			}
			if took := time.Since(started); took > 5*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
	t.Run("nobody listens", func(t *testing.T) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		_ = l.Close()
		if err := to(t, &smtpServer{addr: l.Addr().String()}, "smtp://", "").Carry(t.Context(), sample); err == nil {
			t.Error("no error")
		}
	})
}

// carried sends m and returns the mail that arrived.
func carried(t *testing.T, m Message) *mail.Message {
	t.Helper()
	s := (&smtpServer{}).start(t)
	if err := to(t, s, "smtp://", "").Carry(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	got, err := mail.ReadMessage(strings.NewReader(s.taken()[0].data))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestMailHolds(t *testing.T) {
	got := carried(t, sample)
	subject, err := new(mime.WordDecoder).DecodeHeader(got.Header.Get("Subject"))
	if err != nil || subject != sample.Subject {
		t.Errorf("subject %q, error %v", subject, err)
	}
	for name, want := range map[string]string{
		"From": `"Workforce" <no-reply@demo.test>`, "To": "<budi@demo.test>",
		"Message-Id": "<7.1773144000@demo.test>", "Date": "Tue, 10 Mar 2026 12:00:00 +0000",
		"Auto-Submitted": "auto-generated", "X-Mailer": "", "User-Agent": "",
	} {
		if got := got.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	kind, params, err := mime.ParseMediaType(got.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/alternative" {
		t.Fatalf("Content-Type %q, error %v", kind, err)
	}
	parts := multipart.NewReader(got.Body, params["boundary"])
	for _, want := range [][2]string{
		{"text/plain; charset=UTF-8", sample.Text}, {"text/html; charset=UTF-8", sample.HTML},
	} {
		p, err := parts.NextPart() // decodes quoted-printable
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(p)
		body = bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n"))
		if err != nil || p.Header.Get("Content-Type") != want[0] || string(body) != want[1] {
			t.Errorf("part %q %q, error %v, want %q", p.Header.Get("Content-Type"), body, err, want)
		}
	}
}

func TestMailOfPlainTextAlone(t *testing.T) {
	got := carried(t, Message{ID: "7", To: "budi@demo.test", Text: "halo"})
	body, err := io.ReadAll(quotedprintable.NewReader(got.Body))
	if err != nil || strings.TrimSpace(string(body)) != "halo" {
		t.Errorf("body %q, error %v", body, err)
	}
	want := []string{"text/plain; charset=UTF-8", "Workforce", "<7@demo.test>"}
	have := []string{got.Header.Get("Content-Type"), got.Header.Get("Subject"), got.Header.Get("Message-Id")}
	if !slices.Equal(have, want) {
		t.Errorf("got %q, want %q", have, want)
	}
}

func TestMailHeadersCannotBeInjected(t *testing.T) {
	const evil = "x\r\nBcc: eve@evil.test\r\n\r\nbody"
	m := sample
	m.ID, m.Subject, m.Text = evil, evil, "halo"
	for name := range carried(t, m).Header {
		if name == "Bcc" {
			t.Error("a Bcc header came in")
		}
	}
	for _, to := range []string{
		"", "budi", evil, "budi@demo.test\r\nBcc: eve@evil.test", "budi@demo.test, eve@evil.test",
		"Budi <budi@demo.test>", "<budi@demo.test>", " budi@demo.test", "budi@demo.test>\r\nRCPT TO:<eve@evil.test",
	} {
		s := (&smtpServer{}).start(t)
		m := sample
		m.To = to
		server, err := ParseSMTP("smtp://" + s.addr)
		if err != nil {
			t.Fatal(err)
		}
		if err := (Mail{Server: server, From: from}).Carry(t.Context(), m); err == nil || len(s.taken()) > 0 {
			t.Errorf("to %q: error %v, %d mails", to, err, len(s.taken()))
		}
	}
}

func TestParseFrom(t *testing.T) {
	tests := []struct {
		text, want string // "" for an error
	}{
		{"no-reply@demo.test", "<no-reply@demo.test>"},
		{"Workforce <no-reply@demo.test>", `"Workforce" <no-reply@demo.test>`},
		{"", ""},
		{"Workforce", ""},
		{"a@demo.test, b@demo.test", ""},
		{"a@demo.test\r\nBcc: b@demo.test", ""},
		{"no-reply@démo.test", ""},
	}
	for _, tt := range tests {
		got, err := ParseFrom(tt.text)
		if (err == nil) != (tt.want != "") || err == nil && got.String() != tt.want {
			t.Errorf("ParseFrom(%q) = %v, %v, want %q", tt.text, got, err, tt.want)
		}
	}
}

// TestMailBeyondASCII sends to addresses that servers of old do not take.
func TestMailBeyondASCII(t *testing.T) {
	for _, tt := range []struct {
		to, want string // "" where no mail arrives
		utf8     bool
	}{
		{"x@m\u00fcnchen.test", "<x@xn--mnchen-3ya.test>", false},
		{"x@m\u00fcnchen.test", "<x@xn--mnchen-3ya.test>", true},
		{"\u00e9@m\u00fcnchen.test", "<\u00e9@xn--mnchen-3ya.test>", true},
		{"\u00e9@m\u00fcnchen.test", "", false},
	} {
		s := (&smtpServer{utf8: tt.utf8}).start(t)
		m := sample
		m.To = tt.to
		err := to(t, s, "smtp://", "").Carry(t.Context(), m)
		if (tt.want == "") != errors.Is(err, ErrNoUTF8) || (tt.want != "") != (err == nil) {
			t.Errorf("to %q: %v", tt.to, err)
		}
		arrived := ""
		for _, got := range s.taken() {
			arrived += got.to
		}
		if arrived != tt.want {
			t.Errorf("to %q: %q arrived, want %q", tt.to, arrived, tt.want)
		}
	}
}

// TestMailCheck signs in at mail servers, and sends nothing.
func TestMailCheck(t *testing.T) {
	for _, tt := range []struct {
		name          string
		server        *smtpServer
		scheme, query string
		want          string // in the error; "" for none
	}{
		{"as it should be", &smtpServer{startTLS: true, password: "pw"}, "smtp://budi:pw@", "?tls=mandatory", ""},
		{"without a password", &smtpServer{}, "smtp://", "", ""},
		{"wrong password", &smtpServer{startTLS: true, password: "other"}, "smtp://budi:hunter2@", "?tls=mandatory", "535"},
		{"no STARTTLS", &smtpServer{}, "smtp://", "?tls=mandatory", "STARTTLS"},
		{"greeting", &smtpServer{replies: map[string]string{"GREET": "554 go away"}}, "smtp://", "", "554"},
	} {
		s := tt.server.start(t)
		err := to(t, s, tt.scheme, tt.query).Check(t.Context())
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") || len(s.taken()) > 0 {
			t.Errorf("%s: %v, %d mails", tt.name, err, len(s.taken()))
		}
	}
}
