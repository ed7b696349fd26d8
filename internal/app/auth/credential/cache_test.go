package credential

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"workforce/ent"
	"workforce/internal/testdb"
	"workforce/internal/token"
)

// of asks a cache for one token and returns what it stands for, and how many
// statements that took.
func of(t *testing.T, c *Cache, w *world, sent Sent, anew bool) (*Identity, int) {
	t.Helper()
	before := w.sent.n
	all, _, err := c.Get(w.ctx, w.Client, []Sent{sent}, now, anew)
	if err != nil {
		t.Fatal(err)
	}
	return all[sent.Hash], w.sent.n - before
}

func TestOneStatementOrNone(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		c := New()
		s := w.session(t, w.user(w.company()))
		var tokens []Sent
		for _, kind := range []token.Kind{token.Access, token.User, token.Refresh} {
			_, one := w.give(t, s, kind)
			tokens = append(tokens, one)
		}
		_, device := w.device(t)
		tokens = append(tokens, device)
		for _, step := range []struct {
			name string
			anew bool
			want int
		}{{"first", false, 1}, {"again", false, 0}, {"anew", true, 1}, {"after that", false, 0}} {
			before := w.sent.n
			all, _, err := c.Get(w.ctx, w.Client, tokens, now, step.anew)
			if got := w.sent.n - before; err != nil || len(all) != 4 || got != step.want {
				t.Errorf("%s: %d identities, %v, %d statements, want %d", step.name, len(all), err, got, step.want)
			}
		}
		if all, _, err := c.Get(w.ctx, w.Client, []Sent{{Kind: token.Access}}, now, true); err != nil || len(all) != 0 {
			t.Errorf("a text that is no token: %v, %v", all, err)
		}
	})
}

func TestWhatIsKept(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		c := New()
		s := w.session(t, w.user(w.company()))
		row, sent := w.give(t, s, token.Access)
		w.Token.UpdateOne(row).SetRevokedAt(now).ExecX(w.ctx)
		for _, one := range []Sent{sent, newSent(t, token.Access), newSent(t, token.Device)} {
			for range 2 {
				if _, n := of(t, c, w, one, false); n != 1 {
					t.Errorf("a %s that does not count was kept", one.Kind)
				}
			}
		}
		_, good := w.give(t, s, token.Access)
		clock := time.Now()
		c.now = func() time.Time { return clock }
		for _, step := range []struct {
			after time.Duration // since the first
			want  int
		}{{0, 1}, {Life - 1, 0}, {Life, 1}, {Life + 1, 0}, {2*Life - 1, 0}, {2 * Life, 1}} {
			c.now = func() time.Time { return clock.Add(step.after) }
			if i, n := of(t, c, w, good, false); i == nil || n != step.want {
				t.Errorf("after %v: %v, %d statements, want %d", step.after, i, n, step.want)
			}
		}
		if all, _, _ := c.Get(w.ctx, w.Client, []Sent{good}, now.Add(time.Hour), false); all[good.Hash].Check(now.Add(time.Hour)) != Expired {
			t.Error("a kept token does not expire")
		}
	})
}

