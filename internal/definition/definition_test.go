package definition

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/errs"
)

const whole = `# a company
company:
  settings: {weeklyOffs: [6, 7], severalShifts: false, country: ID}
businesses:
  - name: Jakarta
  - name: Finance
    parent: Jakarta
    manager: siti@example.test
shifts:
  - name: Pagi
    startTime: 08:00
    endTime: "16:00"
    lateGraceMinutes: null
    breaks:
      - start: 12:00
        end: 13:00
rotations:
  - {name: Turns, days: [Pagi, null]}
assignments:
`

func TestRead(t *testing.T) {
	f, faults := Read([]byte(whole))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	shift := f.Elements[Shifts][0]
	want := map[string]any{
		"name": "Pagi", "startTime": "08:00", "endTime": "16:00", "lateGraceMinutes": nil,
		"breaks": []map[string]any{{"start": "12:00", "end": "13:00"}},
	}
	if diff := cmp.Diff(want, shift.Values); diff != "" {
		t.Error(diff)
	}
	for path, line := range map[string]int{"name": 10, "breaks.0.end": 16, "breaks.0.other": 15,
		"opensBeforeMinutes": 10, "": 10} {
		if got := shift.LineOf(path); got != line {
			t.Errorf("line of %q is %d, want %d", path, got, line)
		}
	}
	if got := f.Elements[Rotations][0].Values["days"]; !slices.Equal(got.([]string), []string{"Pagi", ""}) {
		t.Errorf("days %v", got)
	}
	settings := f.Elements[Company][0].Values["settings"]
	if diff := cmp.Diff(map[string]any{"weeklyOffs": []int{6, 7}, "severalShifts": false, "country": "ID"},
		settings); diff != "" {
		t.Error(diff)
	}
	if !f.Mentions(Assignments) || f.Mentions(Sites) {
		t.Error("sections: assignments are mentioned, sites are not")
	}
	if name := f.Elements[Businesses][1].Name(); name != "Jakarta / Finance" {
		t.Errorf("name %q", name)
	}
}

