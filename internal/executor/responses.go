package executor

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"sync/atomic"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/maypok86/otter/v2"
)

// responseLife is how long a response is cached at most: the longest time in which
// a change by other means than this server's, which leave the version, is not seen.
// Links in responses must be signed for longer.
const responseLife = time.Minute

// responseCost is the size of a cached response besides its bytes, about.
const responseCost = 256

// A ResponseCache holds the data of operations, each as of one version of a
// company's directory, within a number of bytes. It is safe for concurrent use; the
// bytes must not be changed.
type ResponseCache struct {
	entries      *otter.Cache[entryKey, []byte]
	largest      int // of one response, in bytes
	hits, misses atomic.Uint64
}

// A cacheKey identifies an operation of a viewer with its variables.
type cacheKey [sha256.Size]byte

// An entryKey identifies the response to an operation as of a version.
type entryKey struct {
	cacheKey
	version int
}

// errNotShared says that a response is for its own request alone.
var errNotShared = errors.New("the response is not shared")

// NewResponseCache returns a cache of so many bytes; nil for 0.
func NewResponseCache(size int64) *ResponseCache {
	if size <= 0 {
		return nil
	}
	return &ResponseCache{
		entries: otter.Must(&otter.Options[entryKey, []byte]{
			MaximumWeight:    uint64(size),
			Weigher:          func(_ entryKey, data []byte) uint32 { return uint32(len(data) + responseCost) },
			ExpiryCalculator: otter.ExpiryWriting[entryKey, []byte](responseLife),
		}),
		largest: int(min(size/4, 1<<30)) - responseCost,
	}
}

// Hits returns how many operations were answered from the cache, or with what
// another request loaded at the same time.
func (c *ResponseCache) Hits() uint64 { return c.hits.Load() }

// Misses returns how many operations were executed.
func (c *ResponseCache) Misses() uint64 { return c.misses.Load() }

// Bytes returns the size of the cached responses.
func (c *ResponseCache) Bytes() uint64 { return c.entries.WeightedSize() }

// get returns the cached response to an operation as of a version, or that of load.
// Of requests for the same at once, one loads. Where its response cannot be shared,
// each of the others loads for itself. It returns nil when ctx ends while waiting.
func (c *ResponseCache) get(ctx context.Context, key cacheKey, version int, load func() *graphql.Response) *graphql.Response {
	var own *graphql.Response
	loaded := false
	data, err := c.entries.Get(ctx, entryKey{key, version}, otter.LoaderFunc[entryKey, []byte](
		func(context.Context, entryKey) ([]byte, error) {
			loaded, own = true, load()
			if data := shareable(own); data != nil && len(data) <= c.largest {
				return data, nil
			}
			return nil, errNotShared
		}))
	switch {
	case loaded:
		c.misses.Add(1)
		return own
	case err == nil:
		c.hits.Add(1)
		return &graphql.Response{Data: data}
	case ctx.Err() != nil:
		return nil
	}
	c.misses.Add(1)
	return load()
}

// shareable returns a copy of a response's data; nil where the response has more
// than data.
func shareable(resp *graphql.Response) []byte {
	if resp == nil || len(resp.Data) == 0 || len(resp.Errors) > 0 || len(resp.Extensions) > 0 || resp.HasNext != nil {
		return nil
	}
	return bytes.Clone(resp.Data)[:len(resp.Data):len(resp.Data)]
}
