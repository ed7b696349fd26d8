package plan

import (
	"context"
	"io"
	"slices"
	"strconv"
	"sync"

	"entgo.io/contrib/entgql"
	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// A Page is what a list or a connection holds: either the rows that Rows reads,
// in its order, or those of IDs.
type Page struct {
	Rows  Rows
	Limit int // of Rows: fewer are all there are
	IDs   []int

	// Total returns how many there are on all pages. It is asked where that is
	// selected and the rows do not tell.
	Total func(context.Context) (int, error)

	Cursors []entgql.Cursor[int] // of IDs; nil for a list
	Info    entgql.PageInfo[int]
}

// A Plan is the compiled selection of a root field: of a list (totalCount and
// nodes) or a connection.
type Plan struct {
	members []member
	closing string
	text    *[]byte // the answer, once there is one
}

// A member is a field of a list, of a connection, of its edges or its pageInfo.
type member struct {
	key     string
	name    string
	text    string   // of the name of the type
	object  *object  // of nodes and node
	members []member // of edges and pageInfo
	closing string
}

type planKey struct{}

// AroundFields gives the resolvers of queries a plan, where their selection has
// one, and answers with it where they used it. What a resolver returns otherwise
// is written at once too, where it is plain values all the way down.
func (c *Compiler) AroundFields(ctx context.Context, next graphql.Resolver) (any, error) {
	fc := graphql.GetFieldContext(ctx)
	if !fc.IsResolver || fc.Object != "Query" && fc.Object != "Mutation" {
		return next(ctx)
	}
	p := c.compile(graphql.GetOperationContext(ctx), fc.Field)
	if p != nil {
		ctx = context.WithValue(ctx, planKey{}, p)
	}
	res, err := next(ctx)
	if err != nil {
		return res, err
	}
	if p == nil || p.text == nil {
		p = c.answered(ctx, fc.Field, res)
	}
	if p == nil {
		return res, nil
	}
	return p, nil
}

// From returns the plan of the root field that is being resolved; nil for none.
func From(ctx context.Context) *Plan {
	p, _ := ctx.Value(planKey{}).(*Plan)
	return p
}

// compile returns the plan of a field; nil where there is none.
func (c *Compiler) compile(oc *graphql.OperationContext, f graphql.CollectedField) *Plan {
	def := c.schema.Types[f.Definition.Type.Name()]
	if def == nil || def.Kind != ast.Object || f.Definition.Type.Elem != nil || len(f.Deferrables) > 0 {
		return nil
	}
	members, ok := c.envelope(oc, def, f.Selections)
	if !ok {
		return nil
	}
	return &Plan{members: members, closing: closing(len(members))}
}

// envelope compiles what is around the rows.
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

// buffers are those of answers.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// Answer makes a page the answer to the field. It reports false where gqlgen must
// answer instead: the resolver then returns what it would without a plan.
func (p *Plan) Answer(ctx context.Context, page Page) bool {
	w := writing{ctx: ctx, page: page, found: map[*object]found{}}
	if err := w.load(p.members); err != nil {
		return false
	}
	text := buffers.Get().(*[]byte)
	w.to = (*text)[:0]
	err := w.members(p.members, p.closing)
	for _, f := range w.found {
		f.free()
	}
	*text = w.to
	if err != nil {
		buffers.Put(text)
		return false
	}
	p.text = text
	return true
}

// MarshalGQL implements graphql.Marshaler. It is called once.
func (p *Plan) MarshalGQL(w io.Writer) {
	_, _ = w.Write(*p.text) // a write to a buffer
	buffers.Put(p.text)
	p.text = nil
}

// writing is an answer that is being written.
type writing struct {
	ctx   context.Context
	page  Page
	found map[*object]found
	to    []byte
}

// found are the rows of the page as one of its members selects them.
type found struct {
	*rows
	order []int
}

// load reads what the members select of the page's rows.
func (w *writing) load(list []member) error {
	for _, m := range list {
		if err := w.load(m.members); err != nil {
			return err
		}
		if m.object == nil {
			continue
		}
		f, err := w.find(m.object)
		if err != nil {
			return err
		}
		w.found[m.object] = f
	}
	return nil
}

func (w *writing) find(o *object) (found, error) {
	if w.page.Rows != nil {
		r, err := o.load(w.ctx, w.page.Rows, nil, "")
		return found{r, numbered(len(r.ids))}, err
	}
	if len(w.page.IDs) == 0 {
		return found{rows: &rows{object: o}}, nil
	}
	sorted := slices.Sorted(slices.Values(w.page.IDs))
	r, err := o.load(w.ctx, o.table.Rows, among(o.columns[0], sorted), "")
	if err != nil {
		return found{}, err
	}
	place := make(map[int]int, len(r.ids))
	for row, id := range r.ids {
		place[id] = row
	}
	f := found{rows: r}
	for _, id := range w.page.IDs {
		row, ok := place[id]
		if !ok { // it went in the meantime
			return found{}, errStandBack
		}
		f.order = append(f.order, row)
	}
	return f, nil
}

// numbered returns the numbers from 0 up to n.
func numbered(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

func (w *writing) members(list []member, closing string) error {
	for _, m := range list {
		w.to = append(w.to, m.key...)
		if err := w.member(m); err != nil {
			return err
		}
	}
	w.to = append(w.to, closing...)
	return nil
}

func (w *writing) member(m member) error {
	switch m.name {
	case "__typename":
		w.to = append(w.to, m.text...)
	case "totalCount":
		n, err := w.total()
		w.to = strconv.AppendInt(w.to, int64(n), 10)
		return err
	case "nodes":
		f := w.found[m.object]
		w.list(len(f.order), func(i int) { w.to = f.append(w.to, f.order[i]) })
	case "edges":
		w.list(len(w.page.IDs), func(i int) { w.edge(m, i) })
	case "pageInfo":
		return w.members(m.members, m.closing)
	case "hasNextPage":
		w.to = strconv.AppendBool(w.to, w.page.Info.HasNextPage)
	case "hasPreviousPage":
		w.to = strconv.AppendBool(w.to, w.page.Info.HasPreviousPage)
	case "startCursor":
		w.cursor(w.page.Info.StartCursor)
	case "endCursor":
		w.cursor(w.page.Info.EndCursor)
	}
	return nil
}

func (w *writing) total() (int, error) {
	for _, f := range w.found {
		if n := len(f.order); n < w.page.Limit {
			return n, nil
		}
	}
	return w.page.Total(w.ctx)
}

// list writes a list of n elements.
func (w *writing) list(n int, element func(i int)) {
	w.to = append(w.to, '[')
	for i := range n {
		if i > 0 {
			w.to = append(w.to, ',')
		}
		element(i)
	}
	w.to = append(w.to, ']')
}

// edge writes an edge of a connection.
func (w *writing) edge(edges member, i int) {
	for _, m := range edges.members {
		w.to = append(w.to, m.key...)
		switch m.name {
		case "node":
			f := w.found[m.object]
			w.to = f.append(w.to, f.order[i])
		case "cursor":
			w.cursor(&w.page.Cursors[i])
		default:
			w.to = append(w.to, m.text...)
		}
	}
	w.to = append(w.to, edges.closing...)
}

func (w *writing) cursor(c *entgql.Cursor[int]) {
	if c == nil {
		w.to = append(w.to, "null"...)
		return
	}
	c.MarshalGQL((*appender)(&w.to))
}

// An appender is a writer that appends.
type appender []byte

func (a *appender) Write(p []byte) (int, error) {
	*a = append(*a, p...)
	return len(p), nil
}
