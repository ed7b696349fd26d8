package auth

import (
	"cmp"
	"fmt"
	"strings"
	"testing"
	"time"

	"workforce/internal/app/ratelimit"

	"workforce/ent/auditevent"
	"workforce/ent/onetimecode"
	"workforce/internal/apitest"
	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// loginScenarios sign in by every form of a name, and fail to.
func loginScenarios(t *testing.T, s *harness.Server) {
	wanting := func(sc apitest.Scenario, want string) apitest.Scenario {
		sc.Want = want
		return sc
	}
	mail := harness.Unverified("email", "b***@demo.test", 600, budiWith("[]"))
	sms := harness.Unverified("sms", "+62***003", 300, budiWith("[]"))
	s.Run(t, []apitest.Scenario{
		harness.Register("a"), harness.Register("b"), harness.Register("c"), harness.Register("d"),
		wanting(harness.Login("a", "budi@demo.test", demo.Password), mail),
		wanting(harness.Login("a", "BUDI@Demo.Test", demo.Password), mail),
		wanting(harness.Login("b", "+628401100003", demo.Password), sms),
		wanting(harness.Login("b", "08401100003", demo.Password), sms),
		wanting(harness.Login("b", "8401100003", demo.Password), sms),
		wanting(harness.Login("b", "+62 (0)840-1100-003", demo.Password), sms),
		wanting(harness.Login("a", " budi@demo.test\\u200b", demo.Password), mail),
		wanting(harness.Login("b", "\\u202a+62 840 1100 003\\u202c", demo.Password), sms),
		wanting(harness.Login("b", "00628401100003", demo.Password), sms),
		{Name: "through GraphQL", Path: "/graphql", Header: harness.DeviceOf("c"), WantHeader: harness.Head("Cache-Control", "no-store"),
			Body: apitest.Query(`mutation($i: LoginInput!) { login(input: $i) { userToken verified verification { channel destination expiresIn } user { email } } }`,
				map[string]any{"i": map[string]any{"username": "budi@demo.test", "password": demo.Password}}),
			Want: `{"data":{"login":{"userToken":"<token wfu>","verified":false,"verification":{"channel":"email","destination":"b***@demo.test","expiresIn":600},"user":{"email":"budi@demo.test"}}}}`},
	})
	s.WantSent(t, "budi@demo.test", 2)
	s.WantSent(t, "+628401100003", 1)
	s.Run(t, loginRefusals())
	refuseAlike(t, s)
	s.SetActive(t, "budi@demo.test", false)
	s.Run(t, []apitest.Scenario{
		{Name: "a deactivated user cannot sign in", Path: "/user/login", Header: harness.DeviceOf("d"),
			Body: `{"username":"budi@demo.test","password":"demo-password"}`, Status: 401, Want: wrongLogin},
		{Name: "and their user tokens ended", Path: "/authorize/access-token", Header: harness.Head("X-User-Token", "{{a.user}}", "X-Language", "en"), Status: 401, Want: tokenProblem("user", "revoked")},
	})
	s.SetActive(t, "budi@demo.test", true)
	t.Run("trusted device", func(t *testing.T) { trustedLogin(t, s) })
	t.Run("resend gap and caps", func(t *testing.T) { codeCaps(t, s) })
	t.Run("wrong passwords slow down", func(t *testing.T) { slowGuesses(t, s) })
	t.Run("failures of an address", func(t *testing.T) { failureLimit(t, s) })
}

func loginRefusals() []apitest.Scenario {
	refused := func(name, body string, status int, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Path: "/user/login", Header: harness.DeviceOf("d"), Body: body, Status: status, Want: want}
	}
	const required = "This is required."
	return []apitest.Scenario{
		refused("nothing", `{}`, 422, harness.MemberProblem("username", required, "password", required)),
		refused("empty text", `{"username":"","password":""}`, 422, harness.MemberProblem("username", required, "password", required)),
		refused("wrong types", `{"username":[],"password":{}}`, 422, harness.MemberProblem("username", "This must be string.", "password", "This must be string.")),
		refused("not an object", `7`, 400, harness.ProblemBody(400, "BAD_REQUEST", "Bad request", "The request could not be read: it is not well formed.", `[]`, `{}`)),
		refused("wrong password", `{"username":"siti@demo.test","password":"wrong-password"}`, 401, wrongLogin),
		refused("unknown user", `{"username":"nobody@demo.test","password":"demo-password"}`, 401, wrongLogin),
		refused("a phone number that is not verified", `{"username":"+628401100004","password":"demo-password"}`, 401, wrongLogin),
		refused("neither e-mail nor phone", `{"username":"budi","password":"demo-password"}`, 401, wrongLogin),
		refused("text in the form of a JWE", `{"username":"budi@demo.test","password":"`+jwe+`"}`, 422, keyInvalid),
		refused("over 1,024 bytes", `{"username":"budi@demo.test","password":"`+strings.Repeat("é", 513)+`"}`, 422,
			harness.MemberProblem("password", "This may have at most 1024 characters.")),
		refused("1,024 bytes are read", `{"username":"ayu@demo.test","password":"`+strings.Repeat("é", 512)+`"}`, 401, wrongLogin),
		{Name: "in Indonesian", Path: "/user/login", Header: harness.Head("X-Device-Token", "{{d.device}}", "X-Language", "id-ID"), Status: 401,
			Body:       `{"username":"agus@demo.test","password":"wrong-password"}`,
			Want:       harness.ProblemBody(401, "INVALID_CREDENTIALS", "Nama pengguna atau kata sandi salah", "Nama pengguna atau kata sandi tidak cocok.", `[]`, `{}`),
			WantHeader: harness.Head("Content-Language", "id", "WWW-Authenticate", `Bearer realm="workforce"`)},
		{Name: "through GraphQL", Path: "/graphql", Header: harness.DeviceOf("d"),
			Body: apitest.Query(`mutation { login(input: {username: "dimas@demo.test", password: "wrong"}) { verified } }`, nil),
			Want: `{"errors":[{"message":"The user name or the password is wrong.","path":["login"],"locations":[{"line":1,"column":12}],"extensions":{"code":"INVALID_CREDENTIALS","errors":[],"meta":{},"requestId":"<any>"}}],"data":null}`},
		{Name: "without a device", Path: "/user/login", Body: `{"username":"budi@demo.test","password":"demo-password"}`, Status: 401, Want: tokenProblem("device", "missing")},
	}
}