func TestReadFaults(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"nothing", "# only a comment\n", "0 empty_file"},
		{"no YAML", "roles: [\n", "1 unreadable"},
		{"no text", "roles:\n\xff\n", "2 not_utf8"},
		{"two documents", "roles:\n---\nsites:\n", "3 unreadable"},
		{"a list", "- a\n", "1 wrong_type"},
		{"an unknown section", "roles:\ntitles:\n", "2 titles unknown_member"},
		{"an unknown member", "roles:\n  - name: a\n    permissions: []\n    may: x\n", "4 roles/a may unknown_member"},
		{"what is missing", "shifts:\n  - name: Pagi\n    startTime: 08:00\n", "2 shifts/Pagi endTime required"},
		{"null", "shifts:\n  - name: null\n    startTime: 08:00\n    endTime: 09:00\n", "2 shifts name required"},
		{"no number", "sites:\n  - name: a\n    latitude: 1\n    longitude: 2\n    radius: wide\n",
			"5 sites/a radius wrong_type"},
		{"no choice", "leaveTypes:\n  - name: a\n    unit: week\n", "3 leaveTypes/a unit not_one_of"},
		{"no date", "holidays:\n  - name: a\n    date: 2026-02-30\n", "3 holidays/a date bad_format"},
		{"twice", "roles:\nroles:\n", "2 roles twice"},
		{"a member twice", "roles:\n  - name: a\n    permissions: []\n    name: b\n", "4 roles/a name twice"},
		{"an anchor", "roles: &r\n", "1 alias"},
		{"an alias", "roles:\n  - *r\n", "2 alias"},
		{"a merge", "roles:\n  - <<: {}\n", "2 alias"},
		{"a tag", "roles: !!seq []\n", "1 alias"},
		{"depth", "roles: [[[[[[[[[[]]]]]]]]]]\n", "1 unreadable"},
		{"roles that are no list", "assignments:\n  - email: a@b.test\n    roles: admin\n",
			"3 assignments/a@b.test roles wrong_type"},
		{"no roles", "assignments:\n  - email: a@b.test\n    roles: null\n", "3 assignments/a@b.test roles required"},
		{"a role without a name", "assignments:\n  - email: a@b.test\n    roles:\n      - admin\n      - null\n",
			"5 assignments/a@b.test roles.1 required"},
		{"within a list", "shifts:\n  - name: a\n    startTime: '1'\n    endTime: '2'\n    breaks:\n      - start: 12:00\n", "6 shifts/a breaks.0.end required"},
		{"several", "roles:\n  - name: a\n  - permissions: 5\n",
			"2 roles/a permissions required, 3 roles permissions wrong_type, 3 roles name required"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, faults := Read([]byte(tt.text))
			var list []string
			for _, f := range faults {
				where := f.Section
				if f.Element != "" {
					where += "/" + f.Element
				}
				list = append(list, strings.Join(strings.Fields(fmt.Sprint(f.Line, " ", where, " ", f.Field, " ",
					f.Reason)), " "))
			}
			if got := strings.Join(list, ", "); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestReadJSON(t *testing.T) {
	f, faults := Read([]byte("{\n\t\"roles\": [\n\t\t{\"name\": \"A \\ud83d\\ude00 \\/ \\\"b\\\" # c\", \"permissions\": [\"user.read.own\"]}\n\t]\n}\n"))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if e := f.Elements[Roles][0]; e.Line != 3 || e.Text("name") != `A 😀 / "b" # c` {
		t.Errorf("line %d, name %q", e.Line, e.Text("name"))
	}
}

// TestBounds holds how long files take that are as large as may be, whatever is in them.
func TestBounds(t *testing.T) {
	for _, part := range []string{"[", "- ", "{a: ", "? ", "a: ", "\"", "'", "&a ", "a:\n", "- a\n", "#", "|\n",
		"%", "\t", "*a ", "[],", "x", "- - - - - a\n", "roles:\n- name: a\n"} {
		begun := time.Now()
		Read([]byte(strings.Repeat(part, MaxBytes/len(part))))
		took := time.Since(begun)
		t.Logf("%q: %v", part, took)
		if took > 10*time.Second {
			t.Errorf("%q: %v", part, took)
		}
	}
	deep := ""
	for i := 0; len(deep) < MaxBytes-1500; i++ {
		deep += strings.Repeat(" ", i) + "a:\n"
	}
	begun := time.Now()
	if _, faults := Read([]byte(deep)); len(faults) == 0 || time.Since(begun) > 10*time.Second {
		t.Errorf("%d faults in %v", len(faults), time.Since(begun))
	}
	if _, faults := Read(make([]byte, MaxBytes+1)); len(faults) != 1 || faults[0].Code != errs.PayloadTooLarge {
		t.Errorf("too large: %v", faults)
	}
}

// TestWrite reads what is written.
func TestWrite(t *testing.T) {
	texts := []string{
		"Pagi", "A / B", `back\slash`, "yes", "NULL", "~", "", "08:00", "2026-01-01", "007", "1e3", "- a", "a: b",
		"a #b", "'q'", `"q"`,
		" space ", "Kopi 😀", "true", "[x]", "{x}", "&a", "*a", "!a", "%a", "@a", "`a", "a\nb", "Nur'aini", "x y", "-", "?", "a:", "#",
	}
	for _, text := range texts {
		var out strings.Builder
		values := map[string]any{"name": text, "permissions": []string{text, "b"}}
		if err := Write(&out, map[string][]map[string]any{Roles: {values}}); err != nil {
			t.Fatal(err)
		}
		f, faults := Read([]byte(out.String()))
		if len(faults) > 0 {
			t.Errorf("%q: %v in\n%s", text, faults, out.String())
			continue
		}
		if diff := cmp.Diff(values, f.Elements[Roles][0].Values); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestWriteAll(t *testing.T) {
	f, _ := Read([]byte(whole))
	elements := map[string][]map[string]any{}
	for name, list := range f.Elements {
		elements[name] = []map[string]any{}
		for _, e := range list {
			elements[name] = append(elements[name], e.Values)
		}
	}
	var out strings.Builder
	if err := Write(&out, elements); err != nil {
		t.Fatal(err)
	}
	again, faults := Read([]byte(out.String()))
	if len(faults) > 0 {
		t.Fatalf("%v in\n%s", faults, out.String())
	}
	for name, list := range elements {
		for i, values := range list {
			if diff := cmp.Diff(values, again.Elements[name][i].Values); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
	}
}

func TestPaths(t *testing.T) {
	for _, names := range [][]string{{"A"}, {"A", "B"}, {"A / B", `C\`}, {`\/`, "x"}} {
		if got := SplitPath(JoinPath(names)); !slices.Equal(got, names) {
			t.Errorf("%q: %q", names, got)
		}
	}
}

// TestInputs holds the fields of the sections to those of the inputs that create elements: other names
// stand for ids, and active and the roles of people are those of updates.
func TestInputs(t *testing.T) {
	inputs := map[string]map[string]string{
		"CreateRoleInput":        {}, // other names of members, by that of the input
		"CreateDesignationInput": {"parentId": "parent"},
		"CreateBusinessInput":    {"parentId": "parent", "managerId": "manager"},
		"CreateAddressInput":     {"businessId": "business"},
		"CreateShiftInput":       {},
		"RotationInput":          {},
		"CreateLeaveTypeInput":   {},
		"CreateHolidayInput":     {"addressId": "site"},
		"AssignShiftInput":       {"userId": "email", "shiftId": "shift"},
		"AssignRotationInput":    {"userIds": "email", "rotationId": "rotation"},
	}
	sectionOf := map[string]string{
		"CreateRoleInput": Roles, "CreateDesignationInput": Designations, "CreateBusinessInput": Businesses, "CreateAddressInput": Sites,
		"CreateShiftInput": Shifts, "RotationInput": Rotations, "CreateLeaveTypeInput": LeaveTypes, "CreateHolidayInput": Holidays,
		"AssignShiftInput": Assignments, "AssignRotationInput": Assignments,
	}
	schema := schemaFiles(t)
	if schema.Types["UpdateUserInput"].Fields.ForName("roleIds") == nil {
		t.Error("updates of people have no roles")
	}
	known := map[string]map[string]bool{}
	for input, other := range inputs {
		s := SectionOf(sectionOf[input])
		if known[s.Name] == nil {
			known[s.Name] = map[string]bool{"active": true, "roles": s.Name == Assignments} // of updates
		}
		for _, f := range schema.Types[input].Fields {
			name := f.Name
			if renamed, ok := other[name]; ok {
				name = renamed
			}
			known[s.Name][name] = true
			if s.Field(name) == nil {
				t.Errorf("%s lacks %s of %s", s.Name, name, input)
			}
		}
	}
	for _, s := range Sections() {
		for _, f := range s.Fields {
			if !s.Single && !known[s.Name][f.Name] {
				t.Errorf("%s has %s, which no input has", s.Name, f.Name)
			}
		}
	}
}

// schemaFiles returns the schema of the API.
func schemaFiles(t *testing.T) *ast.Schema {
	t.Helper()
	files, err := filepath.Glob("../../graph/*.graphqls")
	if err != nil || len(files) == 0 {
		t.Fatal(err, "no schema")
	}
	var sources []*ast.Source
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, &ast.Source{Name: name, Input: string(text)})
	}
	s, err := gqlparser.LoadSchema(sources...)
	if err != nil {
		t.Skipf("the schema does not stand alone: %v", err)
	}
	return s
}

func TestSchema(t *testing.T) {
	text, err := json.Marshal(Schema())
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"additionalProperties":false`, `"enum":["block","flag","off",null]`, `"maximum":1439`, `"startTime"`} {
		if !strings.Contains(string(text), part) {
			t.Errorf("the schema lacks %s", part)
		}
	}
}

// TestSchemaOfAssignments has editors accept a shift, a rotation or roles, of which each has its own members.
func TestSchemaOfAssignments(t *testing.T) {
	text, err := json.Marshal(Schema())
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("company.json", parsed); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("company.json")
	if err != nil {
		t.Fatal(err)
	}
	for element, ok := range map[string]bool{
		`"shift": "Day", "startsOn": "2026-03-16", "weekdays": [1]`: true,
		`"rotation": "Turns", "startsOn": "2026-03-16"`:             true,
		`"roles": ["manager", "Clerk"]`:                             true,
		`"roles": []`:                                               true,
		`"shift": "Day"`:                                            false,
		`"startsOn": "2026-03-16"`:                                  false,
		`"roles": null`:                                             false,
		`"roles": ["manager"], "startsOn": "2026-03-16"`:            false,
		`"roles": ["manager"], "firstDay": 2`:                       false,
		`"roles": [], "shift": "Day", "startsOn": "2026-03-16"`:     false,
		`"rotation": "T", "shift": "Day", "startsOn": "2026-03-16"`: false,
	} {
		file, err := jsonschema.UnmarshalJSON(strings.NewReader(
			`{"assignments": [{"email": "budi@example.test", ` + element + `}]}`))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(file); (err == nil) != ok {
			t.Errorf("%s: %v, want valid %t", element, err, ok)
		}
	}
}

// FuzzRead reads whatever bytes there are, without a panic, and writes what has no faults so that it is the same.
func FuzzRead(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte(`{"roles": [{"name": "a", "permissions": []}]}`))
	f.Add([]byte("a: |\n  b\n- c: 'd'\n? e\n%f\n---\n...\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, faults := Read(data)
		if len(faults) > 0 {
			return
		}
		elements := map[string][]map[string]any{}
		for name, list := range file.Elements {
			for _, e := range list {
				elements[name] = append(elements[name], e.Values)
			}
		}
		var out strings.Builder
		if err := Write(&out, elements); err != nil {
			t.Fatal(err)
		}
		if _, faults := Read([]byte(out.String())); len(faults) > 0 && out.Len() > 0 {
			t.Errorf("%q was written as %q: %v", data, out.String(), faults)
		}
	})
}
