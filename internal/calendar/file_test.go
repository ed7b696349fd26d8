package calendar

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

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
	const morning = "UID:a\nSUMMARY:X\nDTSTART;TZID=Asia/Jakarta:20260319T070000"
	const allDay, later = "\nX-MICROSOFT-CDO-ALLDAYEVENT:TRUE", "\nRECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:"
	const moved = "UID:a\nSUMMARY:X\nDTSTART;VALUE=DATE:20270320"
	tests := []struct{ name, file, want string }{
		{"one day", ics(nyepi), "a Nyepi 2026-03-19"},
		{"with its end", ics(nyepi + "\nDTEND;VALUE=DATE:20260320"), "a Nyepi 2026-03-19"},
		{"three days", ics(nyepi + "\nDTEND;VALUE=DATE:20260322"), "a Nyepi 2026-03-19, a Nyepi 2026-03-20, a Nyepi 2026-03-21"},
		{"over a month's end", ics("UID:b\nSUMMARY:X\nDTSTART;VALUE=DATE:20260228\nDURATION:P2D"), "b X 2026-02-28, b X 2026-03-01"},
		{"folded, escaped", ics("UID:c\nSUMMARY:Hari\\, \n raya\nDTSTART;VALUE=DATE:20260401"), "c Hari, raya 2026-04-01"},
		{"another year", ics("UID:d\nSUMMARY:X\nDTSTART;VALUE=DATE:20190401"), "d X 2019-04-01"},
		{"cancelled", ics(nyepi + "\nSTATUS:CANCELLED"), ""},
		{"a calendar of cancelled events", strings.Replace(ics(nyepi), "VERSION", "METHOD:Cancel\r\nVERSION", 1), ""},
		{"beside one of others", strings.Replace(ics(nyepi), "VERSION", "METHOD:CANCEL\r\nVERSION", 1) +
			ics(strings.Replace(nyepi, "UID:a", "UID:b", 1)), "b Nyepi 2026-03-19"},
		{"a request of another", strings.Replace(ics(nyepi), "VERSION", "METHOD:REQUEST\r\nVERSION", 1),
			"a Nyepi 2026-03-19"},
		{"every year", ics("UID:e\nSUMMARY:X\nDTSTART;VALUE=DATE:20000817\nRRULE:FREQ=YEARLY"), "e X 2026-08-17, e X 2027-08-17"},
		{"every year until", ics("UID:e\nSUMMARY:X\nDTSTART;VALUE=DATE:20000817\nRRULE:FREQ=YEARLY;UNTIL=20260901"), "e X 2026-08-17"},
		{"every year but", ics("UID:e\nSUMMARY:X\nDTSTART;VALUE=DATE:20000817\nRRULE:FREQ=YEARLY\nEXDATE;VALUE=DATE:20260817,20300817"), "e X 2027-08-17"},
		{"the last days of the window", ics("UID:e\nSUMMARY:X\nDTSTART;VALUE=DATE:20000101\nRRULE:FREQ=YEARLY", "UID:f\nSUMMARY:Y\nDTSTART;VALUE=DATE:20001231\nRRULE:FREQ=YEARLY"),
			"e X 2026-01-01, e X 2027-01-01, f Y 2026-12-31, f Y 2027-12-31"},
		{"fourth Thursday", ics("UID:g\nSUMMARY:X\nDTSTART;VALUE=DATE:20201126\nRRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH"), "g X 2026-11-26, g X 2027-11-25"},
		{"two days every year", ics("UID:h\nSUMMARY:X\nDTSTART;VALUE=DATE:20251231\nDTEND;VALUE=DATE:20260102\nRRULE:FREQ=YEARLY;COUNT=2"), "h X 2026-12-31, h X 2027-01-01"},

		{"every day", ics(nyepi, strings.Replace(nyepi, "UID:a", "UID:b", 1)+"\nRRULE:FREQ=DAILY"), "a Nyepi 2026-03-19; left out 2 rrule too_often"},
		{"every second", ics("UID:a\nSUMMARY:X\nDTSTART;VALUE=DATE:19000101\nRRULE:FREQ=SECONDLY"), "left out 1 rrule not_one_of"},
		{"every second of a year", ics(nyepi + "\nRRULE:FREQ=YEARLY;BYSECOND=1"), "left out 1 rrule not_one_of"},
		{"a rule of nothing", ics(nyepi + "\nRRULE:X"), "left out 1 rrule not_one_of"},
		{"further dates", ics(nyepi + "\nRDATE;VALUE=DATE:20260401"), "a Nyepi 2026-03-19, a Nyepi 2026-04-01"},
		{"a changed date", ics(nyepi + "\nRECURRENCE-ID;VALUE=DATE:20260401"), "a Nyepi 2026-03-19"},
		{"at a time", ics("UID:a\nSUMMARY:X\nDTSTART:20260319T080000Z"), "left out 1 dtstart timed_event"},
		{"no such date", ics("UID:a\nSUMMARY:X\nDTSTART;VALUE=DATE:20260230"), "left out 1 dtstart bad_format"},
		{"long ago", ics("UID:a\nSUMMARY:X\nDTSTART;VALUE=DATE:00010101\nRRULE:FREQ=YEARLY"), "left out 1 dtstart out_of_range"},
		{"ends before it starts", ics(nyepi + "\nDTEND;VALUE=DATE:20260318"), "left out 1 dtend wrong_end"},
		{"ends when it starts", ics(nyepi + "\nDTEND;VALUE=DATE:20260319"), "a Nyepi 2026-03-19"},
		{"too many days", ics(nyepi + "\nDTEND;VALUE=DATE:20260420"), "left out 1 dtend wrong_end"},
		{"a day and an hour", ics(nyepi + "\nDURATION:PT25H"), "left out 1 duration wrong_length"},
		{"half a day", ics(nyepi + "\nDURATION:PT12H"), "left out 1 duration wrong_length"},
		{"an end with a time", ics(nyepi + "\nDTEND:20260320T000000Z"), "a Nyepi 2026-03-19"},
		{"an end and a duration", ics(nyepi + "\nDTEND;VALUE=DATE:20260320\nDURATION:P1D"), "left out 1 dtend excludes"},
		{"a length below none", ics(nyepi + "\nDURATION:-P1D"), "left out 1 duration wrong_length"},
		{"a start before all time", ics("UID:a\nSUMMARY:X\nDTSTART;VALUE=DATE:20260319\nDTEND;VALUE=DATE:00010101"), "left out 1 dtend wrong_end"},
		{"two starts", ics(nyepi + "\nDTSTART;VALUE=DATE:20260320"), "left out 1 dtstart twice"},
		{"two names", ics(nyepi + "\nSUMMARY:Lebaran"), "left out 1 summary twice"},
		{"two rules", ics(nyepi + "\nRRULE:FREQ=YEARLY\nRRULE:FREQ=YEARLY;COUNT=2"), "left out 1 rrule twice"},
		{"one UID on two dates", ics(nyepi, "UID:a\nSUMMARY:Nyepi\nDTSTART;VALUE=DATE:20260320"), "a Nyepi 2026-03-19, a Nyepi 2026-03-20"},
		{"one UID with two names", ics(nyepi, "UID:a\nSUMMARY:Lebaran\nDTSTART;VALUE=DATE:20260319"), "a Nyepi 2026-03-19; left out 2 uid twice"},
		{"an event twice", ics(nyepi, nyepi), "a Nyepi 2026-03-19, a Nyepi 2026-03-19"},
		{"one UID, the other cancelled", ics(nyepi, "UID:a\nSUMMARY:Nyepi\nDTSTART;VALUE=DATE:20260320\nSTATUS:CANCELLED"), "a Nyepi 2026-03-19"},
		{"later dates of an event changed", ics(nyepi+"\nRRULE:FREQ=YEARLY", moved+later+"20270319"),
			"a Nyepi 2026-03-19; left out 2 recurrence-id own_event"},
		{"all dates of an event changed", ics(nyepi+"\nRRULE:FREQ=YEARLY", moved+later+"20260319"),
			"left out 2 recurrence-id own_event"},
		{"later dates of an event cancelled", ics(nyepi+"\nRRULE:FREQ=YEARLY", nyepi+later+"20270319\nSTATUS:CANCELLED"),
			"a Nyepi 2026-03-19"},
		{"in place of no date", ics(nyepi + "\nRECURRENCE-ID:tomorrow"), "left out 1 recurrence-id bad_format"},
		{"a cancelled date of an event", ics(nyepi+"\nRRULE:FREQ=YEARLY", nyepi+"\nRECURRENCE-ID;VALUE=DATE:20260319\nSTATUS:CANCELLED"), "a Nyepi 2027-03-19"},
		{"a date of no event", ics("UID:z\nSUMMARY:X\nDTSTART;VALUE=DATE:20260319\nRECURRENCE-ID;VALUE=DATE:20260401"), "z X 2026-03-19"},
		{"never", ics(nyepi + "\nRRULE:FREQ=YEARLY;COUNT=0"), "left out 1 rrule.count out_of_range"},
		{"less than never", ics(nyepi + "\nRRULE:FREQ=YEARLY;COUNT=-2"), "left out 1 rrule.count out_of_range"},
		{"too often", ics(nyepi + "\nRRULE:FREQ=YEARLY;COUNT=999999999"), "left out 1 rrule.count out_of_range"},
		{"more often than there are numbers", ics(nyepi + "\nRRULE:FREQ=YEARLY;COUNT=99999999999999999999"), "left out 1 rrule not_one_of"},
		{"every 0 years", ics(nyepi + "\nRRULE:FREQ=YEARLY;INTERVAL=0"), "left out 1 rrule.interval out_of_range"},
		{"every million years", ics(nyepi + "\nRRULE:FREQ=YEARLY;INTERVAL=1000000"), "left out 1 rrule.interval out_of_range"},
		{"until and so often", ics(nyepi + "\nRRULE:FREQ=YEARLY;COUNT=2;UNTIL=20300101"), "left out 1 rrule.until excludes"},
		{"ends before it begins", ics(nyepi + "\nRRULE:FREQ=YEARLY;UNTIL=20200101"), "left out 1 rrule.until out_of_range"},
		{"two counts", ics(nyepi + "\nRRULE:FREQ=YEARLY;COUNT=2;COUNT=3"), "left out 1 rrule twice"},
		{"on no date", ics(nyepi + "\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"), "left out 1 rrule bad_format"},
		{"on no date of any year", ics(nyepi + "\nRRULE:FREQ=YEARLY;BYMONTH=2;BYDAY=6MO"), "left out 1 rrule bad_format"},
		{"on a day that no month has", ics(nyepi + "\nRRULE:FREQ=YEARLY;BYMONTHDAY=32"), "left out 1 rrule not_one_of"},
		{"in a month twice", ics("UID:a\nSUMMARY:X\nDTSTART;VALUE=DATE:20000817\nRRULE:FREQ=YEARLY;BYMONTH=8,8;BYMONTHDAY=17,17"), "a X 2026-08-17, a X 2027-08-17"},
		{"in small letters", ics("UID:a\nSUMMARY:X\nDTSTART;VALUE=DATE:20000817\nRRULE:freq=yearly"), "a X 2026-08-17, a X 2027-08-17"},
		{"a leap day", ics("UID:a\nSUMMARY:X\nDTSTART;VALUE=DATE:19040229\nRRULE:FREQ=YEARLY"), ""},
		{"a count from long ago", ics("UID:a\nSUMMARY:X\nDTSTART;VALUE=DATE:19000817\nRRULE:FREQ=YEARLY;COUNT=127"), "a X 2026-08-17"},
		{"a rule that is text", ics(nyepi + "\nRRULE;VALUE=TEXT:FREQ=YEARLY"), "left out 1 rrule not_one_of"},
		{"no date is left out", ics(nyepi + "\nRRULE:FREQ=YEARLY\nEXDATE:tomorrow"), "left out 1 exdate bad_format"},
		{"a date that is a time", ics("UID:a\nSUMMARY:X\nDTSTART;VALUE=DATE-TIME:20260319"), "a X 2026-03-19"},
		{"a date in the machine's zone", ics("UID:a\nSUMMARY:X\nDTSTART;VALUE=DATE;TZID=Local:20260319"), "a X 2026-03-19"},
		{"a byte order mark", "\uFEFF" + ics(nyepi), "a Nyepi 2026-03-19"},
		{"no uid", ics("SUMMARY:X\nDTSTART;VALUE=DATE:20260319"), " X 2026-03-19"},
		{"a long uid", ics(strings.Replace(nyepi, "UID:a", "UID:"+strings.Repeat("a", 256), 1)),
			"sha256:02d7160d77e18c6447be80c2e355c7ed4388545271702c50253b0914c65ce5fe Nyepi 2026-03-19"},
		{"no calendar", "hello", "VALIDATION_FAILED file unreadable"},
		{"no value", "0;0=", "VALIDATION_FAILED file unreadable"},
		{"nothing", "", "VALIDATION_FAILED file empty_file"},
		{"blank lines", "\uFEFF \r\n\r\n", "VALIDATION_FAILED file empty_file"},
		{"a web page", "\uFEFF\r\n<!doctype html>\r\n" + ics(nyepi), "VALIDATION_FAILED file web_page"},
		{"a long name", ics("UID:a\nSUMMARY:"+strings.Repeat("x", maxLine), "UID:b\nSUMMARY:X\nDTSTART;VALUE=DATE:20260319"),
			"b X 2026-03-19; left out 1 line unreadable"},
		{"a long page about it", ics("UID:a\nSUMMARY:X\nDTSTART;VALUE=DATE:20260319\nX-ALT-DESC;FMTTYPE=text/html:" + strings.Repeat("x", 2*maxLine)), "a X 2026-03-19"},
		{"years without it", ics(nyepi + "\nRRULE:FREQ=YEARLY\nEXRULE:FREQ=YEARLY;INTERVAL=2"), "left out 1 exrule not_one_of"},
		{"until midnight in a zone, by UTC", zoned("Asia/Jakarta", "RRULE:FREQ=YEARLY;UNTIL=20271223T170000Z"), "a X 2026-12-24, a X 2027-12-24"},
		{"until just before it", zoned("America/New_York", "RRULE:FREQ=YEARLY;UNTIL=20271224T045959Z"), "a X 2026-12-24"},
		{"left out by UTC", zoned("Asia/Jakarta", "RRULE:FREQ=YEARLY\nEXDATE:20271223T170000Z"), "a X 2026-12-24"},
		{"added by UTC", zoned("Asia/Jakarta", "RDATE:20270104T170000Z"), "a X 2026-12-24, a X 2027-01-05"},
		{"ends by UTC", zoned("Asia/Jakarta", "DTEND:20261224T170000Z"), "a X 2026-12-24"},
		{"midnights of UTC beside a zone", ics(strings.ReplaceAll(morning+"\nDTEND;TZID=Asia/Jakarta:20260321T070000", "070000", "000000Z")),
			"a X 2026-03-19, a X 2026-03-20"},
		{"midnights of UTC in a zone, all day", ics(morning + "\nDTEND;TZID=Asia/Jakarta:20260321T070000" + allDay),
			"a X 2026-03-19, a X 2026-03-20"},
		{"not all day", ics(morning + "\nDTEND;TZID=Asia/Jakarta:20260321T070000"), "left out 1 dtstart timed_event"},
		{"all day at a time", ics("UID:a\nSUMMARY:X\nDTSTART;TZID=Asia/Jakarta:20260319T080000" + allDay),
			"left out 1 dtstart timed_event"},
		{"all day with an end before its time", ics(morning + "\nDTEND;TZID=Asia/Jakarta:20260321T060000" + allDay),
			"left out 1 dtend timed_event"},
		{"all day from midnight of another zone", ics("UID:a\nSUMMARY:X\nDTSTART:20260318T170000Z" + allDay),
			"left out 1 dtstart timed_event"},
		{"by UTC beside a zone that is not known", zoned("Nowhere", "RRULE:FREQ=YEARLY\nEXDATE:20271224T170000Z"), "a X 2026-12-24"},
		{"many events", ics(slicesOf(nyepi, maxEvents+1)...), "VALIDATION_FAILED file too_many"},
		{"deep", strings.Repeat("BEGIN:X\r\n", 100_000), "VALIDATION_FAILED file unreadable"},
		{"large", ics() + strings.Repeat("\r\n", MaxFile/2), "PAYLOAD_TOO_LARGE"},
	}
	for _, tt := range tests {
		if got := read(t, tt.file); got != tt.want {
			t.Errorf("%s: %.300s, want %s", tt.name, got, tt.want)
		}
	}
}

