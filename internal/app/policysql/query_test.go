package policysql

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	entgo "entgo.io/ent"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/privacy"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/clockstate"
	"workforce/ent/company"
	"workforce/ent/ratelog"
	"workforce/ent/user"
	"workforce/internal/app/apptest"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }

func TestOptional(t *testing.T) {
	at := apptest.Now
	n, text, when, f, yes := 7, "before", at, 1.5, true
	for _, tt := range []struct {
		name      string
		scan      func(any) error
		from      any
		got, want func() any
	}{
		{"null int", Optional(&n).Scan, nil, func() any { return n }, func() any { return 7 }},
		{"int", Optional(&n).Scan, int64(8), func() any { return n }, func() any { return 8 }},
		{"int of text", Optional(&n).Scan, []byte("9"), func() any { return n }, func() any { return 9 }},
		{"null text", Optional(&text).Scan, nil, func() any { return text }, func() any { return "before" }},
		{"bytes", Optional(&text).Scan, []byte("after"), func() any { return text }, func() any { return "after" }},
		{"text", Optional(&text).Scan, "then", func() any { return text }, func() any { return "then" }},
		{"null time", Optional(&when).Scan, nil, func() any { return when }, func() any { return at }},
		{"time", Optional(&when).Scan, at.Add(time.Hour), func() any { return when }, func() any { return at.Add(time.Hour) }},
		{"float", Optional(&f).Scan, 2.5, func() any { return f }, func() any { return 2.5 }},
		{"null bool", Optional(&yes).Scan, nil, func() any { return yes }, func() any { return true }},
	} {
		if err := tt.scan(tt.from); err != nil || tt.got() != tt.want() {
			t.Errorf("%s: %v, %v; want %v", tt.name, tt.got(), err, tt.want())
		}
	}
	if err := Optional(&n).Scan("x"); err == nil {
		t.Error("text that is no number was read")
	}
}

func TestNullable(t *testing.T) {
	old := 7
	n := &old
	if err := Nullable(&n).Scan(int64(8)); err != nil || n == nil || *n != 8 || old != 7 {
		t.Errorf("got %v, %v; want 8 at another place", n, err)
	}
	if err := Nullable(&n).Scan(nil); err != nil || n != nil {
		t.Errorf("null: %v, %v", n, err)
	}
}

func TestColumns(t *testing.T) {
	var a, b, c int
	one, two := Columns{Read("a", &a), Read("b", &b)}, Columns{Read("c", &c)}
	if got := one.Of("x"); got != "x.a, x.b" {
		t.Errorf("Of = %q", got)
	}
	if got := Into(one, two); !slices.Equal(got, []any{&a, &b, &c}) {
		t.Errorf("Into = %v", got)
	}
}

// names returns the names of the users whom the viewer of ctx sees.
func names(ctx context.Context, policy entgo.Policy, table, column string) (names []string, err error) {
	q := New(ctx)
	q.Add("SELECT x." + column + " FROM " + table + " AS x WHERE ")
	q.WherePolicy(policy, table, "x")
	q.Add(" AND x.id > ? ORDER BY x.id", 0)
	err = q.Each(func(scan Scan) error {
		var name string
		defer func() { names = append(names, name) }()
		return scan(Optional(&name))
	})
	return names, err
}

// TestPolicies reads tables as viewers of each kind: what they see through ent,
// they see here.
func TestPolicies(t *testing.T) {
	w := apptest.New(t)
	budi, siti := w.User(t, "Budi"), w.User(t, "Siti")
	var other *ent.Company
	w.Change(t, func(ctx context.Context, db *ent.Client) (err error) {
		other, err = db.Company.Create().SetName("Other").SetTimezone("Asia/Jakarta").SetLocale("id").SetCreatedAt(apptest.Now).Save(ctx)
		if err != nil {
			return err
		}
		return db.User.Create().SetCompanyID(other.ID).SetName("Tono").SetEmail("t@other.test").SetEmailKey("t@other.test").SetCreatedAt(apptest.Now).Exec(ctx)
	})
	tests := []struct {
		name  string
		ctx   context.Context
		users []string
		own   []string // rows about one user
	}{
		{"employee", w.As(budi, viewer.Employee), []string{"Budi", "Siti"}, []string{fmt.Sprint(budi.ID)}},
		{"owner", w.As(siti, "owner"), []string{"Budi", "Siti"}, []string{fmt.Sprint(siti.ID)}},
		{"system", w.System(), []string{"Budi", "Siti", "Tono"}, []string{fmt.Sprint(budi.ID), fmt.Sprint(siti.ID)}},
	}
	for _, tt := range tests {
		if got, err := names(tt.ctx, user.Policy, user.Table, user.FieldName); err != nil || !slices.Equal(got, tt.users) {
			t.Errorf("%s sees users %q, %v; want %q", tt.name, got, err, tt.users)
		}
		if got, err := names(tt.ctx, clockstate.Policy, clockstate.Table, clockstate.FieldUserID); err != nil || !slices.Equal(got, tt.own) {
			t.Errorf("%s sees the states of %q, %v; want %q", tt.name, got, err, tt.own)
		}
	}
}

