package timeentry

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/clockstate"
	row "workforce/ent/timeentry"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/errs"
	"workforce/internal/scalar"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }

// on returns an instant in Jakarta, of a time of 11 March or of a date and a time; nil for "".
func on(text string) *time.Time {
	if text == "" {
		return nil
	}
	for _, layout := range []string{"2006-01-02 15:04:05", "2006-01-02 15:04"} {
		for _, day := range []string{"", "2026-03-11 "} {
			if at, err := time.ParseInLocation(layout, day+text, shift.ZoneNamed("Asia/Jakarta")); err == nil {
				return new(at.UTC())
			}
		}
	}
	panic(text)
}

// instant gives an instant.
func instant(text string) input.Omittable[*time.Time] { return input.Given(on(text)) }

// text gives a text.
func text(s string) input.Omittable[*string] { return input.Given(&s) }

// faults lists the code and the members of an error.
func faults(err error) string {
	if err == nil {
		return ""
	}
	e := errs.As(err)
	list := []string{string(e.Code)}
	for _, f := range e.Faults {
		list = append(list, f.Field+" "+string(f.Reason))
	}
	return strings.TrimSpace(strings.Join(list, ", "))
}

// conflict reports whether an error is a conflict with some facts, on a field unless it is "".
func conflict(err error, field string, meta errs.Meta) bool {
	e := errs.As(err)
	if e.Code != errs.Conflict || field != "" && (len(e.Faults) == 0 || e.Faults[0].Field != field) {
		return false
	}
	for k, v := range meta {
		if e.Meta[k] != v {
			return false
		}
	}
	return true
}

// as runs a step as somebody who manages businesses.
func (w *world) as(u *ent.User, role string, step func(context.Context) error, businesses ...int) error {
	ctx := w.As(u, role, businesses...)
	viewer.From(ctx).Settings = w.settings
	return w.Try(ctx, func(ctx context.Context, _ *ent.Client) error { return step(ctx) })
}

// book books time of somebody's own from an instant to another, and returns the entry.
func (w *world) book(u *ent.User, title, from, to string) (id int, err error) {
	err = w.as(u, viewer.Employee, func(ctx context.Context) error {
		in := model.CreateTimeEntryInput{Title: text(title), StartAt: instant(from), EndAt: instant(to)}
		e, err := w.entries.Create(ctx, in)
		if err == nil {
			id = e.ID
		}
		return err
	})
	return id, err
}

