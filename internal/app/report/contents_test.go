package report

import (
	"context"
	"fmt"

	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/attendance"
	"workforce/ent/leave"
	row "workforce/ent/report"
	"workforce/ent/task"
	"workforce/ent/ticket"
	"workforce/ent/timeentry"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/rostertest"
	"workforce/internal/report"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// jakarta returns an instant of the world's company.
func jakarta(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.ParseInLocation("2006-01-02 15:04:05", text, shift.ZoneNamed("Asia/Jakarta"))
	if err != nil {
		t.Fatal(err)
	}
	return at.UTC()
}

// ofWeek is a question of budi's about Monday, 9 March, to Sunday.
func (w *world) ofWeek(kind row.Kind) question {
	return question{
		owner: w.budi.ID, company: w.Company.ID, kind: kind, format: row.FormatCsv, language: "en", zone: "Asia/Jakarta",
		period: timesheet.Period{From: "2026-03-09", To: "2026-03-15"},
	}
}

// build returns the rows of a report, a line each, and what they come to: totals, then the chart.
func (w *world) build(t *testing.T, ctx context.Context, q question) (rows, sum string) {
	t.Helper()
	var lines []string
	b := w.reports.building(viewer.From(ctx), q, func(cells []cell) error {
		if len(cells) != len(shapes[q.kind].columns) {
			t.Errorf("%d cells in %d columns", len(cells), len(shapes[q.kind].columns))
		}
		lines = append(lines, textOf(cells))
		return nil
	})
	s, err := b.each(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n"), linesOf(s.Totals) + " / " + s.Chart.Title + ": " + linesOf(s.Chart.Bars)
}

func textOf(cells []cell) string {
	var list []string
	for _, c := range cells {
		list = append(list, c.In(shift.ZoneNamed("Asia/Jakarta")))
	}
	return strings.Join(list, "|")
}

func linesOf(lines []report.Line) string {
	var list []string
	for _, l := range lines {
		list = append(list, l.Label+" "+textOf([]cell{l.Value}))
	}
	return strings.Join(list, ", ")
}

// worked has budi work three of his shifts from 08:00 to 16:00: late and short on Monday, not at all on
// Tuesday, and still today, Wednesday; and longer on the Friday before.
func (w *world) worked(t *testing.T) {
	t.Helper()
	roster := rostertest.Of(t, w.World)
	day := roster.Shift(t, "day", "08:00", "16:00")
	w.Set(jakarta(t, "2026-03-06 06:00:00"))
	if _, err := roster.Assign(w.budi, day, "2026-03-06", rostertest.On(1, 2, 3, 5)); err != nil {
		t.Fatal(err)
	}
	w.Set(apptest.Now)
	for _, one := range []struct{ date, in, out string }{
		{"2026-03-06", "08:00:00", "18:00:00"}, {"2026-03-09", "08:20:00", "15:30:00"}, {"2026-03-11", "08:00:00", ""},
	} {
		roster.Attend(t, w.budi, one.date)
		u := w.DB.Attendance.Update().Where(attendance.UserID(w.budi.ID), attendance.WorkDate(one.date)).
			SetClockedInAt(jakarta(t, one.date+" "+one.in))
		if one.out == "" {
			u.ClearClockedOutAt().SetOpenMarker(1)
		} else {
			u.SetClockedOutAt(jakarta(t, one.date+" "+one.out))
		}
		u.ExecX(w.System())
	}
}

// TestAttendance has a row for each date on which budi was to work, and counts them by status.
func TestAttendance(t *testing.T) {
	w := newWorld(t)
	w.worked(t)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.User.UpdateOne(w.budi).SetEmployeeNumber("E-7").Exec(ctx)
	})
	ctx := w.As(w.budi, viewer.Employee)
	rows, sum := w.build(t, ctx, w.ofWeek(row.KindAttendance))
	const start, end = "|2026-03-%[1]s 08:00:00|2026-03-%[1]s 16:00:00|", "|0:00:00|0:00:00|0:00:00"
	rostertest.Want(t, "rows", rows, strings.Join([]string{
		"Budi|E-7|2026-03-09" + fmt.Sprintf(start, "09") +
			"2026-03-09 08:20:00|2026-03-09 15:30:00|Present|8:00:00|7:10:00|0:20:00|0:30:00|0:00:00",
		"Budi|E-7|2026-03-10" + fmt.Sprintf(start, "10") + "||None|8:00:00|0:00:00" + end,
		"Budi|E-7|2026-03-11" + fmt.Sprintf(start, "11") + "2026-03-11 08:00:00||Present|8:00:00|2:00:00" + end,
		"Budi|E-7|2026-03-13" + fmt.Sprintf(start, "13") + "||None|8:00:00|0:00:00" + end,
	}, "\n"))
	rostertest.Want(t, "sum", sum, "Rows 4, Expected 32:00:00, Worked 9:10:00, Overtime 0:00:00, Late 0:20:00, "+
		"Late days 1, Early 0:30:00, Early days 1, Present 2, None 2 / Days by status: Present 2, None 2")
	for about, ctx := range map[string]context.Context{
		"a colleague": w.As(w.User(t, "Ani"), viewer.Employee), "nobody's": w.As(w.budi, viewer.Employee),
	} {
		q := w.ofWeek(row.KindAttendance)
		if q.subject = &w.budi.ID; about == "nobody's" {
			q.subject = new(99999)
		}
		if rows, _ := w.build(t, ctx, q); rows != "" {
			t.Errorf("%s: %s", about, rows)
		}
	}
}