// refuseAlike holds the answers to an unknown user and a wrong password against
// each other, byte by byte.
func refuseAlike(t *testing.T, s *harness.Server) {
	t.Helper()
	header := harness.Head("X-Device-Token", s.Vars["d.device"], "X-Req-Id", "same", "Content-Type", "application/json")
	unknown, err := s.Ask("POST", "/user/login", header, `{"username":"no.such@demo.test","password":"x"}`)
	if err != nil {
		t.Fatal(err)
	}
	wrong, err := s.Ask("POST", "/user/login", header, `{"username":"fitri@demo.test","password":"x"}`)
	if err != nil || unknown != wrong || wrong.Status != 401 {
		t.Errorf("unknown user: %v\nwrong password: %v, %v", unknown, wrong, err)
	}
}

// trustedLogin signs in where the device is trusted already.
func trustedLogin(t *testing.T, s *harness.Server) {
	s.SignIn(t, "trusted", "admin@demo.test")
	s.Run(t, []apitest.Scenario{
		{Name: "by phone, without a code", Path: "/user/login", Header: harness.DeviceOf("trusted"), Body: `{"username":"08401100001","password":"demo-password"}`,
			Want: `{"userToken":"<token wfu>","verified":true,"verification":null,"user":"<any>"}`, Save: map[string]string{"trusted.user": "/userToken"}},
		pairOf("trusted"),
		{Name: "another user does not trust the device", Path: "/user/login", Header: harness.DeviceOf("trusted"), Body: `{"username":"manager@demo.test","password":"demo-password"}`,
			Want: `{"userToken":"<token wfu>","verified":false,"verification":{"channel":"email","destination":"m***@demo.test","expiresIn":600},"user":"<any>"}`},
		{Name: "nor is a new device with the same name trusted", Path: "/device/register", Body: `{"deviceId":"trusted","platform":"android"}`,
			Save: map[string]string{"twin.device": "/deviceToken"}},
		{Name: "so it asks for a code", Path: "/user/login", Header: harness.DeviceOf("twin"), Body: `{"username":"admin@demo.test","password":"demo-password"}`,
			Want: harness.Unverified("email", "a***@demo.test", 600, `"<any>"`)},
	})
	s.WantSent(t, "admin@demo.test", 2)
}

