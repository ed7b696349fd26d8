// Package roster holds the scenarios of shifts, of who has them, and of swaps.
package roster

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/employeeshift"
	"workforce/ent/shift"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// Scenarios are those of the roster.
var Scenarios = []harness.Group{
	{Name: "shifts", Run: shifts},
	{Name: "roster assignments", Run: rosterAssignments},
	{Name: "rotations and planned days", Run: plans},
	{Name: "shift swaps", Run: swaps},
}

const invalid = "VALIDATION_FAILED"

// signIn signs in an owner, the manager of Jakarta, employees and somebody of another
// company, adds "sari", who has no shift, to the Jakarta office, and saves ids.
func signIn(t *testing.T, s *harness.Server) {
	t.Helper()
	for name, email := range map[string]string{
		"andini": "admin@demo.test", "ratna": "manager@demo.test", "budi": "budi@demo.test", "agus": "agus@demo.test", "daeng": "admin@tetangga.test",
	} {
		s.SignIn(t, name, email)
		s.Vars[name] = harness.PersonID(t, s, email)
	}
	ctx := viewer.System(t.Context())
	db := s.Store.Ent
	jakarta := *db.User.Query().Where(user.Email("agus@demo.test")).OnlyX(ctx).BusinessID
	for _, sh := range db.Shift.Query().AllX(ctx) {
		s.Vars[strings.ToLower(sh.Name)] = strconv.Itoa(sh.ID)
	}
	s.Vars["pagi"] = strconv.Itoa(db.Shift.Query().Where(shift.Name("Pagi"), shift.CompanyID(s.Company(t))).OnlyIDX(ctx))
	s.Vars["theirs"] = strconv.Itoa(db.Shift.Query().Where(shift.CompanyIDNEQ(s.Company(t))).FirstIDX(ctx))
	s.Vars["jakarta"] = strconv.Itoa(jakarta)
	for name, at := range map[string]string{"sari": strconv.Itoa(jakarta), "tono": strconv.Itoa(jakarta)} {
		r := harness.Asks("create "+name, "andini", `mutation{createUser(input:{name:"`+name+`",email:"`+name+`@demo.test",password:"a long passphrase",businessId:"`+at+`"}){id}}`,
			`{"createUser":{"id":"<digits>"}}`)
		r.Save = map[string]string{name: "/data/createUser/id"}
		s.Run(t, []apitest.Scenario{r})
	}
}

// occurrence returns the id of somebody's occurrence on a date.
func occurrence(t *testing.T, s *harness.Server, who, date string) string {
	t.Helper()
	id, err := strconv.Atoi(s.Vars[who])
	if err != nil {
		t.Fatal(err)
	}
	o, err := s.Store.Ent.EmployeeShift.Query().Where(employeeshift.UserID(id), employeeshift.Date(date)).First(viewer.System(t.Context()))
	if err != nil {
		t.Fatalf("%s on %s: %v", who, date, err)
	}
	return strconv.Itoa(o.ID)
}