func TestWhatChangesIdentities(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		c := New()
		c.Watch(w.Client)
		company := w.company()
		role, boss := w.role(company, "user.read.all"), w.user(company)
		u := w.user(company, role)
		b := w.business(company, nil, boss)
		s := w.session(t, u)
		row, _ := w.give(t, s, token.Access)
		d := w.Device.GetX(w.ctx, s.DeviceID)
		hash := newSent(t, token.Device).Hash
		tests := []struct {
			name   string
			change func(db *ent.Client) error
			want   bool
		}{
			{"token revoked", func(db *ent.Client) error { return db.Token.UpdateOneID(row.ID).SetRevokedAt(now).Exec(w.ctx) }, true},
			{"token spent", func(db *ent.Client) error { return db.Token.UpdateOneID(row.ID).SetSpentAt(now).Exec(w.ctx) }, false},
			{"tokens revoked", func(db *ent.Client) error { return db.Token.Update().SetRevokedAt(now).Exec(w.ctx) }, true},
			{"tokens no longer revoked", func(db *ent.Client) error { return db.Token.Update().ClearRevokedAt().Exec(w.ctx) }, true},
			{"session over", func(db *ent.Client) error { return db.Session.Update().SetEndsAt(now).Exec(w.ctx) }, true},
			{"session verified", func(db *ent.Client) error { return db.Session.UpdateOneID(s.ID).SetVerifiedAt(now).Exec(w.ctx) }, true},
			{"session revoked", func(db *ent.Client) error { return db.Session.Update().SetRevokedAt(now).Exec(w.ctx) }, true},
			{"session rotated", func(db *ent.Client) error { return db.Session.Update().AddGeneration(1).Exec(w.ctx) }, false},
			{"device revoked", func(db *ent.Client) error { return db.Device.UpdateOneID(d.ID).SetRevokedAt(now).Exec(w.ctx) }, true},
			{"next device token", func(db *ent.Client) error { return db.Device.UpdateOneID(d.ID).SetNextTokenHash(hash[:]).Exec(w.ctx) }, true},
			{"it takes over", func(db *ent.Client) error {
				return db.Device.Update().SetTokenHash(hash[:]).ClearNextTokenHash().Exec(w.ctx)
			}, true},
			{"device's push token", func(db *ent.Client) error { return db.Device.UpdateOneID(d.ID).SetPushToken("x").Exec(w.ctx) }, false},
			{"sign-in", func(db *ent.Client) error {
				return db.Token.Create().SetCompanyID(company.ID).SetSessionID(s.ID).SetKind("user").SetHash(hash[:]).
					SetGeneration(0).SetIssuedAt(now).SetExpiresAt(now).Exec(w.ctx)
			}, false},
			{"user deactivated", func(db *ent.Client) error { return db.User.UpdateOneID(u.ID).SetActive(false).Exec(w.ctx) }, true},
			{"language", func(db *ent.Client) error { return db.User.Update().SetLocale("en").Exec(w.ctx) }, true},
			{"user renamed", func(db *ent.Client) error { return db.User.UpdateOneID(u.ID).SetName("X").Exec(w.ctx) }, false},
			{"password", func(db *ent.Client) error { return db.User.Update().SetPasswordHash("x").Exec(w.ctx) }, false},
			{"roles by the user", func(db *ent.Client) error { return db.User.UpdateOneID(u.ID).ClearRoles().Exec(w.ctx) }, true},
			{"role given", func(db *ent.Client) error {
				return db.UserRole.Create().SetCompanyID(company.ID).SetUserID(u.ID).SetRoleID(role.ID).Exec(w.ctx)
			}, true},
			{"role taken", func(db *ent.Client) error { _, err := db.UserRole.Delete().Exec(w.ctx); return err }, true},
			{"permissions", func(db *ent.Client) error {
				return db.Role.UpdateOneID(role.ID).SetCustomPermissions(nil).Exec(w.ctx)
			}, true},
			{"role renamed", func(db *ent.Client) error { return db.Role.UpdateOneID(role.ID).SetName("X").Exec(w.ctx) }, false},
			{"role deleted", func(db *ent.Client) error { return db.Role.DeleteOneID(role.ID).Exec(w.ctx) }, true},
			{"manager", func(db *ent.Client) error { return db.Business.UpdateOneID(b.ID).SetManagerID(u.ID).Exec(w.ctx) }, true},
			{"no manager", func(db *ent.Client) error { return db.Business.UpdateOneID(b.ID).ClearManager().Exec(w.ctx) }, true},
			{"business", func(db *ent.Client) error {
				return db.Business.Create().SetCompanyID(company.ID).SetName("Y").SetParentID(b.ID).Exec(w.ctx)
			}, true},
			{"businesses", func(db *ent.Client) error {
				return db.Business.CreateBulk(db.Business.Create().SetCompanyID(company.ID).SetName("Z")).Exec(w.ctx)
			}, true},
			{"business renamed", func(db *ent.Client) error { return db.Business.UpdateOneID(b.ID).SetName("X").Exec(w.ctx) }, false},
			{"company's language", func(db *ent.Client) error { return db.Company.Update().SetLocale("en").Exec(w.ctx) }, true},
			{"company's zone", func(db *ent.Client) error { return db.Company.Update().SetTimezone("UTC").Exec(w.ctx) }, true},
			{"company renamed", func(db *ent.Client) error { return db.Company.Update().SetName("X").Exec(w.ctx) }, false},
			{"something else", func(db *ent.Client) error {
				return db.Setting.Create().SetName(w.next("x")).SetValue("x").Exec(w.ctx)
			}, false},
			{"tokens cleared away", func(db *ent.Client) error { _, err := db.Token.Delete().Exec(w.ctx); return err }, true},
		}
		for _, tt := range tests {
			before := c.changes.Load()
			w.write(func(tx *ent.Tx) {
				if err := tt.change(tx.Client()); err != nil {
					t.Errorf("%s: %v", tt.name, err)
				}
			})
			if got := c.changes.Load() > before; got != tt.want {
				t.Errorf("%s: noticed %v, want %v", tt.name, got, tt.want)
			}
		}
	})
}

