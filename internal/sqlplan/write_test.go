package sqlplan

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/99designs/gqlgen/graphql"

	"workforce/internal/operation"
)

// TestAnswerTooLarge stops at the element with which an answer is too large, and
// leaves out long texts of other fields then.
func TestAnswerTooLarge(t *testing.T) {
	long := strings.Repeat("a", longText)
	operation.BoundAnswer(t.Context(), func(ctx context.Context) *graphql.Response {
		w, written := writer{answer: &answer{limit: operation.AnswerFrom(ctx)}}, 0
		if got := withinAnswer(ctx, long); got != long {
			t.Errorf("a text that fits is %q", got)
		}
		const size = operation.MaxAnswer / 4
		w.list(8, func(int) { w.to, written = make([]byte, len(w.to)+size), written+1 })
		if written != 4 || w.limit.Fits(0) { // the long text was before
			t.Errorf("%d elements, fits %v", written, w.limit.Fits(0))
		}
		for _, res := range []any{long, &long, "short", (*string)(nil), 5} {
			got, want := withinAnswer(ctx, res), res
			switch s := got.(type) {
			case string:
				if res == any(long) {
					want = ""
				}
			case *string:
				if s != nil && *s == "" {
					want = got
				}
			}
			if got != want || got == any(&long) {
				t.Errorf("%v becomes %v", res, got)
			}
		}
		return nil
	})
}

// listed returns rows of one letter each: b for the id 1.
func listed(ids ...int) *rows {
	r := &rows{object: &object{}}
	for _, id := range ids {
		from := len(r.text)
		r.text = append(r.text, 'a'+byte(id))
		r.ids, r.spans = append(r.ids, id), append(r.spans, span{from, len(r.text)})
	}
	return r
}

// TestMarshal writes an answer behind what gqlgen wrote before it, whatever it writes to.
func TestMarshal(t *testing.T) {
	o := &object{}
	people := listed(2, 1)
	people.object, people.order = o, []int{1, 0, 1}
	for name, tt := range map[string]struct {
		plan Plan
		want string
	}{
		"rows": {
			Plan{
				envelope: &envelope{[]member{{key: `{"n":`, name: "totalCount"}, {key: `,"all":`, name: "nodes", object: o}}, "}"},
				answer:   &answer{total: 7, rows: map[*object]*rows{o: people}},
			}, `{"n":7,"all":[b,c,b]}`,
		},
		"a value": {Plan{text: []byte(`{"a":1}`)}, `{"a":1}`},
	} {
		var to bytes.Buffer
		to.WriteString(`{"x":`)
		tt.plan.MarshalGQL(&to)
		if got := to.String(); got != `{"x":`+tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
		var other strings.Builder
		if tt.plan.MarshalGQL(&other); other.String() != tt.want {
			t.Errorf("%s: another writer gets %s, want %s", name, other.String(), tt.want)
		}
	}
}

// TestEdges writes what edges to one and to many lead to.
func TestEdges(t *testing.T) {
	one := listed(3, 1, 2)
	one.indexByID()
	many, byID, none := listed(5, 6, 7), listed(7, 6, 5), listed()
	many.group([]pair{{1, 2}, {3, 1}, {1, 0}, {3, 2}}, false)
	byID.group([]pair{{2, 0}, {2, 1}, {2, 2}}, true)
	none.group(nil, false)
	for name, tt := range map[string]struct {
		rows *rows
		want []string // by key
	}{
		"one":           {one, []string{"null", "b", "c", "d", "null"}},
		"many":          {many, []string{"[]", "[f,h]", "[]", "[g,h]", "[]"}},
		"many by id":    {byID, []string{"[]", "[]", "[f,g,h]"}},
		"many, no rows": {none, []string{"[]", "[]"}},
		"one, no rows":  {listed(), []string{"null", "null"}},
	} {
		for key, want := range tt.want {
			if got := string(tt.rows.appendOf(nil, key)); got != want {
				t.Errorf("%s: key %d leads to %s, want %s", name, key, got, want)
			}
		}
	}
}

// TestReserve holds that the text of many rows is not copied often.
func TestReserve(t *testing.T) {
	for _, expected := range []int{0, 50, 1000} {
		r, copies := &rows{}, 0
		for i := range 1000 {
			before := cap(r.text)
			r.reserve(expected)
			r.text, r.ids = append(r.text, strings.Repeat("x", 90+i%20)...), append(r.ids, i)
			if cap(r.text) != before {
				copies++
			}
		}
		if copies > 12 || cap(r.text) > 3*len(r.text) {
			t.Errorf("%d rows expected: %d copies, %d bytes for %d", expected, copies, cap(r.text), len(r.text))
		}
	}
}

// TestOrderedByID tells the order of ids from others.
func TestOrderedByID(t *testing.T) {
	for order, want := range map[string]bool{"id": true, "name": false, "name,id": false, "id,name": false, "": false} {
		s := sql.Dialect(dialect.MySQL).Select().From(sql.Table("a"))
		for column := range strings.SplitSeq(order, ",") {
			if column != "" {
				s.OrderBy(s.C(column))
			}
		}
		if got := orderedByID(s, "id"); got != want {
			t.Errorf("ordered by %q: %v, want %v", order, got, want)
		}
	}
	s := sql.Dialect(dialect.MySQL).Select().From(sql.Table("a"))
	if orderedByID(s.OrderBy(sql.Desc(s.C("id"))), "id") {
		t.Error("the latest first is no order of ids")
	}
}

// TestDense takes ids for a range where most of it are theirs.
func TestDense(t *testing.T) {
	r := &reader{ctx: t.Context()}
	for name, tt := range map[string]struct {
		ids  []int
		want string
	}{
		"few":   {[]int{3, 1, 2}, "`a`.`id` IN (3,1,2)"},
		"dense": {[]int{1, 2, 3, 4, 5, 6, 7, 8, 18}, "`a`.`id` >= 1 AND `a`.`id` <= 18"},
		"apart": {[]int{1, 2, 3, 4, 5, 6, 7, 8, 19}, "`a`.`id` IN (1,2,3,4,5,6,7,8,19)"},
	} {
		s, err := r.selectIn(func(context.Context) (*sql.Selector, error) {
			return sql.Dialect(dialect.MySQL).Select().From(sql.Table("a")), nil
		}, "id", tt.ids)
		if err != nil {
			t.Fatal(err)
		}
		query, args := s.Query()
		for _, arg := range args {
			query = strings.Replace(query, "?", strconv.Itoa(arg.(int)), 1)
		}
		if got := strings.TrimPrefix(query, "SELECT * FROM `a` WHERE "); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
	if got := (&rows{object: &object{edges: []*edge{{Edge: Edge{Column: "x"}}}}, placeholders: []placeholder{{0, 7}, {0, 0}, {0, 3}, {0, 7}}}).keys(0); !slices.Equal(got, []int{3, 7}) {
		t.Errorf("keys %v, want 3 and 7 once", got)
	}
}
