package known

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"workforce/internal/scenario/harness"
	"workforce/internal/shift"
)

// A step is something that happens on somebody's day, or is asked about it.
type step struct {
	do   string // in, out, run, day FIELDS, results, or ask for a document
	at   string // 15:04 of the day, or with a date before it; "" is no other time
	want string // the code of a refusal, what is kept, the fields, the statuses, or the answer
	of   string // when a clock event was recorded, where that is not when it is sent
}

// A workday is what somebody is to work on a date, and what happens.
type workday struct {
	name     string
	zone     string // "" is Asia/Jakarta
	date     string // "" is 2026-03-10
	shifts   string // start end, start end
	more     string // members of the shifts
	settings string // of the company meanwhile: name:value, name:value
	steps    []step
}

// lunch is the break of most shifts.
const lunch = `,breaks:[{start:"12:00",end:"13:00"}]`

// hours are the fields of a day that most cases are about.
const hours = "day status closedSeconds lateSeconds earlySeconds"

// TestWorkedDays works days, and reads what they come to in the timesheet and in the results
// that are stored.
func TestWorkedDays(t *testing.T) {
	in := func(at string) step { return step{do: "in", at: at} }
	out := func(at string) step { return step{do: "out", at: at} }
	day := func(fields, at, want string) step { return step{do: fields, at: at, want: want} }
	ask := func(document, want string) step { return step{do: document, want: want} }
	run := func(at, kept string) step { return step{do: "run", at: at, want: kept} }
	results := func(at, want string) step { return step{do: "results", at: at, want: want} }
	const waited = "2026-03-14 00:00" // behind the wait for offline events
	const morning, office = "08:00 12:00", "08:00 17:00"
	tests := []workday{
		{"A15 late and early", "", "", morning, `,lateGraceMinutes:60,earlyGraceMinutes:60`, "", []step{in("09:30"), out("10:30"), day(hours, "", "present 3600 5400 5400"), results("13:01", "present")}},
		{"A16 half day", "", "", morning, `,halfDayBelowMinutes:120`, "", []step{in("08:00"), out("09:30"), day(hours, "", "half_day 5400 0 9000"), results("13:01", "half_day")}},
		{"A17 absent by hours", "", "", morning, `,absentBelowMinutes:120`, "", []step{in("08:00"), out("09:30"), day(hours, "", "absent 5400 0 9000"), results("13:01", ""), results(waited, "absent")}},
		{"A18 half a day of both", "", "", morning, `,halfDayBelowMinutes:120,absentBelowMinutes:60`, "", []step{in("08:00"), out("09:30"), day(hours, "", "half_day 5400 0 9000"), results("13:01", "half_day")}},
		{"A18 absent by both", "", "", morning, `,halfDayBelowMinutes:120,absentBelowMinutes:60`, "", []step{in("08:00"), out("08:45"), day(hours, "", "absent 2700 0 11700"), results(waited, "absent")}},
		{"A19 a holiday that was worked", "", "2026-03-12", morning, "", "", []step{
			ask(`mutation{createHoliday(input:{name:"Nyepi",date:"2026-03-12"}){date}}`, `{"createHoliday":{"date":"2026-03-12"}}`),
			in("08:00"), out("12:00"), day("day status closedSeconds expectedSeconds overtimeSeconds offDays", "", "present 14400 0 14400 1"), results("13:01", "present")}},
		{"A23 the same again", "", "", morning, "", "", []step{in("08:00"), out("12:00"),
			{do: "in", at: "12:30", of: "08:30", want: "CONFLICT"}, {do: "out", at: "12:30", of: "11:30", want: "NOT_CLOCKED_IN"},
			run("13:01", "03-10 08:00 to 12:00"), results("", "present")}},
		{"A24 over an attendance", "", "", "08:00 10:00", "", "", []step{in("08:00"), out("10:00"), {do: "assign 09:30 11:00", want: "CONFLICT"},
			{do: "in", at: "10:40", of: "09:30", want: "CONFLICT"}, run("11:01", "03-10 08:00 to 10:00"), results("", "present")}},
		{"A25 two shifts", "", "", "08:00 10:00, 11:00 12:00", "", "", []step{in("08:00"), out("10:00"), in("11:00"), out("12:00"), {do: "assign 09:30 11:00", want: "CONFLICT"},
			run("13:01", "03-10 08:00 to 10:00, 03-10 11:00 to 12:00"), results("", "present present")}},
		{"A26 the shift was edited meanwhile", "", "", morning, "", "", []step{in("08:00"),
			ask(`mutation{updateShift(id:"{{plan}}",input:{opensBeforeMinutes:120}){opensBeforeMinutes}}`, `{"updateShift":{"opensBeforeMinutes":120}}`),
			out("12:00"), run("14:01", "03-10 08:00 to 12:00"), results("", "present")}},
		{"A27 from the first to the last", "", "", "07:00 15:00", `,workingHours:first_last`, "", []step{in("07:00"), out("08:30"), in("09:00"), out("12:00"), in("13:30"),
			day("day closedSeconds", "", "16200")}},
		{"A27 every valid pair", "", "", "07:00 15:00", `,workingHours:every_valid_pair`, "", []step{in("07:00"), out("08:30"), in("09:00"), out("12:00"), in("13:30"),
			day("day closedSeconds", "", "16200")}},
		{"A29 once more", "", "", morning, "", "", []step{in("08:00"), out("12:00"), {do: "in without a shift", at: "12:30", want: "VALIDATION_FAILED"},
			{do: "correct", at: "13:00", want: "CONFLICT"}, run("13:01", "03-10 08:00 to 12:00"), results("", "present")}},
		{"A48 an open record", "", "", morning, "", "", []step{in("08:00"), day("day workedSeconds closedSeconds", "10:00", "7200 0")}},
		{"A49 24 hours", "", "", "12:00 20:00", "", "", []step{in("12:10"), out("2026-03-11 12:10"), day("total closedSeconds", "", "86400")}},
		{"A55 lunch in UTC", "UTC", "2026-09-07", "09:00 17:00", lunch, "", []step{in("09:00"), out("18:00"), day("day closedSeconds", "", "28800")}},
		{"A55 lunch in Tokyo", "Asia/Tokyo", "2026-09-07", "09:00 17:00", lunch, "", []step{in("09:00"), out("18:00"), day("day closedSeconds", "", "28800")}},
		{"A55 lunch in Honolulu", "Pacific/Honolulu", "2026-09-07", "09:00 17:00", lunch, "", []step{in("09:00"), out("18:00"), day("total closedSeconds", "", "28800")}},
		{"A55 lunch in Mexico City", "America/Mexico_City", "2026-09-07", "09:00 17:00", lunch, "", []step{in("09:00"), out("18:00"), day("total closedSeconds", "", "28800")}},
		{"A56 no lunch line", "", "2026-09-07", "09:00 17:00", "", "", []step{in("09:00"), out("18:00"), day("day closedSeconds", "", "32400")}},
		{"A57 simple overtime", "", "2021-01-04", office, lunch, "", []step{in("08:00"), out("12:00"), in("13:00"), day("day overtimeSeconds", "17:59", "0"),
			out("18:00"), day("day overtimeSeconds", "", "3600")}},
		{"A58 lunch worked", "", "2021-01-04", office, lunch, "", []step{in("08:00"), out("17:00"), day("day closedSeconds overtimeSeconds", "", "28800 0")}},
		{"A58 an hour earlier", "", "2021-01-04", office, lunch, "", []step{in("07:00"), out("16:00"), day("day closedSeconds overtimeSeconds", "", "28800 0")}},
		{"A58 an hour later", "", "2021-01-04", office, lunch, "", []step{in("09:00"), out("18:00"), day("day closedSeconds overtimeSeconds", "", "28800 0")}},
		{"A59 10 minutes are tolerated", "", "2021-01-04", office, lunch, "overtimeToleranceMinutes:10", []step{in("07:55"), out("12:00"), in("13:00"), out("17:05"), day("day overtimeSeconds", "", "0")}},
		{"A59 4 minutes are tolerated", "", "2021-01-04", office, lunch, "overtimeToleranceMinutes:4", []step{in("07:55"), out("12:00"), in("13:00"), out("17:05"), day("day overtimeSeconds", "", "600")}},
		{"A60 a Saturday on which nothing is expected", "", "2021-01-09", "08:00 11:00", "", "", []step{
			ask(`mutation{createHoliday(input:{name:"Saturday",date:"2021-01-09"}){date}}`, `{"createHoliday":{"date":"2021-01-09"}}`),
			in("08:00"), out("11:00"), day("day expectedSeconds overtimeSeconds", "", "0 10800")}},
		{"A61 undertime", "Europe/Brussels", "2021-01-04", office, lunch, "", []step{in("08:00"), out("12:00"), day("day balanceSeconds", "", "-14400"),
			in("13:00"), out("18:00"), day("day balanceSeconds", "", "3600")}},
		{"A62 closed with earlier work", "", "", office, lunch, "forgottenToleranceMinutes:60", []step{in("08:00"), out("11:00"), in("11:00"), out("13:00"), in("14:00"),
			run("23:00", "03-10 08:00 to 11:00, 03-10 11:00 to 13:00, 03-10 14:00 to 19:00"), day("day closedSeconds", "", "32400")}},
		{"A63 within the allotment", "", "", office, lunch + `,closesAfterMinutes:240`, "forgottenToleranceMinutes:60", []step{in("20:00"), run("23:00", "03-10 20:00 to open")}},
		{"A63 flexible", "", "", office, lunch + `,lateGraceMinutes:null,earlyGraceMinutes:null`, "forgottenToleranceMinutes:60", []step{in("08:00"), run("23:00", "03-10 08:00 to open")}},
		{"A63 closed", "", "", office, lunch, "forgottenToleranceMinutes:60", []step{in("08:00"), out("20:00"), run("23:00", "03-10 08:00 to 20:00")}},
		{"A64 two days later", "", "", office, lunch, "forgottenToleranceMinutes:60", []step{in("08:00"), run("2026-03-12 23:00", "03-10 08:00 to 18:00")}},
		{"A65 lunch between", "", "", office, lunch, "forgottenToleranceMinutes:60", []step{in("08:00"), out("12:00"), in("13:00"),
			run("22:00", "03-10 08:00 to 12:00, 03-10 13:00 to 18:00"), day("day closedSeconds", "", "32400")}},
		{"A66 closed by the cap", "", "", "08:00 20:00", `,lateGraceMinutes:null,earlyGraceMinutes:null`, "attendanceCapMinutes:660", []step{in("08:00"),
			run("23:00", "03-10 08:00 to 19:00"), ask(`{attendances(where:{hasUserWith:[{id:"{{id}}"}]}){edges{node{closingRule needsConfirmation}}}}`,
				`{"attendances":{"edges":[{"node":{"closingRule":"cap","needsConfirmation":true}}]}}`)}},
		{"A66 exempt", "", "", "08:00 20:00", `,lateGraceMinutes:null,earlyGraceMinutes:null`, "attendanceCapMinutes:660", []step{in("08:00"),
			ask(`mutation{createExemption(input:{userId:"{{id}}",rule:auto_close,endsOn:"2026-03-31"}){rule}}`, `{"createExemption":{"rule":"auto_close"}}`), run("23:00", "03-10 08:00 to open")}},
	}
	each(t, func(t *testing.T, c *company) {
		for i, tt := range tests {
			t.Run(tt.name, func(t *testing.T) { c.work(t, fmt.Sprint("day", i), tt) })
		}
	})
}

