package booking

import (
	"testing"
	"time"

	"workforce/internal/errs"
	"workforce/internal/setting"
)

func at(clock string) time.Time {
	if clock == "" {
		return time.Time{}
	}
	t, err := time.Parse("2006-01-02 15:04:05", "2026-03-10 "+clock)
	if err != nil {
		t, err = time.Parse("2006-01-02 15:04", "2026-03-10 "+clock)
	}
	if err != nil {
		panic(err)
	}
	return t
}

func TestOverlapping(t *testing.T) {
	noon := Span{1, at("12:00"), at("13:00")}
	for _, tt := range []struct {
		about      string
		other      Span
		start, end string
		now        string
		want       bool
	}{
		{"from within", noon, "12:30", "13:30", "18:00", true},
		{"into it", noon, "11:30", "12:30", "18:00", true},
		{"within it", noon, "12:15", "12:45", "18:00", true},
		{"around it", noon, "11:30", "13:30", "18:00", true},
		{"running from within", noon, "12:30", "", "12:30", true},
		{"running from before", noon, "11:30", "", "12:30", true},
		{"running from before, not there yet", noon, "11:30", "", "11:45", false},
		{"running from its start", noon, "12:00", "", "12:00", true},
		{"before it, touching", noon, "11:00", "12:00", "18:00", false},
		{"after it, touching", noon, "13:00", "13:15", "18:00", false},
		{"a second of it", noon, "12:59:59", "13:15", "18:00", true},
		{"a running one, before now", Span{1, at("11:00"), time.Time{}}, "11:30", "11:45", "12:00", true},
		{"a running one, after now", Span{1, at("11:00"), time.Time{}}, "12:00", "12:30", "12:00", false},
		{"one without length", Span{1, at("12:00"), at("12:00")}, "11:00", "13:00", "18:00", true},
		{"one without length at its start", Span{1, at("12:00"), at("12:00")}, "12:00", "13:00", "18:00", false},
		{"without length, within", noon, "12:30", "12:30", "18:00", true},
		{"without length, at its end", noon, "13:00", "13:00", "18:00", false},
	} {
		e := Span{0, at(tt.start), at(tt.end)}
		if got, found := Overlapping(e, []Span{tt.other}, at(tt.now)); found != tt.want || found && got != tt.other {
			t.Errorf("%s: %v %v, want %v", tt.about, got, found, tt.want)
		}
	}
	// A77: an entry that moves is no obstacle to itself.
	stored := []Span{{1, at("14:00"), at("15:00")}, {2, at("15:30"), at("16:00")}}
	if _, found := Overlapping(Span{2, at("15:15"), at("16:00")}, stored, at("18:00")); found {
		t.Error("an entry overlaps itself")
	}
	if got, found := Overlapping(Span{2, at("14:30"), at("16:00")}, stored, at("18:00")); !found || got.ID != 1 {
		t.Errorf("moved into another: %v %v", got, found)
	}
}

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		about      string
		limit      time.Duration
		start, end string
		want       string
	}{
		{"no time", 0, "", "", ""},
		{"running", 0, "12:00", "", ""},
		{"120 s ahead", 0, "18:02", "", ""},
		{"more than 120 s ahead", 0, "18:02:01", "", "startAt out_of_range"},
		{"an end ahead", 0, "12:00", "18:02:01", "endAt out_of_range"},
		{"an end without a start", 0, "", "12:00", "endAt needs"},
		{"an end before the start", 0, "12:00", "11:59:59", "endAt out_of_range"},
		{"an end at the start", 0, "12:00", "12:00", ""},
		{"as long as it may be", 2 * time.Hour, "12:00", "14:00", ""},
		{"longer", 2 * time.Hour, "12:00", "14:00:01", "endAt out_of_range"},
		{"running longer", 2 * time.Hour, "01:00", "", ""},
	} {
		var faults errs.Faults
		instant := func(clock string) *time.Time {
			if clock == "" {
				return nil
			}
			return new(at(clock))
		}
		Rules{Ahead: 120 * time.Second, Limit: tt.limit}.Check(&faults, instant(tt.start), instant(tt.end), at("18:00"))
		got := ""
		for _, f := range faults {
			got += f.Field + " " + string(f.Reason)
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.about, got, tt.want)
		}
	}
	var faults errs.Faults
	Rules{Limit: 2 * time.Hour}.Check(&faults, new(at("01:00")), new(at("11:00")), at("18:00"))
	if len(faults) != 1 || faults[0].Meta["max"] != "2026-03-10T03:00:00Z" {
		t.Errorf("faults %v do not name the limit", faults)
	}
	start := at("12:00").Add(-Longest - time.Second)
	faults = nil
	Rules{}.Check(&faults, &start, new(at("12:00")), at("18:00"))
	if len(faults) != 1 {
		t.Errorf("an entry of more than a year: %v", faults)
	}
}