// TestNumbers shows employee numbers to viewers who read those of everybody in the report.
func TestNumbers(t *testing.T) {
	w := newWorld(t)
	for _, tt := range []struct {
		permissions []string
		want        string
	}{
		{[]string{"attendance.read.all", "user.read.all"}, "E-7"},
		{[]string{"attendance.read.all", "user.read.team"}, ""},
		{[]string{"attendance.read.team", "user.read.team"}, "E-7"},
		{[]string{"attendance.read.team"}, ""},
		{[]string{"attendance.read.own"}, "E-7"},
	} {
		me := &viewer.Viewer{UserID: w.budi.ID, CompanyID: w.Company.ID, Permissions: tt.permissions}
		b := w.reports.building(me, w.ofWeek(row.KindAttendance), nil)
		if got := textOf([]cell{b.number(new("E-7"))}); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.permissions, got, tt.want)
		}
	}
}

// TestTimesheet has a row for each person, also for one who did not work.
func TestTimesheet(t *testing.T) {
	w := newWorld(t)
	w.worked(t)
	ani := w.User(t, "Ani")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		kind := db.LeaveType.Create().SetCompanyID(w.Company.ID).SetName("Half").SaveX(ctx)
		return db.Leave.Create().SetCompanyID(w.Company.ID).SetUserID(ani.ID).SetLeaveTypeID(kind.ID).SetHalf(true).SetState("approved").
			SetStartsOn("2026-03-10").SetEndsOn("2026-03-10").SetDates([]string{"2026-03-10"}).SetReason("x").
			SetCreatedAt(apptest.Now).SetExpiresAt(apptest.Now).Exec(ctx)
	})
	ctx := w.As(w.budi, viewer.Admin)
	q := w.ofWeek(row.KindTimesheet)
	q.period.To = "2026-03-11"
	rows, sum := w.build(t, ctx, q)
	const none = "||0|0:00:00|0:00:00|0:00:00|0:00:00|0:00:00|0:00:00|0|0:00:00|0|0|0"
	rostertest.Want(t, "rows", rows, "Admin"+none+"|0|0:00:00\nAni"+none+"|1|4:00:00"+
		"\nBudi||2|24:00:00|9:10:00|-8:50:00|0:00:00|0:00:00|0:20:00|1|0:30:00|1|0|0|0|0:00:00")
	rostertest.Want(t, "sum", sum, "Rows 3, Expected 24:00:00, Worked 9:10:00, Overtime 0:00:00, Late 0:20:00, "+
		"Late days 1, Early 0:30:00, Early days 1 / "+
		"Worked by date: 2026-03-09 7:10:00, 2026-03-10 0:00:00, 2026-03-11 2:00:00")
}

