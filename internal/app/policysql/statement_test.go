package policysql

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/privacy"

	"workforce/ent"
	"workforce/ent/user"
	"workforce/internal/app/apptest"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// TestParse puts arguments, lists and policies where the marks are.
func TestParse(t *testing.T) {
	w := apptest.New(t)
	s := Parse("SELECT x.id FROM users x WHERE x.id = :id AND policy(x) AND (x.id > :after OR x.id = :id) AND in(x.id, :ids) AND MIN(x.id)")
	args, policies := Args{"id": 7, "after": "2026", "ids": []int{4, 5}}, Policies{"x": {Policy: either{}, Table: user.Table}}
	q, err := s.query(w.System(), args, policies)
	if err != nil {
		t.Fatal(err)
	}
	text := q.text.String()
	want := "SELECT x.id FROM users x WHERE x.id = ? AND (`x`.`name` = ? OR `x`.`name` = ?) AND (x.id > ? OR x.id = ?) AND x.id IN (4,5) AND MIN(x.id)"
	if text = strings.ReplaceAll(text, "((", "("); strings.ReplaceAll(text, "))", ")") != want || fmt.Sprint(q.args) != "[7 Budi Siti 2026 7]" {
		t.Errorf("got %s\n%v, want %s", text, q.args, want)
	}
	for name, tt := range map[string]struct {
		args     Args
		policies Policies
	}{
		"no argument": {Args{"id": 7, "ids": []int{}}, policies},
		"no policy":   {args, nil},
		"no list":     {Args{"id": 7, "after": 1, "ids": 4}, policies},
	} {
		if _, err := s.query(w.System(), tt.args, tt.policies); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// kind is a type of text.
type kind string

type times struct {
	Set    time.Time  `sql:"set"`
	Null   time.Time  `sql:"null"`
	Absent *time.Time `sql:"absent"`
}

// every is a row with every type of field.
type every struct {
	Int   int      `sql:"int"`
	Bool  bool     `sql:"bool"`
	Float float64  `sql:"float"`
	Text  kind     `sql:"text"`
	List  []string `sql:"list"`
	Map   struct {
		A int `json:"a"`
	} `sql:"map"`
	PointedInt  *int     `sql:"pointed_int"`
	PointedBool *bool    `sql:"pointed_bool"`
	PointedText *string  `sql:"pointed_text"`
	Pointed     *float64 `sql:"pointed_float"`
	Times       times    `sql:"times_"`
	embedded
}

type embedded struct {
	Name string `sql:"name"`
}

// TestSelect reads a row of values and one of nulls, by name, on both databases.
func TestSelect(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		w := apptest.On(t, url)
		u := w.User(t, "Budi")
		ctx := ent.NewContext(w.System(), w.DB)
		s := Parse("SELECT u.name, u.created_at AS times_set, CASE WHEN :null THEN u.created_at END AS times_null, CASE WHEN :null THEN u.created_at END AS times_absent," +
			" CASE WHEN :set THEN u.id END AS `int`, CASE WHEN :set THEN u.active END AS `bool`, CASE WHEN :set THEN 1.5 END AS `float`," +
			" CASE WHEN :set THEN 'kind' END AS `text`, CASE WHEN :set THEN '[\"a\"]' END AS `list`, CASE WHEN :set THEN '{\"a\": 3}' END AS `map`," +
			" CASE WHEN :set THEN u.id END AS pointed_int, CASE WHEN :set THEN u.active END AS pointed_bool, CASE WHEN :set THEN u.name END AS pointed_text," +
			" CASE WHEN :set THEN 1.5 END AS pointed_float FROM users u WHERE u.id = :id")
		for _, set := range []bool{true, false} {
			list, err := Select[every](ctx, s, Args{"id": u.ID, "set": set, "null": false}, nil)
			if err != nil || len(list) != 1 {
				t.Fatal(list, err)
			}
			r := list[0]
			if r.Name != "Budi" || !r.Times.Set.Equal(apptest.Now) || !r.Times.Null.IsZero() || r.Times.Absent != nil {
				t.Errorf("got %+v", r)
			}
			got := fmt.Sprintln(r.Int == u.ID, r.Bool, r.Float, r.Text, r.List, r.Map,
				r.PointedInt != nil, r.PointedBool != nil, r.PointedText != nil, r.Pointed != nil)
			want := map[bool]string{
				true: "true true 1.5 kind [a] {3} true true true true\n", false: "false false 0  [] {0} false false false false\n",
			}[set]
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		}
	})
}

// TestRowsAreApart reads rows of which each has its own list, and the second has none.
func TestRowsAreApart(t *testing.T) {
	type row struct {
		List []int `sql:"list"`
	}
	ctx := apptest.New(t).System()
	list, err := Select[row](ctx, Parse("SELECT '[1,2]' AS list UNION ALL SELECT NULL UNION ALL SELECT '[3]'"), nil, nil)
	if err != nil || fmt.Sprint(list) != "[{[1 2]} {[]} {[3]}]" {
		t.Errorf("got %v %v", list, err)
	}
}

// TestSelectFails refuses rows that do not fit, and returns the errors of the database, of policies and
// of read.
func TestSelectFails(t *testing.T) {
	type row struct {
		ID int `sql:"id"`
	}
	w := apptest.New(t)
	w.User(t, "Budi")
	w.User(t, "Siti")
	for _, text := range []string{
		"SELECT id, name FROM users", "SELECT name FROM users", "SELECT no_such_column AS id FROM users", "SELECT 'x' AS id FROM users",
	} {
		if list, err := Select[row](w.System(), Parse(text), nil, nil); err == nil {
			t.Errorf("%s: %v", text, list)
		}
	}
	type pair struct {
		row
		Name string `sql:"name"`
	}
	if list, err := Select[pair](w.System(), Parse("SELECT id FROM users"), nil, nil); err == nil {
		t.Errorf("a field without a column: %v", list)
	}
	nobody := ent.NewContext(t.Context(), w.DB)
	_, err := Select[row](nobody, Parse("no SQL policy(x)"), nil, Policies{"x": {Policy: user.Policy, Table: user.Table}})
	if !errors.Is(err, privacy.Deny) {
		t.Errorf("got %v, want the policy's denial", err)
	}
	stop, n := errors.New("stop"), 0
	err = SelectEach(w.System(), Parse("SELECT id FROM users"), nil, nil, func(*row) error { n++; return stop })
	if !errors.Is(err, stop) || n != 1 {
		t.Errorf("%v after %d rows, want the first's", err, n)
	}
}

// TestSelectWithinPolicy reads what the viewer sees, as ent does.
func TestSelectWithinPolicy(t *testing.T) {
	type row struct {
		UserID int `sql:"user_id"`
	}
	w := apptest.New(t)
	budi := w.User(t, "Budi")
	w.User(t, "Siti")
	read := func(ctx context.Context) (ids []int) {
		list, err := Select[row](ctx, Parse("SELECT x.id AS user_id FROM users x WHERE policy(x) AND in(x.id, :ids) ORDER BY x.id"),
			Args{"ids": w.DB.User.Query().IDsX(w.System())}, Policies{"x": {Policy: user.Policy, Table: user.Table}})
		if err != nil {
			t.Error(err)
		}
		for _, r := range list {
			ids = append(ids, r.UserID)
		}
		return ids
	}
	ctx := w.As(budi, viewer.Employee)
	if got, want := read(ctx), w.DB.User.Query().Order(ent.Asc(user.FieldID)).IDsX(ctx); !slices.Equal(got, want) || len(want) != 2 {
		t.Errorf("got %v, want %v", got, want)
	}
}
