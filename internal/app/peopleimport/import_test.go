package peopleimport

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"workforce/ent"
	entJob "workforce/ent/job"
	entMessage "workforce/ent/message"
	"workforce/ent/user"
	"workforce/internal/admission"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/servicetest"
	"workforce/internal/app/audit"
	"workforce/internal/app/input"
	"workforce/internal/app/job"
	"workforce/internal/app/notify"
	"workforce/internal/app/organization"
	"workforce/internal/app/ratelimit"
	"workforce/internal/app/scheduling"
	"workforce/internal/app/tx"
	"workforce/internal/database"
	"workforce/internal/migration"
	"workforce/internal/sealed"
	"workforce/internal/table"
	"workforce/internal/testdb"
	"workforce/internal/tree"
	"workforce/internal/viewer"
)

// A fixture is a world with businesses and designations, and a service.
type fixture struct {
	*apptest.World
	t       testing.TB
	service *Service
}

func newFixture(t testing.TB) *fixture {
	w := apptest.New(t)
	s := servicetest.New(t, w)
	f := &fixture{World: w, t: t, service: &Service{
		DB: w.DB, Now: w.Now, Audit: s.Audit, Objects: s.Objects, Files: s.Files, Plans: s.Plans, Jobs: s.Jobs,
		Tables: admission.NewLane(1, 32), Uploads: &ratelimit.Limiter{Now: w.Now},
	}}
	f.service.Jobs.Add(f.service.Importing())
	f.service.Jobs.Log = slog.New(slog.NewTextHandler(t.Output(), nil))
	f.service.Jobs.Add(job.Kind{Name: invitations, Run: func(context.Context, *job.Run) error { return nil }})
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		jakarta := db.Business.Create().SetCompanyID(w.Company.ID).SetName("Jakarta").SaveX(ctx)
		bandung := db.Business.Create().SetCompanyID(w.Company.ID).SetName("Bandung").SaveX(ctx)
		for _, parent := range []int{jakarta.ID, bandung.ID} {
			db.Business.Create().SetCompanyID(w.Company.ID).SetName("Finance").SetParentID(parent).ExecX(ctx)
		}
		for _, name := range []string{"Cook", "Driver", "A/B; C|D"} {
			db.Designation.Create().SetCompanyID(w.Company.ID).SetName(name).ExecX(ctx)
		}
		return nil
	})
	return f
}

// run imports a CSV.
func (f *fixture) run(text string, change ...func(*Options)) *Result {
	f.t.Helper()
	o := Options{Company: f.Company.ID}
	for _, c := range change {
		c(&o)
	}
	r, err := f.service.Import(f.System(), strings.NewReader(text), o)
	if err != nil {
		f.t.Fatal(err)
	}
	return r
}

func dry(o *Options)     { o.DryRun = true }
func partial(o *Options) { o.Partial = true }
func invite(o *Options)  { o.Invite = true }

// faults returns faults as text.
func faults(r *Result) (list []string) {
	for _, f := range r.Faults {
		list = append(list, fmt.Sprintf("%d %s %s", f.Row, f.Column, f.Reason))
	}
	slices.Sort(list)
	return list
}

