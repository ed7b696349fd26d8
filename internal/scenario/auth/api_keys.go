package auth

import (
	"testing"
	"time"

	"workforce/ent/auditevent"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// Requests of tokens of a widget.
const (
	ofTasks  = `mutation { createWidgetToken(input: {widget: tasks, origin: "` + intranet + `"`
	ofNobody = ofTasks + `}) { token } }`
	ofBudi   = ofTasks + `, userId: "{{budi.id}}"}) { token } }`
	ofOwner  = ofTasks + `, userId: "{{owner.id}}"}) { token } }`
)

// makesKey makes an API key and saves its text and id under a name.
func makesKey(who, save, input string) apitest.Scenario {
	document := `mutation { createApiKey(input: {name: "` + save + `", ` + input + `}) { token apiKey { id name } } }`
	made := harness.Asks(who+" makes "+save, who, document,
		`{"createApiKey":{"token":"<token wfk>","apiKey":{"id":"<digits>","name":"`+save+`"}}}`)
	made.Save = map[string]string{save: "/data/createApiKey/token", save + ".id": "/data/createApiKey/apiKey/id"}
	made.WantHeader = map[string]string{"Cache-Control": "no-store"}
	return made
}

// refusesKey is a key that is not made.
func refusesKey(name, who, input, want string) apitest.Scenario {
	return harness.Asks(name, who, `mutation { createApiKey(input: {`+input+`}) { token } }`, want)
}

// withKey asks GraphQL with a key that was saved under a name.
func withKey(name, key, document, want string) apitest.Scenario {
	asked := harness.Asks(name, "budi", document, want)
	asked.Header = harness.Head("Authorization", "Bearer {{"+key+"}}", "X-Language", "en")
	return asked
}

// apiKeys has programs call both APIs with keys.
func apiKeys(t *testing.T, s *harness.Server) {
	for name, email := range map[string]string{"owner": "admin@demo.test", "ratna": "manager@demo.test",
		"budi": "budi@demo.test"} {
		s.SignIn(t, name, email)
	}
	s.Vars["owner.id"], s.Vars["budi.id"] = harness.PersonID(t, s, "admin@demo.test"), harness.PersonID(t, s,
		"budi@demo.test")
	inEnglish(s, func() {
		t.Run("made", func(t *testing.T) { keysMade(t, s) })
		t.Run("used", func(t *testing.T) { keysUsed(t, s) })
		t.Run("refused", func(t *testing.T) { keysRefused(t, s) })
		t.Run("of people", func(t *testing.T) { keysOfPeople(t, s) })
		t.Run("for widgets", func(t *testing.T) { keysForWidgets(t, s) })
		t.Run("ended", func(t *testing.T) { keysEnd(t, s) })
	})
}

func keysMade(t *testing.T, s *harness.Server) {
	forbidden := harness.Refusal("createApiKey", "FORBIDDEN", `{}`)
	s.Run(t, []apitest.Scenario{
		makesKey("owner", "payroll",
			`permissions: ["user.read.all", "attendance.read.all", "task.write.all", "task.read.all"]`),
		makesKey("owner", "desk", `permissions: ["leave.read.all", "ticket.read.all", "ticket.write.all"]`),
		makesKey("owner", "people", `permissions: ["user.read.all", "user.write.all"]`),
		makesKey("owner", "site", `permissions: ["widget.create"]`),
		refusesKey("by a manager", "ratna", `name: "x", permissions: ["user.read.all"]`, forbidden),
		refusesKey("by an employee", "budi", `name: "x", permissions: ["user.read.all"]`, forbidden),
		refusesKey("without a name", "owner", `name: " ", permissions: ["user.read.all"]`,
			harness.Refusal("createApiKey", "VALIDATION_FAILED", `{}`, "name", harness.Required)),
		refusesKey("for nothing", "owner", `name: "x", permissions: []`,
			harness.Refusal("createApiKey", "VALIDATION_FAILED", `{}`, "permissions", harness.Required)),
		withKey("by a key", "payroll",
			`mutation { createApiKey(input: {name: "x", permissions: ["user.read.all"]}) { token } }`, forbidden),
	})
	for _, p := range []string{"user.read.own", "attendance.read.team", "company.write.all", "developer.read.all",
		"session.read.all",
		"device.write.all", "role.write.all", "user.read", "nothing.read.all", ""} {
		s.Run(t, []apitest.Scenario{refusesKey("for "+p, "owner", `name: "x", permissions: ["`+p+`"]`,
			harness.Refusal("createApiKey", "VALIDATION_FAILED", `{}`, "permissions", "<any>"))})
	}
}

func keysUsed(t *testing.T, s *harness.Server) {
	bearer := harness.Head("Authorization", "Bearer {{payroll}}")
	task := withKey("a task", "payroll",
		`mutation { saveTask(input: {title: "by a key", assigneeIds: ["{{budi.id}}"]}) { id title } }`,
		`{"saveTask":{"id":"<digits>","title":"by a key"}}`)
	task.Save = map[string]string{"key.task": "/data/saveTask/id"}
	s.Run(t, []apitest.Scenario{
		{Name: "REST", Path: "/user", Header: bearer},
		withKey("GraphQL", "payroll", `{ users(first: 1) { edges { node { name } } } }`,
			`{"users":{"edges":[{"node":{"name":"<any>"}}]}}`),
		withKey("a task of nobody", "payroll", `mutation { saveTask(input: {title: "by a key"}) { title } }`,
			harness.Refusal("saveTask", "VALIDATION_FAILED", `{}`, "assigneeIds", harness.Required)),
		task,
		withKey("a mention of an owner", "payroll",
			`mutation { createTaskComment(input: {taskId: "{{key.task}}", text: "x", mentionIds: ["{{owner.id}}"]}) { id } }`,
			harness.Refusal("createTaskComment", "NOT_FOUND", `{}`, "mentionIds", harness.Nothing)),
		{Name: "in the header of access tokens", Path: "/user", Header: harness.Head("x-Access-Token", "{{payroll}}"),
			Status: 401},
		harness.Asks("what is known of its use", "owner", `{ apiKeys(first: 1) { edges { node { name lastAddress } } } }`,
			`{"apiKeys":{"edges":[{"node":{"name":"<any>","lastAddress":"<any>"}}]}}`),
	})
	made, err := s.Store.Ent.AuditEvent.Query().Where(auditevent.APIKeyIDNotNil()).Count(viewer.System(t.Context()))
	if err != nil || made == 0 {
		t.Errorf("%d audit rows of keys: %v", made, err)
	}
}

func keysRefused(t *testing.T, s *harness.Server) {
	for field, document := range map[string]string{
		"viewer": `{ viewer { name } }`, "tasksWidget": `{ tasksWidget { open } }`,
		"attendanceToday": `{ attendanceToday { clockedIn } }`,
		"sessions":        `{ sessions { totalCount } }`, "devices": `{ devices { totalCount } }`,
		"apiKeys": `{ apiKeys { totalCount } }`,
		"reports": `{ reports { totalCount } }`, "stopTimer": `mutation { stopTimer { timeEntry { id } } }`,
	} {
		a := s.AskGraphQL(t, map[string]string{"Authorization": "Bearer " + s.Vars["payroll"]}, document, nil)
		if a.Code() != "FORBIDDEN" {
			t.Errorf("%s answers %+v", field, a)
		}
	}
	s.Run(t, []apitest.Scenario{
		withKey("an owner in list form", "payroll", `{ user(id: "{{owner.id}}") { name active } }`,
			`{"user":{"name":"<any>","active":null}}`),
		withKey("an owner's attendance", "payroll",
			`{ attendances(where: {hasUserWith: {id: "{{owner.id}}"}}, first: 1) { edges { node { id } } } }`,
			`{"attendances":{"edges":[]}}`),
		withKey("leave that is not in its list", "payroll", `{ leaveBalances(userId: "{{owner.id}}") { used } }`,
			harness.Refusal("leaveBalances", "FORBIDDEN", `{}`)),
		withKey("leave of nobody", "desk", `{ leaveBalances { used } }`,
			harness.Refusal("leaveBalances", "VALIDATION_FAILED", `{}`, "userId", harness.Required)),
		withKey("an owner's leave", "desk", `{ leaveBalances(userId: "{{owner.id}}") { used } }`,
			harness.Refusal("leaveBalances", "NOT_FOUND", `{}`, "userId", harness.Nothing)),
		withKey("a ticket for nobody", "desk", `mutation { saveTicket(input: {subject: "x"}) { id } }`,
			harness.Refusal("saveTicket", "VALIDATION_FAILED", `{}`, "assigneeId", harness.Required)),
		withKey("an owner who follows", "desk",
			`mutation { saveTicket(input: {subject: "x", assigneeId: "{{budi.id}}", followerIds: ["{{owner.id}}"]}) { id } }`,
			harness.Refusal("saveTicket", "NOT_FOUND", `{}`, "followerIds", harness.Nothing)),
		withKey("comments", "desk", `mutation { deleteTicketComment(id: "1") { deleted } }`,
			harness.Refusal("deleteTicketComment", "FORBIDDEN", `{}`)),
		withKey("a person", "payroll", `{ user(id: "{{budi.id}}") { name active } }`,
			`{"user":{"name":"Budi Santoso","active":true}}`),
	})
}

// keysOfPeople has a key change people, but for owners and what lets somebody in.
func keysOfPeople(t *testing.T, s *harness.Server) {
	forbidden := harness.Refusal("updateUser", "FORBIDDEN", `{}`)
	update := func(name, who, input, want string) apitest.Scenario {
		return withKey(name, "people", `mutation { updateUser(id: "{{`+who+`.id}}", input: {`+input+`}) { name } }`, want)
	}
	s.Run(t, []apitest.Scenario{
		update("a name", "budi", `name: "Budi S."`, `{"updateUser":{"name":"Budi S."}}`),
		update("an e-mail address", "budi", `email: "budi@elsewhere.test"`, forbidden),
		update("a number", "budi", `mobileNumber: {countryCode: 62, number: "81299999999"}`, forbidden),
		update("checks of faces", "budi", `policies: {face: off}`, forbidden),
		update("roles", "budi", `roleIds: []`, forbidden),
		update("an owner", "owner", `name: "X"`, forbidden),
		withKey("who leaves", "people", `mutation { deleteUser(id: "{{owner.id}}") { deleted } }`,
			harness.Refusal("deleteUser", "FORBIDDEN", `{}`)),
		withKey("somebody new", "people", `mutation { createUser(input: {name: "Sari", email: "sari@demo.test"}) { name } }`,
			`{"createUser":{"name":"Sari"}}`),
		withKey("an owner, new", "people",
			`mutation { createUser(input: {name: "Sari", email: "sari2@demo.test", roleIds: ["1"]}) { name } }`,
			harness.Refusal("createUser", "FORBIDDEN", `{}`, "roleIds", "You may not do this.")),
		update("the name again", "budi", `name: "Budi Santoso"`, `{"updateUser":{"name":"Budi Santoso"}}`),
		harness.Asks("who did it", "owner",
			`{ auditEvents(first: 1, where: {action: "user.updated"}) { edges { node { apiKeyId actor { name } } } } }`,
			`{"auditEvents":{"edges":[{"node":{"apiKeyId":"{{people.id}}","actor":{"name":"<any>"}}}]}}`),
	})
}

func keysForWidgets(t *testing.T, s *harness.Server) {
	s.Run(t, []apitest.Scenario{
		withKey("without a person", "site", ofNobody,
			harness.Refusal("createWidgetToken", "VALIDATION_FAILED", `{}`, "userId", harness.Required)),
		withKey("of an owner", "site", ofOwner,
			harness.Refusal("createWidgetToken", "NOT_FOUND", `{}`, "userId", harness.Nothing)),
		withKey("by a key for other things", "payroll",
			ofBudi,
			harness.Refusal("createWidgetToken", "FORBIDDEN", `{}`)),
	})
	made := withKey("of a person", "site", ofBudi,
		`{"createWidgetToken":{"token":"<token wfw>"}}`)
	made.Save = map[string]string{"shown": "/data/createWidgetToken/token"}
	s.Run(t, []apitest.Scenario{made, readsWidget("shown", "tasks", "shown", intranet, 200)})
}

// keysEnd has keys lose what their makers lose, and end.
func keysEnd(t *testing.T, s *harness.Server) {
	s.Grant(t, "manager@demo.test", "developer.write.all", "task.read.all", "user.read.all")
	s.Vars["ratna.id"] = harness.PersonID(t, s, "manager@demo.test")
	tasks, person := `{ tasks(first: 1) { edges { node { title } } } }`, `{ user(id: "{{budi.id}}") { name } }`
	none, named := harness.Refusal("tasks", "FORBIDDEN", `{}`), `{"user":{"name":"Budi Santoso"}}`
	change := func(name, input string) apitest.Scenario {
		return harness.Asks(name, "owner", `mutation { updateUser(id: "{{ratna.id}}", input: {`+input+`}) { id } }`,
			`{"updateUser":{"id":"<digits>"}}`)
	}
	site := harness.Head("Authorization", "Bearer {{site}}")
	s.Run(t, []apitest.Scenario{
		harness.Asks("revoked", "owner", `mutation { revokeApiKey(id: "{{site.id}}") { id revokedAt } }`,
			`{"revokeApiKey":{"id":"<digits>","revokedAt":"<time>"}}`),
		harness.Asks("revoked again", "owner", `mutation { revokeApiKey(id: "{{site.id}}") { id } }`,
			`{"revokeApiKey":{"id":"<digits>"}}`),
		{Name: "of one that was revoked", Path: "/user", Header: site, Status: 401},
		readsWidget("its widget", "tasks", "shown", intranet, 401),
		makesKey("ratna", "tasks", `permissions: ["task.read.all", "user.read.all", "widget.create"]`),
		withKey("what its maker may", "tasks", tasks, `{"tasks":{"edges":[{"node":{"title":"<any>"}}]}}`),
		withKey("people", "tasks", person, named),
		change("its maker may less", `roleIds: []`),
		withKey("it may less too", "tasks", tasks, none),
		withKey("not even the directory", "tasks", person, harness.Refusal("user", "FORBIDDEN", `{}`)),
		withKey("widgets", "tasks", ofBudi,
			harness.Refusal("createWidgetToken", "FORBIDDEN", `{}`)),
		change("its maker leaves", `active: false`),
		{Name: "nothing", Path: "/user", Header: harness.Head("Authorization", "Bearer {{tasks}}"), Status: 401},
		{Name: "in force", Path: "/user", Header: harness.Head("Authorization", "Bearer {{payroll}}")},
	})
	s.Clock.Advance(90 * 24 * time.Hour)
	s.Run(t, []apitest.Scenario{{Name: "expired", Path: "/user", Header: harness.Head("Authorization",
		"Bearer {{payroll}}"), Status: 401}})
}