// zoned is a file with an event at midnight of a zone.
func zoned(zone, lines string) string {
	return ics("UID:a\nSUMMARY:X\nDTSTART;TZID=" + zone + ":20261224T000000\n" + lines)
}

// read returns what a file has, or the code of the error.
func read(t *testing.T, text string) string {
	file, err := ReadFile(t.Context(), strings.NewReader(text), 2026)
	if err != nil {
		return codeOf(err)
	}
	var events, all []string
	for _, e := range file.Events {
		events = append(events, fmt.Sprint(e.UID, " ", e.Name, " ", e.Date))
	}
	if len(events) > 0 {
		all = append(all, strings.Join(events, ", "))
	}
	for _, l := range file.LeftOut {
		field := strings.Replace(strings.TrimPrefix(l.Fault.Field, "events."), ".", " ", 1)
		all = append(all, fmt.Sprintf("left out %s %s", field, l.Fault.Reason))
	}
	return strings.Join(all, "; ")
}

// TestCost reads files full of rules that no date meets: each takes some 20 ms, and took minutes
// where each date was tried.
func TestCost(t *testing.T) {
	for _, rule := range []string{
		"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=1000", "FREQ=YEARLY;BYMONTHDAY=31;UNTIL=19000102",
	} {
		file := ics(numbered("\nSUMMARY:X\nDTSTART;VALUE=DATE:19000101\nRRULE:"+rule, 1990)...)
		began := time.Now()
		got, err := ReadFile(t.Context(), strings.NewReader(file), 2026)
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took > 5*time.Second || len(got.Events) > 0 || len(got.LeftOut) != 1990 {
			t.Errorf("%s: %d events after %v", rule, len(got.Events), took)
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
		got, err := ReadFile(t.Context(), strings.NewReader(file), 2026)
		if err != nil && errs.CodeOf(err) == errs.Internal {
			t.Fatal(err)
		}
		if err == nil && len(got.Events) > maxDates {
			t.Errorf("%d events", len(got.Events))
		}
		if err == nil && !utf8.ValidString(fmt.Sprint(got)) {
			t.Error("not UTF-8")
		}
	})
}

