package sealed

import (
	"slices"
	"sync/atomic"
)

// A Ring holds the secret keys of an installation: the one that is written with, and
// those that what is read may have been written with. It is safe for concurrent use.
type Ring struct{ keys atomic.Pointer[[]Key] }

// NewRing returns a ring that writes with current, and reads with older too.
func NewRing(current Key, older ...Key) *Ring {
	r := &Ring{}
	r.Set(current, older...)
	return r
}

// Set replaces the keys. What was derived from the ring follows.
func (r *Ring) Set(current Key, older ...Key) {
	keys := slices.Concat([]Key{current}, older)
	r.keys.Store(&keys)
}

// Keys returns the keys, the one that is written with first. They are not to be changed.
func (r *Ring) Keys() []Key { return *r.keys.Load() }

// Fingerprints returns those of Keys.
func (r *Ring) Fingerprints() (all []string) {
	for _, k := range r.Keys() {
		all = append(all, k.Fingerprint())
	}
	return all
}

// Derive returns the keys of a purpose, as Key.Derive does.
func (r *Ring) Derive(purpose string) *Derived { return &Derived{ring: r, purpose: purpose} }

// Derived are the keys of one purpose, which follow those of a ring. It is safe for
// concurrent use.
type Derived struct {
	ring    *Ring
	purpose string
	known   atomic.Pointer[derivedSet]
}

// A derivedSet is what was derived from the keys of a ring, in their order.
type derivedSet struct {
	of    *[]Key
	names []string // fingerprints
	keys  [][]byte
}

func (d *Derived) set() *derivedSet {
	of := d.ring.keys.Load()
	if s := d.known.Load(); s != nil && s.of == of {
		return s
	}
	s := &derivedSet{of: of}
	for _, k := range *of {
		s.names = append(s.names, k.Fingerprint())
		s.keys = append(s.keys, k.Derive(d.purpose))
	}
	d.known.Store(s)
	return s
}

// Key returns the key that is written with, of 32 bytes.
func (d *Derived) Key() []byte { return d.set().keys[0] }

// Keys returns the keys that may have been written with, Key first.
func (d *Derived) Keys() [][]byte { return d.set().keys }