// work makes somebody who works a day, and takes its steps.
func (c *company) work(t *testing.T, who string, d workday) {
	t.Helper()
	if d.zone == "" {
		d.zone = "Asia/Jakarta"
	}
	if d.date == "" {
		d.date = "2026-03-10"
	}
	c.Clock.Set(d.time(t, "05:00"))
	c.SignIn(t, "andini", "admin@demo.test")
	c.person(t, who)
	c.Vars["id"] = c.Vars[who]
	for n, times := range strings.Split(d.shifts, ", ") {
		start, end, _ := strings.Cut(times, " ")
		c.Vars["plan"] = c.shift(t, fmt.Sprint(who, " ", n), start, end, fmt.Sprintf(`,timezone:%q%s`, d.zone, d.more))
		want(t, "assigned", c.assign(t, who, c.Vars["plan"], fmt.Sprintf(`startsOn:%q,endsOn:%[1]q`, d.date)), "")
	}
	c.Vars[who+".shift"] = c.ShiftToday(t, who)
	if d.settings != "" {
		c.must(t, "andini", `mutation{updateCompany(input:{settings:{`+d.settings+`}}){id}}`)
		name, _, _ := strings.Cut(d.settings, ":")
		defer c.must(t, "andini", `mutation{updateCompany(input:{settings:{`+name+`:null}}){id}}`)
	}
	for _, s := range d.steps {
		if s.at != "" {
			c.Clock.Set(d.time(t, s.at))
		}
		c.take(t, who, d, s)
	}
}

