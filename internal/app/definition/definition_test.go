package definition

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"workforce/ent"
	"workforce/ent/auditevent"
	entShift "workforce/ent/shift"
	"workforce/internal/admission"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/rostertest"
	"workforce/internal/app/leave"
	"workforce/internal/app/organization"
	"workforce/internal/app/people"
	"workforce/internal/definition"
	"workforce/internal/errs"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

type world struct {
	*rostertest.World
	*Service
}

func newWorld(t testing.TB, url string) *world {
	t.Helper()
	w := &world{World: rostertest.Of(t, apptest.On(t, url))}
	w.Service = serviceOf(w.World)
	w.User(t, "Siti", viewer.Manager)
	w.User(t, "Budi")
	return w
}

// serviceOf returns the service of a world.
func serviceOf(w *rostertest.World) *Service {
	return &Service{
		DB: w.DB, Now: w.World.Now, Audit: w.Services.Audit, Organization: w.Services.Organization, Roster: w.Roster,
		Leaves: &leave.Service{Now: w.World.Now, Desk: w.Desk, Days: w.Days}, People: &people.Service{},
	}
}

// apply applies a file and returns what it changes and its faults, a line each.
func (w *world) apply(t testing.TB, text string, options ...Options) string {
	t.Helper()
	return w.applyTo(t, w.Company.ID, text, options...)
}

func (w *world) applyTo(t testing.TB, company int, text string, options ...Options) string {
	t.Helper()
	r, err := w.Apply(context.Background(), company, []byte(text), append(options, Options{})[0])
	if err != nil {
		t.Fatal(err)
	}
	return told(r)
}

func told(r *Result) string {
	var lines []string
	for _, c := range r.Changes {
		line := strings.TrimSpace(c.Action + " " + c.Section + " " + c.Name)
		for _, m := range c.Members {
			line += fmt.Sprintf(" %s:%v→%v", m.Name, m.From, m.To)
		}
		lines = append(lines, line)
	}
	for _, f := range r.Faults {
		code := string(f.Reason)
		if code == "" {
			code = f.Code.String()
		}
		if conflict, ok := f.Meta["conflict"]; ok {
			code += "/" + fmt.Sprint(conflict)
		}
		lines = append(lines, strings.Join(strings.Fields(fmt.Sprintf("fault %d %s/%s %s %s", f.Line, f.Section,
			f.Element, f.Field, code)), " "))
	}
	return strings.Join(lines, "\n")
}

const whole = `company:
  settings:
    severalShifts: false
    weeklyOffs: [7]
    geofenceOut: block
roles:
  - name: Clerk
    permissions: [user.read.own, attendance.read.own]
designations:
  - name: Chief Accountant
    parent: Accountant
  - name: Accountant
    description: Keeps the books
businesses:
  - name: Finance
    parent: Jakarta / Office
    manager: siti@acme.test
  - name: Office
    parent: Jakarta
  - name: Jakarta
sites:
  - name: Head Office
    address: Jalan Merdeka 1
    latitude: -6.175392
    longitude: 106.827153
    radius: 150
    timezone: Asia/Jakarta
    points:
      - {latitude: -6.2, longitude: 106.8}
    weeklyOffs: [6, 7]
    business: Jakarta / Office
    policies: {geofenceIn: flag}
shifts:
  - name: Pagi
    startTime: 08:00
    endTime: 16:00
    lateGraceMinutes: null
    breaks: [{start: "12:00", end: "13:00"}]
    colour: "#1F77B4"
  - name: Malam
    startTime: 22:00
    endTime: 06:00
    breakMinutes: 30
    breakAfterMinutes: 240
    workingHours: every_valid_pair
rotations:
  - name: Turns
    days: [Pagi, Pagi, Malam, null]
leaveTypes:
  - name: Annual
    yearlyAllowance: 12
  - name: Former
    paid: false
    unit: hour
    active: false
holidays:
  - name: Nyepi
    date: 2026-03-19
  - name: Office Day
    date: 2026-03-19
    half: true
    site: Head Office
assignments:
  - email: Budi@acme.test
    shift: Pagi
    startsOn: 2026-03-16
    weekdays: [5, 1, 2, 3, 4]
  - email: siti@acme.test
    rotation: Turns
    startsOn: 2026-03-16
    endsOn: 2026-12-31
    firstDay: 3
`

