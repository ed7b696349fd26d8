package demo

import (
	"context"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/company"
	"workforce/ent/user"
	"workforce/internal/app/audit"
	"workforce/internal/app/definition"
	"workforce/internal/app/job"
	"workforce/internal/app/leave"
	"workforce/internal/app/organization"
	"workforce/internal/app/people"
	"workforce/internal/app/roster"
	"workforce/internal/app/scheduling"
	"workforce/internal/app/tx"
	"workforce/internal/contact"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

var update = flag.Bool("update", false, "write docs/demo.yaml anew")

// example is the file that describes the demo company, and head what stands above that.
const (
	example = "../../docs/demo.yaml"
	head    = "# The demo company as one file: workforce apply docs/demo.yaml --company ID\n" +
		"# Managers of businesses, the assignments of shifts and roles name people by e-mail, and holidays come some\n" +
		"# weeks after the day on which the demo is filled, so they are not in it: applied to the company of a demo of\n" +
		"# any day, it changes nothing.\n"
)

// definitions returns the service that applies files in a database.
func definitions(db *ent.Client) *definition.Service {
	now := func() time.Time { return testNow }
	record := &audit.Recorder{DB: db, Now: now}
	plans := &scheduling.Planner{DB: db, Now: now, Jobs: job.New(), Audit: record}
	plans.Jobs.Now = now
	for _, k := range append(plans.Kinds(), new(leave.Service).Recharging()) {
		plans.Jobs.Add(k)
	}
	return &definition.Service{
		DB: db, Now: now, Audit: record, Organization: &organization.Service{Now: now, Plans: plans, Audit: record},
		Roster: &roster.Service{Plans: plans}, Leaves: &leave.Service{Now: now}, People: &people.Service{},
	}
}

// exported returns the file of a company.
func exported(t *testing.T, db *ent.Client, id int) string {
	t.Helper()
	var out strings.Builder
	if err := definitions(db).Export(context.Background(), &out, id); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// applied applies a file and returns how many changes it makes.
func applied(t *testing.T, db *ent.Client, id int, text string) int {
	t.Helper()
	r, err := definitions(db).Apply(context.Background(), id, []byte(text), definition.Options{Prune: true})
	if err != nil || len(r.Faults) > 0 || !r.Applied {
		t.Fatalf("%v, faults %v", err, r)
	}
	return len(r.Changes)
}

// TestExample holds docs/demo.yaml at what the demo company is without people and holidays, applies it to an empty company,
// and the whole demo to one with the same people: each once.
func TestExample(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		ctx, db := openDB(t, url)
		if err := Fill(ctx, db, testNow, testHash); err != nil {
			t.Fatal(err)
		}
		demo := db.Company.Query().Where(company.Name(nusantara().name)).OnlyX(ctx)
		whole := exported(t, db, demo.ID)
		if n := applied(t, db, demo.ID, whole); n != 0 {
			t.Errorf("the demo's own file makes %d changes", n)
		}
		described, _, _ := strings.Cut(regexp.MustCompile(`(?m)^    manager: .*\n`).ReplaceAllString(whole, ""),
			"\nholidays:")
		described = head + described
		if *update {
			if err := os.WriteFile(example, []byte(described), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		text, err := os.ReadFile(example)
		if err != nil || string(text) != described {
			t.Fatalf("%s is not what the demo is: %v; write it anew with -update", example, err)
		}
		if n := applied(t, db, newCompany(t, ctx, db, nil), string(text)); n < 20 {
			t.Errorf("%s makes %d changes to an empty company", example, n)
		}
		moveDemo(t, db, demo.ID, whole)
	})
}

// TestExampleAnyDay applies docs/demo.yaml to the demo company of several days, which it does not change.
func TestExampleAnyDay(t *testing.T) {
	text, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	for _, day := range []time.Time{testNow, testNow.AddDate(0, 0, 200)} {
		ctx, db := filledDB(t, testdb.SQLite(t), day)
		demo := db.Company.Query().Where(company.Name(nusantara().name)).OnlyX(ctx)
		r, err := definitions(db).Apply(context.Background(), demo.ID, text, definition.Options{Prune: true})
		if err != nil || len(r.Changes)+len(r.Faults) != 0 || r.Unchanged < 20 {
			t.Errorf("%s changes the demo of %v: %v, %+v", example, day, err, r)
		}
	}
}

// newCompany makes a company with people of some addresses.
func newCompany(t *testing.T, ctx context.Context, db *ent.Client, emails []string) (id int) {
	t.Helper()
	err := tx.With(ctx, db, func(db *ent.Client) error {
		c, err := organization.CreateCompany(ctx, db, testNow, "Empty", "Asia/Jakarta", "id")
		if err != nil {
			return err
		}
		id = c.ID
		list := make([]people.NewUser, len(emails))
		for i, e := range emails {
			list[i] = people.NewUser{Name: "Person", Email: e, Mobile: contact.NoNumber(), Role: viewer.Employee}
		}
		_, err = people.CreateUsers(ctx, db, c, testNow, list...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// moveDemo applies the whole file of the demo to a company with the same people in another database.
func moveDemo(t *testing.T, from *ent.Client, demo int, whole string) {
	t.Helper()
	emails := from.User.Query().Where(user.CompanyID(demo), user.Active(true)).Order(ent.Asc(user.FieldID)).
		Select(user.FieldEmail).StringsX(viewer.System(t.Context()))
	ctx, db := openDB(t, testdb.SQLite(t))
	id := newCompany(t, ctx, db, emails)
	if n := applied(t, db, id, whole); n < 50 {
		t.Errorf("the demo makes %d changes to an empty company", n)
	}
	if n := applied(t, db, id, whole); n != 0 {
		t.Errorf("again it makes %d changes", n)
	}
	if got := exported(t, db, id); got != whole {
		t.Errorf("exported again:\n%s\nwant\n%s", got, whole)
	}
}
