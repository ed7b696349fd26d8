package main

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"workforce/ent"
	"workforce/ent/message"
	"workforce/ent/user"
	"workforce/internal/apitest"
	carry "workforce/internal/message"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

const received = `{"received":true}`

func signedCallbacks(s *settings) { s.SMSSecret = gatewaySecret }

// report is what the gateway says, signed now and with its secret.
func (s *testServer) report(name, body string, status int, want string) apitest.Scenario {
	return apitest.Scenario{
		Name: name, Method: "POST", Path: callbackPath, Body: body, Status: status, Want: want,
		Header: head("X-Signature", carry.Sign(gatewaySecret, s.Clock.Now(), []byte(body)), "X-Language", "en"),
	}
}

// aMessage writes a message to Budi that was tried once, and returns its id.
func (s *testServer) aMessage(t *testing.T, status message.Status) int {
	t.Helper()
	ctx, now := viewer.System(t.Context()), s.Clock.Now()
	u := must[*ent.User](t)(s.store.ent.User.Query().Where(user.EmailKey("budi@demo.test")).Only(ctx))
	m := must[*ent.Message](t)(s.store.ent.Message.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetKind("login_code").
		SetChannel(message.ChannelSms).SetDestination("+628401100003").SetSealedText("sealed").SetStatus(status).SetAttempts(1).
		SetCreatedAt(now).SetDueAt(now.Add(hour)).SetExpiresAt(now.Add(2 * hour)).Save(ctx))
	return m.ID
}

func (s *testServer) message(t *testing.T, id int) *ent.Message {
	t.Helper()
	return must[*ent.Message](t)(s.store.ent.Message.Get(viewer.System(t.Context()), id))
}

// TestCallback reports what became of messages, and what is none of the
// gateway's business.
func TestCallback(t *testing.T) {
	eachServer(t, func(t *testing.T, s *testServer) {
		t.Run("signatures", func(t *testing.T) { callbackSignatures(t, s) })
		t.Run("bodies", func(t *testing.T) { callbackBodies(t, s) })
		t.Run("order", func(t *testing.T) { callbackOrder(t, s) })
		t.Run("causes", func(t *testing.T) { callbackCauses(t, s) })
		t.Run("at once", func(t *testing.T) { callbacksAtOnce(t, s) })
	}, signedCallbacks)
}

// unsigned is the body of UNAUTHENTICATED for the gateway.
var unsigned = problemBody(401, "UNAUTHENTICATED", "Not signed in", "A valid token is needed.", `[]`, `{}`)

func callbackSignatures(t *testing.T, s *testServer) {
	id := s.aMessage(t, message.StatusSent)
	body, now := `{"id":"`+strconv.Itoa(id)+`","status":"delivered"}`, s.Clock.Now()
	for name, signature := range map[string]string{
		"missing":            "",
		"malformed":          "sha256=00",
		"another secret":     carry.Sign("another", now, []byte(body)),
		"no secret":          carry.Sign("", now, []byte(body)),
		"another body":       carry.Sign(gatewaySecret, now, []byte(body+" ")),
		"301 seconds old":    carry.Sign(gatewaySecret, now.Add(-301*second), []byte(body)),
		"301 seconds early":  carry.Sign(gatewaySecret, now.Add(301*second), []byte(body)),
		"another time on it": strings.Replace(carry.Sign(gatewaySecret, now.Add(-301*second), []byte(body)), "t=", "t=1", 1),
	} {
		header := head("X-Signature", signature, "X-Language", "en", "X-Req-Id", "from-the-gateway")
		if signature == "" {
			delete(header, "X-Signature")
		}
		s.Run(t, []apitest.Scenario{{
			Name: name, Path: callbackPath, Body: body, Header: header, Status: 401, Want: unsigned,
			WantHeader: head("WWW-Authenticate", "<any>", "X-Req-Id", "from-the-gateway", "Cache-Control", "no-store"),
		}})
	}
	s.Run(t, []apitest.Scenario{{Name: "before the JSON is looked at", Path: callbackPath, Body: "{", Header: head("X-Language", "en"), Status: 401, Want: unsigned}})
	if got := s.message(t, id).Status; got != message.StatusSent {
		t.Errorf("unsigned reports made it %s", got)
	}
	for _, at := range []time.Duration{-300 * second, 300 * second} {
		r := s.report("300 seconds away", body, 200, received)
		r.Header = head("X-Signature", carry.Sign(gatewaySecret, now.Add(at), []byte(body)))
		r.WantHeader = head("Content-Type", "application/json", "Cache-Control", "private, no-cache", "Content-Language", "en")
		s.Run(t, []apitest.Scenario{r})
	}
	if got := s.message(t, id).Status; got != message.StatusDelivered {
		t.Errorf("signed reports made it %s", got)
	}
}