// TestCalendars reads calendars as programs write them. The readings are in want.txt.
func TestCalendars(t *testing.T) {
	files, err := filepath.Glob("testdata/calendars/*.ics")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d calendars, %v", len(files), err)
	}
	var got strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&got, "%s: %s\n", strings.TrimSuffix(filepath.Base(file), ".ics"), read(t, string(text)))
	}
	want, err := os.ReadFile("testdata/calendars/want.txt")
	if err != nil {
		t.Fatal(err)
	}
	has, wants := strings.Split(got.String(), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(has), len(wants)) {
		if i >= len(has) || i >= len(wants) || has[i] != wants[i] {
			t.Errorf("line %d of %d: %.300s\nwant %q", i+1, len(wants), strings.Join(has[min(i, len(has)):], "\n"), wants[min(i, len(wants)-1)])
		}
	}
}

// TestLines names the line of what is wrong.
func TestLines(t *testing.T) {
	text := ics("UID:a\nSUMMARY:Satu\n dua\nDTSTART;VALUE=DATE:20260101", "UID:b\nSUMMARY:X\nDTSTART:tomorrow")
	file, err := ReadFile(t.Context(), strings.NewReader(text), 2026)
	if err != nil || len(file.LeftOut) != 1 || len(file.Events) != 1 {
		t.Fatalf("%v, %v", file, err)
	}
	l, e := file.LeftOut[0], file.Events[0]
	if l.Line != 15 || l.Number != 2 || l.Name != "X" || e.Line != 4 || e.Number != 1 {
		t.Errorf("left out %+v beside %+v", l, e)
	}
	if places := fmt.Sprint(errs.As(file.Faults()).Meta["leftOut"]); places != "[{2 15 X}]" {
		t.Errorf("the facts of the fault are %s", places)
	}
	for text, line := range map[string]any{
		ics("UID:a\nSUMMARY:\xf1"): 7, "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nEND:VCALENDAR\r\n": 3,
	} {
		_, err := ReadFile(t.Context(), strings.NewReader(text), 2026)
		if faults := errs.As(err).Faults; len(faults) != 1 || faults[0].Meta["line"] != line {
			t.Errorf("%v, want line %v", faults, line)
		}
	}
}

// TestQuotedPrintable leaves out a name that is no text, and does not repeat it.
func TestQuotedPrintable(t *testing.T) {
	for _, name := range []string{"Ni=F1o", "a=00b"} {
		text := ics("UID:a\nSUMMARY;ENCODING=QUOTED-PRINTABLE:" + name + "\nDTSTART;VALUE=DATE:20260101")
		file, err := ReadFile(t.Context(), strings.NewReader(text), 2026)
		if err != nil || len(file.LeftOut) != 1 || file.LeftOut[0].Name != "" {
			t.Errorf("%s: %+v, %v", name, file, err)
		}
	}
}

// TestManyDates leaves out the event with which the dates are too many.
func TestManyDates(t *testing.T) {
	events := numbered("\nSUMMARY:X\nDTSTART;VALUE=DATE:20260319\nDTEND;VALUE=DATE:20260419", maxDates/31+1)
	file, err := ReadFile(t.Context(), strings.NewReader(ics(events...)), 2026)
	if err != nil || len(file.Events) != 161*31 || len(file.LeftOut) != 1 || file.LeftOut[0].Fault.Reason != errs.TooMany {
		t.Errorf("%d dates, %v left out, %v", len(file.Events), file.LeftOut, err)
	}
}
