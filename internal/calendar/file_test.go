package calendar

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"workforce/internal/errs"
)

// ics returns a file with events, each a list of properties.
func ics(events ...string) string {
	text := "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//test//EN\n"
	for _, e := range events {
		text += "BEGIN:VEVENT\nDTSTAMP:20260101T000000Z\n" + e + "\nEND:VEVENT\n"
	}
	return strings.ReplaceAll(text+"END:VCALENDAR\n", "\n", "\r\n")
}

func TestReadFile(t *testing.T) {
	const nyepi = "UID:a\nSUMMARY:Nyepi\nDTSTART;VALUE=DATE:20260319"
	tests := []struct{ name, file, want string }{
		{"one day", ics(nyepi), "a Nyepi 2026-03-19"},
		{"with its end", ics(nyepi + "\nDTEND;VALUE=DATE:20260320"), "a Nyepi 2026-03-19"},
		{"three days", ics(nyepi + "\nDTEND;VALUE=DATE:20260322"), "a Nyepi 2026-03-19, a Nyepi 2026-03-20, a Nyepi 2026-03-21"},
		{"over a month's end", ics("UID:b\nSUMMARY:X\nDTSTART;VALUE=DATE:20260228\nDURATION:P2D"), "b X 2026-02-28, b X 2026-03-01"},
		{"folded, escaped", ics("UID:c\nSUMMARY:Hari\\, \n raya\nDTSTART;VALUE=DATE:20260401"), "c Hari, raya 2026-04-01"},
		{"another year", ics("UID:d\nSUMMARY:X\nDTSTART;VALUE=DATE:20190401"), "d X 2019-04-01"},
		{"cancelled", ics(nyepi + "\nSTATUS:CANCELLED"), ""},
		{"every year", ics("UID:e\nSUMMARY:X\nDTSTART;VALUE=DATE:20000817\nRRULE:FREQ=YEARLY"), "e X 2026-08-17, e X 2027-08-17"},
		{"every year until", ics("UID:e\nSUMMARY:X\nDTSTART;VALUE=DATE:20000817\nRRULE:FREQ=YEARLY;UNTIL=20260901"), "e X 2026-08-17"},
		{"every year but", ics("UID:e\nSUMMARY:X\nDTSTART;VALUE=DATE:20000817\nRRULE:FREQ=YEARLY\nEXDATE;VALUE=DATE:20260817,20300817"), "e X 2027-08-17"},
		{"the last days of the window", ics("UID:e\nSUMMARY:X\nDTSTART;VALUE=DATE:20000101\nRRULE:FREQ=YEARLY", "UID:f\nSUMMARY:Y\nDTSTART;VALUE=DATE:20001231\nRRULE:FREQ=YEARLY"),
			"e X 2026-01-01, e X 2027-01-01, f Y 2026-12-31, f Y 2027-12-31"},
		{"fourth Thursday", ics("UID:g\nSUMMARY:X\nDTSTART;VALUE=DATE:20201126\nRRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH"), "g X 2026-11-26, g X 2027-11-25"},
		{"two days every year", ics("UID:h\nSUMMARY:X\nDTSTART;VALUE=DATE:20251231\nDTEND;VALUE=DATE:20260102\nRRULE:FREQ=YEARLY;COUNT=2"), "h X 2026-12-31, h X 2027-01-01"},

		{"every day", ics(nyepi, strings.Replace(nyepi, "UID:a", "UID:b", 1)+"\nRRULE:FREQ=DAILY"), "VALIDATION_FAILED events.2.rrule not_one_of"},
		{"every second", ics("UID:a\nSUMMARY:X\nDTSTART;VALUE=DATE:19000101\nRRULE:FREQ=SECONDLY"), "VALIDATION_FAILED events.1.rrule not_one_of"},
		{"every second of a year", ics(nyepi + "\nRRULE:FREQ=YEARLY;BYSECOND=1"), "VALIDATION_FAILED events.1.rrule not_one_of"},
		{"a rule of nothing", ics(nyepi + "\nRRULE:X"), "VALIDATION_FAILED events.1.rrule not_one_of"},
		{"further dates", ics(nyepi + "\nRDATE;VALUE=DATE:20260401"), "VALIDATION_FAILED events.1.rdate own_event"},
		{"a changed date", ics(nyepi + "\nRECURRENCE-ID;VALUE=DATE:20260401"), "VALIDATION_FAILED events.1.recurrence-id own_event"},
		{"at a time", ics("UID:a\nSUMMARY:X\nDTSTART:20260319T080000Z"), "VALIDATION_FAILED events.1.dtstart bad_format"},
		{"no such date", ics("UID:a\nSUMMARY:X\nDTSTART;VALUE=DATE:20260230"), "VALIDATION_FAILED events.1.dtstart bad_format"},
		{"long ago", ics("UID:a\nSUMMARY:X\nDTSTART;VALUE=DATE:00010101\nRRULE:FREQ=YEARLY"), "VALIDATION_FAILED events.1.dtstart bad_format"},
		{"ends before it starts", ics(nyepi + "\nDTEND;VALUE=DATE:20260318"), "VALIDATION_FAILED events.1.dtend wrong_end"},
		{"ends when it starts", ics(nyepi + "\nDTEND;VALUE=DATE:20260319"), "VALIDATION_FAILED events.1.dtend wrong_end"},
		{"too many days", ics(nyepi + "\nDTEND;VALUE=DATE:20260420"), "VALIDATION_FAILED events.1.dtend wrong_end"},
		{"half a day", ics(nyepi + "\nDURATION:PT12H"), "VALIDATION_FAILED events.1.duration wrong_length"},
		{"an end with a time", ics(nyepi + "\nDTEND:20260320T000000Z"), "VALIDATION_FAILED events.1.dtend bad_format"},
		{"an end and a duration", ics(nyepi + "\nDTEND;VALUE=DATE:20260320\nDURATION:P1D"), "VALIDATION_FAILED events.1.dtend excludes"},
		{"a length below none", ics(nyepi + "\nDURATION:-P1D"), "VALIDATION_FAILED events.1.duration wrong_length"},
		{"a start before all time", ics("UID:a\nSUMMARY:X\nDTSTART;VALUE=DATE:20260319\nDTEND;VALUE=DATE:00010101"), "VALIDATION_FAILED events.1.dtend wrong_end"},
		{"two starts", ics(nyepi + "\nDTSTART;VALUE=DATE:20260320"), "VALIDATION_FAILED events.1.dtstart twice"},
		{"two names", ics(nyepi + "\nSUMMARY:Lebaran"), "VALIDATION_FAILED events.1.summary twice"},
		{"two rules", ics(nyepi + "\nRRULE:FREQ=YEARLY\nRRULE:FREQ=YEARLY;COUNT=2"), "VALIDATION_FAILED events.1.rrule twice"},
		{"one UID on two dates", ics(nyepi, "UID:a\nSUMMARY:Nyepi\nDTSTART;VALUE=DATE:20260320"), "VALIDATION_FAILED events.2.uid twice"},
		{"one UID with two names", ics(nyepi, "UID:a\nSUMMARY:Lebaran\nDTSTART;VALUE=DATE:20260319"), "VALIDATION_FAILED events.2.uid twice"},
		{"an event twice", ics(nyepi, nyepi), "a Nyepi 2026-03-19, a Nyepi 2026-03-19"},
		{"one UID, the other cancelled", ics(nyepi, "UID:a\nSUMMARY:Nyepi\nDTSTART;VALUE=DATE:20260320\nSTATUS:CANCELLED"), "a Nyepi 2026-03-19"},
		{"a cancelled date of an event", ics(nyepi+"\nRRULE:FREQ=YEARLY", nyepi+"\nRECURRENCE-ID;VALUE=DATE:20260319\nSTATUS:CANCELLED"), "VALIDATION_FAILED events.2.recurrence-id own_event"},
		{"a date of no event", ics("UID:z\nSUMMARY:X\nDTSTART;VALUE=DATE:20260319\nRECURRENCE-ID;VALUE=DATE:20260401"), "VALIDATION_FAILED events.1.recurrence-id own_event"},
		{"never", ics(nyepi + "\nRRULE:FREQ=YEARLY;COUNT=0"), "VALIDATION_FAILED events.1.rrule.count out_of_range"},
		{"less than never", ics(nyepi + "\nRRULE:FREQ=YEARLY;COUNT=-2"), "VALIDATION_FAILED events.1.rrule.count out_of_range"},
		{"too often", ics(nyepi + "\nRRULE:FREQ=YEARLY;COUNT=999999999"), "VALIDATION_FAILED events.1.rrule.count out_of_range"},
		{"more often than there are numbers", ics(nyepi + "\nRRULE:FREQ=YEARLY;COUNT=99999999999999999999"), "VALIDATION_FAILED events.1.rrule not_one_of"},
		{"every 0 years", ics(nyepi + "\nRRULE:FREQ=YEARLY;INTERVAL=0"), "VALIDATION_FAILED events.1.rrule.interval out_of_range"},
		{"every million years", ics(nyepi + "\nRRULE:FREQ=YEARLY;INTERVAL=1000000"), "VALIDATION_FAILED events.1.rrule.interval out_of_range"},
		{"until and so often", ics(nyepi + "\nRRULE:FREQ=YEARLY;COUNT=2;UNTIL=20300101"), "VALIDATION_FAILED events.1.rrule.until excludes"},
		{"ends before it begins", ics(nyepi + "\nRRULE:FREQ=YEARLY;UNTIL=20200101"), "VALIDATION_FAILED events.1.rrule.until out_of_range"},
		{"two counts", ics(nyepi + "\nRRULE:FREQ=YEARLY;COUNT=2;COUNT=3"), "VALIDATION_FAILED events.1.rrule twice"},
		{"on no date", ics(nyepi + "\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"), "VALIDATION_FAILED events.1.rrule bad_format"},
		{"on no date of any year", ics(nyepi + "\nRRULE:FREQ=YEARLY;BYMONTH=2;BYDAY=6MO"), "VALIDATION_FAILED events.1.rrule bad_format"},
		{"on a day that no month has", ics(nyepi + "\nRRULE:FREQ=YEARLY;BYMONTHDAY=32"), "VALIDATION_FAILED events.1.rrule not_one_of"},
		{"in a month twice", ics("UID:a\nSUMMARY:X\nDTSTART;VALUE=DATE:20000817\nRRULE:FREQ=YEARLY;BYMONTH=8,8;BYMONTHDAY=17,17"), "a X 2026-08-17, a X 2027-08-17"},
		{"in small letters", ics("UID:a\nSUMMARY:X\nDTSTART;VALUE=DATE:20000817\nRRULE:freq=yearly"), "a X 2026-08-17, a X 2027-08-17"},
		{"a leap day", ics("UID:a\nSUMMARY:X\nDTSTART;VALUE=DATE:19040229\nRRULE:FREQ=YEARLY"), ""},
		{"a count from long ago", ics("UID:a\nSUMMARY:X\nDTSTART;VALUE=DATE:19000817\nRRULE:FREQ=YEARLY;COUNT=127"), "a X 2026-08-17"},
		{"a rule that is text", ics(nyepi + "\nRRULE;VALUE=TEXT:FREQ=YEARLY"), "VALIDATION_FAILED events.1.rrule not_one_of"},
		{"no date is left out", ics(nyepi + "\nRRULE:FREQ=YEARLY\nEXDATE:tomorrow"), "VALIDATION_FAILED events.1.exdate bad_format"},
		{"a date that is a time", ics("UID:a\nSUMMARY:X\nDTSTART;VALUE=DATE-TIME:20260319"), "VALIDATION_FAILED events.1.dtstart bad_format"},
		{"a date in the machine's zone", ics("UID:a\nSUMMARY:X\nDTSTART;VALUE=DATE;TZID=Local:20260319"), "VALIDATION_FAILED events.1.dtstart bad_format"},
		{"a byte order mark", "\uFEFF" + ics(nyepi), "a Nyepi 2026-03-19"},
		{"no uid", ics("SUMMARY:X\nDTSTART;VALUE=DATE:20260319"), "VALIDATION_FAILED events.1.uid required"},
		{"a long uid", ics(strings.Replace(nyepi, "UID:a", "UID:"+strings.Repeat("a", 256), 1)), "VALIDATION_FAILED events.1.uid required"},
		{"no calendar", "hello", "VALIDATION_FAILED file unreadable"},
		{"no value", "0;0=", "VALIDATION_FAILED file unreadable"},
		{"nothing", "", "VALIDATION_FAILED file unreadable"},
		{"a long line", ics("UID:a\nSUMMARY:" + strings.Repeat("x", maxLine)), "VALIDATION_FAILED file too_long"},
		{"many events", ics(slicesOf(nyepi, maxEvents)...), "VALIDATION_FAILED file too_many"},
		{"many dates", ics(numbered(strings.TrimPrefix(nyepi, "UID:a")+"\nDTEND;VALUE=DATE:20260419", maxDates/31+1)...), "VALIDATION_FAILED events.162.dtstart too_many"},
		{"deep", strings.Repeat("BEGIN:X\r\n", 100_000), "VALIDATION_FAILED file too_many"},
		{"large", ics() + strings.Repeat("\r\n", MaxFile/2), "PAYLOAD_TOO_LARGE"},
	}
	for _, tt := range tests {
		events, err := ReadFile(t.Context(), strings.NewReader(tt.file), 2026)
		var got []string
		for _, e := range events {
			got = append(got, fmt.Sprint(e.UID, " ", e.Name, " ", e.Date))
		}
		text := strings.Join(got, ", ")
		if err != nil {
			text = codeOf(err)
		}
		if text != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, text, tt.want)
		}
	}
}