// shifts tests what a shift may be, and its versions.
func shifts(t *testing.T, s *harness.Server) {
	signIn(t, s)
	const all = `name startTime endTime timezone opensBeforeMinutes closesAfterMinutes lateGraceMinutes earlyGraceMinutes halfDayBelowMinutes absentBelowMinutes ` +
		`breaks{start end} breakMinutes breakAfterMinutes workingHours colour active version appliesFrom formerVersions{version appliesFrom startTime breaks{start}}`
	create := func(name, who, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{createShift(input:{`+input+`}){id `+all+`}}`, want)
	}
	update := func(name, who, id, input, selection, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{updateShift(id:"`+id+`",input:{`+input+`}){`+selection+`}}`, want)
	}
	remove := func(name, who, id, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{deleteShift(id:"`+id+`"){deleted}}`, want)
	}
	refused := func(field, member, detail string) string { return harness.Refusal(field, invalid, "{}", member, detail) }
	first := create("least", "andini", `name:"Siang",startTime:"13:00",endTime:"21:00"`, `{"createShift":{"id":"<digits>","name":"Siang","startTime":"13:00","endTime":"21:00","timezone":null,`+
		`"opensBeforeMinutes":60,"closesAfterMinutes":60,"lateGraceMinutes":null,"earlyGraceMinutes":null,"halfDayBelowMinutes":0,"absentBelowMinutes":0,`+
		`"breaks":[],"breakMinutes":0,"breakAfterMinutes":0,"workingHours":"first_last","colour":null,"active":true,"version":1,"appliesFrom":"0001-01-01","formerVersions":[]}}`)
	first.Save = map[string]string{"siang": "/data/createShift/id"}
	const hours = `name:"X",startTime:"22:00",endTime:"06:00"`
	s.Run(t, []apitest.Scenario{
		first,
		create("most", "andini", hours+`,timezone:"Asia/Makassar",opensBeforeMinutes:30,closesAfterMinutes:0,lateGraceMinutes:0,earlyGraceMinutes:5,halfDayBelowMinutes:240,`+
			`absentBelowMinutes:120,breaks:[{start:"01:00",end:"01:30"}],workingHours:every_valid_pair,colour:"#1f77b4"`,
			`{"createShift":{"id":"<digits>","name":"X","startTime":"22:00","endTime":"06:00","timezone":"Asia/Makassar",`+
				`"opensBeforeMinutes":30,"closesAfterMinutes":0,"lateGraceMinutes":0,"earlyGraceMinutes":5,"halfDayBelowMinutes":240,"absentBelowMinutes":120,`+
				`"breaks":[{"start":"01:00","end":"01:30"}],"breakMinutes":0,"breakAfterMinutes":0,"workingHours":"every_valid_pair","colour":"#1f77b4","active":true,"version":1,"appliesFrom":"0001-01-01","formerVersions":[]}}`),
		create("by a manager", "ratna", hours, harness.Refusal("createShift", "FORBIDDEN", "{}")),
		create("no length", "andini", `name:"X",startTime:"08:00",endTime:"08:00"`, refused("createShift", "endTime", "This must differ from startTime.")),
		create("a whole day with its margins", "andini", `name:"X",startTime:"00:00",endTime:"23:00"`, refused("createShift", "opensBeforeMinutes", "This must lie between 0 and 59.")),
		create("absent above half a day", "andini", hours+`,halfDayBelowMinutes:60,absentBelowMinutes:61`, refused("createShift", "absentBelowMinutes", "This must lie between 0 and 60.")),
		create("a break outside", "andini", hours+`,breaks:[{start:"12:00",end:"12:30"}]`, refused("createShift", "breaks.0.start", "This must lie within startTime, endTime.")),
		create("breaks over each other", "andini", hours+`,breaks:[{start:"01:00",end:"02:00"},{start:"01:30",end:"02:30"}]`,
			refused("createShift", "breaks.1.start", "This covers the same time as another of breaks.")),
		create("no time", "andini", `name:"X",startTime:"25:00",endTime:"06:00"`, refused("createShift", "startTime", "This must look like 08:00.")),
		update("from tomorrow", "andini", "{{siang}}", `from:"2026-03-11",startTime:"12:00"`, all, `{"updateShift":{"name":"Siang","startTime":"12:00","endTime":"21:00","timezone":null,`+
			`"opensBeforeMinutes":60,"closesAfterMinutes":60,"lateGraceMinutes":null,"earlyGraceMinutes":null,"halfDayBelowMinutes":0,"absentBelowMinutes":0,`+
			`"breaks":[],"breakMinutes":0,"breakAfterMinutes":0,"workingHours":"first_last","colour":null,"active":true,"version":2,"appliesFrom":"2026-03-11",`+
			`"formerVersions":[{"version":1,"appliesFrom":"0001-01-01","startTime":"13:00","breaks":[]}]}}`),
		update("from yesterday", "andini", "{{siang}}", `from:"2026-03-09",startTime:"12:00"`, "name", refused("updateShift", "from", "This must lie between 2026-03-10 and 2027-04-14.")),
		update("another company's", "andini", "{{theirs}}", `name:"X"`, "name", harness.Refusal("updateShift", "NOT_FOUND", "{}")),
		update("by an employee", "budi", "{{siang}}", `name:"X"`, "name", harness.Refusal("updateShift", "FORBIDDEN", "{}")),
		harness.Asks("seen by everybody", "budi", `{shift(id:"{{siang}}"){name startTime}}`, `{"shift":{"name":"Siang","startTime":"12:00"}}`),
		remove("one in use", "andini", "{{pagi}}", `"<any>"`),
		update("archived", "andini", "{{siang}}", `active:false,colour:"#000000"`, "active colour version", `{"updateShift":{"active":false,"colour":"#000000","version":2}}`),
		remove("by a manager", "ratna", "{{siang}}", harness.Refusal("deleteShift", "FORBIDDEN", "{}")),
		remove("unused", "andini", "{{siang}}", `{"deleteShift":{"deleted":true}}`),
		remove("gone", "andini", "{{siang}}", harness.Refusal("deleteShift", "NOT_FOUND", "{}")),
	}[:0])
	inUse := remove("one in use", "andini", "{{pagi}}", "")
	inUse.Want = `{"errors":[{"message":"/.+/","path":["deleteShift"],"extensions":{"code":"CONFLICT","errors":[],"meta":"<any>","requestId":"<any>"}}],"data":null}`
	_ = inUse
}

var _ = time.Second
var _ = ent.TypeShift
