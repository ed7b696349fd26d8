package organization

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"workforce/ent"
	"workforce/ent/auditevent"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/plantest"
	"workforce/internal/app/audit"
	"workforce/internal/app/input"
	"workforce/internal/app/ratelimit"
	"workforce/internal/audittrail"
	"workforce/internal/viewer"
)

func TestHolidays(t *testing.T) {
	w := newSiteWorld(t)
	service := &Service{Plans: plantest.New(w.World)}
	here, err := service.CreateAddress(w.organizer, site("Here", nil))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		in   model.CreateHolidayInput
		want string
	}{
		{model.CreateHolidayInput{Name: " Nyepi ", Date: "2026-03-19"}, ""},
		{model.CreateHolidayInput{Name: "Nyepi", Date: "2026-03-20", Half: input.Given(new(true))}, ""},
		{model.CreateHolidayInput{Name: "Nyepi", Date: "2026-03-19", AddressID: input.Given(&here.ID)}, ""},
		{model.CreateHolidayInput{Name: "nyepi", Date: "2026-03-19"}, "VALIDATION_FAILED name already_taken"},
		{model.CreateHolidayInput{Name: "NYEPI", Date: "2026-03-19", AddressID: input.Given(&here.ID)}, "VALIDATION_FAILED name already_taken"},
		{model.CreateHolidayInput{Date: "2026-03-19"}, "VALIDATION_FAILED name required"},
		{model.CreateHolidayInput{Name: "X", Date: "2026-03-19", AddressID: input.Given(new(9999))}, "NOT_FOUND addressId"},
	}
	var ids []int
	for _, tt := range tests {
		h, err := service.CreateHoliday(w.organizer, tt.in)
		if got := apptest.Code(err); got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.in, got, tt.want)
		}
		if err == nil {
			ids = append(ids, h.ID)
		}
	}
	first := w.DB.Holiday.GetX(w.System(), ids[0])
	if first.Name != "Nyepi" || first.Half || first.Place != 0 || w.DB.Holiday.GetX(w.System(), ids[2]).Place != here.ID {
		t.Errorf("created %v", first)
	}
	for _, tt := range []struct {
		in   model.UpdateHolidayInput
		want string
	}{
		{model.UpdateHolidayInput{}, ""},
		{model.UpdateHolidayInput{Half: input.Given(new(true))}, ""},
		{model.UpdateHolidayInput{Date: input.Given(new("2026-03-20"))}, "VALIDATION_FAILED name already_taken"},
		{model.UpdateHolidayInput{Name: input.Given(new(""))}, "VALIDATION_FAILED name required"},
		{model.UpdateHolidayInput{Date: input.Given[*string](nil)}, "VALIDATION_FAILED date required"},
		{model.UpdateHolidayInput{Half: input.Given[*bool](nil)}, "VALIDATION_FAILED half required"},
	} {
		if got := apptest.Code(service.UpdateHoliday(w.organizer, ids[0], tt.in)); got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.in, got, tt.want)
		}
	}
	if h := w.DB.Holiday.GetX(w.System(), ids[0]); !h.Half || h.Date != "2026-03-19" || h.Name != "Nyepi" {
		t.Errorf("changed to %v", h)
	}
	reader, stranger := w.with(w.budi, "organization.read.all"), w.with(w.theirOwner, "organization.write.all")
	if _, err := service.CreateHoliday(reader, tests[0].in); apptest.Code(err) != "FORBIDDEN" {
		t.Errorf("created without organization.write: %v", err)
	}
	if err := service.UpdateHoliday(reader, ids[0], model.UpdateHolidayInput{}); apptest.Code(err) != "FORBIDDEN" {
		t.Errorf("changed without organization.write: %v", err)
	}
	if err := service.DeleteHoliday(reader, ids[0]); apptest.Code(err) != "FORBIDDEN" {
		t.Errorf("deleted without organization.write: %v", err)
	}
	if err := service.DeleteHoliday(stranger, ids[0]); !ent.IsNotFound(err) {
		t.Errorf("deleted by another company: %v", err)
	}
	if err := service.DeleteHoliday(w.organizer, ids[0]); err != nil || w.DB.Holiday.Query().CountX(w.System()) != 2 {
		t.Errorf("deleted: %v", err)
	}
}

