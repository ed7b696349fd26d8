package auth

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"workforce/internal/apitest"
	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// changeTo changes a password with an access token.
func changeTo(name, access, before, after string, status int, want string) apitest.Scenario {
	return apitest.Scenario{
		Name: name, Method: "PUT", Path: "/user/change-password", Header: bearerOf(access), Status: status, Want: want,
		Body: fmt.Sprintf(`{"oldPassword":%q,"newPassword":%q}`, before, after),
	}
}

// weakProblem is the body of PASSWORD_WEAK on a member.
func weakProblem(field, reason string) string {
	detail := map[string]string{
		"length":   "Choose a password of 8 to 128 characters.",
		"personal": "Choose a password that is not made of your name, e-mail address, phone number or company.",
		"common":   "This is one of the most common passwords; choose another.",
		"reused":   "This is one of your last 5 passwords; choose another.",
	}[reason]
	return harness.ProblemBody(422, "PASSWORD_WEAK", "Password too weak", detail, harness.FaultList("PASSWORD_WEAK", field, detail),
		`{"max":128,"min":8,"reason":"`+reason+`"}`)
}

const changed = `{"changed":true}`

// changeScenarios change passwords.
func changeScenarios(t *testing.T, s *harness.Server) {
	const mail = "budi@demo.test"
	s.SignIn(t, "a", mail)
	s.Clock.Advance(time.Minute)
	s.SignIn(t, "b", mail)
	inEnglish(s, func() {
		t.Run("refusals", func(t *testing.T) { changeRefusals(t, s) })
		s.Run(t, []apitest.Scenario{
			changeTo("right", "a.access", demo.Password, "kata-sandi-baru", 200, changed),
			{Name: "this session goes on", Path: "/user/profile", Header: bearerOf("a.access")},
			{Name: "its user token does not", Path: "/authorize/access-token", Header: bearerOf("a.user"), Status: 401, Want: tokenProblem("user", "revoked")},
			{Name: "its refresh token does", Path: "/authorize/refresh-token", Header: bearerOf("a.refresh"), Want: harness.FreshPair},
			profileAs("the other ended", "{{b.access}}", 401, "revoked"),
			refreshFails("with its refresh token", "{{b.refresh}}", "revoked"),
			{Name: "the old password is dead", Path: "/user/login", Header: harness.DeviceOf("a"), Status: 401, Want: wrongLogin,
				Body: `{"username":"budi@demo.test","password":"demo-password"}`},
			{Name: "devices stay trusted", Path: "/user/login", Header: harness.DeviceOf("b"),
				Body: `{"username":"budi@demo.test","password":"kata-sandi-baru"}`,
				Want: `{"userToken":"<token wfu>","verified":true,"verification":null,"user":"<any>"}`},
		})
		harness.WantNotices(t, s, "password_changed", mail, 1)
		t.Run("the last five", func(t *testing.T) { formerPasswords(t, s) })
		t.Run("guesses", func(t *testing.T) { changeGuesses(t, s) })
		t.Run("at once", func(t *testing.T) { changesAtOnce(t, s) })
	})
}

func changeRefusals(t *testing.T, s *harness.Server) {
	const required, long = "This is required.", "This may have at most 1024 characters."
	over := strings.Repeat("p", 1025)
	wrong := harness.MemberProblem("oldPassword", "This is wrong.")
	query := func(before string) string {
		return apitest.Query(`mutation($i: ChangePasswordInput!) { changePassword(input: $i) { changed } }`,
			map[string]any{"i": map[string]any{"oldPassword": before, "newPassword": "kata-sandi-baru"}})
	}
	s.Run(t, []apitest.Scenario{
		{Name: "nothing", Method: "PUT", Path: "/user/change-password", Header: bearerOf("a.access"), Body: `{}`, Status: 422,
			Want: harness.MemberProblem("oldPassword", required, "newPassword", required)},
		changeTo("empty text", "a.access", "", "", 422, harness.MemberProblem("oldPassword", required, "newPassword", required)),
		changeTo("too long", "a.access", over, over, 422, harness.MemberProblem("oldPassword", long, "newPassword", long)),
		changeTo("old one in the form of a JWE", "a.access", jwe, "kata-sandi-baru", 422, keyProblem("oldPassword")),
		changeTo("both in the form of a JWE", "a.access", jwe, jwe, 422, keyProblem("oldPassword", "newPassword")),
		changeTo("one in the form of a JWE, one missing", "a.access", jwe, "", 422, harness.ProblemBody(422, "VALIDATION_FAILED", "Invalid input",
			"Some of what was sent is missing or wrong; see errors.", "["+strings.Trim(keyFaults("oldPassword"), "[]")+","+strings.Trim(harness.FaultList("VALIDATION_FAILED", "newPassword", required), "[]")+"]", `{}`)),
		changeTo("new one in the form of a JWE", "a.access", demo.Password, jwe, 422, keyProblem("newPassword")),
		changeTo("wrong", "a.access", "wrong", "kata-sandi-baru", 422, wrong),
		changeTo("wrong, and the new one is weak", "a.access", "wrong", "x", 422, wrong),
		changeTo("short", "a.access", demo.Password, "short-1", 422, weakProblem("newPassword", "length")),
		changeTo("long", "a.access", demo.Password, strings.Repeat("p", 129), 422, weakProblem("newPassword", "length")),
		changeTo("own name", "a.access", demo.Password, "Budi Santoso", 422, weakProblem("newPassword", "personal")),
		changeTo("own name without the space", "a.access", demo.Password, "BudiSantoso", 422, weakProblem("newPassword", "personal")),
		changeTo("common", "a.access", demo.Password, "Password123", 422, weakProblem("newPassword", "common")),
		changeTo("the same again", "a.access", demo.Password, demo.Password, 422, weakProblem("newPassword", "reused")),
		{Name: "through GraphQL", Path: "/graphql", Header: bearerOf("a.access"), Body: query("wrong"),
			Want: `{"errors":[{"message":"Some of what was sent is missing or wrong; see errors.","path":["changePassword"],"locations":"<any>","extensions":{"code":"VALIDATION_FAILED","errors":[{"field":"oldPassword","code":"VALIDATION_FAILED","detail":"This is wrong."}],"meta":{},"requestId":"<any>"}}],"data":null}`},
		{Name: "without a token", Method: "PUT", Path: "/user/change-password", Status: 401, Want: tokenProblem("access", "missing"),
			Body: `{"oldPassword":"a","newPassword":"b"}`},
		{Name: "in Indonesian", Method: "PUT", Path: "/user/change-password", Status: 422,
			Header: harness.Head("Authorization", "Bearer {{a.access}}", "X-Language", "id"), Body: `{"oldPassword":"demo-password","newPassword":"x"}`,
			Want: harness.ProblemBody(422, "PASSWORD_WEAK", "Kata sandi terlalu lemah", "Pilih kata sandi 8 sampai 128 karakter.",
				harness.FaultList("PASSWORD_WEAK", "newPassword", "Pilih kata sandi 8 sampai 128 karakter."), `{"max":128,"min":8,"reason":"length"}`)},
		harness.Login("b", "budi@demo.test", demo.Password),
		{Name: "all were refused, so both sessions live", Path: "/user/profile", Header: bearerOf("b.access")},
	})
}

