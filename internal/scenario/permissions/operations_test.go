package permissions

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"workforce/ent"
	"workforce/internal/rootfield"
	"workforce/internal/viewer"
)

// An effect says what an operation does with rows, and so what becomes of those
// that the caller may not read or write.
type effect int

const (
	public    effect = iota // no role decides
	own                     // about the caller alone; FORBIDDEN without the permission, in any scope
	aggregate               // a value computed from the rows that the caller sees
	list                    // leaves out the rows that the caller does not see
	about                   // lists rows about one person; NOT_FOUND for one whose rows the caller does not see
	get                     // NOT_FOUND for a row that the caller does not see
	create                  // adds a row; FORBIDDEN without the permission
	update                  // FORBIDDEN for a row that the caller only sees, NOT_FOUND for the others
	stream                  // shows the rows that the caller sees as they change; internal/scenario/live tries it
)

var effectNames = [...]string{"public", "own", "aggregate", "list", "about", "get", "create", "update", "stream"}

// String returns the effect as its constant is called.
func (e effect) String() string { return effectNames[e] }

// byRow reports whether the outcome depends on the row.
func (e effect) byRow() bool { return e == list || e == about || e == get || e == update }

// An operation is one root field with the permissions that decide about it. All of
// it follows from @access, the type of the field and the facts of the entity.
type operation struct {
	*rootfield.Field
	def    *ast.FieldDefinition
	effect effect
	entity string        // of the rows; "" where the field is about none
	rows   viewer.Access // of the entity
}

// operations returns all root fields: the public ones first, then those about the
// caller, then the others by resource. The error lists the fields whose effect
// cannot be derived.
func operations(schema *ast.Schema) ([]operation, error) {
	fields, err := rootfield.Load(schema)
	if err != nil {
		return nil, err
	}
	var all []operation
	var faults []error
	for _, root := range []*ast.Definition{schema.Query, schema.Mutation, schema.Subscription} {
		if root == nil {
			continue
		}
		for _, def := range root.Fields {
			f := fields[def.Name]
			if f == nil { // GraphQL's own
				continue
			}
			o, err := derive(schema, f, def)
			if err != nil {
				faults = append(faults, fmt.Errorf("%s.%s: %w", root.Name, def.Name, err))
			}
			if root == schema.Subscription {
				o.effect = stream
			}
			all = append(all, o)
		}
	}
	slices.SortStableFunc(all, func(a, b operation) int { return strings.Compare(a.sortKey(), b.sortKey()) })
	return all, errors.Join(faults...)
}

func (o operation) sortKey() string {
	group := "2"
	switch {
	case o.Access.Public:
		group = "0"
	case o.Access.Resource == "":
		group = "1"
	}
	return fmt.Sprintf("%s %s %s %d", group, o.Access.Resource, o.entity, o.effect)
}

// derive finds out the effect of a field and the entity of its rows.
func derive(schema *ast.Schema, f *rootfield.Field, def *ast.FieldDefinition) (operation, error) {
	o := operation{Field: f, def: def}
	element, many := elementOf(schema, def.Type)
	a := f.Access
	switch {
	case a.Public:
		o.effect = public
	case a.Self, f.Write && a.Entity == "" && a.Scope < viewer.All:
		o.effect = own
	case f.Write && a.Entity == "":
		o.effect, o.entity = create, entityOf(element, a.Resource)
	case f.Write:
		o.effect, o.entity = update, a.Entity
	default:
		o.entity = entityOf(element, a.Resource)
		switch {
		case noRows[element.Name]:
			o.effect, o.entity = aggregate, ""
		case o.entity == "" && element.Fields.ForName("id") != nil:
			return o, fmt.Errorf("its rows are of %s, which is no entity, and no entity has the name of the resource %q", element.Name, a.Resource)
		case o.entity != "" && many && def.Arguments.ForName("userId") != nil:
			o.effect = about
		case o.entity != "" && many:
			o.effect = list
		case o.entity != "" && def.Arguments.ForName("id") != nil:
			o.effect = get
		default:
			o.effect, o.entity = aggregate, ""
		}
	}
	if o.entity == "" {
		return o, nil
	}
	facts := ent.Facts[o.entity]
	if o.entity == ent.TypeCompany { // the caller's own, whatever the row
		o.entity = ""
		return o, nil
	}
	if facts.Access == nil {
		return o, fmt.Errorf("%s is no entity with rows of a company", o.entity)
	}
	o.rows = *facts.Access
	return o, nil
}

