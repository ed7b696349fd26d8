package sqlplan

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
)

// errStandBack says that gqlgen must answer.
var errStandBack = errors.New("plan: not a case for a plan")

// rows are the objects that were read, as JSON with holes where their edges lead.
type rows struct {
	object   *object
	ids      []int
	text     text
	spans    []chunkSpan // by row, in text
	holes    []hole      // in order of the rows
	behind   []targets   // by edge
	inverses []int       // by row: the id that the Inverse column of the edge hither holds
}

// A hole is where the objects at the end of an edge belong. Each row has one for
// each edge, in order.
type hole struct {
	at  int // in the row's chunk
	key int // whose they are; 0 is nobody's
}

// load reads the rows that where lets through, and all that lies behind them. An
// inverse is a column whose values are kept.
func (o *object) load(ctx context.Context, read Rows, where func(*sql.Selector), inverse string) (*rows, error) {
	out := &rows{object: o}
	at := slices.Index(o.columns, inverse)
	err := each(ctx, read, where, o.columns, func(values [][]byte) error {
		if at >= 0 {
			owner, err := number(values[at])
			if err != nil {
				return err
			}
			out.inverses = append(out.inverses, owner)
		}
		return out.add(values)
	})
	if err != nil || len(out.ids) == 0 {
		return out, err
	}
	for i, e := range o.edges {
		behind, err := e.load(ctx, out.keys(i))
		if err != nil {
			return nil, err
		}
		out.behind = append(out.behind, behind)
	}
	return out, nil
}

// add appends one row.
func (r *rows) add(values [][]byte) error {
	id, err := number(values[0])
	if err != nil {
		return err
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
				if key, err = number(values[e.column]); err != nil {
					return err
				}
			}
			r.holes = append(r.holes, hole{len(to), key})
		case value == nil && p.null:
			to = append(to, "null"...)
		default:
			if to, ok = p.write(to, value); !ok {
				return errStandBack
			}
		}
	}
	to = append(to, r.object.closing...)
	r.ids, r.spans = append(r.ids, id), append(r.spans, chunkSpan{r.text.close(to), from, len(to)})
	return nil
}

// number reads an id; NULL is 0.
func number(value []byte) (int, error) {
	if value == nil {
		return 0, nil
	}
	return strconv.Atoi(string(value))
}

// free gives the memory of rows back that were written, and of those behind them.
func (r *rows) free() {
	r.text.free()
	for _, t := range r.behind {
		t.rows.free()
	}
}

// size returns about how many bytes the rows have, their holes filled.
func (r *rows) size() int {
	n := 0
	for _, chunk := range r.text {
		n += len(chunk)
	}
	for _, t := range r.behind {
		times := len(t.list)
		if t.groups == nil {
			times = len(r.ids)
		}
		n += times*(t.rows.size()/max(1, len(t.rows.ids))+1) + 2*len(r.ids)
	}
	return n
}

