package main

import (
	"bytes"
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
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/message"
	"workforce/internal/apitest"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// A mailServer takes mail over SMTP, until the test ends.
type mailServer struct {
	addr  string
	mu    sync.Mutex
	mails []string
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
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		s.mu.Lock()
		mails := s.mails
		s.mu.Unlock()
		if len(mails) >= nth {
			return must[*mail.Message](t)(mail.ReadMessage(strings.NewReader(mails[nth-1])))
		}
	}
	t.Fatalf("no mail number %d", nth)
	return nil
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
		texts[media] = string(must[[]byte](t)(io.ReadAll(quotedprintable.NewReader(p))))
	}
}

// TestMail signs somebody in with a code that comes by mail, and leaves what
// goes to phones to the log.
func TestMail(t *testing.T) {
	box := newMailServer(t)
	eachServer(t, func(t *testing.T, s *testServer) {
		box.mu.Lock()
		before := len(box.mails)
		box.mu.Unlock()
		s.Run(t, []apitest.Scenario{register("a"), login("a", "Budi@demo.test", demoPassword)})
		asked := time.Now()
		m := box.wait(t, before+1)
		if took := time.Since(asked); took > time.Second {
			t.Errorf("the mail took %v", took)
		}
		subject := must[string](t)(new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject")))
		if m.Header.Get("From") != `"Workforce" <no-reply@demo.test>` || m.Header.Get("To") != "<budi@demo.test>" || subject != "Kode masuk Anda" {
			t.Errorf("header %v", m.Header)
		}
		texts := parts(t, m)
		code := regexp.MustCompile(`^(\d{6}) adalah kode masuk Workforce Anda, berlaku 10 menit\.`).FindStringSubmatch(texts["text/plain"])
		if code == nil || len(texts) != 2 || !strings.Contains(texts["text/html"], ">"+code[1]+"</strong>") {
			t.Fatalf("texts %q", texts)
		}
		s.Run(t, []apitest.Scenario{verify("the code in the mail", "a", code[1], 200, `{"verified":true}`)})
		if row := sent(t, s, "budi@demo.test", isSent); row.Kind != "login_code" || row.Attempts != 1 || row.SealedText == nil {
			t.Errorf("kept as %v", row)
		}
		if log := s.Log.Lines(); strings.Contains(log, "budi@demo.test") {
			t.Errorf("what went by mail is in the log:\n%s", log)
		}
		s.Run(t, []apitest.Scenario{register("b"), login("b", "+628401123789", demoPassword)})
		s.Log.Code(t, "+628401123789", 1)
	}, func(s *settings) { s.SMTPURL, s.MailFrom = "smtp://"+box.addr, "Workforce <no-reply@demo.test>" })
}

// TestOutboxOutlivesServer leaves messages to a server that starts later.
func TestOutboxOutlivesServer(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		g := &gateway{asked: map[string]int{}, taken: map[string]map[string]string{}, down: true}
		server := httptest.NewServer(g)
		t.Cleanup(server.Close)
		key := filepath.Join(t.TempDir(), "key") // outlives the first server
		useGateway := func(s *settings) { s.SMSURL, s.SMSSecret, s.SecretKeyFile = server.URL, gatewaySecret, key }
		t.Run("before", func(t *testing.T) {
			s := newTestServer(t, database, useGateway)
			s.Run(t, []apitest.Scenario{register("a"), forgot("a", "agus@demo.test"), forgot("a", "+628401123789")})
			sent(t, s, "agus@demo.test", func(m *ent.Message) bool { return m.Attempts == 1 && m.DueAt.Equal(morning.Add(5*second)) })
			sent(t, s, "+628401123789", func(m *ent.Message) bool { return m.Attempts == 1 && m.DueAt.Equal(morning.Add(5*second)) })
		})
		g.setDown(false)
		t.Run("after", func(t *testing.T) {
			s := newTestServer(t, database, useGateway)
			s.Clock.Advance(5 * minute) // the code to the phone has expired, that by mail has not
			sent(t, s, "agus@demo.test", isSent)
			sent(t, s, "+628401123789", func(m *ent.Message) bool { return m.Status == message.StatusFailed })
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
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
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
	t.Cleanup(server.Close)
	s := newTestServer(t, testdb.SQLite(t), func(s *settings) { s.SMSURL, s.SMSSecret = server.URL, gatewaySecret })
	s.Run(t, []apitest.Scenario{register("a"), forgot("a", "agus@demo.test")})
	sent(t, s, "agus@demo.test", func(m *ent.Message) bool { return m.Attempts == 1 })
	s.Run(t, []apitest.Scenario{forgot("a", "ayu@demo.test"), forgot("a", "fitri@demo.test")})
	for range 2 {
		select {
		case <-taken:
		case <-time.After(5 * time.Second):
			t.Error("a message waits for another person's")
		}
	}
	close(release)
	sent(t, s, "agus@demo.test", isSent)
}

// TestUnreadableMessage keeps no other waiting, and is not tried again.
func TestUnreadableMessage(t *testing.T) {
	s := newTestServer(t, testdb.SQLite(t))
	id := s.aMessage(t, message.StatusQueued)
	s.Clock.Advance(hour)
	s.Run(t, []apitest.Scenario{register("a"), forgot("a", "budi@demo.test")})
	s.Log.Code(t, "budi@demo.test", 1)
	if m := s.message(t, id); m.Status != message.StatusFailed || m.Attempts != 2 || m.SealedText != nil {
		t.Errorf("kept as %v", m)
	}
	if log := s.Log.Lines(); !strings.Contains(log, fmt.Sprintf("message cannot be read id=%d", id)) {
		t.Errorf("log:\n%s", log)
	}
}

// TestManyMessages writes more to one person than are looked at in one go.
func TestManyMessages(t *testing.T) {
	s := newTestServer(t, testdb.SQLite(t))
	for range 120 { // unreadable ones: each is looked at, and given up
		s.aMessage(t, message.StatusQueued)
	}
	s.Clock.Advance(hour)
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		left := must[int](t)(s.store.ent.Message.Query().Where(message.StatusEQ(message.StatusQueued)).Count(viewer.System(t.Context())))
		if left == 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d messages are left", left)
		}
	}
}

// TestMessageSettings refuses settings that cannot work, and quotes no secret.
func TestMessageSettings(t *testing.T) {
	tests := []struct {
		name string
		set  settings
		want string // "" accepts
	}{
		{"nothing", settings{}, ""},
		{"mail", settings{SMTPURL: "smtp://budi:hunter2@mail.test:587", MailFrom: "no-reply@demo.test"}, ""},
		{"mail without a sender", settings{SMTPURL: "smtp://budi:hunter2@mail.test:587"}, "--smtp-url needs --mail-from"},
		{"a sender alone", settings{MailFrom: "Workforce <no-reply@demo.test>"}, ""},
		{"a sender that is none", settings{SMTPURL: "smtp://budi:hunter2@mail.test", MailFrom: "nobody"}, "--mail-from: "},
		{"another scheme", settings{SMTPURL: "http://budi:hunter2@mail.test", MailFrom: "no-reply@demo.test"}, "--smtp-url: must begin with"},
		{"no URL at all", settings{SMTPURL: "smtp://budi:hunter2 %zz", MailFrom: "no-reply@demo.test"}, "--smtp-url: not a URL"},
		{"a password in the clear", settings{SMTPURL: "smtp://budi:hunter2@mail.test?tls=none", MailFrom: "no-reply@demo.test"}, "--smtp-url: a password"},
		{"gateway", settings{SMSURL: "https://gateway.test/send?key=hunter2", SMSSecret: "hunter2"}, ""},
		{"gateway without a secret", settings{SMSURL: "https://gateway.test/send?key=hunter2"}, "--sms-url needs --sms-secret"},
		{"callbacks alone", settings{SMSSecret: "hunter2"}, ""},
		{"gateway of another scheme", settings{SMSURL: "ftp://hunter2@gateway.test", SMSSecret: "hunter2"}, "--sms-url must begin with"},
		{"gateway without a host", settings{SMSURL: "https:///hunter2", SMSSecret: "hunter2"}, "--sms-url must begin with"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tt.set.parse()
			if (err == nil) != (tt.want == "") || err != nil && !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if err != nil && strings.Contains(err.Error(), "hunter2") {
				t.Errorf("the error quotes a secret: %v", err)
			}
		})
	}
}

// TestConfigPrintHidesSecrets prints settings that hold secrets everywhere.
func TestConfigPrintHidesSecrets(t *testing.T) {
	var out bytes.Buffer
	err := run(t.Context(), []string{"config", "print",
		"--database", "mysql://workforce:hunter2@db.test:3306/workforce",
		"--smtp-url", "smtps://budi:hunter2@mail.test:465", "--mail-from", "no-reply@demo.test",
		"--sms-url", "https://key:hunter2@gateway.test/hunter2?key=hunter2", "--sms-secret", "hunter2",
	}, streams{nil, &out, os.Stderr})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), "hunter2") {
		t.Errorf("printed:\n%s", &out)
	}
	var shown map[string]any
	if err := json.Unmarshal(out.Bytes(), &shown); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"SMTPURL": "smtps://mail.test:465/xxxxx", "SMSURL": "https://gateway.test/xxxxx", "SMSSecret": "xxxxx", "MailFrom": "no-reply@demo.test",
	} {
		if shown[name] != want {
			t.Errorf("%s is shown as %v, want %s", name, shown[name], want)
		}
	}
}
