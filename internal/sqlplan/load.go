package sqlplan

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"

	"workforce/internal/operation"
)

// errFallBack says that gqlgen must answer the field.
var errFallBack = errors.New("sqlplan: gqlgen must answer")

// errTooLarge says that the rows are more than an answer may hold.
var errTooLarge = errors.New("sqlplan: too large")

// rows are objects that were read, each as JSON with a placeholder for every edge.
type rows struct {
	object       *object
	ids          []int
	text         text
	spans        []chunkSpan   // by row: its part of text
	placeholders []placeholder // in order of the rows
	children     []*rows       // by edge
	parents      []int         // by row: the id of the parent, where an Inverse column led here
	more         []int         // of the first row: the columns after those of the object
	values       [][]byte      // of the derived field that is being written
	unordered    bool          // the rows of a parent are to be in order of their ids

	index  idIndex  // of the keys by which an edge leads here: in groups if many, else in rows; of a page: of its ids
	many   bool     // of an edge to many
	groups [][2]int // from and to in order
	order  []int    // positions of rows, in the order of the page or of the groups
}

// freeRows are reused, with their slices.
var freeRows = sync.Pool{New: func() any { return new(rows) }}

// newRows returns a list without rows, with room for about as many as expected.
func newRows(o *object, expected int) *rows {
	r := freeRows.Get().(*rows)
	r.object, r.ids, r.spans = o, slices.Grow(r.ids, expected), slices.Grow(r.spans, expected)
	r.placeholders = slices.Grow(r.placeholders, expected*len(o.edges))
	return r
}

// free has the rows and their children reused. They must have been written.
func (r *rows) free() {
	r.text.free()
	for _, child := range r.children {
		child.free()
	}
	clear(r.children)
	clear(r.values[:cap(r.values)])
	*r = rows{
		ids: r.ids[:0], text: r.text, spans: r.spans[:0], placeholders: r.placeholders[:0], children: r.children[:0],
		parents: r.parents[:0], values: r.values[:0], index: idIndex{array: r.index.array[:0]}, groups: r.groups[:0], order: r.order[:0],
	}
	freeRows.Put(r)
}

// A placeholder is where the objects at the end of an edge are inserted. Each row has
// one for each edge, in order.
type placeholder struct {
	at  int // in the row's chunk
	key int // of the objects: the id in the edge's Column or of the row; 0 for none
}

// load reads the rows that where selects, about as many as expected, and what their edges lead
// to. Where parentColumn names a column, its ids are kept as parents.
func (o *object) load(ctx context.Context, read Rows, where func(*sql.Selector), expected int, parentColumn string) (*rows, error) {
	out := newRows(o, expected)
	at, bytes, answer := slices.Index(o.columns, parentColumn), 0, operation.AnswerFrom(ctx)
	from := &reader{children: at >= 0}
	from.read = func(values [][]byte) error {
		if at >= 0 {
			parent, err := parseID(values[at])
			if err != nil {
				return err
			}
			out.parents = append(out.parents, parent)
		}
		if len(values) > len(o.columns) && out.more == nil {
			var err error
			if out.more, err = integers(values[len(o.columns):]); err != nil {
				return err
			}
		}
		n, err := out.add(values)
		if bytes += n; err == nil && !answer.Fits(bytes) {
			return errTooLarge
		}
		return err
	}
	err := from.each(ctx, read, o.readText(where), o.columns)
	out.unordered = from.unordered
	if err != nil || len(out.ids) == 0 {
		return out, err
	}
	for i, e := range o.edges {
		children, err := e.load(ctx, out.keys(i))
		if err != nil {
			return nil, err
		}
		out.children = append(out.children, children)
	}
	return out, nil
}

// readText has SQLite return instants as the text that it stores. Of a column that is declared
// as datetime, its driver parses each value, in another format first; of an expression it does not.
func (o *object) readText(where func(*sql.Selector)) func(*sql.Selector) {
	if !slices.ContainsFunc(o.columns, func(name string) bool { return o.table.instants[name] }) {
		return where
	}
	return func(s *sql.Selector) {
		if where != nil {
			where(s)
		}
		if s.Dialect() != dialect.SQLite {
			return
		}
		columns := s.SelectedColumns()
		for i, name := range o.columns {
			if o.table.instants[name] {
				columns[i] = "+" + columns[i]
			}
		}
		s.Select(columns...)
	}
}

