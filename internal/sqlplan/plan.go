// Package sqlplan answers GraphQL lists and connections straight from database rows.
//
// gqlgen resolves a list field by field, row by row. A plan instead compiles the
// selection once: which columns of which tables it needs, and the JSON around their
// values (compile.go). To answer, it runs the statements of the resolver's ent query
// for these columns (read.go), and writes each row as JSON (write.go). What lies
// behind edges (edges.go) is read with one statement for each edge of the selection,
// however many rows there are, and is inserted at placeholders. ent builds all
// statements, so its policies decide which rows the caller sees.
//
// The answer has the same bytes as gqlgen's. Where a plan cannot guarantee that,
// gqlgen answers: for fields with arguments, with directives other than @skip and
// @include, or deferred; for fields that are neither a column nor an edge; and after
// every error, so that errors are gqlgen's as well.
//
// Columns are written by columns.go. Results that are plain Go values are written by
// values.go.
package sqlplan

import (
	"context"
	stdsql "database/sql"
	"errors"
	"maps"
	"sync"
	"sync/atomic"

	"entgo.io/ent/dialect/sql"
	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"workforce/ent/entgql"
	"workforce/internal/operation"
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

// Rows returns the statement of an ent query. The plan selects its columns, and may
// restrict its rows.
type Rows func(context.Context) (*sql.Selector, error)

// A Querier runs a statement on the database of a request.
type Querier func(ctx context.Context, query string, args ...any) (*stdsql.Rows, error)

// A Writer appends a value of the database as JSON. It returns false for a value
// that it cannot read.
type Writer func(to, value []byte) ([]byte, bool)

// A Compiler compiles selections of one schema.
type Compiler struct {
	schema      *ast.Schema
	tables      map[string]*table // by GraphQL type
	query       Querier
	writers     map[string]Writer // by scalar
	values      map[string]ValueWriter
	own         Own
	members     map[string]map[string]Writer
	guard       Guard
	cache       sync.Map // *compiled by *ast.Field
	cachedBytes atomic.Int64
}

// Scalars write the values of the schema's own scalars, by name.
type Scalars struct {
	Writers map[string]Writer      // of the database
	Values  map[string]ValueWriter // of Go
	Own     Own                    // of Go too, in some operations
}

// Own are the writers of the scalars, by name, that operations of a kind have of their own.
type Own struct {
	Of     func(*graphql.OperationContext) bool // reports whether an operation is of the kind
	Values map[string]ValueWriter
}

// A Guard names fields, by type, that only some viewers see in each row. gqlgen answers
// selections with these, except for viewers who see them in all rows.
type Guard struct {
	Fields map[string][]string
	Open   func(context.Context) bool // for the viewer of a request
}

// New returns a compiler. Tables are by GraphQL type. Members, by type and field,
// write the fields of objects that are stored in a single column.
func New(
	schema *ast.Schema, tables map[string]*Table, query Querier, scalars Scalars, members map[string]map[string]Writer, guard Guard,
) *Compiler {
	c := &Compiler{
		schema: schema, query: query, guard: guard, tables: map[string]*table{}, members: members,
		writers: maps.Clone(builtin), values: maps.Clone(builtinValues), own: scalars.Own,
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

// A Page tells what to read for a list or a connection.
type Page struct {
	// Connection runs ent's query of a connection, with the selection of its context,
	// and returns the page without it. Nil for a list.
	Connection func(context.Context) (Page, error)
	// List returns the statement of a list: all its rows, in order. Nil for a connection.
	List Rows
	// Offset is how many rows of the list come before the page, Limit the most that
	// the page has.
	Offset, Limit int
	// IDs of the rows, in order. For a list they are read.
	IDs []int

	// Total counts the rows of all pages. It is called if totalCount is selected
	// and the rows that were read do not tell.
	Total func(context.Context) (int, error)

	Cursors []entgql.Cursor[int] // by row; nil for a list
	Info    entgql.PageInfo[int]
}

// A Plan is the compiled selection of one root field of one request: a list
// (totalCount and nodes) or a connection. Answer reads what MarshalGQL writes.
type Plan struct {
	*envelope
	query  Querier
	answer *answer // nil until there is one
	text   []byte  // the answer, where it is not one of rows
}

type planKey struct{}

// AroundFields is the gqlgen field middleware. It gives the resolver of a root field
// a plan in its context if the selection has one. A plan that the resolver answered
// becomes the result. Any other result is written by value writers if it consists of
// plain Go values, else by gqlgen.
func (c *Compiler) AroundFields(ctx context.Context, next graphql.Resolver) (any, error) {
	fc := graphql.GetFieldContext(ctx)
	if !fc.IsResolver || fc.Object != "Query" && fc.Object != "Mutation" {
		res, err := next(ctx)
		return withinAnswer(ctx, res), err
	}
	compiled := c.compiled(graphql.GetOperationContext(ctx), fc.Field)
	if compiled.guarded && !c.guard.Open(ctx) {
		return next(ctx)
	}
	p := &Plan{envelope: compiled.envelope, query: c.query}
	if p.envelope != nil {
		ctx = context.WithValue(ctx, planKey{}, p)
	}
	res, err := next(ctx)
	if err == nil && (p.answer != nil || p.text != nil || compiled.writeValue(ctx, p, res)) {
		return p, nil
	}
	return res, err
}

// longText is how many bytes a text has, at least, that counts for the answer before
// it is written.
const longText = 128

// withinAnswer returns the result of a field, or an empty text in place of one with
// which the answer is too long, and will be dropped.
func withinAnswer(ctx context.Context, res any) any {
	switch s := res.(type) {
	case string:
		if len(s) >= longText && !operation.AnswerFrom(ctx).Add(len(s)) {
			return ""
		}
	case *string:
		if s != nil && len(*s) >= longText && !operation.AnswerFrom(ctx).Add(len(*s)) {
			return new(string)
		}
	}
	return res
}

// From returns the plan of the root field that is being resolved; nil for none.
func From(ctx context.Context) *Plan {
	p, _ := ctx.Value(planKey{}).(*Plan)
	return p
}

// Without returns a context in which gqlgen answers the root field.
func Without(ctx context.Context) context.Context {
	return context.WithValue(ctx, planKey{}, (*Plan)(nil))
}

// Answer reads a page as the answer of the field. It returns false, also after an
// error, if gqlgen must answer: the resolver then returns what it would return
// without a plan.
func (p *Plan) Answer(ctx context.Context, page Page) bool {
	a, err := read(ctx, p, page)
	if errors.Is(err, errTooLarge) { // BoundAnswer drops the whole answer
		operation.AnswerFrom(ctx).Add(operation.MaxAnswer + 1)
		p.text = []byte("null")
		return true
	}
	if err != nil {
		return false
	}
	p.answer = a
	return true
}