// formerPasswords goes round in passwords: the sixth before is free again.
func formerPasswords(t *testing.T, s *harness.Server) {
	had := []string{demo.Password, "kata-sandi-baru"}
	for i := range 4 {
		for _, old := range had {
			s.Run(t, []apitest.Scenario{changeTo("reused: "+old, "a.access", had[len(had)-1], old, 422, weakProblem("newPassword", "reused"))})
		}
		next := fmt.Sprint("kata-sandi-", i)
		s.Run(t, []apitest.Scenario{changeTo(next, "a.access", had[len(had)-1], next, 200, changed)})
		had = append(had, next)
	}
	s.Run(t, []apitest.Scenario{changeTo("the sixth before", "a.access", "kata-sandi-3", demo.Password, 200, changed)})
	n, err := s.Store.Ent.FormerPassword.Query().Count(viewer.System(t.Context()))
	if err != nil || n != 4 {
		t.Errorf("%d former passwords are kept, %v; want 4", n, err)
	}
	s.Clock.Advance(time.Minute)
	sent := len(s.Log.Messages("budi@demo.test"))
	s.Run(t, []apitest.Scenario{harness.Forgot("a", "budi@demo.test")})
	code := s.Log.Code(t, "budi@demo.test", sent+1)
	s.Run(t, []apitest.Scenario{harness.Reset("a reset knows them too", "a", "{{a.reset}}", code, "kata-sandi-2", 422, weakProblem("password", "reused"))})
	harness.WantNotices(t, s, "password_changed", "budi@demo.test", 6)
}

// changeGuesses guesses the old password: that slows down as signing in does.
func changeGuesses(t *testing.T, s *harness.Server) {
	s.Clock.Advance(time.Hour)
	s.SignIn(t, "c", "siti@demo.test")
	wrong := changeTo("wrong", "c.access", "wrong", "kata-sandi-baru", 422, harness.MemberProblem("oldPassword", "This is wrong."))
	s.Run(t, []apitest.Scenario{
		wrong, wrong, wrong, wrong,
		changeTo("right, too soon", "c.access", demo.Password, "kata-sandi-baru", 429, limitProblem(4)),
		{Name: "nor can the device sign in", Path: "/user/login", Header: harness.DeviceOf("c"), Status: 429, Want: limitProblem(8),
			Body: `{"username":"siti@demo.test","password":"demo-password"}`},
	})
	s.Clock.Advance(8 * time.Second)
	s.Run(t, []apitest.Scenario{changeTo("in time", "c.access", demo.Password, "kata-sandi-baru", 200, changed)})
}

// changesAtOnce changes one password many times at once: one wins.
func changesAtOnce(t *testing.T, s *harness.Server) {
	s.SignIn(t, "d", "maya@demo.test")
	header := harness.Head("Authorization", "Bearer "+s.Vars["d.access"], "Content-Type", "application/json", "X-Req-Id", "one")
	answers := s.AskAtOnce(t, 4, "PUT", "/user/change-password", header, `{"oldPassword":"demo-password","newPassword":"kata-sandi-baru"}`)
	if got := harness.Statuses(answers); got[200] != 1 {
		t.Errorf("one change 4 times at once: %v", answers)
	}
	s.Run(t, []apitest.Scenario{harness.Login("d", "maya@demo.test", "kata-sandi-baru")})
	harness.WantNotices(t, s, "password_changed", "maya@demo.test", 1)
}