// export returns the people as cells, the header left out.
func (f *fixture) export(t interface{ Fatal(...any) }, format string) (rows [][]string) {
	var out bytes.Buffer
	if err := f.service.Export(f.System(), &out, format, f.Company.ID); err != nil {
		t.Fatal(err)
	}
	err := table.Read(&out, func(r table.Record) error {
		if r.Number > 1 {
			cells := append(slices.Clone(r.Cells), make([]string, len(Columns)-len(r.Cells))...)
			for i := range cells {
				cells[i] = table.Plain(cells[i])
			}
			rows = append(rows, cells)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

const sheet = `Email;NAME;employeeNumber;countryCode;mobileNumber;gender;locale;business;designations;joinedOn;leftOn
Budi@acme.test;"Budi ""B""";E-1;62;0811-123789;male;en;jakarta / finance;"Driver; cook";2026-01-05;
siti@acme.test;Siti;E-2;;;;;Bandung;"A\/B\; C\|D";46000;2026-12-31
`

// TestImport creates people, and the second time none.
func TestImport(t *testing.T) {
	f := newFixture(t)
	if r := f.run(sheet, dry); r.Created != 2 || r.Updated != 0 || len(r.Faults) != 0 || len(f.export(t, "csv")) != 0 {
		t.Errorf("dry run: %+v", r)
	}
	if r := f.run(sheet); r.Created != 2 || r.Updated != 0 || len(r.Faults) != 0 {
		t.Fatalf("%+v", r)
	}
	want := [][]string{
		{`Budi "B"`, "Budi@acme.test", "E-1", "62", "0811-123789", "male", "en", "Jakarta / Finance", "Cook | Driver", "2026-01-05", ""},
		{"Siti", "siti@acme.test", "E-2", "", "", "", "id", "Bandung", `A\/B\; C\|D`, "2025-12-09", "2026-12-31"},
	}
	if got := f.export(t, "csv"); !reflect.DeepEqual(got, want) {
		t.Errorf("exported\n%q, want\n%q", got, want)
	}
	budi := f.DB.User.Query().Where(user.EmailKey("budi@acme.test")).WithRoles().OnlyX(f.System())
	if len(budi.Edges.Roles) != 1 || *budi.Edges.Roles[0].Builtin != viewer.Employee || *budi.Phone != "+62811123789" || !budi.CreatedAt.Equal(f.Now()) {
		t.Errorf("created: %v", budi)
	}
	writes := 0
	f.DB.User.Use(func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) { writes++; return next.Mutate(ctx, m) })
	})
	if r := f.run(sheet); r.Created != 0 || r.Updated != 0 || writes != 0 {
		t.Errorf("again: %+v, %d writes", r, writes)
	}
	if n := f.DB.ClockState.Query().CountX(f.System()); n != 2 {
		t.Errorf("%d lock rows, want 2", n)
	}
}

// TestUpdate finds people by address and by number; absent columns are kept, empty cells
// cleared.
func TestUpdate(t *testing.T) {
	f := newFixture(t)
	f.run(sheet)
	r := f.run("employeeNumber,email,gender,designations\nE-1,new@acme.test,,\n,siti@acme.test,female,Cook\n")
	if r.Updated != 2 || len(r.Faults) != 0 {
		t.Fatalf("%+v", r)
	}
	want := [][]string{
		{`Budi "B"`, "new@acme.test", "E-1", "62", "0811-123789", "", "en", "Jakarta / Finance", "", "2026-01-05", ""},
		{"Siti", "siti@acme.test", "", "", "", "female", "id", "Bandung", "Cook", "2025-12-09", "2026-12-31"},
	}
	if got := f.export(t, "xlsx"); !reflect.DeepEqual(got, want) {
		t.Errorf("exported\n%q, want\n%q", got, want)
	}
	f.run("email,countryCode,mobileNumber\nnew@acme.test,,\nsiti@acme.test,62,0811-123780\n")
	if got := f.export(t, "csv"); got[0][4] != "" || got[1][4] != "0811-123780" {
		t.Errorf("numbers: %q", got)
	}
}

func TestFaults(t *testing.T) {
	f := newFixture(t)
	f.User(t, "Known")
	f.Change(t, func(ctx context.Context, db *ent.Client) error {
		other := db.Company.Create().SetName("Other").SetTimezone("Asia/Jakarta").SetLocale("id").SetCreatedAt(f.Now()).SaveX(ctx)
		db.User.Create().SetCompanyID(other.ID).SetName("X").SetEmail("x@other.test").SetEmailKey("x@other.test").SetPhone("+62811123789").
			SetEmployeeNumber("E-9").SetCreatedAt(f.Now()).ExecX(ctx)
		return nil
	})
	tests := []struct {
		name, text string
		want       []string
	}{
		{"no records", "name,email\n", nil},
		{"an empty file", "", []string{"0  empty_file"}},
		{"columns", "name,salary,Name,email\nx,,,\n", []string{"1 name repeated_column", "1 salary unknown_column"}},
		{"nobody is named", "name\nBudi\n", []string{"1 email missing_column"}},
		{"an open quote", "name,email\n\"x,y\n", []string{"2  open_quote"}},
		{"a name that is an error", "name,email\n#N/A,a@x.test\n", []string{"2 name cell_error"}},
		{"a column that is an error", "name,#REF!\nx,y\n", []string{"1 B cell_error"}},
		{"a new person", "email\nbudi@acme.test\n", []string{"2 name required"}},
		{"members", "name,email,gender,locale,joinedOn,leftOn,employeeNumber\n,budi,x,fr,2026-02-30,2026,\nB,b@x.test,,,2026-02-02,2026-02-01," + strings.Repeat("1", 65) + "\n",
			[]string{
				"2 email bad_format", "2 gender not_one_of", "2 joinedOn bad_format", "2 leftOn bad_format", "2 locale not_one_of", "2 name required",
				"3 employeeNumber too_long", "3 leftOn out_of_range",
			}},
		{"numbers", "name,email,countryCode,mobileNumber\nA,a@x.test,,0811\nB,b@x.test,62,\nC,c@x.test,x,0811\nD,d@x.test,62,1\n",
			[]string{"2 mobileNumber needs", "3 countryCode needs", "4 countryCode bad_format", "5 mobileNumber bad_format"}},
		{"places", "name,email,business,designations\nA,a@x.test,Surabaya,Cook\nB,b@x.test,Finance,Pilot | Cook\nC,c@x.test,Jakarta/Finance,\n",
			[]string{"2 business unknown", "3 business ambiguous", "3 designations unknown"}},
		{"another company's", "name,email,countryCode,mobileNumber,employeeNumber\nA,X@other.test,62,811123789,E-9\n",
			[]string{"2 email already_taken", "2 mobileNumber already_taken"}},
		{"twice", "name,email,employeeNumber\nA,a@x.test,1\nB,A@x.test,2\nC,c@x.test,1\n", []string{"3 email already_taken", "4 employeeNumber already_taken"}},
	}
	for _, tt := range tests {
		r := f.run(tt.text)
		if got := faults(r); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	if n := len(f.export(t, "csv")); n != 1 {
		t.Errorf("%d people, want the known one", n)
	}
	text := "name,email\nA,a@x.test\n,b@x.test\nC,c@x.test\n"
	if r := f.run(text, partial); r.Created != 2 || len(r.Faults) != 1 {
		t.Errorf("in part: %+v", r)
	}
	if r := f.run("email\n" + strings.Repeat("x\n", maxFaults+1)); len(r.Faults) != maxFaults || r.More != maxFaults+2 {
		t.Errorf("%d faults, %d more", len(r.Faults), r.More)
	}
}

// TestLateConflict has somebody take an address between the look for faults and the
// write: all rows or none, and in part the others.
func TestLateConflict(t *testing.T) {
	for _, change := range []func(*Options){func(*Options) {}, partial} {
		f := newFixture(t)
		first := true
		f.DB.User.Use(func(next ent.Mutator) ent.Mutator {
			return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
				if first {
					first = false
					u := m.(*ent.UserMutation)
					err := u.Client().User.Create().SetCompanyID(f.Company.ID).SetName("Late").SetEmail("b@x.test").SetEmailKey("b@x.test").SetCreatedAt(f.Now()).Exec(ctx)
					if err != nil {
						return nil, err
					}
				}
				return next.Mutate(ctx, m)
			})
		})
		r := f.run("name,email\nA,a@x.test\nB,b@x.test\n", change)
		if n := len(f.export(t, "csv")); n != 2 || len(r.Faults) != 0 {
			t.Errorf("%d people, %+v", n, r)
		}
	}
}