func callbackBodies(t *testing.T, s *testServer) {
	id := s.aMessage(t, message.StatusSent)
	bad := problemBody(400, "BAD_REQUEST", "Bad request", "<any>", `[]`, `{}`)
	for _, body := range []string{`[]`, `null`, `"sent"`, `1`, `{`, `{"id":1}{}`, ` `} {
		s.Run(t, []apitest.Scenario{s.report("not an object: "+body, body, 400, bad)})
	}
	unknown := memberProblem("status", "This must be one of sent, delivered, read, failed.")
	own := strconv.Itoa(id)
	for _, status := range []string{`,"status":"stopped"`, `,"status":"queued"`, `,"status":"Sent"`, `,"status":""`, `,"status":null`, `,"status":5`, `,"status":["sent"]`, ``} {
		s.Run(t, []apitest.Scenario{
			s.report("unknown status"+status, `{"id":"`+own+`"`+status+`}`, 422, unknown),
			s.report("unknown status and id"+status, `{"id":"x"`+status+`}`, 422, unknown),
		})
	}
	for _, member := range []string{`"id":"2147483647",`, `"id":"0",`, `"id":"-1",`, `"id":"0` + own + `",`, `"id":"+` + own + `",`, `"id":" ` + own + `",`,
		`"id":` + own + `.0,`, `"id":"99999999999999999999",`, `"id":"x",`, `"id":"",`, `"id":null,`, `"id":true,`, `"id":{},`, `"id":[` + own + `],`, `"ID":"` + own + `",`, ``} {
		s.Run(t, []apitest.Scenario{s.report("unknown id "+member, `{`+member+`"status":"read"}`, 200, received)})
	}
	if m := s.message(t, id); m.Status != message.StatusSent || m.SealedText == nil {
		t.Errorf("reports of nothing made it %v", m)
	}
	large := s.report("too large", `{"id":"`+own+`","status":"read","error":"`+strings.Repeat("x", 1<<20)+`"}`, 413, "")
	media := s.report("another media type", `{"id":"`+own+`","status":"read"}`, 415, "")
	media.Header["Content-Type"] = "text/plain"
	s.Run(t, []apitest.Scenario{large, media,
		{Name: "no such method", Path: callbackPath, Status: 405, WantHeader: head("Allow", "POST, OPTIONS")},
		s.report("a number, and members that nobody knows", `{"id":`+own+`,"status":"read","at":"2026-03-10T09:00:00Z","error":null,"more":{}}`, 200, received),
	})
	if m := s.message(t, id); m.Status != message.StatusRead || m.SealedText != nil || m.Error != nil {
		t.Errorf("after it was read: %v", m)
	}
}

// callbackOrder reports late, twice and out of order.
func callbackOrder(t *testing.T, s *testServer) {
	tests := []struct{ from, reports, want string }{
		{"queued", "sent", "sent"},
		{"queued", "delivered sent", "delivered"},
		{"queued", "failed failed sent", "queued"},
		{"queued", "failed sent delivered read failed", "read"},
		{"sent", "sent delivered delivered read", "read"},
		{"sent", "read delivered sent failed", "read"},
		{"sent", "delivered failed", "delivered"},
		{"sent", "failed failed failed sent", "queued"},
		{"sent", "failed delivered failed", "delivered"},
		{"failed", "sent delivered read failed", "failed"},
	}
	for _, tt := range tests {
		id := s.aMessage(t, message.Status(tt.from))
		for status := range strings.FieldsSeq(tt.reports) {
			s.Run(t, []apitest.Scenario{s.report(tt.from+" and then "+status, `{"id":"`+strconv.Itoa(id)+`","status":"`+status+`"}`, 200, received)})
		}
		m := s.message(t, id)
		kept := tt.want == "queued" || tt.want == "sent" || tt.from == "failed"
		if string(m.Status) != tt.want || (m.SealedText != nil) != kept {
			t.Errorf("%s, then %s: %v, want %s", tt.from, tt.reports, m, tt.want)
		}
		if tt.from == "queued" && (m.SentAt == nil) != (tt.want == "queued") {
			t.Errorf("%s, then %s: sent at %v", tt.from, tt.reports, m.SentAt)
		}
	}
}

