package known

import (
	"fmt"
	"strings"
	"testing"

	"workforce/ent/role"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// A caseOf is a case that more than one day, or more than one person, is about.
type caseOf struct {
	name string
	run  func(t *testing.T, c *company, who string)
}

// start sets the clock, and makes somebody.
func (c *company) start(t *testing.T, who, at string) {
	t.Helper()
	c.Clock.Set(moment(t, at))
	c.SignIn(t, "andini", "admin@demo.test")
	c.person(t, who)
	c.Vars["id"] = c.Vars[who]
}

// employed gives somebody a shift from 08:00 to 12:00 on the dates of an assignment, and has
// the occurrences of the next fortnight made.
func (c *company) employed(t *testing.T, who, name, dates string) {
	t.Helper()
	want(t, "assigned", c.assign(t, who, c.shift(t, who+" "+name, "08:00", "12:00", ""), dates), "")
	want(t, "planned", c.say(t, who, `{shiftToday{employeeShiftId}}`, nil), "")
}

// later sets the clock and finds the results of shifts; andini signs in again.
func (c *company) later(t *testing.T, at string) {
	t.Helper()
	c.Clock.Set(moment(t, at))
	c.SignIn(t, "andini", "admin@demo.test")
	harness.RunDays(t, c.Server)
}

// TestAbsences leaves days without work: D is the 10th of March.
func TestAbsences(t *testing.T) {
	runCases(t, []caseOf{
		{"A05 assigned beats default", func(t *testing.T, c *company, who string) {
			c.start(t, who, "2026-03-10 05:00")
			c.must(t, "andini", fmt.Sprintf(`mutation{setFallbackShift(input:{userId:"%s",shiftId:"%s"}){id}}`, c.Vars[who], c.shift(t, who+" default", "08:00", "12:00", "")))
			c.employed(t, who, "other", `startsOn:"2026-03-10",endsOn:"2026-03-10"`)
			c.Vars[who+".shift"] = c.resolve(t, who, "2026-03-10 08:00").EmployeeShiftID
			want(t, "in", c.clock(t, "in", who, "2026-03-10 08:00"), "")
			want(t, "out", c.clock(t, "out", who, "2026-03-10 10:00"), "")
			c.later(t, "2026-03-13 13:01")
			c.Says(t, "andini", `{shiftResults(where:{date:"2026-03-10",hasUserWith:[{id:"{{id}}"}]}){edges{node{status workedSeconds employeeShift{name}}}}}`,
				`{"shiftResults":{"edges":[{"node":{"status":"present","workedSeconds":7200,"employeeShift":{"name":"`+who+` other"}}}]}}`)
		}},
		{"A20 absent for past days, not today", func(t *testing.T, c *company, who string) {
			c.start(t, who, "2026-03-05 05:00")
			c.employed(t, who, "one day", `startsOn:"2026-03-05",endsOn:"2026-03-05"`)
			c.employed(t, who, "from then on", `startsOn:"2026-03-06"`)
			c.must(t, "andini", `mutation{updateCompany(input:{settings:{offlineHours:3}}){id}}`)
			defer c.must(t, "andini", `mutation{updateCompany(input:{settings:{offlineHours:null}}){id}}`)
			c.later(t, "2026-03-10 15:00")
			want(t, "on D", c.results(t, who, "2026-03-01"), "absent absent absent absent absent")
			c.later(t, "2026-03-10 16:00")
			want(t, "before the wait is over", c.results(t, who, "2026-03-10"), "")
			c.later(t, "2026-03-10 16:01")
			want(t, "then", c.results(t, who, "2026-03-10"), "absent")
		}},
		{"A21 joining and relieving bounds", func(t *testing.T, c *company, who string) {
			c.start(t, who, "2026-02-08 05:00")
			c.must(t, "andini", `mutation{updateUser(id:"`+c.Vars[who]+`",input:{joinedOn:"2026-02-08"}){id}}`)
			c.employed(t, who, "S", `startsOn:"2026-02-13"`)
			c.later(t, "2026-02-22 05:00")
			want(t, "planned", c.say(t, who, `{shiftToday{employeeShiftId}}`, nil), "")
			c.later(t, "2026-03-04 05:00")
			want(t, "planned", c.say(t, who, `{shiftToday{employeeShiftId}}`, nil), "")
			c.must(t, "andini", `mutation{updateUser(id:"`+c.Vars[who]+`",input:{leftOn:"2026-03-05"}){id}}`)
			c.later(t, "2026-03-10 15:00")
			c.Says(t, "andini", `{first:shiftResults(first:1,orderBy:{field:DATE},where:{status:absent,hasUserWith:[{id:"{{id}}"}]}){totalCount edges{node{date}}}
				last:shiftResults(last:1,orderBy:{field:DATE},where:{status:absent,hasUserWith:[{id:"{{id}}"}]}){edges{node{date}}}
				none:shiftResults(where:{dateGT:"2026-03-05",statusNEQ:none,hasUserWith:[{id:"{{id}}"}]}){totalCount}}`,
				`{"first":{"totalCount":21,"edges":[{"node":{"date":"2026-02-13"}}]},"last":{"edges":[{"node":{"date":"2026-03-05"}}]},"none":{"totalCount":0}}`)
		}},
		{"A22 inactive", func(t *testing.T, c *company, who string) {
			c.start(t, who, "2026-03-05 05:00")
			c.employed(t, who, "S", `startsOn:"2026-03-05"`)
			c.must(t, "andini", `mutation{updateUser(id:"`+c.Vars[who]+`",input:{active:false}){id}}`)
			c.later(t, "2026-03-10 15:00")
			c.Says(t, "andini", `{shiftResults(where:{status:absent,hasUserWith:[{id:"{{id}}"}]}){totalCount}}`, `{"shiftResults":{"totalCount":0}}`)
		}},
	})
}

// TestRequests asks for corrections and leave.
func TestRequests(t *testing.T) {
	leave := func(kind, from, to, more string) string {
		return fmt.Sprintf(`mutation{requestLeave(input:{typeId:"{{%s}}",startsOn:%q,endsOn:%q,reason:"x"%s}){id}}`, kind, from, to, more)
	}
	// asked asks for leave, and keeps its id.
	asked := func(t *testing.T, c *company, who, document string) {
		t.Helper()
		c.Vars["leave"] = c.must(t, who, strings.NewReplacer("{{days}}", c.Vars["days"], "{{home}}", c.Vars["home"]).Replace(document))
	}
	decided := func(t *testing.T, c *company) {
		t.Helper()
		c.Says(t, "andini", `mutation{decideLeave(id:"{{leave}}",input:{approve:true}){state}}`, `{"decideLeave":{"state":"approved"}}`)
	}
	runCases(t, []caseOf{
		{"A28 cancel unlinks", func(t *testing.T, c *company, who string) {
			c.start(t, who, "2026-03-10 05:00")
			c.employed(t, who, "S", `startsOn:"2026-03-10",endsOn:"2026-03-10"`)
			c.Vars[who+".shift"] = c.ShiftToday(t, who)
			c.Clock.Set(moment(t, "2026-03-10 13:01"))
			for range 2 { // the time is free again
				c.Vars["correction"] = c.must(t, who, c.correction(who, "2026-03-10T08:00:00+07:00", "2026-03-10T12:00:00+07:00"))
				c.Says(t, "andini", `mutation{decideCorrection(id:"{{correction}}",input:{approve:true}){state}}`, `{"decideCorrection":{"state":"approved"}}`)
				want(t, "approved", c.kept(t, who, "Asia/Jakarta")+" "+c.results(t, who, "2026-03-10"), "03-10 08:00 to 12:00 present")
				c.Says(t, who, `mutation{cancelCorrection(id:"{{correction}}"){state}}`, `{"cancelCorrection":{"state":"cancelled"}}`)
				want(t, "cancelled", c.kept(t, who, "Asia/Jakarta")+c.results(t, who, "2026-03-10"), "")
			}
			c.later(t, "2026-03-13 13:01")
			want(t, "at last", c.results(t, who, "2026-03-10"), "absent")
		}},
		{"A30 request overlap", func(t *testing.T, c *company, who string) {
			c.start(t, who, "2026-03-10 05:00")
			c.Says(t, who, leave("days", "2026-03-10", "2026-03-12", ""), `{"requestLeave":{"id":"<digits>"}}`)
			c.Says(t, who, leave("days", "2026-03-11", "2026-03-13", ""), "CONFLICT")
			c.Says(t, who, leave("days", "2026-03-13", "2026-03-13", ""), `{"requestLeave":{"id":"<digits>"}}`)
		}},
		{"A31 request overwrites", func(t *testing.T, c *company, who string) {
			c.start(t, who, "2026-03-10 05:00")
			c.employed(t, who, "S", `startsOn:"2026-03-10",endsOn:"2026-03-10"`)
			c.later(t, "2026-03-13 13:01")
			want(t, "at first", c.results(t, who, "2026-03-10"), "absent")
			asked(t, c, who, leave("home", "2026-03-10", "2026-03-10", ""))
			decided(t, c)
			want(t, "approved", c.results(t, who, "2026-03-10"), "work_from_home")
			c.Says(t, "andini", `{auditEvents(where:{subjectType:"Leave",subjectId:"{{leave}}"},last:1,orderBy:{field:AT}){totalCount edges{node{after}}}}`,
				`{"auditEvents":{"totalCount":2,"edges":[{"node":{"after":"/.*\"state\":\"approved\".*/"}}]}}`)
			c.Says(t, who, `mutation{cancelLeave(id:"{{leave}}"){state}}`, `{"cancelLeave":{"state":"cancelled"}}`)
			want(t, "cancelled", c.results(t, who, "2026-03-10"), "absent")
		}},
		{"A32 request skips holiday and leave", func(t *testing.T, c *company, who string) {
			c.start(t, who, "2026-03-10 05:00")
			c.Says(t, "andini", `mutation{createHoliday(input:{name:"Libur",date:"2026-04-07"}){date}}`, `{"createHoliday":{"date":"2026-04-07"}}`)
			asked(t, c, who, leave("days", "2026-04-08", "2026-04-08", ""))
			decided(t, c)
			asked(t, c, who, leave("home", "2026-04-06", "2026-04-09", ""))
			c.Says(t, who, `{leave(id:"{{leave}}"){dates skipped}}`, `{"leave":{"dates":["2026-04-06","2026-04-09"],"skipped":["2026-04-07","2026-04-08"]}}`)
			c.Says(t, who, `mutation{cancelLeave(id:"{{leave}}"){state}}`, `{"cancelLeave":{"state":"cancelled"}}`)
			asked(t, c, who, leave("home", "2026-04-06", "2026-04-09", ",includeHolidays:true"))
			c.Says(t, who, `{leave(id:"{{leave}}"){dates skipped}}`, `{"leave":{"dates":["2026-04-06","2026-04-07","2026-04-09"],"skipped":["2026-04-08"]}}`)
		}},
	}, func(t *testing.T, c *company) {
		c.Vars["days"] = c.must(t, "andini", `mutation{createLeaveType(input:{name:"Days",unit:day}){id}}`)
		c.Vars["home"] = c.must(t, "andini", `mutation{createLeaveType(input:{name:"At home",unit:day,workFromHome:true}){id}}`)
	})
}

// TestReadings reads positions, another's day, and the week of a day.
func TestReadings(t *testing.T) {
	point := func(latitude, at string) string {
		return fmt.Sprintf(`{latitude:%q,longitude:"106.816666",accuracy:5,recordedAt:%q}`, latitude, at)
	}
	// tracked makes somebody who consents and clocked in at 08:00.
	tracked := func(t *testing.T, c *company, who string) {
		t.Helper()
		c.start(t, who, "2026-03-10 05:00")
		c.employed(t, who, "S", `startsOn:"2026-03-10",endsOn:"2026-03-10"`)
		c.Vars[who+".shift"] = c.ShiftToday(t, who)
		c.must(t, who, `mutation{setCoordinateConsent(input:{granted:true}){id}}`)
		want(t, "in", c.clock(t, "in", who, "2026-03-10 08:00", "accuracy", "5"), "")
	}
	const history = `{coordinateHistory(limit:10){nodes{source recordedAt}}}`
	runCases(t, []caseOf{
		{"A40 future GPS point", func(t *testing.T, c *company, who string) {
			tracked(t, c, who)
			c.Clock.Set(moment(t, "2026-03-10 08:30"))
			c.Says(t, who, `mutation{reportCoordinates(input:{points:[`+point("-6.195", "2036-03-10T08:20:00+07:00")+point("91", "2026-03-10T08:20:00+07:00")+point("-6.195", "2026-03-10T08:25:00+07:00")+
				`]}){accepted dropped{index reason}}}`, `{"reportCoordinates":{"accepted":2,"dropped":[{"index":0,"reason":"ahead"}]}}`)
			c.Says(t, who, history, `{"coordinateHistory":{"nodes":[{"source":"clock_in","recordedAt":"2026-03-10T01:00:00Z"},{"source":"report","recordedAt":"2026-03-10T01:25:00Z"}]}}`)
			c.Says(t, who, `{coordinates(where:{hiddenNotNil:true}){edges{node{hidden}}}}`, `{"coordinates":{"edges":[{"node":{"hidden":"invalid"}}]}}`)
		}},
		{"A41 alarm beats filter", func(t *testing.T, c *company, who string) { // ours: a clock event, and each quarter of an hour
			tracked(t, c, who)
			c.Clock.Set(moment(t, "2026-03-10 08:20"))
			c.Says(t, who, `mutation{reportCoordinates(input:{points:[`+point("-6.2", "2026-03-10T08:05:00+07:00")+point("-6.2", "2026-03-10T08:16:00+07:00")+
				`]}){accepted dropped{index}}}`, `{"reportCoordinates":{"accepted":2,"dropped":[]}}`)
			want(t, "out", c.clock(t, "out", who, "2026-03-10 08:21", "accuracy", "5"), "")
			c.Says(t, who, history, `{"coordinateHistory":{"nodes":[{"source":"clock_in","recordedAt":"2026-03-10T01:00:00Z"},{"source":"report","recordedAt":"2026-03-10T01:16:00Z"},`+
				`{"source":"clock_out","recordedAt":"2026-03-10T01:21:00Z"}]}}`)
			c.Says(t, who, `{coordinates(where:{hiddenNotNil:true}){edges{node{hidden}}}}`, `{"coordinates":{"edges":[{"node":{"hidden":"still"}}]}}`)
		}},
		{"A50 supervisor scope", func(t *testing.T, c *company, who string) {
			c.start(t, who, "2026-03-10 05:00")
			c.start(t, who+"b", "2026-03-10 05:00")
			ctx := viewer.System(t.Context())
			boss := c.Store.Ent.User.Query().Where(userNamed("manager")).OnlyX(ctx)
			supervisor := c.Store.Ent.Role.Query().Where(role.Builtin(viewer.Supervisor), role.CompanyID(boss.CompanyID)).OnlyIDX(ctx)
			c.start(t, who+"s", "2026-03-10 05:00")
			c.must(t, "andini", fmt.Sprintf(`mutation{updateUser(id:"%s",input:{roleIds:["%d"]}){id}}`, c.Vars[who+"s"], supervisor))
			team := c.must(t, "andini", fmt.Sprintf(`mutation{createBusiness(input:{name:"Team of A50",managerId:"%s"}){id}}`, c.Vars[who+"s"]))
			c.must(t, "andini", fmt.Sprintf(`mutation{updateUser(id:"%s",input:{businessId:"%s"}){id}}`, c.Vars[who], team))
			for read, answer := range map[string]string{
				`{timesheetWidget(from:"2026-03-10",to:"2026-03-10",userId:"%s"){workedSeconds}}`:        `{"timesheetWidget":{"workedSeconds":0}}`,
				`{timesheet(userIds:["%s"],from:"2026-03-10",to:"2026-03-10",limit:1){totalCount}}`:      `{"timesheet":{"totalCount":1}}`,
				`{coordinateHistory(userId:"%s",from:"2026-03-10",to:"2026-03-10",limit:1){totalCount}}`: `{"coordinateHistory":{"totalCount":0}}`,
			} {
				c.Says(t, who+"s", fmt.Sprintf(read, c.Vars[who]), answer)
				c.Says(t, who+"s", fmt.Sprintf(read, c.Vars[who+"b"]), "NOT_FOUND")
			}
		}},
		{"A92 default week", func(t *testing.T, c *company, who string) {
			c.start(t, who, "2026-03-10 10:00")
			for day, week := range map[string]string{"2011-06-23": `"from":"2011-06-20","to":"2011-06-26"`, "2011-04-20": `"from":"2011-04-18","to":"2011-04-24"`} {
				c.Clock.Set(moment(t, day+" 10:00"))
				c.Says(t, who, `{timesheetWidget{from to}}`, `{"timesheetWidget":{`+week+`}}`)
				c.Says(t, who, `{timesheet(limit:1){from to}}`, `{"timesheet":{`+week+`}}`)
			}
		}},
	})
}

// runCases runs cases, each with somebody of its own.
func runCases(t *testing.T, cases []caseOf, before ...func(*testing.T, *company)) {
	t.Helper()
	each(t, func(t *testing.T, c *company) {
		for _, b := range before {
			b(t, c)
		}
		for i, tt := range cases {
			t.Run(tt.name, func(t *testing.T) { tt.run(t, c, fmt.Sprint("somebody", i)) })
		}
	})
}
