package recurrence

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/teambition/rrule-go"
	"pgregory.net/rapid"

	"workforce/internal/shift"
)

// compare compares the dates of a rule until 9998-12-31 with those that rrule-go finds. That
// goes on to the year 9999 where it finds none: start is a few years before.
func compare(t rapid.TB, text string, start shift.Date) {
	t.Helper()
	r, err := Parse(text)
	if err != nil || r.Check() != nil || differs(r, start) {
		return
	}
	option, err := rrule.StrToROption(strings.TrimPrefix(strings.ToUpper(strings.TrimSpace(text)), "RRULE:"))
	if err != nil {
		t.Fatalf("%s is none for rrule-go: %v", text, err)
	}
	option.Dtstart = dayOf(start).time()
	if u := option.Until; !u.IsZero() {
		option.Until = u.Truncate(24 * time.Hour)
	}
	oracle, err := rrule.NewRRule(*option)
	if err != nil {
		t.Fatalf("%s is none for rrule-go: %v", text, err)
	}
	var want []shift.Date
	next := oracle.Iterator()
	for at, ok := next(); ok && at.Year() < 9999; at, ok = next() {
		want = append(want, shift.DateOf(at, time.UTC))
	}
	got, err := r.Between(context.Background(), start, start, "9998-12-31")
	if err != nil || !slices.Equal(got, want) {
		t.Fatalf("%s from %s: %v\n%v, rrule-go has\n%v", text, start, err, got, want)
	}
	if len(want) > 0 {
		middle := want[len(want)/2]
		if next, err := r.Next(context.Background(), start, middle.AddDays(-1)); next != middle || err != nil {
			t.Fatalf("%s from %s: %s follows, %v, want %s", text, start, next, err, middle)
		}
		if last, err := r.Last(context.Background(), start, middle); last != middle || err != nil {
			t.Fatalf("%s from %s: %s is the last, %v, want %s", text, start, last, err, middle)
		}
	}
}

// differs reports whether rrule-go does with a rule what RFC 5545 does not say.
func differs(r *Rule, start shift.Date) bool {
	plain := r.weekdays != [7]bool{}
	switch {
	case plain && r.numbered() > 0: // it takes the days that both MO and 2TU name: none
		return true
	case r.Freq == Weekly && !r.setPos.empty() && (start.Weekday()-1+7-r.weekStart)%7 > 0:
		// In the week of the start it counts places from the start.
		return true
	case r.weeks.empty():
		return false
	}
	// It takes all weekdays of a week without BYDAY, and misses weeks that two years share.
	for n := range 54 {
		if r.weeks.has(n, n) && (n == 1 || n > 51) {
			return true
		}
	}
	return !r.byDay && r.monthDays.empty() && r.yearDays.empty()
}

// rules draws rules that are mostly valid.
func rules(t *rapid.T) string {
	freq := rapid.SampledFrom([]string{"DAILY", "WEEKLY", "MONTHLY", "YEARLY"}).Draw(t, "freq")
	parts := []string{"FREQ=" + freq}
	add := func(name string, chance int, value func() string) {
		if rapid.IntRange(1, 10).Draw(t, name+" given") <= chance {
			parts = append(parts, name+"="+value())
		}
	}
	numbers := func(name string, least, most int) func() string {
		return func() string {
			n := rapid.Custom(func(t *rapid.T) int {
				n := rapid.IntRange(1, most).Draw(t, "n")
				if least < 0 && rapid.Bool().Draw(t, "from the end") {
					return -n
				}
				return n
			})
			return strings.Trim(strings.ReplaceAll(fmt.Sprint(rapid.SliceOfN(n, 1, 4).Draw(t, name)), " ", ","), "[]")
		}
	}
	weekday := rapid.SampledFrom([]string{"MO", "TU", "WE", "TH", "FR", "SA", "SU"})
	days := func() string {
		list := rapid.SliceOfN(weekday, 1, 4).Draw(t, "days")
		if (freq == "MONTHLY" || freq == "YEARLY") && rapid.Bool().Draw(t, "numbered") {
			for i := range list {
				list[i] = numbers("place", -1, 5)()
				list[i] = strings.SplitN(list[i], ",", 2)[0] + weekday.Draw(t, "day")
			}
		}
		return strings.Join(list, ",")
	}
	add("INTERVAL", 5, numbers("interval", 1, 5))
	add("WKST", 3, func() string { return weekday.Draw(t, "wkst") })
	if rapid.Bool().Draw(t, "ends") {
		add("COUNT", 5, numbers("count", 1, 30))
	} else {
		add("UNTIL", 5, func() string {
			return fmt.Sprintf("999%d0%d15", rapid.IntRange(0, 8).Draw(t, "year"), rapid.IntRange(1, 9).Draw(t, "month"))
		})
	}
	add("BYDAY", 5, days)
	add("BYMONTH", 3, numbers("months", 1, 12))
	if freq != "WEEKLY" {
		add("BYMONTHDAY", 3, numbers("month days", -1, 31))
	}
	if freq == "YEARLY" {
		add("BYYEARDAY", 2, numbers("year days", -1, 366))
		add("BYWEEKNO", 3, numbers("weeks", -1, 53))
	}
	if len(parts) > 3 {
		add("BYSETPOS", 3, numbers("places", -1, map[string]int{"DAILY": 1, "WEEKLY": 7, "MONTHLY": 10, "YEARLY": 40}[freq]))
	}
	return strings.Join(parts, ";")
}

// firstStart is in a week that begins with its year, two years before a leap year.
const firstStart = shift.Date("9990-01-01")

func TestOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		compare(t, rules(t), firstStart.AddDays(rapid.IntRange(0, 800).Draw(t, "start")))
	})
}

// FuzzRule compares the dates of small rules with those of rrule-go, and walks any other
// within its bounds.
func FuzzRule(f *testing.F) {
	for i, text := range []string{
		"FREQ=DAILY;INTERVAL=3;COUNT=5", "FREQ=WEEKLY;BYDAY=MO,WE;WKST=SU;INTERVAL=2", "FREQ=MONTHLY;BYDAY=-1FR,2MO",
		"FREQ=MONTHLY;BYMONTHDAY=31,-31", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1,1",
		"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29,30",
		"FREQ=YEARLY;BYYEARDAY=366,-366;UNTIL=99980101", "FREQ=YEARLY;BYWEEKNO=20,-20;BYDAY=MO",
		"FREQ=YEARLY;BYDAY=53SU;BYMONTH=1",
		"FREQ=DAILY;BYSETPOS=2,2,2", "RRULE:FREQ=YEARLY", "freq=daily;interval=0",
	} {
		f.Add(text, uint16(37*i))
	}
	f.Fuzz(func(t *testing.T, text string, start uint16) {
		if len(text) > 500 {
			return
		}
		r, err := Parse(text)
		if err != nil {
			return
		}
		from := firstStart.AddDays(int(start) % 800)
		w := r.walk(dayOf(from), dayOf(from), dayOf(from).addYears(horizon))
		if err := w.run(t.Context(), func(day) bool { return true }); err != nil || w.steps > 366*(horizon+2) {
			t.Errorf("%s: %d days looked at, %v", text, w.steps, err)
		}
		compare(t, text, from)
	})
}
