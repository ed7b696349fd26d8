package blob

import (
	"context"
	"strings"
	"time"
)

// orphans begins the names of objects that were set aside. Like markName, it begins no
// name that a link may lead to.
const orphans = "orphans/"

// SetAside gives an object a name under which only Orphans finds it. Nothing happens where
// there is no such object. A process that dies meanwhile leaves the object under either
// name or under both: SetAside, Restore and Delete then do the rest.
func (s *Store) SetAside(ctx context.Context, name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	return s.move(ctx, name, orphans+name)
}

// Restore gives an object that was set aside its name again.
func (s *Store) Restore(ctx context.Context, name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	return s.move(ctx, orphans+name, name)
}

// Discard deletes an object that was set aside. One that has its name stays.
func (s *Store) Discard(ctx context.Context, name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	return s.delete(ctx, orphans+name)
}

// Orphans calls f with the names of the objects that were set aside at least so long ago,
// as List does.
func (s *Store) Orphans(ctx context.Context, age time.Duration, f func(name string) error) error {
	return s.listOld(ctx, orphans, age, f)
}

// listOld calls f with the names of objects, without their prefix, that were written at
// least so long ago.
func (s *Store) listOld(ctx context.Context, prefix string, age time.Duration, f func(name string) error) error {
	before := time.Now().Add(-age)
	return s.list(ctx, prefix, func(name string, written time.Time) error {
		name = strings.TrimPrefix(name, prefix)
		if !names.MatchString(name) || !written.Before(before) {
			return nil
		}
		return f(name)
	})
}
