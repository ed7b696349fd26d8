package webapp

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/holiday"
	"workforce/ent/job"
	"workforce/ent/user"
	"workforce/ent/userimport"
	"workforce/internal/scenario/harness"
	"workforce/internal/table"
	"workforce/internal/viewer"
)

// TestFiles imports people and a calendar from files, faults first, and opens what the app saves: with
// WEB_FULL 10,000 people and 1,000 events, else as few as take the same ways.
func TestFiles(t *testing.T) {
	t.Parallel()
	f := &files{t: t, s: newServer(t), folder: t.TempDir(), people: 300, events: 60}
	if os.Getenv("WEB_FULL") != "" {
		f.people, f.events = 10_000, 1000
	}
	for _, format := range []string{"csv", "xlsx"} {
		f.write("wrong."+format, format, 10)
		f.write("right."+format, format, 0)
	}
	f.writeCalendar("holidays.ics")
	f.holdImports()
	told := map[string]any{"folder": f.folder, "people": f.people, "events": f.events}
	useAs(t, f.s, owner, "files.mjs", told, map[string]func(string) string{
		"people": f.wantPeople, "cancelled": f.wantCancelled, "holidays": f.wantHolidays, "saved": f.wantSaved,
		"hold": func(string) string { f.held.Store(new(make(chan struct{}))); return "" },
		"go":   func(string) string { close(*f.held.Swap(nil)); return "" },
	})
}

// files are what an owner imports and saves. The CSV makes people new, the XLSX gives them other names.
type files struct {
	t              *testing.T
	s              *harness.Server
	folder         string
	people, events int
	held           atomic.Pointer[chan struct{}] // imports go on once it is closed; nil for at once
}

// holdImports has imports wait, once they have told how far they are, as long as they are held.
func (f *files) holdImports() {
	f.s.Store.Ent.Job.Use(func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			value, err := next.Mutate(ctx, m)
			n, told := m.Field(job.FieldProgress)
			if held := f.held.Load(); told && n.(int) > 0 && held != nil {
				select {
				case <-*held:
				case <-ctx.Done():
				}
			}
			return value, err
		})
	})
}

var firstNames = map[string]string{"csv": "Awal", "xlsx": "Baru"}

// write writes a table of people; of each so many rows two have faults, none for 0.
func (f *files) write(name, format string, faulty int) {
	f.t.Helper()
	out, err := os.Create(filepath.Join(f.folder, name))
	if err != nil {
		f.t.Fatal(err)
	}
	defer out.Close()
	w, err := table.NewWriter(out, format, table.Properties{})
	if err == nil {
		err = w.Write([]string{"name", "email", "employeeNumber", "gender", "joinedOn"})
	}
	for i := range f.people {
		row := []string{
			fmt.Sprintf("%s %05d", firstNames[format], i), fmt.Sprintf("p%05d@contoh.test", i), fmt.Sprintf("N-%05d", i),
			[]string{"female", "male"}[i%2], "2026-01-05",
		}
		switch {
		case faulty > 0 && i%faulty == 1:
			row[1] = "no address"
		case faulty > 0 && i%faulty == 3:
			row[3] = "tidak tahu"
		}
		if err == nil {
			err = w.Write(row)
		}
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		f.t.Fatal(err)
	}
}