func (w *world) mustBook(t *testing.T, u *ent.User, title, from, to string) int {
	t.Helper()
	id, err := w.book(u, title, from, to)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// entry returns an entry.
func (w *world) entry(id int) *ent.TimeEntry { return w.DB.TimeEntry.GetX(w.System(), id) }

// TestFaults tells all that is wrong with an entry at once. It is 10:00.
func TestFaults(t *testing.T) {
	type entry = model.CreateTimeEntryInput
	titled := func(title string) entry { return entry{Title: text(title)} }
	times := func(from, to string) entry {
		e := entry{Title: text("x"), StartAt: instant(from)}
		if to != "" {
			e.EndAt = instant(to)
		}
		return e
	}
	tagged := func(tags ...string) entry { return entry{Title: text("x"), Tags: input.Given(tags)} }
	long := func(n int) string { return strings.Repeat("é", n) }
	many := strings.Split(strings.Repeat("a ", maxTags+1), " ")[:maxTags+1]
	const early = "2026-03-10 21:00"
	w := newWorld(t)
	budi := w.User(t, "Budi")
	for about, tt := range map[string]struct {
		in   entry
		want string
	}{
		"no title":                  {entry{}, "title required"},
		"a blank title":             {titled(" "), "title required"},
		"a title as long as it may": {titled(long(maxTitle)), ""},
		"a longer one":              {titled(long(maxTitle + 1)), "title too_long"},
		"a longer note":             {entry{Title: text("x"), Note: text(long(maxNote + 1))}, "note too_long"},
		"an end without a start":    {times("", "09:00"), "endAt needs"},
		"an end before the start":   {times("09:00", "08:59:59"), "endAt out_of_range"},
		"no length":                 {times("09:00", "09:00"), ""},
		"a start two minutes ahead": {times("10:02", ""), ""},
		"a start a second more":     {times("10:02:01", ""), "startAt out_of_range"},
		"an end to come":            {times("09:00", "10:02:01"), "endAt out_of_range"},
		"twelve hours":              {times(early, "09:00"), ""},
		"a second more":             {times(early, "09:00:01"), "endAt out_of_range"},
		"a timer since a year":      {times("2025-03-10 21:00", ""), ""},
		"too many tags":             {tagged(many...), "tags too_many"},
		"tags as many as there may": {tagged(many[:maxTags]...), ""},
		"a blank tag":               {tagged(" "), "tags required"},
		"a long tag":                {tagged(long(maxTag + 1)), "tags too_long"},
		"half a position":           {entry{Title: text("x"), Latitude: degrees(1)}, "longitude required"},
		"no position on Earth": {entry{Title: text("x"), Latitude: degrees(91), Longitude: degrees(1)},
			"latitude out_of_range"},
		"no task":     {entry{TaskID: input.Given(new(99999))}, "NOT_FOUND, taskId"},
		"no project":  {entry{Title: text("x"), ProjectID: input.Given(new(99999))}, "NOT_FOUND, projectId"},
		"no category": {entry{Title: text("x"), CategoryID: input.Given(new(99999))}, "NOT_FOUND, categoryId"},
		"nobody":      {entry{Title: text("x"), UserID: input.Given(new(99999))}, "NOT_FOUND, userId"},
		"all that is wrong together": {entry{Title: text(" "), Latitude: degrees(91), EndAt: instant("09:00")},
			"title required, latitude out_of_range, longitude required, endAt needs"},
	} {
		before := w.DB.TimeEntry.Query().CountX(w.System())
		err := w.as(budi, viewer.Employee, func(ctx context.Context) error {
			_, err := w.entries.Create(ctx, tt.in)
			return err
		})
		made := w.DB.TimeEntry.Query().CountX(w.System()) - before
		got := strings.TrimPrefix(faults(err), "VALIDATION_FAILED, ")
		if got != tt.want || (made == 1) != (tt.want == "") {
			t.Errorf("%s: %q and %d entries, want %q", about, got, made, tt.want)
		}
	}
}

// degrees gives a coordinate.
func degrees(d float64) input.Omittable[*scalar.Coordinate] {
	return input.Given(&scalar.Coordinate{Degrees: d, Valid: true})
}

// TestKept: an entry keeps what it was given, in whole seconds, its tags in order and each once.
func TestKept(t *testing.T) {
	w := newWorld(t)
	budi := w.User(t, "Budi")
	start, end := on("08:00").Add(999*time.Millisecond), on("09:00").Add(time.Millisecond)
	in := model.CreateTimeEntryInput{
		Title: text(" Survei "), StartAt: input.Given(&start), EndAt: input.Given(&end), Note: text(" kopi\r\nteh "),
		Tags: input.Given([]string{"b", " a", "b"}), Latitude: degrees(-6.2), Longitude: degrees(106.8),
	}
	var id int
	for range 2 { // the second keeps no other position of the same instant
		err := w.as(budi, viewer.Employee, func(ctx context.Context) error {
			e, err := w.entries.Create(ctx, in)
			if err == nil {
				id = e.ID
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	e := w.entry(id)
	got := fmt.Sprintf("%s %q %q %v %v %d", e.Kind, *e.Note, e.Tags, *e.Latitude, *e.Longitude, e.Seconds)
	if want := `booked "kopi\nteh" ["a" "b"] -6.2 106.8 3600`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if title := w.DB.Task.GetX(w.System(), e.TaskID).Title; title != "Survei" {
		t.Errorf("the task is %q", title)
	}
	if n := w.DB.Position.Query().CountX(w.System()); n != 1 {
		t.Errorf("%d positions, want one", n)
	}
}

// TestDates: an entry has the dates of its first and its last second, one that runs has no last.
func TestDates(t *testing.T) {
	for _, tt := range []struct{ from, to, first, last string }{
		{"2026-03-10 08:00", "2026-03-10 09:00", "2026-03-10", "2026-03-10"},
		{"2026-03-10 23:00", "2026-03-11 00:00", "2026-03-10", "2026-03-10"},
		{"2026-03-10 23:00", "2026-03-11 00:00:01", "2026-03-10", "2026-03-11"},
		{"2026-03-11 00:00", "2026-03-11 00:00", "2026-03-11", "2026-03-11"},
		{"2026-03-10 23:00", "", "2026-03-10", forever},
		{"", "", "2026-03-11", "2026-03-11"},
	} {
		w := newWorld(t)
		e := w.entry(w.mustBook(t, w.User(t, "Budi"), "x", tt.from, tt.to))
		if e.Date != tt.first || e.LastDate != tt.last || (e.Slot != nil) != (tt.last == forever) {
			t.Errorf("%s to %s: %s to %s, slot %v, want %s to %s", tt.from, tt.to, e.Date, e.LastDate, e.Slot, tt.first, tt.last)
		}
	}
}

// TestBookFor says for whom one books time: for oneself, and for those whose time one writes; for owners, owners
// alone.
func TestBookFor(t *testing.T) {
	w := newWorld(t)
	budi, ani, rudi := w.User(t, "Budi"), w.User(t, "Ani"), w.User(t, "Rudi", viewer.Owner)
	manager, admin, owner := w.User(t, "Manager"), w.User(t, "Admin"), w.User(t, "Owner", viewer.Owner)
	var team int
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		team = db.Business.Create().SetCompanyID(w.Company.ID).SetName("Lobi").SaveX(ctx).ID
		return db.User.UpdateOne(budi).SetBusinessID(team).Exec(ctx)
	})
	for _, tt := range []struct {
		by   *ent.User
		role string
		of   *ent.User
		want string
	}{
		{budi, viewer.Employee, budi, ""}, {budi, viewer.Employee, ani, "NOT_FOUND, userId"},
		{manager, viewer.Manager, budi, "FORBIDDEN"}, {manager, viewer.Manager, ani, "NOT_FOUND, userId"},
		{admin, viewer.Admin, ani, ""}, {admin, viewer.Admin, rudi, "FORBIDDEN"}, {owner, viewer.Owner, rudi, ""},
		{rudi, viewer.Owner, rudi, ""},
	} {
		in := model.CreateTimeEntryInput{UserID: input.Given(&tt.of.ID), Title: text("x")}
		err := w.as(tt.by, tt.role, func(ctx context.Context) error { _, err := w.entries.Create(ctx, in); return err }, team)
		if got := faults(err); strings.TrimSpace(got) != tt.want {
			t.Errorf("%s for %s: %q, want %q", tt.by.Name, tt.of.Name, got, tt.want)
		}
	}
}

// TestOverlap: where the company has none overlap, no time is booked twice. Siang is from 12:00 to 13:00, and it
// is 18:00.
func TestOverlap(t *testing.T) {
	w := newWorld(t)
	w.Set(*on("18:00"))
	budi := w.User(t, "Budi")
	siang := w.mustBook(t, budi, "Siang", "12:00", "13:00")
	w.mustBook(t, w.User(t, "Ani"), "of somebody else", "08:00", "18:00")
	for _, tt := range []struct {
		from, to string
		free     bool
	}{
		{"12:30", "13:30", false}, {"11:30", "12:30", false}, {"12:15", "12:45", false}, {"11:30", "13:30", false},
		{"12:00", "13:00", false}, {"12:30", "", false}, {"11:00", "", false}, {"12:59:59", "13:00", false},
		{"12:00", "12:00:01", false},
		{"11:00", "12:00", true}, {"13:00", "14:00", true}, {"13:00", "", true}, {"", "", true},
		{"2026-03-10 12:15", "2026-03-10 12:45", true},
	} {
		for _, overlap := range []bool{false, true} {
			w.settings = setting.Values{"entryOverlap": overlap}
			id, err := w.book(budi, "x", tt.from, tt.to)
			free := tt.free || overlap
			if free && err != nil || !free && !conflict(err, "startAt", errs.Meta{"timeEntry": fmt.Sprint(siang)}) {
				t.Errorf("%s to %s, overlaps allowed %t: %v", tt.from, tt.to, overlap, err)
			}
			if err != nil {
				continue
			}
			err = w.as(budi, viewer.Employee, func(ctx context.Context) error { return w.entries.Delete(ctx, id) })
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	w.settings = setting.Values{"entryOverlap": false}
	sore := w.mustBook(t, budi, "Sore", "13:00", "13:15")
	for from, free := range map[string]bool{"12:45": false, "13:05": true, "13:00": true} {
		err := w.as(budi, viewer.Employee, func(ctx context.Context) error {
			return w.entries.Update(ctx, sore, model.UpdateTimeEntryInput{StartAt: instant(from)})
		})
		if free && err != nil || !free && !conflict(err, "startAt", errs.Meta{"timeEntry": fmt.Sprint(siang)}) {
			t.Errorf("moved to %s: %v", from, err)
		}
	}
}

// TestTimersAlone: where people book by timers alone, they name no instant before the last two minutes.
func TestTimersAlone(t *testing.T) {
	for _, tt := range []struct {
		role, from, to string
		want           string
	}{
		{viewer.Employee, "", "", ""}, {viewer.Employee, "09:58", "", ""}, {viewer.Employee, "09:58", "10:00", ""},
		{viewer.Employee, "09:57:59", "", "VALIDATION_FAILED, startAt out_of_range"},
		{viewer.Employee, "08:00", "09:00", "VALIDATION_FAILED, startAt out_of_range, endAt out_of_range"},
		{viewer.Admin, "08:00", "09:00", ""},
	} {
		w := newWorld(t)
		w.settings = setting.Values{"timersAlone": true}
		err := w.as(w.User(t, "Budi"), tt.role, func(ctx context.Context) error {
			in := model.CreateTimeEntryInput{Title: text("x"), StartAt: instant(tt.from), EndAt: instant(tt.to)}
			_, err := w.entries.Create(ctx, in)
			return err
		})
		if got := faults(err); got != tt.want {
			t.Errorf("%s from %s to %s: %q, want %q", tt.role, tt.from, tt.to, got, tt.want)
		}
	}
}

// TestRoom starts one timer more than run at once: the oldest stops, or the other one is refused.
func TestRoom(t *testing.T) {
	for _, tt := range []struct {
		atOnce int
		stops  bool
		want   string // titles of what runs after a, b and c
	}{{1, true, "c"}, {2, true, "b c"}, {3, true, "a b c"}, {1, false, "a"}, {2, false, "a b"}, {3, false, "a b c"}} {
		w := newWorld(t)
		w.settings = setting.Values{"runningTimers": tt.atOnce, "timerStops": tt.stops}
		budi, first := w.User(t, "Budi"), 0
		var refused error
		for i, title := range []string{"a", "b", "c"} {
			err := w.as(budi, viewer.Employee, func(ctx context.Context) error {
				e, err := w.entries.Start(ctx, model.StartTimerInput{Title: input.Given(&title)})
				if i == 0 && err == nil {
					first = e.ID
				}
				return err
			})
			if err != nil {
				refused = err
			}
			w.Advance(time.Minute)
		}
		var list []string
		running := w.DB.TimeEntry.Query().Where(row.SlotNotNil()).Order(row.ByID()).WithTask().AllX(w.System())
		for _, e := range running {
			list = append(list, e.Edges.Task.Title)
		}
		if got := strings.Join(list, " "); got != tt.want {
			t.Errorf("%d at once, stopping %t: %s run, want %s", tt.atOnce, tt.stops, got, tt.want)
		}
		if tt.stops || tt.atOnce == 3 {
			if refused != nil {
				t.Errorf("%d at once, stopping %t: %v", tt.atOnce, tt.stops, refused)
			}
		} else if !conflict(refused, "", errs.Meta{"runningTimer": fmt.Sprint(first)}) {
			t.Errorf("%d at once: %v", tt.atOnce, refused)
		}
		if n := w.DB.ClockState.Query().Where(clockstate.UserID(budi.ID)).OnlyX(w.System()).Timers; n != len(list) {
			t.Errorf("the person keeps %d timers, %d run", n, len(list))
		}
	}
}

// TestRestart starts a timer on what an entry of one's own is booked on, with its note where all is copied.
func TestRestart(t *testing.T) {
	w := newWorld(t)
	budi, admin := w.User(t, "Budi"), w.User(t, "Admin", viewer.Admin)
	id := w.mustBook(t, budi, "Survei", "08:00", "09:00")
	note := model.UpdateTimeEntryInput{Note: text("kopi"), Tags: input.Given([]string{"a"})}
	if err := w.update(budi, id, note); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		about string
		by    *ent.User
		role  string
		in    *model.RestartTimerInput
		want  string // start, note and tags, or faults
	}{
		{"now", budi, viewer.Employee, nil, "10:00:00 - []"},
		{"with all", budi, viewer.Employee, &model.RestartTimerInput{CopyAll: input.Given(new(true))}, "10:00:00 kopi [a]"},
		{"without", budi, viewer.Employee, &model.RestartTimerInput{CopyAll: input.Given(new(false))}, "10:00:00 - []"},
		{"from before", budi, viewer.Employee, &model.RestartTimerInput{StartAt: instant("09:30")}, "09:30:00 - []"},
		{"to come", budi, viewer.Employee, &model.RestartTimerInput{StartAt: instant("10:02:01")},
			"VALIDATION_FAILED, startAt out_of_range"},
		{"for another", admin, viewer.Admin, nil, "FORBIDDEN"},
	} {
		var made *ent.TimeEntry
		err := w.as(tt.by, tt.role, func(ctx context.Context) (err error) {
			made, err = w.entries.Restart(ctx, id, tt.in)
			return err
		})
		got := faults(err)
		if err == nil {
			e, note := w.entry(made.ID), "-"
			if e.Note != nil {
				note = *e.Note
			}
			got = fmt.Sprint(e.StartedAt.In(shift.ZoneNamed("Asia/Jakarta")).Format("15:04:05"), " ", note, " ", e.Tags)
			if e.TaskID != w.entry(id).TaskID || e.Kind != row.KindTimer {
				t.Errorf("%s: on task %d, %s", tt.about, e.TaskID, e.Kind)
			}
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.about, got, tt.want)
		}
	}
}

// TestStop stops the timer that is named, once, or the latest of the person.
func TestStop(t *testing.T) {
	w := newWorld(t)
	w.settings = setting.Values{"runningTimers": 3}
	budi, admin := w.User(t, "Budi"), w.User(t, "Admin", viewer.Admin)
	var timers []int
	for _, title := range []string{"a", "b", "c"} {
		timers = append(timers, w.start(t, budi, title, ""))
		w.Advance(time.Minute)
	}
	booked := w.mustBook(t, budi, "d", "08:00", "09:00")
	for _, tt := range []struct {
		about   string
		by      *ent.User
		role    string
		id      *int
		stopped int
		already bool
		want    string
	}{
		{"the latest", budi, viewer.Employee, nil, timers[2], false, ""},
		{"one that is named", budi, viewer.Employee, &timers[0], timers[0], false, ""},
		{"again", budi, viewer.Employee, &timers[0], timers[0], true, ""},
		{"what never ran", budi, viewer.Employee, &booked, booked, true, ""},
		{"another's, without a timer of one's own", admin, viewer.Admin, nil, 0, false, "NO_RUNNING_TIMER"},
		{"another's", admin, viewer.Admin, &timers[1], timers[1], false, ""},
		{"none is left", budi, viewer.Employee, nil, 0, false, "NO_RUNNING_TIMER"},
	} {
		var stopped int
		var already bool
		err := w.as(tt.by, tt.role, func(ctx context.Context) (err error) {
			stopped, already, err = w.entries.Stop(ctx, tt.id)
			return err
		})
		if faults(err) != tt.want || stopped != tt.stopped || already != tt.already {
			t.Errorf("%s: %d, already %t, %v, want %d, %t, %q", tt.about, stopped, already, err, tt.stopped, tt.already, tt.want)
		}
	}
	if n := w.DB.TimeEntry.Query().Where(row.EndedAtIsNil()).CountX(w.System()); n != 0 {
		t.Errorf("%d timers run", n)
	}
}
