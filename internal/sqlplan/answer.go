package sqlplan

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"entgo.io/ent/dialect/sql"
	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"workforce/ent/entgql"
	"workforce/internal/operation"
)

// A Page tells what to read for a list or a connection.
type Page struct {
	// Connection runs ent's query of a connection, with the selection of its context,
	// and returns the page without it. Nil for a list.
	Connection func(context.Context) (Page, error)
	// List reads the rows of a list. Nil for a connection.
	List List
	// Offset is how many rows of the list come before the page, Limit the most that
	// the page has, or that are read of a connection.
	Offset, Limit int
	// IDs of the rows, in order. For a list they are read.
	IDs []int

	// Total counts the rows of all pages. It is called if totalCount is selected
	// and the rows that were read do not tell.
	Total func(context.Context) (int, error)

	Cursors []entgql.Cursor[int] // by row; nil for a list
	Info    entgql.PageInfo[int]
}

// A List runs the ent query of a list for some columns of some rows, in the list's
// order, which is one of columns. The function last changes the statement when all
// else of it is set.
type List func(ctx context.Context, where, last func(*sql.Selector), columns ...string) error

// A Plan is the compiled selection of one root field of one request: a list
// (totalCount and nodes) or a connection. Answer gives it the text of the answer.
type Plan struct {
	*envelope
	counts *counts
	loan   *operation.Loan // of the operation's buffers; nil for none
	text   *[]byte         // headroom bytes, then the answer as JSON; nil until there is one
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
	p := &Plan{envelope: compiled.envelope, counts: c.counts, loan: operation.LoanFrom(ctx)}
	if p.envelope != nil {
		ctx = context.WithValue(ctx, planKey{}, p)
	}
	res, err := next(ctx)
	if err == nil && (p.text != nil || compiled.writeValue(ctx, p, res)) {
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

// headroom is how many bytes are free before the text of an answer, for what gqlgen writes before it: the
// field's key.
const headroom = 64

// newText returns a buffer whose text is empty.
func newText() *[]byte {
	text := operation.Buffer()
	*text = append((*text)[:0], make([]byte, headroom)...)
	return text
}

// Answer reads a page and writes it as the answer of the field. It returns false,
// also after an error, if gqlgen must answer: the resolver then returns what it
// would return without a plan.
func (p *Plan) Answer(ctx context.Context, page Page) bool {
	w := answerWriter{ctx: ctx, plan: p, page: page, rows: map[*object]*rows{}, answer: operation.AnswerFrom(ctx)}
	w.counted = slices.ContainsFunc(p.members, func(m member) bool { return m.name == "totalCount" })
	defer w.release()
	if err := w.loadAll(p.members); err != nil {
		return errors.Is(err, errTooLarge) && p.drop(&w)
	}
	text := newText()
	w.to = slices.Grow(*text, min(w.size(), operation.MaxAnswer))
	err := w.members(p.members, p.closing)
	for _, f := range w.rows {
		f.free()
	}
	*text = w.to
	if err != nil {
		operation.Free(text)
		return errors.Is(err, errTooLarge) && p.drop(&w)
	}
	p.text = text
	return true
}

// drop answers with null, and has the whole answer dropped. It returns true.
func (p *Plan) drop(w *answerWriter) bool {
	w.answer.Add(operation.MaxAnswer + 1)
	p.text = newText()
	*p.text = append(*p.text, "null"...)
	return true
}

// MarshalGQL implements graphql.Marshaler. It must be called only once. Where gqlgen's buffer holds no more
// than the field's key, it is the text's own buffer from now on, on loan, so that no answer is copied.
func (p *Plan) MarshalGQL(w io.Writer) {
	text := *p.text
	if b, ok := w.(*bytes.Buffer); ok && p.loan != nil && b.Len() <= headroom {
		from := headroom - b.Len()
		copy(text[from:], b.Bytes())
		*b = *bytes.NewBuffer(text[from:])
		p.loan.Buffers = append(p.loan.Buffers, p.text)
	} else {
		_, _ = w.Write(text[headroom:]) // a write to a buffer
		operation.Free(p.text)
	}
	p.text = nil
}

// An answerWriter reads and writes one answer.
type answerWriter struct {
	ctx  context.Context
	plan *Plan
	page Page
	rows map[*object]*rows
	to   []byte
	long bool // it holds one of longListSlots

	counted  bool // totalCount is selected
	counting counting
	total    int // that came with the rows; 0 for none

	answer *operation.Answer
}

// longListSlots limits how many long lists are written at once: each takes up
// megabytes, and more of them in parallel do not finish sooner.
var longListSlots = make(chan struct{}, 4)

// longListRows is the number of rows from which a list is long.
const longListRows = 2000

// acquire waits for a slot if the page is a long list. The error is the context's.
func (w *answerWriter) acquire() error {
	if w.long || len(w.page.IDs) < longListRows {
		return nil
	}
	select {
	case longListSlots <- struct{}{}:
		w.long = true
		return nil
	case <-w.ctx.Done():
		return w.ctx.Err()
	}
}

// release gives back the slot of a long list.
func (w *answerWriter) release() {
	if w.long {
		<-longListSlots
	}
}

// size estimates how many bytes the answer will have.
func (w *answerWriter) size() int {
	n := 1 << 10
	for _, f := range w.rows {
		n += f.size() + len(f.order)
	}
	return n + n/8
}

// loadAll reads everything that is written.
func (w *answerWriter) loadAll(list []member) error {
	err := w.load(list)
	if err == nil && w.page.Connection != nil { // no rows are selected
		w.page, err = w.page.Connection(w.plan.idsOnly(w.ctx))
	}
	return err
}

// load reads the rows for every member that selects any.
func (w *answerWriter) load(list []member) error {
	for _, m := range list {
		if err := w.load(m.members); err != nil {
			return err
		}
		if m.object == nil {
			continue
		}
		f, err := w.loadObject(m.object)
		if err != nil {
			return err
		}
		w.rows[m.object] = f
	}
	return nil
}

// loadObject reads the rows of the page with the columns of one object.
func (w *answerWriter) loadObject(o *object) (*rows, error) {
	switch {
	case w.page.Connection != nil:
		return w.loadConnection(o)
	case w.page.List != nil && w.page.IDs == nil && w.page.Limit <= maxPointLookups:
		return w.loadPage(o)
	}
	if err := w.readIDs(o); err != nil || len(w.page.IDs) == 0 {
		return newRows(o, 0), err
	}
	if err := w.acquire(); err != nil {
		return nil, err
	}
	read, where := o.table.Rows, whereIn(o.columns[0], w.page.IDs)
	if w.page.List != nil && len(w.page.IDs) > maxPointLookups && !dense(w.page.IDs) {
		read, where = w.readList(w.part), nil
	}
	r, err := o.load(w.ctx, read, where, len(w.page.IDs), "")
	if err != nil {
		return nil, err
	}
	return w.ordered(r)
}

// ordered returns rows in the order of the page.
func (w *answerWriter) ordered(r *rows) (*rows, error) {
	r.index.set(r.ids)
	for _, id := range w.page.IDs {
		row, ok := r.index.get(id)
		if !ok { // deleted since its id was read
			return nil, errFallBack
		}
		r.order = append(r.order, row)
	}
	return r, nil
}

// loadConnection reads the rows of a connection in the statement by which ent finds
// their ids. There is one row more than in the page where others follow.
func (w *answerWriter) loadConnection(o *object) (*rows, error) {
	query := w.page.Connection
	read := func(ctx context.Context, _ func(*sql.Selector), _ ...string) (err error) {
		ctx.Value(readerKey{}).(*reader).added = o
		w.page, err = query(w.plan.idsOnly(ctx))
		return err
	}
	r, err := o.load(w.ctx, read, nil, w.page.Limit, "")
	if err != nil {
		return nil, err
	}
	return w.ordered(r)
}

// loadPage reads the rows of a short page, and how many all pages have, in one statement.
func (w *answerWriter) loadPage(o *object) (*rows, error) {
	joined := func(s *sql.Selector) { w.join(s, o.columns[0]) }
	r, err := o.load(w.ctx, w.readList(joined), nil, w.page.Limit, "")
	if err != nil {
		return nil, err
	}
	for i := range r.ids {
		r.order = append(r.order, i)
	}
	w.page.IDs = r.ids
	if w.counted {
		w.total, _ = w.counting.total(r.more)
	}
	return r, nil
}

// readList returns the rows of the list, of which last selects a part.
func (w *answerWriter) readList(last func(*sql.Selector)) Rows {
	return func(ctx context.Context, where func(*sql.Selector), columns ...string) error {
		return w.page.List(ctx, where, last, columns...)
	}
}

// part selects the rows of the page.
func (w *answerWriter) part(s *sql.Selector) { s.Offset(w.page.Offset).Limit(w.page.Limit) }

// join has a statement of the list read the rows of the page by their ids, which an
// index gives, and where the total is selected, what counts them in further columns. The limit is
// part of the text, since SQLite plans a statement again for each value of one; the
// offset is none, so that one text serves all pages.
func (w *answerWriter) join(s *sql.Selector, id string) {
	if w.counted {
		w.counting = w.plan.counts.add(w.ctx, s)
	}
	order := strings.Join(s.OrderColumns(), ", ") + " LIMIT " + strconv.Itoa(w.page.Limit) + " OFFSET "
	page := s.Clone().Select(s.C(id)).ClearOrder().OrderExpr(sql.ExprFunc(func(b *sql.Builder) { b.WriteString(order).Arg(w.page.Offset) }))
	sorted := sortedBy(s, page, id)
	s.SetP(nil).Join(page.As("page")).On(s.C(id), page.C(id))
	if len(sorted) > 0 {
		s.ClearOrder().OrderBy(sorted...)
	}
}

// sortedBy has a page of ids select the other columns of its order, and returns the order by
// these: MariaDB then sorts the ids alone, and not the rows in a table on disk. It returns nil
// for another order than by columns.
func sortedBy(s, page *sql.Selector, id string) (sorted []string) {
	var columns []string
	for _, term := range s.OrderColumns() {
		column, descending := strings.CutSuffix(strings.TrimSuffix(term, " ASC"), " DESC")
		name, ok := strings.CutPrefix(column, strings.TrimSuffix(s.C(id), "`"+id+"`"))
		if !ok || strings.IndexByte(name[1:], '`') != len(name)-2 {
			return nil
		}
		if column != s.C(id) {
			columns = append(columns, column)
		}
		if name = "`page`." + name; descending {
			name += " DESC"
		}
		sorted = append(sorted, name)
	}
	page.AppendSelect(columns...)
	return sorted
}

// readIDs reads the ids of a list's page, once.
func (w *answerWriter) readIDs(o *object) error {
	if w.page.List == nil || w.page.IDs != nil {
		return nil
	}
	w.page.IDs = make([]int, 0, min(w.page.Limit, 4*maxPointLookups))
	return eachRow(w.ctx, w.readList(w.part), nil, o.columns[:1], func(values [][]byte) error {
		id, err := parseID(values[0])
		w.page.IDs = append(w.page.IDs, id)
		return err
	})
}

func (w *answerWriter) members(list []member, closing string) error {
	for _, m := range list {
		w.to = append(w.to, m.key...)
		if err := w.member(m); err != nil {
			return err
		}
	}
	w.to = append(w.to, closing...)
	return nil
}

func (w *answerWriter) member(m member) error {
	switch m.name {
	case "__typename":
		w.to = append(w.to, m.text...)
	case "totalCount":
		n, err := w.countAll()
		w.to = strconv.AppendInt(w.to, int64(n), 10)
		return err
	case "nodes":
		f := w.rows[m.object]
		return w.list(len(f.order), func(i int) { w.to = f.append(w.to, f.order[i]) })
	case "edges":
		return w.list(len(w.page.IDs), func(i int) { w.edge(m, i) })
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

// countAll returns the number of rows on all pages.
func (w *answerWriter) countAll() (int, error) {
	n := len(w.page.IDs)
	switch short := w.page.IDs != nil && n < w.page.Limit; {
	case w.total > 0:
		return w.total, nil
	case short && (n > 0 || w.page.Offset == 0):
		return w.page.Offset + n, nil
	}
	return w.page.Total(w.ctx)
}

// list writes n elements as a JSON array.
func (w *answerWriter) list(n int, element func(i int)) error {
	w.to = append(w.to, '[')
	for i := range n {
		if i > 0 {
			w.to = append(w.to, ',')
		}
		from := len(w.to)
		element(i)
		if !w.answer.Add(len(w.to) - from) {
			return errTooLarge
		}
	}
	w.to = append(w.to, ']')
	return nil
}

// edge writes an edge of a connection.
func (w *answerWriter) edge(edges member, i int) {
	for _, m := range edges.members {
		w.to = append(w.to, m.key...)
		switch m.name {
		case "node":
			f := w.rows[m.object]
			w.to = f.append(w.to, f.order[i])
		case "cursor":
			w.cursor(&w.page.Cursors[i])
		default:
			w.to = append(w.to, m.text...)
		}
	}
	w.to = append(w.to, edges.closing...)
}

func (w *answerWriter) cursor(c *entgql.Cursor[int]) {
	if c == nil {
		w.to = append(w.to, "null"...)
		return
	}
	c.MarshalGQL((*appender)(&w.to))
}

// An appender is an io.Writer that appends to a byte slice.
type appender []byte

func (a *appender) Write(p []byte) (int, error) {
	*a = append(*a, p...)
	return len(p), nil
}
