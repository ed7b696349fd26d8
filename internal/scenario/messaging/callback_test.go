package messaging

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
	entMessage "workforce/ent/message"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/message"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

func signedCallbacks(s *server.Config) { s.SMSSecret = GatewaySecret }

// aMessage writes a message to Budi that was tried once, and returns its id.
func aMessage(t *testing.T, s *harness.Server, status entMessage.Status) int {
	t.Helper()
	ctx, now := viewer.System(t.Context()), s.Clock.Now()
	u := harness.Must[*ent.User](t)(s.Store.Ent.User.Query().Where(user.EmailKey("budi@demo.test")).Only(ctx))
	m := harness.Must[*ent.Message](t)(s.Store.Ent.Message.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetKind("login_code").
		SetChannel(entMessage.ChannelSms).SetDestination("+628401100003").SetSealedText("sealed").SetStatus(status).SetAttempts(1).
		SetCreatedAt(now).SetDueAt(now.Add(time.Hour)).SetExpiresAt(now.Add(2 * time.Hour)).Save(ctx))
	return m.ID
}

func stored(t *testing.T, s *harness.Server, id int) *ent.Message {
	t.Helper()
	return harness.Must[*ent.Message](t)(s.Store.Ent.Message.Get(viewer.System(t.Context()), id))
}

// TestCallback reports what became of messages, and what is none of the
// gateway's business.
func TestCallback(t *testing.T) {
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		t.Run("signatures", func(t *testing.T) { callbackSignatures(t, s) })
		t.Run("bodies", func(t *testing.T) { callbackBodies(t, s) })
		t.Run("order", func(t *testing.T) { callbackOrder(t, s) })
		t.Run("causes", func(t *testing.T) { callbackCauses(t, s) })
		t.Run("at once", func(t *testing.T) { callbacksAtOnce(t, s) })
	}, signedCallbacks)
}

// unsigned is the body of UNAUTHENTICATED for the gateway.
var unsigned = harness.ProblemBody(401, "UNAUTHENTICATED", "Not signed in", "A valid token is needed.", `[]`, `{}`)

func callbackSignatures(t *testing.T, s *harness.Server) {
	id := aMessage(t, s, entMessage.StatusSent)
	body, now := `{"id":"`+strconv.Itoa(id)+`","status":"delivered"}`, s.Clock.Now()
	for name, signature := range map[string]string{
		"missing":            "",
		"malformed":          "sha256=00",
		"another secret":     message.Sign("another", now, []byte(body)),
		"no secret":          message.Sign("", now, []byte(body)),
		"another body":       message.Sign(GatewaySecret, now, []byte(body+" ")),
		"301 seconds old":    message.Sign(GatewaySecret, now.Add(-301*time.Second), []byte(body)),
		"301 seconds early":  message.Sign(GatewaySecret, now.Add(301*time.Second), []byte(body)),
		"another time on it": strings.Replace(message.Sign(GatewaySecret, now.Add(-301*time.Second), []byte(body)), "t=", "t=1", 1),
	} {
		header := harness.Head("X-Signature", signature, "X-Language", "en", "X-Req-Id", "from-the-gateway")
		if signature == "" {
			delete(header, "X-Signature")
		}
		s.Run(t, []apitest.Scenario{{
			Name: name, Path: message.CallbackPath, Body: body, Header: header, Status: 401, Want: unsigned,
			WantHeader: harness.Head("WWW-Authenticate", "<any>", "X-Req-Id", "from-the-gateway", "Cache-Control", "no-store"),
		}})
	}
	s.Run(t, []apitest.Scenario{{Name: "before the JSON is looked at", Path: message.CallbackPath, Body: "{", Header: harness.Head("X-Language", "en"), Status: 401, Want: unsigned}})
	if got := stored(t, s, id).Status; got != entMessage.StatusSent {
		t.Errorf("unsigned reports made it %s", got)
	}
	for _, at := range []time.Duration{-300 * time.Second, 300 * time.Second} {
		r := report(s, "300 seconds away", body, 200, received)
		r.Header = harness.Head("X-Signature", message.Sign(GatewaySecret, now.Add(at), []byte(body)))
		r.WantHeader = harness.Head("Content-Type", "application/json", "Cache-Control", "private, no-cache", "Content-Language", "en")
		s.Run(t, []apitest.Scenario{r})
	}
	if got := stored(t, s, id).Status; got != entMessage.StatusDelivered {
		t.Errorf("signed reports made it %s", got)
	}
}

