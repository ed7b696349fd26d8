// Package roster holds the scenarios of shifts, of who has them, and of swaps.
package roster

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"workforce/ent/employeeshift"
	entShift "workforce/ent/shift"
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
	{Name: "who is told of shifts", Run: shiftMessages, SQLite: true},
	{Name: "roster refusals", Run: refusals, SQLite: true},
}

const invalid = "VALIDATION_FAILED"

// signIn signs in an owner, the manager of Jakarta, employees and somebody of another
// company, adds sari and tono, who have no shift, to the business of the manager, and saves
// ids.
func signIn(t *testing.T, s *harness.Server) {
	t.Helper()
	for name, email := range map[string]string{
		"andini": "admin@demo.test", "ratna": "manager@demo.test", "budi": "budi@demo.test", "agus": "agus@demo.test", "daeng": "admin@tetangga.test",
	} {
		s.SignIn(t, name, email)
		s.Vars[name] = harness.PersonID(t, s, email)
	}
	ctx, db := viewer.System(t.Context()), s.Store.Ent
	ratna := db.User.Query().Where(user.Email("manager@demo.test")).OnlyX(ctx)
	for _, name := range []string{"Pagi", "Malam"} {
		s.Vars[strings.ToLower(name)] = strconv.Itoa(db.Shift.Query().Where(entShift.Name(name), entShift.CompanyID(ratna.CompanyID)).OnlyIDX(ctx))
	}
	s.Vars["theirs"] = strconv.Itoa(db.Shift.Query().Where(entShift.CompanyIDNEQ(ratna.CompanyID)).FirstIDX(ctx))
	for _, name := range []string{"sari", "tono"} {
		r := harness.Asks("create "+name, "andini", fmt.Sprintf(`mutation{createUser(input:{name:%q,email:"%s@demo.test",password:"demo-password",businessId:"%d"}){id}}`, name, name, *ratna.BusinessID),
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
	refused := func(field, member, detail string) string {
		return harness.Refusal(field, invalid, "{}", member, detail)
	}
	first := create("least", "andini", `name:"Siang",startTime:"13:00",endTime:"21:00"`, `{"createShift":{"id":"<digits>","name":"Siang","startTime":"13:00","endTime":"21:00","timezone":null,`+
		`"opensBeforeMinutes":60,"closesAfterMinutes":60,"lateGraceMinutes":0,"earlyGraceMinutes":0,"halfDayBelowMinutes":0,"absentBelowMinutes":0,`+
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
		create("a whole day with its margins", "andini", `name:"X",startTime:"00:00",endTime:"23:00",opensBeforeMinutes:60`, refused("createShift", "opensBeforeMinutes", "This must lie between 0 and 59.")),
		create("absent above half a day", "andini", hours+`,halfDayBelowMinutes:60,absentBelowMinutes:61`, refused("createShift", "absentBelowMinutes", "This must lie between 0 and 60.")),
		create("a break outside", "andini", hours+`,breaks:[{start:"12:00",end:"12:30"}]`, refused("createShift", "breaks.0.start", "This must lie within startTime, endTime.")),
		create("breaks over each other", "andini", hours+`,breaks:[{start:"01:00",end:"02:00"},{start:"01:30",end:"02:30"}]`,
			refused("createShift", "breaks.1.start", "This covers the same time as another of breaks.")),
		create("no time", "andini", `name:"X",startTime:"25:00",endTime:"06:00"`, refused("createShift", "startTime", "This must look like 08:00.")),
		create("absent without half a day", "andini", hours+`,absentBelowMinutes:120`, `"<any>"`),
		unread("a wrong kind of hours", "CreateShiftInput!", `createShift(input:$input){id}`,
			map[string]any{"name": " ", "startTime": "8", "endTime": []any{}, "workingHours": "sometimes"}, "endTime", "workingHours"),
		unread("a wrong date", "AssignShiftInput!", `assignShift(input:$input){id}`,
			map[string]any{"userId": "{{sari}}", "shiftId": "{{pagi}}", "startsOn": "soon", "everyWeeks": 9}, "startsOn"),
		update("from tomorrow", "andini", "{{siang}}", `from:"2026-03-11",startTime:"12:00"`, all, `{"updateShift":{"name":"Siang","startTime":"12:00","endTime":"21:00","timezone":null,`+
			`"opensBeforeMinutes":60,"closesAfterMinutes":60,"lateGraceMinutes":0,"earlyGraceMinutes":0,"halfDayBelowMinutes":0,"absentBelowMinutes":0,`+
			`"breaks":[],"breakMinutes":0,"breakAfterMinutes":0,"workingHours":"first_last","colour":null,"active":true,"version":2,"appliesFrom":"2026-03-11",`+
			`"formerVersions":[{"version":1,"appliesFrom":"0001-01-01","startTime":"13:00","breaks":[]}]}}`),
		update("from yesterday", "andini", "{{siang}}", `from:"2026-03-09",startTime:"12:00"`, "name", refused("updateShift", "from", "This must lie between 2026-03-10 and 2027-04-14.")),
		update("another company's", "andini", "{{theirs}}", `name:"X"`, "name", harness.Refusal("updateShift", "NOT_FOUND", "{}")),
		update("by an employee", "budi", "{{siang}}", `name:"X"`, "name", harness.Refusal("updateShift", "FORBIDDEN", "{}")),
		harness.Asks("seen by everybody", "budi", `{shift(id:"{{siang}}"){name startTime}}`, `{"shift":{"name":"Siang","startTime":"12:00"}}`),
		remove("one in use", "andini", "{{pagi}}", harness.Refusal("deleteShift", "CONFLICT",
			`{"assignments":"<any>","conflict":"IN_USE","occurrences":"<any>","swaps":1}`)),
		update("archived", "andini", "{{siang}}", `active:false,colour:"#000000"`, "active colour version", `{"updateShift":{"active":false,"colour":"#000000","version":2}}`),
		remove("by a manager", "ratna", "{{siang}}", harness.Refusal("deleteShift", "FORBIDDEN", "{}")),
		remove("unused", "andini", "{{siang}}", `{"deleteShift":{"deleted":true}}`),
		remove("gone", "andini", "{{siang}}", harness.Refusal("deleteShift", "NOT_FOUND", "{}")),
	})
}

// unread asks for a mutation in the name of andini some of whose members cannot be read,
// and expects the faults of all.
func unread(name, kind, field string, input map[string]any, fields ...string) apitest.Scenario {
	r := harness.Asks(name, "andini", "", `{}`)
	r.Body = apitest.Query("mutation($input:"+kind+"){"+field+"}", map[string]any{"input": input})
	var faults []string
	for _, f := range fields {
		faults = append(faults, `{"field":"`+f+`","code":"VALIDATION_FAILED","detail":"/.+/"}`)
	}
	r.Want = `{"errors":[{"message":"/.+/","extensions":{"code":"VALIDATION_FAILED","errors":[` + strings.Join(faults, ",") + `],"meta":{},"requestId":"<any>"}}]}`
	return r
}

// rosterAssignments tests who gets which shift.
func rosterAssignments(t *testing.T, s *harness.Server) {
	signIn(t, s)
	assign := func(name, who, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{assignShift(input:{`+input+`}){id startsOn endsOn weekdays everyWeeks shift{name} user{name}}}`, want)
	}
	refused := func(member, detail string) string {
		return harness.Refusal("assignShift", invalid, "{}", member, detail)
	}
	first := assign("by the manager", "ratna", `userId:"{{sari}}",shiftId:"{{pagi}}",startsOn:"2026-03-11",weekdays:[1,2,3,4,5]`,
		`{"assignShift":{"id":"<digits>","startsOn":"2026-03-11","endsOn":null,"weekdays":[1,2,3,4,5],"everyWeeks":1,"shift":{"name":"Pagi"},"user":{"name":"sari"}}}`)
	first.Save = map[string]string{"given": "/data/assignShift/id"}
	split := harness.Asks("parted", "ratna", `mutation{splitShiftAssignment(id:"{{given}}",input:{date:"2026-03-16"}){id startsOn endsOn}}`,
		`{"splitShiftAssignment":{"id":"<digits>","startsOn":"2026-03-16","endsOn":null}}`)
	split.Save = map[string]string{"second": "/data/splitShiftAssignment/id"}
	s.Run(t, []apitest.Scenario{
		first,
		harness.Asks("its occurrences", "ratna", `{employeeShifts(where:{hasUserWith:[{id:"{{sari}}"}]},first:2,orderBy:{field:DATE,direction:ASC}){totalCount edges{node{name date origin startAt}}}}`,
			`{"employeeShifts":{"totalCount":11,"edges":[{"node":{"name":"Pagi","date":"2026-03-11","origin":"assignment","startAt":"2026-03-11T01:00:00Z"}},`+
				`{"node":{"name":"Pagi","date":"2026-03-12","origin":"assignment","startAt":"2026-03-12T01:00:00Z"}}]}}`),
		assign("an overlapping one", "ratna", `userId:"{{sari}}",shiftId:"{{pagi}}",startsOn:"2026-03-20",endsOn:"2026-03-21"`,
			harness.Refusal("assignShift", "CONFLICT", `{"conflict":"SHIFT_OVERLAP","date":"2026-03-20","otherDate":"2026-03-20","otherShift":"Pagi","shift":"Pagi","userId":"{{sari}}"}`, "userId", "/.+/")),
		assign("a night besides", "ratna", `userId:"{{sari}}",shiftId:"{{malam}}",startsOn:"2026-03-14",weekdays:[6]`, `"<any>"`),
		assign("by an employee", "budi", `userId:"{{sari}}",shiftId:"{{pagi}}",startsOn:"2026-03-11"`, harness.Refusal("assignShift", "FORBIDDEN", "{}")),
		assign("another company's shift", "andini", `userId:"{{sari}}",shiftId:"{{theirs}}",startsOn:"2026-03-11"`, harness.Refusal("assignShift", "NOT_FOUND", "{}", "shiftId", harness.Nothing)),
		assign("another company's person", "andini", `userId:"{{daeng}}",shiftId:"{{pagi}}",startsOn:"2026-03-11"`, harness.Refusal("assignShift", "NOT_FOUND", "{}", "userId", harness.Nothing)),
		assign("nine weeks", "andini", `userId:"{{sari}}",shiftId:"{{pagi}}",startsOn:"2026-03-11",everyWeeks:9`, refused("everyWeeks", "This must lie between 1 and 8.")),
		assign("ends before it starts", "andini", `userId:"{{sari}}",shiftId:"{{pagi}}",startsOn:"2026-03-11",endsOn:"2026-03-10"`, refused("endsOn", "/.+/")),
		harness.Asks("many at once", "andini", `mutation{assignShifts(input:{userIds:["{{tono}}","{{sari}}","{{daeng}}"],shiftId:"{{pagi}}",startsOn:"2026-03-11"}){userId assignmentId code}}`,
			`{"assignShifts":[{"userId":"{{tono}}","assignmentId":"<digits>","code":null},{"userId":"{{sari}}","assignmentId":null,"code":"CONFLICT"},{"userId":"{{daeng}}","assignmentId":null,"code":"NOT_FOUND"}]}`),
		harness.Asks("of nobody", "andini", `mutation{assignShifts(input:{userIds:[],shiftId:"{{pagi}}",startsOn:"2026-03-11"}){code}}`, harness.Refusal("assignShifts", invalid, "{}", "userIds", harness.Required)),
		split,
		harness.Asks("ended", "ratna", `mutation{updateShiftAssignment(id:"{{second}}",input:{endsOn:"2026-03-20"}){endsOn}}`, `{"updateShiftAssignment":{"endsOn":"2026-03-20"}}`),
		harness.Asks("another company's", "daeng", `mutation{deleteShiftAssignment(id:"{{second}}"){deleted}}`, harness.Refusal("deleteShiftAssignment", "NOT_FOUND", "{}")),
		harness.Asks("removed", "ratna", `mutation{deleteShiftAssignment(id:"{{second}}"){deleted}}`, `{"deleteShiftAssignment":{"deleted":true}}`),
		harness.Asks("a week of 1,000 people, as the web app reads it", "ratna",
			wholeRoster(`week:"2026-03-11",limit:1000`), `"<any>"`),
		harness.Asks("two weeks of them", "ratna", wholeRoster(`week:"2026-03-11",weeks:2,limit:1000`), `"<any>"`),
		harness.Asks("four weeks of half as many", "ratna", wholeRoster(`week:"2026-03-11",weeks:4,limit:500`), `"<any>"`),
		harness.Asks("the week", "ratna", `{roster(week:"2026-03-11",limit:1000){startsOn endsOn people{name shifts{name date origin clashes}}}}`, `"<any>"`),
		harness.Asks("one's own week", "budi", `{roster(week:"2026-03-11"){totalCount startsOn endsOn people{name}}}`,
			`{"roster":{"totalCount":1,"startsOn":"2026-03-09","endsOn":"2026-03-15","people":[{"name":"Budi Santoso"}]}}`),
		harness.Asks("two of one's own weeks", "budi",
			`{roster(week:"2026-03-11",weeks:2)
				{startsOn endsOn people{name hours leaves{name state} holidays{date name half}}}}`,
			`{"roster":{"startsOn":"2026-03-09","endsOn":"2026-03-22",
				"people":[{"name":"Budi Santoso","hours":"<any>","leaves":[],"holidays":[]}]}}`),
		harness.Asks("no weeks", "budi",
			`{roster(weeks:0){totalCount}}`, harness.Refusal("roster", invalid, "{}", "weeks", "/.+/")),
		harness.Asks("no such page", "budi", `{roster(page:0){totalCount}}`, harness.Refusal("roster", invalid, "{}", "page", "/.+/")),
	})
}

// plans tests rotations, fallback shifts and planned days.
func plans(t *testing.T, s *harness.Server) {
	signIn(t, s)
	rotation := harness.Asks("a rotation", "andini", `mutation{createRotation(input:{name:"2-1",days:["{{pagi}}","{{malam}}",null]}){id name days{name}}}`,
		`{"createRotation":{"id":"<digits>","name":"2-1","days":[{"name":"Pagi"},{"name":"Malam"},null]}}`)
	rotation.Save = map[string]string{"rotation": "/data/createRotation/id"}
	given := harness.Asks("given", "ratna", `mutation{assignRotation(input:{rotationId:"{{rotation}}",userIds:["{{sari}}"],startsOn:"2026-03-11"}){userId assignmentId code}}`,
		`{"assignRotation":[{"userId":"{{sari}}","assignmentId":"<digits>","code":null}]}`)
	given.Save = map[string]string{"turn": "/data/assignRotation/0/assignmentId"}
	shown := func(name, want string) apitest.Scenario {
		return harness.Asks(name, "ratna", `{employeeShifts(where:{hasUserWith:[{id:"{{sari}}"}],dateLTE:"2026-03-14"},orderBy:{field:DATE,direction:ASC}){edges{node{name date origin}}}}`,
			`{"employeeShifts":{"edges":[`+want+`]}}`)
	}
	plan := func(name, who, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{planDay(input:{`+input+`}){date shifts{name}}}`, want)
	}
	node := func(name, date, origin string) string {
		return `{"node":{"name":"` + name + `","date":"` + date + `","origin":"` + origin + `"}}`
	}
	s.Run(t, []apitest.Scenario{
		rotation,
		harness.Asks("by a manager", "ratna", `mutation{createRotation(input:{name:"x",days:[null]}){id}}`, harness.Refusal("createRotation", "FORBIDDEN", "{}")),
		harness.Asks("its name again", "andini", `mutation{createRotation(input:{name:"2-1",days:[null]}){id}}`, harness.Refusal("createRotation", invalid, "{}", "name", harness.InUse)),
		harness.Asks("without days", "andini", `mutation{createRotation(input:{name:"x",days:[]}){id}}`, harness.Refusal("createRotation", invalid, "{}", "days", harness.Required)),
		given,
		shown("its occurrences", node("Pagi", "2026-03-11", "rotation")+","+node("Malam", "2026-03-12", "rotation")+","+node("Pagi", "2026-03-14", "rotation")),
		plan("a day off", "ratna", `userId:"{{sari}}",date:"2026-03-11",shiftIds:[]`, `{"planDay":{"date":"2026-03-11","shifts":[]}}`),
		plan("a day that was off", "ratna",
			`userId:"{{sari}}",date:"2026-03-11",shiftIds:["{{malam}}"],expectedShiftIds:["{{pagi}}"]`,
			harness.Refusal("planDay", "VERSION_CONFLICT", `{"theirs":{"shiftIds":[]},"yours":{"shiftIds":["{{malam}}"]}}`)),
		plan("a day that was as usual", "ratna",
			`userId:"{{sari}}",date:"2026-03-11",shiftIds:["{{malam}}"],expectedShiftIds:null`,
			harness.Refusal("planDay", "VERSION_CONFLICT", `{"theirs":{"shiftIds":[]},"yours":{"shiftIds":["{{malam}}"]}}`)),
		plan("the usual plan of a day with a shift", "ratna",
			`userId:"{{sari}}",date:"2026-03-14",shiftIds:null,expectedShiftIds:["{{pagi}}"]`,
			harness.Refusal("planDay", "VERSION_CONFLICT", `{"theirs":{},"yours":{}}`)),
		plan("a day as usual that was off", "ratna",
			`userId:"{{sari}}",date:"2026-03-14",shiftIds:["{{malam}}"],expectedShiftIds:[]`,
			harness.Refusal("planDay", "VERSION_CONFLICT", `{"theirs":{"shiftIds":null},"yours":{"shiftIds":["{{malam}}"]}}`)),
		plan("by an employee who expects it", "budi", `userId:"{{sari}}",date:"2026-03-14",shiftIds:[],expectedShiftIds:[]`,
			harness.Refusal("planDay", "FORBIDDEN", "{}")),
		plan("off as before", "ratna", `userId:"{{sari}}",date:"2026-03-11",shiftIds:[],expectedShiftIds:[]`,
			`{"planDay":{"date":"2026-03-11","shifts":[]}}`),
		plan("another shift", "ratna", `userId:"{{sari}}",date:"2026-03-14",shiftIds:["{{malam}}"],expectedShiftIds:null`,
			`{"planDay":{"date":"2026-03-14","shifts":[{"name":"Malam"}]}}`),
		shown("both", node("Malam", "2026-03-12", "rotation")+","+node("Malam", "2026-03-14", "planned_day")),
		plan("by an employee", "budi", `userId:"{{sari}}",date:"2026-03-14",shiftIds:[]`, harness.Refusal("planDay", "FORBIDDEN", "{}")),
		plan("too long ago", "ratna", `userId:"{{sari}}",date:"2026-01-01",shiftIds:[]`, harness.Refusal("planDay", invalid, "{}", "date", "/.+/")),
		harness.Asks("the week copied", "ratna",
			`mutation{copyWeek(input:{from:"2026-03-10",to:"2026-03-18",userIds:["{{sari}}"]})
				{copied skipped{userId date reason} concernedLeaves{id}}}`,
			`{"copyWeek":{"copied":"<any>","skipped":[],"concernedLeaves":[]}}`),
		harness.Asks("again", "ratna",
			`mutation{copyWeek(input:{from:"2026-03-10",to:"2026-03-18",userIds:["{{sari}}"]}){copied}}`,
			`{"copyWeek":{"copied":0}}`),
		harness.Asks("its Sunday", "ratna",
			`{plannedDays(where:{hasUserWith:[{id:"{{sari}}"}],date:"2026-03-22"}){edges{node{shifts{name}}}}}`,
			`{"plannedDays":{"edges":[{"node":{"shifts":[{"name":"Malam"}]}}]}}`),
		plan("as usual", "ratna", `userId:"{{sari}}",date:"2026-03-14",shiftIds:null`, `{"planDay":null}`),
		harness.Asks("in use", "andini", `mutation{deleteRotation(id:"{{rotation}}"){deleted}}`, harness.Refusal("deleteRotation", "CONFLICT", `{"assignments":1,"conflict":"IN_USE"}`)),
		harness.Asks("ended", "ratna", `mutation{endRotation(id:"{{turn}}",input:{endsOn:"2026-03-12"}){endsOn}}`, `{"endRotation":{"endsOn":"2026-03-12"}}`),
		harness.Asks("a fallback", "ratna", `mutation{setFallbackShift(input:{userId:"{{sari}}",shiftId:"{{pagi}}"}){shift{name} user{name}}}`, `{"setFallbackShift":{"shift":{"name":"Pagi"},"user":{"name":"sari"}}}`),
		shown("after the rotation", node("Pagi", "2026-03-10", "fallback")+","+node("Malam", "2026-03-12", "rotation")+","+node("Pagi", "2026-03-13", "fallback")+","+node("Pagi", "2026-03-14", "fallback")),
		harness.Asks("of nobody", "ratna", `mutation{setFallbackShift(input:{shiftId:"{{pagi}}"}){id}}`, harness.Refusal("setFallbackShift", invalid, "{}", "userId", harness.Required)),
		harness.Asks("none", "ratna", `mutation{setFallbackShift(input:{userId:"{{sari}}"}){id}}`, `{"setFallbackShift":null}`),
	})
}