// codeCaps asks for codes until there are too many.
func codeCaps(t *testing.T, s *harness.Server) {
	const mail, phone = "manager@demo.test", "+628401123789"
	s.Clock.Set(harness.Morning.Add(harness.Day))
	forgot := func(name, username string, status int, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Path: "/user/forgot-password", Header: harness.DeviceOf("caps"), Body: `{"username":"` + username + `"}`, Status: status, Want: want}
	}
	const sent = `{"id":"<digits 15>","channel":"<any>","destination":"<any>","expiresIn":"<int>"}`
	at := func(expiresIn int) apitest.Scenario {
		sc := harness.Login("caps", mail, demo.Password)
		sc.Want = harness.Unverified("email", "m***@demo.test", expiresIn, `"<any>"`)
		return sc
	}
	s.Run(t, []apitest.Scenario{harness.Register("caps"), harness.Register("other"), at(600)})
	s.Clock.Advance(59 * time.Second)
	s.Run(t, []apitest.Scenario{at(541)})
	s.Clock.Advance(time.Second)
	s.Run(t, []apitest.Scenario{at(600), forgot("a reset has a gap of its own", mail, 200, sent), forgot("which holds for resets", mail, 429, limitProblem(60))})
	s.Clock.Advance(time.Minute)
	s.Run(t, []apitest.Scenario{forgot("the fourth", mail, 200, sent)})
	s.Clock.Advance(time.Minute)
	s.Run(t, []apitest.Scenario{forgot("the fifth", mail, 200, sent)})
	s.Clock.Advance(time.Minute)
	s.Run(t, []apitest.Scenario{
		forgot("the sixth within the hour waits for the first to be an hour old", mail, 429, limitProblem(3600-240)),
		{Name: "on another device too, in Indonesian", Path: "/user/forgot-password", Header: harness.Head("X-Device-Token", "{{other.device}}", "X-Language", "id"),
			Body: `{"username":"` + mail + `"}`, Status: 429, WantHeader: harness.Head("Retry-After", "3360", "RateLimit-Limit", "5", "RateLimit-Remaining", "0", "RateLimit-Reset", "3360"),
			Want: harness.ProblemBody(429, "RATE_LIMITED", "Terlalu banyak permintaan", "Terlalu banyak permintaan; coba lagi dalam 3360 detik.", `[]`, `{"retryAfterSeconds":3360}`)},
		at(600 - 180),
		forgot("by the account's other name the answer is as ever", phone, 200, sent),
	})
	s.WantSent(t, phone, 0)
	for range 2 {
		s.Clock.Advance(time.Hour)
		for range 5 {
			s.Clock.Advance(time.Minute)
			s.Run(t, []apitest.Scenario{forgot("later", mail, 200, sent)})
		}
	}
	s.Clock.Advance(time.Hour + time.Minute)
	s.Run(t, []apitest.Scenario{
		forgot("the sixteenth within a day", mail, 429, limitProblem(int((harness.Day - s.Clock.Now().Sub(harness.Morning.Add(harness.Day))).Seconds()))),
		{Name: "Login sends nothing either, and no code is left", Path: "/user/login", Header: harness.DeviceOf("caps"), Body: `{"username":"` + mail + `","password":"demo-password"}`,
			Want: harness.Unverified("email", "m***@demo.test", 0, `"<any>"`)},
	})
	unknownCaps(t, s)
}