// TestDenied runs no statement when a policy fails.
func TestDenied(t *testing.T) {
	w := apptest.New(t)
	ctx := ent.NewContext(t.Context(), w.DB) // of nobody
	q := New(ctx)
	q.Add("no SQL ")
	q.WherePolicy(company.Policy, company.Table, "x")
	q.WherePolicy(user.Policy, user.Table, "y")
	err := q.Each(func(Scan) error { t.Error("a row was read"); return nil })
	if !errors.Is(err, privacy.Deny) {
		t.Errorf("got %v, want the policy's denial", err)
	}
}

// unrestricted is a policy that adds no condition.
type unrestricted struct{ entgo.Policy }

func (unrestricted) EvalQuery(context.Context, entgo.Query) error { return nil }

// either is a policy of two conditions, one of which holds "or".
type either struct{ entgo.Policy }

func (either) EvalQuery(_ context.Context, q entgo.Query) error {
	q.(interface{ WhereP(...func(*sql.Selector)) }).WhereP(func(s *sql.Selector) {
		s.Where(sql.Or(sql.EQ(s.C("name"), "Budi"), sql.EQ(s.C("name"), "Siti")))
	})
	return nil
}

// TestConditions keeps the condition of a policy apart from the rest of the
// statement.
func TestConditions(t *testing.T) {
	w := apptest.New(t)
	w.User(t, "Budi")
	w.User(t, "Siti")
	last := w.User(t, "Tono").ID
	got, err := names(w.System(), unrestricted{}, user.Table, user.FieldName)
	if err != nil || len(got) != 3 {
		t.Errorf("without a condition: %q, %v; want all 3", got, err)
	}
	q := New(w.System())
	q.Add("SELECT x.name FROM "+user.Table+" AS x WHERE x.id >= ? AND ", last)
	q.WherePolicy(either{}, user.Table, "x")
	if err := q.Each(func(Scan) error { t.Error("a condition of the policy stands by itself"); return nil }); err != nil {
		t.Error(err)
	}
}

// TestEach stops at the first error of read.
func TestEach(t *testing.T) {
	w := apptest.New(t)
	w.User(t, "Budi")
	w.User(t, "Siti")
	stop, n := errors.New("stop"), 0
	q := New(w.System())
	q.Add("SELECT id FROM " + user.Table)
	if err := q.Each(func(Scan) error { n++; return stop }); !errors.Is(err, stop) || n != 1 {
		t.Errorf("%v after %d rows, want the first's", err, n)
	}
	ctx, cancel := context.WithCancel(w.System())
	long := New(ctx)
	long.Add("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000000) SELECT i FROM n")
	if err := long.Each(func(Scan) error { cancel(); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v when nobody waits any more", err)
	}
	bad := New(w.System())
	bad.Add("SELECT no_such_column FROM " + ratelog.Table)
	if err := bad.Each(func(Scan) error { return nil }); err == nil {
		t.Error("a malformed statement ran")
	}
}

func TestIgnoreNotFound(t *testing.T) {
	w := apptest.New(t)
	_, missing := w.DB.User.Get(w.System(), 999)
	other := errors.New("other")
	if err := IgnoreNotFound(missing); missing == nil || err != nil {
		t.Errorf("%v became %v, want nil", missing, err)
	}
	if err := IgnoreNotFound(other); !errors.Is(err, other) {
		t.Errorf("got %v, want it unchanged", err)
	}
	if err := IgnoreNotFound(nil); err != nil {
		t.Error(err)
	}
}

// TestManyBusinesses reads within the team of somebody who manages 1,000 businesses.
func TestManyBusinesses(t *testing.T) {
	w := apptest.New(t)
	budi := w.User(t, "Budi")
	managed := make([]int, 1000)
	for i := range managed {
		managed[i] = i + 1
	}
	if got, err := names(w.As(budi, viewer.Manager, managed...), entAttendance.Policy, entAttendance.Table, entAttendance.FieldID); err != nil || len(got) > 0 {
		t.Errorf("attendances %q, %v", got, err)
	}
}

// TestIn selects by no, one and many ids.
func TestIn(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		w := apptest.On(t, url)
		var ids []int
		for _, name := range []string{"Budi", "Siti", "Tono", "Wati"} {
			ids = append(ids, w.User(t, name).ID)
		}
		for n, want := range []int{0, 1, 2, 3} {
			q := New(ent.NewContext(w.System(), w.DB))
			q.Add("SELECT id FROM users WHERE ")
			q.In("id", ids[:n])
			q.Add(" AND name <> ? ORDER BY id", "Wati")
			var got []int
			err := q.Each(func(scan Scan) error {
				got = append(got, 0)
				return scan(&got[len(got)-1])
			})
			if err != nil || len(got) != want || !slices.Equal(got, ids[:want]) {
				t.Errorf("of %d ids: %v, %v", n, got, err)
			}
		}
	})
}
