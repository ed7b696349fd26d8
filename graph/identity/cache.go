package identity

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"github.com/maypok86/otter/v2"

	"workforce/ent"
)

// Life is how long what another process changed may stay unseen.
const Life = 5 * time.Second

// most is how many identities are kept, of some 2 KB each.
const most = 10_000

// A Cache keeps what tokens stand for, by their digests: for Life at most, and
// until a row changes in this process that identities are made of. A token that
// does not count is not kept.
type Cache struct {
	kept    *otter.Cache[Digest, kept]
	changes atomic.Uint64
	// now is the machine's own clock, which runs evenly whatever the time of day
	// is said to be. It tells how old an answer is, and judges no token.
	now func() time.Time
}

// A kept identity counts only as long as there was no change since the reading.
type kept struct {
	*Identity
	reading
}

// A reading is when an identity was read: just before the statement.
type reading struct {
	changes uint64
	at      time.Time
}

// New returns an empty cache.
func New() *Cache {
	return &Cache{
		kept: otter.Must(&otter.Options[Digest, kept]{
			MaximumSize:      most,
			ExpiryCalculator: otter.ExpiryWriting[Digest, kept](Life), // to free memory
		}),
		now: time.Now,
	}
}

// Of returns what tokens stand for; those that nobody knows are not among them.
// It asks the database, in one statement, for what is not kept, or for all of
// them anew. What counts at an instant is kept.
func (c *Cache) Of(ctx context.Context, db *ent.Client, tokens []Sent, now time.Time, anew bool) (map[Digest]*Identity, error) {
	reading := reading{c.changes.Load(), c.now()}
	known := make(map[Digest]*Identity, len(tokens))
	var unknown []Sent
	for _, t := range tokens {
		if i := c.get(t.Hash, reading); i != nil && !anew {
			known[t.Hash] = i
		} else {
			unknown = append(unknown, t)
		}
	}
	if len(unknown) == 0 {
		return known, nil
	}
	read, err := Read(ctx, db, unknown)
	for hash, i := range read {
		known[hash] = i
		if i.Standing(now) == Valid {
			c.kept.Set(hash, kept{i, reading})
		}
	}
	return known, err
}

// get returns the identity that is kept for a token, nil for none.
func (c *Cache) get(hash Digest, now reading) *Identity {
	e, ok := c.kept.GetIfPresent(hash)
	if !ok || e.changes != now.changes || now.at.Sub(e.at) >= Life {
		return nil
	}
	return e.Identity
}

// forget makes nothing count that was found out so far, or is being found out.
func (c *Cache) forget() { c.changes.Add(1) }

// columns are those, by entity, that identities are made of and that change.
var columns = map[string][]string{
	ent.TypeToken:    {"revoked_at"},
	ent.TypeSession:  {"verified_at", "ends_at", "revoked_at"},
	ent.TypeDevice:   {"device_id", "platform", "token_hash", "next_token_hash", "revoked_at"},
	ent.TypeUser:     {"active", "locale"},
	ent.TypeCompany:  {"locale", "timezone"},
	ent.TypeUserRole: {"user_id", "role_id"},
	ent.TypeRole:     {"builtin", "custom_permissions"},
	ent.TypeBusiness: {"parent_id", "manager_id"},
}

// newcomers are those of them whose new rows are in no identity yet. They are
// made at every sign-in, and never put in place of others.
var newcomers = []string{ent.TypeToken, ent.TypeSession, ent.TypeDevice}

// Watch makes every change through db of what identities are made of forget
// them: when it was committed, or may have been, and before it is acknowledged.
// Whatever is found out in the meantime does not count either.
func (c *Cache) Watch(db *ent.Client) {
	db.Use(func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			v, err := next.Mutate(ctx, m)
			if !matters(m) {
				return v, err
			}
			tx, none := m.(interface{ Tx() (*ent.Tx, error) }).Tx()
			if none != nil {
				c.forget()
				return v, err
			}
			tx.OnCommit(func(next ent.Committer) ent.Committer {
				return ent.CommitFunc(func(ctx context.Context, tx *ent.Tx) error {
					defer c.forget()
					return next.Commit(ctx, tx)
				})
			})
			return v, err
		})
	})
}

// matters reports whether a mutation may change what a token stands for. The
// rotation of tokens and the upkeep of people's other columns do not.
func matters(m ent.Mutation) bool {
	columns, ok := columns[m.Type()]
	if !ok {
		return false
	}
	switch op := m.Op(); {
	case op.Is(ent.OpCreate):
		return !slices.Contains(newcomers, m.Type())
	case op.Is(ent.OpDelete | ent.OpDeleteOne):
		return true
	}
	for _, changed := range [][]string{m.Fields(), m.ClearedFields(), m.AddedFields()} {
		if slices.ContainsFunc(changed, func(c string) bool { return slices.Contains(columns, c) }) {
			return true
		}
	}
	return len(m.AddedEdges())+len(m.RemovedEdges())+len(m.ClearedEdges()) > 0
}
