package privacy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/auditevent"
	"workforce/ent/device"
	entJob "workforce/ent/job"
	entMessage "workforce/ent/message"
	"workforce/ent/session"
	"workforce/ent/user"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/servicetest"
	"workforce/internal/app/audit"
	"workforce/internal/app/files"
	"workforce/internal/app/tx"
	"workforce/internal/viewer"
)

// A world is a company with the service under test.
type world struct {
	*apptest.World
	privacy *Service
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{World: apptest.New(t)}
	store := memory{}
	s := servicetest.New(t, w.World)
	w.privacy = &Service{
		DB: w.DB, Now: w.Now, Jobs: s.Jobs, Audit: s.Audit,
		Files: &files.Service{DB: w.DB, Now: w.Now, Store: store},
	}
	s.Jobs.Add(w.privacy.Erasing())
	return w
}

// memory is a file store without objects.
type memory struct{ files.Store }

func (memory) Put(context.Context, string, io.Reader) error { return nil }
func (memory) Delete(context.Context, string) error         { return nil }
func (memory) List(context.Context, time.Duration, func(string) error) error {
	return nil
}

// erase erases a user in a transaction.
func (w *world) erase(ctx context.Context, id int) error {
	return w.Try(ctx, func(ctx context.Context, _ *ent.Client) error { return w.privacy.EraseUser(ctx, id) })
}

// eraser returns an eraser of a user, and the rows that its transactions changed at most.
func (w *world) eraser(u *ent.User) *eraser {
	return &eraser{Service: w.privacy, company: u.CompanyID, user: u.ID, commit: func(ctx context.Context, step func(context.Context) error) error {
		return tx.Run(ctx, w.DB, step)
	}}
}