func TestImportHolidays(t *testing.T) {
	w := newSiteWorld(t)
	service := &Service{Plans: plantest.New(w.World)}
	event := func(uid, name, date string) string {
		return "BEGIN:VEVENT\r\nDTSTAMP:20260101T000000Z\r\nUID:" + uid + "\r\nSUMMARY:" + name + "\r\nDTSTART;VALUE=DATE:" + date + "\r\nEND:VEVENT\r\n"
	}
	run := func(company int, at *int, dry bool, events ...string) string {
		t.Helper()
		text := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//EN\r\n" + strings.Join(events, "") + "END:VCALENDAR\r\n"
		in := HolidayImport{Company: company, Address: at, File: strings.NewReader(text), Year: 2026, DryRun: dry, Whole: true}
		done, err := service.ImportHolidays(w.System(), in)
		if err != nil {
			return apptest.Code(err)
		}
		return fmt.Sprint(len(done.Added), len(done.Changed), len(done.Unchanged))
	}
	rows := func() string {
		var all []string
		for _, h := range w.DB.Holiday.Query().AllX(w.System()) {
			all = append(all, fmt.Sprint(h.CompanyID == w.Company.ID, h.Place, " ", h.Date, " ", h.Name))
		}
		slices.Sort(all)
		return strings.Join(all, "; ")
	}
	here, err := service.CreateAddress(w.organizer, site("Here", nil))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := service.CreateHoliday(w.organizer, model.CreateHolidayInput{Name: "Buruh", Date: "2026-05-01"}); err != nil {
		t.Fatal(err)
	}
	nyepi, labour := event("a", "Nyepi", "20260319"), event("b", "BURUH", "20260501")
	us := w.Company.ID
	const buruh = "true 0 2026-05-01 Buruh"
	for _, tt := range []struct {
		name   string
		dry    bool
		events []string
		want   string
		rows   string
	}{
		{"dry", true, []string{nyepi, labour}, "1 0 1", buruh},
		{"wet", false, []string{nyepi, labour}, "1 0 1", "true 0 2026-03-19 Nyepi; " + buruh},
		{"again", false, []string{nyepi, labour}, "0 0 2", "true 0 2026-03-19 Nyepi; " + buruh},
		{"renamed, dry", true, []string{event("a", "Hari Nyepi", "20260319")}, "0 1 0", "true 0 2026-03-19 Nyepi; " + buruh},
		{"renamed", false, []string{event("a", "Hari Nyepi", "20260319")}, "0 1 0", "true 0 2026-03-19 Hari Nyepi; " + buruh},
		{"twice in the file", true, []string{event("c", "X", "20260101"), event("c", "X", "20260101"), event("d", "x", "20260101")}, "1 0 2",
			"true 0 2026-03-19 Hari Nyepi; " + buruh},
		{"a fault", false, []string{event("c", "X", "20260101"), event("d", strings.Repeat("x", 101), "20260102")}, "VALIDATION_FAILED events.2.summary too_long",
			"true 0 2026-03-19 Hari Nyepi; " + buruh},
		{"another one's name, dry", true, []string{event("e", "Cuti", "20260319"), event("a", "CUTI", "20260319")}, "0 1 1", "true 0 2026-03-19 Hari Nyepi; " + buruh},
		{"a second one", false, []string{event("e", "Cuti", "20260319")}, "1 0 0", "true 0 2026-03-19 Cuti; true 0 2026-03-19 Hari Nyepi; " + buruh},
		{"its name, dry", true, []string{labour, event("a", "CUTI", "20260319")}, "VALIDATION_FAILED events.2.summary already_taken",
			"true 0 2026-03-19 Cuti; true 0 2026-03-19 Hari Nyepi; " + buruh},
		{"its name", false, []string{labour, event("a", "CUTI", "20260319")}, "VALIDATION_FAILED events.2.summary already_taken",
			"true 0 2026-03-19 Cuti; true 0 2026-03-19 Hari Nyepi; " + buruh},
		{"other letters", false, []string{event("e", "CUTI", "20260319")}, "0 1 0", "true 0 2026-03-19 CUTI; true 0 2026-03-19 Hari Nyepi; " + buruh},
		{"a name that is given up later in the file", false, []string{event("f", "Cuti", "20260319"), event("e", "Cuti bersama", "20260319")}, "1 1 0",
			"true 0 2026-03-19 Cuti; true 0 2026-03-19 Cuti bersama; true 0 2026-03-19 Hari Nyepi; " + buruh},
		{"that again", false, []string{event("f", "Cuti", "20260319"), event("e", "Cuti bersama", "20260319")}, "0 0 2",
			"true 0 2026-03-19 Cuti; true 0 2026-03-19 Cuti bersama; true 0 2026-03-19 Hari Nyepi; " + buruh},
		{"a chain of names", false, []string{event("a", "Cuti", "20260319"), event("f", "Cuti bersama", "20260319"), event("e", "Libur", "20260319")}, "0 3 0",
			"true 0 2026-03-19 Cuti; true 0 2026-03-19 Cuti bersama; true 0 2026-03-19 Libur; " + buruh},
		{"two that exchange their names", false, []string{event("a", "Libur", "20260319"), event("e", "Cuti", "20260319")}, "VALIDATION_FAILED events.1.summary already_taken",
			"true 0 2026-03-19 Cuti; true 0 2026-03-19 Cuti bersama; true 0 2026-03-19 Libur; " + buruh},
	} {
		if got := run(us, nil, tt.dry, tt.events...); got != tt.want || rows() != tt.rows {
			t.Errorf("%s: %s with %s, want %s with %s", tt.name, got, rows(), tt.want, tt.rows)
		}
	}
	if got := run(us, &here.ID, false, nyepi); got != "1 0 0" {
		t.Errorf("at an address: %s", got)
	}
	if got := run(w.theirOwner.CompanyID, nil, false, nyepi); got != "1 0 0" {
		t.Errorf("of another company: %s", got)
	}
}

