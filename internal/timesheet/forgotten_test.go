package timesheet

import (
	"testing"
	"time"
)

// judged returns an occurrence of a shift in UTC with graces, which is not flexible.
func judged(o Occurrence) Occurrence {
	o.LateGrace, o.EarlyGrace = new(0), new(0)
	return o
}

func TestClose(t *testing.T) {
	const date = "2024-01-30"
	day := judged(working("UTC", date, "08:00", "17:00", lunch))
	flexible := working("UTC", date, "08:00", "17:00", lunch)
	half := judged(working("UTC", date, "08:00", "12:00"))
	whole := judged(working("UTC", date, "08:00", "17:00", breakAt("12:00", "13:00")))
	due := judged(working("UTC", date, "08:00", "17:00"))
	due.BreakMinutes, due.BreakAfterMinutes = 60, 240
	clock := func(text string) Entry { // "08:00-11:00", or "14:00" for an open one
		out := ""
		if len(text) > 5 {
			out = date + " " + text[6:]
		}
		return clocked("UTC", date+" "+text[:5], out)
	}
	tolerance := func(minute int) Policy {
		p := Defaults()
		p.CloseTolerance = minutes(minute)
		return p
	}
	capped := func(hours int) Policy {
		p := Defaults()
		p.Cap = time.Duration(hours) * time.Hour
		return p
	}
	atEnd := Defaults()
	atEnd.CloseAtEnd = true
	tests := []struct {
		name    string
		o       Occurrence
		entries []string
		off     Off
		p       Policy
		exempt  bool
		want    string // date and time; "" for none
		reason  Reason
		run     string // when the job runs
		due     bool
	}{
		{"A62 with earlier work", day, []string{"08:00-11:00", "11:00-13:00", "14:00"}, Off{}, tolerance(60), false, "2024-01-30 19:00", ByHours, "2024-01-30 23:00", true},
		{"A63 within the allotment", day, []string{"20:00"}, Off{}, tolerance(60), false, "2024-01-31 05:00", ByHours, "2024-01-30 23:00", false},
		{"A63 flexible", flexible, []string{"20:00"}, Off{}, tolerance(60), false, "2024-01-31 12:00", ByCap, "2024-01-30 23:00", false},
		{"A63 flexible, at the cap", flexible, []string{"08:00"}, Off{}, tolerance(60), false, "2024-01-31 00:00", ByCap, "2024-01-31 00:00", true},
		{"A63 closed", day, []string{"08:00-20:00"}, Off{}, tolerance(60), false, "", "", "", false},
		{"A64 two days later", day, []string{"08:00"}, Off{}, tolerance(60), false, "2024-01-30 18:00", ByHours, "2024-02-01 23:00", true},
		{"A65 lunch between", day, []string{"08:00-12:00", "13:00"}, Off{}, tolerance(60), false, "2024-01-30 18:00", ByHours, "2024-01-30 22:00", true},
		{"A66 the company's cap", flexible, []string{"08:00"}, Off{}, capped(11), false, "2024-01-30 19:00", ByCap, "2024-01-30 23:00", true},
		{"A66 whatever the hours say", day, []string{"08:00"}, Off{}, capped(5), false, "2024-01-30 13:00", ByCap, "2024-01-30 23:00", true},
		{"A66 exempt", day, []string{"08:00"}, Off{}, capped(11), true, "2024-01-31 00:00", ByCap, "2024-01-30 23:00", false},
		{"exempt, at the longest of all", day, []string{"08:00"}, Off{}, capped(11), true, "2024-01-31 00:00", ByCap, "2024-01-31 00:00", true},
		{"a cap beyond the longest", flexible, []string{"08:00"}, Off{}, capped(30), false, "2024-01-31 00:00", ByCap, "2024-01-31 00:00", true},
		{"no cap is the longest", flexible, []string{"08:00"}, Off{}, capped(0), false, "2024-01-31 00:00", ByCap, "2024-01-31 00:00", true},
		{"leave from 15 to 17", day, []string{"08:00"}, Off{LeaveTimes: []interval{{Start: at24(15), End: at24(17)}}}, tolerance(6), false, "2024-01-30 15:06", ByHours, "2024-01-30 23:00", true},
		{"one week's pattern", half, []string{"08:00"}, Off{}, tolerance(0), false, "2024-01-30 12:00", ByHours, "2024-01-30 23:00", true},
		{"the other week's", whole, []string{"08:00"}, Off{}, tolerance(0), false, "2024-01-30 17:00", ByHours, "2024-01-30 23:00", true},
		{"two hours of tolerance by default", day, []string{"08:00"}, Off{}, Defaults(), false, "2024-01-30 19:00", ByHours, "2024-01-30 23:00", true},
		{"a break that is due is none of the hours", due, []string{"08:00"}, Off{}, tolerance(60), false, "2024-01-30 18:00", ByHours, "2024-01-30 23:00", true},
		{"an entry that overlaps it counts once", day, []string{"08:00-11:00", "10:00"}, Off{}, tolerance(60), false, "2024-01-30 18:00", ByHours, "2024-01-30 23:00", true},
		{"all worked already", day, []string{"06:00-19:00", "20:00"}, Off{}, Defaults(), false, "2024-01-30 20:01", ByHours, "2024-01-30 23:00", true},
		{"on a holiday, the shift", day, []string{"08:00"}, Off{Holiday: Whole}, tolerance(60), false, "2024-01-30 18:00", ByHours, "2024-01-30 23:00", true},
		{"at the end of the shift", day, []string{"08:00"}, Off{}, atEnd, false, "2024-01-30 17:00", ByShiftEnd, "2024-01-30 23:00", true},
		{"or of what leave leaves of it", day, []string{"08:00"}, Off{LeaveTimes: []interval{{Start: at24(15), End: at24(17)}}}, atEnd, false, "2024-01-30 15:00", ByShiftEnd, "2024-01-30 23:00", true},
		{"by the hours where it began after the end", day, []string{"17:00"}, Off{}, atEnd, false, "2024-01-31 03:00", ByHours, "2024-01-31 03:00", true},
		{"not within the window", half, []string{"08:00"}, Off{}, tolerance(0), false, "2024-01-30 12:00", ByHours, "2024-01-30 13:00", false},
		{"behind it", half, []string{"08:00"}, Off{}, tolerance(0), false, "2024-01-30 12:00", ByHours, "2024-01-30 13:01", true},
		{"the cap within the window", half, []string{"08:00"}, Off{}, capped(4), false, "2024-01-30 12:00", ByCap, "2024-01-30 12:00", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var entries []Entry
			for _, text := range tt.entries {
				entries = append(entries, clock(text))
			}
			got, ok := tt.o.Close(entries, tt.off, tt.p, tt.exempt)
			if ok != (tt.want != "") {
				t.Fatalf("got %+v, %v", got, ok)
			}
			if !ok {
				return
			}
			if text := got.At.Format("2006-01-02 15:04"); text != tt.want || got.Reason != tt.reason {
				t.Errorf("closed at %s by %s, want %s by %s", text, got.Reason, tt.want, tt.reason)
			}
			if run := clocked("UTC", tt.run, "").In; !run.Before(got.Due) != tt.due {
				t.Errorf("due at %v, run at %v", got.Due, run)
			}
			entries[len(entries)-1].Out = got.At
			if again, ok := tt.o.Close(entries, tt.off, tt.p, tt.exempt); ok {
				t.Errorf("once closed, it is closed again: %+v", again)
			}
		})
	}
}

