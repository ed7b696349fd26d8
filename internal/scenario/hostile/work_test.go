package hostile

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/employeeshift"
	entPosition "workforce/ent/position"
	entTimeEntry "workforce/ent/timeentry"
	"workforce/ent/user"
	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
	"workforce/internal/shift"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// yearPeople is how many people have worked and booked time for a year.
const yearPeople = 500

// asked are fields whose work follows their arguments, and how many days of people it is.
// $year, $month and $fortnight are periods, $one is somebody's id and $ids those of 100 people.
var asked = map[string]string{
	"a year by day":               `timesheet($year, by: day, limit: 100) {people {name parts {from workedSeconds expectedSeconds}}}`,
	"a year in all":               `timesheet($year, by: period, limit: 100) {total {workedSeconds}}`,
	"a year of some":              `timesheet($year, by: day, userIds: $ids, limit: 100) {people {parts {from status}}}`,
	"a month of 1,000":            `timesheet($month, limit: 1000) {people {userId name total {workedSeconds} parts {from status workedSeconds}}}`,
	"a year of one":               `timesheetWidget($year) {days {date status workedSeconds}}`,
	"lateness of some":            `lateness(userIds: $ids, $year) {userId}`,
	"totals of a year":            `timeTotals($year, by: user, then: date) {groups {label groups {seconds}}}`,
	"totals in steps":             `timeTotals($year, by: user, rounding: {mode: outward, minutes: 15}, fillGaps: true) {groups {label seconds}}`,
	"totals of some":              `timeTotals($year, userIds: $ids, by: date, then: user) {seconds}`,
	"people and groups":           `activityGroupsByUser($year, by: date, limit: 100) {user {name} groups {label trackedSeconds}}`,
	"a person and groups":         `activityGroupsByUser($year, by: date, limit: 1) {user {name} groups {label trackedSeconds}}`,
	"groups of a month":           `activityGroups($fortnight, by: date, limit: 1) {label trackedSeconds}`,
	"people with time":            `activityUsers($year) {taskCount trackedSeconds}`,
	"a day's activities":          `activities(date: "2026-03-02", limit: 1) {id}`,
	"where everybody is":          `attendanceSummary(limit: 1) {totalCount groups {name count}}`,
	"where everybody is, by name": `attendanceSummary(limit: 1000) {groups {name count people {userId name status}}}`,
	"a week's plan":               `roster(limit: 1000) {people {name shifts {name startAt}}}`,
	"a week's plan of one":        `roster(limit: 1) {totalCount people {name}}`,
	"a month of positions":        `coordinateHistory(userId: $one, $month) {nodes {latitude longitude}}`,
	"a page of positions":         `coordinateHistory(userId: $one, $month, limit: 1, page: 30000) {totalCount nodes {latitude}}`,
	"a month's way":               `coordinateSummary(userId: $one, $month) {distanceMeters}`,
	"who looked":                  `coordinateReads(userId: $one, limit: 1) {totalCount}`,
	"a long leave":                `leavePreview(startsOn: "2026-03-02", endsOn: "2027-03-01") {dates}`,
	"who is away":                 `away(from: "2026-03-01", to: "2026-05-01") {name from to}`,
	"leave that is left":          `leaveBalances(year: 2026) {remaining}`,
	"a structure":                 `businessStructure {name depth userCount}`,
	"people below":                `employees(businessId: "$business", subtree: true, limit: 1) {totalCount}`,
	"tasks by words":              `taskList(search: "a e", limit: 1) {totalCount}`,
}

// mostWork is how much processor time as much of a field as is allowed may take. The dearest take
// 0.7 to 1.7 s, by the machine; those whose work did not follow its cost took from 3.5 to 6.4 s.
const mostWork = 2500 * time.Millisecond