func callbackBodies(t *testing.T, s *harness.Server) {
	id := aMessage(t, s, entMessage.StatusSent)
	bad := harness.ProblemBody(400, "BAD_REQUEST", "Bad request", "<any>", `[]`, `{}`)
	for _, body := range []string{`[]`, `null`, `"sent"`, `1`, `{`, `{"id":1}{}`, ` `} {
		s.Run(t, []apitest.Scenario{report(s, "not an object: "+body, body, 400, bad)})
	}
	unknown := harness.MemberProblem("status", "This must be one of sent, delivered, read, failed.")
	own := strconv.Itoa(id)
	for _, status := range []string{`,"status":"stopped"`, `,"status":"queued"`, `,"status":"Sent"`, `,"status":""`, `,"status":null`, `,"status":5`, `,"status":["sent"]`, ``} {
		s.Run(t, []apitest.Scenario{
			report(s, "unknown status"+status, `{"id":"`+own+`"`+status+`}`, 422, unknown),
			report(s, "unknown status and id"+status, `{"id":"x"`+status+`}`, 422, unknown),
		})
	}
	for _, member := range []string{`"id":"2147483647",`, `"id":"0",`, `"id":"-1",`, `"id":"0` + own + `",`, `"id":"+` + own + `",`, `"id":" ` + own + `",`,
		`"id":` + own + `.0,`, `"id":"99999999999999999999",`, `"id":"x",`, `"id":"",`, `"id":null,`, `"id":true,`, `"id":{},`, `"id":[` + own + `],`, `"ID":"` + own + `",`, ``} {
		s.Run(t, []apitest.Scenario{report(s, "unknown id "+member, `{`+member+`"status":"read"}`, 200, received)})
	}
	if m := stored(t, s, id); m.Status != entMessage.StatusSent || m.SealedText == nil {
		t.Errorf("reports of nothing made it %v", m)
	}
	for _, at := range []string{`"yesterday"`, `"2026-03-10"`, `"2026-03-10T09:00:00"`, `1`, `{}`, `true`} {
		s.Run(t, []apitest.Scenario{report(s, "no time: "+at, `{"id":"`+own+`","status":"read","at":`+at+`}`, 422,
			harness.MemberProblem("at", "This must look like 2026-03-10T09:00:00+07:00."))})
	}
	s.Run(t, []apitest.Scenario{
		report(s, "all that is wrong", `{"id":"x","status":"x","at":"x","error":[]}`, 422, harness.MemberProblem("status", "This must be one of sent, delivered, read, failed.",
			"at", "This must look like 2026-03-10T09:00:00+07:00.")),
		report(s, "NUL", `{"id":"`+own+`","status":"read","error":"\u0000"}`, 400, bad),
		report(s, "half of a surrogate pair", `{"id":"`+own+`","status":"read","error":"\ud800"}`, 400, bad),
	})
	if m := stored(t, s, id); m.Status != entMessage.StatusSent {
		t.Errorf("refused reports made it %v", m)
	}
	large := report(s, "too large", `{"id":"`+own+`","status":"read","error":"`+strings.Repeat("x", 1<<20)+`"}`, 413, "")
	media := report(s, "another media type", `{"id":"`+own+`","status":"read"}`, 415, "")
	media.Header["Content-Type"] = "text/plain"
	s.Run(t, []apitest.Scenario{large, media,
		{Name: "no such method", Path: message.CallbackPath, Status: 405, WantHeader: harness.Head("Allow", "POST, OPTIONS")},
		report(s, "a number, and members that nobody knows", `{"id":`+own+`,"status":"read","at":"2026-03-10T09:00:00Z","error":null,"more":{}}`, 200, received),
	})
	if m := stored(t, s, id); m.Status != entMessage.StatusRead || m.SealedText != nil || m.Error != nil {
		t.Errorf("after it was read: %v", m)
	}
}

