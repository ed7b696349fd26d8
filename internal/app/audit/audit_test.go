package audit

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/auditevent"
	"workforce/internal/app/apptest"
	"workforce/internal/audittrail"
)

// newRecorder returns a recorder in a world, and a function that lists the recorded
// actions, the oldest first.
func newRecorder(t *testing.T) (*apptest.World, *Recorder, func() []*ent.AuditEvent) {
	t.Helper()
	w := apptest.New(t)
	return w, &Recorder{DB: w.DB, Now: w.Now}, func() []*ent.AuditEvent {
		t.Helper()
		rows, err := w.DB.AuditEvent.Query().Where(auditevent.Action(LoginFailed)).Order(ent.Asc(auditevent.FieldID)).All(w.System())
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
}

func TestRecord(t *testing.T) {
	w, r, recorded := newRecorder(t)
	u := w.User(t, "Budi")
	ctx := audittrail.NewContext(w.System(), audittrail.Trail{Address: "192.0.2.1", RequestID: "request-1"})
	err := r.Record(ctx,
		Event{Action: LoginFailed, Company: w.Company.ID, Subject: ent.TypeUser, ID: u.ID, Facts: map[string]any{"tries": 2}},
		Event{Action: LoginFailed, Company: w.Company.ID, Subject: ent.TypeUser, ID: u.ID})
	if err != nil {
		t.Fatal(err)
	}
	rows := recorded()
	if len(rows) != 2 {
		t.Fatalf("%d events, want 2", len(rows))
	}
	e := rows[0]
	if e.CompanyID != w.Company.ID || e.SubjectType != "User" || e.SubjectID != u.ID || !e.At.Equal(apptest.Now) || e.Address != "192.0.2.1" || e.RequestID != "request-1" {
		t.Errorf("got %v", e)
	}
	if e.After == nil || *e.After != `{"tries":2}` || rows[1].After != nil {
		t.Errorf("facts %v and %v, want the tries and none", e.After, rows[1].After)
	}
}

// TestActor records who is signed in; else whom the event names; else nobody.
func TestActor(t *testing.T) {
	w, r, recorded := newRecorder(t)
	budi, siti := w.User(t, "Budi").ID, w.User(t, "Siti").ID
	tests := []struct{ signedIn, named, want int }{
		{budi, 0, budi}, {budi, siti, budi}, {0, siti, siti}, {0, 0, 0},
	}
	for i, tt := range tests {
		ctx := audittrail.NewContext(w.System(), audittrail.Trail{ActorID: tt.signedIn})
		if err := r.Record(ctx, Event{Action: LoginFailed, Company: w.Company.ID, Subject: ent.TypeUser, ID: budi, Actor: tt.named}); err != nil {
			t.Fatal(err)
		}
		got := 0
		if a := recorded()[i].ActorID; a != nil {
			got = *a
		}
		if got != tt.want {
			t.Errorf("%d signed in, %d named: actor %d, want %d", tt.signedIn, tt.named, got, tt.want)
		}
	}
}

// TestTransaction records in the caller's transaction, with which an event is
// rolled back, or in one of its own.
func TestTransaction(t *testing.T) {
	w, r, recorded := newRecorder(t)
	event := Event{Action: LoginFailed, Company: w.Company.ID, Subject: ent.TypeUser, ID: 1}
	undone := errors.New("undone")
	err := w.Try(w.System(), func(ctx context.Context, _ *ent.Client) error {
		if err := r.Record(ctx, event); err != nil {
			t.Error(err)
		}
		return undone
	})
	if n := len(recorded()); !errors.Is(err, undone) || n != 0 {
		t.Errorf("after a rollback: %v, %d events", err, n)
	}
	w.Change(t, func(ctx context.Context, _ *ent.Client) error {
		err := r.Record(ctx, event)
		if n := len(recorded()); n != 0 {
			t.Errorf("before the commit: %d events", n)
		}
		return err
	})
	if err := r.Record(w.System(), event); err != nil {
		t.Fatal(err)
	}
	if n := len(recorded()); n != 2 {
		t.Errorf("%d events, want 2", n)
	}
}

// TestAllOrNothing records none of several events when one cannot be.
func TestAllOrNothing(t *testing.T) {
	w, r, recorded := newRecorder(t)
	event := Event{Action: LoginFailed, Company: w.Company.ID, Subject: ent.TypeUser, ID: 1}
	wrong := event
	wrong.Facts = map[string]any{"no JSON": make(chan int)}
	if err := r.Record(w.System(), event, wrong); err == nil || len(recorded()) != 0 {
		t.Errorf("got %v and %d events, want an error and none", err, len(recorded()))
	}
}

// TestRecordUnless records an event once a minute for each action and row.
func TestRecordUnless(t *testing.T) {
	w, r, _ := newRecorder(t)
	event := Event{Action: LoginThrottled, Company: w.Company.ID, Subject: ent.TypeUser, ID: 1}
	with := func(change func(*Event)) Event { e := event; change(&e); return e }
	tests := []struct {
		name  string
		after time.Duration // since the first
		event Event
		want  bool
	}{
		{"the first", 0, event, true},
		{"again at once", 0, event, false},
		{"another row", 0, with(func(e *Event) { e.ID = 2 }), true},
		{"another entity", 0, with(func(e *Event) { e.Subject = ent.TypeDevice }), true},
		{"another action", 0, with(func(e *Event) { e.Action = LoginFailed }), true},
		{"within a minute", time.Minute - time.Microsecond, event, false},
		{"a minute later", time.Minute, event, true},
		{"within the next", 2*time.Minute - time.Microsecond, event, false},
	}
	for _, tt := range tests {
		w.Set(apptest.Now.Add(tt.after))
		before := w.DB.AuditEvent.Query().CountX(w.System())
		if err := r.recordUnless(w.System(), tt.event); err != nil {
			t.Fatal(err)
		}
		if n := w.DB.AuditEvent.Query().CountX(w.System()) - before; (n == 1) != tt.want {
			t.Errorf("%s: recorded %d events, want %v", tt.name, n, tt.want)
		}
	}
}

// TestRecordRefused records a refusal when its transaction was rolled back, as the
// transaction's viewer and outside of it: once a minute for the same facts.
func TestRecordRefused(t *testing.T) {
	w, r, _ := newRecorder(t)
	u := w.User(t, "Budi")
	ctx := audittrail.NewContext(w.As(u, "employee"), audittrail.Trail{ActorID: u.ID, RequestID: "request-1"})
	refused := errors.New("refused")
	try := func(code string, outcome error) {
		t.Helper()
		err := w.Try(ctx, func(ctx context.Context, _ *ent.Client) error {
			r.RecordRefused(ctx, Event{Action: ClockInRefused, Company: w.Company.ID, Subject: ent.TypeUser, ID: u.ID, Facts: map[string]any{"code": code}})
			return outcome
		})
		if !errors.Is(err, outcome) {
			t.Error(err)
		}
	}
	recorded := func() (codes []string) {
		for _, e := range w.DB.AuditEvent.Query().Where(auditevent.Action(ClockInRefused)).Order(ent.Asc(auditevent.FieldID)).AllX(w.System()) {
			codes = append(codes, *e.After)
			if *e.ActorID != u.ID || e.RequestID != "request-1" {
				t.Errorf("got %v", e)
			}
		}
		return codes
	}
	try("A", nil)
	if got := recorded(); len(got) != 0 {
		t.Errorf("after a commit: %v", got)
	}
	try("A", refused)
	try("A", refused)
	try("B", refused)
	w.Advance(time.Minute)
	try("A", refused)
	if got, want := recorded(), []string{`{"code":"A"}`, `{"code":"B"}`, `{"code":"A"}`}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestRefusalThatCannotBeRecorded logs it.
func TestRefusalThatCannotBeRecorded(t *testing.T) {
	w, r, _ := newRecorder(t)
	var log strings.Builder
	r.Log = slog.New(slog.NewTextHandler(&log, nil))
	refused := errors.New("refused")
	err := w.Try(w.System(), func(ctx context.Context, _ *ent.Client) error {
		r.RecordRefused(ctx, Event{Action: ClockInRefused, Company: w.Company.ID, Facts: map[string]any{"no JSON": make(chan int)}})
		return refused
	})
	if !errors.Is(err, refused) || !strings.Contains(log.String(), "unsupported type") {
		t.Errorf("got %v, logged %q", err, log.String())
	}
}
