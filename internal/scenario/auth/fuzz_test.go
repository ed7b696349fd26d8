package auth

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"workforce/internal/app/ratelimit"

	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/testdb"
)

// A fuzzServer is a whole server with the demo companies, without a listener, on
// which one device is registered and somebody has signed in.
type fuzzServer struct {
	*server.Server
	header http.Header
}

func newFuzzServer(f *testing.F) fuzzServer {
	f.Helper()
	srv, err := server.New(f.Context(), server.Config{
		Addr: "127.0.0.1:0", Database: testdb.SQLite(f), Migrate: true, SecretKeyFile: filepath.Join(f.TempDir(), "key"),
		Country: "ID", Demo: true, Clock: &harness.Morning,
	}, slog.New(slog.DiscardHandler))
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		if err := srv.Store.Close(); err != nil {
			f.Error(err)
		}
	})
	srv.Services.Limiter.Limits[ratelimit.Failure], srv.Services.Limiter.Limits[ratelimit.Encryption] = 1<<30, 1<<30
	s := fuzzServer{srv, http.Header{"Content-Type": {"application/json"}}}
	s.keep(f, "X-Device-Token", "deviceToken", "/device/register", `{"deviceId":"f","platform":"android"}`)
	s.keep(f, "X-User-Token", "userToken", "/user/login", `{"username":"budi@demo.test","password":"`+demo.Password+`"}`)
	return s
}

// keep sends a header from now on, whose value is a member of an answer.
func (s fuzzServer) keep(f *testing.F, header, member, path, body string) {
	f.Helper()
	w := s.send("POST", path, body)
	answer := map[string]any{}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != http.StatusOK {
		f.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
	s.header.Set(header, answer[member].(string))
}

func (s fuzzServer) send(method, path, body string) *httptest.ResponseRecorder {
	req := httptest.NewRequest(method, "http://wf.test"+path, strings.NewReader(body))
	req.Header = s.header.Clone()
	w := httptest.NewRecorder()
	s.Handler.ServeHTTP(w, req)
	return w
}

// FuzzSecrets sends whatever it likes to the operations that take passwords and
// codes: the server answers, and never fails.
func FuzzSecrets(f *testing.F) {
	s := newFuzzServer(f)
	operations := []string{"POST /user/login", "POST /authorize/verify", "POST /user/forgot-password", "POST /user/reset-password", "PUT /user/change-password", "POST /encrypt"}
	for i, body := range []string{
		`{"username":"budi@demo.test","password":"wrong"}`, `{"otp":"000000"}`, `{"username":"nobody@demo.test"}`,
		`{"id":"1","otp":"000000","password":"kata-sandi-baru"}`, `{"oldPassword":"a","newPassword":"b"}`, `{"value":"\ud800"}`,
	} {
		f.Add(uint8(i), body)
		f.Add(uint8(i), strings.NewReplacer(`":"`, `":["`, `"}`, `"]}`).Replace(body))
		f.Add(uint8(i), strings.NewReplacer(`@`, `\u0000`, `0`, `\uffff`).Replace(body))
	}
	f.Add(uint8(0), "{\"username\":\"+6281\xff\",\"password\":\"\x00\"}")
	f.Fuzz(func(t *testing.T, operation uint8, body string) {
		method, path, _ := strings.Cut(operations[int(operation)%len(operations)], " ")
		if w := s.send(method, path, body); w.Code >= 500 {
			t.Errorf("%s %s %q: %d %s", method, path, body, w.Code, w.Body)
		}
	})
}

// FuzzEncryptedPassword sends whatever it likes as a password, in place of any
// piece of one that is encrypted as it should be: what is altered is refused as a
// member's fault.
func FuzzEncryptedPassword(f *testing.F) {
	s := newFuzzServer(f)
	var encrypted struct{ Value string }
	w := s.send("POST", "/encrypt", `{"value":"`+demo.Password+`"}`)
	if err := json.Unmarshal(w.Body.Bytes(), &encrypted); err != nil {
		f.Fatal(err)
	}
	good := encrypted.Value
	f.Add(uint16(0), uint16(0), "")
	f.Add(uint16(0), uint16(len(good)), "....")
	f.Add(uint16(len(good)), uint16(0), ".")
	f.Add(uint16(4), uint16(8), "\r\n")
	f.Add(uint16(0), uint16(len(good)), "\xff\x00\u2028")
	f.Fuzz(func(t *testing.T, at, cut uint16, put string) {
		from := min(int(at), len(good))
		to := min(from+int(cut), len(good))
		text := good[:from] + put + good[to:]
		body, err := json.Marshal(map[string]string{"id": "1", "otp": "", "password": text})
		if err != nil {
			t.Fatal(err)
		}
		w := s.send("POST", "/user/reset-password", string(body))
		switch w.Code {
		case http.StatusUnprocessableEntity, http.StatusRequestEntityTooLarge:
		case http.StatusBadRequest:
			if !strings.Contains(text, "\x00") {
				t.Errorf("%q: %d %s", text, w.Code, w.Body)
			}
		default:
			t.Errorf("%q: %d %s", text, w.Code, w.Body)
		}
	})
}
