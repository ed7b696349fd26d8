// Package sqlplan answers GraphQL lists and connections straight from database rows.
//
// gqlgen resolves a list field by field, row by row. A plan instead compiles the
// selection once: which columns of which tables it needs, and the JSON around their
// values. To answer, it runs the resolver's ent query for these columns, and appends
// the bytes of each row to the answer. Objects at the end of edges are read by ent
// queries too, one for each edge of the selection however many rows there are, and
// inserted at placeholders. All queries go through ent, so its policies decide which
// rows the caller sees.
//
// The answer has the same bytes as gqlgen's. Where a plan cannot guarantee that,
// gqlgen answers: for fields with arguments, with directives other than @skip and
// @include, or deferred; for fields that are neither a column nor an edge; and after
// every error, so that errors are gqlgen's as well.
//
// An answer passes through: Compiler.AroundFields (answer.go), which looks the
// compiled selection up (compiled.go, plan.go); the resolver, which calls
// Plan.Answer; reading (driver.go, load.go); and writing (columns.go). Results that
// are plain Go values are written by values.go.
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

// A Table describes the database table of a GraphQL type.
type Table struct {
	Columns []Column // the first is the id
	Derived []Derived
	Edges   []Edge
	Rows    Rows // that the caller sees
}

// A Column holds one field of the type.
type Column struct {
	Name     string
	Field    string // name of the field, if not the column's: clockedInAt of clocked_in_at
	Nullable bool   // NULL becomes null
	Instant  bool   // it holds an instant
}

// A Derived field is computed from several columns.
type Derived struct {
	Field   string
	Columns []string
	Write   func(to []byte, values [][]byte) ([]byte, bool) // as a Writer, of the columns
}

// An Edge leads from the objects of a type to objects of another. It has one of
// Column, Inverse and Links. The field has its name.
type Edge struct {
	Name, Type string
	Column     string // of this table, with the id of the other object
	Inverse    string // column of the other table, with the id of this object
	Links      Rows   // of a link table, with the ids in the columns From and To
	From, To   string
	Order      string // column of the other table by which the objects of Links come
}

// Rows runs an ent query for some columns of some rows. The query's client needs
// a Driver.
type Rows func(ctx context.Context, where func(*sql.Selector), columns ...string) error

// A Writer appends a value of the database as JSON. It returns false for a value
// that it cannot read.
type Writer func(to, value []byte) ([]byte, bool)

// A Compiler compiles selections of one schema.
type Compiler struct {
	schema      *ast.Schema
	tables      map[string]*table // by GraphQL type
	writers     map[string]Writer // by scalar
	values      map[string]ValueWriter
	members     map[string]map[string]Writer
	guard       Guard
	cache       sync.Map // *compiled by *ast.Field
	cachedBytes atomic.Int64
	counts      *counts
}

// Scalars write the values of the schema's own scalars, by name.
type Scalars struct {
	Writers map[string]Writer      // of the database
	Values  map[string]ValueWriter // of Go
}

// A Guard names fields, by type, that only some viewers see in each row. gqlgen answers
// selections with these, except for viewers who see them in all rows.
type Guard struct {
	Fields map[string][]string
	Open   func(context.Context) bool // for the viewer of a request
}

