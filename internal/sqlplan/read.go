package sqlplan

import (
	"context"
	stdsql "database/sql"
	"errors"
	"slices"
	"strconv"

	"entgo.io/ent/dialect/sql"

	"workforce/internal/database"
	"workforce/internal/operation"
)

// errFallBack says that gqlgen must answer the field.
var errFallBack = errors.New("sqlplan: gqlgen must answer")

// errTooLarge says that the rows are more than an answer may hold.
var errTooLarge = errors.New("sqlplan: too large")

// An answer is a page that was read.
type answer struct {
	page  Page
	total int // rows of all pages, if totalCount is selected
	rows  map[*object]*rows
	limit *operation.Answer
}

// A reader reads one answer.
type reader struct {
	ctx   context.Context
	query Querier
	answer
	counted bool // totalCount is selected
}

// read reads everything that the answer of a plan is written of.
func read(ctx context.Context, p *Plan, page Page) (_ *answer, err error) {
	r := reader{ctx: ctx, query: p.query}
	r.answer = answer{page: page, rows: map[*object]*rows{}, limit: operation.AnswerFrom(ctx)}
	r.counted = slices.ContainsFunc(p.members, func(m member) bool { return m.name == "totalCount" })
	if page.Connection != nil {
		if r.page, err = page.Connection(p.idsOnly(ctx)); err != nil {
			return nil, err
		}
	}
	if err := r.loadMembers(p.members); err != nil {
		return nil, err
	}
	return &r.answer, r.countAll()
}

// loadMembers reads the rows for every member that selects any.
func (r *reader) loadMembers(list []member) error {
	for _, m := range list {
		if err := r.loadMembers(m.members); err != nil {
			return err
		}
		if m.object == nil {
			continue
		}
		page, err := r.loadPage(m.object)
		if err != nil {
			return err
		}
		r.rows[m.object] = page
	}
	return nil
}

// loadPage reads the rows of the page, in order, with the columns of one object.
func (r *reader) loadPage(o *object) (*rows, error) {
	if err := r.readIDs(o); err != nil {
		return nil, err
	}
	ids := r.page.IDs
	if len(ids) == 0 {
		return &rows{object: o}, nil
	}
	s, err := r.selectPage(o)
	if err != nil {
		return nil, err
	}
	out, err := r.load(o, s, len(ids), "")
	if err != nil {
		return nil, err
	}
	out.indexByID()
	for _, id := range ids {
		at, ok := out.index[id]
		if !ok { // deleted since its id was read
			return nil, errFallBack
		}
		out.order = append(out.order, at.from)
	}
	return out, nil
}

// selectPage returns the statement of the rows whose ids were read. Many rows that lie
// far apart are read by the list's own statement again.
func (r *reader) selectPage(o *object) (*sql.Selector, error) {
	if r.page.List != nil && len(r.page.IDs) > maxPointLookups && !dense(r.page.IDs) {
		s, err := r.page.List(r.ctx)
		if err != nil {
			return nil, err
		}
		return s.Offset(r.page.Offset).Limit(r.page.Limit), nil
	}
	return r.selectIn(o.table.Rows, o.columns[0], r.page.IDs)
}

// readIDs reads the ids of a list's page, once, as an index gives them, and with those
// of a short page how many rows all pages have.
func (r *reader) readIDs(o *object) error {
	if r.page.List == nil || r.page.IDs != nil {
		return nil
	}
	s, err := r.page.List(r.ctx)
	if err != nil {
		return err
	}
	count := s.Clone().ClearOrder().Count()
	s.Select(s.C(o.columns[0])).Offset(r.page.Offset).Limit(r.page.Limit)
	if r.counted && r.page.Limit <= maxPointLookups { // a long list mostly ends before its limit
		s.AppendSelectExpr(sql.ExprFunc(func(b *sql.Builder) { b.Wrap(func(b *sql.Builder) { b.Join(count) }) }))
	}
	r.page.IDs = make([]int, 0, min(r.page.Limit, 4*maxPointLookups))
	return r.each(s, func(values []stdsql.RawBytes) error {
		id, err := parseID(values[0])
		r.page.IDs = append(r.page.IDs, id)
		if err == nil && len(values) > 1 {
			r.total, err = strconv.Atoi(string(values[1]))
		}
		return err
	})
}

// countAll counts the rows of all pages where they are asked for.
func (r *reader) countAll() (err error) {
	n := len(r.page.IDs)
	switch short := r.page.IDs != nil && n < r.page.Limit; {
	case !r.counted || r.total > 0:
	case short && (n > 0 || r.page.Offset == 0):
		r.total = r.page.Offset + n
	default:
		r.total, err = r.page.Total(r.ctx)
	}
	return err
}