// TestOvertime has a row for each date with overtime or with a decision about it.
func TestOvertime(t *testing.T) {
	w := newWorld(t)
	w.worked(t)
	q := w.ofWeek(row.KindOvertime)
	q.period = timesheet.Period{From: "2026-03-06", To: "2026-03-11"}
	decide := func(date string, approved bool, seconds int, note string) {
		w.Change(t, func(ctx context.Context, db *ent.Client) error {
			return db.OvertimeApproval.Create().SetCompanyID(w.Company.ID).SetUserID(w.budi.ID).SetDate(date).
				SetApproved(approved).SetSeconds(seconds).SetNote(note).SetDecidedBy(w.budi.ID).SetDecidedAt(apptest.Now).Exec(ctx)
		})
	}
	ctx := w.As(w.budi, viewer.Employee)
	const chart = "Overtime by date: 2026-03-06 2:00:00, 2026-03-07 0:00:00, 2026-03-08 0:00:00, 2026-03-09 0:00:00, " +
		"2026-03-10 0:00:00, 2026-03-11 0:00:00"
	rows, sum := w.build(t, ctx, q)
	rostertest.Want(t, "nothing is decided", rows, "Budi||2026-03-06|8:00:00|10:00:00|2:00:00|Pending||")
	rostertest.Want(t, "its sum", sum, "Rows 1, Overtime 2:00:00, Approved overtime 0:00:00 / "+chart)
	decide("2026-03-05", true, 1000, "before the period")
	decide("2026-03-06", true, 3600, "satu jam")
	decide("2026-03-09", false, 0, "tidak")
	decide("2026-03-12", true, 1000, "after the period")
	rows, sum = w.build(t, ctx, q)
	rostertest.Want(t, "decided", rows, "Budi||2026-03-06|8:00:00|10:00:00|2:00:00|Approved|1:00:00|satu jam\n"+
		"Budi||2026-03-09|8:00:00|7:10:00|0:00:00|Refused|0:00:00|tidak")
	rostertest.Want(t, "its sum", sum, "Rows 2, Overtime 2:00:00, Approved overtime 1:00:00 / "+chart)
}