// swaps tests requests for other shifts.
func swaps(t *testing.T, s *harness.Server) {
	signIn(t, s)
	for _, name := range []string{"sari", "tono"} {
		s.SignIn(t, name, name+"@demo.test")
	}
	s.Run(t, []apitest.Scenario{
		harness.Asks("a day of the night", "andini", `mutation{planDay(input:{userId:"{{tono}}",date:"2026-03-12",shiftIds:["{{malam}}"]}){date}}`, `{"planDay":{"date":"2026-03-12"}}`),
		harness.Asks("a day of the morning", "andini", `mutation{planDay(input:{userId:"{{sari}}",date:"2026-03-12",shiftIds:["{{pagi}}"]}){date}}`, `{"planDay":{"date":"2026-03-12"}}`),
	})
	s.Vars["mine"], s.Vars["theirs"] = occurrence(t, s, "sari", "2026-03-12"), occurrence(t, s, "tono", "2026-03-12")
	ask := func(name, who, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{requestShiftSwap(input:{`+input+`}){id state date wantedDate note user{name} colleague{name}}}`, want)
	}
	decide := func(name, who, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{decideShiftSwap(id:"{{request}}",input:{`+input+`}){state decisionNote}}`, want)
	}
	asked := ask("asked", "sari", `employeeShiftId:"{{mine}}",withEmployeeShiftId:"{{theirs}}",note:"a wedding"`,
		`{"requestShiftSwap":{"id":"<digits>","state":"asked","date":"2026-03-12","wantedDate":"2026-03-12","note":"a wedding","user":{"name":"sari"},"colleague":{"name":"tono"}}}`)
	asked.Save = map[string]string{"request": "/data/requestShiftSwap/id"}
	s.Run(t, []apitest.Scenario{
		asked,
		ask("again", "sari", `employeeShiftId:"{{mine}}",withEmployeeShiftId:"{{theirs}}"`, harness.Refusal("requestShiftSwap", "CONFLICT", `{"conflict":"ALREADY_REQUESTED"}`, "employeeShiftId", "/.+/")),
		ask("for somebody else", "tono", `employeeShiftId:"{{mine}}",shiftId:"{{malam}}"`, harness.Refusal("requestShiftSwap", "NOT_FOUND", "{}", "employeeShiftId", harness.Nothing)),
		ask("for nothing", "sari", `employeeShiftId:"{{mine}}"`, harness.Refusal("requestShiftSwap", invalid, "{}", "withEmployeeShiftId", harness.Required)),
		decide("one's own", "sari", `approve:true`, harness.Refusal("decideShiftSwap", "FORBIDDEN", "{}")),
		decide("another company's", "daeng", `approve:true`, harness.Refusal("decideShiftSwap", "NOT_FOUND", "{}")),
		decide("before the colleague agreed", "andini", `approve:true`, harness.Refusal("decideShiftSwap", "CONFLICT", `{"conflict":"STATE","state":"asked"}`)),
		decide("agreed", "tono", `approve:true`, `{"decideShiftSwap":{"state":"agreed","decisionNote":null}}`),
		decide("approved", "andini", `approve:true,note:"fine"`, `{"decideShiftSwap":{"state":"approved","decisionNote":"fine"}}`),
		decide("twice", "andini", `approve:false`, harness.Refusal("decideShiftSwap", "CONFLICT", `{"conflict":"NOT_PENDING","state":"approved"}`)),
		harness.Asks("who works what", "andini", `{a:employeeShifts(where:{date:"2026-03-12",hasUserWith:[{id:"{{sari}}"}]}){edges{node{name}}} b:employeeShifts(where:{date:"2026-03-12",hasUserWith:[{id:"{{tono}}"}]}){edges{node{name}}}}`,
			`{"a":{"edges":[{"node":{"name":"Malam"}}]},"b":{"edges":[{"node":{"name":"Pagi"}}]}}`),
		harness.Asks("taken back too late", "sari", `mutation{cancelShiftSwap(id:"{{request}}"){state}}`, harness.Refusal("cancelShiftSwap", "CONFLICT", `{"conflict":"NOT_PENDING","state":"approved"}`)),
	})
	s.Vars["mine"], s.Vars["theirs"] = occurrence(t, s, "sari", "2026-03-12"), occurrence(t, s, "tono", "2026-03-12")
	s.Run(t, []apitest.Scenario{
		harness.Asks("swapped back", "andini", `mutation{swapShifts(input:{employeeShiftId:"{{mine}}",withEmployeeShiftId:"{{theirs}}"}){days{date shifts{name}}}}`,
			`{"swapShifts":{"days":[{"date":"2026-03-12","shifts":[{"name":"<any>"}]},{"date":"2026-03-12","shifts":[{"name":"<any>"}]}]}}`),
	})
}

