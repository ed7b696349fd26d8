package sqlplan

import "slices"

// places are where ids are found: by an array where they lie close together, else
// by a map.
type places struct {
	low  int
	near []int32 // place + 1, by id - low
	far  map[int]int32
}

// placesOf returns the place of each id in a list.
func placesOf(ids []int) places {
	if len(ids) == 0 {
		return places{}
	}
	low, high := slices.Min(ids), slices.Max(ids)
	p := places{low: low}
	if high-low < 8*len(ids)+64 {
		p.near = make([]int32, high-low+1)
		for i, id := range ids {
			p.near[id-low] = int32(i + 1)
		}
		return p
	}
	p.far = make(map[int]int32, len(ids))
	for i, id := range ids {
		p.far[id] = int32(i + 1)
	}
	return p
}

// get returns the place of an id; false for one that is not there.
func (p places) get(id int) (int, bool) {
	var at int32
	if p.far != nil {
		at = p.far[id]
	} else if i := id - p.low; i >= 0 && i < len(p.near) {
		at = p.near[i]
	}
	return int(at) - 1, at > 0
}
