package auth

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/go-jose/go-jose/v4"

	"workforce/internal/apitest"
	"workforce/internal/demo"
	"workforce/internal/password"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// TestFirstKey makes several servers need the first key at once, and looks that
// they agree on one, which is not kept in the clear.
func TestFirstKey(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		servers := []*harness.Server{harness.New(t, database), harness.New(t, database), harness.New(t, database)}
		kids := make([]string, len(servers))
		var all sync.WaitGroup
		for i, s := range servers {
			all.Go(func() {
				a, err := s.Ask("GET", "/encrypt", nil, "")
				var set jose.JSONWebKeySet
				if err == nil && json.Unmarshal([]byte(a.Body), &set) == nil && len(set.Keys) == 1 {
					kids[i] = set.Keys[0].KeyID
				}
			})
		}
		all.Wait()
		row, err := servers[0].Store.Ent.PasswordKey.Query().Only(viewer.System(t.Context()))
		if err != nil {
			t.Fatal(err)
		}
		for i, kid := range kids {
			if kid != row.Kid {
				t.Errorf("server %d has key %q, the database %q", i, kid, row.Kid)
			}
		}
		if !password.IsJWE(row.SealedPrivate) {
			t.Errorf("the private part is stored as %.20q…, not sealed", row.SealedPrivate)
		}
	})
}

// TestLegacyPasswords sends base64 to a server that is set so.
func TestLegacyPasswords(t *testing.T) {
	s := harness.New(t, testdb.SQLite(t), func(s *server.Config) { s.PasswordLegacy = "base64" })
	try := func(name, text string, status int, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Path: "/user/login", Header: harness.DeviceOf("a"), Status: status, Want: want,
			Body: fmt.Sprintf(`{"username":"budi@demo.test","password":%q}`, text)}
	}
	std, url := base64.StdEncoding.EncodeToString, base64.URLEncoding.EncodeToString
	inEnglish(s, func() {
		s.Run(t, []apitest.Scenario{harness.Register("a"),
			try("padded", std([]byte(demo.Password)), 200, ""),
			try("not padded", strings.TrimRight(std([]byte(demo.Password)), "="), 200, ""),
			try("URL alphabet", url([]byte("\xff\xfe\xfd")), 401, wrongLogin),
			try("URL alphabet, not padded", strings.TrimRight(url([]byte("\xff\xfe\xfd\xff")), "="), 401, wrongLogin),
			try("not base64", "demo-password!", 422, harness.MemberProblem("password", "This cannot be read.")),
			try("1,024 bytes", std(bytes.Repeat([]byte("x"), 1024)), 401, wrongLogin),
			try("right again", std([]byte(demo.Password)), 200, ""),
			try("a byte too long", std(bytes.Repeat([]byte("x"), 1025)), 422, harness.MemberProblem("password", "This may have at most 1024 characters.")),
			try("encrypted is never base64", harness.EncryptFor(t, harness.KeySet(t, s).Keys[0], demo.Password), 200, ""),
			try("broken JWE", jwe, 422, keyInvalid),
			harness.Forgot("a", "siti@demo.test"),
		})
		s.Run(t, []apitest.Scenario{
			harness.Reset("the policy is for what comes out", "a", "{{a.reset}}", s.Log.Code(t, "siti@demo.test", 1), std([]byte("short")), 422, ""),
			harness.Reset("set", "a", "{{a.reset}}", s.Log.Code(t, "siti@demo.test", 1), std([]byte("jauh-lebih-baik")), 200, ""),
			{Name: "and used", Path: "/user/login", Header: harness.DeviceOf("a"), Body: `{"username":"siti@demo.test","password":"` + std([]byte("jauh-lebih-baik")) + `"}`},
		})
	})
}
