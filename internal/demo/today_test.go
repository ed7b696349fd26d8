package demo_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"workforce/ent/user"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/shift"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// TestDemoToday fills at times of the week, and reads who of the manager's people is where.
func TestDemoToday(t *testing.T) {
	const all = "Agus,Fitri,Indah,Kartika,Lukman,Maya,Putri,Ratna,Siti,Sumarni,ayu,nur"
	const free = "Agus,Fitri,Maya,Putri,Ratna,Siti,ayu,nur"
	const nights = "Dimas,Joko,Slamet,hendra"
	for _, tt := range []struct {
		at                              string // in Jakarta
		in, done, late, missing, notDue string // given names
		onLeave, flagged                string
	}{
		{at: "Tue 2026-03-10 00:30", notDue: all + ",Budi," + nights, onLeave: "Rizky"},
		{at: "Tue 2026-03-10 07:30", notDue: all + ",Budi," + nights, onLeave: "Rizky"},
		{
			at: "Tue 2026-03-10 07:50", in: "Indah", notDue: "Kartika,Lukman,Sumarni,Budi," + free + "," + nights,
			onLeave: "Rizky",
		},
		{
			at: "Tue 2026-03-10 08:05", in: "Indah,Kartika", missing: "Lukman,Sumarni," + free, notDue: "Budi," + nights,
			onLeave: "Rizky",
		},
		{
			at: "Tue 2026-03-10 09:00", in: "Indah,Kartika,Lukman,Sumarni", late: "Lukman,Sumarni", missing: free,
			notDue: "Budi," + nights, onLeave: "Rizky", flagged: "Sumarni",
		},
		{
			at: "Tue 2026-03-10 17:08", in: "Kartika,Lukman", done: "Indah,Sumarni", late: "Lukman,Sumarni", missing: free,
			notDue: "Budi," + nights, onLeave: "Rizky", flagged: "Sumarni",
		},
		{
			at: "Tue 2026-03-10 22:30", in: "Slamet,hendra", done: "Indah,Kartika,Lukman,Sumarni",
			late: "Lukman,Sumarni,hendra", missing: "Dimas,Joko," + free, notDue: "Budi", onLeave: "Rizky", flagged: "Sumarni",
		},
		{
			at: "Sat 2026-03-14 09:00", in: "Indah,Kartika,Sumarni", late: "Sumarni", notDue: "Budi",
			flagged: "Sumarni",
		},
		{at: "Sun 2026-03-15 09:00", notDue: "Budi"},
		{
			at: "Mon 2026-03-16 09:00", in: "Indah,Kartika,Lukman,Sumarni", late: "Lukman,Sumarni", missing: free,
			notDue: "Budi," + nights, onLeave: "Rizky", flagged: "Sumarni",
		},
	} {
		t.Run(tt.at, func(t *testing.T) {
			at, err := time.ParseInLocation("Mon 2006-01-02 15:04", tt.at, harness.Morning.Location())
			if err != nil {
				t.Fatal(err)
			}
			s := filledAt(t, testdb.SQLite(t), at)
			want := map[string]string{
				"in": tt.in, "done": tt.done, "late": tt.late, "missing": tt.missing, "not_due": tt.notDue,
				"on_leave": tt.onLeave, "flagged": tt.flagged, "forgotten": "Kartika",
			}
			for group, names := range want {
				if want[group] = sorted(strings.Split(names, ",")); names == "" {
					delete(want, group)
				}
			}
			if diff := cmp.Diff(want, readToday(t, s, at)); diff != "" {
				t.Errorf("today (-want +got):\n%s", diff)
			}
		})
	}
}

// filledAt returns a server with the demo of a time, and everybody's shifts.
func filledAt(t *testing.T, database string, at time.Time) *harness.Server {
	t.Helper()
	s := harness.New(t, database, func(c *server.Config) { c.Now = func() time.Time { return at.UTC() } })
	ctx := viewer.System(t.Context())
	for _, u := range s.Store.Ent.User.Query().Where(user.EmailHasSuffix("@demo.test")).AllX(ctx) {
		if err := s.Services.Roster.Plans.Ensure(ctx, u.CompanyID, u.ID); err != nil {
			t.Fatal(err)
		}
	}
	s.SignIn(t, "ratna", "manager@demo.test")
	return s
}

// readToday returns the given names of each group of today, of those whose clock-in of today waits
// for a decision and of those who forgot to clock out one to three days ago, as the app reads them.
// Groups of nobody and those who are off are left out.
func readToday(t *testing.T, s *harness.Server, at time.Time) map[string]string {
	t.Helper()
	today := shift.DateOf(at, at.Location())
	type named struct{ User struct{ Name string } }
	var data struct {
		AttendanceSummary struct {
			Groups []struct {
				Name   string
				People []struct{ Name string }
			}
		}
		Flagged, Forgotten list[named]
	}
	s.GraphQL(t, s.HeaderOf("ratna"), `{
		attendanceSummary(limit:100){groups{name people{name}}}
		flagged: attendances(where:{workDate:"`+string(today)+`",clockedInReview:pending}){edges{node{user{name}}}}
		forgotten: attendances(where:{needsConfirmation:true,autoClosed:true,workDateGTE:"`+string(today.AddDays(-3))+`",`+
		`workDateLT:"`+string(today)+`"}){edges{node{user{name}}}}
	}`, nil, &data)
	groups := map[string][]string{}
	for _, g := range data.AttendanceSummary.Groups {
		for _, p := range g.People {
			groups[g.Name] = append(groups[g.Name], p.Name)
		}
	}
	for name, nodes := range map[string][]named{"flagged": data.Flagged.nodes(), "forgotten": data.Forgotten.nodes()} {
		for _, n := range nodes {
			groups[name] = append(groups[name], n.User.Name)
		}
	}
	delete(groups, "off")
	got := map[string]string{}
	for group, names := range groups {
		got[group] = sorted(names)
	}
	return got
}

// sorted returns the given names of people in order, joined.
func sorted(names []string) string {
	var given []string
	for _, name := range names {
		first, _, _ := strings.Cut(name, " ")
		given = append(given, first)
	}
	slices.Sort(given)
	return strings.Join(given, ",")
}