// add appends one row, and returns how many bytes it takes up.
func (r *rows) add(values [][]byte) (bytes int, err error) {
	id, err := parseID(values[0])
	if err != nil {
		return 0, err
	}
	to := r.text.open()
	from, ok := len(to), true
	for i := range r.object.parts {
		p := &r.object.parts[i]
		to = append(to, p.key...)
		switch value := values[p.column]; {
		case p.text != "":
			to = append(to, p.text...)
		case p.edge >= 0:
			key := id
			if e := r.object.edges[p.edge]; e.Column != "" {
				if key, err = parseID(values[e.column]); err != nil {
					return 0, err
				}
			}
			r.placeholders = append(r.placeholders, placeholder{len(to), key})
		case p.derived != nil:
			r.values = r.values[:0]
			for _, column := range p.from {
				r.values = append(r.values, values[column])
			}
			if to, ok = p.derived.Write(to, r.values); !ok {
				return 0, errFallBack
			}
		case value == nil && p.null:
			to = append(to, "null"...)
		default:
			if to, ok = p.write(to, value); !ok {
				return 0, errFallBack
			}
		}
	}
	to = append(to, r.object.closing...)
	r.ids, r.spans = append(r.ids, id), append(r.spans, chunkSpan{r.text.close(to), from, len(to)})
	return len(to) - from, nil
}

// parseID reads an id; NULL is 0.
func parseID(value []byte) (int, error) {
	if value == nil {
		return 0, nil
	}
	return strconv.Atoi(string(value))
}

// size estimates how many bytes the rows take up with their placeholders filled.
func (r *rows) size() int {
	n := 0
	for _, chunk := range r.text {
		n += len(chunk)
	}
	for _, child := range r.children {
		times := len(r.ids)
		if child.many {
			times = len(child.order)
		}
		n += times*(child.size()/max(1, len(child.ids))+1) + 2*len(r.ids)
	}
	return n
}

