package credential

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"github.com/maypok86/otter/v2"

	"workforce/ent"
)

// Life is how long an identity is cached: the longest time in which a change by
// another process is not seen.
const Life = 5 * time.Second

// maxEntries is how many identities are cached, of some 2 KB each.
const maxEntries = 10_000

// A Cache holds identities by the digest of their token: for Life at most, and
// until this process changes a row that identities are made of. Only valid tokens
// are cached.
type Cache struct {
	OnChange func() // called after each change; set before use; may be nil

	entries *otter.Cache[Digest, entry]
	changes atomic.Uint64
	// now is the machine's clock, which tells the age of an entry. Whether a token
	// has expired is decided by the server's clock.
	now func() time.Time
}

// An entry is good as long as nothing changed since it was read.
type entry struct {
	*Identity
	version
}

// A version is the number of changes and the time just before an identity was
// read.
type version struct {
	changes uint64
	at      time.Time
}

// New returns an empty cache.
func New() *Cache {
	return &Cache{
		entries: otter.Must(&otter.Options[Digest, entry]{
			MaximumSize:      maxEntries,
			ExpiryCalculator: otter.ExpiryWriting[Digest, entry](Life), // to free memory
		}),
		now: time.Now,
	}
}

// Get returns the identities of tokens; unknown tokens are left out. Those that
// are not cached, or all of them if fresh is set, are read with one statement;
// cached reports whether at least one came from the cache. Those that are valid at
// now are cached.
func (c *Cache) Get(ctx context.Context, db *ent.Client, tokens []Sent, now time.Time, fresh bool) (known map[Digest]*Identity, cached bool, err error) {
	version := version{c.changes.Load(), c.now()}
	known = make(map[Digest]*Identity, len(tokens))
	var unknown []Sent
	for _, t := range tokens {
		if i := c.get(t.Hash, version); i != nil && !fresh {
			known[t.Hash], cached = i, true
		} else {
			unknown = append(unknown, t)
		}
	}
	if len(unknown) == 0 {
		return known, cached, nil
	}
	read, err := Read(ctx, db, unknown)
	for hash, i := range read {
		known[hash] = i
		if i.Check(now) == Valid {
			c.entries.Set(hash, entry{i, version})
		}
	}
	return known, cached, err
}

// get returns the cached identity of a token, nil for none.
func (c *Cache) get(hash Digest, now version) *Identity {
	e, ok := c.entries.GetIfPresent(hash)
	if !ok || e.changes != now.changes || now.at.Sub(e.at) >= Life {
		return nil
	}
	return e.Identity
}

// Invalidate voids all entries, and those that are being read.
func (c *Cache) Invalidate() {
	c.changes.Add(1)
	if c.OnChange != nil {
		c.OnChange()
	}
}

// Watch invalidates the cache with every change through db of a row that
// identities are made of: when the change was committed, or may have been, and
// before it is acknowledged.
func (c *Cache) Watch(db *ent.Client) {
	db.Use(func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			v, err := next.Mutate(ctx, m)
			if !affects(m) {
				return v, err
			}
			tx, none := m.(interface{ Tx() (*ent.Tx, error) }).Tx()
			if none != nil {
				c.Invalidate()
				return v, err
			}
			tx.OnCommit(func(next ent.Committer) ent.Committer {
				return ent.CommitFunc(func(ctx context.Context, tx *ent.Tx) error {
					defer c.Invalidate()
					return next.Commit(ctx, tx)
				})
			})
			return v, err
		})
	})
}

// affects reports whether a mutation may change an identity.
func affects(m ent.Mutation) bool {
	fact := ent.Facts[m.Type()]
	if len(fact.Credential) == 0 {
		return false
	}
	switch op := m.Op(); {
	case op.Is(ent.OpCreate):
		return !fact.UpdatesCredentials
	case op.Is(ent.OpDelete | ent.OpDeleteOne):
		return true
	}
	for _, changed := range [][]string{m.Fields(), m.ClearedFields(), m.AddedFields()} {
		if slices.ContainsFunc(changed, func(c string) bool { return slices.Contains(fact.Credential, c) }) {
			return true
		}
	}
	return len(m.AddedEdges())+len(m.RemovedEdges())+len(m.ClearedEdges()) > 0
}