func at24(hour int) time.Time { return time.Date(2024, 1, 30, hour, 0, 0, 0, time.UTC) }

// TestCloseMinuteByMinute looks for the first minute at which an open entry is to end.
func TestCloseMinuteByMinute(t *testing.T) {
	tried := map[Reason]int{}
	for seed := range uint64(600) {
		w := newWorld(newRandom(seed))
		exempt := seed%7 == 0
		for _, work := range w.works {
			if len(work.Entries) == 0 {
				continue
			}
			open := &work.Entries[len(work.Entries)-1]
			open.Out, open.NeedsConfirmation = time.Time{}, false
			got, ok := work.Close(work.Entries, w.offOf(work.Date), w.policy, exempt)
			want := closeOracle(work, w.offOf(work.Date), w.policy, exempt)
			if !ok || !got.At.Equal(want) {
				t.Fatalf("seed %d, %s: closed at %v by %s, want %v", seed, work.Date, got.At, got.Reason, want)
			}
			if last := got.At.Sub(open.In); last <= 0 || last > Longest || !exempt && w.policy.Cap >= time.Minute && last > w.policy.Cap {
				t.Fatalf("seed %d, %s: open for %v", seed, work.Date, last)
			}
			if got.Due.Before(got.At) || got.Due.After(open.In.Add(Longest)) && got.Due.After(work.Until.Add(time.Minute)) {
				t.Fatalf("seed %d, %s: closed at %v, due at %v", seed, work.Date, got.At, got.Due)
			}
			tried[got.Reason]++
		}
	}
	if len(tried) != 3 || min(tried[ByHours], tried[ByCap], tried[ByShiftEnd]) < 100 {
		t.Errorf("tried %v", tried)
	}
}