// keys returns the keys by which an edge finds its objects, each once: the ids in
// its Column, or those of the rows.
func (r *rows) keys(edge int) []int {
	if r.object.edges[edge].Column == "" {
		return r.ids
	}
	keys := make([]int, 0, len(r.ids))
	for i := edge; i < len(r.placeholders); i += len(r.object.edges) {
		if key := r.placeholders[i].key; key != 0 {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// append appends one row with its placeholders filled.
func (r *rows) append(to []byte, row int) []byte {
	at, n := r.spans[row], len(r.object.edges)
	chunk, from := r.text[at.chunk], at.from
	for i, h := range r.placeholders[row*n : (row+1)*n] {
		to = append(to, chunk[from:h.at]...)
		to = r.children[i].appendOf(to, h.key)
		from = h.at
	}
	return append(to, chunk[from:at.to]...)
}

// appendOf appends the objects that an edge leads to from a key.
func (r *rows) appendOf(to []byte, key int) []byte {
	at, ok := r.index.get(key)
	switch {
	case r.many && !ok:
		return append(to, "[]"...)
	case !ok:
		return append(to, "null"...)
	case !r.many:
		return r.append(to, at)
	}
	to = append(to, '[')
	for i, row := range r.order[r.groups[at][0]:r.groups[at][1]] {
		if i > 0 {
			to = append(to, ',')
		}
		to = r.append(to, row)
	}
	return append(to, ']')
}

// load reads the objects that an edge leads to, by the keys of its placeholders.
func (e *edge) load(ctx context.Context, keys []int) (*rows, error) {
	switch {
	case e.Column != "":
		return e.loadOne(ctx, keys)
	case e.Links != nil:
		return e.loadThrough(ctx, keys)
	}
	r, err := e.target.load(ctx, e.target.table.Rows, whereIn(e.Inverse, keys), 0, e.Inverse)
	if err != nil {
		return nil, err
	}
	l := freeLinks.Get().(*links)
	defer l.free()
	for row, parent := range r.parents {
		l.pairs = append(l.pairs, pair{parent, row})
	}
	r.group(l.pairs)
	return r, nil
}

func (e *edge) loadOne(ctx context.Context, keys []int) (*rows, error) {
	if len(keys) == 0 {
		return newRows(e.target, 0), nil
	}
	r, err := e.target.load(ctx, e.target.table.Rows, whereIn(e.target.columns[0], keys), len(keys), "")
	if err != nil {
		return nil, err
	}
	r.index.set(r.ids)
	if e.nonNull { // gqlgen reports the missing object
		for _, key := range keys {
			if _, ok := r.index.get(key); !ok {
				return nil, errFallBack
			}
		}
	}
	return r, nil
}

// links are what is read of a link table: pairs of a parent and a target, and the ids of these.
type links struct {
	pairs []pair
	ids   []int
}

// freeLinks are reused.
var freeLinks = sync.Pool{New: func() any { return new(links) }}

func (l *links) free() {
	l.pairs, l.ids = l.pairs[:0], l.ids[:0]
	freeLinks.Put(l)
}

// loadThrough reads the rows of the link table, then the objects that they lead to.
// The objects of each row come in the order in which they were read.
func (e *edge) loadThrough(ctx context.Context, keys []int) (*rows, error) {
	l := freeLinks.Get().(*links)
	defer l.free()
	err := eachRow(ctx, e.Links, whereLinked(e.From, keys), []string{e.From, e.To}, func(values [][]byte) error {
		from, err := parseID(values[0])
		if err != nil {
			return err
		}
		to, err := parseID(values[1])
		l.pairs, l.ids = append(l.pairs, pair{from, to}), append(l.ids, to)
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(l.ids)
	ids := slices.Compact(l.ids)
	if len(ids) == 0 {
		r := newRows(e.target, 0)
		r.group(nil)
		return r, nil
	}
	id := e.target.columns[0]
	r, err := e.target.load(ctx, e.target.table.Rows, func(s *sql.Selector) {
		whereIn(id, ids)(s)
		if e.Order != "" {
			s.OrderBy(s.C(e.Order), s.C(id))
		}
	}, len(ids), "")
	if err != nil {
		return nil, err
	}
	r.index.set(r.ids)
	pairs := l.pairs[:0]
	for _, p := range l.pairs {
		if row, ok := r.index.get(p.row); ok {
			pairs = append(pairs, pair{p.key, row})
		}
	}
	r.group(pairs)
	return r, nil
}

// A pair says that a row is one of the children of a key.
type pair struct{ key, row int }

// group makes rows those of an edge to many, by their keys. The rows of one key keep their order,
// if they have one.
func (r *rows) group(pairs []pair) {
	sortPairs(pairs, r.before)
	r.many = true
	keys := r.parents[:0] // the pairs hold the parents, if there are any
	for i, p := range pairs {
		r.order = append(r.order, p.row)
		if i == 0 || p.key != pairs[i-1].key {
			keys, r.groups = append(keys, p.key), append(r.groups, [2]int{i, i})
		}
		r.groups[len(r.groups)-1][1] = i + 1
	}
	r.parents = keys
	r.index.set(keys)
}

// before reports whether a row comes before another one of the same parent.
func (r *rows) before(a, b int) bool {
	if r.unordered {
		return r.ids[a] < r.ids[b]
	}
	return a < b
}

// sortPairs sorts by key, then row. Pairs mostly come in the order of their keys, as
// an index gives them, so that an insertion sort within a key is enough.
func sortPairs(pairs []pair, before func(a, b int) bool) {
	byKey := func(a, b pair) int { return cmp.Compare(a.key, b.key) }
	if !slices.IsSortedFunc(pairs, byKey) {
		slices.SortStableFunc(pairs, byKey)
	}
	for i := range pairs {
		for j := i; j > 0 && pairs[j-1].key == pairs[j].key && before(pairs[j].row, pairs[j-1].row); j-- {
			pairs[j-1], pairs[j] = pairs[j], pairs[j-1]
		}
	}
}

// maxPointLookups is how many ids, of a root list or of the parents of links, are
// looked up one by one. With more of them, a list whose ids lie far apart is read by
// its own query again, and links are read as one range of their parents' ids.
const maxPointLookups = 256

// dense reports whether ids lie so close together that reading the range of them is
// faster than looking up each.
func dense(ids []int) bool {
	return len(ids) > 8 && slices.Max(ids)-slices.Min(ids) < 2*len(ids)
}

// whereIn selects the rows with one of the ids in a column, and for dense ids also
// those with an id between them.
func whereIn(column string, ids []int) func(*sql.Selector) {
	if dense(ids) {
		return whereBetween(column, ids)
	}
	return func(s *sql.Selector) {
		if s.Dialect() == dialect.SQLite { // one parameter, so that one prepared statement serves all lists
			s.Where(sql.ExprP(s.C(column)+" IN (SELECT value FROM json_each(?))", "["+joinIDs(ids)+"]"))
			return
		}
		s.Where(sql.ExprP(s.C(column) + " IN (" + joinIDs(ids) + ")"))
	}
}

// joinIDs returns ids as text of a statement: as arguments, each would cost an
// allocation and a conversion.
func joinIDs(ids []int) string {
	text := make([]byte, 0, 8*len(ids))
	for i, id := range ids {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, int64(id), 10)
	}
	return string(text)
}

// whereLinked is whereIn for the parent column of a link table: the ids of one
// company lie close together in the index, which begins with the company.
func whereLinked(column string, ids []int) func(*sql.Selector) {
	if len(ids) <= maxPointLookups {
		return whereIn(column, ids)
	}
	return whereBetween(column, ids)
}

// whereBetween selects the rows from the least to the greatest of the ids.
func whereBetween(column string, ids []int) func(*sql.Selector) {
	low, high := slices.Min(ids), slices.Max(ids)
	return func(s *sql.Selector) { s.Where(sql.And(sql.GTE(s.C(column), low), sql.LTE(s.C(column), high))) }
}
