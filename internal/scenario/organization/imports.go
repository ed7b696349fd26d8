package organization

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"workforce/ent/auditevent"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

const importHolidaysMutation = `mutation($input:ImportHolidaysInput!){importHolidays(input:$input){added{name date} changed{name date} unchanged{name date} leftOut{event line name property code message}}}`

// calendarOf returns a calendar file with events, each a UID, a date and a name.
func calendarOf(events ...[3]string) string {
	var text strings.Builder
	text.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n")
	for _, e := range events {
		fmt.Fprintf(&text, "BEGIN:VEVENT\r\nUID:%s\r\nDTSTAMP:20260101T000000Z\r\nDTSTART;VALUE=DATE:%s\r\nSUMMARY:%s\r\nEND:VEVENT\r\n", e[0], e[1], e[2])
	}
	return text.String() + "END:VCALENDAR\r\n"
}

// holidayImports import calendar files.
func holidayImports(t *testing.T, s *harness.Server) {
	signIn(t, s)
	site := func(who string) string {
		var data struct{ CreateAddress struct{ ID string } }
		s.GraphQL(t, s.HeaderOf(who), `mutation{createAddress(input:{name:"Import",latitude:1,longitude:1}){id}}`, nil, &data)
		return data.CreateAddress.ID
	}
	own, theirs := site("andini"), site("daeng")
	ask := func(who, file, address string, dry, partial bool) string {
		t.Helper()
		input := map[string]any{"file": nil, "dryRun": dry}
		if !partial {
			input["partial"] = false
		}
		if address != "" {
			input["addressId"] = address
		}
		a, err := s.AskUpload(t, who, importHolidaysMutation, map[string]any{"input": input}, "input.file", []byte(file))
		if err != nil {
			t.Fatal(err)
		}
		var out struct {
			Data struct {
				ImportHolidays map[string][]struct {
					Name, Date, Property, Code, Message string
					Event, Line                         int
				}
			}
			Errors []struct{ Extensions harness.ProblemFacts }
		}
		if err := json.Unmarshal([]byte(a.Body), &out); err != nil {
			t.Fatalf("%d %s", a.Status, a.Body)
		}
		if len(out.Errors) > 0 {
			text := out.Errors[0].Extensions.Code
			for _, f := range out.Errors[0].Extensions.Errors {
				text += fmt.Sprint(" ", f["field"])
			}
			if at := out.Errors[0].Extensions.Meta["leftOut"]; len(out.Errors[0].Extensions.Errors) == 2 {
				text += fmt.Sprint(" ", at)
			}
			return text
		}
		var parts []string
		for _, part := range []string{"added", "changed", "unchanged"} {
			for _, h := range out.Data.ImportHolidays[part] {
				parts = append(parts, part+" "+h.Name+" "+h.Date)
			}
		}
		for _, l := range out.Data.ImportHolidays["leftOut"] {
			text := fmt.Sprintf("left out %d, line %d: %s of %s: %s %s", l.Event, l.Line, l.Property, l.Name, l.Code, l.Message)
			parts = append(parts, text)
		}
		return strings.Join(parts, ", ")
	}
	nyepi, renamed := [3]string{"1@x", "20260319", "Nyepi"}, [3]string{"1@x", "20260319", "Hari Nyepi"}
	may, bridge := [3]string{"2@x", "20260501", "Buruh"}, [3]string{"3@x", "20260319", "Cuti"}
	many := make([][3]string, 2001)
	for i := range many {
		many[i] = [3]string{fmt.Sprint(i), "20260101", fmt.Sprint("H", i)}
	}
	never := calendarOf(many[:1990]...)
	never = strings.ReplaceAll(never, "END:VEVENT", "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30\r\nEND:VEVENT")
	began := time.Now()
	if got := ask("andini", never, "", true, false); !strings.HasPrefix(got, "VALIDATION_FAILED events.1.rrule events.2.rrule ") || time.Since(began) > 3*time.Second {
		t.Errorf("1990 events on 30 February: %.60s after %v", got, time.Since(began))
	}
	for _, tt := range []struct {
		name, who, file, address string
		dry                      bool
		want                     string
	}{
		{"nobody", "", calendarOf(nyepi), "", false, "UNAUTHENTICATED"},
		{"a manager", "ratna", calendarOf(nyepi), "", false, "FORBIDDEN"},
		{"an employee", "budi", calendarOf(nyepi), "", false, "FORBIDDEN"},
		{"no calendar", "andini", "hello", "", false, "VALIDATION_FAILED file"},
		{"too many events", "andini", calendarOf(many...), "", false, "VALIDATION_FAILED file"},
		{"over 1 MiB", "andini", calendarOf(nyepi) + strings.Repeat("X-A:b\r\n", 1<<18), "", false, "PAYLOAD_TOO_LARGE"},
		{"a bad date", "andini", calendarOf(nyepi, [3]string{"2@x", "20261301", "Bad"}), "", false, "VALIDATION_FAILED events.2.dtstart"},
		{"a web page", "andini", "<!DOCTYPE html>\n", "", false, "VALIDATION_FAILED file"},
		{"nothing", "andini", "", "", false, "VALIDATION_FAILED file"},
		{"no name", "andini", calendarOf([3]string{"2@x", "20261001", " "}), "", false, "VALIDATION_FAILED events.1.summary"},
		{"another company's address", "andini", calendarOf(nyepi), theirs, false, "NOT_FOUND addressId"},
		{"a dry run", "andini", calendarOf(nyepi, may), "", true, "added Nyepi 2026-03-19, added Buruh 2026-05-01"},
		{"the first", "andini", calendarOf(nyepi, may), "", false, "added Nyepi 2026-03-19, added Buruh 2026-05-01"},
		{"again", "andini", calendarOf(nyepi, may), "", false, "unchanged Nyepi 2026-03-19, unchanged Buruh 2026-05-01"},
		{"a new name, dry", "andini", calendarOf(renamed), "", true, "changed Hari Nyepi 2026-03-19"},
		{"a new name", "andini", calendarOf(renamed, may), "", false, "changed Hari Nyepi 2026-03-19, unchanged Buruh 2026-05-01"},
		{"of an address", "andini", calendarOf(nyepi), own, false, "added Nyepi 2026-03-19"},
		{"another of the date", "andini", calendarOf(bridge), "", false, "added Cuti 2026-03-19"},
		{"the name of another, dry", "andini", calendarOf(may, [3]string{"1@x", "20260319", "CUTI"}), "", true, "VALIDATION_FAILED events.2.summary"},
		{"the name of another", "andini", calendarOf(may, [3]string{"1@x", "20260319", "CUTI"}), "", false, "VALIDATION_FAILED events.2.summary"},
		{"the name that another gives up", "andini", calendarOf([3]string{"1@x", "20260319", "Cuti"}, [3]string{"3@x", "20260319", "Cuti bersama"}), "", true,
			"changed Cuti 2026-03-19, changed Cuti bersama 2026-03-19"},
	} {
		if got := ask(tt.who, tt.file, tt.address, tt.dry, false); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	two := calendarOf(nyepi, [3]string{"2@x", "20261301", "Bad"}, [3]string{"3@x", "20261001", ""})
	const places = "VALIDATION_FAILED events.2.dtstart events.3.summary " +
		"[map[event:2 line:13 name:Bad] map[event:3 line:16 name:]]"
	if got := ask("andini", two, "", false, false); got != places {
		t.Errorf("two bad ones: %s, want %s", got, places)
	}
	meeting := calendarOf([3]string{"4@x", "20260602T090000", "Rapat"}, [3]string{"5@x", "20260603", "Libur"})
	const timed = "left out 1, line 7: dtstart of Rapat: VALIDATION_FAILED " +
		"Hari libur berlangsung sehari penuh; acara ini memiliki jam."
	for _, tt := range []struct {
		name, file string
		dry        bool
		want       string
	}{
		{"in part, dry", meeting, true, "added Libur 2026-06-03, " + timed},
		{"in part", meeting, false, "added Libur 2026-06-03, " + timed},
		{"in part again", meeting, false, "unchanged Libur 2026-06-03, " + timed},
		{"nothing of it", strings.Replace(meeting, "Libur", " ", 1), false,
			timed + ", left out 2, line 10: summary of  : VALIDATION_FAILED Wajib diisi."},
		{"no UTF-8", strings.Replace(meeting, "Libur", "Ni\xf1o", 1), false, "VALIDATION_FAILED file"},
		{"no UTF-8, dry", strings.Replace(meeting, "Libur", "Ni\xf1o", 1), true, "VALIDATION_FAILED file"},
	} {
		if got := ask("andini", tt.file, "", tt.dry, true); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	events := s.Store.Ent.AuditEvent.Query().Where(auditevent.Action("holidays.imported")).AllX(viewer.System(t.Context()))
	if len(events) != 5 || events[0].ActorID == nil {
		t.Errorf("%d events of imports, want 5: %v", len(events), events)
	}
}