// noRows are types with an id that a query does not find by it: it answers null to who may
// not see one, or names another row.
var noRows = map[string]bool{"ImportJob": true, "TaskImage": true, "Activity": true}

// elementOf returns the type of what a field answers: of a list, a connection or
// an object with nodes, the type of the elements, and true.
func elementOf(schema *ast.Schema, t *ast.Type) (element *ast.Definition, many bool) {
	def := schema.Types[t.Name()]
	if t.Elem != nil {
		return def, true
	}
	if nodes := def.Fields.ForName("nodes"); nodes != nil {
		return schema.Types[nodes.Type.Name()], true
	}
	if edges := def.Fields.ForName("edges"); edges != nil {
		node := schema.Types[edges.Type.Name()].Fields.ForName("node")
		return schema.Types[node.Type.Name()], true
	}
	return def, false
}

// entityOf returns the entity of a type's objects: the one of the same name, but for
// Entry or Node at its end, or of an object with an id that of the resource's name.
func entityOf(element *ast.Definition, resource string) string {
	if ent.Facts[element.Name].Access != nil {
		return element.Name
	}
	name := strings.TrimSuffix(strings.TrimSuffix(element.Name, "Entry"), "Node")
	if ent.Facts[name].Access != nil {
		return name
	}
	if element.Fields.ForName("id") == nil || resource == "" {
		return ""
	}
	if name := strings.ToUpper(resource[:1]) + resource[1:]; ent.Facts[name].Access != nil {
		return name
	}
	return ""
}

// needs returns the permission that decides, without its scope; "" where none
// does.
func (o operation) needs() string {
	if o.Access.Resource == "" || o.rows.Directory && !o.Write {
		return ""
	}
	return o.Access.Resource + "." + o.Access.Action
}

// refused reports whether the executor refuses a write without looking at rows.
func (o operation) refused(v *viewer.Viewer) bool {
	a := o.Access
	return o.Write && a.Resource != "" && v.Scope(a.Resource, a.Action) < a.Scope
}

// reads and writes return the scope of the rows that an operation lets a viewer
// see and change.
func (o operation) reads(v *viewer.Viewer) viewer.Scope { return o.covered(o.rows.Reads(v)) }

func (o operation) writes(v *viewer.Viewer) viewer.Scope {
	if o.refused(v) {
		return viewer.None
	}
	return o.covered(v.Scope(o.Access.Resource, o.Access.Action))
}

// covered leaves nothing of a scope where rows are about nobody: of these, only
// scope all covers any.
func (o operation) covered(s viewer.Scope) viewer.Scope {
	if s < viewer.All && o.rows.Owner == "" && o.rows.Shared() == "" {
		return viewer.None
	}
	return s
}

// An outcome is what becomes of an operation on one row.
type outcome string

// The outcomes; the last two are the codes of errors.
const (
	done      outcome = "done"
	leftOut   outcome = "left out"
	unseen    outcome = "NOT_FOUND"
	forbidden outcome = "FORBIDDEN"
)

