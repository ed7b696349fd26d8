package job

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"workforce/ent"
	"workforce/ent/device"
	entJob "workforce/ent/job"
	"workforce/ent/onetimecode"
	entToken "workforce/ent/token"
	"workforce/ent/widgettoken"
	"workforce/internal/app/apptest"
)

// A kind of row that is cleaned.
type kind struct {
	name  string
	add   func(f *fixture, at time.Time) error // a row of the instant after which it is kept for a day
	count func(f *fixture) (int, error)
}

// A fixture is what rows refer to.
type fixture struct {
	ctx                           context.Context
	db                            *ent.Client
	company, user, device, signIn int
	serial                        int
}

// digest returns 32 bytes that no other call returned.
func (f *fixture) digest() []byte {
	f.serial++
	return fmt.Appendf(nil, "%032d", f.serial)
}

func newFixture(t *testing.T, w *apptest.World) *fixture {
	t.Helper()
	u := w.User(t, "Budi")
	f := &fixture{ctx: w.System(), db: w.DB, company: w.Company.ID, user: u.ID}
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		d, err := db.Device.Create().SetDeviceID("phone").SetPlatform(device.PlatformAndroid).SetTokenHash(f.digest()).SetCreatedAt(apptest.Now).Save(ctx)
		if err != nil {
			return err
		}
		s, err := db.Session.Create().SetCompanyID(f.company).SetUserID(f.user).SetDeviceID(d.ID).SetFamily(f.digest()[16:]).SetCreatedAt(apptest.Now).Save(ctx)
		if err != nil {
			return err
		}
		f.device, f.signIn = d.ID, s.ID
		return nil
	})
	return f
}

// code adds a one-time code.
func (f *fixture) code(created, expires time.Time) error {
	return f.db.OneTimeCode.Create().SetPurpose(onetimecode.PurposeReset).SetAccount(f.digest()).SetDeviceID(f.device).
		SetDigest(f.digest()).SetCreatedAt(created).SetExpiresAt(expires).Exec(f.ctx)
}

