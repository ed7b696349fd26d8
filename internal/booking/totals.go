package booking

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"time"

	"workforce/internal/shift"
	"workforce/internal/timesheet"
)

// Days yields the seconds of an entry by local date, as it is shown with a rounding: the entry
// is rounded, then split at the midnights of its zone, by the engine of working time.
func (s Span) Days(zone *time.Location, view timesheet.Rounding, now time.Time) iter.Seq2[shift.Date, int] {
	return func(yield func(shift.Date, int) bool) {
		whole := view.View(shift.Interval{Start: s.Start, End: s.Until(now)}, zone)
		for date, part := range timesheet.Split([]shift.Interval{whole}, zone) {
			if !yield(date, int(part.End.Sub(part.Start)/time.Second)) {
				return
			}
		}
	}
}

// A Dimension is what booked time is grouped by.
type Dimension string

// The dimensions. Those of time have a group for each unit; Tag puts an entry into the group of
// each of its tags.
const (
	ByDate     Dimension = "date"
	ByWeek     Dimension = "week"
	ByMonth    Dimension = "month"
	ByYear     Dimension = "year"
	ByUser     Dimension = "user"
	ByTask     Dimension = "task"
	ByProject  Dimension = "project"
	ByCategory Dimension = "category"
	ByStatus   Dimension = "status"
	ByAddress  Dimension = "address"
	ByTag      Dimension = "tag"
)

// A Fact is seconds of one date with what they are grouped by. An id of 0 is none.
type Fact struct {
	Date                                   shift.Date
	User, Task, Project, Category, Address int
	Status                                 string // of the task
	Tags                                   []string
	Seconds                                int
}

// A Group is what the facts of one key add up to. The key is a first date, a month, a year, an
// id, a status or a tag; "" for none.
type Group struct {
	Key     string
	Seconds int
	Groups  []*Group // of the second dimension, by key
	tasks   map[int]bool
	byKey   map[string]*Group
	label   string // by which it is sorted
}

// Tasks returns how many tasks the group has time of.
func (g *Group) Tasks() int { return len(g.tasks) }

// Totals adds facts up by one or two dimensions. It is for one goroutine.
type Totals struct {
	Group        // of everything
	by           []Dimension
	period       timesheet.Period
	firstWeekday int
	fill         bool
	ids          map[int]string // as keys
}

// NewTotals returns empty totals of a period. Where fill is set, dimensions of time have a
// group for each unit of the period, in every group of the first dimension.
func NewTotals(p timesheet.Period, firstWeekday int, fill bool, by ...Dimension) *Totals {
	t := &Totals{by: by, period: p, firstWeekday: firstWeekday, fill: fill, ids: map[int]string{}}
	t.fillGaps(&t.Group, by)
	return t
}

// Add adds a fact, unless its date is outside of the period.
func (t *Totals) Add(f Fact) {
	if t.period.Contains(f.Date) {
		t.add(&t.Group, t.by, f)
	}
}

func (t *Totals) add(to *Group, by []Dimension, f Fact) {
	to.Seconds += f.Seconds
	if to.tasks == nil {
		to.tasks = map[int]bool{}
	}
	to.tasks[f.Task] = true
	if len(by) == 0 {
		return
	}
	if by[0] != ByTag || len(f.Tags) == 0 {
		t.add(t.group(to, t.key(by[0], f), by[1:]), by[1:], f)
		return
	}
	for _, tag := range f.Tags {
		t.add(t.group(to, tag, by[1:]), by[1:], f)
	}
}

// group returns the group of a key, made where there is none.
func (t *Totals) group(of *Group, key string, rest []Dimension) *Group {
	if g := of.byKey[key]; g != nil {
		return g
	}
	if of.byKey == nil {
		of.byKey = map[string]*Group{}
	}
	g := &Group{Key: key}
	of.byKey[key] = g
	of.Groups = append(of.Groups, g)
	t.fillGaps(g, rest)
	return g
}

// fillGaps makes the groups of the units of the period.
func (t *Totals) fillGaps(of *Group, by []Dimension) {
	if !t.fill || len(by) == 0 || !by[0].IsTime() {
		return
	}
	for d := t.period.From; d <= t.period.To; d = d.AddDays(1) {
		t.group(of, t.unit(by[0], d), by[1:])
	}
}

// IsTime reports whether the groups are units of time.
func (d Dimension) IsTime() bool {
	return slices.Contains([]Dimension{ByDate, ByWeek, ByMonth, ByYear}, d)
}

// key returns the key of the group that a fact is in; "" for one without tags.
func (t *Totals) key(by Dimension, f Fact) string {
	switch by {
	case ByUser:
		return t.id(f.User)
	case ByTask:
		return t.id(f.Task)
	case ByProject:
		return t.id(f.Project)
	case ByCategory:
		return t.id(f.Category)
	case ByAddress:
		return t.id(f.Address)
	case ByStatus:
		return f.Status
	case ByTag:
		return ""
	}
	return t.unit(by, f.Date)
}

// id returns the key of an id; "" for 0.
func (t *Totals) id(n int) string {
	if n == 0 {
		return ""
	}
	key, ok := t.ids[n]
	if !ok {
		key = strconv.Itoa(n)
		t.ids[n] = key
	}
	return key
}

// unit returns the key of the unit of time that a date lies in: its first date, 2026-03 or 2026.
func (t *Totals) unit(by Dimension, d shift.Date) string {
	switch by {
	case ByWeek:
		return string(timesheet.Week(d, t.firstWeekday).From)
	case ByMonth:
		return string(d[:len("2006-01")])
	case ByYear:
		return string(d[:len("2006")])
	}
	return string(d)
}

// Sort orders all groups: units of time by time, others by their label and then by id, none
// last. label returns the label of a key in lower case.
func (t *Totals) Sort(label func(by Dimension, key string) string) {
	t.Group.sort(t.by, label)
}

func (g *Group) sort(by []Dimension, label func(Dimension, string) string) {
	if len(by) == 0 {
		return
	}
	none := func(g *Group) int {
		if g.Key == "" {
			return 1
		}
		return 0
	}
	if !by[0].IsTime() {
		for _, below := range g.Groups {
			below.label = label(by[0], below.Key)
		}
	}
	slices.SortFunc(g.Groups, func(a, b *Group) int {
		if by[0].IsTime() {
			return cmp.Compare(a.Key, b.Key)
		}
		return cmp.Or(none(a)-none(b), cmp.Compare(a.label, b.label), len(a.Key)-len(b.Key), cmp.Compare(a.Key, b.Key))
	})
	for _, below := range g.Groups {
		below.sort(by[1:], label)
	}
}