func TestEraseUser(t *testing.T) {
	w := newWorld(t)
	owner, second := w.User(t, "Olga Owner", viewer.Owner), w.User(t, "Oskar Owner", viewer.Owner)
	admin, other := w.User(t, "Ada Admin", viewer.Admin), w.User(t, "Adi Admin", viewer.Admin)
	manager, ani, gone := w.User(t, "Mia Manager", viewer.Manager), w.User(t, "Ani"), w.User(t, "Gani")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.User.UpdateOne(gone).SetActive(false).Exec(ctx)
	})
	for _, tt := range []struct {
		name string
		who  context.Context
		id   int
		want string
	}{
		{"oneself", w.As(admin, viewer.Admin), admin.ID, "FORBIDDEN"},
		{"an owner, by an admin", w.As(admin, viewer.Admin), owner.ID, "FORBIDDEN"},
		{"by a manager", w.As(manager, viewer.Manager), ani.ID, "FORBIDDEN"},
		{"by an employee", w.As(ani, viewer.Employee), manager.ID, "FORBIDDEN"},
		{"nobody", w.As(admin, viewer.Admin), 999, "ent: user not found"},
		{"by nobody", w.System(), ani.ID, "UNAUTHENTICATED"},
		{"an admin, by an admin", w.As(admin, viewer.Admin), other.ID, ""},
		{"an employee", w.As(admin, viewer.Admin), ani.ID, ""},
		{"again", w.As(admin, viewer.Admin), ani.ID, ""},
		{"who left", w.As(owner, viewer.Owner), gone.ID, ""},
		{"another owner", w.As(owner, viewer.Owner), second.ID, ""},
		{"the last owner, by one who is no more", w.As(second, viewer.Owner), owner.ID, "FORBIDDEN"},
	} {
		if got := apptest.Code(w.erase(tt.who, tt.id)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	u := w.DB.User.GetX(w.System(), ani.ID)
	if u.Name != fmt.Sprintf("Orang terhapus %d", u.ID) || u.Active || u.EmailKey != fmt.Sprintf("erased-%d", u.ID) || u.Phone != nil {
		t.Errorf("left %+v", u)
	}
	due := w.DB.Job.Query().Where(sql.FieldHasPrefix(entJob.FieldName, fmt.Sprintf("erasure-%d-", ani.ID))).
		Order(ent.Asc(entJob.FieldRunAt)).AllX(w.System())
	if len(due) != 2 || !due[0].RunAt.Equal(w.Now()) || !due[1].RunAt.Equal(w.Now().Add(settled)) {
		t.Errorf("jobs %v", due)
	}
}

// TestErasedOnce records an erasure once.
func TestErasedOnce(t *testing.T) {
	w := newWorld(t)
	owner, ani := w.User(t, "Olga", viewer.Owner), w.User(t, "Ani")
	for range 2 {
		if err := w.erase(w.As(owner, viewer.Owner), ani.ID); err != nil {
			t.Fatal(err)
		}
	}
	if n := w.DB.AuditEvent.Query().Where(auditevent.Action(string(audit.UserErased))).CountX(w.System()); n != 1 {
		t.Errorf("%d events, want 1", n)
	}
}

// TestForgottenAnswers forgets what the people of the company may have repeated, once
// they had time to.
func TestForgottenAnswers(t *testing.T) {
	w := newWorld(t)
	ani, budi := w.User(t, "Ani"), w.User(t, "Budi")
	remember := func(company, n int) {
		w.Change(t, func(ctx context.Context, db *ent.Client) error {
			for i := range n {
				db.RequestRecord.Create().SetCompanyID(company).SetUserID(budi.ID).SetDeviceID(1).SetRequestID(fmt.Sprint(company, w.Now(), i)).
					SetFingerprint(make([]byte, 32)).SetOutcome(`{"name":"Ani"}`).SetCreatedAt(w.Now()).ExecX(ctx)
				db.IdempotencyClaim.Create().SetCompanyID(company).SetUserID(budi.ID).SetKey(fmt.Sprint(company, w.Now(), i)).SetFingerprint(make([]byte, 32)).
					SetHolder(make([]byte, 32)).SetLeaseUntil(w.Now()).SetOutcome(`{"name":"Ani"}`).SetCreatedAt(w.Now()).ExecX(ctx)
			}
			return nil
		})
	}
	var another *ent.Company
	w.Change(t, func(ctx context.Context, db *ent.Client) (err error) {
		another, err = db.Company.Create().SetName("Other").SetTimezone("Asia/Jakarta").SetLocale("id").SetCreatedAt(w.Now()).Save(ctx)
		return err
	})
	remember(w.Company.ID, chunk+1)
	remember(another.ID, 1)
	w.Advance(settled)
	remember(w.Company.ID, 1)
	e := w.eraser(ani)
	for _, want := range []int{chunk + 3, 2} {
		if err := e.run(w.System()); err != nil {
			t.Fatal(err)
		}
		if r, c := w.DB.RequestRecord.Query().CountX(w.System()), w.DB.IdempotencyClaim.Query().CountX(w.System()); r != want || c != want {
			t.Errorf("settled %v: %d records and %d claims, want %d", e.settled, r, c, want)
		}
		e.settled = true
	}
}

func TestErasedName(t *testing.T) {
	for locale, want := range map[string]string{"en": "Erased person 7", "id": "Orang terhapus 7"} {
		if got := erasedName(locale, 7); got != want {
			t.Errorf("%s: %q", locale, got)
		}
	}
}

// TestErasedInChunks erases somebody with more rows than one transaction changes, which
// is stopped between any two transactions and runs again.
func TestErasedInChunks(t *testing.T) {
	w := newWorld(t)
	ani, budi := w.User(t, "Ani"), w.User(t, "Budi")
	const n = 2*chunk + 1
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		for _, u := range []*ent.User{ani, budi} {
			err := db.AuditEvent.MapCreateBulk(make([]int, n), func(e *ent.AuditEventCreate, _ int) {
				e.SetCompanyID(u.CompanyID).SetActorID(u.ID).SetAction("user.updated").SetSubjectType(ent.TypeUser).SetSubjectID(u.ID).SetAt(w.Now()).
					SetAddress("192.0.2.1").SetRequestID("r").SetBefore(`{"name":"x","active":true}`).SetAfter(`{"email":"y"}`)
			}).Exec(ctx)
			if err != nil {
				return err
			}
			err = db.Message.MapCreateBulk(make([]int, n), func(m *ent.MessageCreate, _ int) {
				m.SetCompanyID(u.CompanyID).SetUserID(u.ID).SetKind("invited").SetChannel(entMessage.ChannelEmail).SetDestination(u.Email).
					SetStatus(entMessage.StatusSent).SetCreatedAt(w.Now()).SetExpiresAt(w.Now())
			}).Exec(ctx)
			if err != nil {
				return err
			}
		}
		return nil
	})
	stop := errors.New("stopped")
	for allowed := 0; ; allowed++ {
		e, steps := w.eraser(ani), 0
		run := e.commit
		e.commit = func(ctx context.Context, step func(context.Context) error) error {
			if steps++; steps > allowed {
				return stop
			}
			return run(ctx, step)
		}
		err := e.run(w.System())
		if err == nil {
			break
		}
		if !errors.Is(err, stop) || allowed > 50 {
			t.Fatalf("with %d transactions: %v", allowed, err)
		}
	}
	events := w.DB.AuditEvent.Query().Where(auditevent.SubjectID(ani.ID)).AllX(w.System())
	for _, e := range events {
		if e.Address != "" || e.RequestID != "" || *e.Before != `{"active":true}` || *e.After != "{}" || *e.ActorID != ani.ID {
			t.Fatalf("left %+v", e)
		}
	}
	if len(events) != n {
		t.Errorf("%d events, want %d", len(events), n)
	}
	kept := w.DB.AuditEvent.Query().Where(auditevent.SubjectID(budi.ID), auditevent.Address("192.0.2.1"), auditevent.After(`{"email":"y"}`)).CountX(w.System())
	if kept != n {
		t.Errorf("%d events of somebody else, want %d", kept, n)
	}
	for id, want := range map[int]int{ani.ID: 0, budi.ID: n} {
		if got := w.DB.Message.Query().Where(entMessage.UserID(id)).CountX(w.System()); got != want {
			t.Errorf("%d messages, want %d", got, want)
		}
	}
}