// shiftMessages tells people of their shifts, each in their language: the colleague and
// the manager who are asked, who asked, and whose shifts change.
func shiftMessages(t *testing.T, s *harness.Server) {
	signIn(t, s)
	for _, name := range []string{"sari", "tono"} {
		s.SignIn(t, name, name+"@demo.test")
	}
	plan := func(who, date, shift string) apitest.Scenario {
		return harness.Asks(who+" on "+date, "andini", `mutation{planDay(input:{userId:"{{`+who+`}}",date:"`+date+`",shiftIds:["{{`+shift+`}}"]}){date}}`, `{"planDay":{"date":"`+date+`"}}`)
	}
	s.Run(t, []apitest.Scenario{
		harness.Asks("tono speaks English", "tono", `mutation{updateViewer(input:{locale:"en"}){locale}}`, `{"updateViewer":{"locale":"en"}}`),
		plan("sari", "2026-03-12", "pagi"), plan("tono", "2026-03-12", "malam"), plan("sari", "2026-03-16", "pagi"), plan("tono", "2026-03-16", "malam"),
	})
	ask := func(date, want string) {
		s.Vars["mine"], s.Vars["theirs"] = occurrence(t, s, "sari", date), occurrence(t, s, "tono", date)
		asked := harness.Asks("asked", "sari", `mutation{requestShiftSwap(input:{employeeShiftId:"{{mine}}",withEmployeeShiftId:"{{theirs}}"}){id}}`, `{"requestShiftSwap":{"id":"<digits>"}}`)
		asked.Save = map[string]string{"request": "/data/requestShiftSwap/id"}
		s.Run(t, []apitest.Scenario{
			asked,
			harness.Asks("agreed", "tono", `mutation{decideShiftSwap(id:"{{request}}",input:{approve:true}){state}}`, `{"decideShiftSwap":{"state":"agreed"}}`),
			harness.Asks(want, "ratna", fmt.Sprintf(`mutation{decideShiftSwap(id:"{{request}}",input:{approve:%v}){state}}`, want == "approved"), `{"decideShiftSwap":{"state":"`+want+`"}}`),
		})
	}
	ask("2026-03-12", "approved")
	ask("2026-03-16", "refused")
	for _, m := range []struct{ to, text string }{
		{"sari", "Sif Anda di Nusantara Demo berubah pada 2026-03-12."},
		{"tono", "Your shifts at Nusantara Demo changed on 2026-03-12."},
		{"tono", "sari asks for another shift on 2026-03-12 and waits for your answer."},
		{"manager", "sari meminta sif lain pada 2026-03-12 dan menunggu jawaban Anda."},
		{"sari", "Permintaan Anda untuk sif lain pada 2026-03-12 disetujui."},
		{"sari", "Permintaan Anda untuk sif lain pada 2026-03-16 ditolak."},
	} {
		s.Wait(t, m.to+" to be told: "+m.text, func() bool {
			return slices.ContainsFunc(s.Log.Notices(m.to+"@demo.test"), func(text string) bool { return strings.Contains(text, m.text) })
		})
	}
	harness.WaitForJobs(t, s)
	for _, n := range []struct {
		to, kind string
		want     int
	}{
		{"sari", "shifts_changed", 3}, {"tono", "shifts_changed", 3}, {"manager", "shifts_changed", 0}, {"tono", "swap_asked", 2}, {"manager", "swap_asked", 2}, {"sari", "swap_asked", 0},
		{"sari", "swap_approved", 1}, {"sari", "swap_refused", 1}, {"tono", "swap_approved", 0}, {"tono", "swap_refused", 0},
	} {
		harness.WantNotices(t, s, n.kind, n.to+"@demo.test", n.want)
	}
}

// wholeRoster is a query of all that a roster shows.
func wholeRoster(arguments string) string {
	return `{roster(` + arguments + `){totalCount startsOn endsOn people{userId name hours
		shifts{employeeShiftId shiftId name colour date startAt endAt origin clashes}
		leaves{leaveId name startsOn endsOn half fromTime toTime workFromHome state} holidays{date name half}}}}`
}