// keys returns whose the objects behind an edge are, each once.
func (r *rows) keys(edge int) []int {
	if r.object.edges[edge].Column == "" {
		return r.ids
	}
	keys := make([]int, 0, len(r.ids))
	for i := edge; i < len(r.holes); i += len(r.object.edges) {
		if key := r.holes[i].key; key != 0 {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// append appends one row, its holes filled.
func (r *rows) append(to []byte, row int) []byte {
	at, n := r.spans[row], len(r.object.edges)
	chunk, from := r.text[at.chunk], at.from
	for i, h := range r.holes[row*n : (row+1)*n] {
		to = append(to, chunk[from:h.at]...)
		to = r.behind[i].append(to, h.key)
		from = h.at
	}
	return append(to, chunk[from:at.to]...)
}

// targets are the objects behind an edge, by whose they are.
type targets struct {
	rows   *rows
	of     places   // of an edge to one: in rows; to many: in groups
	groups [][2]int // from and to in list; nil for an edge to one
	list   []int    // rows
}

func (t targets) append(to []byte, key int) []byte {
	at, ok := t.of.get(key)
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

// load reads what an edge leads to from the objects of the given ids.
func (e *edge) load(ctx context.Context, keys []int) (targets, error) {
	switch {
	case e.Column != "":
		return e.loadOne(ctx, keys)
	case e.Links != nil:
		return e.loadLinked(ctx, keys)
	}
	r, err := e.target.load(ctx, e.target.table.Rows, among(e.Inverse, keys), e.Inverse)
	if err != nil {
		return targets{}, err
	}
	pairs := make([]pair, len(r.ids))
	for row, owner := range r.inverses {
		pairs[row] = pair{owner, row}
	}
	return grouped(r, pairs), nil
}

func (e *edge) loadOne(ctx context.Context, keys []int) (targets, error) {
	t := targets{rows: &rows{object: e.target}}
	if len(keys) == 0 {
		return t, nil
	}
	var err error
	if t.rows, err = e.target.load(ctx, e.target.table.Rows, among(e.target.columns[0], keys), ""); err != nil {
		return t, err
	}
	t.of = placesOf(t.rows.ids)
	if e.nonNull { // else null, and that is an error
		for _, key := range keys {
			if _, ok := t.of.get(key); !ok {
				return t, errStandBack
			}
		}
	}
	return t, nil
}

// loadLinked reads the links, and then what they lead to, in the order in which
// that comes.
func (e *edge) loadLinked(ctx context.Context, keys []int) (targets, error) {
	var links []pair
	var ids []int
	err := each(ctx, e.Links, between(e.From, keys), []string{e.From, e.To}, func(values [][]byte) error {
		from, err := number(values[0])
		if err != nil {
			return err
		}
		to, err := number(values[1])
		links = append(links, pair{from, to})
		return err
	})
	if err != nil {
		return targets{}, err
	}
	for _, l := range links {
		ids = append(ids, l.row)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if len(ids) == 0 {
		return grouped(&rows{object: e.target}, nil), nil
	}
	r, err := e.target.load(ctx, e.target.table.Rows, among(e.target.columns[0], ids), "")
	if err != nil {
		return targets{}, err
	}
	place := placesOf(r.ids)
	pairs := links[:0]
	for _, l := range links {
		if row, ok := place.get(l.row); ok {
			pairs = append(pairs, pair{l.key, row})
		}
	}
	return grouped(r, pairs), nil
}

// A pair says that a row is one of those behind a key.
type pair struct{ key, row int }

// grouped returns rows by their keys, those of a key in the order of the rows.
func grouped(r *rows, pairs []pair) targets {
	sortPairs(pairs)
	t := targets{rows: r, groups: [][2]int{}, list: make([]int, len(pairs))}
	var keys []int
	for i, p := range pairs {
		t.list[i] = p.row
		if i == 0 || p.key != pairs[i-1].key {
			keys, t.groups = append(keys, p.key), append(t.groups, [2]int{i, i})
		}
		t.groups[len(t.groups)-1][1] = i + 1
	}
	t.of = placesOf(keys)
	return t
}

// sortPairs sorts by key, then row. Pairs mostly come by key, as an index has
// them: then each moves by a few places only.
func sortPairs(pairs []pair) {
	byKey := func(a, b pair) int { return cmp.Compare(a.key, b.key) }
	if !slices.IsSortedFunc(pairs, byKey) {
		slices.SortStableFunc(pairs, byKey)
	}
	for i := range pairs {
		for j := i; j > 0 && pairs[j-1].key == pairs[j].key && pairs[j-1].row > pairs[j].row; j-- {
			pairs[j-1], pairs[j] = pairs[j], pairs[j-1]
		}
	}
}

// few is up to how many ids of a root list or of the owners of links are looked up
// one by one. Of more, a list is read in its own order where they lie apart, and
// the links of a company from the first owner's to the last's.
const few = 256

// dense reports whether ids lie so close together that a range of them is read
// sooner than each.
func dense(ids []int) bool {
	return len(ids) > 8 && slices.Max(ids)-slices.Min(ids) < 2*len(ids)
}

// among lets rows through that have one of the ids in a column, and maybe some
// more.
func among(column string, ids []int) func(*sql.Selector) {
	if dense(ids) {
		return span(column, ids)
	}
	return func(s *sql.Selector) {
		if s.Dialect() == dialect.SQLite { // where the statement is then prepared once for any list
			s.Where(sql.ExprP(s.C(column)+" IN (SELECT value FROM json_each(?))", "["+listed(ids)+"]"))
			return
		}
		s.Where(sql.ExprP(s.C(column) + " IN (" + listed(ids) + ")"))
	}
}

// listed writes ids into a statement: as arguments, each would be boxed, named
// and written out again.
func listed(ids []int) string {
	text := make([]byte, 0, 8*len(ids))
	for i, id := range ids {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, int64(id), 10)
	}
	return string(text)
}

// between is among for a column of which the company's values lie close
// together, in an index that begins with the company.
func between(column string, ids []int) func(*sql.Selector) {
	if len(ids) <= few {
		return among(column, ids)
	}
	return span(column, ids)
}

// span lets rows through from the least to the greatest of the ids.
func span(column string, ids []int) func(*sql.Selector) {
	low, high := slices.Min(ids), slices.Max(ids)
	return func(s *sql.Selector) { s.Where(sql.And(sql.GTE(s.C(column), low), sql.LTE(s.C(column), high))) }
}