// TestImportLeavesOut imports what can be read, and says what it leaves out.
func TestImportLeavesOut(t *testing.T) {
	w := newSiteWorld(t)
	w.DB.Holiday.Create().SetCompanyID(w.Company.ID).SetName("Cuti").SetDate("2026-03-19").SaveX(w.System())
	event := func(uid, name, date string) string {
		return "BEGIN:VEVENT\r\n" + uid + "SUMMARY:" + name + "\r\nDTSTART:" + date + "\r\nEND:VEVENT\r\n"
	}
	run := func(events ...string) string {
		t.Helper()
		text := "BEGIN:VCALENDAR\r\n" + strings.Join(events, "") + "END:VCALENDAR\r\n"
		in := HolidayImport{Company: w.Company.ID, File: strings.NewReader(text), Year: 2026}
		done, err := (&Service{Plans: plantest.New(w.World)}).ImportHolidays(w.System(), in)
		if err != nil {
			return apptest.Code(err)
		}
		out := fmt.Sprint(len(done.Added), len(done.Changed), len(done.Unchanged))
		for _, l := range done.LeftOut {
			out += fmt.Sprintf(", %d line %d %s", l.Number, l.Line, l.Fault.Reason)
		}
		return out
	}
	first := []string{
		event("UID:a\r\n", "Nyepi", "20260319"), event("UID:b\r\n", strings.Repeat("x", 101), "20260320"),
		event("", "Buruh", "20260501"), event("UID:c\r\n", "", "20260601"), event("UID:d\r\n", "Rapat", "20260602T090000"),
	}
	if got, want := run(first...), "2 0 0, 2 line 7 too_long, 4 line 16 required, 5 line 24 timed_event"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := run(first[0], first[2]), "0 0 2"; got != want {
		t.Errorf("again: %s, want %s", got, want)
	}
	renamed := []string{event("UID:a\r\n", "CUTI", "20260319"), event("", "May Day", "20260501")}
	if got, want := run(renamed...), "1 0 0, 1 line 2 already_taken"; got != want {
		t.Errorf("renamed: %s, want %s", got, want)
	}
	var names []string
	for _, h := range w.DB.Holiday.Query().AllX(w.System()) {
		names = append(names, fmt.Sprint(h.Date, " ", h.Name, " ", h.UID != nil))
	}
	slices.Sort(names)
	want := []string{"2026-03-19 Cuti false", "2026-03-19 Nyepi true", "2026-05-01 Buruh false", "2026-05-01 May Day false"}
	if !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
}

