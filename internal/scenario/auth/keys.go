package auth

import (
	"strings"
	"testing"
	"time"

	"workforce/internal/app/ratelimit"

	"workforce/internal/apitest"
	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
)

// jwkPattern is what a key of the key set looks like.
const jwkPattern = `{"kty":"RSA","use":"enc","alg":"RSA-OAEP-256","kid":"<any>","n":"<any>","e":"AQAB"}`

// keyProblem is the body of PASSWORD_KEY_INVALID on a member.
func keyProblem(fields ...string) string {
	return harness.ProblemBody(422, "PASSWORD_KEY_INVALID", "Password cannot be decrypted", noKey, keyFaults(fields...), `{}`)
}

const noKey = "The password is not encrypted for a key that is in use."

// keyFaults lists the same fault of members.
func keyFaults(fields ...string) string {
	var all []string
	for _, f := range fields {
		all = append(all, f, noKey)
	}
	return harness.FaultList("PASSWORD_KEY_INVALID", all...)
}

// encryptionScenarios send encrypted passwords.
func encryptionScenarios(t *testing.T, s *harness.Server) {
	const long = "This may have at most 1024 characters."
	encrypt := func(name, body string, status int, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Path: "/encrypt", Header: harness.DeviceOf("a"), Body: body, Status: status, Want: want}
	}
	inEnglish(s, func() {
		s.Run(t, []apitest.Scenario{
			{Name: "keys", Path: "/encrypt", Want: `{"keys":[` + jwkPattern + `]}`, WantHeader: harness.Head("Content-Type", "application/json")},
			{Name: "keys through GraphQL", Path: "/graphql", Body: apitest.Query(`{ encryptionKeys { keys { kty use alg kid n e } } }`, nil),
				Want: `{"data":{"encryptionKeys":{"keys":[` + jwkPattern + `]}}}`},
			harness.Register("a"),
			{Name: "encrypt", Path: "/encrypt", Header: harness.DeviceOf("a"), Body: `{"value":"demo-password"}`, Want: `{"value":"<any>"}`,
				WantHeader: harness.Head("Cache-Control", "no-store"), Save: map[string]string{"jwe": "/value"}},
			{Name: "encrypt through GraphQL", Path: "/graphql", Header: harness.DeviceOf("a"), WantHeader: harness.Head("Cache-Control", "no-store"),
				Body: apitest.Query(`mutation { encrypt(input: {value: "x"}) { value } }`, nil), Want: `{"data":{"encrypt":{"value":"<any>"}}}`},
			harness.Login("a", "budi@demo.test", "{{jwe}}"),
			encrypt("1,024 bytes", `{"value":"`+strings.Repeat("é", 512)+`"}`, 200, `{"value":"<any>"}`),
			encrypt("a byte more", `{"value":"`+strings.Repeat("x", 1025)+`"}`, 422, harness.MemberProblem("value", long)),
			encrypt("nothing", `{"value":""}`, 422, harness.MemberProblem("value", "This is required.")),
			encrypt("no member", `{}`, 422, harness.MemberProblem("value", "This is required.")),
			{Name: "without a device", Path: "/encrypt", Body: `{"value":"x"}`, Status: 401, Want: tokenProblem("device", "missing")},
			{Name: "there is no decryption", Path: "/decrypt", Header: harness.DeviceOf("a"), Body: `{"value":"{{jwe}}"}`, Status: 404},
		})
		t.Run("passwords", func(t *testing.T) { encryptedPasswords(t, s) })
		t.Run("rotation", func(t *testing.T) { rotatedKeys(t, s) })
		t.Run("limit", func(t *testing.T) { encryptionLimit(t, s) })
	})
}

