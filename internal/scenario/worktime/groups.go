package worktime

import (
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
)

// wantNotice fails unless somebody is sent a text soon that contains another.
func wantNotice(t *testing.T, s *harness.Server, email, part string) {
	t.Helper()
	for range 500 {
		if slices.ContainsFunc(s.Log.Notices(email), func(text string) bool { return strings.Contains(text, part) }) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("%s was not told that %q: %q", email, part, s.Log.Notices(email))
}

// groups tests what booked time adds up to, for whom.
func groups(t *testing.T, s *harness.Server) {
	signIn(t, s)
	move(t, s, "12:00:00")
	book := func(who, title, more, from, to string) apitest.Scenario {
		return harness.Asks(title, who, `mutation{createTimeEntry(input:{title:"`+title+`",startAt:"2026-03-`+from+`+07:00",endAt:"2026-03-`+to+`+07:00"`+more+`}){id}}`, `{"createTimeEntry":{"id":"<digits>"}}`)
	}
	totals := func(name, who, arguments, want string) apitest.Scenario {
		return harness.Asks(name, who, `{timeTotals(from:"2026-03-09",to:"2026-03-11"`+arguments+`){seconds taskCount overlapping groups{key label seconds taskCount groups{key label seconds}}}}`, `{"timeTotals":`+want+`}`)
	}
	refusal := func(name, who, arguments, code, field, detail string) apitest.Scenario {
		return harness.Asks(name, who, `{timeTotals(`+arguments+`){seconds}}`, harness.Refusal("timeTotals", code, "{}", field, detail))
	}
	s.Run(t, []apitest.Scenario{
		book("agus", "Survei", `,projectId:"{{gudang}}",tags:["t1","t2"]`, "09T08:00:00", "09T08:01:40"),
		book("agus", "Rapat", `,categoryId:"{{rapat}}",tags:["t1"]`, "09T09:00:00", "09T09:00:50"),
		book("agus", "Malam", ``, "09T23:59:50", "10T00:00:15"),
		book("budi", "Lain", ``, "10T08:00:00", "10T08:16:40"),
		totals("with gaps filled", "agus", `,by:date,fillGaps:true,then:project`, `{"seconds":175,"taskCount":3,"overlapping":false,"groups":[`+
			`{"key":"2026-03-09","label":"2026-03-09","seconds":160,"taskCount":3,"groups":[{"key":"{{gudang}}","label":"Gudang Baru","seconds":100},{"key":null,"label":"No project","seconds":60}]},`+
			`{"key":"2026-03-10","label":"2026-03-10","seconds":15,"taskCount":1,"groups":[{"key":null,"label":"No project","seconds":15}]},{"key":"2026-03-11","label":"2026-03-11","seconds":0,"taskCount":0,"groups":[]}]}`),
		totals("by tag, which overlap", "agus", `,by:tag`, `{"seconds":175,"taskCount":3,"overlapping":true,"groups":[{"key":"t1","label":"t1","seconds":150,"taskCount":2,"groups":[]},`+
			`{"key":"t2","label":"t2","seconds":100,"taskCount":1,"groups":[]},{"key":null,"label":"No tag","seconds":25,"taskCount":1,"groups":[]}]}`),
		totals("by person and category, of the team", "ratna", `,by:user,then:category`, `{"seconds":175,"taskCount":3,"overlapping":false,"groups":[`+
			`{"key":"{{agus}}","label":"Agus Setiawan","seconds":175,"taskCount":3,"groups":[{"key":"{{rapat}}","label":"Rapat Uji","seconds":50},{"key":null,"label":"No category","seconds":125}]}]}`),
		totals("of all", "andini", `,by:week`, `{"seconds":1175,"taskCount":4,"overlapping":false,"groups":[{"key":"2026-03-09","label":"2026-03-09","seconds":1175,"taskCount":4,"groups":[]}]}`),
		totals("rounded up, then summed", "agus", `,rounding:{mode:length_up,minutes:15}`, `{"seconds":2700,"taskCount":3,"overlapping":false,"groups":[]}`),
		totals("of another company", "daeng", `,by:user`, `{"seconds":0,"taskCount":0,"overlapping":false,"groups":[]}`),
		refusal("of somebody of another company", "andini", `userIds:["{{daeng}}"]`, "NOT_FOUND", "userIds", harness.Nothing),
		refusal("minutes that do not divide a day", "agus", `rounding:{mode:floor,minutes:7}`, "VALIDATION_FAILED", "rounding.minutes", "/.+/"),

		get("people", "andini", "/tasks/user", `[{"user":{"id":"{{agus}}","name":"Agus Setiawan","image":"<any>"},"taskCount":3,"running":false,"trackedSeconds":175},`+
			`{"user":{"id":"{{budi}}","name":"Budi Santoso","image":"<any>"},"taskCount":1,"running":false,"trackedSeconds":1000}]`),
		get("people whom one reads", "budi", "/tasks/user?from=2026-03-10&to=2026-03-10", `[{"user":{"id":"{{budi}}","name":"Budi Santoso","image":"<any>"},"taskCount":1,"running":false,"trackedSeconds":1000}]`),
		get("by date with entries", "agus", "/tasks/grouping?from=2026-03-10&to=2026-03-10", `[{"key":"2026-03-10","label":"2026-03-10","trackedSeconds":15,"tasks":[`+
			activity("Malam", "2026-03-09T23:59:50", "2026-03-10T00:00:15", 25)+`]}]`),
		get("by project with entries", "ratna", "/tasks/grouping?by=project&userId={{agus}}", `[{"key":"{{gudang}}","label":"Gudang Baru","trackedSeconds":100,"tasks":["<any>"]},`+
			`{"key":null,"label":"No project","trackedSeconds":75,"tasks":["<any>","<any>"]}]`),
		get("by category", "agus", "/tasks/grouping?by=category", `[{"key":"{{rapat}}","label":"Rapat Uji","trackedSeconds":50,"tasks":["<any>"]},{"key":null,"label":"No category","trackedSeconds":125,"tasks":["<any>","<any>"]}]`),
		get("by person and date", "andini", "/tasks/grouping/user", `[{"user":{"id":"{{agus}}","name":"Agus Setiawan","image":"<any>"},"trackedSeconds":175,"groups":[`+
			`{"key":"2026-03-09","label":"2026-03-09","trackedSeconds":160,"taskCount":3},{"key":"2026-03-10","label":"2026-03-10","trackedSeconds":15,"taskCount":1}]},`+
			`{"user":{"id":"{{budi}}","name":"Budi Santoso","image":"<any>"},"trackedSeconds":1000,"groups":[{"key":"2026-03-10","label":"2026-03-10","trackedSeconds":1000,"taskCount":1}]}]`),
		refused(get("of others", "agus", "/tasks/grouping/user?userId={{budi}}", ""), 404, "NOT_FOUND", "{}", "userId"),
		refused(get("entries of others", "agus", "/tasks/grouping?userId={{budi}}", ""), 404, "NOT_FOUND", "{}", "userId"),
		refused(get("an unknown unit", "agus", "/tasks/grouping?by=tag", ""), 422, "VALIDATION_FAILED", "{}", "by"),
	})
}
