package notify

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"workforce/ent"
	entMessage "workforce/ent/message"
	"workforce/ent/user"
	"workforce/internal/app/apptest"
	"workforce/internal/message"
	"workforce/internal/sealed"
)

const phone = "+628401100003"

// A sender records what it is asked to send.
type sender struct {
	mu   sync.Mutex
	sent []message.Message
	err  error                        // returned by Carry
	then func(*message.Message) error // called by Carry instead, where it is set
}

// Carry implements Sender.
func (s *sender) Carry(_ context.Context, m message.Message) error {
	s.mu.Lock()
	s.sent = append(s.sent, m)
	s.mu.Unlock()
	if s.then != nil {
		return s.then(&m)
	}
	return s.err
}

func (s *sender) texts() (texts []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.sent {
		texts = append(texts, m.Text)
	}
	return texts
}

// A fixture is a world with one user, and a service that sends to a sender.
type fixture struct {
	*apptest.World
	t       *testing.T
	user    *ent.User
	sender  *sender
	service *Service
}

func newFixture(t *testing.T) *fixture {
	w := apptest.New(t)
	f := &fixture{World: w, t: t, sender: &sender{}, user: w.User(t, "Budi")}
	f.service = f.another()
	return f
}

// another returns the service of another instance on the same database.
func (f *fixture) another() *Service {
	s := New(sealed.NewSealer("messages", sealed.Key{}))
	s.DB, s.Log, s.Now, s.Sender = f.DB, slog.New(slog.DiscardHandler), f.Now, f.sender
	return s
}

// change changes the user.
func (f *fixture) change(set func(*ent.UserUpdateOne)) {
	f.t.Helper()
	f.Change(f.t, func(ctx context.Context, db *ent.Client) (err error) {
		update := db.User.UpdateOneID(f.user.ID)
		set(update)
		f.user, err = update.Save(ctx)
		return err
	})
}

// queue queues a code for a user, which expires after some time, and returns its
// message.
func (f *fixture) queue(to *ent.User, code string, life time.Duration) *ent.Message {
	f.t.Helper()
	f.Change(f.t, func(ctx context.Context, db *ent.Client) error {
		return f.service.Queue(ctx, Notification{
			Kind: message.LoginCode, User: to, Channel: entMessage.ChannelEmail, Destination: to.Email, Language: "en",
			Facts: message.Facts{Code: code, Minutes: 5}, Expires: f.Now().Add(life),
		})
	})
	return f.last()
}

// last returns the message that was queued last.
func (f *fixture) last() *ent.Message {
	f.t.Helper()
	m, err := f.DB.Message.Query().Order(ent.Desc(entMessage.FieldID)).First(f.System())
	if err != nil {
		f.t.Fatal(err)
	}
	return m
}

func (f *fixture) message(id int) *ent.Message { return f.DB.Message.GetX(f.System(), id) }

// send sends what is due and returns once that is done.
func (f *fixture) send(services ...*Service) {
	f.t.Helper()
	ctx, stop := context.WithCancel(f.t.Context())
	stop()
	var all sync.WaitGroup
	for _, s := range append(services, f.service)[:max(1, len(services))] {
		all.Go(func() { s.Run(ctx) }) // as at shutdown: two rounds
	}
	all.Wait()
}

