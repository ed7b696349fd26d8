// Package requests holds the scenarios of corrections, leave and overtime.
package requests

import (
	"encoding/json"
	"fmt"
	"image/color"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/address"
	entCorrection "workforce/ent/correction"
	"workforce/ent/employeeshift"
	entFile "workforce/ent/file"
	"workforce/ent/leavetype"
	entMessage "workforce/ent/message"
	entShift "workforce/ent/shift"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// Scenarios are those of corrections, leave, overtime, locked periods, and all that waits.
var Scenarios = []harness.Group{
	{Name: "corrections", Run: corrections},
	{Name: "pictures of corrections", Run: pictures},
	{Name: "leave", Run: leaves},
	{Name: "overtime", Run: overtime},
	{Name: "locked periods", Run: locks},
	{Name: "inbox", Run: inbox},
}

// signIn signs in an owner, the manager of Jakarta, an employee of another business and
// somebody of another company, and adds sari to the business of the manager, who worked
// nothing on 9 March.
func signIn(t *testing.T, s *harness.Server) {
	t.Helper()
	for name, email := range map[string]string{
		"andini": "admin@demo.test", "ratna": "manager@demo.test", "budi": "budi@demo.test", "daeng": "admin@tetangga.test",
	} {
		s.SignIn(t, name, email)
		s.Vars[name] = harness.PersonID(t, s, email)
	}
	ctx, db := viewer.System(t.Context()), s.Store.Ent
	ratna := db.User.Query().Where(user.Email("manager@demo.test")).OnlyX(ctx)
	s.Vars["pagi"] = strconv.Itoa(db.Shift.Query().Where(entShift.Name("Pagi"), entShift.CompanyID(ratna.CompanyID)).OnlyIDX(ctx))
	s.Vars["pusat"] = strconv.Itoa(db.Address.Query().Where(address.Name("Kantor Pusat"), address.CompanyID(ratna.CompanyID)).OnlyIDX(ctx))
	r := harness.Asks("create sari", "andini", fmt.Sprintf(`mutation{createUser(input:{name:"sari",email:"sari@demo.test",password:"demo-password",businessId:"%d"}){id}}`, *ratna.BusinessID),
		`{"createUser":{"id":"<digits>"}}`)
	r.Save = map[string]string{"sari": "/data/createUser/id"}
	s.Run(t, []apitest.Scenario{
		r,
		harness.Asks("plan a day of hers", "andini", `mutation{planDay(input:{userId:"{{sari}}",date:"2026-03-09",shiftIds:["{{pagi}}"]}){date}}`, `{"planDay":{"date":"2026-03-09"}}`),
	})
	s.SignIn(t, "sari", "sari@demo.test")
	id, err := strconv.Atoi(s.Vars["sari"])
	if err != nil {
		t.Fatal(err)
	}
	s.Vars["monday"] = strconv.Itoa(db.EmployeeShift.Query().Where(employeeshift.UserID(id), employeeshift.Date("2026-03-09")).OnlyIDX(ctx))
	s.Vars["others"] = strconv.Itoa(db.EmployeeShift.Query().Where(employeeshift.UserIDNEQ(id), employeeshift.Date("2026-03-09")).FirstIDX(ctx))
	s.Vars["annual"] = strconv.Itoa(db.LeaveType.Query().Where(leavetype.Name("Cuti tahunan"), leavetype.CompanyID(ratna.CompanyID)).OnlyIDX(ctx))
	s.Vars["theirs"] = strconv.Itoa(db.Address.Query().Where(address.CompanyIDNEQ(ratna.CompanyID)).FirstIDX(ctx))
}

// set changes the settings of the company.
func set(name, settings string) apitest.Scenario {
	return harness.Asks(name, "andini", `mutation{updateCompany(input:{settings:{`+settings+`}}){id}}`, `{"updateCompany":{"id":"<digits>"}}`)
}

// wantTold fails unless somebody is told something soon: a job does it.
func wantTold(t *testing.T, s *harness.Server, kind, email string) {
	t.Helper()
	for range 500 {
		told, err := s.Store.Ent.Message.Query().Where(entMessage.Kind(kind), entMessage.HasUserWith(user.Email(email))).Exist(viewer.System(t.Context()))
		if err != nil {
			t.Fatal(err)
		}
		if told {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("%s got no %s", email, kind)
}

const (
	morning   = `clockInAt:"2026-03-09T08:00:00+07:00",clockOutAt:"2026-03-09T12:00:00+07:00",addressId:"{{pusat}}"`
	afternoon = `clockInAt:"2026-03-09T13:00:00+07:00",clockOutAt:"2026-03-09T20:00:00+07:00",addressId:"{{pusat}}"`
)

// request asks for a correction of sari's.
func request(name, who, input, want string) apitest.Scenario {
	return harness.Asks(name, who, `mutation{requestCorrection(input:{`+input+`}){id state date adds clockInAt clockOutAt reason attachment attendance{id} before{clockInAt} user{name}}}`, want)
}

// asked is request that succeeds, and saves the id.
func asked(name, input, as string) apitest.Scenario {
	r := harness.Asks(name, "sari", `mutation{requestCorrection(input:{employeeShiftId:"{{monday}}",`+input+`}){id state}}`, `{"requestCorrection":{"id":"<digits>","state":"pending"}}`)
	r.Save = map[string]string{as: "/data/requestCorrection/id"}
	return r
}

func decide(name, who, id, input, want string) apitest.Scenario {
	return harness.Asks(name, who, `mutation{decideCorrection(id:"{{`+id+`}}",input:{`+input+`}){state decisionNote before{clockInAt} after{clockInAt clockInSource clockOutAt clockOutSource needsConfirmation}}}`, want)
}

func cancel(name, who, id, want string) apitest.Scenario {
	return harness.Asks(name, who, `mutation{cancelCorrection(id:"{{`+id+`}}"){state}}`, want)
}

// worked shows what sari worked.
func worked(name, want string) apitest.Scenario {
	return harness.Asks(name, "ratna", `{attendances(where:{hasUserWith:[{id:"{{sari}}"}]}){edges{node{workDate clockedInLocal clockedInSource clockedOutLocal}}}}`, `{"attendances":{"edges":[`+want+`]}}`)
}

// corrections tests requests to change attendances.
func corrections(t *testing.T, s *harness.Server) {
	signIn(t, s)
	first := request("the morning", "sari", `employeeShiftId:"{{monday}}",`+morning+`,reason:"phone was empty"`,
		`{"requestCorrection":{"id":"<digits>","state":"pending","date":"2026-03-09","adds":true,"clockInAt":"2026-03-09T01:00:00Z","clockOutAt":"2026-03-09T05:00:00Z",`+
			`"reason":"phone was empty","attachment":null,"attendance":null,"before":null,"user":{"name":"sari"}}}`)
	first.Save = map[string]string{"first": "/data/requestCorrection/id"}
	none := worked("nothing", "")
	one := `{"node":{"workDate":"2026-03-09","clockedInLocal":"2026-03-09T08:00:00","clockedInSource":"correction","clockedOutLocal":"2026-03-09T12:00:00"}}`
	approved := `{"decideCorrection":{"state":"approved","decisionNote":"fine","before":null,"after":{"clockInAt":"2026-03-09T01:00:00Z","clockInSource":"correction",` +
		`"clockOutAt":"2026-03-09T05:00:00Z","clockOutSource":"correction","needsConfirmation":false}}}`
	refused := func(code, meta string, faults ...string) string {
		return harness.Refusal("requestCorrection", code, meta, faults...)
	}
	s.Run(t, []apitest.Scenario{
		first,
		request("over it", "sari", `employeeShiftId:"{{monday}}",`+morning+`,reason:"x"`, refused("CONFLICT", `{"conflict":"ALREADY_REQUESTED"}`, "employeeShiftId", "/.+/")),
		request("another's shift", "sari", `employeeShiftId:"{{others}}",`+morning+`,reason:"x"`, refused("NOT_FOUND", "{}", "employeeShiftId", harness.Nothing)),
		request("another company's site", "sari", `employeeShiftId:"{{monday}}",clockInAt:"2026-03-09T13:00:00+07:00",clockOutAt:"2026-03-09T14:00:00+07:00",addressId:"{{theirs}}",reason:"x"`,
			refused("NOT_FOUND", "{}", "addressId", harness.Nothing)),
		request("no reason", "sari", `employeeShiftId:"{{monday}}",`+afternoon+`,reason:""`, refused("VALIDATION_FAILED", "{}", "reason", harness.Required)),
		request("outside of the window", "sari", `employeeShiftId:"{{monday}}",clockInAt:"2026-03-09T05:00:00+07:00",clockOutAt:"2026-03-09T06:00:00+07:00",addressId:"{{pusat}}",reason:"x"`,
			refused("SHIFT_WINDOW_CLOSED", `{"clockInFrom":"2026-03-09T07:00:00+07:00","clockInUntil":"2026-03-09T18:00:00+07:00"}`, "clockInAt", "/.+/")),
		request("in the future", "sari", `employeeShiftId:"{{monday}}",clockInAt:"2026-03-10T09:01:00+07:00",clockOutAt:"2026-03-10T10:00:00+07:00",addressId:"{{pusat}}",reason:"x"`,
			refused("VALIDATION_FAILED", "{}", "clockInAt", "/.+/")),
		decide("one's own", "sari", "first", `approve:true`, harness.Refusal("decideCorrection", "FORBIDDEN", "{}")),
		decide("by an employee", "budi", "first", `approve:true`, harness.Refusal("decideCorrection", "NOT_FOUND", "{}")),
		decide("another company's", "daeng", "first", `approve:true`, harness.Refusal("decideCorrection", "NOT_FOUND", "{}")),
		decide("by the manager", "ratna", "first", `approve:true,note:"fine"`, approved),
		decide("again", "ratna", "first", `approve:false`, harness.Refusal("decideCorrection", "CONFLICT", `{"conflict":"NOT_PENDING","state":"approved"}`)),
		worked("the morning", one),
		asked("the afternoon", afternoon+`,reason:"x"`, "second"),
		harness.Asks("many at once", "ratna", `mutation{decideCorrections(input:{ids:["{{first}}","{{second}}","4711"],approve:false}){id code}}`,
			`{"decideCorrections":[{"id":"{{first}}","code":"CONFLICT"},{"id":"{{second}}","code":null},{"id":"4711","code":"NOT_FOUND"}]}`),
		harness.Asks("of nobody", "ratna", `mutation{decideCorrections(input:{ids:[],approve:false}){id}}`, harness.Refusal("decideCorrections", "VALIDATION_FAILED", "{}", "ids", harness.Required)),
		harness.Asks("what waits and what does not", "sari", `{corrections(orderBy:{field:CREATED_AT,direction:ASC}){totalCount edges{node{state date}}}}`,
			`{"corrections":{"totalCount":2,"edges":[{"node":{"state":"approved","date":"2026-03-09"}},{"node":{"state":"refused","date":"2026-03-09"}}]}}`),
		cancel("a refused one", "sari", "second", harness.Refusal("cancelCorrection", "CONFLICT", `{"conflict":"NOT_PENDING","state":"refused"}`)),
		cancel("another's", "budi", "first", harness.Refusal("cancelCorrection", "NOT_FOUND", "{}")),
		cancel("an approved one", "sari", "first", `{"cancelCorrection":{"state":"cancelled"}}`),
		none,
	})
	for _, kind := range []string{"correction_approved", "correction_refused"} {
		wantTold(t, s, kind, "sari@demo.test")
	}
	wantTold(t, s, "correction_asked", "manager@demo.test")
}

// pictures tests what is attached to corrections: who sees it, and for how long.
func pictures(t *testing.T, s *harness.Server) {
	signIn(t, s)
	ctx := viewer.System(ent.NewContext(t.Context(), s.Store.Ent))
	send := func(file []byte) (link, code string) {
		t.Helper()
		input := map[string]any{
			"employeeShiftId": s.Vars["monday"], "clockInAt": "2026-03-09T08:00:00+07:00", "clockOutAt": "2026-03-09T12:00:00+07:00",
			"addressId": s.Vars["pusat"], "reason": "x", "attachment": nil,
		}
		a, err := s.AskUpload(t, "sari", `mutation($input:RequestCorrectionInput!){requestCorrection(input:$input){id attachment}}`, map[string]any{"input": input}, "input.attachment", file)
		var out struct {
			Data struct {
				RequestCorrection struct{ ID, Attachment string }
			}
			Errors []struct{ Extensions harness.ProblemFacts }
		}
		if err == nil {
			err = json.Unmarshal([]byte(a.Body), &out)
		}
		if err != nil {
			t.Fatal(err, a)
		}
		if len(out.Errors) > 0 {
			return "", out.Errors[0].Extensions.Code
		}
		s.Vars["pictured"] = out.Data.RequestCorrection.ID
		return out.Data.RequestCorrection.Attachment, ""
	}
	if _, code := send([]byte("no picture")); code != "UNSUPPORTED_MEDIA_TYPE" {
		t.Errorf("what is no picture: %q", code)
	}
	if n := s.Store.Ent.Correction.Query().Where(entCorrection.Reason("x")).CountX(ctx); n != 0 {
		t.Errorf("%d requests are kept without their picture", n)
	}
	link, code := send(harness.Picture(t, 60, 40, color.RGBA{200, 0, 0, 255}))
	if code != "" {
		t.Fatal(code)
	}
	if kind := fetch(t, s, link); !strings.HasPrefix(kind, "image/") {
		t.Errorf("the link leads to %q", kind)
	}
	seen := func(name, who, want string) apitest.Scenario {
		return harness.Asks(name, who, `{correction(id:"{{pictured}}"){attachment}}`, want)
	}
	s.Run(t, []apitest.Scenario{
		seen("by who asked", "sari", `{"correction":{"attachment":"/.+X-Amz-Signature=.+/"}}`),
		seen("by who decides", "ratna", `{"correction":{"attachment":"/.+X-Amz-Signature=.+/"}}`),
		seen("by a colleague", "budi", harness.Refusal("correction", "NOT_FOUND", "{}")),
		seen("by another company", "daeng", harness.Refusal("correction", "NOT_FOUND", "{}")),
		decide("refused", "ratna", "pictured", `approve:false`, `{"decideCorrection":{"state":"refused","decisionNote":null,"before":null,"after":null}}`),
	})
	of := s.Store.Ent.Correction.Query().Where(entCorrection.Reason("x")).OnlyX(ctx)
	for days, kept := range []bool{true, false} { // 365 days after the decision, and a day later
		s.Clock.Advance(time.Duration(365-364*days) * harness.Day)
		if err := s.Services.Corrections.Clean(ctx); err != nil {
			t.Fatal(err)
		}
		row, there := s.Store.Ent.Correction.GetX(ctx, of.ID), s.Store.Ent.File.Query().Where(entFile.ID(*of.AttachmentFileID)).ExistX(ctx)
		if (row.Attachment != nil) != kept || (row.AttachmentFileID != nil) != kept || there != kept {
			t.Errorf("%d days later: %v, file %v", 365+days, row, there)
		}
	}
}

// fetch follows a link to a file, and returns its media type.
func fetch(t *testing.T, s *harness.Server, link string) string {
	t.Helper()
	u, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequest(http.MethodGet, s.URL+u.RequestURI(), nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = u.Host
	resp, err := s.HTTP.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return resp.Status
	}
	return resp.Header.Get("Content-Type")
}

// leaves tests types of leave, requests for it, and balances.
func leaves(t *testing.T, s *harness.Server) {
	signIn(t, s)
	kind := func(name, who, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{createLeaveType(input:{`+input+`}){id name paid unit yearlyAllowance workFromHome active}}`, want)
	}
	made := kind("a type", "andini", `name:"Menikah",yearlyAllowance:3`,
		`{"createLeaveType":{"id":"<digits>","name":"Menikah","paid":true,"unit":"half_day","yearlyAllowance":3,"workFromHome":false,"active":true}}`)
	made.Save = map[string]string{"type": "/data/createLeaveType/id"}
	home := kind("at home", "andini", `name:"Dari rumah",workFromHome:true,unit:day`,
		`{"createLeaveType":{"id":"<digits>","name":"Dari rumah","paid":true,"unit":"day","yearlyAllowance":null,"workFromHome":true,"active":true}}`)
	home.Save = map[string]string{"home": "/data/createLeaveType/id"}
	ask := func(name, who, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{requestLeave(input:{`+input+`}){id state startsOn endsOn half dates skipped leaveType{name}}}`, want)
	}
	first := ask("over a holiday", "sari", `typeId:"{{type}}",startsOn:"2026-03-16",endsOn:"2026-03-18",reason:"x"`,
		`{"requestLeave":{"id":"<digits>","state":"pending","startsOn":"2026-03-16","endsOn":"2026-03-18","half":false,"dates":["2026-03-16","2026-03-18"],"skipped":["2026-03-17"],"leaveType":{"name":"Menikah"}}}`)
	first.Save = map[string]string{"first": "/data/requestLeave/id"}
	today := ask("today, at home", "sari", `typeId:"{{home}}",startsOn:"2026-03-10",endsOn:"2026-03-10",reason:"x"`, `"<any>"`)
	today.Save = map[string]string{"today": "/data/requestLeave/id"}
	refused := func(code, meta string, faults ...string) string {
		return harness.Refusal("requestLeave", code, meta, faults...)
	}
	decide := func(name, who, id, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{decideLeave(id:"{{`+id+`}}",input:{`+input+`}){state}}`, want)
	}
	status := func(name, want string) apitest.Scenario {
		return harness.Asks(name, "sari", `{attendanceToday{status}}`, `{"attendanceToday":{"status":"`+want+`"}}`)
	}
	s.Run(t, []apitest.Scenario{
		made, home,
		kind("the same name", "andini", `name:"menikah"`, harness.Refusal("createLeaveType", "VALIDATION_FAILED", "{}", "name", harness.InUse)),
		kind("a third of a day", "andini", `name:"X",yearlyAllowance:0.3`, harness.Refusal("createLeaveType", "VALIDATION_FAILED", "{}", "yearlyAllowance", "This must lie between 0 and 366.")),
		kind("by a manager", "ratna", `name:"X"`, harness.Refusal("createLeaveType", "FORBIDDEN", "{}")),
		harness.Asks("a holiday", "andini", `mutation{createHoliday(input:{name:"Libur",date:"2026-03-17"}){date}}`, `{"createHoliday":{"date":"2026-03-17"}}`),
		harness.Asks("preview", "sari", `{leavePreview(startsOn:"2026-03-16",endsOn:"2026-03-18"){dates skipped{date reason}}}`,
			`{"leavePreview":{"dates":["2026-03-16","2026-03-18"],"skipped":[{"date":"2026-03-17","reason":"holiday"}]}}`),
		first,
		ask("over it", "sari", `typeId:"{{type}}",startsOn:"2026-03-18",endsOn:"2026-03-18",reason:"x"`, refused("CONFLICT", `{"conflict":"OVERLAP","date":"2026-03-18"}`, "startsOn", "/.+/")),
		ask("a holiday alone", "sari", `typeId:"{{type}}",startsOn:"2026-03-17",endsOn:"2026-03-17",reason:"x"`, refused("CONFLICT", `{"conflict":"NO_DAYS"}`, "startsOn", "/.+/")),
		ask("more than is left", "sari", `typeId:"{{type}}",startsOn:"2026-03-23",endsOn:"2026-03-24",reason:"x"`, refused("CONFLICT", `{"conflict":"ALLOWANCE_EXCEEDED","remainingDays":1,"year":2026}`, "endsOn", "/.+/")),
		ask("half at home", "sari", `typeId:"{{home}}",startsOn:"2026-03-23",endsOn:"2026-03-23",half:true,reason:"x"`,
			refused("VALIDATION_FAILED", "{}", "half", "This may not be given together with typeId.")),
		ask("no type", "sari", `typeId:"4711",startsOn:"2026-03-23",endsOn:"2026-03-23",reason:"x"`, refused("NOT_FOUND", "{}", "typeId", harness.Nothing)),
		decide("one's own", "sari", "first", `approve:true`, harness.Refusal("decideLeave", "FORBIDDEN", "{}")),
		decide("another company's", "daeng", "first", `approve:true`, harness.Refusal("decideLeave", "NOT_FOUND", "{}")),
		decide("by the manager", "ratna", "first", `approve:true`, `{"decideLeave":{"state":"approved"}}`),
		decide("again", "ratna", "first", `approve:true`, harness.Refusal("decideLeave", "CONFLICT", `{"conflict":"NOT_PENDING","state":"approved"}`)),
		harness.Asks("what is left", "sari", `{leaveBalances{leaveType{name} year allowance used pending remaining}}`,
			`{"leaveBalances":[{"leaveType":{"name":"Cuti tahunan"},"year":2026,"allowance":12,"used":0,"pending":0,"remaining":12},`+
				`{"leaveType":{"name":"Menikah"},"year":2026,"allowance":3,"used":2,"pending":0,"remaining":1}]}`),
		harness.Asks("another's", "budi", `{leaveBalances(userId:"{{sari}}"){year}}`, harness.Refusal("leaveBalances", "NOT_FOUND", "{}", "userId", harness.Nothing)),
		status("today", "none"),
		today,
		decide("today, at home", "ratna", "today", `approve:true`, `{"decideLeave":{"state":"approved"}}`),
		status("at home", "work_from_home"),
		harness.Asks("cancelled by the manager", "ratna", `mutation{cancelLeave(id:"{{today}}"){state}}`, `{"cancelLeave":{"state":"cancelled"}}`),
		status("as before", "none"),
		harness.Asks("a used type", "andini", `mutation{deleteLeaveType(id:"{{type}}"){deleted}}`, harness.Refusal("deleteLeaveType", "CONFLICT", `{"conflict":"IN_USE"}`)),
		harness.Asks("archived", "andini", `mutation{updateLeaveType(id:"{{type}}",input:{active:false,yearlyAllowance:null}){active yearlyAllowance}}`, `{"updateLeaveType":{"active":false,"yearlyAllowance":null}}`),
		ask("of an archived type", "sari", `typeId:"{{type}}",startsOn:"2026-03-23",endsOn:"2026-03-23",reason:"x"`, refused("CONFLICT", `{"conflict":"ARCHIVED"}`, "typeId", "/.+/")),
	})
	wantTold(t, s, "leave_asked", "manager@demo.test")
	wantTold(t, s, "leave_approved", "sari@demo.test")
	absences(t, s)
	recounted(t, s)
	onLeave(t, s)
}

// absences show who of a team is away, while sari is from 16 to 18 March, but for a holiday between.
func absences(t *testing.T, s *harness.Server) {
	away := func(name, who, args, want string) apitest.Scenario {
		return harness.Asks(name, who, `{away(`+args+`){userId name from to}}`, want)
	}
	refused := func(code string, faults ...string) string { return harness.Refusal("away", code, "{}", faults...) }
	const none = `{"away":[]}`
	sari := `{"away":[{"userId":"{{sari}}","name":"sari","from":"2026-03-16","to":"2026-03-18"}]}`
	s.Run(t, []apitest.Scenario{
		away("to the manager", "ratna", `from:"2026-03-18",to:"2026-03-31"`, sari),
		away("not to oneself", "sari", `from:"2026-03-16",to:"2026-03-18"`, none),
		away("not to another business", "budi", `from:"2026-03-16",to:"2026-03-18"`, none),
		away("not on a date between", "ratna", `from:"2026-03-17",to:"2026-03-17"`, none),
		away("of a person's business", "andini", `from:"2026-03-16",to:"2026-03-16",userId:"{{ratna}}"`, sari),
		away("of a person themself", "ratna", `from:"2026-03-16",to:"2026-03-16",userId:"{{sari}}"`, none),
		away("of a colleague", "sari",
			`from:"2026-03-16",to:"2026-03-16",userId:"{{ratna}}"`, refused("NOT_FOUND", "userId", harness.Nothing)),
		away("of another company", "daeng",
			`from:"2026-03-16",to:"2026-03-16",userId:"{{sari}}"`, refused("NOT_FOUND", "userId", harness.Nothing)),
		away("from after to", "ratna", `from:"2026-03-17",to:"2026-03-16"`,
			refused("VALIDATION_FAILED", "from", "This must lie between 0001-01-01 and 2026-03-16.")),
		away("63 days", "ratna", `from:"2026-03-16",to:"2026-05-17"`,
			refused("VALIDATION_FAILED", "to", "This must lie between 2026-03-16 and 2026-05-16.")),
	})
}

// recounted adds and removes holidays during approved leave, whose dates and balance follow.
func recounted(t *testing.T, s *harness.Server) {
	named := `"concernedLeaves":[{"id":"{{first}}","state":"approved"}]`
	added := harness.Asks("a holiday during leave", "andini",
		`mutation{createHoliday(input:{name:"Baru",date:"2026-03-18"}){id concernedLeaves{id state}}}`,
		`{"createHoliday":{"id":"<digits>",`+named+`}}`)
	added.Save = map[string]string{"new": "/data/createHoliday/id"}
	leave := func(name, dates, skipped string) apitest.Scenario {
		return harness.Asks(name, "sari", `{leave(id:"{{first}}"){dates skipped}}`,
			`{"leave":{"dates":`+dates+`,"skipped":`+skipped+`}}`)
	}
	s.Run(t, []apitest.Scenario{
		added,
		harness.Asks("a holiday of other dates", "andini",
			`mutation{createHoliday(input:{name:"Lain",date:"2026-03-20"}){concernedLeaves{id}}}`,
			`{"createHoliday":{"concernedLeaves":[]}}`),
	})
	harness.WaitForJobs(t, s)
	s.Run(t, []apitest.Scenario{
		leave("a day less", `["2026-03-16"]`, `["2026-03-17","2026-03-18"]`),
		harness.Asks("removed", "andini", `mutation{deleteHoliday(id:"{{new}}"){deleted concernedLeaves{id state}}}`,
			`{"deleteHoliday":{"deleted":true,`+named+`}}`),
	})
	harness.WaitForJobs(t, s)
	s.Run(t, []apitest.Scenario{leave("as before", `["2026-03-16","2026-03-18"]`, `["2026-03-17"]`)})
	wantTold(t, s, "leave_recounted", "sari@demo.test")
	wantTold(t, s, "team_leave_recounted", "manager@demo.test")
}

// onLeave tests a clock-in on a day of whole leave.
func onLeave(t *testing.T, s *harness.Server) {
	leave := harness.Asks("leave today", "sari", `mutation{requestLeave(input:{typeId:"{{paid}}",startsOn:"2026-03-10",endsOn:"2026-03-10",reason:"x"}){id}}`, `{"requestLeave":{"id":"<digits>"}}`)
	leave.Save = map[string]string{"away": "/data/requestLeave/id"}
	kind := harness.Asks("a type", "andini", `mutation{createLeaveType(input:{name:"Lain"}){id}}`, `{"createLeaveType":{"id":"<digits>"}}`)
	kind.Save = map[string]string{"paid": "/data/createLeaveType/id"}
	s.Run(t, []apitest.Scenario{
		kind, leave,
		harness.Asks("approved", "ratna", `mutation{decideLeave(id:"{{away}}",input:{approve:true}){state}}`, `{"decideLeave":{"state":"approved"}}`),
		harness.Asks("on leave", "sari", `{attendanceToday{status}}`, `{"attendanceToday":{"status":"on_leave"}}`),
		harness.Asks("a shift all the same", "andini", `mutation{planDay(input:{userId:"{{sari}}",date:"2026-03-10",shiftIds:["{{pagi}}"]}){date}}`, `{"planDay":{"date":"2026-03-10"}}`),
		set("blocked", `leaveBlocksClockIn:true`),
	})
	s.Vars["tuesday"] = s.ShiftToday(t, "sari")
	in := func(name, want string) apitest.Scenario {
		return harness.Asks(name, "sari", `mutation{clockIn(input:{addressId:"{{pusat}}",employeeShiftId:"{{tuesday}}",latitude:"-6.200000",longitude:"106.816666"}){clockedIn}}`, want)
	}
	s.Run(t, []apitest.Scenario{
		in("a blocked one", harness.Refusal("clockIn", "CONFLICT", `{"conflict":"ON_LEAVE","leaveOn":"2026-03-10"}`, "employeeShiftId", "/.+/")),
		set("flagged", `leaveBlocksClockIn:null`),
		in("a flagged one", `{"clockIn":{"clockedIn":true}}`),
		harness.Asks("waits for a decision", "ratna", `{attendances(where:{hasUserWith:[{id:"{{sari}}"}]}){edges{node{clockedInFlags clockedInReview}}}}`,
			`{"attendances":{"edges":[{"node":{"clockedInFlags":["on_leave"],"clockedInReview":"pending"}}]}}`),
	})
	wantTold(t, s, "works_on_leave", "manager@demo.test")
}

// overtime tests decisions about overtime.
func overtime(t *testing.T, s *harness.Server) {
	signIn(t, s)
	decide := func(name, who, items, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{decideOvertime(input:{items:[`+items+`],approve:true,note:"ok"}){date overtimeApproval{seconds approved note} code}}`, want)
	}
	const monday = `{userId:"{{sari}}",date:"2026-03-09"}`
	kept := func(name, want string) apitest.Scenario {
		return harness.Asks(name, "sari", `{overtimeApprovals{edges{node{date seconds user{name}}}}}`, `{"overtimeApprovals":{"edges":[`+want+`]}}`)
	}
	s.Run(t, []apitest.Scenario{
		asked("a long afternoon", `clockInAt:"2026-03-09T08:00:00+07:00",clockOutAt:"2026-03-09T20:00:00+07:00",addressId:"{{pusat}}",reason:"x"`, "long"),
		decide("nothing yet", "ratna", monday, `{"decideOvertime":[{"date":"2026-03-09","overtimeApproval":null,"code":"CONFLICT"}]}`),
		harness.Asks("approved", "ratna", `mutation{decideCorrection(id:"{{long}}",input:{approve:true}){state}}`, `{"decideCorrection":{"state":"approved"}}`),
		decide("each", "ratna", monday+`{userId:"{{ratna}}",date:"2026-03-09"}{userId:"{{daeng}}",date:"2026-03-09"}{userId:"{{sari}}",date:"2026-03-11"}`,
			`{"decideOvertime":[{"date":"2026-03-09","overtimeApproval":{"seconds":10800,"approved":true,"note":"ok"},"code":null},{"date":"2026-03-09","overtimeApproval":null,"code":"FORBIDDEN"},`+
				`{"date":"2026-03-09","overtimeApproval":null,"code":"NOT_FOUND"},{"date":"2026-03-11","overtimeApproval":null,"code":"VALIDATION_FAILED"}]}`),
		decide("of nobody", "ratna", "", harness.Refusal("decideOvertime", "VALIDATION_FAILED", "{}", "items", harness.Required)),
		decide("by an employee", "sari", monday, harness.Refusal("decideOvertime", "FORBIDDEN", "{}")),
		kept("kept", `{"node":{"date":"2026-03-09","seconds":10800,"user":{"name":"sari"}}}`),
		harness.Asks("a correction of the day", "sari", `mutation{cancelCorrection(id:"{{long}}"){state}}`, `{"cancelCorrection":{"state":"cancelled"}}`),
		kept("taken back", ""),
	})
}

// locks tests periods that nobody changes.
func locks(t *testing.T, s *harness.Server) {
	signIn(t, s)
	settings := func(name, settings, field, detail string) apitest.Scenario {
		return harness.Asks(name, "andini", `mutation{updateCompany(input:{settings:{`+settings+`}}){id}}`, harness.Refusal("updateCompany", "VALIDATION_FAILED", "{}", "settings."+field, detail))
	}
	const locked = `{"conflict":"LOCKED_PERIOD","lockedFrom":"2026-03-01","lockedUntil":"2026-03-09"}`
	member := func(name, member string) apitest.Scenario {
		return request(name, "sari", `employeeShiftId:"{{monday}}",`+morning+`,reason:"x"`,
			harness.Refusal("requestCorrection", "CONFLICT", locked, member, "The period from 2026-03-01 to 2026-03-09 is locked."))
	}
	s.Run(t, []apitest.Scenario{
		settings("one date", `lockedFrom:"2026-03-01"`, "lockedUntil", harness.Required),
		settings("ends before it begins", `lockedFrom:"2026-03-02",lockedUntil:"2026-03-01"`, "lockedUntil", "This must lie between 2026-03-02 and 9998-12-31."),
		settings("too many days", `lockGraceDays:93`, "lockGraceDays", "This must lie between 0 and 92."),
		asked("before the lock", morning+`,reason:"x"`, "early"),
		set("locked", `lockedFrom:"2026-03-01",lockedUntil:"2026-03-09"`),
		settings("a half of it removed", `lockedUntil:null`, "lockedUntil", harness.Required),
		member("requested", "employeeShiftId"),
		decide("decided", "ratna", "early", `approve:true`, harness.Refusal("decideCorrection", "CONFLICT", locked)),
		harness.Asks("leave", "sari", `mutation{requestLeave(input:{typeId:"{{annual}}",startsOn:"2026-03-09",endsOn:"2026-03-10",reason:"x"}){id}}`,
			harness.Refusal("requestLeave", "CONFLICT", locked, "startsOn", "/.+/")),
		harness.Asks("planned by the manager", "ratna", `mutation{planDay(input:{userId:"{{sari}}",date:"2026-03-09",shiftIds:[]}){id}}`, harness.Refusal("planDay", "CONFLICT", locked, "date", "/.+/")),
		set("grace", `lockGraceDays:1`),
		member("requested within the grace", "employeeShiftId"),
		harness.Asks("decided within the grace", "ratna", `mutation{decideCorrection(id:"{{early}}",input:{approve:true}){state}}`, `{"decideCorrection":{"state":"approved"}}`),
		cancel("cancelled in the lock", "sari", "early", harness.Refusal("cancelCorrection", "CONFLICT", locked)),
		harness.Asks("planned by who overrides", "andini", `mutation{planDay(input:{userId:"{{sari}}",date:"2026-03-08",shiftIds:[]}){date}}`, `{"planDay":{"date":"2026-03-08"}}`),
	})
}
