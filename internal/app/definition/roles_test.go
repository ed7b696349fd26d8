package definition

import (
	"context"
	"slices"
	"strings"
	"testing"

	"workforce/ent"
	"workforce/ent/auditevent"
	"workforce/ent/role"
	"workforce/ent/user"
	"workforce/internal/admission"
	"workforce/internal/errs"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// namesOf returns the names of the roles that somebody has.
func (w *world) namesOf(u *ent.User) string {
	names := w.DB.Role.Query().Where(role.HasUsersWith(user.ID(u.ID))).Select(role.FieldName).StringsX(w.System())
	return strings.Join(names, " ")
}

// TestPeoplesRoles gives people exactly the roles that a file names, once, and takes them from nobody else.
func TestPeoplesRoles(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		w := newWorld(t, url)
		owner, rina := w.User(t, "Ani", viewer.Owner, viewer.Employee), w.User(t, "Rina")
		text := whole + `
  - {email: BUDI@acme.test, roles: [clerk, manager]}
  - {email: siti@acme.test, roles: [employee]}
`
		want := `update assignments BUDI@acme.test roles:[employee]→[clerk manager]
update assignments siti@acme.test roles:[manager]→[employee]`
		for _, o := range []Options{{DryRun: true}, {}} {
			got := w.apply(t, text, o)
			if i := strings.Index(got, "update assignments"); i < 0 || strings.Split(got[i:], "\ncreate")[0] != want {
				t.Errorf("%+v: got\n%s\nwhich lacks\n%s", o, got, want)
			}
		}
		for _, o := range []Options{{DryRun: true}, {}, {Prune: true}} {
			if got := w.apply(t, text, o); got != "" {
				t.Errorf("again, %+v: %s", o, got)
			}
		}
		people := w.DB.User.Query().Order(ent.Asc(user.FieldID)).AllX(w.System())
		for _, u := range people {
			names := map[string]string{"Budi": "Clerk manager", "Siti": "employee", "Ani": "employee owner"}[u.Name]
			if got := w.namesOf(u); names != "" && got != names {
				t.Errorf("%s has %s, want %s", u.Name, got, names)
			}
		}
		for action, want := range map[string]int{"user_role.created": 3, "user_role.deleted": 2} {
			n := w.DB.AuditEvent.Query().Where(auditevent.Action(action), auditevent.ActorIDIsNil()).CountX(w.System())
			if n != want {
				t.Errorf("the audit has %d events %s, want %d", n, action, want)
			}
		}
		if got := w.apply(t, "assignments:\n  - {email: budi@acme.test, roles: []}\n"); got !=
			"update assignments budi@acme.test roles:[Clerk manager]→[]" {
			t.Errorf("no roles: %s", got)
		}
		file := w.export(t, w.Company.ID)
		if part := "assignments:\n  - email: admin@acme.test\n    roles: [admin]\n  - email: budi@acme.test\n    roles: []\n  - email: budi@acme.test\n    shift: Pagi\n"; !strings.Contains(file, part) {
			t.Errorf("exported\n%s\nwhich lacks\n%s", file, part)
		}
		for _, name := range []string{"ani@", "rina@"} {
			if strings.Contains(file, name) {
				t.Errorf("the export has %s, who owns the company or has what everybody has:\n%s", name, file)
			}
		}
		if got := w.apply(t, file, Options{Prune: true}); got != "" {
			t.Errorf("its own export changes\n%s\nof\n%s", got, file)
		}
		if got := w.namesOf(owner) + ", " + w.namesOf(rina); got != "employee owner, employee" {
			t.Errorf("people whom no file names have %s", got)
		}
	})
}

// TestPruneRoles deletes a role that the same file takes from those who have it, and takes none from people whom
// it does not name.
func TestPruneRoles(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		w := newWorld(t, url)
		w.apply(t, "roles:\n  - {name: Clerk, permissions: []}\nassignments:\n  - {email: budi@acme.test, roles: [Clerk]}\n")
		if got := w.apply(t, "roles: []\nassignments: []\n", Options{Prune: true}); got != "fault 1 roles/Clerk CONFLICT/IN_USE" {
			t.Errorf("a role in use: %s", got)
		}
		want := "update assignments budi@acme.test roles:[Clerk]→[supervisor]\ndelete roles Clerk"
		text := "roles: []\nassignments:\n  - {email: budi@acme.test, roles: [supervisor]}\n"
		if got := w.apply(t, text, Options{Prune: true}); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		if got := w.apply(t, "assignments: []\n", Options{Prune: true}); got != "" {
			t.Errorf("people whom the file does not name: %s", got)
		}
	})
}

