package sqlplan

import "slices"

// An idIndex tells the position of an id in a list: by an array where the ids lie
// close together, else by a map.
type idIndex struct {
	low   int
	array []int32 // position + 1, by id - low; 0 for an id that is not in the list
	byID  map[int]int32
}

// set makes it the index of a list of ids. The array of the list before is used again.
func (x *idIndex) set(ids []int) {
	*x = idIndex{array: x.array[:0]}
	if len(ids) == 0 {
		return
	}
	low, high := slices.Min(ids), slices.Max(ids)
	x.low = low
	if n := high - low + 1; n <= 8*len(ids)+64 {
		x.array = slices.Grow(x.array, n)[:n]
		clear(x.array)
		for i, id := range ids {
			x.array[id-low] = int32(i + 1)
		}
		return
	}
	x.byID = make(map[int]int32, len(ids))
	for i, id := range ids {
		x.byID[id] = int32(i + 1)
	}
}

// get returns the position of an id; false where the list does not have it.
func (x idIndex) get(id int) (int, bool) {
	var position int32
	if x.byID != nil {
		position = x.byID[id]
	} else if i := id - x.low; i >= 0 && i < len(x.array) {
		position = x.array[i]
	}
	return int(position) - 1, position > 0
}