// TestApply applies a whole file to an empty company, and again, by dry runs too.
func TestApply(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		w := newWorld(t, url)
		want := `update company settings weeklyOffs:[]→[7] severalShifts:true→false geofenceOut:flag→block
create roles Clerk
create designations Accountant
create designations Accountant / Chief Accountant
create businesses Jakarta
create businesses Jakarta / Office
create businesses Jakarta / Office / Finance
create sites Head Office
create shifts Pagi
create shifts Malam
create rotations Turns
create leaveTypes Annual
create leaveTypes Former
create holidays 2026-03-19 Nyepi
create holidays 2026-03-19 Office Day Head Office
create assignments Budi@acme.test Pagi 2026-03-16
create assignments siti@acme.test Turns 2026-03-16`
		if got := w.apply(t, whole, Options{DryRun: true}); got != want {
			t.Errorf("a dry run: got\n%s\nwant\n%s", got, want)
		}
		if n := w.DB.Business.Query().CountX(w.System()) + w.DB.Shift.Query().CountX(w.System()); n != 0 {
			t.Errorf("a dry run wrote %d rows", n)
		}
		if got := w.apply(t, whole); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		for _, o := range []Options{{DryRun: true}, {}, {Prune: true}} {
			if got := w.apply(t, whole, o); got != "" {
				t.Errorf("again, %+v: %s", o, got)
			}
		}
		s := w.DB.Shift.Query().Where(entShift.Name("Malam")).OnlyX(w.System())
		if s.StartTime != "22:00" || s.BreakMinutes != 30 || s.WorkingHours != entShift.WorkingHoursEveryValidPair || *s.LateGraceMinutes != 0 {
			t.Errorf("shift %v", s)
		}
		w.checkExport(t)
	})
}

// checkExport exports the company, applies that to it and to another one, and exports that.
func (w *world) checkExport(t *testing.T) {
	t.Helper()
	text := w.export(t, w.Company.ID)
	if got := w.apply(t, text, Options{Prune: true}); got != "" {
		t.Errorf("its own export changes\n%s\nof\n%s", got, text)
	}
	var other *ent.Company
	w.Change(t, func(ctx context.Context, db *ent.Client) (err error) {
		other, err = organization.CreateCompany(ctx, db, apptest.Now, "Other", "Asia/Jakarta", "id")
		return err
	})
	// its people are others
	described := strings.Split(text, "assignments:")[0] + "assignments: []\n"
	described = strings.ReplaceAll(described, "    manager: siti@acme.test\n", "")
	if got := w.applyTo(t, other.ID, described); strings.Contains(got, "fault") {
		t.Error(got)
	}
	if got := w.export(t, other.ID); got != described {
		t.Errorf("got\n%s\nwant\n%s", got, described)
	}
}

func (w *world) export(t testing.TB, company int) string {
	t.Helper()
	var out strings.Builder
	if err := w.Export(context.Background(), &out, company); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestUpdate changes what a file says, and nothing of what it does not.
func TestUpdate(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		w := newWorld(t, url)
		w.apply(t, whole)
		got := w.apply(t, `
shifts:
  - {name: pagi, startTime: "07:30", endTime: "16:00"}
sites:
  - {name: Head Office, latitude: -6.175392, longitude: 106.827153, radius: null, policies: {geofenceIn: null, face: off}}
businesses:
  - {name: Finance, parent: Jakarta / Office, manager: budi@acme.test}
rotations:
  - {name: Turns, days: [Malam, null]}
leaveTypes:
  - {name: Former, active: true}
holidays:
  - {name: Nyepi, date: 2026-03-19, half: true}
roles:
  - {name: Clerk, permissions: [attendance.read.own]}
company: {settings: {geofenceOut: null, severalShifts: false}}
assignments:
  - {email: budi@acme.test, shift: Pagi, startsOn: 2026-03-16, weekdays: [1, 2, 3, 4, 5], endsOn: 2026-06-30}
  - {email: siti@acme.test, rotation: Turns, startsOn: 2026-03-16, firstDay: 3}
`)
		want := `update company settings geofenceOut:block→<nil>
update roles Clerk permissions:[attendance.read.own user.read.own]→[attendance.read.own]
update businesses Jakarta / Office / Finance manager:siti@acme.test→budi@acme.test
update sites Head Office radius:150→<nil> policies:map[geofenceIn:flag]→map[face:off geofenceIn:<nil>]
update shifts pagi name:Pagi→pagi startTime:08:00→07:30
update rotations Turns days:[Pagi Pagi Malam ]→[Malam ]
update leaveTypes Former active:false→true
update holidays 2026-03-19 Nyepi half:false→true
update assignments budi@acme.test Pagi 2026-03-16 endsOn:<nil>→2026-06-30`
		if got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
}

// TestPrune deletes what a section does not name, in no other section, and refuses what is in use.
func TestPrune(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		w := newWorld(t, url)
		w.apply(t, whole)
		got := w.apply(t, "businesses:\n  - name: Jakarta\nsites: []\nshifts: []\nroles:\n", Options{Prune: true})
		want := `delete businesses Jakarta / Office / Finance
delete businesses Jakarta / Office
delete roles Clerk
fault 3 sites/Head Office CONFLICT/IN_USE
fault 4 shifts/Malam CONFLICT/IN_USE
fault 4 shifts/Pagi CONFLICT/IN_USE`
		if !strings.Contains(got, "fault 1 businesses/Jakarta / Office CONFLICT/NOT_EMPTY") {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		for _, fault := range []string{"fault 3 sites/Head Office CONFLICT/IN_USE",
			"fault 4 shifts/Malam CONFLICT/IN_USE", "fault 4 shifts/Pagi CONFLICT/IN_USE"} {
			if !strings.Contains(got, fault) {
				t.Errorf("got\n%s\nwhich lacks %s", got, fault)
			}
		}
		if got := w.apply(t, whole, Options{DryRun: true}); got != "" {
			t.Errorf("a fault: something was written\n%s", got)
		}
		got = w.apply(t, `
roles: []
designations: [{name: Accountant}]
businesses: []
sites: []
shifts: [{name: Malam, startTime: 22:00, endTime: 06:00}]
rotations: []
leaveTypes: []
holidays: []
assignments: []
`, Options{Prune: true})
		want = `delete assignments budi@acme.test Pagi 2026-03-16
delete assignments siti@acme.test Turns 2026-03-16
delete holidays 2026-03-19 Nyepi
delete holidays 2026-03-19 Office Day Head Office
delete leaveTypes Annual
delete rotations Turns
delete shifts Pagi
delete sites Head Office
delete businesses Jakarta / Office / Finance
delete businesses Jakarta / Office
delete businesses Jakarta
delete designations Accountant / Chief Accountant
delete roles Clerk`
		if got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		if n := w.DB.Role.Query().CountX(w.System()); n != len(viewer.Builtin) {
			t.Errorf("%d roles are left", n)
		}
	})
}

