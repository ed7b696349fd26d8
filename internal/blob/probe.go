package blob

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Probe writes an object of its own, reads it and deletes it: an error says which of these failed.
// No other method sees the object.
func (s *Store) Probe(ctx context.Context) error {
	name, text := "probe-"+rand.Text(), rand.Text()
	if err := s.put(ctx, name, strings.NewReader(text)); err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	got, err := s.text(ctx, name)
	if err == nil && got != text {
		err = errors.New("the store gives back something else than was written")
	}
	if err != nil {
		err = fmt.Errorf("reading: %w", err)
	}
	if failed := s.delete(ctx, name); failed != nil {
		err = errors.Join(err, fmt.Errorf("deleting: %w", failed))
	}
	return err
}

// text reads an object of some bytes.
func (s *Store) text(ctx context.Context, name string) (string, error) {
	r, err := s.get(ctx, name, 0)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(io.LimitReader(r, 1<<10))
	return string(text), errors.Join(err, r.Close())
}
