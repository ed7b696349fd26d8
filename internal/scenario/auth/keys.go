package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	entkey "workforce/ent/passwordkey"
	"workforce/internal/apitest"
	"workforce/internal/password"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// jwkPattern is what a key of the key set looks like.
const jwkPattern = `{"kty":"RSA","use":"enc","alg":"RSA-OAEP-256","kid":"<any>","n":"<any>","e":"AQAB"}`

// keySet asks for the key set, as an app does.
func keySet(t *testing.T, s *testServer) (set jose.JSONWebKeySet) {
	t.Helper()
	a, err := s.ask("GET", "/encrypt", nil, "")
	if err == nil {
		err = json.Unmarshal([]byte(a.body), &set)
	}
	if err != nil || a.status != 200 || len(set.Keys) == 0 {
		t.Fatalf("key set: %v, %v", a, err)
	}
	return set
}

// encryptFor encrypts a text as an app does.
func encryptFor(t *testing.T, key jose.JSONWebKey, text string) string {
	t.Helper()
	e, err := jose.NewEncrypter(jose.A256GCM, jose.Recipient{Algorithm: jose.RSA_OAEP_256, Key: key.Key, KeyID: key.KeyID}, nil)
	if err != nil {
		t.Fatal(err)
	}
	jwe, err := e.Encrypt([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	compact, err := jwe.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return compact
}

// keyProblem is the body of PASSWORD_KEY_INVALID on a member.
func keyProblem(field string) string {
	return strings.Replace(keyInvalid, `"field":"password"`, `"field":"`+field+`"`, 1)
}

// encryptionScenarios send encrypted passwords.
func encryptionScenarios(t *testing.T, s *testServer) {
	const long = "This may have at most 1024 characters."
	encrypt := func(name, body string, status int, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Path: "/encrypt", Header: deviceOf("a"), Body: body, Status: status, Want: want}
	}
	inEnglish(s, func() {
		s.Run(t, []apitest.Scenario{
			{Name: "keys", Path: "/encrypt", Want: `{"keys":[` + jwkPattern + `]}`, WantHeader: head("Content-Type", "application/json")},
			{Name: "keys through GraphQL", Path: "/graphql", Body: apitest.Query(`{ encryptionKeys { keys { kty use alg kid n e } } }`, nil),
				Want: `{"data":{"encryptionKeys":{"keys":[` + jwkPattern + `]}}}`},
			register("a"),
			{Name: "encrypt", Path: "/encrypt", Header: deviceOf("a"), Body: `{"value":"demo-password"}`, Want: `{"value":"<any>"}`,
				WantHeader: head("Cache-Control", "no-store"), Save: map[string]string{"jwe": "/value"}},
			{Name: "encrypt through GraphQL", Path: "/graphql", Header: deviceOf("a"), WantHeader: head("Cache-Control", "no-store"),
				Body: apitest.Query(`mutation { encrypt(input: {value: "x"}) { value } }`, nil), Want: `{"data":{"encrypt":{"value":"<any>"}}}`},
			login("a", "budi@demo.test", "{{jwe}}"),
			encrypt("1,024 bytes", `{"value":"`+strings.Repeat("é", 512)+`"}`, 200, `{"value":"<any>"}`),
			encrypt("a byte more", `{"value":"`+strings.Repeat("x", 1025)+`"}`, 422, memberProblem("value", long)),
			encrypt("nothing", `{"value":""}`, 422, memberProblem("value", "This is required.")),
			encrypt("no member", `{}`, 422, memberProblem("value", "This is required.")),
			{Name: "without a device", Path: "/encrypt", Body: `{"value":"x"}`, Status: 401, Want: tokenProblem("device", "missing")},
			{Name: "there is no decryption", Path: "/decrypt", Header: deviceOf("a"), Body: `{"value":"{{jwe}}"}`, Status: 404},
		})
		t.Run("passwords", func(t *testing.T) { encryptedPasswords(t, s) })
		t.Run("rotation", func(t *testing.T) { rotatedKeys(t, s) })
		t.Run("limit", func(t *testing.T) { encryptionLimit(t, s) })
	})
}

// encryptedPasswords sends them, whole and broken, in every request that has one.
func encryptedPasswords(t *testing.T, s *testServer) {
	key := keySet(t, s).Keys[0]
	good := encryptFor(t, key, demoPassword)
	try := func(name, jwe string, status int, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Path: "/user/login", Header: deviceOf("a"), Status: status, Want: want,
			Body: `{"username":"budi@demo.test","password":"` + jwe + `"}`}
	}
	stranger := key
	stranger.KeyID = "another"
	s.Run(t, []apitest.Scenario{
		try("right", good, 200, ""),
		try("wrong", encryptFor(t, key, "wrong"), 401, wrongLogin),
		try("nothing inside", encryptFor(t, key, ""), 401, wrongLogin),
		try("too long inside", encryptFor(t, key, strings.Repeat("x", 1025)), 422, keyInvalid),
		try("another kid", encryptFor(t, stranger, demoPassword), 422, keyInvalid),
		try("altered", good[:len(good)-8]+"AAAAAAAA", 422, keyInvalid),
		{Name: "beside a missing name", Path: "/user/login", Header: deviceOf("a"), Body: `{"username":"","password":"` + jwe + `"}`, Status: 422,
			Want: memberProblem("username", "This is required.")},
	})
	s.Run(t, []apitest.Scenario{forgot("a", "siti@demo.test")})
	code := s.Log.Code(t, "siti@demo.test", 1)
	s.Run(t, []apitest.Scenario{
		reset("weak inside", "a", "{{a.reset}}", code, encryptFor(t, key, "short"), 422, problemBody(422, "PASSWORD_WEAK", "Password too weak",
			"Choose a password of 8 to 128 characters that is hard to guess.",
			faultList("PASSWORD_WEAK", "password", "Choose a password of 8 to 128 characters that is hard to guess."), `{"max":128,"min":8,"reason":"length"}`)),
		reset("encrypted", "a", "{{a.reset}}", code, encryptFor(t, key, "jauh-lebih-baik"), 200, ""),
		login("a", "siti@demo.test", "jauh-lebih-baik"),
	})
	s.SignIn(t, "admin", "admin@demo.test")
	create := func(name, password, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Path: "/graphql", Header: bearerOf("admin.access"), Want: want,
			Body: apitest.Query(`mutation($i: CreateUserInput!) { createUser(input: $i) { email } }`,
				map[string]any{"i": map[string]any{"name": "Wati", "email": "wati@demo.test", "password": password}})}
	}
	fault := `{"errors":[{"message":"<any>","path":["createUser"],"locations":"<any>","extensions":{"code":"<code>","errors":"<any>","meta":"<any>","requestId":"<any>"}}],"data":null}`
	s.Run(t, []apitest.Scenario{
		create("a new person's is broken", jwe, strings.Replace(fault, "<code>", "PASSWORD_KEY_INVALID", 1)),
		create("a new person's is weak inside", encryptFor(t, key, "short"), strings.Replace(fault, "<code>", "PASSWORD_WEAK", 1)),
		create("a new person's", encryptFor(t, key, "jauh-lebih-baik"), `{"data":{"createUser":{"email":"wati@demo.test"}}}`),
		login("a", "wati@demo.test", "jauh-lebih-baik"),
		{Name: "a changed one", Method: "PUT", Path: "/user/change-password", Header: bearerOf("admin.access"), Want: changed,
			Body: `{"oldPassword":"` + encryptFor(t, key, demoPassword) + `","newPassword":"` + encryptFor(t, key, "jauh-lebih-baik") + `"}`},
		login("a", "admin@demo.test", "jauh-lebih-baik"),
	})
}

