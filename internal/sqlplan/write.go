package sqlplan

import (
	"bytes"
	"io"
	"strconv"

	"workforce/ent/entgql"
)

// MarshalGQL implements graphql.Marshaler.
func (p *Plan) MarshalGQL(w io.Writer) {
	if p.answer == nil {
		_, _ = w.Write(p.text) // a write to a buffer
		return
	}
	b, ok := w.(*bytes.Buffer)
	if !ok {
		_, _ = w.Write(p.write(nil))
		return
	}
	b.Grow(p.answer.size())
	_, _ = b.Write(p.write(b.AvailableBuffer()))
}

// write appends the answer. One that is too large ends somewhere: BoundAnswer drops it.
func (p *Plan) write(to []byte) []byte {
	w := writer{p.answer, to}
	w.members(p.members, p.closing)
	return w.to
}

// size estimates how many bytes the answer will have.
func (a *answer) size() int {
	n := 1 << 10
	for _, r := range a.rows {
		n += r.size() + len(r.order)
	}
	return min(n+n/8, maxSize)
}

// maxSize is the largest estimate, in bytes: an answer with 10,000 people has 3 MB.
const maxSize = 4 << 20

// size estimates how many bytes the rows take up with their placeholders filled.
func (r *rows) size() int {
	n := len(r.text)
	for _, child := range r.children {
		times := len(r.ids)
		if child.many {
			times = len(child.order)
		}
		n += times*(child.size()/max(1, len(child.ids))+1) + 2*len(r.ids)
	}
	return n
}

// A writer writes one answer.
type writer struct {
	*answer
	to []byte
}

func (w *writer) members(list []member, closing string) {
	for _, m := range list {
		w.to = append(w.to, m.key...)
		w.member(m)
	}
	w.to = append(w.to, closing...)
}

func (w *writer) member(m member) {
	switch m.name {
	case "__typename":
		w.to = append(w.to, m.text...)
	case "totalCount":
		w.to = strconv.AppendInt(w.to, int64(w.total), 10)
	case "nodes":
		r := w.rows[m.object]
		w.list(len(r.order), func(i int) { w.to = r.append(w.to, r.order[i]) })
	case "edges":
		w.list(len(w.page.IDs), func(i int) { w.edge(m, i) })
	case "pageInfo":
		w.members(m.members, m.closing)
	case "hasNextPage":
		w.to = strconv.AppendBool(w.to, w.page.Info.HasNextPage)
	case "hasPreviousPage":
		w.to = strconv.AppendBool(w.to, w.page.Info.HasPreviousPage)
	case "startCursor":
		w.cursor(w.page.Info.StartCursor)
	case "endCursor":
		w.cursor(w.page.Info.EndCursor)
	}
}

// list writes n elements as a JSON array, up to the one with which the answer is too large.
func (w *writer) list(n int, element func(i int)) {
	w.to = append(w.to, '[')
	for i := range n {
		if i > 0 {
			w.to = append(w.to, ',')
		}
		from := len(w.to)
		element(i)
		if !w.limit.Add(len(w.to) - from) {
			return
		}
	}
	w.to = append(w.to, ']')
}

// edge writes an edge of a connection.
func (w *writer) edge(edges member, i int) {
	for _, m := range edges.members {
		w.to = append(w.to, m.key...)
		switch m.name {
		case "node":
			r := w.rows[m.object]
			w.to = r.append(w.to, r.order[i])
		case "cursor":
			w.cursor(&w.page.Cursors[i])
		default:
			w.to = append(w.to, m.text...)
		}
	}
	w.to = append(w.to, edges.closing...)
}

func (w *writer) cursor(c *entgql.Cursor[int]) {
	if c == nil {
		w.to = append(w.to, "null"...)
		return
	}
	c.MarshalGQL((*appender)(&w.to))
}

// append appends one row with its placeholders filled.
func (r *rows) append(to []byte, row int) []byte {
	n, from := len(r.object.edges), r.spans[row].from
	for i, h := range r.placeholders[row*n : (row+1)*n] {
		to = append(to, r.text[from:h.at]...)
		to = r.children[i].appendOf(to, h.key)
		from = h.at
	}
	return append(to, r.text[from:r.spans[row].to]...)
}

// appendOf appends the objects that an edge leads to from a key.
func (r *rows) appendOf(to []byte, key int) []byte {
	at, ok := r.index[key]
	switch {
	case r.many && !ok:
		return append(to, "[]"...)
	case !ok:
		return append(to, "null"...)
	case !r.many:
		return r.append(to, at.from)
	}
	to = append(to, '[')
	for i, row := range r.order[at.from:at.to] {
		if i > 0 {
			to = append(to, ',')
		}
		to = r.append(to, row)
	}
	return append(to, ']')
}

// An appender is an io.Writer that appends to a byte slice.
type appender []byte

func (a *appender) Write(p []byte) (int, error) {
	*a = append(*a, p...)
	return len(p), nil
}
