package secretkey

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/auditevent"
	"workforce/ent/hook"
	entInstance "workforce/ent/instance"
	"workforce/internal/app/apptest"
	"workforce/internal/app/audit"
	"workforce/internal/app/job"
	"workforce/internal/sealed"
	"workforce/internal/testdb"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }

// A world is an installation with a key file and instances.
type world struct {
	*apptest.World
	file string
	user *ent.User
}

func newWorld(t *testing.T, url string) *world {
	w := &world{World: apptest.On(t, url), file: filepath.Join(t.TempDir(), "secret.key")}
	w.user = w.User(t, "Budi")
	return w
}

// instance starts one on a file of its own, or on the world's.
func (w *world) instance(t *testing.T, file string) *Service {
	t.Helper()
	keys, err := Open(t.Context(), w.DB, file)
	if err != nil {
		t.Fatal(err)
	}
	s := New()
	s.DB, s.Now, s.Log, s.File, s.Keys = w.DB, w.Now, slog.New(slog.DiscardHandler), file, keys
	s.Audit = &audit.Recorder{DB: w.DB, Now: w.Now}
	s.Jobs = job.New(s.Resealing())
	s.Jobs.DB, s.Jobs.Now, s.Jobs.Log = w.DB, w.Now, s.Log
	look(t, s)
	return s
}

