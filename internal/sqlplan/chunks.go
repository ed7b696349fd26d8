package sqlplan

import "sync"

// A text is a list of chunks of bytes: it grows without being copied.
type text [][]byte

// A chunkSpan is a part of one chunk.
type chunkSpan struct{ chunk, from, to int }

const (
	chunkSize = 32 << 10
	chunkRest = 1 << 10 // free bytes below which a new chunk is started
)

var chunks = sync.Pool{New: func() any { return new([chunkSize]byte) }}

// open returns the chunk to append to.
func (t *text) open() []byte {
	if n := len(*t); n > 0 {
		if last := (*t)[n-1]; cap(last)-len(last) >= chunkRest {
			return last
		}
	}
	*t = append(*t, chunks.Get().(*[chunkSize]byte)[:0])
	return (*t)[len(*t)-1]
}

// close stores the chunk that open returned, with what was appended, and returns its
// number.
func (t *text) close(chunk []byte) int {
	last := len(*t) - 1
	(*t)[last] = chunk
	return last
}

// free returns the chunks to the pool. They must not be used any more.
func (t *text) free() {
	for _, chunk := range *t {
		if cap(chunk) == chunkSize { // else append has reallocated it
			chunks.Put((*[chunkSize]byte)(chunk[:chunkSize]))
		}
	}
	clear(*t)
	*t = (*t)[:0]
}
