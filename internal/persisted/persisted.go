// Package persisted keeps GraphQL documents that clients ask for by the SHA-256 of their text,
// as Apollo's automatic persisted queries and trusted documents do.
package persisted

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// The bounds of what clients have kept. The documents of a manifest count for none of them.
const (
	MaxDocuments = 1000
	MaxBytes     = 8 << 20 // of their texts
	MaxNew       = 64      // in a minute, from one network
	maxNetworks  = 10_000  // with new documents in a minute; those of others are not kept
)

// Hash returns the SHA-256 of a document's text in lower-case hexadecimal.
func Hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Digest returns a hash as Hash does, of one that may begin with "sha256:".
func Digest(named string) string { return strings.TrimPrefix(named, "sha256:") }

// A Store keeps the documents that clients sent, the most recently used of them. It is safe for
// concurrent use.
type Store struct {
	now func() time.Time

	mu     sync.Mutex
	kept   *simplelru.LRU[string, string] // texts by hash
	bytes  int
	minute time.Time
	fresh  map[string]int // new documents of the minute, by network
}

// NewStore returns an empty store by a clock.
func NewStore(now func() time.Time) *Store {
	s := &Store{now: now}
	var err error
	s.kept, err = simplelru.NewLRU(MaxDocuments, func(_, text string) { s.bytes -= len(text) })
	if err != nil {
		panic(err) // only for a size below 1
	}
	return s
}

// Text returns the text of a hash.
func (s *Store) Text(hash string) (text string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept.Get(hash)
}

// Keep keeps a text under its hash for a client of a network, unless the network has had its
// new documents of the minute. The caller has compared the hash.
func (s *Store) Keep(network, hash, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.kept.Get(hash); ok || len(text) > MaxBytes || !s.allow(network) {
		return
	}
	s.kept.Add(hash, text)
	s.bytes += len(text)
	for s.bytes > MaxBytes {
		s.kept.RemoveOldest()
	}
}

// allow counts a new document of a network, or returns false where it had too many.
func (s *Store) allow(network string) bool {
	if minute := s.now().Truncate(time.Minute); !minute.Equal(s.minute) {
		s.minute, s.fresh = minute, map[string]int{}
	}
	n, known := s.fresh[network]
	if n >= MaxNew || !known && len(s.fresh) >= maxNetworks {
		return false
	}
	s.fresh[network] = n + 1
	return true
}