// closeOracle tries every half minute from the clock-in on.
func closeOracle(w Work, off Off, p Policy, exempt bool) time.Time {
	open := w.Entries[len(w.Entries)-1]
	longest := 16 * time.Hour
	if !exempt && p.Cap >= time.Minute && p.Cap < longest {
		longest = p.Cap
	}
	latest := open.In.Add(longest)
	if exempt || w.LateGrace == nil && w.EarlyGrace == nil {
		return latest
	}
	if expected(w.Occurrence, off) == 0 {
		off = Off{}
	}
	if p.CloseAtEnd {
		var end time.Time
		for m := w.Start; m.Before(w.End); m = m.Add(time.Minute) {
			if len(off.LeaveTimes) == 0 || !inside(m, off.LeaveTimes) && !inside(m, w.Breaks) {
				end = m.Add(time.Minute)
			}
		}
		if end.After(open.In) {
			if end.After(latest) {
				return latest
			}
			return end
		}
	}
	target := expected(w.Occurrence, off) + p.CloseTolerance
	if target == 0 {
		return open.In.Add(min(time.Minute, longest))
	}
	entries := append([]Entry(nil), w.Entries...)
	entries[len(entries)-1].Out = latest
	for i, m := range countMinutes(w.Occurrence, entries, latest) {
		for half := range time.Duration(2) {
			sum, end := time.Duration(i)*time.Minute+(half+1)*30*time.Second, m.Add((half+1)*30*time.Second)
			if sum < target {
				continue
			}
			if first := open.In.Add(time.Minute); end.Before(first) {
				return first
			}
			if end.After(latest) {
				return latest
			}
			return end
		}
	}
	return latest
}

func TestReminders(t *testing.T) {
	o, p := morning(), Defaults()
	capped := p
	capped.Cap = 4 * time.Hour
	never := p
	never.RemindAfter = 0
	tests := []struct {
		name       string
		in         time.Time
		off        Off
		p          Policy
		after, cap time.Time
	}{
		{"half an hour after the end, and at the cap", at(8, 0), Off{}, p, at(12, 30), at(24, 0)},
		{"began after both", at(13, 0), Off{}, p, time.Time{}, at(29, 0)},
		{"the cap is before the end", at(8, 0), Off{}, capped, time.Time{}, at(12, 0)},
		{"never", at(8, 0), Off{}, never, time.Time{}, at(24, 0)},
		{"leave from ten on", at(8, 0), Off{LeaveTimes: []interval{span(10, 12)}}, p, at(10, 30), at(24, 0)},
		{"on leave", at(8, 0), Off{Leave: Whole}, p, time.Time{}, at(24, 0)},
	}
	for _, tt := range tests {
		if after, cap := o.Reminders(tt.in, tt.off, tt.p); !after.Equal(tt.after) || !cap.Equal(tt.cap) {
			t.Errorf("%s: %v and %v, want %v and %v", tt.name, after, cap, tt.after, tt.cap)
		}
	}
}