// callbackOrder reports late, twice and out of order.
func callbackOrder(t *testing.T, s *harness.Server) {
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
		id := aMessage(t, s, entMessage.Status(tt.from))
		for status := range strings.FieldsSeq(tt.reports) {
			s.Run(t, []apitest.Scenario{report(s, tt.from+" and then "+status, `{"id":"`+strconv.Itoa(id)+`","status":"`+status+`"}`, 200, received)})
		}
		m := stored(t, s, id)
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
func callbackCauses(t *testing.T, s *harness.Server) {
	tests := []struct{ cause, want string }{
		{`"no such subscriber"`, "no such subscriber"},
		{`" two\n\tlines\u0001 "`, "two  lines"},
		{`30003`, "30003"},
		{`"` + strings.Repeat("é", 600) + `"`, strings.Repeat("é", 250)},
		{`"x` + strings.Repeat("é", 600) + `"`, "x" + strings.Repeat("é", 249)},
		{`""`, ""}, {`null`, ""}, {`{"code":1}`, ""},
	}
	for _, tt := range tests {
		id := aMessage(t, s, entMessage.StatusSent)
		s.Run(t, []apitest.Scenario{report(s, "failed: "+tt.want, `{"id":"`+strconv.Itoa(id)+`","status":"failed","error":`+tt.cause+`}`, 200, received)})
		m, got := stored(t, s, id), ""
		if m.Error != nil {
			got = *m.Error
		}
		if m.Failures != 1 || got != tt.want || !utf8.ValidString(got) {
			t.Errorf("%s: %d failures, the last %q; want one, %q", tt.cause, m.Failures, got, tt.want)
		}
	}
}

// callbacksAtOnce reports each status a hundred times at once.
func callbacksAtOnce(t *testing.T, s *harness.Server) {
	id := aMessage(t, s, entMessage.StatusQueued)
	reportAtOnce(t, s, `{"id":"`+strconv.Itoa(id)+`","status":"failed"}`)
	if m := stored(t, s, id); m.Status != entMessage.StatusQueued || m.Failures != 1 {
		t.Errorf("after 100 reports of one failure: %v", m)
	}
	for _, status := range []string{"delivered", "read"} {
		reportAtOnce(t, s, `{"id":"`+strconv.Itoa(id)+`","status":"`+status+`"}`)
		if m := stored(t, s, id); string(m.Status) != status || m.SentAt == nil {
			t.Errorf("after 100 reports: %v, want %s", m, status)
		}
	}
}

// reportAtOnce reports the same a hundred times at once.
func reportAtOnce(t *testing.T, s *harness.Server, body string) {
	t.Helper()
	header := harness.Head("X-Signature", message.Sign(GatewaySecret, s.Clock.Now(), []byte(body)), "Content-Type", "application/json")
	if got := harness.Statuses(s.AskAtOnce(t, 100, "POST", message.CallbackPath, header, body)); got[200] != 100 {
		t.Errorf("%s: answers %v", body, got)
	}
}

// TestCallbackWithoutSecret has nobody to believe.
func TestCallbackWithoutSecret(t *testing.T) {
	s := harness.New(t, testdb.SQLite(t))
	body := `{"id":"1","status":"read"}`
	for _, secret := range []string{"", GatewaySecret} {
		s.Run(t, []apitest.Scenario{{Name: "signed with " + secret, Path: message.CallbackPath, Body: body, Status: 401, Want: unsigned,
			Header: harness.Head("X-Signature", message.Sign(secret, s.Clock.Now(), []byte(body)), "X-Language", "en")}})
	}
	s.Run(t, []apitest.Scenario{{Name: "in Indonesian", Path: message.CallbackPath, Body: body, Status: 401, Header: harness.Head("X-Language", "id"),
		Want: harness.ProblemBody(401, "UNAUTHENTICATED", "Belum masuk", "Permintaan ini tidak disertai tanda pengenal yang berlaku.", `[]`, `{}`)}})
}

// FuzzCallback sends whatever it likes: the server answers, and never fails.
func FuzzCallback(f *testing.F) {
	for _, body := range []string{`{"id":"1","status":"delivered"}`, `{"id":1,"status":"failed","error":"\ud800"}`, `{"id":2,"status":"failed","error":"stop","at":"9999-12-31T23:59:59Z"}`, `{"id":{},"status":[]}`, `[`, `null`, "\x00"} {
		f.Add(body, "t=1,v1=00", true)
		f.Add(body, "", false)
	}
	config := server.Config{
		Addr: "127.0.0.1:0", Database: testdb.SQLite(f), Migrate: true, SecretKeyFile: filepath.Join(f.TempDir(), "key"),
		Country: "ID", SMSSecret: GatewaySecret,
	}
	srv, err := server.New(f.Context(), config, slog.New(slog.DiscardHandler))
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		if err := srv.Store.Close(); err != nil {
			f.Error(err)
		}
	})
	f.Fuzz(func(t *testing.T, body, signature string, signed bool) {
		req := httptest.NewRequest("POST", "http://wf.test"+message.CallbackPath, strings.NewReader(body))
		req.Header.Set("X-Signature", signature)
		if signed {
			req.Header.Set("X-Signature", message.Sign(GatewaySecret, srv.Services.Now(), []byte(body)))
		}
		w := httptest.NewRecorder()
		srv.Handler.ServeHTTP(w, req)
		if w.Code >= 500 || !signed && w.Code == http.StatusOK {
			t.Errorf("signed %v, %q: %d %s", signed, body, w.Code, w.Body)
		}
	})
}
