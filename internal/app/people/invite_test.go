package people

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/auditevent"
	entMessage "workforce/ent/message"
	"workforce/internal/app/apptest"
	"workforce/internal/app/audit"
	"workforce/internal/app/ratelimit"
	"workforce/internal/sealed"
	"workforce/internal/viewer"
)

// inviting is a world whose service counts and records invitations.
func inviting(t testing.TB, limit int) *world {
	w := newWorld(t)
	w.people.Audit = &audit.Recorder{DB: w.DB, Now: w.Now, Log: slog.New(slog.DiscardHandler)}
	w.people.Limiter = &ratelimit.Limiter{
		Limits: ratelimit.Limits{ratelimit.Code: limit}, Now: w.Now, Key: sealed.NewRing(sealed.Key{}).Derive("rate windows"),
	}
	return w
}

// invite invites a user again, in a transaction.
func (w *world) invite(ctx context.Context, id int) error {
	return w.Try(ctx, func(ctx context.Context, _ *ent.Client) error { return w.people.Invite(ctx, id) })
}

// change changes a user.
func (w *world) change(t testing.TB, of *ent.User, set func(*ent.UserUpdateOne)) {
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		update := db.User.UpdateOneID(of.ID)
		set(update)
		return update.Exec(ctx)
	})
}

// sent marks all messages as sent.
func (w *world) sent() { w.DB.Message.Update().SetStatus(entMessage.StatusSent).ExecX(w.System()) }

// invitations returns how many messages there are.
func (w *world) invitations() int { return w.DB.Message.Query().CountX(w.System()) }

func TestInvite(t *testing.T) {
	w := inviting(t, 200)
	ctx, dewi := w.As(w.User(t, "Ada", viewer.Admin), viewer.Admin), w.User(t, "Dewi")
	for i, step := range []struct {
		name    string
		wait    time.Duration
		sent    bool // what waited before
		address string
		want    string
		total   int
	}{
		{"the first", 0, false, "", "", 1},
		{"while it waits", 0, false, "", "", 1},
		{"once it was sent", time.Minute, true, "", "", 2},
		{"within a minute", time.Minute - time.Microsecond, true, "", "RATE_LIMITED", 2},
		{"a minute later", time.Microsecond, true, "", "", 3},
		{"at another address, while it waits at the old one", time.Minute, false, "other@wf.test", "", 4},
		{"the fifth", time.Minute, true, "", "", 5},
		{"the sixth of an hour", time.Minute, true, "", "RATE_LIMITED", 5},
		{"an hour later", time.Hour, true, "", "", 6},
	} {
		w.Advance(step.wait)
		if step.sent {
			w.sent()
		}
		if step.address != "" {
			w.change(t, dewi, func(u *ent.UserUpdateOne) { u.SetEmail(step.address) })
		}
		if err := w.invite(ctx, dewi.ID); apptest.Code(err) != step.want {
			t.Errorf("%d, %s: %v, want %q", i, step.name, err, step.want)
		}
		if n := w.invitations(); n != step.total {
			t.Errorf("%d, %s: %d messages, want %d", i, step.name, n, step.total)
		}
	}
	recorded := auditevent.And(auditevent.Action(audit.UserInvited), auditevent.SubjectID(dewi.ID))
	events := w.DB.AuditEvent.Query().Where(recorded).CountX(w.System())
	if events != 6 {
		t.Errorf("%d events, want one for each message", events)
	}
}

func TestInviteRefused(t *testing.T) {
	w := inviting(t, 200)
	admin, manager := w.User(t, "Ada", viewer.Admin), w.User(t, "Mia", viewer.Manager)
	owner, dewi, set, left := w.User(t, "Olga", viewer.Owner), w.User(t, "Dewi"), w.User(t, "Set"), w.User(t, "Left")
	inactive, erased, last := w.User(t, "Inactive"), w.User(t, "Erased"), w.User(t, "Last")
	_, foreign := w.other(t)
	w.change(t, set, func(u *ent.UserUpdateOne) { u.SetPasswordHash("x") })
	w.change(t, inactive, func(u *ent.UserUpdateOne) { u.SetActive(false) })
	w.change(t, left, func(u *ent.UserUpdateOne) { u.SetLeftOn("2026-03-10") })
	w.change(t, last, func(u *ent.UserUpdateOne) { u.SetLeftOn("2026-03-11") })
	w.change(t, erased, func(u *ent.UserUpdateOne) { u.SetEmailKey("erased-1").SetActive(false) })
	asAdmin := w.As(admin, viewer.Admin)
	for _, tt := range []struct {
		name   string
		ctx    context.Context
		id     int
		want   string
		reason string
	}{
		{"with a password", asAdmin, set.ID, "CONFLICT", "HAS_PASSWORD"},
		{"deactivated", asAdmin, inactive.ID, "CONFLICT", "STATE"},
		{"after the last day", asAdmin, left.ID, "CONFLICT", "STATE"},
		{"on the last day", asAdmin, last.ID, "", ""},
		{"erased", asAdmin, erased.ID, "FORBIDDEN", ""},
		{"an owner by who is none", asAdmin, owner.ID, "FORBIDDEN", ""},
		{"by a manager", w.As(manager, viewer.Manager), dewi.ID, "FORBIDDEN", ""},
		{"oneself", w.As(dewi, viewer.Employee), dewi.ID, "FORBIDDEN", ""},
		{"by who writes their team", w.with(manager, nil, "user.write.team"), dewi.ID, "FORBIDDEN", ""},
	} {
		err := w.invite(tt.ctx, tt.id)
		if apptest.Code(err) != tt.want || tt.reason != "" && apptest.Conflict(err) != tt.reason {
			t.Errorf("%s: %v, want %s %s", tt.name, err, tt.want, tt.reason)
		}
	}
	for name, id := range map[string]int{"another company's": foreign.ID, "nobody": 4711} {
		if err := w.invite(asAdmin, id); !ent.IsNotFound(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := w.invitations(); n != 1 {
		t.Errorf("%d messages, want that of the last day", n)
	}
}

// TestInviteIsCounted invites more people than the network address may have messages sent.
func TestInviteIsCounted(t *testing.T) {
	w := inviting(t, 2)
	ctx := w.As(w.User(t, "Ada", viewer.Admin), viewer.Admin)
	for i, want := range []string{"", "", "RATE_LIMITED"} {
		if err := w.invite(ctx, w.User(t, string(rune('A'+i))+"x").ID); apptest.Code(err) != want {
			t.Errorf("invitation %d: %v, want %q", i, err, want)
		}
	}
	if n := w.invitations(); n != 2 {
		t.Errorf("%d messages, want 2", n)
	}
}

// TestInviteAtOnce invites one person many times at once.
func TestInviteAtOnce(t *testing.T) {
	w := inviting(t, 200)
	ctx, dewi := w.As(w.User(t, "Ada", viewer.Admin), viewer.Admin), w.User(t, "Dewi")
	var running sync.WaitGroup
	for range 20 {
		running.Go(func() {
			if err := w.invite(ctx, dewi.ID); err != nil {
				t.Error(err)
			}
		})
	}
	running.Wait()
	if n := w.invitations(); n != 1 {
		t.Errorf("%d messages, want 1", n)
	}
}
