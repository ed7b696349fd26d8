package attendance

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"workforce/ent"
	"workforce/graph/model"
	"workforce/internal/verdict"
)

// TestDayOfPunches sends the 30 events of a day, recorded offline, in random orders, and
// those that were refused again in the order of time, ID-05. Orders that keep each
// clock-out between its own clock-in and the next one end as if they had been sent at once,
// and so does every order in which each clock-out ended its own clock-in. In every order
// what was accepted is stored at its own time, nothing overlaps, and what is refused for
// good waits with the attendance within which it lies.
func TestDayOfPunches(t *testing.T) {
	var pairs [][]punch
	var online []string
	for i := range 15 {
		in, out := fmt.Sprintf("%02d:%02d", 7+i/5, i%5*12), fmt.Sprintf("%02d:%02d", 7+i/5, i%5*12+6)
		pairs = append(pairs, []punch{{true, in}, {false, out}})
		online = append(online, in+"–"+out)
	}
	random, asOnline := rand.New(rand.NewPCG(5, 0)), 0
	for round := range 12 {
		blocks := slices.Clone(pairs)
		random.Shuffle(len(blocks), func(i, j int) { blocks[i], blocks[j] = blocks[j], blocks[i] })
		order, inPairs := slices.Concat(blocks...), round < 4
		for range round - 4 { // moves more and more of them
			i, j := random.IntN(len(order)), random.IntN(len(order))
			order[i], order[j] = order[j], order[i]
		}
		if round > 9 {
			random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
		w := newWorld(t)
		accepted, refused := w.sendAgain(t, order)
		stored, own := w.stored()
		if !slices.Equal(stored, accepted) {
			t.Errorf("round %d: accepted %v, stored %v", round, accepted, stored)
		}
		w.wantDisjoint(t)
		got := w.intervals()
		if own {
			asOnline++
		}
		if same := slices.Equal(got, online); same != (len(refused) == 0) || (inPairs || own) && !same {
			t.Errorf("round %d: %v ends as %v; refused %v", round, order, got, refused)
		}
		for _, p := range refused {
			if !w.waits(p) {
				t.Errorf("round %d: %v is refused and waits nowhere", round, p)
			}
		}
	}
	if asOnline < 5 || asOnline == 12 {
		t.Errorf("%d of 12 orders ended as if online, want those in pairs and some others", asOnline)
	}
}

// stored returns the times of all stored events in order, and whether each clock-out is six
// minutes after its clock-in, as its own is.
func (w *world) stored() (times []string, own bool) {
	own = true
	for _, a := range w.attendances(w.user) {
		times = append(times, clock(a.ClockedInAt))
		if a.ClockedOutAt != nil {
			times = append(times, clock(*a.ClockedOutAt))
		}
		own = own && a.ClockedOutAt != nil && a.ClockedOutAt.Sub(a.ClockedInAt) == 6*time.Minute
	}
	slices.Sort(times)
	return times, own
}

// intervals returns the worked intervals in order.
func (w *world) intervals() (list []string) {
	for _, a := range w.attendances(w.user) {
		if a.ClockedOutAt != nil {
			list = append(list, clock(a.ClockedInAt)+"–"+clock(*a.ClockedOutAt))
		}
	}
	slices.Sort(list)
	return list
}

// wantDisjoint fails where two attendances overlap.
func (w *world) wantDisjoint(t *testing.T) {
	t.Helper()
	all := w.attendances(w.user)
	slices.SortFunc(all, func(a, b *ent.Attendance) int { return a.ClockedInAt.Compare(b.ClockedInAt) })
	for i := 1; i < len(all); i++ {
		if before := all[i-1]; before.ClockedOutAt != nil && before.ClockedOutAt.After(all[i].ClockedInAt) {
			t.Errorf("%s overlaps %s", times(before), times(all[i]))
		}
	}
}

// waits reports whether a refused event waits for a decision, with the attendance within
// which it lies.
func (w *world) waits(p punch) bool {
	event := verdict.Event{End: map[bool]string{true: "in", false: "out"}[p.in], At: jakarta(p.at)}
	return slices.ContainsFunc(w.attendances(w.user), func(a *ent.Attendance) bool {
		return a.ClockedOutReview == "pending" && slices.Contains(a.ClockedOutFlags, verdict.Unpaired) &&
			slices.ContainsFunc(a.ClockedOutVerdict.Unpaired, event.Equal) && a.ClockedInAt.Before(event.At) && a.ClockedOutAt.After(event.At)
	})
}

// TestManyUnpaired keeps 200 refused events of a date, with whichever attendances, and as
// many of another.
func TestManyUnpaired(t *testing.T) {
	w := newWorld(t)
	early, late := w.attend(t, w.today, "07:00", "08:00", nil), w.attend(t, w.today, "08:30", "09:40", nil)
	yesterday := w.attend(t, w.occurrence(t, w.assignment, "2026-03-10"), "2026-03-10 08:00", "2026-03-10 09:00", nil)
	kept := func(a *ent.Attendance) int {
		return len(w.DB.Attendance.GetX(w.System(), a.ID).ClockedOutVerdict.Unpaired)
	}
	send := func(from string, n int) {
		t.Helper()
		for i := range n {
			wantCode(t, "out", w.clockOut(recordedOut(jakarta(from).Add(time.Duration(i)*20*time.Second))), "NOT_CLOCKED_IN")
		}
	}
	send("07:05", 60)
	send("08:31", 140)
	if e, l := kept(early), kept(late); e != 60 || l != 140 {
		t.Errorf("kept %d and %d, want 60 and 140", e, l)
	}
	send("07:30", 3)
	send("2026-03-10 08:10", 3)
	if e, l, y := kept(early), kept(late), kept(yesterday); e != 60 || l != 140 || y != 3 {
		t.Errorf("kept %d, %d and %d of yesterday, want 60, 140 and 3", e, l, y)
	}
}

// TestCrossed keeps a clock-out that another attendance parts from its clock-in with that
// attendance.
func TestCrossed(t *testing.T) {
	w := newWorld(t)
	other := w.occurrence(t, w.assign(t, w.user, w.addShift(t, "08:00", "10:00", nil)), "2026-03-11")
	between := w.attend(t, other, "08:30", "09:00", nil)
	w.attend(t, w.today, "08:00", "", nil)
	for range 2 {
		wantCode(t, "out", w.clockOut(recordedOut(jakarta("09:30"))), "CONFLICT recordedAt")
	}
	row := w.DB.Attendance.GetX(w.System(), between.ID)
	if u := row.ClockedOutVerdict.Unpaired; len(u) != 1 || !u[0].Equal(verdict.Event{End: "out", At: jakarta("09:30")}) || row.ClockedOutReview != "pending" {
		t.Errorf("kept %v, review %s", u, row.ClockedOutReview)
	}
}

// clock formats an instant in Jakarta.
func clock(at time.Time) string { return at.Add(7 * time.Hour).Format("15:04") }

// TestUnpaired keeps what lies within a closed attendance once, and only what was recorded
// offline in time.
func TestUnpaired(t *testing.T) {
	w := newWorld(t)
	a := w.attend(t, w.today, "08:00", "09:30", nil)
	old := w.attend(t, w.occurrence(t, w.assignment, "2026-03-08"), "2026-03-08 08:00", "2026-03-08 10:30", nil)
	kept := func() string {
		row := w.DB.Attendance.GetX(w.System(), a.ID)
		text := fmt.Sprint(row.ClockedOutReview, row.ClockedOutFlags)
		for _, e := range row.ClockedOutVerdict.Unpaired {
			text += " " + e.End + " " + clock(e.At)
		}
		return text
	}
	for _, tt := range []struct {
		name string
		send func() error
		code string
		want string
	}{
		{"in before it", func() error { _, err := w.clockIn(recordedIn(jakarta("06:59"))); return err }, "SHIFT_WINDOW_CLOSED employeeShiftId", "none[]"},
		{"out after it", func() error { return w.clockOut(recordedOut(jakarta("09:40"))) }, "NOT_CLOCKED_IN", "none[]"},
		{"out before it", func() error { return w.clockOut(recordedOut(jakarta("07:40"))) }, "NOT_CLOCKED_IN", "none[]"},
		{"out, too old", func() error { return w.clockOut(recordedOut(jakarta("2026-03-08 09:59"))) }, "RECORDED_AT_OUT_OF_RANGE recordedAt", "none[]"},
		{"out within it", func() error { return w.clockOut(recordedOut(jakarta("08:30"))) }, "NOT_CLOCKED_IN", "pending[unpaired] out 08:30"},
		{"again", func() error { return w.clockOut(recordedOut(jakarta("08:30"))) }, "NOT_CLOCKED_IN", "pending[unpaired] out 08:30"},
		{"in within it", func() error { _, err := w.clockIn(recordedIn(jakarta("09:00"))); return err }, "CONFLICT recordedAt", "pending[unpaired] out 08:30 in 09:00"},
		{"elsewhere", func() error {
			_, err := w.clockIn(recordedIn(jakarta("09:10")), func(in *model.ClockInInput) { in.AddressID = given(99) })
			return err
		}, "NOT_FOUND addressId", "pending[unpaired] out 08:30 in 09:00"},
	} {
		wantCode(t, tt.name, tt.send(), tt.code)
		if got := kept(); got != tt.want {
			t.Errorf("%s: kept %s, want %s", tt.name, got, tt.want)
		}
	}
	if row := w.DB.Attendance.GetX(w.System(), old.ID); row.ClockedOutReview != "none" {
		t.Errorf("what was recorded too long ago is kept: %v", row.ClockedOutVerdict.Unpaired)
	}
}
