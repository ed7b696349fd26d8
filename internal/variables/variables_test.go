package variables

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"

	"workforce/internal/errs"
	"workforce/internal/jsonscan"
)

const schemaText = `
directive @required on INPUT_FIELD_DEFINITION
directive @digits(count: Int!) on INPUT_FIELD_DEFINITION
scalar Time
scalar Code
scalar Upload
enum Color { red green }
input Point { x: Float! y: Float! z: Float visibility: Float! = 0 }
input Dot { x: Float! y: Float! }
input Task {
	title: String!
	color: Color = red
	at: Time
	tags: [String!]
	parent: Task
	points: [Point!]
	dots: [Dot!]
	note: String @required
	otp: String @digits(count: 4)
}
type Query { f(
	n: Int, x: Float, s: String, b: Boolean, id: ID, color: Color, at: Time, code: Code,
	tags: [String!], grid: [[Int!]!], task: Task, file: Upload, files: [Upload!]
): Int }
`

var schema = gqlparser.MustLoadSchema(&ast.Source{Input: schemaText})

var types = NewTypes(schema, Options{
	Scalars: map[string]func(any) error{
		"Time": func(v any) error {
			if v != "now" {
				return errs.Because("", errs.BadFormat, errs.Meta{"expected": "now"})
			}
			return nil
		},
		"Code": func(any) error { return errs.New(errs.NotFound, nil) },
	},
	Readers: map[string]func([]byte) (any, bool){
		"[Point]": func(text []byte) (any, bool) { return "read " + string(text), string(text) == "[0]" },
		"Point":   func(text []byte) (any, bool) { return "zero", string(text) == "0" },
	},
	Lists: map[string]List{"Dot": {Most: 3, Fault: errs.Fault{Code: errs.FaceInvalid, Reason: "count"}}},
})

// declared returns the variables of a declaration such as "$n: Int, $s: String!".
func declared(t testing.TB, declaration string) (list []Variable) {
	t.Helper()
	doc, err := parser.ParseQuery(&ast.Source{Input: "query(" + declaration + "){__typename}"})
	if err != nil {
		t.Fatal(err)
	}
	validator.ValidateWithRules(schema, doc, nil) // sets definitions
	for _, v := range doc.Operations[0].VariableDefinitions {
		list = append(list, Variable{VariableDefinition: v, Field: v.Variable})
	}
	return list
}