// rotatedKeys replaces the key, by the command and twice.
func rotatedKeys(t *testing.T, s *testServer) {
	before := keySet(t, s).Keys[0]
	if _, err := s.resolver.RotatePasswordKey(t.Context(), -1); err == nil {
		t.Error("a negative overlap is taken")
	}
	kid, err := s.resolver.RotatePasswordKey(t.Context(), hour)
	if err != nil {
		t.Fatal(err)
	}
	set := keySet(t, s)
	if len(set.Keys) != 2 || set.Keys[0].KeyID != kid || set.Keys[1].KeyID != before.KeyID {
		t.Fatalf("after rotation to %s from %s: %v", kid, before.KeyID, set)
	}
	s.Run(t, []apitest.Scenario{
		login("a", "budi@demo.test", encryptFor(t, before, demoPassword)),
		login("a", "budi@demo.test", encryptFor(t, set.Keys[0], demoPassword)),
	})
	s.Clock.Advance(hour)
	if set = keySet(t, s); len(set.Keys) != 1 || set.Keys[0].KeyID != kid {
		t.Errorf("after the overlap: %v", set)
	}
	s.Run(t, []apitest.Scenario{{Name: "expired key", Path: "/user/login", Header: deviceOf("a"), Status: 422, Want: keyInvalid,
		Body: `{"username":"budi@demo.test","password":"` + encryptFor(t, before, demoPassword) + `"}`}})
}

// encryptionLimit encrypts too often from one address.
func encryptionLimit(t *testing.T, s *testServer) {
	s.Clock.Advance(hour)
	s.resolver.Limits.Encryptions = 2
	sc := apitest.Scenario{Name: "encrypt", Path: "/encrypt", Header: deviceOf("a"), Body: `{"value":"x"}`, WantHeader: head("RateLimit-Limit", "2")}
	s.Run(t, []apitest.Scenario{sc, sc})
	sc.Status, sc.Want, sc.WantHeader = 429, limitProblem(3600), head("Retry-After", "3600")
	s.Run(t, []apitest.Scenario{sc})
}