// outcome returns what an operation of a viewer does with a row that lies within a
// scope of theirs and no narrower one; None is another company's.
func (o operation) outcome(v *viewer.Viewer, row viewer.Scope) outcome {
	within := func(s viewer.Scope) bool { return row > viewer.None && row <= s }
	switch {
	case !o.effect.byRow() && o.refused(v):
		return forbidden
	case !o.effect.byRow():
		return done
	case o.effect == list && !within(o.reads(v)):
		return leftOut
	case !within(o.reads(v)):
		return unseen
	case o.effect == update && !within(o.writes(v)):
		return forbidden
	case o.Access.Action == "approve" && row == viewer.Own: // nobody decides about themselves
		return forbidden
	}
	return done
}

// TestDerive derives the effects of a small schema. What a new field computes from
// rows needs no rows of its own.
func TestDerive(t *testing.T) {
	const head = `
		directive @access(public: Boolean, self: Boolean, resource: String, action: String, scope: String, row: String, id: String = "id") on FIELD_DEFINITION
		type User { id: ID! }
		type Users { nodes: [User!]! }
		type UserConnection { edges: [UserEdge!]! }
		type UserEdge { node: User }
		type RoleEntry { id: ID! }
		type Widget { id: ID! }
		type Count { count: Int! }
	`
	for _, tt := range []struct {
		field string
		want  string // effect and entity
		fault string
	}{
		{`status: Int! @access(public: true)`, "public", ""},
		{`presentCount: Int! @access(self: true)`, "own", ""},
		{`presentCount: Int! @access(resource: "attendance", action: "read")`, "aggregate", ""},
		{`presentCount: Count! @access(resource: "attendance", action: "read")`, "aggregate", ""},
		{`presentCounts: [Count!]! @access(resource: "attendance", action: "read")`, "aggregate", ""},
		{`current: User @access(resource: "user", action: "read")`, "aggregate", ""},
		{`all: [User!]! @access(resource: "user", action: "read")`, "list User", ""},
		{`all: Users! @access(resource: "user", action: "read")`, "list User", ""},
		{`all: UserConnection! @access(resource: "user", action: "read")`, "list User", ""},
		{`theirs(userId: ID): [User!]! @access(resource: "user", action: "read")`, "about User", ""},
		{`all: [RoleEntry!]! @access(resource: "role", action: "read")`, "list Role", ""},
		{`one(id: ID!): User! @access(resource: "user", action: "read")`, "get User", ""},
		{`all: [Widget!]! @access(resource: "developer", action: "read")`, "", `rows are of Widget, which is no entity`},
		{`mutation add: Int! @access(resource: "user", action: "write", scope: "all")`, "create", ""},
		{`mutation add: User! @access(resource: "user", action: "write", scope: "all")`, "create User", ""},
		{`mutation clock: Int! @access(resource: "attendance", action: "write")`, "own", ""},
		{`mutation change(id: ID!): User! @access(resource: "user", action: "write", row: "User")`, "update User", ""},
		{`mutation change(id: ID!): User! @access(resource: "user", action: "write", row: "Widget")`, "", "Widget is no entity"},
	} {
		text := head + "type Query { status: Int! @access(public: true) } "
		if field, ok := strings.CutPrefix(tt.field, "mutation "); ok {
			text += "type Mutation { " + field + " }"
		} else if !strings.HasPrefix(field, "status") {
			text += "extend type Query { " + field + " }"
		}
		schema, err := gqlparser.LoadSchema(&ast.Source{Input: text})
		if err != nil {
			t.Fatal(err)
		}
		name := strings.FieldsFunc(strings.TrimPrefix(tt.field, "mutation "), func(r rune) bool { return r == ':' || r == '(' })[0]
		all, err := operations(schema)
		if tt.fault != "" {
			if err == nil || !strings.Contains(err.Error(), tt.fault) {
				t.Errorf("%s: error %v, want %s", tt.field, err, tt.fault)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tt.field, err)
			continue
		}
		o := all[slices.IndexFunc(all, func(o operation) bool { return o.Name == name })]
		if got := strings.TrimSpace(o.effect.String() + " " + o.entity); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.field, got, tt.want)
		}
	}
}
