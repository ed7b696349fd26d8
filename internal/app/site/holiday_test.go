package site

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"workforce/ent"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/input"
)

func TestHolidays(t *testing.T) {
	w := newWorld(t)
	service := &Service{}
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
	w := newWorld(t)
	service := &Service{}
	event := func(uid, name, date string) string {
		return "BEGIN:VEVENT\r\nDTSTAMP:20260101T000000Z\r\nUID:" + uid + "\r\nSUMMARY:" + name + "\r\nDTSTART;VALUE=DATE:" + date + "\r\nEND:VEVENT\r\n"
	}
	run := func(company int, at *int, dry bool, events ...string) string {
		t.Helper()
		text := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//t//EN\r\n" + strings.Join(events, "") + "END:VCALENDAR\r\n"
		done, err := service.ImportHolidays(w.System(), HolidayImport{Company: company, Address: at, File: strings.NewReader(text), Year: 2026, DryRun: dry})
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