// unknownCaps asks for codes of accounts that do not exist, which are bounded
// alike, and of too many accounts from one address.
func unknownCaps(t *testing.T, s *harness.Server) {
	ask := func(name, username string, status int, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Path: "/user/forgot-password", Header: harness.DeviceOf("other"), Body: `{"username":"` + username + `"}`, Status: status, Want: want}
	}
	const sent = `{"id":"<digits 15>","channel":"email","destination":"n***@demo.test","expiresIn":600}`
	s.Clock.Set(harness.Morning.Add(72 * time.Hour))
	for i := range 5 {
		wait := 60
		if i == 4 { // the fifth
			wait = 3600 - 240
		}
		s.Run(t, []apitest.Scenario{ask("unknown", "nobody@demo.test", 200, sent), ask("again at once", "Nobody@demo.test", 429, limitProblem(wait))})
		s.Clock.Advance(time.Minute)
	}
	s.Run(t, []apitest.Scenario{ask("unknown, the sixth", "nobody@demo.test", 429, limitProblem(3600-300))})
	header := harness.Head("X-Device-Token", s.Vars["other.device"], "Content-Type", "application/json")
	for i := range 195 {
		got, err := s.Ask("POST", "/user/forgot-password", header, fmt.Sprintf(`{"username":"nobody%d@demo.test"}`, i))
		if err != nil || got.Status != 200 {
			t.Fatalf("code %d of the address: %v, %v", i+6, got, err)
		}
	}
	limited := ask("the 201st code of the address in the hour", "somebody@demo.test", 429, limitProblem(3300))
	limited.WantHeader = harness.Head("Retry-After", "3300", "RateLimit-Limit", "200", "RateLimit-Remaining", "0", "RateLimit-Reset", "3300")
	s.Run(t, []apitest.Scenario{limited})
}

// slowGuesses gives wrong passwords until the right one has to wait too.
func slowGuesses(t *testing.T, s *harness.Server) {
	s.Clock.Set(harness.Morning.Add(96 * time.Hour))
	for _, name := range []string{"kartika@demo.test", "nobody.at.all@demo.test", "no name"} {
		t.Run(name, func(t *testing.T) {
			try := func(password string, status int, want string) apitest.Scenario {
				return apitest.Scenario{Name: password, Path: "/user/login", Header: harness.DeviceOf("d"), Body: `{"username":"` + name + `","password":"` + password + `"}`, Status: status, Want: want}
			}
			wrong := try("wrong", 401, wrongLogin)
			s.Run(t, []apitest.Scenario{wrong, wrong, wrong, wrong, try(demo.Password, 429, limitProblem(4)), try("wrong", 429, limitProblem(8))})
			s.Clock.Advance(8 * time.Second)
			s.Run(t, []apitest.Scenario{wrong, try(demo.Password, 429, limitProblem(32))})
		})
	}
	s.Clock.Advance(32 * time.Second)
	s.Run(t, []apitest.Scenario{
		{Name: "the right one in time clears them", Path: "/user/login", Header: harness.DeviceOf("d"), Body: `{"username":"kartika@demo.test","password":"demo-password"}`},
		{Name: "so three more are free", Path: "/user/login", Header: harness.DeviceOf("d"), Body: `{"username":"kartika@demo.test","password":"wrong"}`, Status: 401},
		{Name: "and the right one is let in", Path: "/user/login", Header: harness.DeviceOf("d"), Body: `{"username":"kartika@demo.test","password":"demo-password"}`},
	})
	t.Run("guesses elsewhere do not slow a trusted device down", func(t *testing.T) {
		wrong := apitest.Scenario{Name: "wrong", Path: "/user/login", Header: harness.DeviceOf("d"), Body: `{"username":"admin@demo.test","password":"wrong"}`, Status: 401}
		s.Run(t, []apitest.Scenario{wrong, wrong, wrong, wrong})
		wrong.Status = 429
		s.Run(t, []apitest.Scenario{wrong, harness.Login("trusted", "admin@demo.test", demo.Password)})
	})
}

