package blob

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
)

// TestProbe leaves nothing behind, in a store that works and in one that does not.
func TestProbe(t *testing.T) {
	eachOpen(t, func(t *testing.T, s *Store) {
		if err := s.Probe(t.Context()); err != nil {
			t.Error(err)
		}
		for what, broken := range map[string]backend{
			"writing":                   &brokenStore{backend: s.backend, putFails: errors.New("full")},
			"reading":                   &brokenStore{backend: s.backend, getFails: errors.New("forbidden")},
			"gives back something else": &brokenStore{backend: s.backend, other: true},
			"deleting":                  &brokenStore{backend: s.backend, deleteFails: errors.New("forbidden")},
		} {
			if err := (&Store{backend: broken}).Probe(t.Context()); err == nil || !strings.Contains(err.Error(), what) {
				t.Errorf("%v, want one about %s", err, what)
			}
		}
		left := 0
		for name := range everything(t, s) {
			if strings.HasPrefix(name, "probe-") {
				left++
			}
		}
		if left != 1 { // of the store that does not delete
			t.Errorf("%d objects are left", left)
		}
	})
}

// A brokenStore fails at one kind of call.
type brokenStore struct {
	backend
	putFails, getFails, deleteFails error
	other                           bool // another text is read
}

func (b *brokenStore) put(ctx context.Context, name string, r io.Reader) error {
	if b.putFails != nil {
		return b.putFails
	}
	return b.backend.put(ctx, name, r)
}

func (b *brokenStore) get(ctx context.Context, name string, offset int64) (io.ReadCloser, error) {
	if b.other {
		return io.NopCloser(strings.NewReader("other")), nil
	}
	if b.getFails != nil {
		return nil, b.getFails
	}
	return b.backend.get(ctx, name, offset)
}

func (b *brokenStore) delete(ctx context.Context, name string) error {
	if b.deleteFails != nil {
		return b.deleteFails
	}
	return b.backend.delete(ctx, name)
}