// TestFaults finds them all, by line, and writes nothing.
func TestFaults(t *testing.T) {
	w := newWorld(t, testdb.SQLite(t))
	tests := []struct{ name, text, want string }{
		{"twice", "roles:\n  - {name: A, permissions: []}\n  - {name: a, permissions: []}\n",
			"create roles A\nfault 3 roles/a name twice"},
		{"the same path", "businesses:\n  - name: A\n  - name: B\n    parent: A\n  - name: b\n    parent: a\n",
			"create businesses A\ncreate businesses A / B\nfault 5 businesses/a / b name twice"},
		{"an owner's role", "roles:\n  - name: Owner\n    permissions: [user.read.all]\n",
			"fault 2 roles/Owner name FORBIDDEN"},
		{"a permission", "roles:\n  - name: A\n    permissions:\n      - fly\n", "fault 3 roles/A permissions bad_format"},
		{"an unknown parent", "businesses:\n  - name: A\n    parent: B / C\n",
			"fault 3 businesses/B / C / A parent unknown"},
		{"once for what follows", "businesses:\n  - name: A\n    parent: X\n  - name: B\n    parent: X / A\n  - name: C\n    parent: X / A / B\n",
			"fault 3 businesses/X / A parent unknown"},
		{"a stranger", "businesses:\n  - name: A\n    manager: nobody@acme.test\n", "fault 3 businesses/A manager unknown"},
		{"a radius", "sites:\n  - name: A\n    latitude: 1\n    longitude: 2\n    radius: 1\n",
			"fault 5 sites/A radius out_of_range"},
		{"a point", "sites:\n  - name: A\n    latitude: 1\n    longitude: 2\n    points:\n      - latitude: 1\n        longitude: 200\n",
			"fault 7 sites/A points.0.longitude out_of_range"},
		{"a zone", "shifts:\n  - {name: A, startTime: 08:00, endTime: 16:00,\n     timezone: Mars}\n",
			"fault 3 shifts/A timezone bad_format"},
		{"a break", "shifts:\n  - name: A\n    startTime: 08:00\n    endTime: 16:00\n    breaks:\n      - {start: noon, end: 13:00}\n",
			"fault 6 shifts/A breaks.0.start bad_format"},
		{"a shift of a rotation", "rotations:\n  - name: A\n    days:\n      - null\n      - X\n",
			"fault 5 rotations/A days.1 unknown"},
		{"a setting", "company:\n  settings:\n    accuracyMeters: -5\n",
			"fault 3 company/ settings.accuracyMeters out_of_range"},
		{"neither", "assignments:\n  - email: budi@acme.test\n    startsOn: 2026-03-16\n",
			"fault 2 assignments/budi@acme.test 2026-03-16 shift required"},
		{"several", "leaveTypes:\n  - name: A\n    yearlyAllowance: 1.3\nroles:\n  - name: B\n    permissions: [x]\n",
			"fault 3 leaveTypes/A yearlyAllowance out_of_range\nfault 6 roles/B permissions bad_format"},
		{"syntax", "roles:\n  - {name: A\n", "fault 2 / unreadable"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := w.apply(t, tt.text); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
	if n := w.DB.Role.Query().CountX(w.System()); n != len(viewer.Builtin) {
		t.Errorf("%d roles", n)
	}
	if n := w.DB.Business.Query().CountX(w.System()) + w.DB.Shift.Query().CountX(w.System()); n != 0 {
		t.Errorf("%d rows were written", n)
	}
}

// TestClash reports shifts that overlap at the line of the assignment.
func TestClash(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		w := newWorld(t, url)
		w.apply(t, whole)
		got := w.apply(t, `assignments:
  - {email: budi@acme.test, shift: Malam, startsOn: 2026-04-01}
  - {email: siti@acme.test, shift: Pagi, startsOn: 2027-01-10}
  - {email: budi@acme.test, shift: Pagi, startsOn: 2026-04-02, rotation: Turns}
  - {email: siti@acme.test, rotation: Turns, startsOn: 2027-01-01}
  - {email: budi@acme.test, shift: Pagi, startsOn: 2026-04-02, firstDay: 2}
  - {email: siti@acme.test, rotation: Turns, startsOn: 2027-02-01}
`)
		for _, want := range []string{
			"fault 2 assignments/budi@acme.test Malam 2026-04-01 email CONFLICT/",
			"fault 4 assignments/budi@acme.test Pagi Turns 2026-04-02 rotation excludes",
			"fault 6 assignments/budi@acme.test Pagi 2026-04-02 firstDay excludes",
		} {
			if !strings.Contains(got, want) {
				t.Errorf("got\n%s\nwhich lacks %s", got, want)
			}
		}
	})
}

