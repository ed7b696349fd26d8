package timesheet

import (
	"testing"
	"time"

	"workforce/internal/shift"
)

func TestRounding(t *testing.T) {
	jakarta := zoneOf("Asia/Jakarta")
	clock := func(text string) time.Time {
		c, err := time.ParseInLocation("2006-01-02 15:04:05", "2026-03-10 "+text, jakarta)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	tests := []struct {
		name, from, to string
		r              Rounding
		wantFrom, want string
		seconds        int
	}{
		{"A79 default", "12:17:35", "13:32:52", Rounding{Outward, 15}, "12:15:00", "13:45:00", 5400},
		{"A79 ceil", "12:17:35", "13:32:52", Rounding{Ceil, 15}, "12:30:00", "13:45:00", 4500},
		{"A79 floor", "12:17:35", "13:32:52", Rounding{Floor, 15}, "12:15:00", "13:30:00", 4500},
		{"A79 closest", "12:17:35", "13:32:52", Rounding{Closest, 15}, "12:15:00", "13:30:00", 4500},
		{"A80 default", "12:17:35", "13:32:52", Rounding{Outward, 1}, "12:17:00", "13:33:00", 4560},
		{"A80 floor", "12:17:35", "13:32:52", Rounding{Floor, 1}, "12:17:00", "13:32:00", 4500},
		{"A80 ceil", "12:17:35", "13:32:52", Rounding{Ceil, 1}, "12:18:00", "13:33:00", 4500},
		{"A80 none", "12:17:35", "13:32:52", Rounding{Outward, 0}, "12:17:35", "13:32:52", 4517},
		{"half goes up", "12:00:00", "12:15:00", Rounding{Nearest, 6}, "12:00:00", "12:18:00", 1080},
		{"half of a wall time too", "12:00:00", "12:15:00", Rounding{Closest, 6}, "12:00:00", "12:18:00", 1080},
		{"from the start, in its minute", "12:17:35", "12:40:00", Rounding{LengthUp, 15}, "12:17:00", "12:47:00", 1800},
		{"down", "12:17:35", "12:40:00", Rounding{LengthDown, 15}, "12:17:00", "12:32:00", 900},
		{"on the border it stays", "12:17:00", "12:47:00", Rounding{LengthUp, 15}, "12:17:00", "12:47:00", 1800},
		{"nothing stays nothing", "12:17:35", "12:17:35", Rounding{Outward, 15}, "12:17:35", "12:17:35", 0},
		{"nothing from the start", "12:17:35", "12:17:35", Rounding{LengthUp, 15}, "12:17:35", "12:17:35", 0},
		{"an unknown mode", "12:17:35", "13:32:52", Rounding{"other", 15}, "12:17:35", "13:32:52", 4517},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.r.View(interval{Start: clock(tt.from), End: clock(tt.to)}, jakarta)
			if !got.Start.Equal(clock(tt.wantFrom)) || !got.End.Equal(clock(tt.want)) || got.End.Sub(got.Start) != time.Duration(tt.seconds)*time.Second {
				t.Errorf("got %v", got)
			}
		})
	}
	// Hours are those of the wall, in Kathmandu a quarter past the ones of UTC.
	nepal := zoneOf("Asia/Kathmandu")
	from := time.Date(2026, 3, 10, 9, 20, 0, 0, nepal)
	got := Rounding{Outward, 60}.View(interval{Start: from.UTC(), End: from.Add(time.Hour).UTC()}, nepal)
	if text := got.Start.In(nepal).Format("15:04") + "-" + got.End.In(nepal).Format("15:04"); text != "09:00-11:00" {
		t.Errorf("in Kathmandu %s", text)
	}
}

// TestRoundedTotals round each length, and then sum.
func TestRoundedTotals(t *testing.T) {
	for _, tt := range []struct {
		mode    Mode
		lengths []int // seconds
		want    time.Duration
	}{
		{Nearest, []int{449, 450, 450, 450, 450}, 3600 * time.Second},
		{LengthUp, []int{449, 450, 451, 450, 449}, 4500 * time.Second},
	} {
		var list []interval
		for i, s := range tt.lengths {
			list = append(list, interval{Start: at(8+i, 0), End: at(8+i, 0).Add(time.Duration(s) * time.Second)})
		}
		if got := (Rounding{tt.mode, 15}).Total(list, time.UTC); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.mode, got, tt.want)
		}
	}
}

// TestRoundedOnce shows that rounding again changes nothing, that no length is negative,
// and that an end moves by less than a step.
func TestRoundedOnce(t *testing.T) {
	for seed := range uint64(4000) {
		s := newRandom(seed)
		r := Rounding{pick(s, Outward, Floor, Ceil, Closest, LengthDown, LengthUp, Nearest), pick(s, 1, 5, 6, 15, 30, 60)}
		zone := zoneOf(pick(s, "UTC", "Asia/Kathmandu", "Europe/Berlin"))
		from := at(0, 0).Add(time.Duration(s.IntN(20*86400)) * time.Second)
		i := interval{Start: from, End: from.Add(time.Duration(s.IntN(10*3600)) * time.Second)}
		once := r.View(i, zone)
		twice, step := r.View(once, zone), minutes(r.Minutes)
		if !twice.Start.Equal(once.Start) || !twice.End.Equal(once.End) || once.End.Before(once.Start) {
			t.Fatalf("seed %d: %v becomes %v and %v by %v", seed, i, once, twice, r)
		}
		if once.Start.Sub(i.Start).Abs() >= step || once.End.Sub(i.End).Abs() >= step+time.Minute {
			t.Fatalf("seed %d: %v becomes %v by %v", seed, i, once, r)
		}
	}
}

// TestRoundedSheet rounds each interval of a sheet: the morning and the afternoon, and what
// is left of a night before and after midnight.
func TestRoundedSheet(t *testing.T) {
	at := func(day, hour, minute int) time.Time { return time.Date(2026, 3, day, hour, minute, 0, 0, time.UTC) }
	grace := 0
	o := Occurrence{Date: "2026-03-10", Zone: time.UTC, Start: at(10, 8, 0), End: at(10, 17, 0), Until: at(10, 18, 0), LateGrace: &grace,
		Breaks: []shift.Interval{{Start: at(10, 12, 0), End: at(10, 13, 0)}}}
	night := Occurrence{Date: "2026-03-10", Zone: time.UTC, Start: at(10, 22, 0), End: at(11, 6, 0), Until: at(11, 7, 0)}
	records := []Record{
		{Work: Work{o, []Entry{{In: at(10, 8, 7), Out: at(10, 17, 8)}}}},
		{Work: Work{night, []Entry{{In: at(10, 21, 52), Out: at(11, 6, 8)}}}},
	}
	days := NewSheets(Rounding{Closest, 15}, Period{"2026-03-10", "2026-03-11"}, Defaults(), at(20, 0, 0)).Of(records, func(shift.Date) Off { return Off{} })
	minutes := func(d time.Duration) int { return int(d / time.Minute) }
	first, second := days[0], days[1]
	got := [...]int{
		minutes(first.Worked), minutes(first.Closed), minutes(second.Worked), minutes(first.Night), minutes(second.Night),
		minutes(first.Late), minutes(first.Expected), minutes(first.Balance),
	}
	if want := [...]int{240 + 255 + 135, 240 + 255 + 135, 375, 120, 360, 7, 960, 630 + 375 - 960}; got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}
