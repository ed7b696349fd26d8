package sqlplan

import "sync"

// A text is bytes in chunks, so that it grows without being copied.
type text [][]byte

// A chunkSpan is a part of one chunk.
type chunkSpan struct{ chunk, from, to int }

const (
	chunkSize = 32 << 10
	chunkRest = 1 << 10 // with less left, the next chunk is begun
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

// close puts the chunk back with what was appended, and returns its number.
func (t *text) close(chunk []byte) int {
	last := len(*t) - 1
	(*t)[last] = chunk
	return last
}

// free gives the chunks back. Nothing may look at them any more.
func (t *text) free() {
	for _, chunk := range *t {
		if cap(chunk) == chunkSize { // else it has outgrown its array
			chunks.Put((*[chunkSize]byte)(chunk[:chunkSize]))
		}
	}
	*t = nil
}
