package sqlplan

import (
	"context"
	"reflect"
	"slices"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/rootfield"
)

// compiled is the compiled selection of a root field. It serves all requests with
// the same document.
type compiled struct {
	*Compiler
	field    graphql.CollectedField
	envelope *envelope // nil for other fields than lists and connections, and if gqlgen must answer
	guarded  bool      // it selects fields that only some viewers see
	writer   atomic.Pointer[typedWriter]
}

// A typedWriter writes results of one Go type. Without a writer, gqlgen writes them.
type typedWriter struct {
	reflect.Type
	write  ValueWriter
	length atomic.Int32 // of the last answer: room is made for as much
}

// An envelope is the compiled selection around the rows.
type envelope struct {
	members []member
	closing string
}

// A member is one selected field of a list or connection, of its edges or pageInfo.
type member struct {
	key     string
	name    string
	text    string   // of __typename
	object  *object  // of nodes and node
	members []member // of edges and pageInfo
	closing string
}

// maxCachedBytes limits the cached selections by the size of their documents.
const maxCachedBytes = 1 << 20

// compiled returns the compiled selection of a field, from the cache if possible.
func (c *Compiler) compiled(oc *graphql.OperationContext, f graphql.CollectedField) *compiled {
	unmerged := len(f.Selections) == len(f.SelectionSet) // else the document selects the field in several places
	if known, ok := c.cache.Load(f.Field); ok && unmerged {
		return known.(*compiled)
	}
	out := &compiled{Compiler: c, field: f, guarded: c.selectsGuarded(f)}
	if len(f.Deferrables) == 0 {
		out.envelope = c.compile(oc, f)
	}
	size := int64(len(f.Position.Src.Input))
	if !unmerged || size > maxCachedBytes/128 || dependsOnVariables(f.SelectionSet) {
		return out
	}
	if c.cachedBytes.Add(size) > maxCachedBytes { // mostly by documents that are sent only once
		c.cache.Clear()
		c.cachedBytes.Store(size)
	}
	c.cache.Store(f.Field, out)
	return out
}

// selectsGuarded reports whether a field selects one that only some viewers see.
func (c *Compiler) selectsGuarded(f graphql.CollectedField) bool {
	return slices.ContainsFunc(f.Selections, func(s ast.Selection) bool {
		return rootfield.Selects(ast.SelectionSet{s}, func(f *ast.Field) bool {
			return f.ObjectDefinition != nil && slices.Contains(c.guard.Fields[f.ObjectDefinition.Name], f.Name)
		})
	})
}

// dependsOnVariables reports whether a selection has a directive by which variables
// may leave fields out.
func dependsOnVariables(set ast.SelectionSet) bool {
	return slices.ContainsFunc(set, func(s ast.Selection) bool {
		switch s := s.(type) {
		case *ast.Field:
			return conditional(s.Directives) || dependsOnVariables(s.SelectionSet)
		case *ast.InlineFragment:
			return conditional(s.Directives) || dependsOnVariables(s.SelectionSet)
		case *ast.FragmentSpread:
			return conditional(s.Directives) || dependsOnVariables(s.Definition.SelectionSet)
		}
		return true
	})
}

func conditional(list ast.DirectiveList) bool {
	return slices.ContainsFunc(list, func(d *ast.Directive) bool {
		return d.Name == "skip" || d.Name == "include" || d.Name == "defer"
	})
}

// writeValue writes the result of a resolver as the answer of its field. It returns
// false if gqlgen must write it.
func (c *compiled) writeValue(ctx context.Context, p *Plan, res any) bool {
	v := reflect.ValueOf(res)
	if !v.IsValid() || len(c.field.Deferrables) > 0 {
		return false
	}
	w := c.writer.Load()
	if w == nil || w.Type != v.Type() {
		w = &typedWriter{Type: v.Type()}
		if write, ok := c.valueWriter(graphql.GetOperationContext(ctx), c.field, c.field.Definition.Type, w.Type); ok {
			w.write = write
		}
		c.writer.Store(w)
	}
	if w.write == nil {
		return false
	}
	text, ok := w.write(make([]byte, 0, w.length.Load()+64), v)
	if !ok {
		return false
	}
	w.length.Store(int32(len(text)))
	p.text = text
	return true
}

// compile returns the envelope of a list or connection; nil if gqlgen must answer.
func (c *Compiler) compile(oc *graphql.OperationContext, f graphql.CollectedField) *envelope {
	def := c.schema.Types[f.Definition.Type.Name()]
	if def == nil || def.Kind != ast.Object || f.Definition.Type.Elem != nil {
		return nil
	}
	members, ok := c.envelope(oc, def, f.Selections)
	if !ok {
		return nil
	}
	return &envelope{members, closing(len(members))}
}

// envelope compiles the members around the rows; false if gqlgen must answer.
func (c *Compiler) envelope(oc *graphql.OperationContext, def *ast.Definition, set ast.SelectionSet) ([]member, bool) {
	var out []member
	for i, f := range graphql.CollectFields(oc, set, []string{def.Name}) {
		if !plain(f) {
			return nil, false
		}
		m, ok := member{key: key(i == 0, f.Alias), name: f.Name}, true
		switch f.Name {
		case "nodes", "node":
			m.object, ok = c.object(oc, f.Definition.Type.Name(), f.Selections)
		case "edges", "pageInfo":
			m.members, ok = c.envelope(oc, c.schema.Types[f.Definition.Type.Name()], f.Selections)
			m.closing = closing(len(m.members))
		case "__typename":
			m.text = `"` + def.Name + `"`
		case "totalCount", "cursor", "hasNextPage", "hasPreviousPage", "startCursor", "endCursor":
		default:
			return nil, false
		}
		if !ok {
			return nil, false
		}
		out = append(out, m)
	}
	return out, true
}

// A table is a Table with its columns, derived fields and edges by name of the field.
type table struct {
	*Table
	typename  string
	satisfies []string // type conditions that its objects meet
	columns   map[string]Column
	derived   map[string]Derived
	edges     map[string]Edge
}

func newTable(def *ast.Definition, t *Table) *table {
	out := &table{
		Table: t, typename: def.Name, satisfies: append([]string{def.Name}, def.Interfaces...),
		columns: map[string]Column{}, derived: map[string]Derived{}, edges: map[string]Edge{},
	}
	for _, d := range t.Derived {
		out.derived[d.Field] = d
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