func TestLong(t *testing.T) {
	for _, tt := range []struct {
		limit      time.Duration
		start, end string
		want       bool
	}{
		{0, "01:00", "", false}, {2 * time.Hour, "16:00", "", false}, {2 * time.Hour, "15:59:59", "", true},
		{2 * time.Hour, "01:00", "03:00", false}, {2 * time.Hour, "01:00", "03:00:01", true},
	} {
		if got := (Rules{Limit: tt.limit}).Long(Span{0, at(tt.start), at(tt.end)}, at("18:00")); got != tt.want {
			t.Errorf("%v: %v", tt, got)
		}
	}
}

func TestExceeding(t *testing.T) {
	two := []Span{{1, at("09:00"), time.Time{}}, {2, at("10:00"), time.Time{}}}
	for _, tt := range []struct {
		about   string
		rules   Rules
		running []Span
		stopped int
		ok      bool
	}{
		{"nothing runs", Rules{AtOnce: 1, Stops: true}, nil, 0, true},
		{"one runs", Rules{AtOnce: 1, Stops: true}, two[:1], 1, true},
		{"refused", Rules{AtOnce: 1}, two[:1], 1, false},
		{"two at once, one runs", Rules{AtOnce: 2}, two[:1], 0, true},
		{"two at once, two run", Rules{AtOnce: 2, Stops: true}, two, 1, true},
		{"two at once, refused", Rules{AtOnce: 2}, two, 1, false},
		{"fewer at once than run", Rules{AtOnce: 1, Stops: true}, two, 2, true},
		{"no number is one", Rules{Stops: true}, two[:1], 1, true},
	} {
		got, ok := tt.rules.Exceeding(tt.running)
		if len(got) != tt.stopped || ok != tt.ok || len(got) > 0 && got[0].ID != 1 {
			t.Errorf("%s: %v %v", tt.about, got, ok)
		}
	}
}

func TestStoppedAt(t *testing.T) {
	running := Span{1, at("09:00"), time.Time{}}
	for begun, want := range map[string]string{"10:00": "10:00", "09:00:01": "09:00:01", "09:00": "18:00", "08:00": "18:00"} {
		if got := StoppedAt(running, at(begun), at("18:00")); !got.Equal(at(want)) {
			t.Errorf("stopped by one of %s: %v, want %s", begun, got, want)
		}
	}
}

func TestSpan(t *testing.T) {
	running := Span{1, at("09:00"), time.Time{}}
	if got := running.Seconds(at("10:00")); got != 3600 {
		t.Errorf("running: %d", got)
	}
	if got := running.Seconds(at("08:59")); got != 0 {
		t.Errorf("begun ahead of now: %d", got)
	}
	if got := (Span{1, at("09:00"), at("09:30")}).Seconds(at("18:00")); got != 1800 {
		t.Errorf("closed: %d", got)
	}
}

func TestCorrection(t *testing.T) {
	if least, most := Correction(3000); least != -3000 || most != 365*86400-3000 {
		t.Errorf("from %d to %d", least, most)
	}
}

func TestTracked(t *testing.T) {
	nine, ten := at("09:00").Unix(), at("10:00").Unix()
	if got := Tracked(60, 2, nine+ten, at("10:30")); got != 60+5400+1800 {
		t.Errorf("two running: %d", got)
	}
	if got := Tracked(60, 0, 0, at("10:30")); got != 60 {
		t.Errorf("none running: %d", got)
	}
}

func TestRulesOf(t *testing.T) {
	want := Rules{Ahead: 120 * time.Second, Limit: 12 * time.Hour, AtOnce: 1, Stops: true, Overlap: true}
	if got := RulesOf(nil); got != want {
		t.Errorf("defaults %+v, want %+v", got, want)
	}
	set := setting.Values{
		"aheadSeconds": 5, "entryLimitMinutes": 120, "runningTimers": 3, "timerStops": false, "entryOverlap": false,
		"timersAlone": true, "timerOnDuty": true,
	}
	want = Rules{Ahead: 5 * time.Second, Limit: 2 * time.Hour, AtOnce: 3, Timers: true, OnDuty: true}
	if got := RulesOf(set); got != want {
		t.Errorf("set %+v, want %+v", got, want)
	}
}