// TestFaultsOfRoles finds what is wrong with the roles of people, by line, and changes nothing.
func TestFaultsOfRoles(t *testing.T) {
	w := newWorld(t, testdb.SQLite(t))
	w.User(t, "Ani", viewer.Owner)
	const budi, ani = "assignments:\n  - email: budi@acme.test\n", "assignments:\n  - email: ani@acme.test\n"
	tests := []struct{ name, text, want string }{
		{"the owner's role", budi + "    roles:\n      - manager\n      - Owner\n",
			"fault 5 assignments/budi@acme.test roles.1 FORBIDDEN"},
		{"an owner", ani + "    roles: [employee]\n", "fault 2 assignments/ani@acme.test email FORBIDDEN"},
		{"an owner as they are", ani + "    roles: [owner]\n",
			"fault 2 assignments/ani@acme.test email FORBIDDEN\nfault 3 assignments/ani@acme.test roles.0 FORBIDDEN"},
		{"a role that is not there", budi + "    roles: [Clerk]\n", "fault 3 assignments/budi@acme.test roles.0 unknown"},
		{"a role without a name", budi + "    roles: [\"\"]\n", "fault 3 assignments/budi@acme.test roles.0 unknown"},
		{"a stranger", "assignments:\n  - email: nobody@acme.test\n    roles: [manager]\n",
			"fault 2 assignments/nobody@acme.test email unknown"},
		{"no address", "assignments:\n  - email: \"\"\n    roles: [manager]\n", "fault 2 assignments/ email required"},
		{"one person twice", budi + "    roles: [Clerk]\n  - email: Budi@ACME.test\n    roles: [employee]\n",
			"fault 3 assignments/budi@acme.test roles.0 unknown\nfault 4 assignments/Budi@ACME.test email twice"},
		{"with a date", budi + "    roles: [manager]\n    startsOn: 2026-03-16\n    everyWeeks: 2\n",
			"fault 4 assignments/budi@acme.test 2026-03-16 startsOn excludes\n" +
				"fault 5 assignments/budi@acme.test 2026-03-16 everyWeeks excludes"},
		{"with a shift", budi + "    shift: Pagi\n    roles: [manager]\n    startsOn: 2026-03-16\n",
			"fault 3 assignments/budi@acme.test Pagi 2026-03-16 shift excludes\n" +
				"fault 5 assignments/budi@acme.test Pagi 2026-03-16 startsOn excludes"},
		{"a shift without a date", "shifts:\n  - {name: Pagi, startTime: 08:00, endTime: 16:00}\n" + budi + "    shift: Pagi\n",
			"create shifts Pagi\nfault 4 assignments/budi@acme.test Pagi startsOn required"},
		{"a role with a fault", "roles:\n  - name: Clerk\n    permissions: [fly]\n" + budi + "    roles: [Clerk]\n",
			"fault 3 roles/Clerk permissions bad_format"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := w.apply(t, tt.text); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
	if n := w.DB.UserRole.Query().CountX(w.System()); n != w.DB.User.Query().CountX(w.System()) {
		t.Errorf("people have %d roles", n)
	}
}

// TestRightsOfRoles has callers give by a file what they may give by themselves.
func TestRightsOfRoles(t *testing.T) {
	w := newWorld(t, testdb.SQLite(t))
	w.Uploads, w.Reading = w.Files.Uploads, admission.NewLane(1, 1)
	owner, clerk := w.User(t, "Ani", viewer.Owner), w.User(t, "Rina", viewer.Admin)
	with := func(of string, permissions ...string) context.Context {
		permissions = slices.Concat(permissions, viewer.Permissions(of))
		slices.Sort(permissions)
		return viewer.NewContext(ent.NewContext(context.Background(), w.DB), &viewer.Viewer{
			UserID: clerk.ID, CompanyID: w.Company.ID, Permissions: permissions, Timezone: w.Company.Timezone,
		})
	}
	give := func(ctx context.Context, name string) string {
		t.Helper()
		r, err := w.ApplyUpload(ctx, "input.file", strings.NewReader("assignments:\n  - email: budi@acme.test\n    roles: ["+
			name+"]\n"), Options{})
		if err != nil {
			return errs.CodeOf(err).String()
		}
		return told(r)
	}
	const changes, element = "company.write.all", "assignments/budi@acme.test"
	for _, tt := range []struct {
		name, role string
		as         context.Context
		want       string
	}{
		{"nobody's", "manager", with(viewer.Employee, "user.write.all", "role.write.all"), "FORBIDDEN"},
		{"without user.write", "employee", with(viewer.Employee, changes), ""},
		{"without user.write", "manager", with(viewer.Employee, changes), "fault 2 " + element + " FORBIDDEN"},
		{"without role.write", "manager", with(viewer.Manager, changes, "user.write.all"),
			"fault 3 " + element + " roles FORBIDDEN"},
		{"more than they have", "admin", with(viewer.Manager, changes, "user.write.all", "role.write.all",
			"user.read.all"), "fault 3 " + element + " roles FORBIDDEN"},
		{"an owner", "admin", w.As(owner, viewer.Owner), "update assignments budi@acme.test roles:[employee]→[admin]"},
	} {
		if got := give(tt.as, tt.role); got != tt.want {
			t.Errorf("%s, %s: got %q, want %q", tt.name, tt.role, got, tt.want)
		}
	}
}