// TestChangedMeanwhile has somebody else write between the look at the rows and their
// import: a colleague, whom the directory's version tells of, and somebody of another
// company, whom a unique key does.
func TestChangedMeanwhile(t *testing.T) {
	const text = "name,email,countryCode,mobileNumber\nAda,a@x.test,62,811123789\nBudi,b@x.test,,\nKim,kim@acme.test,,\n"
	for _, tt := range []struct {
		name   string
		change func(context.Context, *ent.UserCreate, *ent.Client)
		want   string
		people int // of the company, afterwards
	}{
		{"nobody", nil, "2 1 []", 3},
		{"a colleague was renamed", func(ctx context.Context, _ *ent.UserCreate, db *ent.Client) {
			db.User.Update().Where(user.EmailKey("kim@acme.test")).SetName("Kim").ExecX(ctx)
		}, "2 0 []", 3},
		{"a colleague has the address", func(ctx context.Context, u *ent.UserCreate, _ *ent.Client) {
			u.SetEmail("b@x.test").SetEmailKey("b@x.test").ExecX(ctx)
		}, "1 2 []", 3},
		{"a colleague has the phone", func(ctx context.Context, u *ent.UserCreate, _ *ent.Client) {
			u.SetEmail("c@x.test").SetEmailKey("c@x.test").SetPhone("+62811123789").ExecX(ctx)
		}, "1 1 [2 mobileNumber already_taken]", 2},
		{"another company's has the phone", func(ctx context.Context, u *ent.UserCreate, db *ent.Client) {
			other := db.Company.Create().SetName("Other").SetTimezone("Asia/Jakarta").SetLocale("id").SetCreatedAt(apptest.Now).SaveX(ctx)
			u.SetCompanyID(other.ID).SetEmail("c@x.test").SetEmailKey("c@x.test").SetPhone("+62811123789").ExecX(ctx)
		}, "1 1 [2 mobileNumber already_taken]", 1},
	} {
		f := newFixture(t)
		kim := f.User(t, "Kim")
		f.Change(t, func(ctx context.Context, db *ent.Client) error {
			return db.User.UpdateOneID(kim.ID).SetName("Old").Exec(ctx)
		})
		r := f.run(text, func(o *Options) {
			o.Progress = func(done, total int) {
				if tt.change == nil || done != total/2 {
					return
				}
				f.Change(t, func(ctx context.Context, db *ent.Client) error {
					tt.change(ctx, db.User.Create().SetCompanyID(f.Company.ID).SetName("Late").SetCreatedAt(f.Now()), db)
					return nil
				})
			}
		})
		if got := fmt.Sprint(r.Created, r.Updated, faults(r)); got != tt.want || len(f.export(t, "csv")) != tt.people {
			t.Errorf("%s: %s with %d people, want %s with %d", tt.name, got, len(f.export(t, "csv")), tt.want, tt.people)
		}
	}
}