// TestWithoutTransaction proves that a change outside of any counts at once.
func TestWithoutTransaction(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		c := New()
		c.Watch(w.Client)
		s := w.session(t, w.user(w.company()))
		for i, change := range []func(context.Context) error{
			w.Session.UpdateOneID(s.ID).SetRevokedAt(now).Exec,
			w.Session.Update().ClearRevokedAt().Exec,
			w.Session.DeleteOneID(s.ID).Exec,
		} {
			before := c.changes.Load()
			if err := change(w.ctx); err != nil || c.changes.Load() != before+1 {
				t.Errorf("change %d: %v, counted %d", i, err, c.changes.Load()-before)
			}
		}
	})
}

// TestTransactions proves that a change counts from its commit on, also where
// nobody knows whether that took place, and not at all when it is undone.
func TestTransactions(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		c := New()
		c.Watch(w.Client)
		u := w.user(w.company())
		lost := errors.New("answer lost")
		tests := []struct {
			name string
			end  func(tx *ent.Tx) error
			want uint64
		}{
			{"commit", (*ent.Tx).Commit, 1},
			{"rollback", (*ent.Tx).Rollback, 0},
			{"lost commit", func(tx *ent.Tx) error {
				tx.OnCommit(func(next ent.Committer) ent.Committer {
					return ent.CommitFunc(func(ctx context.Context, tx *ent.Tx) error {
						return errors.Join(next.Commit(ctx, tx), lost)
					})
				})
				if err := tx.Commit(); !errors.Is(err, lost) {
					return err
				}
				return nil
			}, 1},
		}
		for i, tt := range tests {
			tx, err := w.Tx(w.ctx)
			if err != nil {
				t.Fatal(err)
			}
			before := c.changes.Load()
			if err := tx.User.UpdateOneID(u.ID).SetLocale(strconv.Itoa(i)).Exec(w.ctx); err != nil {
				t.Fatal(err)
			}
			if got := c.changes.Load() - before; got != 0 {
				t.Errorf("%s: counted %d before the end", tt.name, got)
			}
			if err := tt.end(tx); err != nil {
				t.Errorf("%s: %v", tt.name, err)
			}
			if got := c.changes.Load() - before; got != tt.want {
				t.Errorf("%s: counted %d, want %d", tt.name, got, tt.want)
			}
		}
	})
}

// TestDatabaseAway proves that what is kept serves without the database, and
// that nothing else is taken for unknown.
func TestDatabaseAway(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		c := New()
		s := w.session(t, w.user(w.company()))
		_, kept := w.give(t, s, token.Access)
		_, other := w.give(t, s, token.Access)
		of(t, c, w, kept, false)
		if err := w.db.Close(); err != nil {
			t.Fatal(err)
		}
		if i, n := of(t, c, w, kept, false); i == nil || n != 0 {
			t.Errorf("kept: %v, %d statements", i, n)
		}
		for _, anew := range []bool{false, true} {
			if all, _, err := c.Get(w.ctx, w.Client, []Sent{kept, other}, now, anew); err == nil {
				t.Errorf("anew %v: %d identities and no error", anew, len(all))
			}
		}
	})
}

// TestAChangeWhileItIsRead is not kept.
func TestAChangeWhileItIsRead(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		c := New()
		_, sent := w.give(t, w.session(t, w.user(w.company())), token.Access)
		w.sent.after = c.Invalidate
		of(t, c, w, sent, false)
		w.sent.after = nil
		for i, want := range []int{1, 0} {
			if _, n := of(t, c, w, sent, false); n != want {
				t.Errorf("try %d: %d statements, want %d", i, n, want)
			}
		}
	})
}

