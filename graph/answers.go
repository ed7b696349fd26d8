package graph

import (
	"bytes"
	"context"
	"crypto/sha256"
	"sync"
	"sync/atomic"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/maypok86/otter/v2"
)

// answerLife is how long an answer is kept at most: as long as something shows
// that was changed by other means than this server's, which leave the version.
// Whatever signs links anew with each answer must sign them for longer.
const answerLife = time.Minute

// answerCost is what an answer takes up besides its bytes, about.
const answerCost = 256

// Answers keep the data that operations answered, each as of one version of a
// company's directory, within a number of bytes. They are safe for concurrent
// use; nobody changes the bytes.
type Answers struct {
	kept         *otter.Cache[answerKey, answer]
	largest      int // of one answer, in bytes
	hits, misses atomic.Uint64

	mu      sync.Mutex
	loading map[loadKey]*answerLoad
}

// An answerKey tells every question from every other.
type answerKey [sha256.Size]byte

// An answer is the data that was read under a version. It replaces that of any
// other version.
type answer struct {
	version int
	data    []byte
}

type loadKey struct {
	answerKey
	version int
}

// An answerLoad is a question that one request is about to answer while others
// wait. The data is there once done is closed; nil where it is not for others.
type answerLoad struct {
	done chan struct{}
	data []byte
}

// NewAnswers returns answers that take up so many bytes; none where that is 0.
func NewAnswers(size int64) *Answers {
	if size <= 0 {
		return nil
	}
	return &Answers{
		kept: otter.Must(&otter.Options[answerKey, answer]{
			MaximumWeight:    uint64(size),
			Weigher:          func(_ answerKey, a answer) uint32 { return uint32(len(a.data) + answerCost) },
			ExpiryCalculator: otter.ExpiryWriting[answerKey, answer](answerLife),
		}),
		largest: int(min(size/4, 1<<30)) - answerCost,
		loading: map[loadKey]*answerLoad{},
	}
}

// Hits returns how many questions were answered with what was kept, or with what
// another request found out at the same time.
func (a *Answers) Hits() uint64 { return a.hits.Load() }

// Misses returns how many questions had to be looked into.
func (a *Answers) Misses() uint64 { return a.misses.Load() }

// Bytes returns how many bytes the answers take up.
func (a *Answers) Bytes() uint64 { return a.kept.WeightedSize() }

// get answers a question under a version with what is kept, else with what load
// returns. Of those who ask at the same time one loads; where that one fails, or
// goes away, each of the others loads for itself. It returns nil when ctx ends
// while waiting.
func (a *Answers) get(ctx context.Context, key answerKey, version int, load func() *graphql.Response) *graphql.Response {
	if found, ok := a.kept.GetIfPresent(key); ok && found.version == version {
		a.hits.Add(1)
		return &graphql.Response{Data: found.data}
	}
	question := loadKey{key, version}
	other, waits := a.join(question)
	if !waits {
		defer a.leave(question, other)
	} else {
		select {
		case <-other.done:
		case <-ctx.Done():
			return nil
		}
		if other.data != nil {
			a.hits.Add(1)
			return &graphql.Response{Data: other.data}
		}
	}
	a.misses.Add(1)
	resp := load()
	if data := shareable(resp); data != nil && !waits {
		other.data = data
		if len(data) <= a.largest {
			a.kept.Set(key, answer{version, data})
		}
	}
	return resp
}

// join returns the load of a question, and whether it is another request's.
func (a *Answers) join(question loadKey) (*answerLoad, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if other := a.loading[question]; other != nil {
		return other, true
	}
	mine := &answerLoad{done: make(chan struct{})}
	a.loading[question] = mine
	return mine, false
}

// leave ends a load, whatever came of it.
func (a *Answers) leave(question loadKey, mine *answerLoad) {
	a.mu.Lock()
	delete(a.loading, question)
	a.mu.Unlock()
	close(mine.done)
}

// shareable returns a copy of a response's data that nobody else holds; nil
// unless the data is all that the response consists of.
func shareable(resp *graphql.Response) []byte {
	if resp == nil || len(resp.Data) == 0 || len(resp.Errors) > 0 || len(resp.Extensions) > 0 || resp.HasNext != nil {
		return nil
	}
	return bytes.Clone(resp.Data)[:len(resp.Data):len(resp.Data)]
}
