package report

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	row "workforce/ent/report"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/rostertest"
	"workforce/internal/report"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// TestCalendar has at most 31 bars: of dates, of weeks where there are more dates, of months where there are
// more weeks.
func TestCalendar(t *testing.T) {
	for _, tt := range []struct {
		from, to     string
		firstWeekday int
		unit         string
		bars         int
		first, last  string
	}{
		{"2026-03-09", "2026-03-09", 1, "date", 1, "2026-03-09", "2026-03-09"},
		{"2026-03-01", "2026-03-31", 1, "date", 31, "2026-03-01", "2026-03-31"},
		{"2026-03-01", "2026-04-01", 1, "week", 6, "2026-03-01", "2026-03-30"},
		{"2026-03-01", "2026-04-01", 7, "week", 5, "2026-03-01", "2026-03-29"},
		{"2026-01-01", "2026-07-29", 1, "week", 31, "2026-01-01", "2026-07-27"},
		{"2026-01-01", "2026-07-30", 1, "month", 7, "2026-01", "2026-07"},
		{"2026-01-15", "2027-01-15", 1, "month", 13, "2026-01", "2027-01"},
	} {
		p := timesheet.Period{From: shift.Date(tt.from), To: shift.Date(tt.to)}
		me := &viewer.Viewer{Settings: setting.Values{"firstWeekday": tt.firstWeekday}}
		c := (&Service{}).building(me, question{period: p, language: "en"}, nil).calendar()
		for _, d := range p.Dates() {
			c.add(d, time.Hour)
		}
		bars, sum := c.bars(report.Duration, true), 0
		for _, b := range bars {
			sum += b.Value.Int()
		}
		got := fmt.Sprint(c.unit, len(bars), bars[0].Label, bars[len(bars)-1].Label)
		if want := fmt.Sprint(tt.unit, tt.bars, tt.first, tt.last); got != want || sum != 3600*(p.To.Days(p.From)+1) {
			t.Errorf("%s to %s: %s of %d s, want %s", tt.from, tt.to, got, sum, want)
		}
	}
}

// TestBars leaves out what is 0 unless all are asked for, and what is more than a chart holds.
func TestBars(t *testing.T) {
	s := newSeries()
	for i := range 40 {
		s.declare(fmt.Sprint(i), fmt.Sprint("label ", i))
		s.declare(fmt.Sprint(i), "another label")
		s.sums[fmt.Sprint(i)] = i % 2 * 60
	}
	for _, tt := range []struct {
		t     report.Type
		all   bool
		count int
		last  string
	}{
		{report.Number, true, 31, "label 30 0"}, {report.Number, false, 20, "label 39 60"},
		{report.Duration, false, 20, "label 39 0:01:00"},
	} {
		bars := s.bars(tt.t, tt.all)
		if got := linesOf(bars[len(bars)-1:]); len(bars) != tt.count || got != tt.last {
			t.Errorf("%v, all %t: %d bars, the last %s, want %d, %s", tt.t, tt.all, len(bars), got, tt.count, tt.last)
		}
	}
}

// TestHead says for whom a report is, of whom and what, in its language; a filter that is gone has no name.
func TestHead(t *testing.T) {
	w := newWorld(t)
	ani := w.User(t, "Ani")
	create := w.DB.Project.Create().SetCompanyID(w.Company.ID).SetName("Gudang").SetCreatedAt(apptest.Now)
	project := create.SaveX(w.System()).ID
	const period, made = "2026-03-09 – 2026-03-15", "2026-03-11 10:00:00"
	const english = "Tasks of Acme: Period " + period + ", Time zone Asia/Jakarta, Made at " + made + ", Made for Budi"
	for _, tt := range []struct {
		language         string
		subject, project *int
		want             string
	}{
		{"en", nil, nil, english},
		{"id", nil, nil, "Tugas of Acme: Periode " + period + ", Zona waktu Asia/Jakarta, Dibuat pada " + made +
			", Dibuat untuk Budi"},
		{"en", &ani.ID, &project, english + ", Person Ani, Project Gudang"},
		{"en", new(99999), new(99999), english + ", Person , Project "},
	} {
		q := w.ofWeek(row.KindTask)
		q.language, q.subject, q.project = tt.language, tt.subject, tt.project
		b := w.reports.building(viewer.From(w.As(w.budi, viewer.Employee)), q, nil)
		h, err := b.head(w.As(w.budi, viewer.Employee), w.Company, nil)
		if err != nil {
			t.Fatal(err)
		}
		rostertest.Want(t, tt.language, h.Title+" of "+h.Company+": "+linesOf(h.Facts), tt.want)
	}
}

// TestPages reads more rows than are read at once, each once, and says how far it is.
func TestPages(t *testing.T) {
	w := newWorld(t)
	const n = 2*taskPage + 1
	w.tasks(t, n) // all at one instant
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		of := db.LeaveType.Create().SetCompanyID(w.Company.ID).SetName("Cuti").SaveX(ctx).ID
		var leaves []*ent.LeaveCreate
		var tickets []*ent.TicketCreate
		for i := range pageSize + 1 {
			leaves = append(leaves, db.Leave.Create().SetCompanyID(w.Company.ID).SetUserID(w.budi.ID).SetLeaveTypeID(of).
				SetStartsOn("2026-03-11").SetEndsOn("2026-03-11").SetDates([]string{"2026-03-11"}).SetReason("x").
				SetCreatedAt(apptest.Now).SetExpiresAt(apptest.Now))
			tickets = append(tickets, db.Ticket.Create().SetCompanyID(w.Company.ID).SetNumber(i+1).SetRequesterID(w.budi.ID).
				SetSubject(fmt.Sprint("Rusak ", i)).SetCreatedAt(apptest.Now).SetUpdatedAt(apptest.Now))
		}
		db.Ticket.CreateBulk(tickets...).ExecX(ctx)
		return db.Leave.CreateBulk(leaves...).Exec(ctx)
	})
	ctx := w.As(w.budi, viewer.Employee)
	for _, tt := range []struct {
		kind     row.Kind
		rows     int
		unique   int // of the first two cells
		progress string
	}{
		{row.KindTask, n, n, "100/201 200/201"}, {row.KindTicket, pageSize + 1, pageSize + 1, "500/501"},
		{row.KindLeave, pageSize + 1, 1, "500/501"},
	} {
		seen, progress := map[string]int{}, []string{}
		b := w.reports.building(viewer.From(ctx), w.ofWeek(tt.kind), func(cells []cell) error {
			seen[textOf(cells[:2])]++
			return nil
		})
		b.progress = func(done, all int) error { progress = append(progress, fmt.Sprint(done, "/", all)); return nil }
		if _, err := b.each(ctx); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(progress, " "); b.rows != tt.rows || len(seen) != tt.unique || got != tt.progress {
			t.Errorf("%s: %d rows, %d of them unlike, %s, want %+v", tt.kind, b.rows, len(seen), got, tt)
		}
	}
}