// New returns a compiler. Tables are by GraphQL type. Members, by type and field,
// write the fields of objects that are stored in a single column. How many rows a list has is
// remembered as of versions.
func New(schema *ast.Schema, tables map[string]*Table, scalars Scalars, members map[string]map[string]Writer, guard Guard, versions Versions) *Compiler {
	c := &Compiler{
		schema: schema, guard: guard, counts: newCounts(versions), tables: map[string]*table{}, members: members,
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

// A table is a Table with its columns, derived fields and edges by name of the field.
type table struct {
	*Table
	typename  string
	satisfies []string // type conditions that its objects meet
	columns   map[string]Column
	derived   map[string]Derived
	edges     map[string]Edge
	instants  map[string]bool // by name of the column
}

func newTable(def *ast.Definition, t *Table) *table {
	out := &table{
		Table: t, typename: def.Name, satisfies: append([]string{def.Name}, def.Interfaces...),
		columns: map[string]Column{}, derived: map[string]Derived{}, edges: map[string]Edge{}, instants: map[string]bool{},
	}
	for _, d := range t.Derived {
		out.derived[d.Field] = d
	}
	for _, col := range t.Columns {
		out.instants[col.Name] = col.Instant
	}
	for _, f := range def.Fields {
		for _, col := range t.Columns {
			if col.Field == f.Name || col.Field == "" && matchesField(col.Name, f.Name) {
				out.columns[f.Name] = col
			}
		}
		for _, e := range t.Edges {
			if matchesField(e.Name, f.Name) {
				out.edges[f.Name] = e
			}
		}
	}
	return out
}

// matchesField reports whether a column's name in camel case is the field's.
func matchesField(column, field string) bool {
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
	columns []string // to read, the id first
	parts   []part   // in the order of the answer
	edges   []*edge  // that are selected
	closing string
}

// A part is one field of an object.
type part struct {
	key     string // JSON before the value: {"id": or ,"name":
	column  int    // index in the object's columns
	write   Writer // nil for an edge, a derived field and __typename
	null    bool   // NULL is written as null
	edge    int    // index in the object's edges; -1 for others
	derived *Derived
	from    []int  // of a derived field: indexes in the object's columns
	text    string // of __typename
}

// An edge is the compiled selection of an edge.
type edge struct {
	Edge
	column  int // index of Column in the object's columns; 0, the object's id, without
	nonNull bool
	target  *object
}

// object compiles the selection of an object; false if gqlgen must answer.
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

// key returns the JSON before a member's value.
func key(first bool, alias string) string {
	if first {
		return `{"` + alias + `":`
	}
	return `,"` + alias + `":`
}

// closing returns the JSON that ends an object with a number of members.
func closing(members int) string {
	if members == 0 {
		return "{}"
	}
	return "}"
}

// plain reports whether a field has no arguments and no directives that matter
// here: gqlgen has applied @skip and @include, and @header and @body are for REST.
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

// part compiles one field of an object; false if gqlgen must answer.
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
	if d, ok := o.table.derived[f.Name]; ok {
		p := part{edge: -1, derived: &d}
		for _, name := range d.Columns {
			p.from = append(p.from, o.addColumn(name))
		}
		return p, true
	}
	col, ok := o.table.columns[f.Name]
	if !ok || hasResolver(f.Definition) {
		return part{}, false
	}
	w, ok := c.writer(oc, f)
	return part{edge: -1, column: o.addColumn(col.Name), write: w, null: col.Nullable && !f.Definition.Type.NonNull}, ok
}

// addColumn adds a column to those that are read, and returns its index.
func (o *object) addColumn(column string) int {
	for i, name := range o.columns {
		if name == column {
			return i
		}
	}
	o.columns = append(o.columns, column)
	return len(o.columns) - 1
}

// edge compiles a field that is an edge; false if gqlgen must answer.
func (c *Compiler) edge(oc *graphql.OperationContext, o *object, e Edge, f graphql.CollectedField) (part, bool) {
	target, ok := c.object(oc, e.Type, f.Selections)
	if !ok {
		return part{}, false
	}
	out := &edge{Edge: e, nonNull: f.Definition.Type.NonNull, target: target}
	if e.Column != "" {
		out.column = o.addColumn(e.Column)
	}
	if e.Inverse != "" {
		target.addColumn(e.Inverse)
	}
	o.edges = append(o.edges, out)
	return part{edge: len(o.edges) - 1}, true
}

// writer returns the writer of a field that is a column.
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

// record returns the writer of an object that is stored in one column.
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