// TestTimes are from the first start to the last end of the shifts of a date.
func TestTimes(t *testing.T) {
	at := func(hour int) time.Time {
		if hour == 0 {
			return time.Time{}
		}
		return time.Date(2026, 3, 11, hour, 0, 0, 0, time.UTC)
	}
	record := func(start, end int, entries ...[2]int) timesheet.Record {
		var r timesheet.Record
		r.Start, r.End = at(start), at(end)
		for _, e := range entries {
			r.Entries = append(r.Entries, timesheet.Entry{In: at(e[0]), Out: at(e[1])})
		}
		return r
	}
	for name, tt := range map[string]struct {
		records []timesheet.Record
		want    [4]int // start, end, in and out; 0 for none
	}{
		"no shift":               {nil, [4]int{}},
		"nobody came":            {[]timesheet.Record{record(8, 16)}, [4]int{8, 16}},
		"one attendance":         {[]timesheet.Record{record(8, 16, [2]int{9, 15})}, [4]int{8, 16, 9, 15}},
		"one that is open":       {[]timesheet.Record{record(8, 16, [2]int{9, 0})}, [4]int{8, 16, 9, 0}},
		"one open after another": {[]timesheet.Record{record(8, 16, [2]int{9, 12}, [2]int{13, 0})}, [4]int{8, 16, 9, 0}},
		"two of one shift":       {[]timesheet.Record{record(8, 16, [2]int{13, 17}, [2]int{9, 12})}, [4]int{8, 16, 9, 17}},
		"two shifts, the later first": {
			[]timesheet.Record{record(14, 22, [2]int{14, 21}), record(6, 12, [2]int{5, 12})}, [4]int{6, 22, 5, 21},
		},
	} {
		want := times{at(tt.want[0]), at(tt.want[1]), at(tt.want[2]), at(tt.want[3])}
		if got := timesOf(tt.records); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// TestLeave has a row for each request that reaches into the period, and counts the dates of the approved ones in it.
func TestLeave(t *testing.T) {
	w := newWorld(t)
	ani := w.User(t, "Ani")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		types := map[string]int{}
		for _, name := range []string{"Tahunan", "Sakit"} {
			types[name] = db.LeaveType.Create().SetCompanyID(w.Company.ID).SetName(name).SaveX(ctx).ID
		}
		add := func(u *ent.User, kind, from, to string, state leave.State, set func(*ent.LeaveCreate)) {
			create := db.Leave.Create().SetCompanyID(w.Company.ID).SetUserID(u.ID).SetLeaveTypeID(types[kind]).
				SetStartsOn(from).SetEndsOn(to).SetState(state).SetReason("x").SetCreatedAt(apptest.Now).SetExpiresAt(apptest.Now)
			var dates []string
			for _, d := range (timesheet.Period{From: shift.Date(from), To: shift.Date(to)}).Dates() {
				dates = append(dates, string(d))
			}
			create.SetDates(dates)
			set(create)
			create.ExecX(ctx)
		}
		whole := func(*ent.LeaveCreate) {}
		add(w.budi, "Tahunan", "2026-03-15", "2026-03-17", leave.StatePending, whole)
		add(w.budi, "Tahunan", "2026-03-07", "2026-03-10", leave.StateApproved, func(l *ent.LeaveCreate) {
			l.SetDecisionNote("ya")
		})
		add(w.budi, "Sakit", "2026-03-12", "2026-03-12", leave.StateApproved, func(l *ent.LeaveCreate) { l.SetHalf(true) })
		add(w.budi, "Sakit", "2026-03-13", "2026-03-13", leave.StateRefused, func(l *ent.LeaveCreate) {
			l.SetFromTime("08:00").SetToTime("09:30")
		})
		add(w.budi, "Tahunan", "2026-03-06", "2026-03-08", leave.StateApproved, whole)
		add(w.budi, "Tahunan", "2026-03-16", "2026-03-16", leave.StateApproved, whole)
		add(ani, "Sakit", "2026-03-12", "2026-03-12", leave.StateApproved, whole)
		return nil
	})
	rows, sum := w.build(t, w.As(w.budi, viewer.Employee), w.ofWeek(row.KindLeave))
	rostertest.Want(t, "budi's", rows, strings.Join([]string{
		"Budi|Tahunan|2026-03-07|2026-03-10||2|Approved|x|ya", "Budi|Sakit|2026-03-12|2026-03-12|Half|1|Approved|x|",
		"Budi|Sakit|2026-03-13|2026-03-13|08:00–09:30|1|Refused|x|", "Budi|Tahunan|2026-03-15|2026-03-17||1|Pending|x|",
	}, "\n"))
	rostertest.Want(t, "its sum", sum, "Rows 4, Approved 2, Refused 1, Pending 1 / Days by type: Tahunan 2, Sakit 1")
	q := w.ofWeek(row.KindLeave)
	q.subject = &ani.ID
	rows, _ = w.build(t, w.As(w.budi, viewer.Admin), q)
	rostertest.Want(t, "ani's", rows, "Ani|Sakit|2026-03-12|2026-03-12||1|Approved|x|")
}