var kinds = []kind{
	{"certificate", func(f *fixture, at time.Time) error {
		return f.db.Certificate.Create().SetName(string(f.digest())).SetExpiresAt(at).SetUpdatedAt(at.Add(-time.Hour)).Exec(f.ctx)
	}, func(f *fixture) (int, error) { return f.db.Certificate.Query().Count(f.ctx) }},
	{"decoy", func(f *fixture, at time.Time) error {
		return f.db.Decoy.Create().SetText("text").SetCreatedAt(at).Exec(f.ctx)
	}, func(f *fixture) (int, error) { return f.db.Decoy.Query().Count(f.ctx) }},
	{"face template, 29 days later", func(f *fixture, at time.Time) error {
		f.serial++
		t, err := f.db.FaceTemplate.Create().SetCompanyID(f.company).SetUserID(f.user).SetVersion(f.serial).SetPoints(20).SetSealed("sealed").
			SetCreatedAt(at).Save(f.ctx)
		if err != nil {
			return err
		}
		return f.db.FaceTemplate.UpdateOne(t).ClearInForce().SetReplacedAt(at.Add(-29 * 24 * time.Hour)).Exec(f.ctx)
	}, func(f *fixture) (int, error) { return f.db.FaceTemplate.Query().Count(f.ctx) }},
	{"former device token, 89 days later", func(f *fixture, at time.Time) error {
		return f.db.FormerDeviceToken.Create().SetHash(f.digest()).SetDeviceID(f.device).
			SetReplacedAt(at.Add(-89 * 24 * time.Hour)).Exec(f.ctx)
	}, func(f *fixture) (int, error) { return f.db.FormerDeviceToken.Query().Count(f.ctx) }},
	{"idempotency claim", func(f *fixture, at time.Time) error {
		return f.db.IdempotencyClaim.Create().SetCompanyID(f.company).SetUserID(f.user).SetKey(string(f.digest())).SetFingerprint(f.digest()).
			SetHolder(f.digest()).SetLeaseUntil(apptest.Now.Add(time.Hour)).SetCreatedAt(at).Exec(f.ctx)
	}, func(f *fixture) (int, error) { return f.db.IdempotencyClaim.Query().Count(f.ctx) }},
	{"job, 6 days later", func(f *fixture, at time.Time) error {
		end := at.Add(-6 * 24 * time.Hour)
		return f.db.Job.Create().SetKind("report").SetState(entJob.StateDone).SetDueAt(end).SetRunAt(end).SetCreatedAt(end).SetFinishedAt(end).Exec(f.ctx)
	}, func(f *fixture) (int, error) { return f.db.Job.Query().Where(entJob.Kind("report")).Count(f.ctx) }},
	{"login throttle", func(f *fixture, at time.Time) error {
		return f.db.LoginThrottle.Create().SetKey(f.digest()).SetBlockedUntil(apptest.Now.Add(time.Hour)).SetUpdatedAt(at).Exec(f.ctx)
	}, func(f *fixture) (int, error) { return f.db.LoginThrottle.Query().Count(f.ctx) }},
	{"one-time code, by expiry", func(f *fixture, at time.Time) error { return f.code(at.Add(-time.Hour), at) }, countCodes},
	{"one-time code, by creation", func(f *fixture, at time.Time) error { return f.code(at, at.Add(-time.Hour)) }, countCodes},
	{"password key", func(f *fixture, at time.Time) error {
		return f.db.PasswordKey.Create().SetKid(string(f.digest())).SetSealedPrivate("sealed").SetCreatedAt(at.Add(-time.Hour)).SetAcceptedUntil(at).Exec(f.ctx)
	}, func(f *fixture) (int, error) { return f.db.PasswordKey.Query().Count(f.ctx) }},
	{"rate log", func(f *fixture, at time.Time) error {
		return f.db.RateLog.Create().SetKey(f.digest()).SetUpdatedAt(at).Exec(f.ctx)
	}, func(f *fixture) (int, error) { return f.db.RateLog.Query().Count(f.ctx) }},
	{"request record", func(f *fixture, at time.Time) error {
		return f.db.RequestRecord.Create().SetCompanyID(f.company).SetUserID(f.user).SetDeviceID(f.device).SetRequestID(string(f.digest())).
			SetFingerprint(f.digest()).SetCreatedAt(at).Exec(f.ctx)
	}, func(f *fixture) (int, error) { return f.db.RequestRecord.Query().Count(f.ctx) }},
	{"recovery link", func(f *fixture, at time.Time) error {
		return f.db.RecoveryLink.Create().SetTokenHash(f.digest()).SetUserID(f.serial).
			SetCreatedAt(at.Add(-time.Hour)).SetExpiresAt(at).Exec(f.ctx)
	}, func(f *fixture) (int, error) { return f.db.RecoveryLink.Query().Count(f.ctx) }},
	{"object hold", func(f *fixture, at time.Time) error {
		return f.db.ObjectHold.Create().SetHolder(string(f.digest())).SetLeaseUntil(at).Exec(f.ctx)
	}, func(f *fixture) (int, error) { return f.db.ObjectHold.Query().Count(f.ctx) }},
	{"instance", func(f *fixture, at time.Time) error {
		return f.db.Instance.Create().SetName(string(f.digest())).SetWrites("a").SetOpens("a").SetLeaseUntil(at).Exec(f.ctx)
	}, func(f *fixture) (int, error) { return f.db.Instance.Query().Count(f.ctx) }},
	{"setup link", func(f *fixture, at time.Time) error {
		return f.db.SetupLink.Create().SetTokenHash(f.digest()).SetCreatedAt(at.Add(-time.Hour)).SetExpiresAt(at).Exec(f.ctx)
	}, func(f *fixture) (int, error) { return f.db.SetupLink.Query().Count(f.ctx) }},
	{"token", func(f *fixture, at time.Time) error {
		return f.db.Token.Create().SetCompanyID(f.company).SetSessionID(f.signIn).SetKind(entToken.KindAccess).SetHash(f.digest()).SetGeneration(1).
			SetIssuedAt(at.Add(-time.Hour)).SetExpiresAt(at).Exec(f.ctx)
	}, func(f *fixture) (int, error) { return f.db.Token.Query().Count(f.ctx) }},
	{"widget token", func(f *fixture, at time.Time) error {
		return f.db.WidgetToken.Create().SetCompanyID(f.company).SetSessionID(f.signIn).SetPersonID(f.user).
			SetWidget(widgettoken.WidgetTasks).SetOrigin("https://wf.test").SetHash(f.digest()).
			SetIssuedAt(at.Add(-time.Hour)).SetExpiresAt(at).Exec(f.ctx)
	}, func(f *fixture) (int, error) { return f.db.WidgetToken.Query().Count(f.ctx) }},
}

