package secretkey

import (
	"context"
	"errors"
	"fmt"
	"time"

	"workforce/ent"
	entSetting "workforce/ent/setting"
	"workforce/internal/app/audit"
	"workforce/internal/app/tx"
	"workforce/internal/sealed"
	"workforce/internal/viewer"
)

// Wait is for how long the key before is kept after the last row was sealed anew: the
// longest that links, codes and remembered requests of it are valid.
const Wait = 24 * time.Hour

// A Phase says how far a rotation is.
type Phase string

// The phases of a rotation.
const (
	None      Phase = "none"
	Spreading Phase = "spreading" // instances read the next key
	Sealing   Phase = "sealing"   // it is written with, and rows are sealed anew
	Waiting   Phase = "waiting"   // until the key before may go
	Ready     Phase = "ready"     // to be finished
)

// A Status tells how far a rotation is.
type Status struct {
	Phase     Phase
	Key, Next string    // fingerprints: of the key that is written with, and of one that spreads; "" for none
	Rows      int       // that the key before sealed
	Until     time.Time // while Waiting
	Instances []Instance
}

// An Instance is a server that runs.
type Instance struct {
	Name   string
	Writes string // fingerprint
	Knows  bool   // the key that spreads, or else the one that is written with
}

// ReadStatus tells how far a rotation is, by a file of the secret key.
func ReadStatus(ctx context.Context, db *ent.Client, path string, now time.Time) (out Status, err error) {
	ctx = viewer.System(ctx)
	keys, st, err := read(ctx, db, path)
	if err != nil {
		return out, err
	}
	out.Phase, out.Key = None, st.current
	if next, waits := st.next(keys); waits {
		out.Phase, out.Next = Spreading, next.Fingerprint()
	}
	if st.before != "" {
		prefix, err := keys[index(keys, st.before)].Prefix()
		if err != nil {
			return out, err
		}
		if out.Rows, err = left(ctx, db, prefix); err != nil {
			return out, err
		}
		out.Phase, out.Until = Ready, st.sealed.Add(Wait)
		switch {
		case st.sealed.IsZero() || out.Rows > 0:
			out.Phase, out.Until = Sealing, time.Time{}
		case now.Before(out.Until):
			out.Phase = Waiting
		}
	}
	running, err := live(ctx, db)
	for _, i := range running {
		known := out.Key
		if out.Next != "" {
			known = out.Next
		}
		out.Instances = append(out.Instances, Instance{i.Name, i.Writes, opens(i, known)})
	}
	return out, err
}

// read returns the keys of a file, the one that is written with first, and what the database tells of them.
func read(ctx context.Context, db *ent.Client, path string) ([]sealed.Key, state, error) {
	st, err := readState(ctx, db)
	if err != nil {
		return nil, st, err
	}
	if st.current == "" {
		return nil, st, errors.New("no server has used this database yet")
	}
	keys, err := load(path, false)
	if err == nil {
		keys, err = st.order(path, keys)
	}
	return keys, st, err
}

// Rotate puts a new key before the one in a file, and returns its fingerprint. Running
// instances read it within seconds.
func Rotate(ctx context.Context, db *ent.Client, path string) (string, error) {
	keys, st, err := read(viewer.System(ctx), db, path)
	if err != nil {
		return "", err
	}
	if _, waits := st.next(keys); waits || st.before != "" {
		return "", errors.New("a rotation is under way: key rotate-secret --status tells how far it is")
	}
	next := sealed.New()
	return next.Fingerprint(), sealed.Replace(path, next, keys[0])
}

// Finish ends a rotation: the key before opens nothing any more, and goes out of the file.
// It is refused until every row is sealed anew and Wait has passed since.
func Finish(ctx context.Context, db *ent.Client, path string, now func() time.Time) error {
	ctx = viewer.System(ctx)
	s, err := ReadStatus(ctx, db, path, now())
	if err != nil {
		return err
	}
	switch s.Phase {
	case Spreading:
		return errors.New("not every instance has read the new key yet")
	case Sealing:
		if err := setSealed(ctx, db, time.Time{}); err != nil { // the instances ask for the job again
			return err
		}
		return fmt.Errorf("%d rows are still to be sealed anew", s.Rows)
	case Waiting:
		return fmt.Errorf("the key before is needed until %s: links and codes that it signed are valid",
			s.Until.UTC().Format("2006-01-02 15:04 MST"))
	}
	for _, i := range s.Instances {
		if i.Writes != s.Key {
			return errors.New("an instance still writes with the key before")
		}
	}
	keys, err := sealed.Load(path)
	if err != nil {
		return err
	}
	if s.Phase == None && len(keys) == 1 {
		return errors.New("there is no rotation to finish")
	}
	if err := forget(ctx, db, s.Key, now); err != nil {
		return err
	}
	return sealed.Replace(path, keys[index(keys, s.Key)])
}

// forget forgets the fingerprint of the key before.
func forget(ctx context.Context, db *ent.Client, key string, now func() time.Time) error {
	return tx.Run(ctx, db, func(ctx context.Context) error {
		n, err := ent.FromContext(ctx).Setting.Delete().Where(entSetting.NameIn(before, done)).Exec(ctx)
		if err != nil || n == 0 { // a finish that was killed has done so
			return err
		}
		return record(ctx, &audit.Recorder{DB: db, Now: now}, audit.SecretKeyFinished, map[string]any{"key": key})
	})
}