// TestTasks has the tasks that were created, due or done in the period, or on which time was booked in it.
func TestTasks(t *testing.T) {
	w := newWorld(t)
	ani := w.User(t, "Ani")
	before, first := jakarta(t, "2026-03-08 23:59:59"), jakarta(t, "2026-03-09 00:00:00")
	last, after := jakarta(t, "2026-03-15 23:59:59"), jakarta(t, "2026-03-16 00:00:00")
	var project int
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		add := func(title string, created time.Time, set ...func(*ent.TaskCreate) *ent.TaskCreate) int {
			create := db.Task.Create().SetCompanyID(w.Company.ID).SetCreatorID(w.budi.ID).SetTitle(title).
				SetCreatedAt(created).SetUpdatedAt(created)
			for _, one := range set {
				one(create)
			}
			return create.SaveX(ctx).ID
		}
		project = db.Project.Create().SetCompanyID(w.Company.ID).SetName("P").SetCreatedAt(before).SaveX(ctx).ID
		category := db.TaskCategory.Create().SetCompanyID(w.Company.ID).SetName("C").SaveX(ctx).ID
		book := func(u *ent.User, id int, date string, seconds int) {
			at := jakarta(t, date+" 12:00:00")
			db.TimeEntry.Create().SetCompanyID(w.Company.ID).SetUserID(u.ID).SetTaskID(id).SetDate(date).SetLastDate(date).
				SetTimezone("Asia/Jakarta").SetKind(timeentry.KindBooked).SetCreatedAt(at).SetUpdatedAt(at).
				SetStartedAt(at).SetEndedAt(at.Add(time.Duration(seconds) * time.Second)).SetSeconds(seconds).ExecX(ctx)
		}
		add("before", before)
		add("after", after)
		add("created first", first)
		id := add("created last", last, func(c *ent.TaskCreate) *ent.TaskCreate {
			return c.SetProjectID(project).SetCategoryID(category).SetPriority(task.PriorityHigh).SetStartAt(last)
		})
		db.TaskAssignee.Create().SetCompanyID(w.Company.ID).SetTaskID(id).SetUserID(ani.ID).ExecX(ctx)
		add("due first", before, func(c *ent.TaskCreate) *ent.TaskCreate { return c.SetDueAt(first) })
		add("due before", before, func(c *ent.TaskCreate) *ent.TaskCreate { return c.SetDueAt(before) })
		add("due after", before, func(c *ent.TaskCreate) *ent.TaskCreate { return c.SetDueAt(after) })
		done := func(at time.Time) func(*ent.TaskCreate) *ent.TaskCreate {
			return func(c *ent.TaskCreate) *ent.TaskCreate { return c.SetCompletedAt(at).SetStatus(task.StatusDone) }
		}
		add("done last", before, done(last))
		add("done before", before, done(before))
		id = add("booked", before, func(c *ent.TaskCreate) *ent.TaskCreate { return c.SetStatus(task.StatusInProgress) })
		book(w.budi, id, "2026-03-08", 1000)
		book(w.budi, id, "2026-03-09", 60)
		book(ani, id, "2026-03-15", 3600)
		book(w.budi, add("booked before", before), "2026-03-08", 1000)
		return nil
	})
	all := []string{
		"created last|P|C|Open|High|Ani|2026-03-15 23:59:59|||0:00:00", "created first|||Open|Normal|||||0:00:00",
		"booked|||In progress|Normal|||||1:01:00", "done last|||Done|Normal||||2026-03-15 23:59:59|0:00:00",
		"due first|||Open|Normal|||2026-03-09 00:00:00||0:00:00",
	}
	q := w.ofWeek(row.KindTask)
	rows, sum := w.build(t, w.As(w.budi, viewer.Admin), q)
	rostertest.Want(t, "all", rows, strings.Join(all, "\n"))
	rostertest.Want(t, "its sum", sum, "Rows 5, Open 3, In progress 1, Done 1, Tracked 1:01:00 / "+
		"Tasks by status: Open 3, In progress 1, Done 1, Cancelled 0")
	rows, _ = w.build(t, w.As(w.budi, viewer.Employee), q)
	third := strings.Split(rows, "\n")[2]
	rostertest.Want(t, "budi reads his time alone", third, "booked|||In progress|Normal|||||0:01:00")
	q.subject = &ani.ID
	rows, _ = w.build(t, w.As(w.budi, viewer.Admin), q)
	rostertest.Want(t, "ani's", rows, all[0]+"\nbooked|||In progress|Normal|||||1:00:00")
	q.subject, q.project = nil, &project
	rows, _ = w.build(t, w.As(w.budi, viewer.Admin), q)
	rostertest.Want(t, "of the project", rows, all[0])
}