// TestErasedDeletedRows takes what is personal out of the audit of rows that were deleted
// long before.
func TestErasedDeletedRows(t *testing.T) {
	w := newWorld(t)
	ani, budi := w.User(t, "Ani"), w.User(t, "Budi")
	const n = chunk + 1
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		for i := range n {
			for side, u := range []*ent.User{ani, budi} {
				all := fmt.Sprintf(`{"note":"secret","rule":"speed","user_id":%d}`, u.ID)
				for action, change := range map[string][2]string{"created": {"", all}, "updated": {`{"note":"secret"}`, `{"note":null}`}, "deleted": {all, ""}} {
					create := db.AuditEvent.Create().SetCompanyID(u.CompanyID).SetAction("exemption." + action).SetSubjectType(ent.TypeExemption).
						SetSubjectID(100_000 + 2*i + side).SetAt(w.Now()).SetAddress("").SetRequestID("")
					if change[0] != "" {
						create.SetBefore(change[0])
					}
					if change[1] != "" {
						create.SetAfter(change[1])
					}
					create.ExecX(ctx)
				}
			}
		}
		return nil
	})
	if err := w.eraser(ani).run(w.System()); err != nil {
		t.Fatal(err)
	}
	left := map[bool]int{}
	for _, e := range w.DB.AuditEvent.Query().Where(auditevent.SubjectType(ent.TypeExemption)).AllX(w.System()) {
		if text := fmt.Sprint(value(e.Before), value(e.After)); strings.Contains(text, "note") {
			left[e.SubjectID%2 == 1]++
		} else if !strings.Contains(text, "rule") && e.Action != "exemption.updated" {
			t.Fatalf("more is gone: %s", text)
		}
	}
	if left[false] != 0 || left[true] != 3*n {
		t.Errorf("events with a note: %d of the person, %d of another, want 0 and %d", left[false], left[true], 3*n)
	}
}