// read reads variables from JSON and returns the values, or the faults.
func read(t testing.TB, mode Mode, declaration, text string) string {
	t.Helper()
	object := parse(t, text)
	values, faults := types.Read(mode, declared(t, declaration), object.Members)
	if len(faults) > 0 {
		return spell(faults)
	}
	out, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func spell(faults errs.Faults) string {
	var list []string
	for _, f := range faults {
		text := f.Field + " " + string(f.Reason)
		if f.Meta["expected"] != nil {
			text += " " + fmt.Sprint(f.Meta["expected"])
		}
		list = append(list, text)
	}
	return strings.Join(list, "; ")
}

func TestRead(t *testing.T) {
	const same = "same"
	tests := []struct {
		declaration, text string
		graphQL, rest     string // values or faults; rest may be the same
	}{
		{"$n: Int", `{}`, `{}`, same},
		{"$n: Int", `{"n":null}`, `{"n":null}`, same},
		{"$n: Int = 5", `{}`, `{"n":5}`, same},
		{"$n: Int = 5", `{"n":null}`, `{"n":null}`, same},
		{"$n: Int! = 5", `{"n":null}`, "n required", same},
		{"$n: Int!", `{}`, "n required", same},
		{"$n: Int", `{"n":-7}`, `{"n":-7}`, same},
		{"$n: Int", `{"n":"7"}`, `{"n":7}`, same},
		{"$n: Int", `{"n":1e3}`, "n wrong_type integer", `{"n":1000}`},
		{"$n: Int", `{"n":1.5}`, "n wrong_type integer", same},
		{"$n: Int", `{"n":4294967296}`, `{"n":4294967296}`, same},
		{"$n: Int", `{"n":99999999999999999999}`, "n wrong_type integer", `{"n":9223372036854775807}`},
		{"$n: Int", `{"n":-1e30}`, "n wrong_type integer", `{"n":-9223372036854775808}`},
		{"$n: Int", `{"n":9007199254740993}`, `{"n":9007199254740993}`, same},
		{"$n: Int", `{"n":true}`, "n wrong_type integer", same},
		{"$n: Int", `{"n":[1]}`, "n wrong_type integer", same},
		{"$n: Int", `{"n":1,"n":2,"m":3}`, `{"n":2}`, same},
		{"$n: Int", `{"\u006e":1}`, `{"n":1}`, same},
		{"$x: Float", `{"x":1}`, `{"x":1}`, same},
		{"$x: Float", `{"x":"-1.5"}`, `{"x":-1.5}`, same},
		{"$x: Float", `{"x":"NaN"}`, "x wrong_type number", same},
		{"$x: Float", `{"x":"0x1p3"}`, "x wrong_type number", same},
		{"$x: Float", `{"x":1e999}`, "x wrong_type number", same},
		{"$x: Float", `{"x":false}`, "x wrong_type number", same},
		{"$s: String", `{"s":"a\n\u00e9\ud83d\ude00"}`, `{"s":"a\né😀"}`, same},
		{"$s: String", `{"s":1.50}`, `{"s":"1.50"}`, same},
		{"$s: String", `{"s":true}`, "s wrong_type string", same},
		{"$s: String", `{"s":{}}`, "s wrong_type string", same},
		{"$b: Boolean", `{"b":true}`, `{"b":true}`, same},
		{"$b: Boolean", `{"b":"true"}`, "b wrong_type boolean", `{"b":true}`},
		{"$b: Boolean", `{"b":"0"}`, "b wrong_type boolean", `{"b":false}`},
		{"$b: Boolean", `{"b":1}`, "b wrong_type boolean", same},
		{"$id: ID", `{"id":42}`, `{"id":"42"}`, same},
		{"$id: ID", `{"id":"x"}`, `{"id":"x"}`, same},
		{"$id: ID", `{"id":1.5}`, "id wrong_type string", same},
		{"$color: Color", `{"color":"red"}`, `{"color":"red"}`, same},
		{"$color: Color", `{"color":"RED"}`, "color not_one_of", same},
		{"$color: Color", `{"color":1}`, "color unreadable", "color wrong_type string"},
		{"$color: Color", `{"color":true}`, "color wrong_type string", same},
		{"$at: Time", `{"at":"now"}`, `{"at":"now"}`, same},
		{"$at: Time", `{"at":"then"}`, "at bad_format now", same},
		{"$at: Time", `{"at":{}}`, "at wrong_type string", same},
		{"$code: Code", `{"code":1.0}`, `{"code":1.0}`, same},
		{"$file: Upload", `{"file":"a"}`, "file wrong_type file", same},
		{"$tags: [String!]", `{"tags":["a", "b"]}`, `{"tags":["a","b"]}`, same},
		{"$tags: [String!]", `{"tags":[]}`, `{"tags":[]}`, same},
		{"$tags: [String!]", `{"tags":"a"}`, `{"tags":["a"]}`, "tags wrong_type array"},
		{"$tags: [String!] = \"a\"", `{}`, `{"tags":["a"]}`, same},
		{"$tags: [String!]", `{"tags":["a",null,{}]}`, "tags[1] required; tags[2] wrong_type string", same},
		{"$grid: [[Int!]!]", `{"grid":[[1],[]]}`, `{"grid":[[1],[]]}`, same},
		{"$grid: [[Int!]!]", `{"grid":[1,[2,"x"]]}`, "grid[1][1] wrong_type integer", "grid[0] wrong_type array; grid[1][1] wrong_type integer"},
		{"$task: Task", `{"task":{"title":"a"}}`, `{"task":{"title":"a"}}`, same},
		{"$task: Task", `{"task":{"title":"a","otp":12}}`, `{"task":{"otp":"0012","title":"a"}}`, same},
		{"$task: Task", `{"task":{"title":"a","otp":0}}`, `{"task":{"otp":"0000","title":"a"}}`, same},
		{"$task: Task", `{"task":{"title":"a","otp":12345}}`, `{"task":{"otp":"12345","title":"a"}}`, same},
		{"$task: Task", `{"task":{"title":"a","otp":-12}}`, `{"task":{"otp":"-12","title":"a"}}`, same},
		{"$task: Task", `{"task":{"title":"a","otp":1.5}}`, `{"task":{"otp":"1.5","title":"a"}}`, same},
		{"$task: Task", `{"task":{"title":"a","otp":"12"}}`, `{"task":{"otp":"12","title":"a"}}`, same},
		{"$task: Task", `{"task":{"title":"a","otp":null}}`, `{"task":{"otp":null,"title":"a"}}`, same},
		{"$task: Task", `{"task":{"title":"a","otp":[1]}}`, "task.otp wrong_type string; task.note required", same},
		{"$task: Task", `{"task":[]}`, "task wrong_type object", same},
		{"$task: Task", `{"task":"a"}`, "task wrong_type object", same},
		{"$task: Task", `{"task":{"title":"a","no":1}}`, "task.no unreadable; task.note required", `{"task":{"title":"a"}}`},
		{"$task: Task", `{"task":{"title":"a","title":"b"}}`, `{"task":{"title":"b"}}`, same},
		{"$task: Task", `{"task":{"title":[],"title":"b"}}`, `{"task":{"title":"b"}}`, same},
		{"$task: Task, $n: Int!", `{"task":{"z":1,"parent":{"note":null},"at":1,"a":1}}`,
			"task.title required; task.at bad_format now; task.parent.title required; task.a unreadable; task.z unreadable; n required; task.parent.note required; task.note required",
			"task.title required; task.at bad_format now; task.parent.title required; n required; task.parent.note required; task.note required"},
		{"$task: Task", `{"task":{"title":"a","points":[0]}}`, `{"task":{"points":"read [0]","title":"a"}}`, same},
		{"$task: Task", `{"task":{"title":"a","points":[0,{"x":1,"y":2}]}}`, `{"task":{"points":["zero",{"x":1,"y":2}],"title":"a"}}`, same},
		{"$task: Task", `{"task":{"title":"a","points":[{"x":1,"y":"2"}]}}`, `{"task":{"points":[{"x":1,"y":2}],"title":"a"}}`, same},
		{"$task: Task", `{"task":{"title":"a","points":[{"x":1},{"y":null,"visibility":null}]}}`,
			"task.points[0].y required; task.points[1].x required; task.points[1].y required; task.points[1].visibility required; task.note required", same},
	}
	for _, tt := range tests {
		if got := read(t, GraphQL, tt.declaration, tt.text); got != tt.graphQL {
			t.Errorf("GraphQL: %s, %s: got %s, want %s", tt.declaration, tt.text, got, tt.graphQL)
		}
		want := tt.rest
		if want == same {
			want = tt.graphQL
		}
		if got := read(t, REST, tt.declaration, tt.text); got != want {
			t.Errorf("REST: %s, %s: got %s, want %s", tt.declaration, tt.text, got, want)
		}
	}
}

// TestSources reads text and files.
func TestSources(t *testing.T) {
	upload := graphql.Upload{Filename: "a"}
	tests := []struct {
		declaration string
		in          Input
		want        any
		faults      string
	}{
		{"$n: Int", Input{Texts: []string{"1", "2"}}, int64(2), ""},
		{"$n: Int", Input{Texts: []string{"x"}}, nil, "n wrong_type integer"},
		{"$tags: [String!]", Input{Texts: []string{"1", "2"}}, []any{"1", "2"}, ""},
		{"$grid: [[Int!]!]", Input{Texts: []string{"1"}}, nil, "grid[0] wrong_type array"},
		{"$task: Task", Input{Texts: []string{"1"}}, nil, "task wrong_type object"},
		{"$file: Upload", Input{Files: []graphql.Upload{{}, upload}}, upload, ""},
		{"$files: [Upload!]", Input{Files: []graphql.Upload{upload}}, []any{upload}, ""},
		{"$files: [Upload!]", Input{Texts: []string{"a"}}, nil, "files[0] wrong_type file"},
		{"$s: String", Input{Files: []graphql.Upload{upload}}, nil, "s wrong_type string"},
	}
	for _, tt := range tests {
		list := declared(t, tt.declaration)
		values, faults := types.Read(REST, list, func(*Variable) (Input, bool) { return tt.in, true })
		if got := values[list[0].Variable]; !reflect.DeepEqual(got, tt.want) || spell(faults) != tt.faults {
			t.Errorf("%s, %v: got %#v, %s, want %#v, %s", tt.declaration, tt.in, got, spell(faults), tt.want, tt.faults)
		}
	}
}

// TestPaths names variables otherwise than their operation.
func TestPaths(t *testing.T) {
	list := declared(t, "$a: Task, $b: [Task!], $c: String")
	list[0].Field, list[0].Hidden = "input", true
	list[1].Hidden = true
	list[2].Field, list[2].Required = "text", true
	for text, want := range map[string]string{
		`{"input":[],"text":"x"}`:                    "input wrong_type object",
		`{"input":{"parent":{}}}`:                    "title required; parent.title required; parent.note required; note required; text required",
		`{"b":[{"title":"a","note":"","at":{}}]}`:    "[0].at wrong_type string; text required",
		`{"b":[],"text":null,"input":{"title":"a"}}`: "",
	} {
		object := parse(t, text)
		if _, faults := types.Read(GraphQL, list, object.Members); spell(faults) != want {
			t.Errorf("%s: got %s, want %s", text, spell(faults), want)
		}
	}
}

func TestMostFaults(t *testing.T) {
	for name, text := range map[string]string{
		"elements":        `{"tags":[` + strings.Repeat("{},", MaxFaults) + `{}]}`,
		"unknown members": `{"task":{` + strings.Join(numbered(MaxFaults+1), ",") + `}}`,
		"missing members": `{"task":{"points":[` + strings.Repeat("{},", MaxFaults) + `{}]}}`,
	} {
		object := parse(t, text)
		_, faults := types.Read(GraphQL, declared(t, "$tags: [String!], $task: Task, $n: Int!"), object.Members)
		if len(faults) != MaxFaults {
			t.Errorf("%s: %d faults, want %d", name, len(faults), MaxFaults)
		}
	}
}

func numbered(n int) (members []string) {
	for i := range n {
		members = append(members, fmt.Sprintf(`"m%d":0`, i))
	}
	return members
}

// parse returns the members of an object.
func parse(t testing.TB, text string) Object {
	t.Helper()
	list, err := jsonscan.ParseObject([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// points returns an array of so many points.
func points(n int) string {
	return "[" + strings.TrimSuffix(strings.Repeat(`{"x":0,"y":1},`, n), ",") + "]"
}

// TestLongLists refuses lists that are longer than their types allow, whatever they
// hold, and has their values not count.
func TestLongLists(t *testing.T) {
	tests := []struct {
		name, declaration, text string
		fits                    bool
		want                    string // the faults
	}{
		{"as long as allowed", "$task: Task", `{"task":{"title":"a","note":"b","dots":` + points(3) + `}}`, true, ""},
		{"longer", "$task: Task", `{"task":{"title":"a","dots":` + points(4) + `}}`, true, "task.dots count; task.note required"},
		{"much longer", "$task: Task, $at: Time", `{"task":{"title":"a","note":"b","dots":` + points(20_000) + `},"at":"then"}`, true, "task.dots count; at bad_format now"},
		{"much longer in a list inside", "$task: Task", `{"task":{"title":"a","note":"b","parent":{"title":"c","note":"d","dots":` + points(20_000) + `}}}`, true, "task.parent.dots count"},
		{"of other things", "$task: Task", `{"task":{"title":"a","note":"b","dots":[` + strings.Repeat("0,", 3) + `{}]}}`, true, "task.dots count"},
		{"much longer, and repeated", "$task: Task", `{"task":{"title":"a","note":"b","dots":` + points(9000) + `,"dots":[]}}`, true, ""},
		{"much longer beside many values", "$task: Task, $tags: [String!]", `{"task":{"title":"a","dots":` + points(9000) + `},"tags":[` + strings.Repeat("0,", 60) + `0]}`, false, ""},
		{"a member of the name of another type", "$dots: [String!]", `{"dots":` + points(50) + `}`, false, ""},
		{"an unknown member", "$task: Task", `{"dots":` + points(50) + `}`, false, ""},
		{"too deep", "$task: Task", `{"task":{"dots":` + strings.TrimSuffix(points(4), "]") + "," + strings.Repeat("[", 40) + strings.Repeat("]", 41) + `}}`, false, ""},
	}
	for _, tt := range tests {
		list := declared(t, tt.declaration)
		if got := types.Fits(parse(t, tt.text).Size(), []byte(tt.text), 60, list); got != tt.fits {
			t.Errorf("%s: fits is %v, want %v", tt.name, got, tt.fits)
		}
		if !tt.fits {
			continue
		}
		object := parse(t, tt.text)
		if _, faults := types.Read(GraphQL, list, object.Members); spell(faults) != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, spell(faults), tt.want)
		}
	}
}

// TestLongListsAreCheap shows that nothing is allocated for the elements of a list that
// is refused.
func TestLongListsAreCheap(t *testing.T) {
	list := declared(t, "$task: Task")
	refuse := func(n int) float64 {
		text := []byte(`{"task":{"title":"a","note":"b","dots":` + points(n) + `}}`)
		object := parse(t, string(text))
		size := object.Size()
		return testing.AllocsPerRun(10, func() {
			if !types.Fits(size, text, 60, list) {
				t.Error("it does not fit")
			}
			types.Read(GraphQL, list, object.Members)
		})
	}
	if few, many := refuse(4), refuse(50_000); many > few+5 {
		t.Errorf("%v allocations for 4 points, %v for 50,000", few, many)
	}
}

// TestFind finds the last of several members of one name.
func TestFind(t *testing.T) {
	o := parse(t, " {\"a\": [1, 2] ,\n\"b\":\"x\",\"a\":3}\n")
	for name, want := range map[string]string{"a": "3", "b": `"x"`, "c": ""} {
		if got, ok := o.Find(name); string(got.Value) != want || ok != (want != "") {
			t.Errorf("%s: %s, %v, want %s", name, got.Value, ok, want)
		}
	}
	if got, want := o.Size(), (jsonscan.Size{Values: 5, Depth: 2}); got != want {
		t.Errorf("size %v, want %v", got, want)
	}
}

// TestAbsentFieldsAreFree shows that fields which a request leaves out cost
// nothing, however many the type has.
func TestAbsentFieldsAreFree(t *testing.T) {
	allocations := func(fields int) float64 {
		var b strings.Builder
		b.WriteString("type Query { f(in: In): Int } input In { id: ID!")
		for i := range fields {
			fmt.Fprintf(&b, " f%d: [Int!]", i)
		}
		s := gqlparser.MustLoadSchema(&ast.Source{Input: b.String() + " }"})
		types := NewTypes(s, Options{})
		list := []Variable{{VariableDefinition: &ast.VariableDefinition{Variable: "in", Type: ast.NamedType("In", nil)}, Field: "in"}}
		object := Object{{Name: []byte("in"), Value: []byte(`{"id":"1"}`)}}
		return testing.AllocsPerRun(100, func() { types.Read(GraphQL, list, object.Members) })
	}
	if few, many := allocations(0), allocations(300); few != many {
		t.Errorf("%v allocations with 1 field, %v with 301", few, many)
	}
}

// FuzzModes holds both modes together: what GraphQL takes, REST takes for the
// same value, but for what is deliberately different.
func FuzzModes(f *testing.F) {
	for _, text := range []string{
		`{"n":1,"x":1.5,"s":"a","b":true,"id":"3","color":"red","at":"now","tags":["a"],"task":{"title":"t"}}`,
		`{"task":{"title":"t","parent":{"title":"u","points":[{"x":1,"y":2}]}},"grid":[[1]]}`,
		`{"n":"12","x":"1e3","s":5,"id":7,"code":9}`, `{"n":1e3,"b":"true","tags":"a"}`, `{"task":{"no":{}}}`,
	} {
		f.Add(text)
	}
	list := declared(f, "$n: Int, $x: Float, $s: String, $b: Boolean, $id: ID, $color: Color, $at: Time, $code: Code, $tags: [String!], $grid: [[Int!]!], $task: Task")
	f.Fuzz(func(t *testing.T, text string) {
		members, err := jsonscan.ParseObject([]byte(text))
		object := Object(members)
		if size := object.Size(); err != nil || size.Values > 5000 || size.Depth > MaxDepth {
			return
		}
		strict, faults := types.Read(GraphQL, list, object.Members)
		lenient, more := types.Read(REST, list, object.Members)
		if len(faults) > MaxFaults || len(more) > MaxFaults {
			t.Fatalf("%d and %d faults", len(faults), len(more))
		}
		if len(faults) > 0 || len(more) > 0 && different(more) {
			return
		}
		if len(more) > 0 || !reflect.DeepEqual(strict, lenient) {
			t.Errorf("%s: GraphQL %v, REST %v, %s", text, strict, lenient, spell(more))
		}
	})
}

// different reports whether faults are those of REST alone: a value for a list.
func different(faults errs.Faults) bool {
	for _, f := range faults {
		if f.Meta["expected"] != "array" {
			return false
		}
	}
	return true
}

// TestIntegersKeepTheirDigits guards against reading integers as floats.
func TestIntegersKeepTheirDigits(t *testing.T) {
	for _, n := range []int64{math.MaxInt64, math.MinInt64, 1<<53 + 1} {
		if got, want := read(t, GraphQL, "$n: Int", fmt.Sprintf(`{"n":%d}`, n)), fmt.Sprintf(`{"n":%d}`, n); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
