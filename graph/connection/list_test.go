package connection

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/99designs/gqlgen/graphql"

	"workforce/ent"
	"workforce/ent/entgql"
	"workforce/internal/errs"
	"workforce/internal/sqlplan"
)

// text returns the text of an error, "" for none.
func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestBounds(t *testing.T) {
	for _, tt := range []struct {
		first, last         *int
		wantFirst, wantLast *int
		want                string
	}{
		{nil, nil, new(50), nil, ""},
		{new(0), nil, new(0), nil, ""},
		{new(1000), nil, new(1000), nil, ""},
		{nil, new(0), nil, new(0), ""},
		{nil, new(1000), nil, new(1000), ""},
		{new(-1), nil, nil, nil, "VALIDATION_FAILED first(out_of_range)"},
		{new(1001), nil, nil, nil, "VALIDATION_FAILED first(out_of_range)"},
		{new(math.MinInt), nil, nil, nil, "VALIDATION_FAILED first(out_of_range)"},
		{nil, new(-1), nil, nil, "VALIDATION_FAILED last(out_of_range)"},
		{nil, new(1001), nil, nil, "VALIDATION_FAILED last(out_of_range)"},
		{new(1), new(1), nil, nil, "VALIDATION_FAILED last(excludes)"},
		{new(0), new(0), nil, nil, "VALIDATION_FAILED last(excludes)"},
		{new(1001), new(1), nil, nil, "VALIDATION_FAILED first(out_of_range) last(excludes)"},
	} {
		about := fmt.Sprintf("first %s, last %s", show(tt.first), show(tt.last))
		first, last, err := bounds(tt.first, tt.last)
		if text(err) != tt.want {
			t.Errorf("%s: %q, want %q", about, text(err), tt.want)
		}
		if err == nil && (show(first) != show(tt.wantFirst) || show(last) != show(tt.wantLast)) {
			t.Errorf("%s: first %s, last %s, want %s and %s", about, show(first), show(last), show(tt.wantFirst), show(tt.wantLast))
		}
		if e := errs.As(err); err != nil && e.Faults[0].Reason == errs.OutOfRange && (e.Faults[0].Meta["min"] != 0 || e.Faults[0].Meta["max"] != 1000) {
			t.Errorf("%s: meta %v", about, e.Faults[0].Meta)
		}
	}
}

func show(n *int) string {
	if n == nil {
		return "-"
	}
	return fmt.Sprint(*n)
}

func TestPage(t *testing.T) {
	for _, tt := range []struct {
		number, limit *int
		offset, n     int
		want          string
	}{
		{nil, nil, 0, 0, ""},
		{nil, new(1), 0, 1, ""},
		{nil, new(1000), 0, 1000, ""},
		{new(1), new(20), 0, 20, ""},
		{new(2), new(20), 20, 20, ""},
		{new(7), new(1), 6, 1, ""},
		{new(math.MaxInt32), new(1000), (math.MaxInt32 - 1) * 1000, 1000, ""},
		{new(0), new(20), 0, 0, "VALIDATION_FAILED page(out_of_range)"},
		{new(-1), new(20), 0, 0, "VALIDATION_FAILED page(out_of_range)"},
		{new(math.MaxInt32 + 1), new(20), math.MaxInt32 * 20, 20, ""},
		{new(math.MaxInt), new(1000), math.MaxInt / 1000 * 1000, 1000, ""},
		{new(1), nil, 0, 0, "VALIDATION_FAILED page(needs)"},
		{new(0), nil, 0, 0, "VALIDATION_FAILED page(out_of_range) page(needs)"},
		{nil, new(0), 0, 0, "VALIDATION_FAILED limit(out_of_range)"},
		{nil, new(-5), 0, 0, "VALIDATION_FAILED limit(out_of_range)"},
		{nil, new(1001), 0, 0, "VALIDATION_FAILED limit(out_of_range)"},
		{new(0), new(0), 0, 0, "VALIDATION_FAILED page(out_of_range) limit(out_of_range)"},
	} {
		about := fmt.Sprintf("page %s, limit %s", show(tt.number), show(tt.limit))
		offset, n, err := page(tt.number, tt.limit)
		if offset != tt.offset || n != tt.n || text(err) != tt.want {
			t.Errorf("%s: offset %d, limit %d, %q; want %d, %d, %q", about, offset, n, text(err), tt.offset, tt.n, tt.want)
		}
	}
}

// rows is a query of the numbers from 0.
type rows struct {
	total, offset, limit int
	failing              string // the method that fails
}

var errBroken = errors.New("broken")

func (r rows) fails(method string) error {
	if r.failing == method {
		return errBroken
	}
	return nil
}

func (r rows) Clone() rows { return r }

func (r rows) Offset(n int) rows {
	r.offset = n
	return r
}

func (r rows) Limit(n int) rows {
	r.limit = n
	return r
}

func (r rows) Count(context.Context) (int, error) { return r.total, r.fails("Count") }

func (r rows) Selector(context.Context) (*sql.Selector, error) { return nil, r.fails("Selector") }

func (r rows) CollectFields(context.Context, ...string) (rows, error) {
	return r, r.fails("CollectFields")
}

func (r rows) All(context.Context) ([]int, error) {
	var all []int
	for i := r.offset; i < r.total && len(all) < r.limit; i++ {
		all = append(all, i)
	}
	return all, r.fails("All")
}

func (r rows) Only(context.Context) (int, error) { return r.offset, r.fails("Only") }

// asked returns a context in which a field without a selection is answered.
func asked() context.Context {
	ctx := graphql.WithOperationContext(context.Background(), &graphql.OperationContext{})
	return graphql.WithFieldContext(ctx, &graphql.FieldContext{})
}