// TestWorkOfArguments asks each field for as much as one operation may have of it: as many of
// them as are not refused. None takes much longer, or more memory, than any other request may.
func TestWorkOfArguments(t *testing.T) {
	if _, err := os.Stat("/proc/self/clear_refs"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("NOT TESTED: what a request costs is measured on Linux alone")
	}
	bin := harness.Build(t)
	testdb.Each(t, func(t *testing.T, database string) {
		t.Parallel() // each database has a server of its own
		y := fillYear(t, database)
		s := &site{T: t, tokens: y.tokens, start: func() *process { return start(t, bin, database, y.key) }}
		s.restart()
		for name, field := range asked {
			t.Run(name, func(t *testing.T) {
				for _, n := range []int{30, 20, 10, 5, 2, 1} {
					request := hostile{name: name, text: query(y.document(field, n), y.ids), token: true}
					if s.refused(t, request.with(y.tokens)) {
						continue
					}
					t.Logf("%d of them", n)
					s.tryWarm(t, request.with(y.tokens))
					return
				}
				t.Error("not even one is allowed")
			})
		}
	})
}

// tryWarm sends a request to a server that has answered it before, so that reading the database's
// file for the first time does not count; up to three times if it seems to cost too much.
func (s *site) tryWarm(t *testing.T, h hostile) {
	t.Helper()
	var spent cost
	for range 3 {
		spent = s.measure(t, func() { s.send(t, h) })
		t.Log(spent)
		if spent.cpu <= mostWork && min(spent.peak, spent.allocated) <= mostSignedIn.peak {
			return
		}
	}
	t.Error("it costs too much")
}

// refused says whether a request is beyond a limit; it fails the test where it is refused for
// anything else.
func (s *site) refused(t *testing.T, h hostile) bool {
	t.Helper()
	var body struct {
		Errors []struct {
			Message    string
			Extensions struct{ Meta struct{ Limit string } }
		}
	}
	text := s.send(t, h).text
	if err := json.Unmarshal(text, &body); err != nil {
		t.Fatalf("%v: %.300s", err, text)
	}
	for _, e := range body.Errors {
		if e.Extensions.Meta.Limit == "" {
			t.Fatalf("%+v", e)
		}
	}
	return len(body.Errors) > 0
}

// A year is a company whose people worked and booked time for a year.
type year struct {
	tokens, key string
	ids         string            // variables with the ids of 100 people
	words       *strings.Replacer // of documents
}

// document is a query with n of a field.
func (y year) document(field string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "a%d:%s ", i, y.words.Replace(field))
	}
	if strings.Contains(field, "$ids") {
		return "query($ids:[ID!]!){" + b.String() + "}"
	}
	return "{" + b.String() + "}"
}

// fillYear fills a database with copies of rows of the demo: for each working day of a year an
// entry of each of 500 people, an occurrence and an attendance of 100 of them, in the last month
// of all, and a position a minute of one of them for a month.
func fillYear(t *testing.T, database string) year {
	t.Helper()
	s := harness.New(t, database)
	ctx := viewer.System(ent.NewContext(t.Context(), s.Store.Ent))
	hash := harness.Must[string](t)(s.Services.Hasher.Hash(ctx, demo.Password))
	harness.Rewrite(t, ctx, s.Store.Ent, func(db *ent.Client) {
		if err := demo.FillMany(ctx, db, harness.Morning.UTC(), hash, yearPeople); err != nil {
			t.Fatal(err)
		}
	})
	people := s.Store.Ent.User.Query().Where(user.EmailHasSuffix("@many.test")).Order(ent.Asc(user.FieldID)).AllX(ctx)
	ids := make([]string, len(people))
	for i, p := range people {
		ids[i] = fmt.Sprintf("%q", fmt.Sprint(p.ID))
	}
	from, to := harness.Morning.AddDate(0, 0, -365), harness.Morning.AddDate(0, 0, -1)
	for at := from; !at.After(to); at = at.AddDate(0, 1, 0) { // each transaction has its time
		harness.Rewrite(t, ctx, s.Store.Ent, func(db *ent.Client) {
			for day := at; day.Before(at.AddDate(0, 1, 0)) && !day.After(to); day = day.AddDate(0, 0, 1) {
				if day.Weekday() != time.Saturday && day.Weekday() != time.Sunday {
					copyDay(t, ctx, db, people, day, to.Sub(day) < 31*24*time.Hour)
				}
			}
		})
	}
	harness.Rewrite(t, ctx, s.Store.Ent, func(db *ent.Client) { copyPositions(t, ctx, db, people[0]) })
	phone := s.SignIn(t, "owner", "person5@many.test")
	period := func(days int) string {
		return fmt.Sprintf("from: %q, to: %q", shift.DateOf(to.AddDate(0, 0, 1-days), time.UTC), shift.DateOf(to, time.UTC))
	}
	return year{
		tokens: "Authorization: Bearer " + phone.Access + "\r\nX-Device-Token: " + phone.Device + "\r\nX-User-Token: " + phone.User + "\r\n",
		key:    harness.KeyFile(t, database),
		ids:    `{"ids":[` + strings.Join(ids[:100], ",") + "]}",
		words: strings.NewReplacer("$year", period(365), "$month", period(31), "$fortnight", period(14), "$one", ids[0],
			"$business", fmt.Sprint(*people[0].BusinessID)),
	}
}

