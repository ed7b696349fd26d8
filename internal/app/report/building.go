package report

import (
	"context"
	"slices"
	"time"

	"workforce/ent"
	entReport "workforce/ent/report"
	"workforce/internal/report"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

type cell = report.Value

// A building makes the rows of one report, as its viewer reads them.
type building struct {
	*Service
	question
	me       *viewer.Viewer
	words    dictionary
	emit     func([]cell) error
	progress func(done, total int) error
	rows     int
}

// building returns what makes the rows of a question, and hands them to emit.
func (s *Service) building(me *viewer.Viewer, q question, emit func([]cell) error) *building {
	return &building{
		Service: s, question: q, me: me, words: dictionaryOf(q.language), emit: emit,
		progress: func(int, int) error { return nil },
	}
}

// row hands out one row.
func (b *building) row(cells ...cell) error {
	b.rows++
	return b.emit(cells)
}

// A shape is the columns of a kind of report, and how its rows are made.
type shape struct {
	columns []report.Column
	each    func(context.Context, *building) (report.Summary, error)
}

// column returns a column; its title is a key of words.
func column(title string, t report.Type, width int) report.Column {
	return report.Column{Title: title, Type: t, Width: width}
}

// signed returns a column of durations that may be below zero.
func signed(title string, width int) report.Column {
	return report.Column{Title: title, Type: report.Duration, Width: width, Signed: true}
}

// shapes are the kinds of reports.
var shapes = map[entReport.Kind]shape{
	entReport.KindAttendance: attendanceShape, entReport.KindTimesheet: timesheetShape, entReport.KindOvertime: overtimeShape,
	entReport.KindLeave: leaveShape, entReport.KindTask: taskShape, entReport.KindTicket: ticketShape,
}

// each makes all rows, in the context of the viewer, and returns what they come to.
func (b *building) each(ctx context.Context) (report.Summary, error) {
	s, err := shapes[b.kind].each(ctx, b)
	s.Totals = append([]report.Line{{Label: b.words.of("rows"), Value: report.Count(b.rows)}}, s.Totals...)
	return s, err
}

// columns returns the columns with their titles.
func (b *building) columns() []report.Column {
	columns := slices.Clone(shapes[b.kind].columns)
	for i := range columns {
		columns[i].Title = b.words.of(columns[i].Title)
	}
	return columns
}

// head returns what is known of the report before its rows. company is the viewer's.
func (b *building) head(ctx context.Context, company *ent.Company, logo []byte) (report.Head, error) {
	zone := shift.ZoneNamed(b.zone)
	h := report.Head{
		Title: b.words.of(string(b.kind)), Company: company.Name, Logo: logo, Zone: zone, Columns: b.columns(),
		Words: report.Words{
			Language: b.language, Totals: b.words.of("totals"), Hours: b.words.of("hours"),
			Page: b.words.of("page"), Empty: b.words.of("empty"), Missing: b.words.of("missing"),
		},
		Facts: []report.Line{
			{Label: b.words.of("period"), Value: report.Of(string(b.period.From) + " \u2013 " + string(b.period.To))},
			{Label: b.words.of("timezone"), Value: report.Of(b.zone)},
			{Label: b.words.of("made"), Value: report.At(b.Now())},
		},
	}
	db := ent.FromContext(ctx)
	for _, named := range []struct {
		label string
		id    *int
		name  func(int) (string, error)
	}{
		{"for", &b.owner, func(id int) (string, error) { return nameOf(db.User.Get(ctx, id)) }},
		{"person", b.subject, func(id int) (string, error) { return nameOf(db.User.Get(ctx, id)) }},
		{"project", b.project, func(id int) (string, error) {
			p, err := db.Project.Get(ctx, id)
			if err != nil {
				return "", err
			}
			return p.Name, nil
		}},
	} {
		if named.id == nil {
			continue
		}
		name, err := named.name(*named.id)
		if err != nil && !ent.IsNotFound(err) {
			return h, err
		}
		h.Facts = append(h.Facts, report.Line{Label: b.words.of(named.label), Value: report.Of(name)})
	}
	return h, nil
}

func nameOf(u *ent.User, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return u.Name, nil
}

// maxBars is how many bars a chart has at most.
const maxBars = 31

// A series adds up values by key, in the order in which keys were declared.
type series struct {
	keys   []string
	labels map[string]string
	sums   map[string]int
}

func newSeries() *series { return &series{labels: map[string]string{}, sums: map[string]int{}} }

// declare adds a key with its label, unless it is there.
func (s *series) declare(key, label string) {
	if _, ok := s.labels[key]; !ok {
		s.keys, s.labels[key] = append(s.keys, key), label
	}
}

// bars returns the bars of a chart: those that are not 0, or all.
func (s *series) bars(t report.Type, all bool) (bars []report.Line) {
	for _, key := range s.keys {
		if s.sums[key] == 0 && !all || len(bars) == maxBars {
			continue
		}
		v := report.Count(s.sums[key])
		if t == report.Duration {
			v = report.Seconds(s.sums[key])
		}
		bars = append(bars, report.Line{Label: s.labels[key], Value: v})
	}
	return bars
}

// A calendarSeries adds up by date, or by week where there are too many dates, or by month.
type calendarSeries struct {
	*series
	first  int // weekday
	unit   string
	period timesheet.Period
}

func (b *building) calendar() *calendarSeries {
	c := &calendarSeries{series: newSeries(), first: setting.FirstWeekday.Of(b.me.Settings), unit: "date", period: b.period}
	switch days := b.period.To.Days(b.period.From) + 1; {
	case days > 7*(maxBars-1):
		c.unit = "month"
	case days > maxBars:
		c.unit = "week"
	}
	for _, d := range b.period.Dates() {
		c.declare(c.key(d), c.key(d))
	}
	return c
}

// key returns the date, the first date of the week, or the month.
func (c *calendarSeries) key(d shift.Date) string {
	switch c.unit {
	case "week":
		return string(max(timesheet.Week(d, c.first).From, c.period.From))
	case "month":
		return string(d[:7])
	}
	return string(d)
}

func (c *calendarSeries) add(d shift.Date, n time.Duration) {
	c.sums[c.key(d)] += int(n / time.Second)
}

// duration returns the cell of a duration; an empty one for none.
func duration(d time.Duration) cell { return report.Seconds(int(d / time.Second)) }