func value(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// TestErasedDevices deletes the devices that nobody else used.
func TestErasedDevices(t *testing.T) {
	w := newWorld(t)
	ani, budi := w.User(t, "Ani"), w.User(t, "Budi")
	var own, shared int
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		for i, users := range [][]*ent.User{{ani}, {ani, budi}} {
			d := db.Device.Create().SetDeviceID("d").SetPlatform(device.PlatformIos).SetTokenHash([]byte(fmt.Sprintf("%032d", i))).SetCreatedAt(w.Now()).SaveX(ctx)
			own, shared = shared, d.ID
			for _, u := range users {
				db.DeviceTrust.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetDeviceID(d.ID).SetTrustedAt(w.Now()).ExecX(ctx)
				db.Session.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetDeviceID(d.ID).SetFamily([]byte(fmt.Sprintf("%08d%08d", i, u.ID))).SetCreatedAt(w.Now()).ExecX(ctx)
			}
			db.FormerDeviceToken.Create().SetDeviceID(d.ID).SetHash([]byte(fmt.Sprintf("f%031d", i))).SetReplacedAt(w.Now()).ExecX(ctx)
		}
		return nil
	})
	for range 2 {
		if err := w.eraser(ani).run(w.System()); err != nil {
			t.Fatal(err)
		}
		if left := w.DB.Device.Query().IDsX(w.System()); !slices.Equal(left, []int{shared}) || own == shared {
			t.Errorf("left %d, want %d", left, shared)
		}
		if n := w.DB.FormerDeviceToken.Query().CountX(w.System()); n != 1 {
			t.Errorf("%d former tokens", n)
		}
		if who := w.DB.Session.Query().Select(session.FieldUserID).IntsX(w.System()); !slices.Equal(who, []int{budi.ID}) {
			t.Errorf("sessions of %d", who)
		}
	}
	if n := w.DB.User.Query().Where(user.Active(true)).CountX(w.System()) + w.DB.Attendance.Query().Where(entAttendance.UserID(ani.ID)).CountX(w.System()); n != 1 {
		t.Errorf("%d active", n)
	}
}

// TestToldToOthers clears the texts that name an erased person to others; those that were
// not sent yet never are.
func TestToldToOthers(t *testing.T) {
	w := newWorld(t)
	ani, budi, manager := w.User(t, "Ani"), w.User(t, "Budi"), w.User(t, "Mia Manager", viewer.Manager)
	told := func(about *ent.User, status entMessage.Status) (m *ent.Message) {
		w.Change(t, func(ctx context.Context, db *ent.Client) error {
			m = db.Message.Create().SetCompanyID(manager.CompanyID).SetUserID(manager.ID).SetAboutID(about.ID).SetKind("leave_asked").SetChannel(entMessage.ChannelEmail).
				SetDestination(manager.Email).SetSealedText("sealed").SetStatus(status).SetCreatedAt(w.Now()).SetDueAt(w.Now()).SetExpiresAt(w.Now().Add(time.Hour)).SaveX(ctx)
			return nil
		})
		return m
	}
	sent, queued, other := told(ani, entMessage.StatusSent), told(ani, entMessage.StatusQueued), told(budi, entMessage.StatusQueued)
	if err := w.erase(w.As(w.User(t, "Ada Admin", viewer.Admin), viewer.Admin), ani.ID); err != nil {
		t.Fatal(err)
	}
	check := func(m *ent.Message, status entMessage.Status, text bool) {
		t.Helper()
		m = w.DB.Message.GetX(w.System(), m.ID)
		if m.Status != status || (m.SealedText != nil) != text || (m.DueAt != nil) != text {
			t.Errorf("message %d is %s, has a text: %v, is due: %v; want %s, %v", m.ID, m.Status, m.SealedText != nil, m.DueAt, status, text)
		}
	}
	check(sent, entMessage.StatusSent, false)
	check(queued, entMessage.StatusFailed, false)
	check(other, entMessage.StatusQueued, true)
	late := told(ani, entMessage.StatusQueued) // by a request that was running meanwhile
	if err := w.eraser(ani).run(w.System()); err != nil {
		t.Fatal(err)
	}
	check(late, entMessage.StatusFailed, false)
}
