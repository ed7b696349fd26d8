package auth

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/ent/auditevent"
	"workforce/internal/apitest"
	"workforce/internal/app/audit"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// The pages of two other sites.
const (
	intranet  = "https://intranet.example.com"
	elsewhere = "https://elsewhere.example.com"
)

// shown are the headers of a widget on a page of an origin, with a token that was saved under a name.
func shown(name, origin string) map[string]string {
	return harness.Head("Authorization", "Bearer {{"+name+"}}", "Origin", origin)
}

// readsWidget is a request for a widget by a page of an origin, with a token that was saved under a name.
func readsWidget(name, path, token, origin string, status int) apitest.Scenario {
	wanted := hidden
	if origin == intranet {
		wanted = readable
	}
	return apitest.Scenario{
		Name: name, Path: "/widget/" + path, Header: shown(token, origin), Status: status, WantHeader: wanted,
	}
}

// readable are the headers of an answer that a page of another site can read, and hidden of one that it cannot.
var (
	readable = map[string]string{
		"Access-Control-Allow-Origin": intranet, "Access-Control-Allow-Credentials": "",
		"Access-Control-Expose-Headers": "ETag, Retry-After, X-Req-Id, Content-Language, Deprecation, Sunset",
	}
	hidden = map[string]string{"Access-Control-Allow-Origin": ""}
)

// asksWidget is a request for a token.
func asksWidget(name, who, input, want string) apitest.Scenario {
	return harness.Asks(name, who, `mutation { createWidgetToken(input: {`+input+`}) { token expiresAt } }`, want)
}

// makesWidget makes a token for a page and saves it.
func makesWidget(who, save, input string) apitest.Scenario {
	made := asksWidget(who+" makes "+save, who, input+`, origin: "`+intranet+`"`,
		`{"createWidgetToken":{"token":"<token wfw>","expiresAt":"<time>"}}`)
	made.Save = map[string]string{save: "/data/createWidgetToken/token"}
	made.WantHeader = map[string]string{"Cache-Control": "no-store"}
	return made
}

// widgets has pages of other sites show widgets with tokens of their own.
func widgets(t *testing.T, s *harness.Server) {
	s.SignIn(t, "budi", "budi@demo.test")
	s.SignIn(t, "ratna", "manager@demo.test")
	s.SignIn(t, "daeng", "admin@tetangga.test")
	for _, name := range []string{"budi", "manager", "agus"} {
		s.Vars[name+".id"] = harness.PersonID(t, s, name+"@demo.test")
	}
	inEnglish(s, func() {
		t.Run("asked for", func(t *testing.T) { widgetTokens(t, s) })
		t.Run("shown", func(t *testing.T) { widgetsShown(t, s) })
		t.Run("to whom", func(t *testing.T) { widgetOrigins(t, s) })
		t.Run("for nothing else", func(t *testing.T) { widgetMatrix(t, s) })
		t.Run("ended", func(t *testing.T) { widgetsEnd(t, s) })
	})
}

// widgetTokens makes tokens, and is refused others.
func widgetTokens(t *testing.T, s *harness.Server) {
	s.Run(t, []apitest.Scenario{
		makesWidget("budi", "tasks", "widget: tasks"),
		makesWidget("budi", "ticket", "widget: ticket"),
		makesWidget("budi", "sheet", "widget: timesheet"),
		makesWidget("ratna", "team", `widget: timesheet, userId: "{{budi.id}}"`),
		asksWidget("a person whom he does not read", "budi",
			`widget: timesheet, userId: "{{agus.id}}", origin: "`+intranet+`"`,
			harness.Refusal("createWidgetToken", "NOT_FOUND", `{}`, "userId", harness.Nothing)),
		asksWidget("a person of another company", "daeng", `widget: timesheet, userId: "{{budi.id}}", origin: "`+intranet+`"`,
			harness.Refusal("createWidgetToken", "NOT_FOUND", `{}`, "userId", harness.Nothing)),
		asksWidget("a person for another widget", "ratna", `widget: tasks, userId: "{{budi.id}}", origin: "`+intranet+`"`,
			harness.Refusal("createWidgetToken", "VALIDATION_FAILED", `{}`, "userId", "<any>")),
	})
	for _, origin := range []string{
		"", "null", "intranet.example.com", "ftp://intranet.example.com", "https://", "https://u@a.example",
		"https://*.example.com", intranet + "/", intranet + "/home", intranet + "?a",
	} {
		s.Run(t, []apitest.Scenario{asksWidget("origin "+origin, "budi", `widget: tasks, origin: "`+origin+`"`,
			harness.Refusal("createWidgetToken", "VALIDATION_FAILED", `{}`, "origin",
				"This must look like https://host, https://host:port."))})
	}
	ctx := viewer.System(t.Context())
	rows, err := s.Store.Ent.AuditEvent.Query().Where(auditevent.Action(string(audit.WidgetTokenMade))).All(ctx)
	if err != nil || len(rows) != 4 {
		t.Errorf("%d audit rows of tokens: %v", len(rows), err)
	}
}

