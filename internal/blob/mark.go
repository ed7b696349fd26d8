package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"
)

// markName is the name of the object that says whose a store is. No link leads to it, and
// no other method reads or writes it: it is not the name of a company's object.
const markName = "installation"

// ids matches the ids of installations, which are random.
var ids = regexp.MustCompile(`^[0-9a-f]{32}$`)

// ErrUnknown is returned for a store without a mark that has objects of which the
// installation knows none.
var ErrUnknown = errors.New("blob: the store has no mark, and none of its objects is known")

// A ForeignError is returned for a store that has another mark than the installation's.
type ForeignError struct {
	Mark string // id of the store's installation; "" for a store that lost its mark
}

func (e *ForeignError) Error() string {
	if e.Mark == "" {
		return "blob: the store lost its mark, the object " + markName
	}
	return "blob: the store belongs to another installation: its mark is " + e.Mark
}

// Mark returns the id of the installation that the store belongs to; "" for a store that
// nobody has claimed.
func (s *Store) Mark(ctx context.Context) (string, error) {
	r, err := s.get(ctx, markName, 0)
	if errors.Is(err, ErrNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(io.LimitReader(r, 1<<10))
	if err := errors.Join(err, r.Close()); err != nil {
		return "", err
	}
	id := strings.TrimSpace(string(text))
	if !ids.MatchString(id) {
		return "", fmt.Errorf("the object %s of the store does not hold the id of an installation; "+
			"delete it if the files are this database's", markName)
	}
	return id, nil
}

// A Lookup reports whether an installation knows one of the objects.
type Lookup func(ctx context.Context, names []string) (bool, error)

// Claim makes the store that of an installation, and must return before objects are
// written or listed. A store with a mark must have the installation's, else it fails with
// a ForeignError. One without is marked if it has no objects, or if knows finds one of
// them among the installation's; else it fails with ErrUnknown. Of installations that
// claim a store at the same time one succeeds.
func (s *Store) Claim(ctx context.Context, id string, knows Lookup) error {
	mark, err := s.Mark(ctx)
	if err != nil {
		return err
	}
	if mark == "" {
		free, err := s.free(ctx, knows)
		if err == nil && free {
			err = s.create(ctx, markName, id+"\n")
		}
		if err != nil {
			return err
		}
		if mark, err = s.Mark(ctx); err != nil { // another instance may have been faster
			return err
		}
		if mark == "" {
			return ErrUnknown
		}
	}
	if mark != id {
		return &ForeignError{mark}
	}
	s.installation = id
	return nil
}

// CheckMark returns a ForeignError if the store has another mark than when it was claimed:
// a folder may be mounted elsewhere by now, and a bucket may not heed the condition of a write.
func (s *Store) CheckMark(ctx context.Context) error {
	mark, err := s.Mark(ctx)
	if err == nil && mark != s.installation {
		err = &ForeignError{mark}
	}
	return err
}

// batch is how many names are looked up at once.
const batch = 500

var errKnown = errors.New("blob: an object is known")

// free reports whether the store has no objects, or one that is known. Orphans count.
func (s *Store) free(ctx context.Context, knows Lookup) (bool, error) {
	empty, some := true, make([]string, 0, batch)
	look := func() error {
		known, err := knows(ctx, some)
		if err == nil && known {
			err = errKnown
		}
		some = some[:0]
		return err
	}
	err := s.list(ctx, "", func(name string, _ time.Time) error {
		name = strings.TrimPrefix(name, orphans)
		if !names.MatchString(name) {
			return nil
		}
		empty = false
		if some = append(some, name); len(some) < batch {
			return nil
		}
		return look()
	})
	if err == nil && len(some) > 0 {
		err = look()
	}
	if errors.Is(err, errKnown) {
		return true, nil
	}
	return empty, err
}
