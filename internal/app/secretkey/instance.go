package secretkey

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"workforce/ent"
	entInstance "workforce/ent/instance"
	entJob "workforce/ent/job"
	entSetting "workforce/ent/setting"
	"workforce/internal/app/audit"
	"workforce/internal/app/job"
	"workforce/internal/app/tx"
	"workforce/internal/database"
	"workforce/internal/sealed"
	"workforce/internal/viewer"
)

// lookEvery is how often an instance looks at the file of the secret key.
const lookEvery = 5 * time.Second

// lease is that of an instance: one that has not told for so long has ended.
var lease = database.Lease{Column: entInstance.FieldLeaseUntil, Life: 15 * time.Second}

// A Service is what one instance does for the rotation of the secret key. Its methods are
// safe for concurrent use, but for Look, of which one runs at a time.
type Service struct {
	DB    *ent.Client
	Now   func() time.Time
	Log   *slog.Logger
	File  string       // of the secret key
	Keys  *sealed.Ring // which follow the file and the database
	Jobs  *job.Runner
	Audit *audit.Recorder

	name string
	lost atomic.Bool
}

// New returns the service of an instance. The caller sets the fields.
func New() *Service { return &Service{name: rand.Text()} }

// Run looks every 5 s, until ctx ends; then the instance counts no longer.
func (s *Service) Run(ctx context.Context) {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			last, cancel := context.WithTimeout(viewer.System(context.WithoutCancel(ctx)), time.Second)
			defer cancel()
			_, _ = s.DB.Instance.Delete().Where(entInstance.Name(s.name)).Exec(last) // else its lease ends
			return
		case <-ticker.C:
		}
		if err := s.Look(ctx); err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "secret key", "error", err)
		}
	}
}

// Lost reports whether the database is written with a key that this instance lacks.
func (s *Service) Lost() bool { return s.lost.Load() }

// Look reads file and database, and follows them: it tells the other instances which keys
// this one has, writes with the key that the database names, has all write with the
// next one once all have it, and then asks for the job that seals rows anew. A file that
// cannot be read leaves the instance the keys that it has.
func (s *Service) Look(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(viewer.System(ent.NewContext(ctx, s.DB)), lookEvery)
	defer cancel()
	file, unread := sealed.Load(s.File)
	keys := s.Keys.Keys()
	if unread == nil && !slices.Contains(keys, file[0]) { // what it says it opens, it opens
		keys = append(slices.Clip(keys), file[0])
	}
	s.follow(keys)
	if err := s.tell(ctx); err != nil { // first: whoever turns to the next key asks this one too
		return errors.Join(unread, err)
	}
	st, err := readState(ctx, s.DB)
	if err != nil {
		return errors.Join(unread, err)
	}
	if unread == nil {
		file, unread = st.order(s.File, file)
	}
	if unread == nil {
		keys = file
	}
	i := index(keys, st.current)
	s.lost.Store(i < 0)
	if i < 0 {
		return unread
	}
	if s.follow(slices.Concat(keys[i:], keys[:i])) {
		if err := s.tell(ctx); err != nil {
			return err
		}
	}
	return errors.Join(unread, s.goOn(ctx, st))
}

// follow has the instance use keys, the first to write with, and reports whether they are others
// than before.
func (s *Service) follow(keys []sealed.Key) bool {
	if slices.Equal(keys, s.Keys.Keys()) {
		return false
	}
	s.Keys.Set(keys[0], keys[1:]...)
	return true
}

// goOn takes the next step of a rotation, if all instances are ready for it.
func (s *Service) goOn(ctx context.Context, st state) error {
	running, err := live(ctx, s.DB)
	if err != nil {
		return err
	}
	if next, waits := st.next(s.Keys.Keys()); waits &&
		all(running, func(i *ent.Instance) bool { return opens(i, next.Fingerprint()) }) {
		return s.turn(ctx, st.current, next.Fingerprint())
	}
	if st.before != "" && st.sealed.IsZero() &&
		all(running, func(i *ent.Instance) bool { return i.Writes == st.current }) {
		return s.ask(ctx)
	}
	return nil
}

// tell writes which keys this instance has.
func (s *Service) tell(ctx context.Context) error {
	known := s.Keys.Fingerprints()
	opens, writes := strings.Join(known, " "), known[0]
	n, err := s.DB.Instance.Update().Where(entInstance.Name(s.name)).SetWrites(writes).SetOpens(opens).
		Modify(lease.Renew).Save(ctx)
	if err != nil || n > 0 {
		return err
	}
	err = s.DB.Instance.Create().SetName(s.name).SetWrites(writes).SetOpens(opens).SetLeaseUntil(s.Now()).Exec(ctx)
	if err != nil {
		return err
	}
	return s.DB.Instance.Update().Where(entInstance.Name(s.name)).Modify(lease.Renew).Exec(ctx)
}

// live returns the instances that run.
func live(ctx context.Context, db *ent.Client) ([]*ent.Instance, error) {
	return db.Instance.Query().Where(lease.InForce).Order(ent.Asc(entInstance.FieldID)).All(viewer.System(ctx))
}

func opens(i *ent.Instance, fingerprint string) bool {
	return slices.Contains(strings.Fields(i.Opens), fingerprint)
}

func all(list []*ent.Instance, is func(*ent.Instance) bool) bool {
	return !slices.ContainsFunc(list, func(i *ent.Instance) bool { return !is(i) })
}

// turn has all instances write with the next key. Of several instances one does.
func (s *Service) turn(ctx context.Context, current, next string) error {
	turned := false
	err := tx.Run(ctx, s.DB, func(ctx context.Context) error {
		db := ent.FromContext(ctx)
		n, err := db.Setting.Update().Where(entSetting.Name(Mark), entSetting.Value(current)).SetValue(next).Save(ctx)
		if turned = n > 0; err != nil || n == 0 {
			return err
		}
		if _, err := db.Setting.Delete().Where(entSetting.NameIn(before, done)).Exec(ctx); err != nil {
			return err
		}
		if err := db.Setting.Create().SetName(before).SetValue(current).Exec(ctx); err != nil {
			return err
		}
		return record(ctx, s.Audit, audit.SecretKeyRotated, map[string]any{"key": next, "before": current})
	})
	if err == nil && turned {
		s.Log.InfoContext(ctx, "the next secret key is written with", "key", next)
	}
	return err
}

// ask asks for the job that seals rows anew, unless it waits or runs.
func (s *Service) ask(ctx context.Context) error {
	waits, err := s.DB.Job.Query().Where(entJob.Name(kind)).Exist(ctx)
	if err != nil || waits {
		return err
	}
	return tx.Run(ctx, s.DB, func(ctx context.Context) error {
		_, err := s.Jobs.Enqueue(ctx, job.Request{Kind: kind, Key: kind})
		return err
	})
}

// record records an event in the audit of every company: all of them use the key.
func record(ctx context.Context, to *audit.Recorder, action string, facts map[string]any) error {
	companies, err := ent.FromContext(ctx).Company.Query().IDs(ctx)
	if err != nil || len(companies) == 0 {
		return err
	}
	events := make([]audit.Event, len(companies))
	for i, id := range companies {
		events[i] = audit.Event{Action: action, Company: id, Subject: ent.TypeSetting, Facts: facts}
	}
	return to.Record(ctx, events...)
}