// TestInvite invites a hundred people without a password a minute, each once, though the first job
// fails after its commit.
func TestInvite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.User(t, "Known")
		text := "name,email\nKnown,known@acme.test\n"
		for i := range 150 {
			text += fmt.Sprintf("User %d,u%d@x.test\n", i, i)
		}
		if f.run(text[:50]); f.DB.Job.Query().Where(entJob.Kind(invitations)).CountX(f.System()) != 0 {
			t.Error("invitations without being asked")
		}
		f.run(text, invite)
		n := notify.New(sealed.NewSealer("messages", sealed.Key{}))
		n.DB, n.Log, n.Now = f.DB, slog.New(slog.DiscardHandler), f.Now
		kind, runs := Invitations(n), 0
		r := job.New(job.Kind{Name: kind.Name, Run: func(ctx context.Context, r *job.Run) error {
			err := kind.Run(ctx, r)
			if runs++; err == nil && runs == 1 {
				err = errors.New("died")
			}
			return err
		}})
		r.DB, r.Now, r.Log = f.DB, f.Now, n.Log
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { r.Run(ctx) })
		synctest.Wait()
		if n := f.DB.Message.Query().CountX(f.System()); n != 100 {
			t.Errorf("%d invitations at once, want 100", n)
		}
		f.Advance(time.Minute)
		time.Sleep(time.Second)
		synctest.Wait()
		stop()
		running.Wait()
		if n, done := f.DB.Message.Query().CountX(f.System()), f.DB.Job.Query().Where(entJob.StateEQ(entJob.StateDone)).CountX(f.System()); n != 151 || done != 2 {
			t.Errorf("%d invitations by %d jobs, want 151 by 2", n, done)
		}
	})
}