// writeCalendar writes a calendar, of whose events each tenth is no whole day.
func (f *files) writeCalendar(name string) {
	f.t.Helper()
	lines := []string{"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Libur//ID"}
	first := time.Date(f.s.Clock.Now().Year(), 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range f.events {
		date := first.AddDate(0, 0, i%365).Format("20060102")
		start, title := "DTSTART;VALUE=DATE:"+date, "Libur"
		if i%10 == 9 {
			start, title = "DTSTART:"+date+"T100000Z", "Rapat"
		}
		lines = append(lines, "BEGIN:VEVENT", fmt.Sprintf("UID:libur-%d", i), "DTSTAMP:20260101T000000Z", start,
			fmt.Sprintf("SUMMARY:%s %03d", title, i), "END:VEVENT")
	}
	text := strings.Join(append(lines, "END:VCALENDAR", ""), "\r\n")
	if err := os.WriteFile(filepath.Join(f.folder, name), []byte(text), 0o600); err != nil {
		f.t.Fatal(err)
	}
}

// wantPeople judges whether nobody, all of the CSV or all of the XLSX are there: "none", "csv" or "xlsx".
func (f *files) wantPeople(format string) string {
	ctx := viewer.System(f.t.Context())
	rows := f.s.Store.Ent.User.Query().Where(user.EmailHasSuffix("@contoh.test")).Order(ent.Asc(user.FieldEmail)).AllX(ctx)
	want := f.people
	if format == "none" {
		want = 0
	}
	if len(rows) != want {
		f.t.Errorf("%d people, want %d", len(rows), want)
		return ""
	}
	for i, u := range rows {
		got := fmt.Sprintf("%s|%s|%s|%s|%s", u.Name, u.Email, *u.EmployeeNumber, *u.Gender, *u.JoinedOn)
		gender := []string{"female", "male"}[i%2]
		want := fmt.Sprintf("%s %05d|p%05d@contoh.test|N-%05d|%s|2026-01-05", firstNames[format], i, i, i, gender)
		if got != want {
			f.t.Errorf("person %d is %s, want %s", i, got, want)
			return ""
		}
	}
	return ""
}

// wantCancelled judges how many imports were cancelled.
func (f *files) wantCancelled(want string) string {
	cancelled := f.s.Store.Ent.UserImport.Query().Where(userimport.OutcomeEQ(userimport.OutcomeCancelled))
	n := cancelled.CountX(viewer.System(f.t.Context()))
	if fmt.Sprint(n) != want {
		f.t.Errorf("%d imports are cancelled, want %s", n, want)
	}
	return ""
}

// wantHolidays judges how many holidays of the file there are.
func (f *files) wantHolidays(want string) string {
	n := f.s.Store.Ent.Holiday.Query().Where(holiday.Or(holiday.NameHasPrefix("Libur "), holiday.NameHasPrefix("Rapat "))).
		CountX(viewer.System(f.t.Context()))
	if fmt.Sprint(n) != want {
		f.t.Errorf("%d holidays, want %s", n, want)
	}
	return ""
}

// wantSaved opens a file that the app saved, of a name and with so many rows below its header; -1 for
// some, and judges its header and a row.
func (f *files) wantSaved(text string) string {
	var name string
	var rows int
	if _, err := fmt.Sscan(text, &name, &rows); err != nil {
		f.t.Error(err)
		return ""
	}
	data, err := os.ReadFile(filepath.Join(f.folder, name))
	if err != nil {
		f.t.Error(err)
		return ""
	}
	if strings.HasSuffix(name, ".pdf") {
		f.wantPDF(name, data)
		return ""
	}
	records := f.read(name, data)
	for i, r := range records {
		records[i] = slices.DeleteFunc(r, func(cell string) bool { return cell == "" })
	}
	has := func(cells ...string) bool {
		return slices.ContainsFunc(records, func(r []string) bool {
			return !slices.ContainsFunc(cells, func(c string) bool { return !slices.Contains(r, c) })
		})
	}
	want := savedRows[strings.TrimSuffix(name, filepath.Ext(name))]
	for _, cells := range want {
		if !has(cells...) {
			f.t.Errorf("%s has no row with %q: %q", name, cells, records[:min(4, len(records))])
		}
	}
	if len(want) == 0 || rows >= 0 && len(records) != rows+1 || len(records) < 2 {
		f.t.Errorf("%s has %d rows with its header, want %d: %q", name, len(records), rows+1, records[:min(4, len(records))])
	}
	return ""
}

// savedRows are cells of the header and of a row of each file that the app saves, by its name.
var savedRows = map[string][][]string{
	"people": {
		{
			"name", "email", "employeeNumber", "countryCode", "mobileNumber", "gender", "locale", "business",
			"designations", "joinedOn", "leftOn",
		},
		{"Budi Santoso", "budi@demo.test", "62"},
	},
	"table":   {{"Person", "Business", "Designation", "Email", "Phone"}, {"Budi Santoso", "budi@demo.test"}},
	"payroll": {{"Budi Santoso"}, {"Siti Rahmawati"}},
	"overtime": {
		{"Name", "Date", "Worked", "Overtime", "Decision"},
		{"Agus Setiawan", "2026-02-24", "0:45:31", "Approved"},
	},
	"task": {
		{"Title", "Project", "Status", "Assignees"},
		{"Perbaiki formulir pendaftaran", "Aplikasi Pelanggan", "Asep Sutisna"},
	},
}

// read returns the records of a CSV, by the standard's reader, or of a workbook.
func (f *files) read(name string, data []byte) (records [][]string) {
	f.t.Helper()
	var err error
	if strings.HasSuffix(name, ".csv") {
		in := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(data), "\ufeff")))
		in.FieldsPerRecord = -1
		records, err = in.ReadAll()
	} else {
		err = table.Read(strings.NewReader(string(data)), func(r table.Record) error {
			records = append(records, slices.Clone(r.Cells))
			return nil
		})
	}
	if err != nil {
		f.t.Errorf("%s: %v", name, err)
	}
	return records
}

// wantPDF judges the text of a PDF file.
func (f *files) wantPDF(name string, data []byte) {
	f.t.Helper()
	if !strings.HasPrefix(string(data), "%PDF-") || !strings.HasSuffix(strings.TrimSpace(string(data)), "%%EOF") {
		f.t.Errorf("%s is no PDF: %.20q", name, data)
	}
	if _, err := exec.LookPath("pdftotext"); err != nil {
		missing(f.t, "pdftotext is missing (Debian: poppler-utils)")
	}
	out, err := exec.Command("pdftotext", "-layout", filepath.Join(f.folder, name), "-").CombinedOutput()
	if err != nil {
		f.t.Errorf("%s: %v %s", name, err, out)
	}
	for _, want := range []string{"Attendance", "Budi Santoso", "Siti Rahmawati"} {
		if !strings.Contains(string(out), want) {
			f.t.Errorf("%s has no %q:\n%.2000s", name, want, out)
		}
	}
}
