package sqlplan

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

// A Page is what a list or a connection holds.
type Page struct {
	// Rows reads the page, in order. Its ids are read first, as an index tells
	// them, and then the rows by these. For a connection, IDs has them already.
	Rows  Rows
	Limit int // of Rows, where it begins with the first: fewer are all there are
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
	*envelope
	text *[]byte // the answer, once there is one
}

// An envelope is what stands around rows.
type envelope struct {
	members []member
	closing string
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
	compiled := c.of(graphql.GetOperationContext(ctx), fc.Field)
	p := &Plan{envelope: compiled.envelope}
	if p.envelope != nil {
		ctx = context.WithValue(ctx, planKey{}, p)
	}
	res, err := next(ctx)
	if err == nil && (p.text != nil || compiled.answers(ctx, p, res)) {
		return p, nil
	}
	return res, err
}

// From returns the plan of the root field that is being resolved; nil for none.
func From(ctx context.Context) *Plan {
	p, _ := ctx.Value(planKey{}).(*Plan)
	return p
}

// compile returns what stands around the rows of a list or connection; nil where
// gqlgen must answer.
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
	defer w.leave()
	if err := w.load(p.members); err != nil {
		return false
	}
	text := buffers.Get().(*[]byte)
	w.to = slices.Grow((*text)[:0], w.size())
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
	long  bool // it holds one of longLists
}

// longLists are those that are written at a time: each takes up megabytes, and
// more of them at once are no sooner done.
var longLists = make(chan struct{}, 4)

// longList is from how many rows a list is one of them.
const longList = 2000

// enter waits until there is room for another long list, if the page is one.
func (w *writing) enter() error {
	if w.long || len(w.page.IDs) < longList {
		return nil
	}
	select {
	case longLists <- struct{}{}:
		w.long = true
		return nil
	case <-w.ctx.Done():
		return w.ctx.Err()
	}
}

func (w *writing) leave() {
	if w.long {
		<-longLists
	}
}

// size returns about how many bytes the answer will have.
func (w *writing) size() int {
	n := 1 << 10
	for _, f := range w.found {
		n += f.size() + len(f.order)
	}
	return n + n/8
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
	if err := w.number(o); err != nil || len(w.page.IDs) == 0 {
		return found{rows: &rows{object: o}}, err
	}
	if err := w.enter(); err != nil {
		return found{}, err
	}
	read, where := o.table.Rows, among(o.columns[0], w.page.IDs)
	if w.page.Rows != nil && len(w.page.IDs) > few && !dense(w.page.IDs) {
		read, where = w.page.Rows, nil
	}
	r, err := o.load(w.ctx, read, where, "")
	if err != nil {
		return found{}, err
	}
	f, place := found{rows: r, order: make([]int, 0, len(w.page.IDs))}, placesOf(r.ids)
	for _, id := range w.page.IDs {
		row, ok := place.get(id)
		if !ok { // it went in the meantime
			return found{}, errStandBack
		}
		f.order = append(f.order, row)
	}
	return f, nil
}

// number finds out the ids of the page, once.
func (w *writing) number(o *object) error {
	if w.page.Rows == nil || w.page.IDs != nil {
		return nil
	}
	w.page.IDs = []int{}
	return each(w.ctx, w.page.Rows, nil, o.columns[:1], func(values [][]byte) error {
		id, err := number(values[0])
		w.page.IDs = append(w.page.IDs, id)
		return err
	})
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
	if n := len(w.page.IDs); w.page.IDs != nil && n < w.page.Limit {
		return n, nil
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