// each runs a statement and calls f with the columns of each row, which are valid during
// the call only. The first column must be a number: of an empty text at the beginning,
// database/sql makes NULL.
func (r *reader) each(s *sql.Selector, f func(values []stdsql.RawBytes) error) error {
	query, args := s.Query()
	if err := s.Err(); err != nil {
		return err
	}
	found, err := r.query(r.ctx, query, args...)
	if err != nil {
		return err
	}
	defer found.Close()
	columns, err := found.Columns()
	if err != nil {
		return err
	}
	values, into := make([]stdsql.RawBytes, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for found.Next() {
		if err := found.Scan(into...); err != nil {
			return err
		}
		if err := f(values); err != nil {
			return err
		}
	}
	return found.Err()
}

// rows are objects that were read, each as JSON with a placeholder for every edge.
type rows struct {
	object       *object
	ids          []int
	text         []byte
	spans        []span        // by row: its part of text
	placeholders []placeholder // in order of the rows
	children     []*rows       // by edge
	parents      []int         // by row: the id of the parent, where an Inverse column led here

	index map[int]span // by the key of an edge that leads here, or the id: part of order if many, else one row
	many  bool         // of an edge to many
	order []int        // positions of rows, in the order of the page or of the index
}

// A span is a part of a list.
type span struct{ from, to int }

// A placeholder is where the objects at the end of an edge are inserted. Each row has
// one for each edge, in order.
type placeholder struct {
	at  int // in the text
	key int // of the objects: the id in the edge's Column or of the row; 0 for none
}

// load reads the rows of a statement, about as many as expected, and what their edges lead
// to. Where parentColumn names a column, its ids are kept as parents.
func (r *reader) load(o *object, s *sql.Selector, expected int, parentColumn string) (*rows, error) {
	out := &rows{
		object: o, ids: make([]int, 0, expected), spans: make([]span, 0, expected),
		placeholders: make([]placeholder, 0, expected*len(o.edges)),
	}
	parent := slices.Index(o.columns, parentColumn)
	err := r.each(s.Select(s.Columns(o.columns...)...), func(values []stdsql.RawBytes) error {
		if parent >= 0 {
			id, err := parseID(values[parent])
			if err != nil {
				return err
			}
			out.parents = append(out.parents, id)
		}
		out.reserve(expected)
		if err := out.add(values); err != nil {
			return err
		}
		if !r.limit.Fits(len(out.text)) {
			return errTooLarge
		}
		return nil
	})
	if err != nil || len(out.ids) == 0 {
		return out, err
	}
	for i, e := range o.edges {
		children, err := r.loadEdge(e, out.keys(i))
		if err != nil {
			return nil, err
		}
		out.children = append(out.children, children)
	}
	return out, nil
}

// reserve makes room for the text of another row: for as many as expected by the first one,
// then for twice as much. append alone would add a quarter each time, and copy a long text
// five times.
func (r *rows) reserve(expected int) {
	used := len(r.text)
	switch free := cap(r.text) - used; {
	case len(r.ids) == 1:
		r.text = slices.Grow(r.text, min(used*expected*9/8, maxSize))
	case free < used/max(1, len(r.ids)):
		r.text = slices.Grow(r.text, used)
	}
}

// add writes one row.
func (r *rows) add(values []stdsql.RawBytes) error {
	id, err := parseID(values[0])
	if err != nil {
		return err
	}
	from, ok := len(r.text), true
	for i := range r.object.parts {
		p := &r.object.parts[i]
		r.text = append(r.text, p.key...)
		switch value := values[p.column]; {
		case p.text != "":
			r.text = append(r.text, p.text...)
		case p.edge >= 0:
			key := id
			if e := r.object.edges[p.edge]; e.Column != "" {
				if key, err = parseID(values[e.column]); err != nil {
					return err
				}
			}
			r.placeholders = append(r.placeholders, placeholder{len(r.text), key})
		case p.derived != nil:
			of := make([][]byte, len(p.from))
			for i, column := range p.from {
				of[i] = values[column]
			}
			r.text, ok = p.derived.Write(r.text, of)
		case value == nil && p.null:
			r.text = append(r.text, "null"...)
		default:
			r.text, ok = p.write(r.text, value)
		}
		if !ok {
			return errFallBack
		}
	}
	r.text = append(r.text, r.object.closing...)
	r.ids, r.spans = append(r.ids, id), append(r.spans, span{from, len(r.text)})
	return nil
}

// parseID reads an id; NULL is 0.
func parseID(value []byte) (int, error) {
	if value == nil {
		return 0, nil
	}
	return strconv.Atoi(string(value))
}

// maxPointLookups is how many ids, of a root list or of the parents of links, are
// looked up one by one. With more of them, a list whose ids lie far apart is read by
// its own query again, and links are read as one range of their parents' ids.
const maxPointLookups = 256

// dense reports whether ids lie so close together that reading the range of them is
// faster than looking up each: of 1,000 people, 0.34 in place of 0.82 ms of MariaDB.
func dense(ids []int) bool {
	return len(ids) > 8 && slices.Max(ids)-slices.Min(ids) < 2*len(ids)
}

// selectIn returns the statement of the rows with one of the ids in a column, and for
// dense ids also those with an id between them.
func (r *reader) selectIn(rows Rows, column string, ids []int) (*sql.Selector, error) {
	if dense(ids) {
		return r.selectBetween(rows, column, ids)
	}
	s, err := rows(r.ctx)
	if err != nil {
		return nil, err
	}
	return s.Where(database.In(s.C(column), ids)), nil
}

// selectBetween returns the statement of the rows from the least to the greatest of the ids.
func (r *reader) selectBetween(rows Rows, column string, ids []int) (*sql.Selector, error) {
	s, err := rows(r.ctx)
	if err != nil {
		return nil, err
	}
	return s.Where(sql.And(sql.GTE(s.C(column), slices.Min(ids)), sql.LTE(s.C(column), slices.Max(ids)))), nil
}