// failureLimit fails too often from one address.
func failureLimit(t *testing.T, s *harness.Server) {
	s.Clock.Set(harness.Morning.Add(120 * time.Hour))
	s.Services.Limiter.Limits[ratelimit.Failure] = 3
	for i := range 3 {
		s.Run(t, []apitest.Scenario{{Name: "wrong", Path: "/user/login", Header: harness.DeviceOf("d"), Body: fmt.Sprintf(`{"username":"n%d@demo.test","password":"wrong"}`, i),
			Status: 401, Want: wrongLogin, WantHeader: harness.Head("RateLimit-Limit", "3", "RateLimit-Remaining", fmt.Sprint(2-i))}})
	}
	s.Run(t, []apitest.Scenario{
		{Name: "even the right one is refused", Path: "/user/login", Header: harness.DeviceOf("d"), Body: `{"username":"gita@demo.test","password":"demo-password"}`, Status: 429,
			Want: limitProblem(3600), WantHeader: harness.Head("Retry-After", "3600", "RateLimit-Limit", "3", "RateLimit-Remaining", "0", "RateLimit-Reset", "3600")},
	})
	s.Clock.Advance(time.Hour)
	s.Run(t, []apitest.Scenario{harness.Login("d", "gita@demo.test", demo.Password)})
}

// verifyScenarios give codes, right and wrong.
func verifyScenarios(t *testing.T, s *harness.Server) {
	const mail = "budi@demo.test"
	s.Run(t, []apitest.Scenario{harness.Register("a"), harness.Register("b"), harness.Login("a", mail, demo.Password)})
	code := s.Log.Code(t, mail, 1)
	if want := code + " adalah kode masuk Workforce Anda, berlaku 10 menit. Jangan berikan kepada siapa pun."; s.Log.Messages(mail)[0] != want {
		t.Errorf("message %q, want %q", s.Log.Messages(mail)[0], want)
	}
	s.Vars["code"], s.Vars["wrong"] = code, wrongCode(code)
	noCode := harness.MemberProblem("otp", "This must look like 012345.")
	s.Run(t, []apitest.Scenario{
		{Name: "not verified yet", Path: "/authorize/access-token", Header: harness.Head("X-User-Token", "{{a.user}}", "X-Language", "en"), Status: 403,
			Want: harness.ProblemBody(403, "VERIFICATION_REQUIRED", "Verification required", "Enter the code that was sent to you first.", `[]`, `{}`)},
		{Name: "not verified yet, in Indonesian as the user speaks", Path: "/authorize/access-token", Header: harness.Head("x-User-Token", "{{a.user}}"), Status: 403,
			Want: harness.ProblemBody(403, "VERIFICATION_REQUIRED", "Perlu verifikasi", "Masukkan dahulu kode yang telah dikirim kepada Anda.", `[]`, `{}`)},
	})
	inEnglish(s, func() {
		s.Run(t, []apitest.Scenario{
			{Name: "no code", Path: "/authorize/verify", Header: harness.SessionOf("a"), Body: `{}`, Status: 422, Want: harness.MemberProblem("otp", "This is required.")},
			harness.Verify("an empty code", "a", "", 422, harness.MemberProblem("otp", "This is required.")),
			{Name: "without the user token", Path: "/authorize/verify", Header: harness.DeviceOf("a"), Body: `{"otp":"{{code}}"}`, Status: 401, Want: tokenProblem("user", "missing")},
			{Name: "without the device token", Path: "/authorize/verify", Header: harness.Head("x-User-Token", "{{a.user}}"), Body: `{"otp":"{{code}}"}`, Status: 401, Want: tokenProblem("device", "missing")},
			{Name: "with another device's token", Path: "/authorize/verify", Header: harness.Head("X-Device-Token", "{{b.device}}", "x-User-Token", "{{a.user}}"),
				Body: `{"otp":"{{code}}"}`, Status: 401, Want: tokenProblem("user", "invalid")},
			harness.Verify("wrong", "a", "{{wrong}}", 422, codeProblem("OTP_INVALID")),
			harness.Verify("not a code at all", "a", "abc", 422, noCode),
			harness.Verify("five digits", "a", "12345", 422, noCode),
			harness.Verify("with space around it", "a", " {{code}}\\n", 200, `{"verified":true}`),
			harness.Verify("again, for the answer was lost", "a", "{{code}}", 200, `{"verified":true}`),
			harness.Verify("verified already", "a", "{{wrong}}", 200, `{"verified":true}`),
			harness.Verify("verified already, not a code", "a", "abc", 200, `{"verified":true}`),
			pairOf("a"),
			harness.Login("b", mail, demo.Password),
		})
		s.Vars["first"] = s.Log.Code(t, mail, 2)
		if want := s.Vars["first"] + " is your Workforce sign-in code, valid for 10 minutes. Give it to nobody."; s.Log.Messages(mail)[1] != want {
			t.Errorf("message %q in the language asked for, want %q", s.Log.Messages(mail)[1], want)
		}
		s.Clock.Advance(time.Minute)
		s.Run(t, []apitest.Scenario{harness.Login("b", mail, demo.Password)})
		s.Vars["code"] = s.Log.Code(t, mail, 3)
		s.Vars["wrong"] = wrongCode(s.Vars["code"])
		oldCode := harness.Verify("the code before a new one", "b", "{{first}}", 422, codeProblem("OTP_INVALID"))
		if s.Vars["first"] == s.Vars["code"] { // one in a million
			oldCode = harness.Verify("wrong", "b", "{{wrong}}", 422, codeProblem("OTP_INVALID"))
		}
		wrong := harness.Verify("wrong", "b", "{{wrong}}", 422, codeProblem("OTP_INVALID"))
		s.Run(t, []apitest.Scenario{oldCode, wrong, wrong, wrong, wrong,
			harness.Verify("right after five wrong", "b", "{{code}}", 422, codeProblem("OTP_EXHAUSTED")),
			harness.Verify("wrong after five wrong", "b", "{{wrong}}", 422, codeProblem("OTP_EXHAUSTED"))})
		s.Clock.Advance(time.Minute)
		s.Run(t, []apitest.Scenario{harness.Login("b", mail, demo.Password)})
		s.Vars["code"] = s.Log.Code(t, mail, 4)
		s.Clock.Advance(10*time.Minute - 1000)
		s.Run(t, []apitest.Scenario{harness.Verify("in the last moment, wrong", "b", wrongCode(s.Vars["code"]), 422, codeProblem("OTP_INVALID"))})
		s.Clock.Advance(1000)
		s.Run(t, []apitest.Scenario{harness.Verify("expired", "b", "{{code}}", 422, codeProblem("OTP_EXPIRED"))})
	})
	t.Run("codes of others", func(t *testing.T) { inEnglish(s, func() { foreignCodes(t, s) }) })
	t.Run("many at once", func(t *testing.T) { codesAtOnce(t, s) })
}