// TestInviteRate invites the people of a second import after those of the first.
func TestInviteRate(t *testing.T) {
	f := newFixture(t)
	f.run(many(150, "Person", "", ""), invite)
	f.run("name,email\nBudi,budi@x.test\n", invite)
	var minutes []float64
	for _, j := range f.DB.Job.Query().Where(entJob.Kind(invitations)).Order(ent.Asc(entJob.FieldID)).AllX(f.System()) {
		minutes = append(minutes, j.RunAt.Sub(f.Now()).Minutes())
	}
	if want := []float64{0, 1, 2}; !slices.Equal(minutes, want) {
		t.Errorf("invitations in %v minutes, want %v", minutes, want)
	}
}

// TestRoundTrip reads back what was exported, whatever the names.
func TestRoundTrip(t *testing.T) {
	f := newFixture(t)
	serial := 0
	rapid.Check(t, func(t *rapid.T) {
		serial++
		name := rapid.StringMatching(`[=+@'"-]{0,2}[A-Za-z"',;|/\\世é]{1,8}`).Draw(t, "name")
		number := rapid.StringMatching(`[=+@'-]{0,2}[0-9a-z]{0,6}`).Draw(t, "number")
		if number != "" {
			number = fmt.Sprint(number, "#", serial)
		}
		id := 0
		email := fmt.Sprintf("u%d@x.test", serial)
		err := f.Try(f.System(), func(ctx context.Context, db *ent.Client) error {
			_, err := db.User.Delete().Exec(ctx)
			if err != nil {
				return err
			}
			c := db.User.Create().SetCompanyID(f.Company.ID).SetName(name).SetEmail(email).SetEmailKey(email).SetCreatedAt(f.Now())
			if number != "" {
				c.SetEmployeeNumber(number)
			}
			u, err := c.Save(ctx)
			if err == nil {
				id = u.ID
			}
			return err
		})
		if err != nil || id == 0 {
			t.Fatal(err)
		}
		for _, format := range []string{"csv", "xlsx"} {
			before := f.export(t, format)
			var out bytes.Buffer
			if err := f.service.Export(f.System(), &out, format, f.Company.ID); err != nil {
				t.Fatal(err)
			}
			r, err := f.service.Import(f.System(), &out, Options{Company: f.Company.ID})
			if err != nil || r.Created != 0 || r.Updated != 0 || len(r.Faults) != 0 {
				t.Fatalf("%s: %+v, %v", format, r, err)
			}
			if after := f.export(t, format); !reflect.DeepEqual(after, before) {
				t.Fatalf("%s: %q, then %q", format, before, after)
			}
		}
	})
}

// TestFormulas exports no cell that a spreadsheet takes for a formula.
func TestFormulas(t *testing.T) {
	f := newFixture(t)
	f.User(t, "=1+1")
	var out bytes.Buffer
	if err := f.service.Export(f.System(), &out, "csv", f.Company.ID); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "\n'=1+1,'=1+1@acme.test,") {
		t.Errorf("exported %q", out.String())
	}
}

// TestTemplate has an import read the template's columns.
func TestTemplate(t *testing.T) {
	f := newFixture(t)
	for _, format := range []string{"csv", "xlsx"} {
		var out bytes.Buffer
		if err := Template(&out, format, apptest.Now); err != nil {
			t.Fatal(err)
		}
		r, err := f.service.Import(f.System(), io.Reader(&out), Options{Company: f.Company.ID, DryRun: true})
		if want := []string{"2 designations unknown"}; err != nil || !slices.Equal(faults(r), want) {
			t.Errorf("%s: %q, %v; want %q", format, faults(r), err, want)
		}
	}
}

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }

