package migration

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"workforce/internal/contact"
	"workforce/internal/textform"
)

// The migrations behind which what the program makes of text is made anew.
const (
	versionKeys  = 28 // keys of addresses and numbers
	versionWords = 31 // words of names, tasks and tickets
)

// page is how many rows one transaction changes.
const page = 500

// reader is what reads rows: a pool, a connection or a transaction.
type reader interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// writer reads and changes rows in one transaction.
type writer interface {
	reader
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// derive gives the rows that were there before a migration what SQL cannot make of them. It may be
// run again. in runs a function in a transaction.
func derive(ctx context.Context, version int64, r reader, in func(func(writer) error) error) error {
	switch version {
	case versionKeys:
		return deriveKeys(ctx, r, in)
	case versionWords:
		return deriveWords(ctx, r, in)
	}
	return nil
}

// deriveKeys makes the keys of addresses and numbers.
func deriveKeys(ctx context.Context, r reader, in func(func(writer) error) error) error {
	for _, k := range keys {
		changes, _, err := k.plan(ctx, r)
		if err != nil {
			return fmt.Errorf("%s: %w", k.column, err)
		}
		for batch := range slices.Chunk(changes, page) {
			err := in(func(w writer) error {
				for _, c := range batch {
					update := "UPDATE users SET " + k.column + " = ? WHERE id = ? AND " + k.column + " = ?"
					if _, err := w.ExecContext(ctx, update, c.key, c.id, c.stored); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return fmt.Errorf("%s: %w", k.column, err)
			}
		}
	}
	return nil
}

// scan reads the rows of a query.
func scan(ctx context.Context, r reader, query string, args []any, each func(*sql.Rows) error) error {
	rows, err := r.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := each(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// A userKey is a column of users that is unique and made of what was typed.
type userKey struct {
	column, typed string                            // the key, and the column that it is made of
	of            func(typed string) (string, bool) // reads the key; false for text that has none
	what          string                            // names it in a sentence
}

var keys = []userKey{
	{"email_key", "email", textform.EmailKey, "e-mail address"},
	{"phone", "mobile_number", phoneOf, "phone number"},
}

// phoneOf returns the key of a number as contact.Number stores it.
func phoneOf(stored string) (string, bool) {
	var n contact.Number
	if err := n.Scan(stored); err != nil || n.CountryCode == nil || n.Number == nil {
		return "", false
	}
	return textform.NumberKey(*n.CountryCode, *n.Number)
}

// A keyChange is an account whose stored key is not the one that its text has.
type keyChange struct {
	id                 int
	typed, stored, key string
}

// A clash is an account that keeps its stored key, since another has the one of its text.
type clash struct {
	keyChange
	holder int // the id of the other
}

// plan returns the changes of a key, by id, and its clashes. A key goes to who has it already, else
// to the oldest account.
func (k userKey) plan(ctx context.Context, r reader) (changes []keyChange, clashes []clash, err error) {
	query := fmt.Sprintf("SELECT id, %s, %s FROM users WHERE %s IS NOT NULL ORDER BY id", k.typed, k.column, k.column)
	holders := map[string]int{}
	var wanted []keyChange
	err = scan(ctx, r, query, nil, func(rows *sql.Rows) error {
		var c keyChange
		if err := rows.Scan(&c.id, &c.typed, &c.stored); err != nil {
			return err
		}
		holders[c.stored] = c.id
		if key, ok := k.of(c.typed); ok && key != c.stored {
			c.key = key
			wanted = append(wanted, c)
		}
		return nil
	})
	for _, c := range wanted {
		if holder, taken := holders[c.key]; taken {
			clashes = append(clashes, clash{c, holder})
			continue
		}
		holders[c.key] = c.id
		changes = append(changes, c)
	}
	return changes, clashes, err
}

// notes says in words what derive would change of the keys of accounts, and what it would leave.
func notes(ctx context.Context, r reader) (string, error) {
	var b strings.Builder
	for _, k := range keys {
		changes, clashes, err := k.plan(ctx, r)
		if err != nil {
			return "", err
		}
		if len(changes) > 0 {
			fmt.Fprintf(&b, "-- %d users get another key of their %s.\n", len(changes), k.what)
		}
		for _, c := range clashes {
			fmt.Fprintf(&b, "-- Users %d and %d have one %s. User %d keeps the key %q, and signs in with what was typed: %q.\n",
				c.holder, c.id, k.what, c.id, c.stored, c.typed)
		}
	}
	return b.String(), nil
}