// copyDay gives people of a company what somebody of the demo has, on a day: all of them, or
// but entries to the first 100 alone.
func copyDay(t *testing.T, ctx context.Context, db *ent.Client, people []*ent.User, at time.Time, all bool) {
	t.Helper()
	last := people[len(people)-1].ID
	if !all {
		last = people[99].ID
	}
	date := "'" + at.Format(time.DateOnly) + "'"
	instant := func(hour int) string {
		return at.UTC().Truncate(24 * time.Hour).Add(time.Duration(hour) * time.Hour).Format("'2006-01-02 15:04:05'")
	}
	me := fmt.Sprint(people[0].CompanyID)
	stay := db.Attendance.Query().Where(entAttendance.OpenMarkerIsNil()).FirstX(ctx)
	entry := db.TimeEntry.Query().Where(entTimeEntry.EndedAtNotNil(), entTimeEntry.SecondsGT(0)).FirstX(ctx)
	for _, row := range []struct {
		text string
		id   int
	}{
		{harness.Copying(employeeshift.Table, employeeshift.Columns, map[string]string{
			"company_id": me, "user_id": "x.id", "assignment_id": "NULL", "date": date, "start_at": instant(2), "end_at": instant(10),
			"clock_in_from": instant(1), "clock_in_until": instant(11),
		}, fmt.Sprintf("users x ON x.company_id = %s AND x.id <= %d", me, last)), stay.EmployeeShiftID},
		{harness.Copying(entAttendance.Table, entAttendance.Columns, map[string]string{
			"company_id": me, "user_id": "x.user_id", "employee_shift_id": "x.id", "work_date": date,
			"clocked_in_at": instant(2), "clocked_out_at": instant(10),
		}, "employee_shifts x ON x.company_id = "+me+" AND x.date = "+date+" AND x.assignment_id IS NULL"), stay.ID},
		{harness.Copying(entTimeEntry.Table, entTimeEntry.Columns, map[string]string{
			"company_id": me, "user_id": "x.id", "date": date, "last_date": date, "started_at": instant(3), "ended_at": instant(5), "seconds": "7200",
		}, "users x ON x.company_id = "+me), entry.ID},
	} {
		if _, err := db.ExecContext(ctx, row.text, row.id); err != nil {
			t.Fatalf("%s: %v", row.text, err)
		}
	}
}

// copyPositions gives somebody a shown position a minute for a month.
func copyPositions(t *testing.T, ctx context.Context, db *ent.Client, u *ent.User) {
	t.Helper()
	model := db.Position.Query().Where(entPosition.HiddenIsNil()).FirstX(ctx)
	at := harness.Morning.UTC().AddDate(0, 0, -31)
	for range 31 * 24 * 60 / 500 {
		db.Position.MapCreateBulk(make([]struct{}, 500), func(c *ent.PositionCreate, i int) {
			at = at.Add(time.Minute)
			c.SetCompanyID(u.CompanyID).SetUserID(u.ID).SetRecordedAt(at).SetReceivedAt(at).SetSource(entPosition.SourceReport).
				SetLatitude(model.Latitude + float64(i)/1000).SetLongitude(model.Longitude)
		}).ExecX(ctx)
	}
}