func TestReach(t *testing.T) {
	const mail, old = "budi@acme.test", "+628401100009"
	type stops struct{ whatsapp, sms, email string }
	tests := []struct {
		name   string
		phone  string
		stops  stops
		wanted entMessage.Channel
		want   entMessage.Channel
		to     string
	}{
		{"e-mail", phone, stops{}, "email", "email", mail},
		{"sms", phone, stops{}, "sms", "sms", phone},
		{"whatsapp", phone, stops{}, "whatsapp", "whatsapp", phone},
		{"sms without a number", "", stops{}, "sms", "email", mail},
		{"sms, stopped", phone, stops{sms: phone}, "sms", "whatsapp", phone},
		{"sms and whatsapp, stopped", phone, stops{sms: phone, whatsapp: phone}, "sms", "email", mail},
		{"e-mail, stopped", phone, stops{email: mail}, "email", "whatsapp", phone},
		{"whatsapp, stopped", phone, stops{whatsapp: phone}, "whatsapp", "sms", phone},
		{"e-mail, stopped, without a number", "", stops{email: mail}, "email", "email", mail},
		{"sms, all stopped", phone, stops{phone, phone, mail}, "sms", "sms", phone},
		{"sms, stopped at an older number", phone, stops{sms: old}, "sms", "sms", phone},
		{"e-mail, stopped at an older address", phone, stops{email: "old@acme.test"}, "email", "email", mail},
	}
	for _, tt := range tests {
		u := &ent.User{Email: mail, StoppedWhatsapp: optional(tt.stops.whatsapp), StoppedSms: optional(tt.stops.sms), StoppedEmail: optional(tt.stops.email), Phone: optional(tt.phone)}
		if c, to := Reach(u, tt.wanted); c != tt.want || to != tt.to {
			t.Errorf("%s: %s to %s, want %s to %s", tt.name, c, to, tt.want, tt.to)
		}
	}
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func TestNotify(t *testing.T) {
	tests := []struct {
		name    string
		prefers user.MessageChannel
		locale  string
		channel entMessage.Channel
		want    string
	}{
		{"defaults", "", "", entMessage.ChannelEmail, "Kata sandi Workforce Anda diubah pada 2026-03-11 10:00 WIB."},
		{"language", "", "en", entMessage.ChannelEmail, "Your Workforce password was changed on 2026-03-11 10:00 WIB."},
		{"channel", user.MessageChannelWhatsapp, "en", entMessage.ChannelWhatsapp, "Your Workforce password was changed on 2026-03-11 10:00 WIB."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			f.change(func(u *ent.UserUpdateOne) {
				u.SetPhone(phone).SetLocale(tt.locale)
				if tt.prefers != "" {
					u.SetMessageChannel(tt.prefers)
				}
			})
			f.Change(t, func(ctx context.Context, _ *ent.Client) error {
				return f.service.Notify(ctx, f.user, message.PasswordChanged, message.Facts{})
			})
			m := f.last()
			if m.Channel != tt.channel || m.Destination != Address(f.user, tt.channel) || !m.ExpiresAt.Equal(apptest.Now.Add(72*time.Hour)) || !m.DueAt.Equal(apptest.Now) {
				t.Errorf("got %v to %s, due %v", m, m.Destination, m.DueAt)
			}
			if strings.Contains(*m.SealedText, "Workforce") {
				t.Errorf("the text is stored as it is: %s", *m.SealedText)
			}
			f.send()
			if got := f.sender.texts(); len(got) != 1 || !strings.HasPrefix(got[0], tt.want) {
				t.Errorf("sent %q, want %q", got, tt.want)
			}
		})
	}
}

// TestQueueFollowsTransaction sends nothing that a transaction has not committed.
func TestQueueFollowsTransaction(t *testing.T) {
	f := newFixture(t)
	queue := func(ctx context.Context) error {
		return f.service.Notify(ctx, f.user, message.PasswordChanged, message.Facts{})
	}
	undone := errors.New("undone")
	err := f.Try(f.As(f.user, "employee"), func(ctx context.Context, _ *ent.Client) error {
		if err := queue(ctx); err != nil {
			t.Error(err)
		}
		return undone
	})
	if n := f.DB.Message.Query().CountX(f.System()); !errors.Is(err, undone) || n != 0 || len(f.service.wake) != 0 {
		t.Errorf("after a rollback: %v, %d messages, woken %d times", err, n, len(f.service.wake))
	}
	f.Change(t, func(ctx context.Context, _ *ent.Client) error {
		err := queue(ctx)
		if n := f.DB.Message.Query().CountX(f.System()); n != 0 || len(f.service.wake) != 0 {
			t.Errorf("before the commit: %d messages, woken %d times", n, len(f.service.wake))
		}
		return err
	})
	if len(f.service.wake) != 1 {
		t.Error("the commit does not wake the sender")
	}
	f.send()
	if got := f.sender.texts(); len(got) != 1 {
		t.Errorf("after the commit %q were sent, want one", got)
	}
}

func TestNotifyFace(t *testing.T) {
	f := newFixture(t)
	manager := f.User(t, "Siti", "manager")
	f.Change(t, func(ctx context.Context, db *ent.Client) error {
		b, err := db.Business.Create().SetCompanyID(f.Company.ID).SetName("Gudang").SetManagerID(manager.ID).Save(ctx)
		if err != nil {
			return err
		}
		return db.User.Update().Where(user.IDIn(f.user.ID, manager.ID)).SetBusinessID(b.ID).Exec(ctx)
	})
	told := func(of *ent.User) []string {
		t.Helper()
		f.sender.sent = nil
		f.Change(t, func(ctx context.Context, _ *ent.Client) error { return f.service.NotifyFace(ctx, of.ID) })
		f.send()
		var to []string
		for _, m := range f.sender.sent {
			word, _, _ := strings.Cut(strings.TrimPrefix(m.Text, "Wajah "), " ")
			to = append(to, m.To+" "+word)
		}
		return to
	}
	equal(t, "an employee's face", told(f.user), "budi@acme.test Anda", "siti@acme.test Budi")
	equal(t, "a manager's own face", told(manager), "siti@acme.test Anda")
	f.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.User.UpdateOneID(manager.ID).SetActive(false).Exec(ctx)
	})
	equal(t, "under an inactive manager", told(f.user), "budi@acme.test Anda")
}