// TestCost reads files full of rules that no date meets: each takes some 20 ms.
func TestCost(t *testing.T) {
	for _, rule := range []string{
		"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=1000", "FREQ=YEARLY;BYMONTHDAY=31;UNTIL=19000102",
	} {
		file := ics(numbered("\nSUMMARY:X\nDTSTART;VALUE=DATE:19000101\nRRULE:"+rule, 1990)...)
		began := time.Now()
		events, err := ReadFile(t.Context(), strings.NewReader(file), 2026)
		if took := time.Since(began); took > time.Second || len(events) > 0 || err == nil || len(errs.As(err).Faults) != 1990 {
			t.Errorf("%s: %d events after %v", rule, len(events), took)
		}
	}
}

// TestReadEnds ends with its context.
func TestReadEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ReadFile(ctx, strings.NewReader(ics("UID:a\nSUMMARY:X\nDTSTART;VALUE=DATE:20260319")), 2026); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func slicesOf(text string, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = text
	}
	return all
}

// numbered returns events, each with a UID of its own.
func numbered(text string, n int) []string {
	all := slicesOf(text, n)
	for i := range all {
		all[i] = fmt.Sprint("UID:", i, all[i])
	}
	return all
}

// codeOf returns the code of an error with its first fault.
func codeOf(err error) string {
	e := errs.As(err)
	if len(e.Faults) == 0 {
		return string(e.Code)
	}
	return fmt.Sprint(e.Code, " ", e.Faults[0].Field, " ", e.Faults[0].Reason)
}

// FuzzReadFile reads anything without failing otherwise than with a fault.
func FuzzReadFile(f *testing.F) {
	f.Add(ics("UID:a\nSUMMARY:X\nDTSTART;VALUE=DATE:20260319\nRRULE:FREQ=YEARLY;BYDAY=1MO"))
	f.Fuzz(func(t *testing.T, file string) {
		events, err := ReadFile(t.Context(), strings.NewReader(file), 2026)
		if err != nil && errs.CodeOf(err) == errs.Internal || len(events) > maxDates {
			t.Errorf("%d events, %v", len(events), err)
		}
	})
}
