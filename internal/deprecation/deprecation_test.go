package deprecation

import (
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// marked returns the directives of a field.
func marked(t *testing.T, directive string) ast.DirectiveList {
	t.Helper()
	schema, err := gqlparser.LoadSchema(&ast.Source{Input: "type Query { a: Int " + directive + " }"})
	if err != nil {
		t.Fatal(err)
	}
	return schema.Query.Fields.ForName("a").Directives
}

func TestRead(t *testing.T) {
	day := func(text string) time.Time {
		at, err := time.Parse(time.DateOnly, text)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	var never time.Time
	for _, tt := range []struct {
		directive    string
		since, until time.Time
		fault        string
	}{
		{`@deprecated(reason: "Use b. Since 2026-11-30, until 2027-12-01.")`, day("2026-11-30"), day("2027-12-01"), ""},
		{`@deprecated(reason: "Use b. Since 2026-11-30.")`, day("2026-11-30"), never, ""},
		{`@deprecated(reason: "Use b. Since 2026-11-30, until 2027-11-30.")`, day("2026-11-30"), day("2027-11-30"), ""},
		{`@deprecated(reason: "Use b. Since 2026-11-30, until 2027-11-29.")`, never, never, "is less than 12 months after"},
		{`@deprecated(reason: "Use b. Since 2026-11-31.")`, never, never, "2026-11-31 is no date"},
		{`@deprecated(reason: "Use b. Since 2026-11-30, until 2027-13-01.")`, never, never, "2027-13-01 is no date"},
		{`@deprecated(reason: "Use b.")`, never, never, "does not end as in"},
		{`@deprecated(reason: "Since 2026-11-30.")`, never, never, "does not end as in"},
		{`@deprecated`, never, never, "does not end as in"},
	} {
		n, err := Read(marked(t, tt.directive), "Query.a")
		if n == nil || n.What != "Query.a" || !n.Since.Equal(tt.since) || !n.Until.Equal(tt.until) {
			t.Errorf("%s: %+v", tt.directive, n)
		}
		if (err == nil) != (tt.fault == "") || err != nil && !strings.Contains(err.Error(), tt.fault) {
			t.Errorf("%s: error %v, want %q", tt.directive, err, tt.fault)
		}
	}
	if n, err := Read(marked(t, ""), ""); n != nil || err != nil {
		t.Errorf("without: %+v, %v", n, err)
	}
}

func TestSetHeaders(t *testing.T) {
	var list Notices
	for _, reason := range []string{
		"Use b. Since 2026-12-01, until 2028-01-01.",
		"Use c. Since 2026-11-30, until 2028-02-01.", "Use d. Since 2026-12-02.",
	} {
		n, err := Read(marked(t, `@deprecated(reason: "`+reason+`")`), reason)
		if err != nil {
			t.Fatal(err)
		}
		list.Add(n)
		list.Add(n)
	}
	h := http.Header{}
	list.SetHeaders(h)
	want := http.Header{"Deprecation": {"@1795996800"}, "Sunset": {"Sat, 01 Jan 2028 00:00:00 GMT"}}
	if !reflect.DeepEqual(h, want) || len(list.Names()) != 3 {
		t.Errorf("%v, want %v; %q", h, want, list.Names())
	}
	h = http.Header{}
	Notices{{What: "a", Reason: "b"}}.SetHeaders(h)
	if len(h) > 0 {
		t.Errorf("without dates: %v", h)
	}
}

const schemaText = `
type Query {
  a(old: Int @deprecated, in: In, kind: Kind, list: [Deep!]): A
  gone: A @deprecated
}
type A { b: Int, c: Int @deprecated, a: A }
enum Kind { NEW OLD @deprecated }
input In { x: Int, y: Int @deprecated, kind: Kind }
input Deep { in: [In!], deep: Deep }
`

func TestUses(t *testing.T) {
	schema, err := gqlparser.LoadSchema(&ast.Source{Input: schemaText})
	if err != nil {
		t.Fatal(err)
	}
	uses := NewUses(schema)
	for _, tt := range []struct {
		name, text string
		values     map[string]any
		want       []string
	}{
		{"nothing", "{a{b a{b}}}", nil, nil},
		{"a root field", "{gone{b}}", nil, []string{"Query.gone"}},
		{"a field, once", "{a{c a{d:c}} x:a{c}}", nil, []string{"A.c"}},
		{"in fragments", "{a{...F ...on A{a{...F}}}} fragment F on A{c}", nil, []string{"A.c"}},
		{"an argument", "{a(old:1){b}}", nil, []string{"Query.a(old:)"}},
		{"an argument by a variable", "query($o:Int){a(old:$o){b}}", nil, []string{"Query.a(old:)"}},
		{"a value", "{a(kind:OLD){b}}", nil, []string{"Kind.OLD"}},
		{"another value", "{a(kind:NEW in:{x:1}){b}}", nil, nil},
		{"a member", "{a(in:{y:1}){b}}", nil, []string{"In.y"}},
		{"members of members", "{a(list:[{deep:{in:[{kind:OLD}]}}]){b}}", nil, []string{"Kind.OLD"}},
		{"in a variable", "query($i:In){a(in:$i){b}}", map[string]any{"i": map[string]any{"y": nil}}, []string{"In.y"}},
		{"not in a variable", "query($i:In){a(in:$i){b}}", map[string]any{"i": map[string]any{"x": 1}}, nil},
		{"an absent variable", "query($i:In){a(in:$i){b}}", nil, nil},
		{"deep in a variable", "query($l:[Deep!]){a(list:$l){b}}", map[string]any{"l": []any{
			map[string]any{"deep": map[string]any{"in": []any{map[string]any{"kind": "OLD"}}}},
		}}, []string{"Kind.OLD"}},
		{"a value of a variable", "query($k:Kind){a(kind:$k){b}}", map[string]any{"k": "OLD"}, []string{"Kind.OLD"}},
	} {
		doc, invalid := gqlparser.LoadQueryWithRules(schema, tt.text, nil)
		if len(invalid) > 0 {
			t.Fatal(invalid)
		}
		op := doc.Operations[0]
		list := uses.Document(op)
		got := append(list.Names(), uses.Variables(op.VariableDefinitions, tt.values).Names()...)
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestNothingIsDeprecated has operations cost nothing then.
func TestNothingIsDeprecated(t *testing.T) {
	schema, err := gqlparser.LoadSchema(&ast.Source{Input: "type Query { a(in: In): Int }\ninput In { x: Int }"})
	if err != nil {
		t.Fatal(err)
	}
	doc, invalid := gqlparser.LoadQueryWithRules(schema, "query($i:In){a(in:$i)}", nil)
	if len(invalid) > 0 {
		t.Fatal(invalid)
	}
	uses, op, values := NewUses(schema), doc.Operations[0], map[string]any{"i": map[string]any{"x": 1}}
	if n := testing.AllocsPerRun(100, func() {
		_ = uses.Document(op)
		_ = uses.Variables(op.VariableDefinitions, values)
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
