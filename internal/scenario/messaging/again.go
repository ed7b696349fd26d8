package messaging

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	entMessage "workforce/ent/message"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// againScenarios invite people again, and send messages again.
func againScenarios(t *testing.T, s *harness.Server) {
	for name, email := range map[string]string{
		"admin": "admin@demo.test", "manager": "manager@demo.test", "budi": "budi@demo.test", "other": "admin@tetangga.test",
	} {
		s.SignIn(t, name, email)
		s.Vars[name] = harness.PersonID(t, s, email)
	}
	made := harness.Asks("somebody is invited", "admin",
		`mutation{createUser(input:{name:"Tamu",email:"tamu@demo.test"}){id}}`, `{"createUser":{"id":"<digits>"}}`)
	made.Save = map[string]string{"guest": "/data/createUser/id"}
	s.Run(t, []apitest.Scenario{made})
	t.Run("invitations", func(t *testing.T) { invitedAgain(t, s) })
	t.Run("messages", func(t *testing.T) { messagesAgain(t, s) })
}

// invitedAgain invites somebody again who has no password.
func invitedAgain(t *testing.T, s *harness.Server) {
	invite := func(name, who, id, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{inviteUser(id:"`+id+`"){id}}`, want)
	}
	refused := func(code, meta string) string { return harness.Refusal("inviteUser", code, meta) }
	sent(t, s, "tamu@demo.test", isSent)
	if got := nthNotice(t, s, "tamu@demo.test", 1); !strings.Contains(got, " http://wf.test/app/ ") {
		t.Errorf("the invitation does not say where: %q", got)
	}
	soon := invite("within a minute", "admin", "{{guest}}", refused("RATE_LIMITED", `{"retryAfterSeconds":60}`))
	soon.Status = 429
	s.Run(t, []apitest.Scenario{
		soon,
		invite("with a password", "admin", "{{budi}}", refused("CONFLICT", `{"conflict":"HAS_PASSWORD"}`)),
		invite("by the manager", "manager", "{{guest}}", refused("FORBIDDEN", "{}")),
		invite("by oneself", "budi", "{{budi}}", refused("FORBIDDEN", "{}")),
		invite("from another company", "other", "{{guest}}", refused("NOT_FOUND", "{}")),
		invite("nobody", "admin", "4711", refused("NOT_FOUND", "{}")),
	})
	s.Clock.Advance(2 * time.Minute)
	s.Run(t, []apitest.Scenario{
		invite("two minutes later", "admin", "{{guest}}", `{"inviteUser":{"id":"{{guest}}"}}`),
		harness.Asks("is in the audit", "admin",
			`{auditEvents(where:{action:"user.invited"}){edges{node{subjectType subjectId actor{id}}}}}`,
			`{"auditEvents":{"edges":[{"node":{"subjectType":"User","subjectId":"{{guest}}",`+
				`"actor":{"id":"{{admin}}"}}}]}}`),
	})
	harness.WantNotices(t, s, "invited", "tamu@demo.test", 2)
	s.SetActive(t, "tamu@demo.test", false)
	s.Run(t, []apitest.Scenario{
		invite("who is not active", "admin", "{{guest}}", refused("CONFLICT", `{"conflict":"STATE","state":"inactive"}`)),
	})
	s.SetActive(t, "tamu@demo.test", true)
}

// messagesAgain sends a message again that failed, and refuses a code.
func messagesAgain(t *testing.T, s *harness.Server) {
	ctx, messages := viewer.System(t.Context()), s.Store.Ent.Message
	newest := func(email string) *ent.Message {
		of := entMessage.HasUserWith(user.Email(email))
		return messages.Query().Where(of).Order(ent.Desc(entMessage.FieldID)).FirstX(ctx)
	}
	failed, code := newest("tamu@demo.test"), newest("budi@demo.test")
	messages.UpdateOneID(failed.ID).SetStatus(entMessage.StatusFailed).SetFailures(3).SetError("no address").ExecX(ctx)
	s.Vars["failed"], s.Vars["code"] = strconv.Itoa(failed.ID), strconv.Itoa(code.ID)
	again := func(name, who, id, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{sendMessageAgain(id:"`+id+`"){id kind failures error user{id}}}`, want)
	}
	refused := func(code, meta string) string { return harness.Refusal("sendMessageAgain", code, meta) }
	repeated := func(id string) string {
		return `{"sendMessageAgain":{"id":"` + id + `","kind":"invited","failures":0,"error":null,"user":{"id":"{{guest}}"}}}`
	}
	first := again("what failed", "admin", "{{failed}}", repeated("<digits>"))
	first.Save = map[string]string{"again": "/data/sendMessageAgain/id"}
	s.Run(t, []apitest.Scenario{
		again("a code", "admin", "{{code}}", refused("CONFLICT", `{"conflict":"HAS_CODE"}`)),
		again("one's own", "budi", "{{code}}", refused("FORBIDDEN", "{}")),
		again("another's", "budi", "{{failed}}", refused("NOT_FOUND", "{}")),
		again("of another company", "other", "{{failed}}", refused("NOT_FOUND", "{}")),
		again("none", "admin", "4711", refused("NOT_FOUND", "{}")),
		first,
		again("the same again", "admin", "{{failed}}", repeated("{{again}}")),
		harness.Asks("is in the audit", "admin",
			`{auditEvents(where:{action:"message.repeated"}){edges{node{subjectType subjectId after actor{id}}}}}`,
			`{"auditEvents":{"edges":[{"node":{"subjectType":"Message","subjectId":"{{failed}}","after":"<any>",`+
				`"actor":{"id":"{{admin}}"}}}]}}`),
	})
	harness.WantNotices(t, s, "invited", "tamu@demo.test", 3)
	messages.UpdateOneID(failed.ID).ClearSealedText().ExecX(ctx)
	s.Run(t, []apitest.Scenario{
		again("without its text", "admin", "{{failed}}", refused("CONFLICT", `{"conflict":"TEXT_GONE"}`)),
	})
}