// foreignCodes gives codes of another device, user and purpose.
func foreignCodes(t *testing.T, s *harness.Server) {
	s.Clock.Set(harness.Morning.Add(harness.Day))
	s.Run(t, []apitest.Scenario{
		harness.Register("e"), harness.Register("f"), harness.Login("e", "dimas@demo.test", demo.Password), harness.Login("f", "maya@demo.test", demo.Password),
		{Name: "a reset", Path: "/user/forgot-password", Header: harness.DeviceOf("e"), Body: `{"username":"dimas@demo.test"}`, Save: map[string]string{"reset": "/id"}},
	})
	login1, reset, other := s.Log.Code(t, "dimas@demo.test", 1), s.Log.Code(t, "dimas@demo.test", 2), s.Log.Code(t, "maya@demo.test", 1)
	if login1 == reset || login1 == other {
		return // by chance, one time in half a million
	}
	if !strings.HasSuffix(s.Log.Messages("maya@demo.test")[0], " is your Workforce sign-in code, valid for 10 minutes. Give it to nobody.") {
		t.Errorf("message to somebody who speaks English: %q", s.Log.Messages("maya@demo.test")[0])
	}
	s.Run(t, []apitest.Scenario{
		harness.Verify("that of another user and device", "e", other, 422, codeProblem("OTP_INVALID")),
		harness.Verify("that of a reset", "e", reset, 422, codeProblem("OTP_INVALID")),
		{Name: "that of a sign-in for a reset", Path: "/user/reset-password", Header: harness.DeviceOf("e"), Status: 422,
			Body: `{"id":"{{reset}}","otp":"` + login1 + `","password":"another-password"}`, Want: codeProblem("OTP_INVALID")},
		{Name: "its own, as a number", Path: "/authorize/verify", Header: harness.SessionOf("e"), Body: `{"otp":` + numberOf(login1) + `}`, Want: `{"verified":true}`},
		{Name: "a number through GraphQL", Path: "/graphql", Header: harness.SessionOf("f"), Want: `{"data":{"verify":{"verified":true}}}`,
			Body: `{"query":"mutation($i: VerifyInput!) { verify(input: $i) { verified } }","variables":{"i":{"otp":` + numberOf(other) + `}}}`},
	})
}

