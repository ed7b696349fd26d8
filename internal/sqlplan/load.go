package sqlplan

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"

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
	children     []edgeRows    // by edge
	parents      []int         // by row: the id of the parent, where an Inverse column led here
	more         []int         // of the first row: the columns after those of the object
	values       [][]byte      // of the derived field that is being written
	unordered    bool          // the rows of a parent are to be in order of their ids
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
	out := &rows{
		object: o, ids: make([]int, 0, expected), spans: make([]chunkSpan, 0, expected),
		placeholders: make([]placeholder, 0, expected*len(o.edges)),
	}
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

// free returns the chunks of the rows and of their children to the pool. The rows
// must have been written.
func (r *rows) free() {
	r.text.free()
	for _, t := range r.children {
		t.rows.free()
	}
}

// size estimates how many bytes the rows take up with their placeholders filled.
func (r *rows) size() int {
	n := 0
	for _, chunk := range r.text {
		n += len(chunk)
	}
	for _, t := range r.children {
		times := len(t.list)
		if t.groups == nil {
			times = len(r.ids)
		}
		n += times*(t.rows.size()/max(1, len(t.rows.ids))+1) + 2*len(r.ids)
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
		to = r.children[i].append(to, h.key)
		from = h.at
	}
	return append(to, chunk[from:at.to]...)
}

// edgeRows are the objects that an edge leads to, by the keys of its placeholders.
type edgeRows struct {
	rows   *rows
	index  idIndex  // of the keys: in rows for an edge to one, in groups for an edge to many
	groups [][2]int // from and to in list; nil for an edge to one
	list   []int    // rows
}

func (t edgeRows) append(to []byte, key int) []byte {
	at, ok := t.index.get(key)
	switch {
	case t.groups != nil && !ok:
		return append(to, "[]"...)
	case !ok:
		return append(to, "null"...)
	case t.groups == nil:
		return t.rows.append(to, at)
	}
	to = append(to, '[')
	for i, row := range t.list[t.groups[at][0]:t.groups[at][1]] {
		if i > 0 {
			to = append(to, ',')
		}
		to = t.rows.append(to, row)
	}
	return append(to, ']')
}

// load reads the objects that an edge leads to, by the keys of its placeholders.
func (e *edge) load(ctx context.Context, keys []int) (edgeRows, error) {
	switch {
	case e.Column != "":
		return e.loadOne(ctx, keys)
	case e.Links != nil:
		return e.loadThrough(ctx, keys)
	}
	r, err := e.target.load(ctx, e.target.table.Rows, whereIn(e.Inverse, keys), 0, e.Inverse)
	if err != nil {
		return edgeRows{}, err
	}
	pairs := make([]pair, len(r.ids))
	for row, parent := range r.parents {
		pairs[row] = pair{parent, row}
	}
	return groupRows(r, pairs), nil
}

func (e *edge) loadOne(ctx context.Context, keys []int) (edgeRows, error) {
	t := edgeRows{rows: &rows{object: e.target}}
	if len(keys) == 0 {
		return t, nil
	}
	var err error
	if t.rows, err = e.target.load(ctx, e.target.table.Rows, whereIn(e.target.columns[0], keys), len(keys), ""); err != nil {
		return t, err
	}
	t.index = newIDIndex(t.rows.ids)
	if e.nonNull { // gqlgen reports the missing object
		for _, key := range keys {
			if _, ok := t.index.get(key); !ok {
				return t, errFallBack
			}
		}
	}
	return t, nil
}

// loadThrough reads the rows of the link table, then the objects that they lead to.
// The objects of each row come in the order in which they were read.
func (e *edge) loadThrough(ctx context.Context, keys []int) (edgeRows, error) {
	links := make([]pair, 0, len(keys))
	err := eachRow(ctx, e.Links, whereLinked(e.From, keys), []string{e.From, e.To}, func(values [][]byte) error {
		from, err := parseID(values[0])
		if err != nil {
			return err
		}
		to, err := parseID(values[1])
		links = append(links, pair{from, to})
		return err
	})
	if err != nil {
		return edgeRows{}, err
	}
	ids := make([]int, len(links))
	for i, l := range links {
		ids[i] = l.row
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if len(ids) == 0 {
		return groupRows(&rows{object: e.target}, nil), nil
	}
	id := e.target.columns[0]
	r, err := e.target.load(ctx, e.target.table.Rows, func(s *sql.Selector) {
		whereIn(id, ids)(s)
		if e.Order != "" {
			s.OrderBy(s.C(e.Order), s.C(id))
		}
	}, len(ids), "")
	if err != nil {
		return edgeRows{}, err
	}
	index := newIDIndex(r.ids)
	pairs := links[:0]
	for _, l := range links {
		if row, ok := index.get(l.row); ok {
			pairs = append(pairs, pair{l.key, row})
		}
	}
	return groupRows(r, pairs), nil
}

// A pair says that a row is one of the children of a key.
type pair struct{ key, row int }

// groupRows returns rows by their keys. The rows of one key keep their order, if they have one.
func groupRows(r *rows, pairs []pair) edgeRows {
	sortPairs(pairs, r.before)
	t := edgeRows{rows: r, groups: make([][2]int, 0, len(pairs)), list: make([]int, len(pairs))}
	keys := make([]int, 0, len(pairs))
	for i, p := range pairs {
		t.list[i] = p.row
		if i == 0 || p.key != pairs[i-1].key {
			keys, t.groups = append(keys, p.key), append(t.groups, [2]int{i, i})
		}
		t.groups[len(t.groups)-1][1] = i + 1
	}
	t.index = newIDIndex(keys)
	return t
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