// time reads a time of the day.
func (d workday) time(t *testing.T, text string) time.Time {
	t.Helper()
	if len(text) == len("15:04") {
		text = d.date + " " + text
	}
	at, err := time.ParseInLocation("2006-01-02 15:04", text, shift.ZoneNamed(d.zone))
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// take takes a step of somebody's day.
func (c *company) take(t *testing.T, who string, d workday, s step) {
	t.Helper()
	about := d.name + ": " + s.do + " at " + s.at
	kind, rest, _ := strings.Cut(s.do, " ")
	switch kind {
	case "in", "out":
		var change []string
		if s.of != "" {
			change = []string{"recordedAt", `"` + d.time(t, s.of).Format(time.RFC3339) + `"`}
		} else if kind == "in" {
			c.useOpen(t, who)
		}
		if rest != "" { // without a shift
			change = append(change, "employeeShiftId", "")
		}
		want(t, about, c.clock(t, kind, who, "", change...), s.want)
	case "run":
		harness.RunDays(t, c.Server)
		want(t, about, c.kept(t, who, d.zone), s.want)
	case "day", "total":
		want(t, about, c.sums(t, who, d, kind, strings.Fields(rest)), s.want)
	case "results":
		harness.RunDays(t, c.Server)
		want(t, about, c.results(t, who, d.date), s.want)
	case "assign":
		start, end, _ := strings.Cut(rest, " ")
		id := c.shift(t, d.name+" "+rest, start, end, "")
		want(t, about, c.assign(t, who, id, fmt.Sprintf(`startsOn:%q,endsOn:%[1]q`, d.date)), s.want)
	case "correct": // ask for the morning once more
		want(t, about, c.say(t, who, c.correction(who, d.date+"T08:00:00+07:00", d.date+"T12:00:00+07:00"), nil), s.want)
	default:
		c.Says(t, "andini", s.do, s.want)
	}
}

// useOpen keeps the id of the occurrence of somebody's whose window is open, if any is.
func (c *company) useOpen(t *testing.T, who string) {
	t.Helper()
	now := c.Clock.Now()
	var data struct{ ShiftToday []occurrence }
	if code := c.say(t, who, `{shiftToday{employeeShiftId clockInFrom clockInUntil}}`, &data); code != "" {
		t.Fatal(code)
	}
	for _, o := range data.ShiftToday {
		if !now.Before(o.ClockInFrom) && now.Before(o.ClockInUntil.Add(time.Minute)) {
			c.Vars[who+".shift"] = o.EmployeeShiftID
		}
	}
}

// correction is a request of somebody's to add an attendance.
func (c *company) correction(who, in, out string) string {
	return fmt.Sprintf(`mutation{requestCorrection(input:{employeeShiftId:"%s",clockInAt:%q,clockOutAt:%q,addressId:"%s",reason:"x"}){id}}`, c.Vars[who+".shift"], in, out, c.Vars["pusat"])
}

// sums returns fields of somebody's timesheet: of a day, or of it and the dates beside it.
func (c *company) sums(t *testing.T, who string, d workday, of string, fields []string) string {
	t.Helper()
	from, to := shift.Date(d.date), shift.Date(d.date)
	if of == "total" {
		from, to = from.AddDays(-1), to.AddDays(2)
	}
	var data struct {
		Timesheet struct {
			People []struct{ Parts []json.RawMessage }
		}
	}
	document := fmt.Sprintf(`{timesheet(userIds:["%s"],from:%q,to:%q,by:period,limit:1){people{parts{%s}}}}`, c.Vars[who], from, to, strings.Join(fields, " "))
	if of == "day" {
		document = strings.Replace(document, "by:period", "by:day", 1)
	}
	if code := c.say(t, "andini", document, &data); code != "" {
		t.Fatal(document, code)
	}
	var values map[string]any
	decoder := json.NewDecoder(bytes.NewReader(data.Timesheet.People[0].Parts[0]))
	decoder.UseNumber()
	if err := decoder.Decode(&values); err != nil {
		t.Fatal(err)
	}
	text := make([]string, len(fields))
	for i, f := range fields {
		text[i] = fmt.Sprint(values[f])
	}
	return strings.Join(text, " ")
}

// results returns the statuses that are stored of somebody from a date on, by date.
func (c *company) results(t *testing.T, who, from string) string {
	t.Helper()
	var data struct {
		ShiftResults struct {
			Edges []struct{ Node struct{ Date, Status string } }
		}
	}
	document := fmt.Sprintf(`{shiftResults(first:50,where:{dateGTE:%q,hasUserWith:[{id:"%s"}]}){edges{node{date status}}}}`, from, c.Vars[who])
	if code := c.say(t, "andini", document, &data); code != "" {
		t.Fatal(document, code)
	}
	var list []string
	for _, e := range data.ShiftResults.Edges {
		list = append(list, e.Node.Status)
	}
	return strings.Join(list, " ")
}