// widgetsShown are the three widgets, as their people see them.
func widgetsShown(t *testing.T, s *harness.Server) {
	s.Run(t, []apitest.Scenario{
		readsWidget("tasks", "tasks?limit=1", "tasks", intranet, 200),
		readsWidget("tickets", "ticket?limit=1", "ticket", intranet, 200),
		readsWidget("a timesheet", "timesheet?from=2026-03-09&to=2026-03-09", "sheet", intranet, 200),
		readsWidget("that of another person", "timesheet", "team", intranet, 200),
		readsWidget("of whom it is", "timesheet?userId={{budi.id}}", "team", intranet, 200),
		readsWidget("not that of its maker", "timesheet?userId={{manager.id}}", "team", intranet, 404),
		readsWidget("not another one", "timesheet?userId={{agus.id}}", "sheet", intranet, 404),
		readsWidget("a fault", "tasks?limit=no", "tasks", intranet, 422),
	})
	h := map[string]string{"Authorization": "Bearer " + s.Vars["sheet"], "Origin": intranet}
	first, text := s.Send(t, "GET", "/widget/timesheet", "", h)
	if _, own := s.Get(t, "budi", "/widget/timesheet"); !bytes.Equal(own, text) {
		t.Errorf("he sees %s, and the page %s", own, text)
	}
	h["If-None-Match"] = first.Header.Get("ETag")
	again, _ := s.Send(t, "GET", "/widget/timesheet", "", h)
	if again.StatusCode != 304 || again.Header.Get("Access-Control-Allow-Origin") != intranet {
		t.Error(again.Status, again.Header)
	}
}

// widgetOrigins sends tokens from pages and programs of all kinds.
func widgetOrigins(t *testing.T, s *harness.Server) {
	preflight := harness.Head("Origin", intranet, "Access-Control-Request-Method", "GET",
		"Access-Control-Request-Headers", "authorization,if-none-match,x-language")
	s.Run(t, []apitest.Scenario{
		{Name: "a preflight", Method: "OPTIONS", Path: "/widget/tasks", Status: 204, Header: preflight,
			WantHeader: map[string]string{"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Credentials": ""}},
		{Name: "of another path", Method: "OPTIONS", Path: "/task", Status: 204, Header: preflight, WantHeader: hidden},
		readsWidget("a page of another origin", "tasks", "tasks", elsewhere, 403),
		readsWidget("a page of no origin", "tasks", "tasks", "null", 403),
		readsWidget("another scheme", "tasks", "tasks", "http://intranet.example.com", 403),
		{Name: "no page", Path: "/widget/tasks", Status: 403, WantHeader: hidden,
			Header: harness.Head("Authorization", "Bearer {{tasks}}")},
		readsWidget("another widget", "timesheet", "tasks", intranet, 401),
		{Name: "an access token on a page", Path: "/widget/tasks", WantHeader: hidden,
			Header: shown("budi.access", intranet)},
		{Name: "an access token beside it", Path: "/widget/tasks", WantHeader: hidden,
			Header: harness.Head("Authorization", "Bearer {{tasks}}", "x-Access-Token", "{{budi.access}}", "Origin", elsewhere)},
	})
	s.Run(t, []apitest.Scenario{{
		Name: "a token of a page of the server", Path: "/graphql", Header: harness.Bearer("budi"),
		Body: `{"query":"mutation{createWidgetToken(input:{widget:tasks,origin:\"http://wf.test\"}){token}}"}`,
		Save: map[string]string{"own": "/data/createWidgetToken/token"},
	}, {
		Name: "which sends no Origin", Path: "/widget/tasks",
		Header: harness.Head("Authorization", "Bearer {{own}}", "Sec-Fetch-Site", "same-origin"),
	}, {
		Name: "and no program", Path: "/widget/tasks", Header: harness.Head("Authorization", "Bearer {{own}}"), Status: 403,
	}, {
		Name: "nor the token of another page", Path: "/widget/tasks", Status: 403,
		Header: harness.Head("Authorization", "Bearer {{tasks}}", "Sec-Fetch-Site", "same-origin"),
	}})
}

// widgetMatrix sends a token in each header to every other operation, and to GraphQL.
func widgetMatrix(t *testing.T, s *harness.Server) {
	open := []string{"POST /device/register", "GET /encrypt"}
	for _, operation := range documented(t, s) {
		if slices.Contains(open, operation) {
			continue
		}
		for _, header := range []string{"access", "refresh", "user", "device", "bearer", "cookie"} {
			got := tryToken(t, s, operation, s.Vars["tasks"], header)
			noPage := strings.HasPrefix(operation, "GET /widget/") && header == "bearer"
			if got == "" && !noPage {
				t.Errorf("%s takes the token of a widget in %s", operation, header)
			}
		}
	}
	fields := map[string]string{
		"tasksWidget": "{ tasksWidget { open } }", "viewer": "{ viewer { name } }", "users": "{ users { totalCount } }",
		"createWidgetToken": `mutation { createWidgetToken(input: {widget: tasks, origin: "` + intranet + `"}) { token } }`,
	}
	for field, document := range fields {
		h := map[string]string{"Authorization": "Bearer " + s.Vars["tasks"], "Origin": intranet}
		a := s.AskGraphQL(t, h, document, nil)
		if a.Code() != "UNAUTHENTICATED" {
			t.Errorf("%s answers %+v", field, a)
		}
	}
}

// widgetsEnd ends tokens by time, and with the session that made them.
func widgetsEnd(t *testing.T, s *harness.Server) {
	s.Clock.Advance(9*time.Minute + 59*time.Second)
	s.Run(t, []apitest.Scenario{{Name: "at the end", Path: "/widget/tasks", Header: shown("tasks", intranet)}})
	s.Clock.Advance(time.Second)
	s.Run(t, []apitest.Scenario{
		readsWidget("expired", "tasks", "tasks", intranet, 401),
		makesWidget("budi", "last", "widget: tasks"),
		{Name: "the last one", Path: "/widget/tasks", Header: shown("last", intranet)},
		{Name: "signs out", Method: "POST", Path: "/user/logout", Header: harness.Bearer("budi"), Status: 200},
		readsWidget("ended", "tasks", "last", intranet, 401),
	})
}
