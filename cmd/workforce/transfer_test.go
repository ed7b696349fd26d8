package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTransfer imports people by the commands, and exports them.
func TestTransfer(t *testing.T) {
	dir := t.TempDir()
	at := newDatabase(t, dir)
	if _, err := command(t, nil, "company", "create", "--name=Acme", "--timezone=Asia/Jakarta", at); err != "" {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "people.csv")
	if err := os.WriteFile(file, []byte("name,email\nBudi,budi@acme.test\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	exported := filepath.Join(dir, "out.csv")
	days, partly := filepath.Join(dir, "days.ics"), filepath.Join(dir, "partly.ics")
	const calendar = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTAMP:20260101T000000Z\r\n" +
		"DTSTART;VALUE=DATE:20260319\r\nSUMMARY:Nyepi\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
	const meeting = "BEGIN:VEVENT\r\nDTSTART:20260320T090000\r\nSUMMARY:Rapat\r\nEND:VEVENT\r\n"
	withMeeting := strings.Replace(calendar, "END:VCALENDAR", meeting+"END:VCALENDAR", 1)
	for name, text := range map[string]string{days: calendar, partly: withMeeting} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const header = "\uFEFFname,email,employeeNumber,countryCode,mobileNumber,gender,locale,business,designations,joinedOn,leftOn\n"
	steps := []struct {
		name, input, args string
		out, err          string // err is how the error begins
	}{
		{"dry run", "", "import users " + file + " --company=1 --dry-run", "people: 1 would be created, 0 updated\n", ""},
		{"import", "", "import users " + file + " --company=1", "people: 1 created, 0 updated\n", ""},
		{"again", "name,email\nBudi B,budi@acme.test\n", "import users - --company=1", "people: 0 created, 1 updated\n", ""},
		{"faults", "name,email\n,siti@acme.test\n", "import users - --company=1 --dry-run", "2\tname\tVALIDATION_FAILED/required\tThis is required.\n", "faults: 1"},
		{"faults in Indonesian", "name,wage,email\n", "import users - --company=1 --language=id", "1\twage\tVALIDATION_FAILED/unknown_column\tTidak ada kolom bernama ini; kolomnya name, email, employeeNumber, countryCode, mobileNumber, gender, locale, business, designations, joinedOn, leftOn.\n", "faults: 1"},
		{"in part", "name,email\n,siti@acme.test\nAda,ada@acme.test\n", "import users - --company=1 --partial --invite",
			"2\tname\tVALIDATION_FAILED/required\tThis is required.\npeople: 1 created, 0 updated\n" +
				"invitations: 1 queued; they wait for a server with --smtp-url or --sms-url\n", "faults: 1"},
		{"another company", "name,email\n", "import users - --company=7", "", "no company 7"},
		{"no file", "", "import users " + dir + "/none --company=1", "", "open "},
		{"export", "", "export users --company=1", header + "Budi B,budi@acme.test,,,,,id,,,,\nAda,ada@acme.test,,,,,id,,,,\n", ""},
		{"export to a file", "", "export users --company=1 --output=" + exported, "", ""},
		{"export over a file", "", "export users --company=1 --output=" + exported, "", "--output: " + exported + " exists"},
		{"export of another company", "", "export users --company=7", "", "no company 7"},
		{"holidays, dry", "", "import holidays " + days + " --company=1 --dry-run", "added 2026-03-19 Nyepi\n1 added, 0 changed, 0 unchanged, 0 left out\n", ""},
		{"holidays", "", "import holidays " + days + " --company=1", "added 2026-03-19 Nyepi\n1 added, 0 changed, 0 unchanged, 0 left out\n", ""},
		{"holidays again", "", "import holidays " + days + " --company=1", "0 added, 0 changed, 1 unchanged, 0 left out\n", ""},
		{"holidays in part", "", "import holidays " + partly + " --company=1",
			"left out line 11: events.2.dtstart of \"Rapat\": A holiday lasts whole days; this event has a time.\n0 added, 0 changed, 1 unchanged, 1 left out\n", "events left out: 1"},
		{"holidays, all or none", "", "import holidays " + partly + " --company=1 --no-partial", "",
			`line 11: events.2.dtstart of "Rapat": A holiday lasts`},
		{"holidays of another company", "", "import holidays " + days + " --company=7", "", "no company 7"},
		{"holidays of another company's address", "", "import holidays " + days + " --company=1 --address=7", "", "no address 7 in company 1"},
		{"no calendar", "", "import holidays " + file + " --company=1", "", "file: "},
	}
	for _, s := range steps {
		out, err := command(t, strings.NewReader(s.input), append(strings.Fields(s.args), at)...)
		if out != s.out || !strings.HasPrefix(err, s.err) || (err == "") != (s.err == "") {
			t.Errorf("%s: %q, error %q; want %q, error %q", s.name, out, err, s.out, s.err)
		}
	}
	if out, err := command(t, nil, "import", "template"); err != "" || !strings.HasPrefix(out, header) {
		t.Errorf("template: %q %s", out, err)
	}
}
