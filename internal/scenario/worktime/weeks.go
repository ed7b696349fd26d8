package worktime

import (
	"testing"
	"time"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
)

// weeks tests the approval of weeks, and what is locked by it and by the company.
func weeks(t *testing.T, s *harness.Server) {
	signIn(t, s)
	s.MoveTo(t, time.Date(2026, 3, 10, 11, 0, 0, 0, time.UTC), names...)
	submit := func(name, who, date, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{submitWeek(input:{date:"`+date+`",note:"selesai"}){startsOn endsOn state seconds note decisionNote decidedAt user{id}}}`, want)
	}
	week := func(state string, seconds string) string {
		return `{"submitWeek":{"startsOn":"2026-03-09","endsOn":"2026-03-15","state":"` + state + `","seconds":` + seconds + `,"note":"selesai","decisionNote":null,"decidedAt":null,"user":{"id":"{{agus}}"}}}`
	}
	decide := func(name, who, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{decideWeek(id:"{{week}}",input:{`+input+`}){state decisionNote}}`, want)
	}
	locked := `{"conflict":"LOCKED_PERIOD","lockedFrom":"2026-03-09","lockedUntil":"2026-03-15","state":"submitted"}`
	id := harness.Asks("the week", "agus", `{timeWeeks{edges{node{id state}}}}`, `{"timeWeeks":{"edges":[{"node":{"id":"<digits>","state":"submitted"}}]}}`)
	id.Save = map[string]string{"week": "/data/timeWeeks/edges/0/node/id"}
	correct := func(name, who, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{correctTimeEntry(id:"{{monday}}",input:{`+input+`}){id kind startedAt seconds date note corrects{id} task{title}}}`, want)
	}
	corrected := correct("a correction on another date", "agus", `seconds:-600,note:"istirahat",date:"2026-03-08"`,
		`{"correctTimeEntry":{"id":"<digits>","kind":"correction","startedAt":null,"seconds":-600,"date":"2026-03-08","note":"istirahat","corrects":{"id":"{{monday}}"},"task":{"title":"Survei"}}}`)
	corrected.Save = map[string]string{"correction": "/data/correctTimeEntry/id"}
	s.Run(t, []apitest.Scenario{
		saved("Monday", "agus", `{"title":"Survei","startAt":"2026-03-09T08:00:00+07:00","endAt":"2026-03-09T09:00:00+07:00"}`, activity("Survei", "2026-03-09T08:00:00", "2026-03-09T09:00:00", 3600), "monday"),
		save("over midnight into it", "agus", `{"title":"Malam","startAt":"2026-03-08T23:30:00+07:00","endAt":"2026-03-09T00:30:00+07:00"}`, `"<any>"`),
		saved("running", "agus", `{"title":"Lari","startAt":"2026-03-10T18:00:00+07:00"}`, `"<any>"`, "runs"),
		submit("while a timer runs", "agus", "2026-03-10", harness.Refusal("submitWeek", "CONFLICT", `{"conflict":"TIMER_RUNNING","runningTimer":"<digits>"}`)),
		save("stopped", "agus", `{"id":"{{runs}}","endAt":"2026-03-10T18:00:00+07:00"}`, `"<any>"`),
		submit("this week", "agus", "2026-03-10", week("submitted", "5400")),
		submit("again", "agus", "2026-03-15", harness.Refusal("submitWeek", "CONFLICT", `{"conflict":"ALREADY_REQUESTED","state":"submitted"}`)),
		id,
		refused(save("its entries are locked", "agus", `{"id":"{{monday}}","note":"x"}`, ""), 409, "CONFLICT", locked),
		refused(save("and take no others", "agus", `{"title":"x","startAt":"2026-03-10T08:00:00+07:00","endAt":"2026-03-10T09:00:00+07:00"}`, ""), 409, "CONFLICT", locked),
		harness.Asks("not deleted", "agus", `mutation{deleteTimeEntries(ids:["{{monday}}"]){deleted code}}`, `{"deleteTimeEntries":[{"deleted":false,"code":"CONFLICT"}]}`),
		harness.Asks("nor by the owner", "andini", `mutation{deleteTimeEntry(id:"{{monday}}"){deleted}}`, harness.Refusal("deleteTimeEntry", "CONFLICT", locked)),
		decide("one's own", "agus", `approve:true`, harness.Refusal("decideWeek", "FORBIDDEN", "{}")),
		decide("another company's", "daeng", `approve:true`, harness.Refusal("decideWeek", "NOT_FOUND", "{}")),
		decide("rejected", "ratna", `approve:false,note:"kurang"`, `{"decideWeek":{"state":"rejected","decisionNote":"kurang"}}`),
		save("then changed", "agus", `{"id":"{{monday}}","endAt":"2026-03-09T10:00:00+07:00"}`, activity("Survei", "2026-03-09T08:00:00", "2026-03-09T10:00:00", 7200)),
		submit("and submitted again", "agus", "2026-03-09", week("submitted", "9000")),
		decide("approved", "ratna", `approve:true`, `{"decideWeek":{"state":"approved","decisionNote":null}}`),
		correct("on a locked date", "agus", `seconds:-600,note:"x"`, harness.Refusal("correctTimeEntry", "CONFLICT", `{"conflict":"LOCKED_PERIOD","lockedFrom":"2026-03-09","lockedUntil":"2026-03-15","state":"approved"}`, "date", "/.+/")),
		correct("nothing, without a reason", "agus", `seconds:0,note:" "`, harness.Refusal("correctTimeEntry", "VALIDATION_FAILED", "{}", "note", harness.Required, "seconds", harness.Required)),
		corrected,
		harness.Asks("the week stays", "agus", `{timeTotals(from:"2026-03-09",to:"2026-03-15"){seconds}}`, `{"timeTotals":{"seconds":9000}}`),
		harness.Asks("the date of the correction does not", "agus", `{timeTotals(from:"2026-03-08",to:"2026-03-08"){seconds}}`, `{"timeTotals":{"seconds":1200}}`),
		refused(save("a correction has no interval", "agus", `{"id":"{{correction}}","startAt":"2026-03-08T08:00:00+07:00"}`, ""), 422, "VALIDATION_FAILED", "{}", "startAt"),
		harness.Asks("a correction is removed", "agus", `mutation{deleteTimeEntry(id:"{{correction}}"){deleted}}`, `{"deleteTimeEntry":{"deleted":true}}`),
		set("the company locks", `lockedFrom:"2026-03-01",lockedUntil:"2026-03-08"`),
		refused(save("a locked period", "agus", `{"title":"x","startAt":"2026-03-08T08:00:00+07:00","endAt":"2026-03-08T09:00:00+07:00"}`, ""), 409, "CONFLICT", `{"conflict":"LOCKED_PERIOD","lockedFrom":"2026-03-01","lockedUntil":"2026-03-08"}`),
		harness.Asks("an owner overrides it", "andini", `mutation{createTimeEntry(input:{title:"Bantu",startAt:"2026-03-08T08:00:00+07:00",endAt:"2026-03-08T09:00:00+07:00"}){seconds}}`, `{"createTimeEntry":{"seconds":3600}}`),
	})
	for who, part := range map[string]string{"manager@demo.test": "mengajukan minggu mulai 2026-03-09", "agus@demo.test": "ditolak"} {
		wantNotice(t, s, who, part)
	}
	wantNotice(t, s, "agus@demo.test", "disetujui")
	wantSums(t, s)
}

// clockOuts tests that a clock-out stops the timer, and that the end of an attendance by rule does
// not.
func clockOuts(t *testing.T, s *harness.Server) {
	signIn(t, s)
	s.SaveSites(t, "budi")
	s.SaveShift(t, "budi")
	s.SaveShift(t, "agus")
	s.Run(t, []apitest.Scenario{
		harness.ClockIn("agus"),
		saved("agus's timer", "agus", `{"title":"Lembur","startAt":"2026-03-10T09:00:00+07:00"}`, activity("Lembur", "2026-03-10T09:00:00", "", 0), "overtime"),
		harness.ClockIn("budi"),
		harness.Asks("a timer", "budi", `mutation{startTimer(input:{title:"Survei"}){address{name}}}`, `{"startTimer":{"address":{"name":"Kantor Pusat"}}}`),
	})
	move(t, s, "10:00:00")
	s.Run(t, []apitest.Scenario{
		harness.ClockOut("budi"),
		get("it was stopped as budi left", "budi", "/tasks", `[`+activity("Survei", "2026-03-10T09:00:00", "2026-03-10T10:00:00", 3600)+`]`),
		get("none runs", "budi", "/tasks/running", `null`),
		get("the widget counts it", "budi", "/widget/timesheet?from=2026-03-10&to=2026-03-10",
			`{"from":"2026-03-10","to":"2026-03-10","workedSeconds":3600,"closedSeconds":3600,"taskSeconds":3600,"days":[{"date":"2026-03-10","status":"<any>","workedSeconds":3600,"closedSeconds":3600,"taskSeconds":3600,"lateSeconds":"<any>"}]}`),
		harness.Asks("by site", "budi", `{timeTotals(from:"2026-03-10",to:"2026-03-10",by:address){groups{label seconds}}}`, `{"timeTotals":{"groups":[{"label":"Kantor Pusat","seconds":3600}]}}`),
	})
	move(t, s, "20:00:00")
	harness.RunDays(t, s)
	s.Run(t, []apitest.Scenario{
		harness.Asks("agus forgot to clock out", "agus", `{attendances(last:1,orderBy:{field:CLOCKED_IN_AT}){edges{node{autoClosed clockedOutAt}}}}`,
			`{"attendances":{"edges":[{"node":{"autoClosed":true,"clockedOutAt":"2026-03-10T13:00:00Z"}}]}}`),
		get("the timer runs on", "agus", "/tasks/running", activity("Lembur", "2026-03-10T09:00:00", "", 11*3600)),
		save("until agus stops it, when the work ended", "agus", `{"id":"{{overtime}}","title":"Lembur","endAt":"2026-03-10T17:00:00+07:00"}`,
			activity("Lembur", "2026-03-10T09:00:00", "2026-03-10T17:00:00", 8*3600)),
		saved("another timer", "agus", `{"title":"Lembur","startAt":"2026-03-10T20:00:00+07:00"}`, activity("Lembur", "2026-03-10T20:00:00", "", 0), "last"),
		harness.Asks("agus leaves", "andini", `mutation{deleteUser(id:"{{agus}}"){deleted}}`, `{"deleteUser":{"deleted":true}}`),
	})
	s.Clock.Advance(4 * time.Minute)
	harness.RunTimers(t, s)
	s.Run(t, []apitest.Scenario{
		harness.Asks("and has no timer any more", "andini", `{timeEntry(id:"{{last}}"){endedAt seconds task{running}}}`, `{"timeEntry":{"endedAt":"2026-03-10T13:04:00Z","seconds":240,"task":{"running":false}}}`),
	})
	wantSums(t, s)
}