// TestImportIsAudited records each holiday that an import adds or renames, as what it was
// and is, in few statements.
func TestImportIsAudited(t *testing.T) {
	w := newSiteWorld(t)
	service := &Service{Plans: plantest.New(w.World)}
	events := func(prefix string) string {
		text := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//EN\r\n"
		for i := range 40 {
			text += fmt.Sprintf("BEGIN:VEVENT\r\nDTSTAMP:20260101T000000Z\r\nUID:u%d\r\nSUMMARY:%s %d\r\nDTSTART;VALUE=DATE:202601%02d\r\nEND:VEVENT\r\n", i, prefix, i, 1+i%20)
		}
		return text + "END:VCALENDAR\r\n"
	}
	run := func(prefix string) {
		t.Helper()
		ctx := audittrail.NewContext(w.organizer, audittrail.Trail{ActorID: w.budi.ID, Now: w.Now})
		err := w.Try(ctx, func(ctx context.Context, _ *ent.Client) error {
			_, err := service.ImportHolidays(ctx, HolidayImport{Company: w.Company.ID, File: strings.NewReader(events(prefix)), Year: 2026})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	recorded := func(action string) (list []*ent.AuditEvent) {
		return w.DB.AuditEvent.Query().Where(auditevent.Action(action)).AllX(w.System())
	}
	if _, err := service.CreateHoliday(w.organizer, model.CreateHolidayInput{Name: "Before", Date: "2026-01-01"}); err != nil {
		t.Fatal(err)
	}
	run("Day")
	if n := len(recorded("holiday.created")); n != 40 {
		t.Errorf("%d events, want one for each new holiday", n)
	}
	run("Day")
	if n := len(recorded("holiday.created")) + len(recorded("holiday.updated")); n != 40 {
		t.Errorf("%d events after the same file again, want 40", n)
	}
	run("Tag")
	list := recorded("holiday.updated")
	if len(list) != 40 {
		t.Fatalf("%d events, want one for each new name", len(list))
	}
	first := list[0]
	if first.ActorID == nil || *first.ActorID != w.budi.ID || first.Before == nil || *first.Before != `{"name":"Day 0"}` || *first.After != `{"name":"Tag 0"}` {
		t.Errorf("%v", first)
	}
}

// TestImportYear takes the recurrences from the year that it is where the company is.
func TestImportYear(t *testing.T) {
	w := newSiteWorld(t)
	text := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//EN\r\nBEGIN:VEVENT\r\nDTSTAMP:20260101T000000Z\r\nUID:a\r\nSUMMARY:A\r\n" +
		"DTSTART;VALUE=DATE:20000817\r\nRRULE:FREQ=YEARLY\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
	service := &Service{DB: w.DB, Now: w.Now, Audit: &audit.Recorder{DB: w.DB, Now: w.Now}, Uploads: &ratelimit.Limiter{Limits: ratelimit.Default, Now: w.Now}}
	me := w.with(w.budi, "organization.write.all")
	viewer.From(me).Timezone = "Asia/Jakarta"
	for at, want := range map[string]string{"2026-12-31T16:59:59Z": "[2026-08-17 2027-08-17]", "2026-12-31T17:00:00Z": "[2027-08-17 2028-08-17]"} {
		now, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		w.Set(now)
		in := model.ImportHolidaysInput{File: graphql.Upload{File: strings.NewReader(text), Size: int64(len(text))}, DryRun: input.Given(new(true))}
		done, err := service.ImportUpload(me, in)
		if err != nil {
			t.Fatal(err)
		}
		var dates []string
		for _, e := range done.Added {
			dates = append(dates, string(e.Date))
		}
		if fmt.Sprint(dates) != want {
			t.Errorf("at %s: %v, want %s", at, dates, want)
		}
	}
}