func countCodes(f *fixture) (int, error) { return f.db.OneTimeCode.Query().Count(f.ctx) }

// TestClean keeps a row for exactly a day, and deletes it after.
func TestClean(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := apptest.New(t)
				f := newFixture(t, w)
				day := apptest.Now.Add(-24 * time.Hour)
				for _, at := range []time.Time{day, day.Add(-time.Microsecond), day.Add(time.Hour)} {
					if err := k.add(f, at); err != nil {
						t.Fatal(err)
					}
				}
				want(t, k, f, 3)
				stop := start(w, New(Cleaning(w.Now)))
				defer stop()
				synctest.Wait()
				want(t, k, f, 2)
				w.Advance(time.Hour - time.Microsecond)
				time.Sleep(time.Second)
				synctest.Wait()
				want(t, k, f, 2) // until the next round
				w.Advance(time.Microsecond)
				time.Sleep(time.Second)
				synctest.Wait()
				want(t, k, f, 1)
			})
		})
	}
}

func want(t *testing.T, k kind, f *fixture, want int) {
	t.Helper()
	if n, err := k.count(f); err != nil || n != want {
		t.Errorf("%d rows are left, %v; want %d", n, err, want)
	}
}

// TestKinds proves that every entity that is cleaned is in kinds.
func TestKinds(t *testing.T) {
	w := apptest.New(t)
	var cleaned []string
	w.DB.Use(func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			cleaned = append(cleaned, m.Type())
			return next.Mutate(ctx, m)
		})
	})
	if err := ent.Clean(w.System(), w.DB, w.Now()); err != nil {
		t.Fatal(err)
	}
	want := []string{
		ent.TypeCertificate, ent.TypeDecoy, ent.TypeFaceTemplate, ent.TypeFormerDeviceToken, ent.TypeIdempotencyClaim,
		ent.TypeInstance, ent.TypeJob,
		ent.TypeLoginThrottle, ent.TypeObjectHold,
		ent.TypeOneTimeCode, ent.TypePasswordKey,
		ent.TypeRateLog, ent.TypeRecoveryLink, ent.TypeRequestRecord, ent.TypeSetupLink, ent.TypeToken, ent.TypeWidgetToken,
	}
	if !slices.Equal(cleaned, want) {
		t.Errorf("cleaned are %q, kinds has %q", cleaned, want)
	}
}

// TestCurrentKeyIsKept keeps the password key that nothing has replaced.
func TestCurrentKeyIsKept(t *testing.T) {
	w := apptest.New(t)
	w.DB.PasswordKey.Create().SetKid("current").SetSealedPrivate("sealed").SetCreatedAt(apptest.Now.AddDate(-1, 0, 0)).SaveX(w.System())
	if err := ent.Clean(w.System(), w.DB, w.Now()); err != nil {
		t.Fatal(err)
	}
	if n := w.DB.PasswordKey.Query().CountX(w.System()); n != 1 {
		t.Errorf("%d keys are left, want 1", n)
	}
}

// TestCleanGoesOn logs a failure and tries again after 5 s.
func TestCleanGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := apptest.New(t)
		rounds := 0
		w.DB.IdempotencyClaim.Use(func(ent.Mutator) ent.Mutator {
			return ent.MutateFunc(func(context.Context, ent.Mutation) (ent.Value, error) {
				rounds++
				return nil, fmt.Errorf("no database in round %d", rounds)
			})
		})
		var log strings.Builder
		r := New(Cleaning(w.Now))
		r.Log = slog.New(slog.NewTextHandler(&log, nil))
		stop := start(w, r)
		synctest.Wait()
		w.Advance(5 * time.Second)
		time.Sleep(time.Second)
		synctest.Wait()
		stop()
		if !strings.Contains(log.String(), "no database in round 2") || rounds != 2 {
			t.Errorf("%d rounds, log:\n%s", rounds, log.String())
		}
	})
}
