package notify

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/auditevent"
	entMessage "workforce/ent/message"
	"workforce/internal/app/apptest"
	"workforce/internal/app/audit"
	"workforce/internal/app/tx"
	"workforce/internal/message"
	"workforce/internal/viewer"
)

// newAgain returns a fixture whose service records what is sent again.
func newAgain(t *testing.T) *fixture {
	f := newFixture(t)
	f.service.Audit = &audit.Recorder{DB: f.DB, Now: f.Now, Log: slog.New(slog.DiscardHandler)}
	return f
}

// notice queues a message without a code, in a status.
func (f *fixture) notice(u *ent.User, status entMessage.Status) (m *ent.Message) {
	f.t.Helper()
	if err := tx.Run(f.System(), f.DB, func(ctx context.Context) error {
		return f.service.Notify(ctx, u, message.PasswordChanged, message.Facts{})
	}); err != nil {
		f.t.Fatal(err)
	}
	m = f.DB.Message.Query().Order(ent.Desc(entMessage.FieldID)).FirstX(f.System())
	return f.DB.Message.UpdateOneID(m.ID).SetStatus(status).SetAttempts(1).SetDueAt(m.ExpiresAt).SaveX(f.System())
}

// again asks for a message to be sent again.
func (f *fixture) again(ctx context.Context, id int) (sent int, err error) {
	err = tx.Run(ctx, f.DB, func(ctx context.Context) error {
		sent, err = f.service.Again(ctx, id)
		return err
	})
	return sent, err
}

// TestAgain sends what failed and what was sent once more, to the present address, once a minute.
func TestAgain(t *testing.T) {
	for _, status := range []entMessage.Status{entMessage.StatusFailed, entMessage.StatusSent} {
		f := newAgain(t)
		ctx := f.As(f.User(t, "Ada", viewer.Admin), viewer.Admin)
		m := f.notice(f.user, status)
		f.change(func(u *ent.UserUpdateOne) { u.SetEmail("new@wf.test") })
		id, err := f.again(ctx, m.ID)
		if err != nil || id == m.ID {
			t.Fatalf("%s: message %d, %v; want another one", status, id, err)
		}
		sent := f.message(id)
		same := sent.Kind == m.Kind && *sent.SealedText == *m.SealedText && sent.UserID == m.UserID
		if !same || sent.Status != entMessage.StatusQueued ||
			sent.Attempts != 0 || !sent.DueAt.Equal(f.Now()) || !sent.ExpiresAt.Equal(f.Now().Add(noticeLife)) {
			t.Errorf("%s: sent %v, due %v, until %v", status, sent, sent.DueAt, sent.ExpiresAt)
		}
		if sent.Channel == entMessage.ChannelEmail && sent.Destination != "new@wf.test" {
			t.Errorf("%s: sent to %s", status, sent.Destination)
		}
		for range 2 {
			if same, err := f.again(ctx, m.ID); err != nil || same != id {
				t.Errorf("%s, while it waits: message %d, %v; want %d", status, same, err, id)
			}
		}
		if same, err := f.again(ctx, id); err != nil || same != id {
			t.Errorf("what waits itself: message %d, %v; want %d", same, err, id)
		}
		f.Advance(2 * time.Minute)
		f.send()
		if other, err := f.again(ctx, m.ID); err != nil || other == id || other == m.ID {
			t.Errorf("%s, after it was sent: message %d, %v; want a third", status, other, err)
		}
		recorded := auditevent.And(auditevent.Action(audit.MessageRepeated), auditevent.SubjectID(m.ID))
		events := f.DB.AuditEvent.Query().Where(recorded).CountX(f.System())
		if events != 2 {
			t.Errorf("%s: %d events, want 2", status, events)
		}
	}
}

// TestAgainWithinAMinute sends nothing twice that was just sent again.
func TestAgainWithinAMinute(t *testing.T) {
	f := newAgain(t)
	ctx := f.As(f.User(t, "Ada", viewer.Admin), viewer.Admin)
	m := f.notice(f.user, entMessage.StatusFailed)
	id, err := f.again(ctx, m.ID)
	if err != nil {
		t.Fatal(err)
	}
	f.send()
	f.Advance(againGap - time.Microsecond)
	if same, err := f.again(ctx, m.ID); err != nil || same != id {
		t.Errorf("message %d, %v; want %d", same, err, id)
	}
	f.Advance(time.Microsecond)
	if other, err := f.again(ctx, m.ID); err != nil || other == id {
		t.Errorf("a minute later: message %d, %v; want another one", other, err)
	}
}