// list lists rows without a plan.
func list(r rows, number, limit *int) ([]int, int, error) {
	query := func(context.Context) (rows, error) { return r, r.fails("query") }
	same := func(r rows) rows { return r }
	return List(asked(), number, limit, query, same)
}

func TestList(t *testing.T) {
	for _, tt := range []struct {
		about         string
		rows          rows
		number, limit *int
		want          []int // the first and the number of the nodes
		total         int
		err           string
	}{
		{"all", rows{total: 60}, nil, nil, []int{0, 60}, 60, ""},
		{"all of very many", rows{total: 10_001}, nil, nil, []int{0, 10_000}, 10_001, ""},
		{"the first page", rows{total: 60}, nil, new(25), []int{0, 25}, 60, ""},
		{"the last page", rows{total: 60}, new(3), new(25), []int{50, 10}, 60, ""},
		{"a page behind the last", rows{total: 60}, new(4), new(25), nil, 60, ""},
		{"a page of nothing", rows{}, new(1), new(25), nil, 0, ""},
		{"page 0", rows{total: 60}, new(0), new(25), nil, 0, "VALIDATION_FAILED page(out_of_range)"},
		{"no query", rows{failing: "query"}, nil, nil, nil, 0, "broken"},
		{"no count", rows{failing: "Count"}, nil, nil, nil, 0, "broken"},
		{"no columns", rows{failing: "CollectFields"}, nil, nil, nil, 0, "broken"},
		{"no rows", rows{failing: "All"}, nil, nil, nil, 0, "broken"},
	} {
		nodes, total, err := list(tt.rows, tt.number, tt.limit)
		var got []int
		if len(nodes) > 0 {
			got = []int{nodes[0], len(nodes)}
		}
		if text(err) != tt.err || !slices.Equal(got, tt.want) || err == nil && total != tt.total {
			t.Errorf("%s: %v of %d, %v; want %v of %d, %q", tt.about, got, total, err, tt.want, tt.total, tt.err)
		}
	}
}

func TestOneAndAll(t *testing.T) {
	for _, failing := range []string{"", "CollectFields", "Only"} {
		if got, err := One(asked(), rows{offset: 7, failing: failing}); (err != nil) != (failing != "") || err == nil && got != 7 {
			t.Errorf("One, failing %q: %d, %v", failing, got, err)
		}
	}
	for _, failing := range []string{"", "CollectFields", "All"} {
		if got, err := All(asked(), rows{total: 2, limit: 5, failing: failing}); (err != nil) != (failing != "") || err == nil && len(got) != 2 {
			t.Errorf("All, failing %q: %d, %v", failing, got, err)
		}
	}
}

// A part is a connection that knows the arguments of its query.
type part string

func (part) Page() sqlplan.Page { return sqlplan.Page{} }

func TestOf(t *testing.T) {
	paginate := func(_ context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int) (part, error) {
		id := func(c *entgql.Cursor[int]) string {
			if c == nil {
				return "-"
			}
			return fmt.Sprint(c.ID)
		}
		return part(fmt.Sprint(id(after), " ", show(first), " ", id(before), " ", show(last))), nil
	}
	for _, tt := range []struct {
		bounds Bounds
		want   part
		err    string
	}{
		{Bounds{}, "- 50 - -", ""},
		{Bounds{After: &entgql.Cursor[int]{ID: 3}, First: new(2)}, "3 2 - -", ""},
		{Bounds{Before: &entgql.Cursor[int]{ID: 4}, Last: new(5)}, "- - 4 5", ""},
		{Bounds{First: new(1001)}, "", "VALIDATION_FAILED first(out_of_range)"},
	} {
		if got, err := Of(asked(), tt.bounds, paginate); got != tt.want || text(err) != tt.err {
			t.Errorf("%+v: %q, %v; want %q, %q", tt.bounds, got, err, tt.want, tt.err)
		}
	}
}

// An order is as ent generates it.
type order struct{ Field *orderField }

type orderField struct {
	Value func(*rows) (ent.Value, error)
}

func orderOf(value ent.Value) *order {
	return &order{&orderField{func(*rows) (ent.Value, error) { return value, nil }}}
}

func TestCursorsOfAnotherOrder(t *testing.T) {
	for _, tt := range []struct {
		column, value any // of the order, nil for none; and of the cursor
		want          bool
	}{
		{nil, nil, true},
		{nil, "Budi", false},
		{"", "Budi", true},
		{"", nil, false},
		{"", int8(1), false},
		{"", time.Now(), false},
		{"", []any{"Budi"}, false},
		{"", "\xff", false},
		{time.Time{}, time.Now(), true},
		{time.Time{}, "2026-03-10", false},
		{time.Time{}, time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC), false},
		{time.Time{}, nil, false},
		{new(time.Time), time.Now(), true},
		{new(time.Time), nil, true},
		{0, int8(7), true},
		{0, "7", false},
	} {
		ctx := asked()
		if tt.column != nil {
			graphql.GetFieldContext(ctx).Args = map[string]any{"orderBy": orderOf(tt.column)}
		} else {
			graphql.GetFieldContext(ctx).Args = map[string]any{"orderBy": (*order)(nil)}
		}
		want := ""
		if !tt.want {
			want = "VALIDATION_FAILED before(unreadable)"
		}
		if err := checkCursors(ctx, Bounds{Before: &entgql.Cursor[int]{ID: 1, Value: tt.value}}); text(err) != want {
			t.Errorf("%T %v in an order by %T: %q, want %q", tt.value, tt.value, tt.column, text(err), want)
		}
	}
}
