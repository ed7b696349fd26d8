// Package sqlplan answers what a query selects of database rows, without visiting
// field after field of row after row: a selection is compiled once, the columns
// that it asks for are read as raw bytes, and appended to the answer.
//
// The bytes are those that gqlgen writes for the same selection. Where a plan
// cannot promise that, it stands back and gqlgen answers: where a field takes
// arguments, has a directive, is deferred, or is no column or edge; and where
// anything goes wrong, so that errors are gqlgen's too. Rows are read by ent
// queries, and so within the caller's policies: one statement for each object
// of the selection, however many rows there are.
package sqlplan

import (
	"context"
	"maps"
	"sync"
	"sync/atomic"

	"entgo.io/ent/dialect/sql"
	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// A Table tells how the objects of a GraphQL type lie in the database.
type Table struct {
	Columns []Column // the first is the id
	Edges   []Edge
	Rows    Rows // all that the caller sees
}

// A Column holds the field of the same name: clocked_in_at is clockedInAt.
type Column struct {
	Name     string
	Field    string // where it has another name
	Nullable bool   // NULL is null; elsewhere, there is none
}

// An Edge leads from the objects of a type to others. The field has its name.
type Edge struct {
	Name, Type string
	Column     string // of this table, with the id of the one object at the end
	Inverse    string // of the other table, with the id of this object
	Links      Rows   // pairs of ids, in From and To; nil where there is no such table
	From, To   string
}

// Rows runs an ent query for some columns of some rows. The query's client needs
// a Driver.
type Rows func(ctx context.Context, where func(*sql.Selector), columns ...string) error

// A Writer appends a value, as the database gives it, as JSON. It reports false
// for a value that it cannot read.
type Writer func(to, value []byte) ([]byte, bool)

// A Compiler compiles selections of one schema.
type Compiler struct {
	schema  *ast.Schema
	tables  map[string]*table // by GraphQL type
	writers map[string]Writer // by scalar
	values  map[string]ValueWriter
	members map[string]map[string]Writer
	known   sync.Map // *compiled by *ast.Field
	kept    atomic.Int64
}

// Scalars write those of the schema's own: values of the database, and of Go.
type Scalars struct {
	Writers map[string]Writer
	Values  map[string]ValueWriter
}

// New returns a compiler. Tables are by GraphQL type, scalars by name, members
// by type and field: those of an object that lies in a single column.
func New(schema *ast.Schema, tables map[string]*Table, scalars Scalars, members map[string]map[string]Writer) *Compiler {
	c := &Compiler{
		schema: schema, tables: map[string]*table{}, members: members,
		writers: maps.Clone(builtin), values: maps.Clone(builtinValues),
	}
	maps.Copy(c.writers, scalars.Writers)
	maps.Copy(c.values, scalars.Values)
	for name, t := range tables {
		if def := schema.Types[name]; def != nil {
			c.tables[name] = newTable(def, t)
		}
	}
	return c
}

// A table is a Table with its columns and edges by field.
type table struct {
	*Table
	typename  string
	satisfies []string // of type conditions
	columns   map[string]Column
	edges     map[string]Edge
}

func newTable(def *ast.Definition, t *Table) *table {
	out := &table{
		Table: t, typename: def.Name, satisfies: append([]string{def.Name}, def.Interfaces...),
		columns: map[string]Column{}, edges: map[string]Edge{},
	}
	for _, f := range def.Fields {
		for _, col := range t.Columns {
			if col.Field == f.Name || col.Field == "" && spelt(col.Name, f.Name) {
				out.columns[f.Name] = col
			}
		}
		for _, e := range t.Edges {
			if spelt(e.Name, f.Name) {
				out.edges[f.Name] = e
			}
		}
	}
	return out
}

// spelt reports whether a field is the database's name: its words joined, each
// but the first with a capital.
func spelt(column, field string) bool {
	i := 0
	for j := 0; j < len(column); j++ {
		want := column[j]
		if want == '_' && j+1 < len(column) {
			j++
			want = column[j] - 'a' + 'A'
		}
		if i >= len(field) || field[i] != want {
			return false
		}
		i++
	}
	return i == len(field)
}

// An object is the compiled selection of a table's rows.
type object struct {
	table   *table
	columns []string // to be read, the id first
	parts   []part   // in the order of the answer
	edges   []*edge  // those that are parts
	closing string
}

// A part is one field of an object.
type part struct {
	key    string // with what separates it from the one before: {"id": or ,"name":
	column int    // of the object's
	write  Writer // nil for an edge, and for the name of the type
	null   bool   // NULL may be null
	edge   int    // of the object's; -1 for a column
	text   string // of the name of the type
}

// An edge is the compiled selection of what an edge leads to.
type edge struct {
	Edge
	column  int // of the object's: with the id at the end; else the object's own
	nonNull bool
	target  *object
}

// object compiles a selection; ok is false where it must be answered field by
// field.
func (c *Compiler) object(oc *graphql.OperationContext, typename string, set ast.SelectionSet) (*object, bool) {
	t := c.tables[typename]
	if t == nil {
		return nil, false
	}
	o := &object{table: t, columns: []string{t.Columns[0].Name}}
	for _, f := range graphql.CollectFields(oc, set, t.satisfies) {
		p, ok := c.part(oc, o, f)
		if !ok {
			return nil, false
		}
		p.key = key(len(o.parts) == 0, f.Alias)
		o.parts = append(o.parts, p)
	}
	o.closing = closing(len(o.parts))
	return o, true
}

// key is what stands before a member's value.
func key(first bool, alias string) string {
	if first {
		return `{"` + alias + `":`
	}
	return `,"` + alias + `":`
}

// closing ends an object of so many members.
func closing(members int) string {
	if members == 0 {
		return "{}"
	}
	return "}"
}

// plain reports whether a field is nothing but selected. @skip and @include are
// done with; what is REST's does not matter here.
func plain(f graphql.CollectedField) bool {
	for _, d := range f.Directives {
		switch d.Name {
		case "skip", "include", "header", "body":
		default:
			return false
		}
	}
	return len(f.Arguments) == 0 && len(f.Deferrables) == 0
}

func (c *Compiler) part(oc *graphql.OperationContext, o *object, f graphql.CollectedField) (part, bool) {
	if !plain(f) {
		return part{}, false
	}
	if f.Name == "__typename" {
		return part{edge: -1, text: `"` + o.table.typename + `"`}, true
	}
	if e, ok := o.table.edges[f.Name]; ok {
		return c.edge(oc, o, e, f)
	}
	col, ok := o.table.columns[f.Name]
	if !ok {
		return part{}, false
	}
	w, ok := c.writer(oc, f)
	return part{edge: -1, column: o.read(col.Name), write: w, null: col.Nullable && !f.Definition.Type.NonNull}, ok
}

// read has a column read, and returns its place.
func (o *object) read(column string) int {
	for i, name := range o.columns {
		if name == column {
			return i
		}
	}
	o.columns = append(o.columns, column)
	return len(o.columns) - 1
}

func (c *Compiler) edge(oc *graphql.OperationContext, o *object, e Edge, f graphql.CollectedField) (part, bool) {
	target, ok := c.object(oc, e.Type, f.Selections)
	if !ok {
		return part{}, false
	}
	out := &edge{Edge: e, nonNull: f.Definition.Type.NonNull, target: target}
	if e.Column != "" {
		out.column = o.read(e.Column)
	}
	if e.Inverse != "" {
		target.read(e.Inverse)
	}
	o.edges = append(o.edges, out)
	return part{edge: len(o.edges) - 1}, true
}

// writer returns what writes a field that is a column.
func (c *Compiler) writer(oc *graphql.OperationContext, f graphql.CollectedField) (Writer, bool) {
	typ := f.Definition.Type
	def := c.schema.Types[typ.Name()]
	switch {
	case typ.Elem != nil:
		return writeStrings, def.Name == "String"
	case def.Kind == ast.Enum:
		return String, true
	case def.Kind == ast.Object:
		return c.record(oc, def, f)
	}
	w := c.writers[def.Name]
	return w, w != nil
}

// record returns what writes an object that lies in one column.
func (c *Compiler) record(oc *graphql.OperationContext, def *ast.Definition, f graphql.CollectedField) (Writer, bool) {
	members := c.members[def.Name]
	var keys []string
	var writers []Writer
	for i, m := range graphql.CollectFields(oc, f.Selections, []string{def.Name}) {
		w := members[m.Name]
		if m.Name == "__typename" {
			w = writeText(`"` + def.Name + `"`)
		}
		if w == nil || !plain(m) {
			return nil, false
		}
		keys, writers = append(keys, key(i == 0, m.Alias)), append(writers, w)
	}
	end := closing(len(keys))
	return func(to, value []byte) ([]byte, bool) {
		ok := true
		for i, w := range writers {
			if to, ok = w(append(to, keys[i]...), value); !ok {
				return to, false
			}
		}
		return append(to, end...), true
	}, true
}