func TestAgainRefused(t *testing.T) {
	f := newAgain(t)
	admin, owner, left := f.User(t, "Ada", viewer.Admin), f.User(t, "Olga", viewer.Owner), f.User(t, "Left")
	manager := f.User(t, "Mia", viewer.Manager)
	f.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.User.UpdateOneID(left.ID).SetActive(false).Exec(ctx)
	})
	code := f.queue(f.user, "123456", time.Hour)
	failed, gone, expired := f.notice(f.user, "failed"), f.notice(f.user, "failed"), f.notice(f.user, "sent")
	f.DB.Message.UpdateOneID(gone.ID).ClearSealedText().ExecX(f.System())
	of, inactive, arrived := f.notice(owner, "failed"), f.notice(left, "failed"), f.notice(f.user, "delivered")
	f.DB.Message.UpdateOneID(arrived.ID).ClearSealedText().ExecX(f.System())
	asAdmin, asOwner := f.As(admin, viewer.Admin), f.As(owner, viewer.Owner)
	viewer.From(asOwner).Owner = true
	for _, tt := range []struct {
		name string
		ctx  context.Context
		id   int
		want string
	}{
		{"a code that waits", asAdmin, code.ID, "CONFLICT HAS_CODE"},
		{"without a text", asAdmin, gone.ID, "CONFLICT TEXT_GONE"},
		{"what arrived", asAdmin, arrived.ID, "CONFLICT TEXT_GONE"},
		{"somebody inactive", asAdmin, inactive.ID, "CONFLICT STATE"},
		{"an owner's", asAdmin, of.ID, "FORBIDDEN"},
		{"an owner's by one", asOwner, of.ID, ""},
		{"one's own", f.As(f.user, viewer.Employee), failed.ID, "FORBIDDEN"},
		{"another's", f.As(manager, viewer.Manager), failed.ID, "not found"},
		{"none", asAdmin, 4711, "not found"},
		{"nobody", ent.NewContext(context.Background(), f.DB), failed.ID, "UNAUTHENTICATED"},
	} {
		if _, err := f.again(tt.ctx, tt.id); outcome(err) != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
	f.Set(expired.ExpiresAt)
	if _, err := f.again(asAdmin, expired.ID); outcome(err) != "CONFLICT TEXT_GONE" {
		t.Errorf("expired: %v", err)
	}
}

// outcome returns the code of an error, with the reason of a CONFLICT.
func outcome(err error) string {
	switch code := apptest.Code(err); {
	case ent.IsNotFound(err):
		return "not found"
	case code == "CONFLICT":
		return code + " " + apptest.Conflict(err)
	default:
		return code
	}
}

// TestAgainAtOnce asks for one message many times at once, while it is sent.
func TestAgainAtOnce(t *testing.T) {
	f := newAgain(t)
	ctx := f.As(f.User(t, "Ada", viewer.Admin), viewer.Admin)
	m := f.notice(f.user, entMessage.StatusFailed)
	ids := make([]int, 20)
	var running sync.WaitGroup
	for i := range ids {
		running.Go(func() {
			id, err := f.again(ctx, m.ID)
			if err != nil {
				t.Error(err)
			}
			ids[i] = id
			f.send()
		})
	}
	running.Wait()
	slices.Sort(ids)
	if ids = slices.Compact(ids); len(ids) != 1 {
		t.Errorf("messages %v, want one", ids)
	}
	if n := f.DB.Message.Query().CountX(f.System()); n != 2 || len(f.sender.texts()) != 1 {
		t.Errorf("%d messages, sent %d times; want the first and one more, once", n, len(f.sender.texts()))
	}
}

// TestFailedTextIsKept keeps the text of what failed until it expires, but of a code.
func TestFailedTextIsKept(t *testing.T) {
	f := newAgain(t)
	fail := func(m *ent.Message) *ent.Message {
		f.DB.Message.UpdateOneID(m.ID).SetAttempts(1).SetFailures(2).SetStatus(entMessage.StatusSent).ExecX(f.System())
		return f.report(m.ID, "failed", "")
	}
	code := fail(f.queue(f.user, "123456", time.Hour))
	if code.Status != entMessage.StatusFailed || code.SealedText != nil || code.DueAt != nil {
		t.Errorf("a code: %v, due %v", code, code.DueAt)
	}
	m := fail(f.notice(f.user, entMessage.StatusSent))
	if m.Status != entMessage.StatusFailed || m.SealedText == nil || !m.DueAt.Equal(m.ExpiresAt) {
		t.Errorf("a notice: %v, due %v", m, m.DueAt)
	}
	f.Set(m.ExpiresAt.Add(-time.Microsecond))
	f.send()
	if f.message(m.ID).SealedText == nil {
		t.Error("the text is cleared before the message expires")
	}
	f.Set(m.ExpiresAt)
	f.send()
	m = f.message(m.ID)
	if m.SealedText != nil || m.DueAt != nil || m.Status != entMessage.StatusFailed || len(f.sender.texts()) != 0 {
		t.Errorf("once it expired: %v, due %v", m, m.DueAt)
	}
}