// TestRights applies a file in the name of an owner, and not of others.
func TestRights(t *testing.T) {
	w := newWorld(t, testdb.SQLite(t))
	w.Uploads, w.Reading = w.Files.Uploads, admission.NewLane(1, 1)
	owner := w.User(t, "Ani", viewer.Owner)
	r, err := w.ApplyUpload(w.As(owner, viewer.Owner), "input.file", strings.NewReader(whole), Options{})
	if err != nil || !r.Applied || len(r.Faults) > 0 {
		t.Fatal(err, told(r))
	}
	_, err = w.ApplyUpload(w.As(w.Admin, viewer.Admin), "input.file", strings.NewReader(whole), Options{})
	if apptest.Code(err) != "FORBIDDEN" {
		t.Errorf("an administrator: %v", err)
	}
	_, err = w.ApplyUpload(w.As(owner, viewer.Owner), "input.file", strings.NewReader(strings.Repeat(" ",
		definition.MaxBytes+1)), Options{})
	if errs.CodeOf(err) != errs.PayloadTooLarge {
		t.Errorf("a large file: %v", err)
	}
}

// TestAudit records what the operator changed, of nobody, and of a file that was applied that it was.
func TestAudit(t *testing.T) {
	w := newWorld(t, testdb.SQLite(t))
	w.apply(t, whole, Options{DryRun: true})
	count := func(action string) int {
		return w.DB.AuditEvent.Query().Where(auditevent.Action(action), auditevent.ActorIDIsNil()).CountX(w.System())
	}
	if n := count("company.definition_applied") + count("shift.created"); n != 0 {
		t.Errorf("a dry run recorded %d events", n)
	}
	w.apply(t, whole)
	w.apply(t, whole)
	for action, want := range map[string]int{
		"company.definition_applied": 1, "shift.created": 2, "business.created": 3, "company.updated": 1,
		"shift_assignment.created": 1,
	} {
		if n := count(action); n != want {
			t.Errorf("%s: %d events, want %d", action, n, want)
		}
	}
}

// TestAtOnce applies the same file several times at once: one of them changes the company.
func TestAtOnce(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		w := newWorld(t, url)
		w.User(t, "Ani", viewer.Owner)
		var wg sync.WaitGroup
		results := make([]*Result, 4)
		for i := range results {
			wg.Go(func() {
				var err error
				if results[i], err = w.Apply(context.Background(), w.Company.ID, []byte(whole), Options{}); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		changed := 0
		for _, r := range results {
			if r == nil || !r.Applied {
				t.Fatalf("got %+v", r)
			}
			if len(r.Changes) > 0 {
				changed++
			}
		}
		if n := w.DB.Shift.Query().CountX(w.System()); changed != 1 || n != 2 {
			t.Errorf("%d files changed the company, which has %d shifts", changed, n)
		}
	})
}
