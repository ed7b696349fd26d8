package auth

import (
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/auditevent"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/app/audit"
	"workforce/internal/demo"
	"workforce/internal/errs"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// recovers uses a link on a device; want is the answer, or the error's message and extensions.
func recovers(name, device, token, password, want string) apitest.Scenario {
	if !strings.HasPrefix(want, `{"data"`) {
		message, extensions, _ := strings.Cut(want, "|")
		want = `{"errors":[{"message":"` + message + `","path":["recoverAccount"],"locations":"<any>","extensions":{` +
			extensions + `,"requestId":"<any>"}}],"data":null}`
	}
	document := `mutation($i: RecoverAccountInput!) { recoverAccount(input: $i) { recovered } }`
	return apitest.Scenario{
		Name: name, Path: "/graphql", Header: harness.DeviceOf(device), Want: want,
		Body: apitest.Query(document, map[string]any{"i": map[string]string{"token": token, "password": password}}),
	}
}

const recovered = `{"data":{"recoverAccount":{"recovered":true}}}`

// gone is what is said of every link that is not valid, whatever the reason.
var gone = errs.ProblemOf(errs.New(errs.NotFound, nil), "en").Detail + `|"code":"NOT_FOUND","errors":[],"meta":{}`

// recoveryScenarios use links of the operator.
func recoveryScenarios(t *testing.T, s *harness.Server) {
	s.SignIn(t, "a", "budi@demo.test")
	inEnglish(s, func() {
		s.Run(t, []apitest.Scenario{harness.Register("b"), harness.Register("c")})
		t.Run("use", func(t *testing.T) { recoveryUse(t, s) })
		t.Run("bounds", func(t *testing.T) { recoveryBounds(t, s) })
	})
	token := s.NewRecovery(t, "siti@demo.test")
	weak := recovers("a weak password, in Indonesian", "b", token, "short", tooWeak("id", "length"))
	weak.Header["X-Language"] = "id"
	s.Run(t, []apitest.Scenario{weak})
}

// tooWeak is what is said of a weak password, at its field.
func tooWeak(language, reason string) string {
	refused := errs.Field(errs.PasswordWeak, "password", errs.Meta{"min": 8, "max": 128, "reason": reason})
	detail := errs.ProblemOf(refused, language).Detail
	return detail + `|"code":"PASSWORD_WEAK","errors":[{"field":"password","code":"PASSWORD_WEAK","detail":"` + detail +
		`"}],"meta":{"max":128,"min":8,"reason":"` + reason + `"}`
}

// recoveryUse sets Budi's password by a link on a browser.
func recoveryUse(t *testing.T, s *harness.Server) {
	const mail = "budi@demo.test"
	token := s.NewRecovery(t, mail)
	required := func(field string) string {
		return `Some of what was sent is missing or wrong; see errors.|"code":"VALIDATION_FAILED","errors":[{"field":"` +
			field + `","code":"VALIDATION_FAILED","detail":"This is required."}],"meta":{}`
	}
	s.Run(t, []apitest.Scenario{
		recovers("no token", "b", "", "kuda-terbang-42", required("token")),
		recovers("no password", "b", token, "", required("password")),
	})
	for weak, reason := range map[string]string{
		"short": "length", "12345678": "common", "Budi Santoso": "personal", demo.Password: "reused",
	} {
		s.Run(t, []apitest.Scenario{recovers("weak: "+weak, "b", token, weak, tooWeak("en", reason))})
	}
	without := recovers("without a device", "b", token, "kuda-terbang-42",
		`A valid device token is needed.|"code":"UNAUTHENTICATED","errors":[],"meta":{"reason":"missing","token":"device"}`)
	without.Header = nil
	without.Want = strings.Replace(without.Want, `"locations":"<any>",`, "", 1)
	s.Run(t, []apitest.Scenario{
		without,
		{Name: "the session goes on", Path: "/user/profile", Header: bearerOf("a.access"), Status: 200},
		recovers("the link", "b", token, "kuda-terbang-42", recovered),
		recovers("once", "b", token, "kuda-terbang-43", gone),
		profileAs("every session ended", "{{a.access}}", 401, "revoked"),
		refreshFails("with its refresh token", "{{a.refresh}}", "revoked"),
		guessAt("a", mail, demo.Password, 401, wrongLogin),
		guessAt("b", mail, "kuda-terbang-42", 200,
			`{"userToken":"<token wfu>","verified":true,"verification":null,"user":"<any>"}`), // that browser is trusted
		guessAt("c", mail, "kuda-terbang-42", 200,
			`{"userToken":"<token wfu>","verified":false,"verification":"<any>","user":"<any>"}`),
	})
	ctx := viewer.System(t.Context())
	budi := s.Store.Ent.User.Query().Where(user.EmailKey(mail)).OnlyX(ctx)
	events := s.Store.Ent.AuditEvent.Query().
		Where(auditevent.SubjectID(budi.ID), auditevent.ActionIn(audit.RecoveryMade, audit.PasswordRecovered)).
		Order(ent.Asc(auditevent.FieldID)).AllX(ctx)
	if len(events) != 2 || events[0].ActorID != nil || !strings.Contains(*events[0].After, `"by":"operator"`) ||
		events[1].ActorID == nil || *events[1].ActorID != budi.ID {
		t.Errorf("audit %v", events)
	}
	if strings.Contains(s.Log.Lines(), token) {
		t.Error("the token is in the log")
	}
}

// recoveryBounds tries links that are not valid: all get the same answer.
func recoveryBounds(t *testing.T, s *harness.Server) {
	const mail = "siti@demo.test"
	s.Run(t, []apitest.Scenario{recovers("unknown", "b", strings.Repeat("A", 43), "kuda-terbang-42", gone)})
	first := s.NewRecovery(t, mail)
	second := s.NewRecovery(t, mail)
	s.Run(t, []apitest.Scenario{recovers("before a newer one", "b", first, "kuda-terbang-42", gone)})
	s.Clock.Advance(24 * time.Hour)
	s.Run(t, []apitest.Scenario{recovers("expired", "b", second, "kuda-terbang-42", gone)})
	third := s.NewRecovery(t, "maya@demo.test")
	s.SetActive(t, "maya@demo.test", false)
	s.Run(t, []apitest.Scenario{recovers("of somebody deactivated meanwhile", "b", third, "kuda-terbang-42", gone)})
	last := s.NewRecovery(t, mail)
	request := recovers("at once", "b", last, "kuda-terbang-44", "")
	header := harness.Head("X-Device-Token", s.Vars["b.device"], "Content-Type", "application/json")
	answers := s.AskAtOnce(t, 10, "POST", "/graphql", header, request.Body)
	right := 0
	for _, a := range answers {
		if strings.Contains(string(a.Body), recovered[1:len(recovered)-1]) {
			right++
		}
	}
	if right != 1 {
		t.Errorf("one link 10 times at once: %d successes", right)
	}
}