// encryptedPasswords sends them, whole and broken, in every request that has one.
func encryptedPasswords(t *testing.T, s *harness.Server) {
	key := harness.KeySet(t, s).Keys[0]
	good := harness.EncryptFor(t, key, demo.Password)
	try := func(name, jwe string, status int, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Path: "/user/login", Header: harness.DeviceOf("a"), Status: status, Want: want,
			Body: `{"username":"budi@demo.test","password":"` + jwe + `"}`}
	}
	stranger := key
	stranger.KeyID = "another"
	s.Run(t, []apitest.Scenario{
		try("right", good, 200, ""),
		try("wrong", harness.EncryptFor(t, key, "wrong"), 401, wrongLogin),
		try("nothing inside", harness.EncryptFor(t, key, ""), 401, wrongLogin),
		try("too long inside", harness.EncryptFor(t, key, strings.Repeat("x", 1025)), 422, keyInvalid),
		try("another kid", harness.EncryptFor(t, stranger, demo.Password), 422, keyInvalid),
		try("altered", good[:len(good)-8]+"AAAAAAAA", 422, keyInvalid),
		{Name: "beside a missing name", Path: "/user/login", Header: harness.DeviceOf("a"), Body: `{"username":"","password":"` + jwe + `"}`, Status: 422,
			Want: strings.Replace(harness.MemberProblem("username", "This is required."), `"}],"meta"`, `"},`+strings.Trim(keyFaults("password"), "[]")+`],"meta"`, 1)},
	})
	s.Run(t, []apitest.Scenario{harness.Forgot("a", "siti@demo.test")})
	code := s.Log.Code(t, "siti@demo.test", 1)
	s.Run(t, []apitest.Scenario{
		harness.Reset("weak inside", "a", "{{a.reset}}", code, harness.EncryptFor(t, key, "short"), 422, weakProblem("password", "length")),
		harness.Reset("encrypted", "a", "{{a.reset}}", code, harness.EncryptFor(t, key, "jauh-lebih-baik"), 200, ""),
		harness.Login("a", "siti@demo.test", "jauh-lebih-baik"),
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
		create("a new person's is weak inside", harness.EncryptFor(t, key, "short"), strings.Replace(fault, "<code>", "PASSWORD_WEAK", 1)),
		create("a new person's", harness.EncryptFor(t, key, "jauh-lebih-baik"), `{"data":{"createUser":{"email":"wati@demo.test"}}}`),
		harness.Login("a", "wati@demo.test", "jauh-lebih-baik"),
		{Name: "a changed one", Method: "PUT", Path: "/user/change-password", Header: bearerOf("admin.access"), Want: changed,
			Body: `{"oldPassword":"` + harness.EncryptFor(t, key, demo.Password) + `","newPassword":"` + harness.EncryptFor(t, key, "jauh-lebih-baik") + `"}`},
		harness.Login("a", "admin@demo.test", "jauh-lebih-baik"),
	})
}

// rotatedKeys replaces the key, by the command and twice.
func rotatedKeys(t *testing.T, s *harness.Server) {
	before := harness.KeySet(t, s).Keys[0]
	if _, err := s.Services.Auth.Passwords.Keys.Rotate(t.Context(), -1); err == nil {
		t.Error("a negative overlap is taken")
	}
	kid, err := s.Services.Auth.Passwords.Keys.Rotate(t.Context(), time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	set := harness.KeySet(t, s)
	if len(set.Keys) != 2 || set.Keys[0].KeyID != kid || set.Keys[1].KeyID != before.KeyID {
		t.Fatalf("after rotation to %s from %s: %v", kid, before.KeyID, set)
	}
	s.Run(t, []apitest.Scenario{
		harness.Login("a", "budi@demo.test", harness.EncryptFor(t, before, demo.Password)),
		harness.Login("a", "budi@demo.test", harness.EncryptFor(t, set.Keys[0], demo.Password)),
	})
	s.Clock.Advance(time.Hour)
	if set = harness.KeySet(t, s); len(set.Keys) != 1 || set.Keys[0].KeyID != kid {
		t.Errorf("after the overlap: %v", set)
	}
	s.Run(t, []apitest.Scenario{{Name: "expired key", Path: "/user/login", Header: harness.DeviceOf("a"), Status: 422, Want: keyInvalid,
		Body: `{"username":"budi@demo.test","password":"` + harness.EncryptFor(t, before, demo.Password) + `"}`}})
}

// encryptionLimit encrypts too often from one address.
func encryptionLimit(t *testing.T, s *harness.Server) {
	s.Clock.Advance(time.Hour)
	s.Services.Limiter.Limits[ratelimit.Encryption] = 2
	sc := apitest.Scenario{Name: "encrypt", Path: "/encrypt", Header: harness.DeviceOf("a"), Body: `{"value":"x"}`, WantHeader: harness.Head("RateLimit-Limit", "2")}
	s.Run(t, []apitest.Scenario{sc, sc})
	sc.Status, sc.Want, sc.WantHeader = 429, limitProblem(3600), harness.Head("Retry-After", "3600")
	s.Run(t, []apitest.Scenario{sc})
}