// TestNothingStale has many ask while one changes: who asks after a change was
// acknowledged sees it, or a later one.
func TestNothingStale(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		c := New()
		c.Watch(w.Client)
		u := w.user(w.company())
		_, sent := w.give(t, w.session(t, u), token.Access)
		db := ent.NewClient(ent.Driver(w.sent.Driver)) // does not count, for it is many's
		w.write(func(tx *ent.Tx) { tx.User.UpdateOneID(u.ID).SetLocale("0").ExecX(w.ctx) })
		var acknowledged atomic.Int64
		var readers sync.WaitGroup
		ctx, stop := context.WithCancel(w.ctx)
		for range 4 {
			readers.Go(func() {
				for ctx.Err() == nil {
					least := acknowledged.Load()
					all, _, err := c.Get(w.ctx, db, []Sent{sent}, now, false)
					if err != nil {
						t.Error(err)
						return
					}
					if got, err := strconv.ParseInt(all[sent.Hash].Locale, 10, 64); err != nil || got < least {
						t.Errorf("saw change %d, %v, after %d was acknowledged", got, err, least)
						return
					}
				}
			})
		}
		for n := range int64(60) {
			w.write(func(tx *ent.Tx) { tx.User.UpdateOneID(u.ID).SetLocale(strconv.FormatInt(n, 10)).ExecX(w.ctx) })
			acknowledged.Store(n)
		}
		stop()
		readers.Wait()
	})
}

// BenchmarkOf finds out what an access token stands for, which was forgotten or
// is kept.
func BenchmarkOf(b *testing.B) {
	for name, database := range map[string]func(testing.TB) string{"sqlite": testdb.SQLite, "mysql": testdb.MySQL} {
		w := newWorld(b, database(b))
		company := w.company()
		boss := w.user(company, w.builtin(company, "supervisor"), w.builtin(company, "employee"))
		for range 20 {
			w.business(company, nil, boss)
		}
		for who, u := range map[string]*ent.User{"employee": w.user(company, w.builtin(company, "employee")), "supervisor": boss} {
			_, sent := w.give(b, w.session(b, u), token.Access)
			for _, kept := range []bool{false, true} {
				b.Run(fmt.Sprintf("%s/%s/kept=%v", name, who, kept), func(b *testing.B) {
					c := New()
					b.ReportAllocs()
					for b.Loop() {
						if !kept {
							c.Invalidate()
						}
						if _, _, err := c.Get(w.ctx, w.Client, []Sent{sent}, now, false); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

// TestEmploymentEnds reads the tokens of people around midnight in their company's zone:
// they end with the last day, from the cache too, and begin with the first.
func TestEmploymentEnds(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world) {
		c := w.company()
		w.write(func(tx *ent.Tx) { tx.Company.UpdateOne(c).SetTimezone("America/New_York").ExecX(w.ctx) })
		sent := map[string]Sent{}
		for name, set := range map[string]func(*ent.UserUpdateOne){
			"old": func(u *ent.UserUpdateOne) { u.SetLeftOn("2026-03-08") }, // a day of 23 hours
			"new": func(u *ent.UserUpdateOne) { u.SetJoinedOn("2026-03-09") },
		} {
			u := w.user(c)
			w.write(func(tx *ent.Tx) {
				update := tx.User.UpdateOneID(u.ID)
				set(update)
				update.ExecX(w.ctx)
			})
			s := w.session(t, u)
			sent[name] = newSent(t, token.Access)
			hash := sent[name].Hash
			w.Token.Create().SetCompanyID(c.ID).SetSessionID(s.ID).SetKind("access").SetHash(hash[:]).SetGeneration(1).
				SetIssuedAt(now).SetExpiresAt(now.AddDate(10, 0, 0)).ExecX(w.ctx)
		}
		midnight := time.Date(2026, 3, 9, 4, 0, 0, 0, time.UTC)
		cache := New()
		for _, tt := range []struct {
			name string
			at   time.Time
			want Reason
		}{
			{"old", midnight.Add(-time.Microsecond), Valid}, {"old", midnight, Revoked},
			{"new", midnight.Add(-time.Microsecond), Revoked}, {"new", midnight, Valid},
		} {
			known, _, err := cache.Get(w.ctx, w.Client, []Sent{sent[tt.name]}, tt.at, false)
			if err != nil {
				t.Fatal(err)
			}
			if got := known[sent[tt.name].Hash].Check(tt.at); got != tt.want {
				t.Errorf("%s at %v: %q, want %q", tt.name, tt.at, got, tt.want)
			}
		}
	})
}