// TestDatabases imports and updates people on both databases.
func TestDatabases(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db, err := database.Open(url, nil)
		if err == nil {
			err = migration.Up(t.Context(), db)
		}
		if err != nil {
			t.Fatal(err)
		}
		client := ent.NewClient(ent.Driver(db.Driver()))
		defer client.Close()
		now := func() time.Time { return apptest.Now }
		ctx := viewer.System(t.Context())
		var id int
		err = tx.Run(ctx, client, func(ctx context.Context) error {
			c, err := organization.CreateCompany(ctx, ent.FromContext(ctx), now(), "Acme", "Asia/Jakarta", "id")
			if err == nil {
				id = c.ID
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		plans := &scheduling.Planner{Now: now, Jobs: job.New(Invitations(nil))}
		for _, k := range plans.Kinds() {
			plans.Jobs.Add(k)
		}
		plans.Jobs.Now = now
		s := &Service{DB: client, Now: now, Jobs: plans.Jobs, Plans: plans, Audit: &audit.Recorder{DB: client, Now: now}}
		for _, want := range []Result{{Created: 2}, {Updated: 1}} {
			text := fmt.Sprintf("name,email,employeeNumber,countryCode,mobileNumber\nBudi %d,b@x.test,1,62,811123789\nSiti,s@x.test,2,,\n", want.Updated)
			if r, err := s.Import(ctx, strings.NewReader(text), Options{Company: id, Invite: true}); err != nil || r.Created != want.Created || r.Updated != want.Updated || len(r.Faults) != 0 {
				t.Errorf("%+v, %v; want %+v", r, err, want)
			}
		}
		if n := client.User.Query().Where(user.Name("Budi 1")).CountX(ctx); n != 1 {
			t.Errorf("%d people were updated, want 1", n)
		}
		if n := client.Job.Query().Where(entJob.Kind(invitations)).CountX(ctx); n != 1 {
			t.Errorf("%d jobs invite people, want 1", n)
		}
	})
}

// TestFaultOrder lists the faults of a row from left to right, those of columns that the
// table lacks last.
func TestFaultOrder(t *testing.T) {
	f := newFixture(t)
	r := f.run("leftOn,designations,gender,countryCode,email,locale,joinedOn\nx,x,x,x,x,x,x\nx,,,,y@acme.test,,\n")
	var got []string
	for _, fault := range r.Faults {
		got = append(got, fmt.Sprint(fault.Row, fault.Column))
	}
	if want := strings.Fields("2leftOn 2designations 2gender 2countryCode 2email 2locale 2joinedOn 2name 3leftOn 3name"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestOperatorKeepsOwner has the operator give the only owner a last day.
func TestOperatorKeepsOwner(t *testing.T) {
	f := newFixture(t)
	ann := f.User(t, "ann", viewer.Owner)
	text := "email,leftOn\n" + ann.Email + ",2026-01-01\n"
	for _, o := range []Options{{}, {DryRun: true}, {Partial: true}} {
		o.Company = f.Company.ID
		r, err := f.service.Import(f.System(), strings.NewReader(text+"ben@acme.test,\n"), o)
		if err != nil || !slices.Equal(faults(r), []string{"2 leftOn ", "3 name required"}) {
			t.Errorf("%+v: %+v, %v", o, r, err)
		}
	}
	f.User(t, "eve", viewer.Owner)
	if r, err := f.service.Import(f.System(), strings.NewReader(text), Options{Company: f.Company.ID}); err != nil || r.Updated != 1 {
		t.Errorf("with another owner: %+v, %v", r, err)
	}
}

// TestBesideHeader refuses cells to the right of the header, which would be lost.
func TestBesideHeader(t *testing.T) {
	f := newFixture(t)
	for text, want := range map[string]string{
		"name,email\nBudi,budi@x.test,E-1\nSiti,siti@x.test,,x, ,y\n": "[2 C outside_header 3 D outside_header]",
		"name,email\nBudi,budi@x.test, ,\n":                           "[]",
	} {
		if got := fmt.Sprint(faults(f.run(text, dry))); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestInviteAgain invites people again who have no password, unless an invitation of theirs waits,
// in a job or as a message.
func TestInviteAgain(t *testing.T) {
	f := newFixture(t)
	const text = "name,email,leftOn\nA,a@x.test,\nB,b@x.test,\nC,c@x.test,\nD,d@x.test,2026-03-09\nE,e@x.test,\n"
	n := notify.New(sealed.NewSealer("messages", sealed.Key{}))
	n.DB, n.Log, n.Now = f.DB, slog.New(slog.DiscardHandler), f.Now
	r := job.New(Invitations(n))
	r.DB, r.Now, r.Log = f.DB, f.Now, n.Log
	invited := func(want int, change ...func(*Options)) {
		t.Helper()
		if got := f.run(text, change...).Invited; got != want {
			t.Errorf("%d people are invited, want %d", got, want)
		}
	}
	messages := func(want int) {
		t.Helper()
		ctx, stop := context.WithTimeout(f.System(), 10*time.Second)
		defer stop()
		go r.Run(ctx)
		for f.DB.Job.Query().Where(entJob.Kind(invitations), entJob.FinishedAtIsNil()).CountX(ctx) > 0 {
			time.Sleep(time.Millisecond)
		}
		if got := f.DB.Message.Query().CountX(ctx); got != want {
			t.Errorf("%d messages, want %d", got, want)
		}
	}
	invited(0)
	invited(4, invite)
	invited(0, invite) // the job waits
	f.Change(t, func(ctx context.Context, db *ent.Client) error {
		return errors.Join(db.User.Update().Where(user.Email("b@x.test")).SetPasswordHash("x").Exec(ctx),
			db.User.Update().Where(user.Email("e@x.test")).SetActive(false).Exec(ctx))
	})
	messages(2)
	invited(0, invite, dry)
	invited(2, invite)
	messages(2) // the messages wait
	f.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.Message.Update().SetStatus(entMessage.StatusFailed).Exec(ctx)
	})
	f.Advance(time.Hour)
	invited(2, invite)
	messages(4)
}

// TestNobodyLeftInvited invites nobody whose last day is past.
func TestNobodyLeftInvited(t *testing.T) {
	f := newFixture(t)
	f.run("name,email,leftOn\nA,a@x.test,2026-03-10\nB,b@x.test,2026-03-11\nC,c@x.test,\n", invite)
	var p invitation
	if err := json.Unmarshal([]byte(*f.DB.Job.Query().Where(entJob.Kind(invitations)).OnlyX(f.System()).Payload), &p); err != nil {
		t.Fatal(err)
	}
	if len(p.Users) != 2 {
		t.Errorf("%d people are invited, want 2", len(p.Users))
	}
}

// chained returns a chain of nodes, each below the one before it.
func chained(n int, name func(level int) string) []tree.Node {
	nodes := []tree.Node{{ID: 1, Name: name(1)}}
	for id := 2; id <= n; id++ {
		nodes = append(nodes, tree.Node{ID: id, Parent: new(id - 1), Name: name(id)})
	}
	return nodes
}

// TestLongPaths writes a path of more than 200 bytes as its shortest end that no other path
// has, which names the same node.
func TestLongPaths(t *testing.T) {
	below := func(id, parent int, name string) tree.Node { return tree.Node{ID: id, Parent: &parent, Name: name} }
	x := strings.Repeat("x", 100)
	n := newNames([]tree.Node{
		{ID: 1, Name: "Jakarta"}, below(2, 1, x+"1"), below(3, 2, x+"2"), below(4, 3, "Finance"), below(5, 4, "Tax"),
		{ID: 11, Name: "Bandung"}, below(12, 11, x+"1"), below(13, 12, x+"2"), below(14, 13, "Finance"), below(15, 14, "Audit / Tax"),
		{ID: 21, Name: "finance"}, {ID: 22, Name: x + x + x},
	})
	for id, want := range map[int]string{
		0: "", 99: "", 1: "Jakarta", 2: "Jakarta / " + x + "1", 3: "Jakarta / " + x + "1 / " + x + "2", 4: "Jakarta / " + x + "1 / " + x + "2 / Finance", 5: "Tax",
		12: "Bandung / " + x + "1", 14: "Bandung / " + x + "1 / " + x + "2 / Finance", 15: `Audit \/ Tax`, 21: "finance", 22: x + x + x,
	} {
		if got := n.path(id); got != want {
			t.Errorf("path of %d: %q, want %q", id, got, want)
		}
	}
	for cell, want := range map[string]string{
		"FINANCE": "21", "Finance / Tax": "5", "Tax": "5", x + "2 / finance": "ambiguous", "bandung / " + x + "1": "12", x + "1": "ambiguous",
		"Jakarta / Tax": "unknown", "": "unknown", "/": "unknown", "Jakarta / Jakarta": "unknown", `audit \/ tax`: "15", "Audit / Tax": "unknown",
	} {
		id, reason := n.find(cell)
		if got := cmp.Or(string(reason), strconv.Itoa(id)); got != want {
			t.Errorf("%q names %s, want %s", cell, got, want)
		}
	}
}

// TestDeepPaths writes the paths of 10,000 businesses in a chain and reads them again. All
// of them in full would be 5 GB.
func TestDeepPaths(t *testing.T) {
	const levels = 10_000
	long := strings.Repeat("x", 90)
	for about, name := range map[string]func(int) string{
		"names of their own": func(level int) string { return fmt.Sprint(long, level) },
		"alternating names":  func(level int) string { return fmt.Sprint(long, level%2) },
	} {
		nodes := chained(levels, name)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		n := newNames(nodes)
		asked := levels
		if about == "alternating names" { // whose ends are all of their paths
			asked = 30
		}
		for id := 1; id <= asked; id++ {
			if got, reason := n.find(n.path(id)); got != id {
				t.Fatalf("%s: the path of %d is that of %d, %s", about, id, got, reason)
			}
		}
		took := time.Since(start)
		runtime.ReadMemStats(&after)
		if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 64<<20 || took > 10*time.Second {
			t.Errorf("%s: %d MiB and %v", about, allocated>>20, took)
		}
	}
}

// TestPathsOfAnyTree writes and reads the paths of random trees, most of them in short.
func TestPathsOfAnyTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(1, 40).Draw(t, "nodes")
		var nodes []tree.Node
		taken := map[string]bool{}
		for id := 1; id <= count; id++ {
			at := tree.Node{ID: id, Name: strings.Repeat(rapid.SampledFrom([]string{"a", "B", "/", "c|"}).Draw(t, "name"), rapid.SampledFrom([]int{1, 80}).Draw(t, "length"))}
			if parent := rapid.IntRange(0, id-1).Draw(t, "parent"); parent > 0 {
				at.Parent = &parent
			}
			key := fmt.Sprint(input.Value(at.Parent), " ", at.Name)
			if !taken[key] {
				taken[key] = true
				nodes = append(nodes, at)
			}
		}
		n := newNames(nodes)
		for id := range n.byID {
			if got, reason := n.find(n.path(id)); got != id {
				t.Fatalf("%q is the path of %d and of %d, %s", n.path(id), id, got, reason)
			}
		}
	})
}