func look(t *testing.T, all ...*Service) {
	t.Helper()
	for _, s := range all {
		if err := s.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// copied copies the key file, as an operator does to another machine.
func (w *world) copied(t *testing.T, to string) {
	t.Helper()
	text, err := os.ReadFile(w.file)
	if err == nil {
		err = os.WriteFile(to, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// fill seals rows of each column with an instance's key.
func (w *world) fill(t *testing.T, s *Service, messages int) {
	t.Helper()
	company, user := strconv.Itoa(w.Company.ID), strconv.Itoa(w.user.ID)
	seal := func(purpose string, binding ...string) string {
		text, err := s.Keys.Sealer(purpose).Seal([]byte(purpose), binding...)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		err := errors.Join(
			db.PasswordKey.Create().SetKid("kid").SetSealedPrivate(seal("password keys", "kid")).SetCreatedAt(w.Now()).Exec(ctx),
			db.FaceTemplate.Create().SetCompanyID(w.Company.ID).SetUserID(w.user.ID).SetVersion(1).SetPoints(20).
				SetSealed(seal("faces", company, user)).SetCreatedAt(w.Now()).Exec(ctx),
			db.FaceGallery.Create().SetCompanyID(w.Company.ID).SetUserID(w.user.ID).SetVersion(7).
				SetSealed(seal("faces", company, user, "gallery", "7")).Exec(ctx))
		for range messages {
			err = errors.Join(err, db.Message.Create().SetCompanyID(w.Company.ID).SetUserID(w.user.ID).SetKind("login_code").
				SetChannel("sms").SetDestination("+628401100003").SetSealedText(seal("messages", company, user)).
				SetCreatedAt(w.Now()).SetDueAt(w.Now()).SetExpiresAt(w.Now().Add(time.Hour)).Exec(ctx))
		}
		return err
	})
}

// opened checks that every row opens with the keys of a file, and returns how many do.
func (w *world) opened(t *testing.T, keys *sealed.Ring) (n int) {
	t.Helper()
	prefix, err := keys.Keys()[0].Prefix()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range columns {
		for after := 0; ; {
			rows, err := c.rows(w.System(), w.DB, prefix, after)
			if err != nil {
				t.Fatal(err)
			}
			if len(rows) == 0 {
				break
			}
			for _, r := range rows {
				if plain, err := keys.Sealer(c.purpose).Open(r.text, r.binding...); err != nil || string(plain) != c.purpose {
					t.Errorf("%s %d opens as %q, %v", c.table, r.id, plain, err)
				}
				n, after = n+1, r.id
			}
		}
	}
	return n
}

// run runs jobs of an instance until its context ends or is says so.
func run(t *testing.T, s *Service, is func() bool) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	done := make(chan struct{})
	go func() { defer close(done); s.Jobs.Run(ctx) }()
	for !is() && ctx.Err() == nil {
		time.Sleep(2 * time.Millisecond)
	}
	stop()
	<-done
}

func (w *world) status(t *testing.T) Status {
	t.Helper()
	st, err := ReadStatus(t.Context(), w.DB, w.file, w.Now())
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// TestRotation takes three instances, two with files of their own, from a key to the next.
func TestRotation(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		w := newWorld(t, url)
		a := w.instance(t, w.file)
		files := []string{filepath.Join(t.TempDir(), "b.key"), filepath.Join(t.TempDir(), "c.key")}
		w.copied(t, files[0])
		w.copied(t, files[1])
		b, c := w.instance(t, files[0]), w.instance(t, files[1])
		old := a.Keys.Keys()[0]
		const rows = 3 + 60
		w.fill(t, a, 60)
		next, err := Rotate(t.Context(), w.DB, w.file)
		if err != nil || next == old.Fingerprint() {
			t.Fatal(next, err)
		}
		if _, err := Rotate(t.Context(), w.DB, w.file); err == nil {
			t.Error("a second rotation began meanwhile")
		}
		look(t, a, b, c, a)
		if st := w.status(t); st.Phase != Spreading || st.Next != next || a.Keys.Keys()[0] != old || len(a.Keys.Keys()) != 2 {
			t.Errorf("one of three has the key: %+v", st)
		}
		w.copied(t, files[0])
		w.copied(t, files[1])
		look(t, b, c, a)
		if st := w.status(t); st.Phase != Sealing || st.Rows != rows || st.Key != next {
			t.Errorf("all have the key: %+v", st)
		}
		if text, err := b.Keys.Sealer("faces").Seal(nil, "1"); err != nil || !strings.Contains(text, ".") {
			t.Error(err)
		}
		if n := w.DB.Job.Query().CountX(w.System()); n != 0 {
			t.Error("rows are sealed anew while instances write with the key before")
		}
		look(t, b, c, a)
		for _, s := range []*Service{a, b, c} {
			if got := s.Keys.Fingerprints(); len(got) != 2 || got[0] != next || got[1] != old.Fingerprint() {
				t.Errorf("keys %q", got)
			}
		}
		w.refuses(t, "rows are still to be sealed anew")
		run(t, b, func() bool { return w.status(t).Phase == Waiting })
		if n := w.opened(t, sealed.NewRing(b.Keys.Keys()[0])); n != rows {
			t.Errorf("%d rows open with the new key alone, want %d", n, rows)
		}
		w.refuses(t, "the key before is needed until 2026-03-12 03:00 UTC")
		w.Advance(Wait - time.Second)
		w.refuses(t, "the key before is needed until")
		w.Advance(time.Second)
		w.finishes(t, a, b, c)
		w.tells(t, next)
	})
}

func (w *world) refuses(t *testing.T, want string) {
	t.Helper()
	if err := Finish(t.Context(), w.DB, w.file, w.Now); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("finish: %v, want %q", err, want)
	}
}

// finishes ends the rotation: instances go on, whatever lines their own files have.
func (w *world) finishes(t *testing.T, all ...*Service) {
	t.Helper()
	if err := Finish(t.Context(), w.DB, w.file, w.Now); err != nil {
		t.Fatal(err)
	}
	if keys, err := sealed.Load(w.file); err != nil || len(keys) != 1 {
		t.Errorf("%d keys in the file, %v", len(keys), err)
	}
	look(t, all...)
	for _, s := range all {
		if got := s.Keys.Fingerprints(); len(got) != 1 {
			t.Errorf("keys %q after the end", got)
		}
	}
	for _, i := range w.DB.Instance.Query().AllX(w.System()) {
		if i.Opens != i.Writes {
			t.Errorf("an instance writes with %s and opens with %s", i.Writes, i.Opens)
		}
	}
	if st := w.status(t); st.Phase != None || len(st.Instances) != len(all) {
		t.Errorf("status %+v", st)
	}
	w.refuses(t, "there is no rotation to finish")
}

// tells finds the rotation in the audit.
func (w *world) tells(t *testing.T, key string) {
	t.Helper()
	for _, action := range []string{audit.SecretKeyRotated, audit.SecretKeyFinished} {
		e, err := w.DB.AuditEvent.Query().Where(auditevent.Action(action)).Only(w.System())
		if err != nil || e.After == nil || !strings.Contains(*e.After, key) {
			t.Errorf("%s: %v, %v", action, e, err)
		}
	}
}

// TestKilled ends the job after each batch: the next run goes on where it was.
func TestKilled(t *testing.T) {
	w := newWorld(t, testdb.SQLite(t))
	s := w.instance(t, w.file)
	const messages = 4 * batch
	w.fill(t, s, messages)
	if _, err := Rotate(t.Context(), w.DB, w.file); err != nil {
		t.Fatal(err)
	}
	look(t, s, s)
	kill := make(chan struct{}, 1)
	w.DB.Job.Use(func(next ent.Mutator) ent.Mutator {
		return hook.JobFunc(func(ctx context.Context, m *ent.JobMutation) (ent.Value, error) {
			if n, ok := m.Progress(); ok && n > 0 {
				kill <- struct{}{}
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return next.Mutate(ctx, m)
		})
	})
	var left []int
	for len(left) == 0 || left[len(left)-1] > 0 {
		look(t, s)
		run(t, s, func() bool { return len(kill) > 0 })
		<-kill
		left = append(left, w.status(t).Rows)
	}
	if got, want := fmt.Sprint(left), "[202 201 200 150 100 50 0]"; got != want {
		t.Errorf("rows left after each run %s, want %s", got, want)
	}
	look(t, s)
	run(t, s, func() bool { return w.status(t).Phase == Waiting })
	if n := w.opened(t, sealed.NewRing(s.Keys.Keys()[0])); n != messages+3 {
		t.Errorf("%d rows open with the new key alone, want %d", n, messages+3)
	}
}

// TestLateWriter has an instance write with the key before after the job: the end is
// refused, and the job runs again.
func TestLateWriter(t *testing.T) {
	w := newWorld(t, testdb.SQLite(t))
	s := w.instance(t, w.file)
	late := sealed.NewRing(s.Keys.Keys()[0])
	if _, err := Rotate(t.Context(), w.DB, w.file); err != nil {
		t.Fatal(err)
	}
	look(t, s, s)
	run(t, s, func() bool { return w.status(t).Phase == Waiting })
	w.Advance(Wait)
	w.fill(t, &Service{Keys: late}, 1)
	w.refuses(t, "4 rows are still to be sealed anew")
	look(t, s)
	run(t, s, func() bool { return w.status(t).Phase == Waiting })
	w.Advance(Wait)
	w.finishes(t, s)
}

// TestLostKey starts no instance that lacks a key, and tells of one that runs.
func TestLostKey(t *testing.T) {
	w := newWorld(t, testdb.SQLite(t))
	a := w.instance(t, w.file)
	single := filepath.Join(t.TempDir(), "old.key")
	w.copied(t, single)
	b := w.instance(t, single)
	if _, err := Rotate(t.Context(), w.DB, w.file); err != nil {
		t.Fatal(err)
	}
	// b is frozen: its lease ends, and the others go on without it.
	w.DB.Instance.Update().Where(entInstance.Name(b.name)).SetLeaseUntil(time.Now().Add(-time.Hour)).ExecX(w.System())
	look(t, a, a)
	if err := b.Look(t.Context()); err == nil || !b.Lost() || a.Lost() {
		t.Errorf("%v, lost %v and %v", err, b.Lost(), a.Lost())
	}
	_, err := Open(t.Context(), w.DB, single)
	if err == nil || !strings.Contains(err.Error(), "is not the key of this database") {
		t.Errorf("started with the key before alone: %v", err)
	}
	keys := a.Keys.Keys()
	if err := sealed.Replace(single, keys[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), w.DB, single); err == nil || !strings.Contains(err.Error(), "lacks the key before") {
		t.Errorf("started without the key before: %v", err)
	}
	w.copied(t, single)
	if look(t, b); b.Lost() {
		t.Error("lost with the right file")
	}
	// A file that is gone leaves the keys that were read.
	if err := os.Remove(single); err != nil {
		t.Fatal(err)
	}
	if err := b.Look(t.Context()); err == nil || b.Lost() || !slices.Equal(b.Keys.Keys(), a.Keys.Keys()) {
		t.Errorf("%v, lost %v, keys %q", err, b.Lost(), b.Keys.Fingerprints())
	}
}