// TestTickets has the tickets that were made or resolved in the period.
func TestTickets(t *testing.T) {
	w := newWorld(t)
	ani := w.User(t, "Ani")
	before, first := jakarta(t, "2026-03-08 23:59:59"), jakarta(t, "2026-03-09 00:00:00")
	last, after := jakarta(t, "2026-03-15 23:59:59"), jakarta(t, "2026-03-16 00:00:00")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		category, n := db.TicketCategory.Create().SetCompanyID(w.Company.ID).SetName("C").SaveX(ctx).ID, 0
		add := func(subject string, created time.Time, set func(*ent.TicketCreate) *ent.TicketCreate) {
			n++
			set(db.Ticket.Create().SetCompanyID(w.Company.ID).SetNumber(n).SetRequesterID(w.budi.ID).SetSubject(subject).
				SetCreatedAt(created).SetUpdatedAt(created)).ExecX(ctx)
		}
		plain := func(c *ent.TicketCreate) *ent.TicketCreate { return c }
		add("before", before, plain)
		add("first", first, func(c *ent.TicketCreate) *ent.TicketCreate {
			return c.SetAssigneeID(ani.ID).SetCategoryID(category).SetPriority(ticket.PriorityUrgent).
				SetRespondBy(last).SetRespondedAt(first)
		})
		add("last", last, func(c *ent.TicketCreate) *ent.TicketCreate {
			return c.SetStatus(ticket.StatusInProgress).SetResolveBy(after)
		})
		add("after", after, plain)
		add("resolved", before, func(c *ent.TicketCreate) *ent.TicketCreate {
			return c.SetStatus(ticket.StatusClosed).SetResolvedAt(first)
		})
		add("resolved after", before, func(c *ent.TicketCreate) *ent.TicketCreate {
			return c.SetStatus(ticket.StatusResolved).SetResolvedAt(after)
		})
		return nil
	})
	all := []string{
		"3|last|Budi|||In progress|Normal|2026-03-15 23:59:59|||2026-03-16 00:00:00|",
		"2|first|Budi|Ani|C|Open|Urgent|2026-03-09 00:00:00|2026-03-15 23:59:59|2026-03-09 00:00:00||",
		"5|resolved|Budi|||Closed|Normal|2026-03-08 23:59:59||||2026-03-09 00:00:00",
	}
	q := w.ofWeek(row.KindTicket)
	for _, tt := range []struct {
		about   string
		subject *int
		want    []string
	}{
		{"all", nil, all}, {"budi's", &w.budi.ID, all}, {"assigned to ani", &ani.ID, all[1:2]}, {"nobody's", new(99999), nil},
	} {
		q.subject = tt.subject
		rows, sum := w.build(t, w.As(w.budi, viewer.Admin), q)
		rostertest.Want(t, tt.about, rows, strings.Join(tt.want, "\n"))
		if len(tt.want) == 3 {
			rostertest.Want(t, "their sum", sum, "Rows 3, Open 1, In progress 1, Closed 1 / "+
				"Tickets by status: Open 1, In progress 1, Resolved 0, Closed 1")
		}
	}
}