// TestFaultyRowClaimsNothing imports a correct row after a faulty one with the same address
// and number.
func TestFaultyRowClaimsNothing(t *testing.T) {
	const table = "name,email,employeeNumber,joinedOn,countryCode,mobileNumber\n" +
		"Budi,budi@acme.test,E-1,yesterday,62,811111111\nBudi,budi@acme.test,E-1,2026-03-10,62,811111111\nSiti,budi@acme.test,E-2,,,\n"
	for _, tt := range []struct {
		name    string
		change  []func(*Options)
		created int
		faults  []string
	}{
		{"partial", []func(*Options){partial}, 1, []string{"2 joinedOn bad_format", "4 email already_taken"}},
		{"a dry run of it", []func(*Options){partial, dry}, 1, []string{"2 joinedOn bad_format", "4 email already_taken"}},
		{"all or nothing", nil, 0, []string{"2 joinedOn bad_format", "3 email already_taken", "3 employeeNumber already_taken", "3 mobileNumber already_taken", "4 email already_taken"}},
	} {
		f := newFixture(t)
		r := f.run(table, tt.change...)
		if got := faults(r); r.Created != tt.created || !slices.Equal(got, tt.faults) {
			t.Errorf("%s: %d created, want %d; faults %q, want %q", tt.name, r.Created, tt.created, got, tt.faults)
		}
	}
}
