// Package secretkey takes an installation from one secret key to the next while it serves:
// instances tell which keys they have, all write with the next one once all have it, and a
// job seals anew what the key before sealed.
package secretkey

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"workforce/ent"
	entSetting "workforce/ent/setting"
	"workforce/internal/sealed"
	"workforce/internal/viewer"
)

// Settings of the installation.
const (
	Mark   = "secret-key"        // fingerprint of the key that is written with
	before = "secret-key-before" // fingerprint of the key before it, until the rotation is finished
	done   = "secret-key-sealed" // when the last row was sealed anew, RFC 3339
)

// A state is what the database tells of its secret keys; "" for what is not set.
type state struct {
	current, before string    // fingerprints
	sealed          time.Time // when nothing of the key before was left; zero: not yet
}

func readState(ctx context.Context, db *ent.Client) (st state, err error) {
	rows, err := db.Setting.Query().Where(entSetting.NameIn(Mark, before, done)).All(viewer.System(ctx))
	for _, row := range rows {
		switch row.Name {
		case Mark:
			st.current = row.Value
		case before:
			st.before = row.Value
		case done:
			var failed error
			st.sealed, failed = time.Parse(time.RFC3339, row.Value)
			err = errors.Join(err, failed)
		}
	}
	return st, err
}

// order returns the keys of a file, the one that is written with first. A key that the
// database needs and the file lacks is an error: data could not be opened.
func (st state) order(path string, keys []sealed.Key) ([]sealed.Key, error) {
	i := index(keys, st.current)
	if i < 0 {
		return nil, fmt.Errorf("%s is not the key of this database", path)
	}
	if st.before != "" && index(keys, st.before) < 0 {
		return nil, fmt.Errorf("%s lacks the key before: it is needed until key rotate-secret --finish", path)
	}
	if i == 0 && st.before == "" { // finished: the key before opens nothing any more
		return keys[:1], nil
	}
	return slices.Concat(keys[i:], keys[:i]), nil
}

// next returns the key of a file that waits for the instances to have it; false for none.
func (st state) next(keys []sealed.Key) (sealed.Key, bool) {
	i := slices.IndexFunc(keys, func(k sealed.Key) bool { return k.Fingerprint() != st.current })
	if st.before != "" || i < 0 {
		return sealed.Key{}, false
	}
	return keys[i], true
}

// index returns the place of a fingerprint's key; -1 for none.
func index(keys []sealed.Key, fingerprint string) int {
	return slices.IndexFunc(keys, func(k sealed.Key) bool { return k.Fingerprint() == fingerprint })
}

// Open loads the installation's secret keys from a file, or creates it for a database that
// has none yet. The file must have the keys that the database was used with.
func Open(ctx context.Context, db *ent.Client, path string) (*sealed.Ring, error) {
	ctx = viewer.System(ctx)
	st, err := readState(ctx, db)
	if err != nil {
		return nil, err
	}
	keys, err := load(path, st.current == "")
	if err != nil {
		return nil, err
	}
	if st.current == "" {
		err := db.Setting.Create().SetName(Mark).SetValue(keys[0].Fingerprint()).Exec(ctx)
		if err != nil && !ent.IsConstraintError(err) { // another instance was faster
			return nil, err
		}
		if st, err = readState(ctx, db); err != nil {
			return nil, err
		}
	}
	if keys, err = st.order(path, keys); err != nil {
		return nil, err
	}
	return sealed.NewRing(keys[0], keys[1:]...), nil
}

// load reads the keys of a file, the newest first, or makes it for a new database.
func load(path string, isNew bool) ([]sealed.Key, error) {
	keys, err := sealed.Load(path)
	if errors.Is(err, fs.ErrNotExist) && isNew {
		if _, err = sealed.Create(path); err == nil || errors.Is(err, fs.ErrExist) { // another instance was faster
			keys, err = sealed.Load(path)
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%s is not there, and this database was used with it: put its copy in place; "+
			"without it faces, queued messages and password keys cannot be read, and all else can be exported", path)
	}
	return keys, err
}