// TestFirstKey makes several servers need the first key at once, and looks that
// they agree on one, which is not kept in the clear.
func TestFirstKey(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		servers := []*testServer{newTestServer(t, database), newTestServer(t, database), newTestServer(t, database)}
		kids := make([]string, len(servers))
		var all sync.WaitGroup
		for i, s := range servers {
			all.Go(func() {
				a, err := s.ask("GET", "/encrypt", nil, "")
				var set jose.JSONWebKeySet
				if err == nil && json.Unmarshal([]byte(a.body), &set) == nil && len(set.Keys) == 1 {
					kids[i] = set.Keys[0].KeyID
				}
			})
		}
		all.Wait()
		row, err := servers[0].store.ent.PasswordKey.Query().Only(viewer.System(t.Context()))
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

// TestRotateCommand rotates the key under servers that run: all accept what is
// encrypted for the new key at once, and tell of it within five seconds.
func TestRotateCommand(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		s, other := newTestServer(t, database), newTestServer(t, database)
		before := keySet(t, s).Keys[0]
		if got := keySet(t, other).Keys[0]; got.KeyID != before.KeyID {
			t.Fatalf("another server has key %s, want %s", got.KeyID, before.KeyID)
		}
		kid := rotateKey(t, database)
		if got := keySet(t, s).Keys[0]; got.KeyID != before.KeyID {
			t.Errorf("within five seconds the key set is read again")
		}
		s.Clock.Advance(5 * second)
		set := keySet(t, s)
		if len(set.Keys) != 2 || set.Keys[0].KeyID != kid || set.Keys[1].KeyID != before.KeyID {
			t.Fatalf("key set %v, want %s and the one before", set, kid)
		}
		other.Run(t, []apitest.Scenario{register("b"), login("b", "budi@demo.test", encryptFor(t, set.Keys[0], demoPassword))})
		row, err := s.store.ent.PasswordKey.Query().Where(entkey.CurrentIsNil()).Only(viewer.System(t.Context()))
		if err != nil || row.Kid != before.KeyID || time.Until(*row.AcceptedUntil).Round(hour) != 720*hour {
			t.Errorf("the key before: %v, %v; want it accepted for 720 h", row, err)
		}
		if next := rotateKey(t, database, "--overlap", "1h"); next == kid {
			t.Error("the same key again")
		}
	})
}

// rotateKey runs the command on a database and returns the kid that it prints.
func rotateKey(t *testing.T, database string, more ...string) string {
	t.Helper()
	var out bytes.Buffer
	args := append([]string{"key", "rotate", "--database", database, "--secret-key-file", keyFile(t, database)}, more...)
	if err := run(t.Context(), args, streams{strings.NewReader(""), &out, &out}); err != nil {
		t.Fatal(err, out.String())
	}
	return strings.TrimSpace(out.String())
}

// TestLegacyPasswords sends base64 to a server that is set so.
func TestLegacyPasswords(t *testing.T) {
	s := newTestServer(t, testdb.SQLite(t), func(s *settings) { s.PasswordLegacy = "base64" })
	try := func(name, text string, status int, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Path: "/user/login", Header: deviceOf("a"), Status: status, Want: want,
			Body: fmt.Sprintf(`{"username":"budi@demo.test","password":%q}`, text)}
	}
	std, url := base64.StdEncoding.EncodeToString, base64.URLEncoding.EncodeToString
	inEnglish(s, func() {
		s.Run(t, []apitest.Scenario{register("a"),
			try("padded", std([]byte(demoPassword)), 200, ""),
			try("not padded", strings.TrimRight(std([]byte(demoPassword)), "="), 200, ""),
			try("URL alphabet", url([]byte("\xff\xfe\xfd")), 401, wrongLogin),
			try("URL alphabet, not padded", strings.TrimRight(url([]byte("\xff\xfe\xfd\xff")), "="), 401, wrongLogin),
			try("not base64", "demo-password!", 422, memberProblem("password", "This cannot be read.")),
			try("1,024 bytes", std(bytes.Repeat([]byte("x"), 1024)), 401, wrongLogin),
			try("right again", std([]byte(demoPassword)), 200, ""),
			try("a byte too long", std(bytes.Repeat([]byte("x"), 1025)), 422, memberProblem("password", "This may have at most 1024 characters.")),
			try("encrypted is never base64", encryptFor(t, keySet(t, s).Keys[0], demoPassword), 200, ""),
			try("broken JWE", jwe, 422, keyInvalid),
			forgot("a", "siti@demo.test"),
		})
		s.Run(t, []apitest.Scenario{
			reset("the policy is for what comes out", "a", "{{a.reset}}", s.Log.Code(t, "siti@demo.test", 1), std([]byte("short")), 422, ""),
			reset("set", "a", "{{a.reset}}", s.Log.Code(t, "siti@demo.test", 1), std([]byte("jauh-lebih-baik")), 200, ""),
			{Name: "and used", Path: "/user/login", Header: deviceOf("a"), Body: `{"username":"siti@demo.test","password":"` + std([]byte("jauh-lebih-baik")) + `"}`},
		})
	})
}