// callbackCauses reports failures with what the gateway says of them.
func callbackCauses(t *testing.T, s *testServer) {
	tests := []struct{ cause, want string }{
		{`"no such subscriber"`, "no such subscriber"},
		{`" two\n\tlines\u0000 "`, "two  lines"},
		{`30003`, "30003"},
		{`"` + strings.Repeat("é", 600) + `"`, strings.Repeat("é", 250)},
		{`"x` + strings.Repeat("é", 600) + `"`, "x" + strings.Repeat("é", 249)},
		{"\"\xff\"", "\ufffd"},
		{`""`, ""}, {`null`, ""}, {`{"code":1}`, ""},
	}
	for _, tt := range tests {
		id := s.aMessage(t, message.StatusSent)
		s.Run(t, []apitest.Scenario{s.report("failed: "+tt.want, `{"id":"`+strconv.Itoa(id)+`","status":"failed","error":`+tt.cause+`}`, 200, received)})
		m, got := s.message(t, id), ""
		if m.Error != nil {
			got = *m.Error
		}
		if m.Failures != 1 || got != tt.want || !utf8.ValidString(got) {
			t.Errorf("%s: %d failures, the last %q; want one, %q", tt.cause, m.Failures, got, tt.want)
		}
	}
}

// callbacksAtOnce reports each status a hundred times at once.
func callbacksAtOnce(t *testing.T, s *testServer) {
	id := s.aMessage(t, message.StatusQueued)
	s.reportAtOnce(t, `{"id":"`+strconv.Itoa(id)+`","status":"failed"}`)
	if m := s.message(t, id); m.Status != message.StatusQueued || m.Failures != 1 {
		t.Errorf("after 100 reports of one failure: %v", m)
	}
	for _, status := range []string{"delivered", "read"} {
		s.reportAtOnce(t, `{"id":"`+strconv.Itoa(id)+`","status":"`+status+`"}`)
		if m := s.message(t, id); string(m.Status) != status || m.SentAt == nil {
			t.Errorf("after 100 reports: %v, want %s", m, status)
		}
	}
}

// reportAtOnce reports the same a hundred times at once.
func (s *testServer) reportAtOnce(t *testing.T, body string) {
	t.Helper()
	header := head("X-Signature", carry.Sign(gatewaySecret, s.Clock.Now(), []byte(body)), "Content-Type", "application/json")
	if got := statuses(s.askAtOnce(t, 100, "POST", callbackPath, header, body)); got[200] != 100 {
		t.Errorf("%s: answers %v", body, got)
	}
}

// TestCallbackWithoutSecret has nobody to believe.
func TestCallbackWithoutSecret(t *testing.T) {
	s := newTestServer(t, testdb.SQLite(t))
	body := `{"id":"1","status":"read"}`
	for _, secret := range []string{"", gatewaySecret} {
		s.Run(t, []apitest.Scenario{{Name: "signed with " + secret, Path: callbackPath, Body: body, Status: 401, Want: unsigned,
			Header: head("X-Signature", carry.Sign(secret, s.Clock.Now(), []byte(body)), "X-Language", "en")}})
	}
	s.Run(t, []apitest.Scenario{{Name: "in Indonesian", Path: callbackPath, Body: body, Status: 401, Header: head("X-Language", "id"),
		Want: problemBody(401, "UNAUTHENTICATED", "Belum masuk", "Diperlukan token yang sah.", `[]`, `{}`)}})
}

// FuzzCallback sends whatever it likes: the server answers, and never fails.
func FuzzCallback(f *testing.F) {
	for _, body := range []string{`{"id":"1","status":"delivered"}`, `{"id":1,"status":"failed","error":"\ud800"}`, `{"id":2,"status":"failed","error":"stop","at":"9999-12-31T23:59:59Z"}`, `{"id":{},"status":[]}`, `[`, `null`, "\x00"} {
		f.Add(body, "t=1,v1=00", true)
		f.Add(body, "", false)
	}
	config := settings{
		Addr: "127.0.0.1:0", Database: testdb.SQLite(f), Migrate: true, SecretKeyFile: filepath.Join(f.TempDir(), "key"),
		Country: "ID", SMSSecret: gatewaySecret,
	}
	srv, err := newServer(f.Context(), config, slog.New(slog.DiscardHandler))
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		if err := srv.store.Close(); err != nil {
			f.Error(err)
		}
	})
	f.Fuzz(func(t *testing.T, body, signature string, signed bool) {
		req := httptest.NewRequest("POST", "http://wf.test"+callbackPath, strings.NewReader(body))
		req.Header.Set("X-Signature", signature)
		if signed {
			req.Header.Set("X-Signature", carry.Sign(gatewaySecret, srv.resolver.Now(), []byte(body)))
		}
		w := httptest.NewRecorder()
		srv.handler.ServeHTTP(w, req)
		if w.Code >= 500 || !signed && w.Code == http.StatusOK {
			t.Errorf("signed %v, %q: %d %s", signed, body, w.Code, w.Body)
		}
	})
}