// numberOf returns a code as a JSON number.
func numberOf(code string) string { return cmp.Or(strings.TrimLeft(code, "0"), "0") }

// codesAtOnce gives 200 wrong codes at once, then 200 right ones.
func codesAtOnce(t *testing.T, s *harness.Server) {
	s.Clock.Set(harness.Morning.Add(48 * time.Hour))
	const mail = "admin@demo.test"
	s.Run(t, []apitest.Scenario{harness.Register("g"), harness.Login("g", mail, demo.Password)})
	header := func() map[string]string {
		return harness.Head("X-Device-Token", s.Vars["g.device"], "X-User-Token", s.Vars["g.user"], "Content-Type", "application/json", "X-Language", "en")
	}
	code := s.Log.Code(t, mail, 1)
	answers := s.AskAtOnce(t, 200, "POST", "/authorize/verify", header(), `{"otp":"`+wrongCode(code)+`"}`)
	looked := 0
	for _, a := range answers {
		if strings.Contains(a.Body, `"OTP_INVALID"`) {
			looked++
		} else if !strings.Contains(a.Body, `"OTP_EXHAUSTED"`) {
			t.Errorf("answer %v", a)
		}
	}
	row, err := s.Store.Ent.OneTimeCode.Query().Where(onetimecode.LiveNotNil(), onetimecode.CreatedAt(s.Clock.Now())).Only(viewer.System(t.Context()))
	if err != nil || row.Attempts != 5 || looked != 5 {
		t.Errorf("of 200 wrong codes %d were looked at and %v counted, %v; want 5", looked, row, err)
	}
	s.Clock.Advance(time.Minute)
	s.Run(t, []apitest.Scenario{harness.Login("g", mail, demo.Password)})
	answers = s.AskAtOnce(t, 200, "POST", "/authorize/verify", header(), `{"otp":"`+s.Log.Code(t, mail, 2)+`"}`)
	if got := harness.Statuses(answers); got[200] != 200 {
		t.Errorf("200 right codes at once: %v, want all verified", got)
	}
	trusted, err := s.Store.Ent.AuditEvent.Query().Where(auditevent.Action("login.verified"), auditevent.AtGTE(s.Clock.Now())).Count(viewer.System(t.Context()))
	if err != nil || trusted != 1 {
		t.Errorf("the code was used %d times, %v", trusted, err)
	}
}

// signInScenarios sign somebody in, step by step.
func signInScenarios(t *testing.T, s *harness.Server) {
	s.SignIn(t, "budi", "budi@demo.test")
	s.Run(t, []apitest.Scenario{
		{Name: "profile", Path: "/user/profile", Header: map[string]string{"Authorization": "Bearer {{budi.access}}"}, Status: 200,
			Want: `{"name":"Budi Santoso","email":"budi@demo.test","image":"images/avatar.png","mobileNumber":{"country_code":62,"number":"08401100003"},"gender":"male","salutaion":null,"locale":"id","designations":[{"id":"<digits>","name":"Staf Operasional"}],"faceLandmark":[]}`},
	})
}
