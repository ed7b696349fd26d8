package sqlplan

import "testing"

// TestIDIndex finds the ids of one list after the other, and none of those before.
func TestIDIndex(t *testing.T) {
	var x idIndex
	for _, ids := range [][]int{{1, 2, 3, 4, 5, 6, 7, 8}, {7, 3}, {}, {5, 1_000_000}, {-3, 2}, {1_000_001}, nil, {4, 6, 2}} {
		x.set(ids)
		want := map[int]int{}
		for position, id := range ids {
			want[id] = position
		}
		for _, id := range []int{-4, -3, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 200, 1_000_000, 1_000_001} {
			position, ok := want[id]
			if got, found := x.get(id); found != ok || ok && got != position {
				t.Errorf("%v has %d at %d, %v; want %d, %v", ids, id, got, found, position, ok)
			}
		}
	}
}

// TestEdges writes what edges to one and to many lead to, in rows that others had before.
func TestEdges(t *testing.T) {
	listed := func(ids ...int) *rows {
		r := newRows(&object{}, len(ids))
		for _, id := range ids {
			to := r.text.open()
			from := len(to)
			to = append(to, 'a'+byte(id))
			r.ids, r.spans = append(r.ids, id), append(r.spans, chunkSpan{r.text.close(to), from, len(to)})
		}
		return r
	}
	want := func(r *rows, texts ...string) {
		t.Helper()
		for key, text := range texts {
			if got := string(r.appendOf(nil, key)); got != text {
				t.Errorf("key %d leads to %s, want %s", key, got, text)
			}
		}
		r.free()
	}
	for range 20 {
		one := listed(3, 1, 2)
		one.index.set(one.ids)
		want(one, "null", "b", "c", "d", "null")

		many := listed(5, 6, 7)
		many.group([]pair{{1, 2}, {3, 1}, {1, 0}, {3, 2}})
		want(many, "[]", "[f,h]", "[]", "[g,h]", "[]")

		unordered := listed(7, 6, 5)
		unordered.unordered = true
		unordered.group([]pair{{2, 0}, {2, 1}, {2, 2}})
		want(unordered, "[]", "[]", "[f,g,h]")

		none := listed()
		none.group(nil)
		want(none, "[]", "[]", "[]", "[]")
		want(listed(), "null", "null", "null", "null")
	}
}
