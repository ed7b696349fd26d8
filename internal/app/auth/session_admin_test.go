package auth

import (
	"context"
	"fmt"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/user"
	"workforce/internal/app/apptest"
	"workforce/internal/viewer"
)

// colleagues signs Budi in twice, and Siti of his team, Tono of another and
// somebody of another company once each: sessions 1 to 5.
func colleagues(t *testing.T, w *world) (people map[string]*ent.User, unit int) {
	t.Helper()
	people = map[string]*ent.User{}
	_, row := w.device(t, "a")
	for _, name := range []string{"Budi", "Siti", "Tono"} {
		people[name] = w.person(t, name)
	}
	unit = w.business(t, people["Siti"])
	w.Change(t, func(ctx context.Context, _ *ent.Client) error {
		for _, name := range []string{"Budi", "Budi", "Siti", "Tono"} {
			if _, _, err := w.auth.sessions.start(ctx, people[name], row.ID, true); err != nil {
				return err
			}
		}
		return nil
	})
	w.foreigner(t, row)
	w.Advance(time.Hour)
	return people, unit
}

// ended returns the ids of sessions that ended. It checks when.
func (w *world) ended(t *testing.T) []int {
	t.Helper()
	ids := []int{}
	for _, s := range w.DB.Session.Query().Order(ent.Asc("id")).AllX(w.System()) {
		if s.RevokedAt == nil {
			continue
		}
		if !s.RevokedAt.Equal(w.Now()) {
			t.Errorf("session %v, want ended now", s)
		}
		ids = append(ids, s.ID)
	}
	return ids
}

// wantEnded compares which sessions ended, and that the audit tells of each.
func (w *world) wantEnded(t *testing.T, ids ...int) {
	t.Helper()
	wantEqual(t, "ended", w.ended(t), append([]int{}, ids...))
	var events []string
	for _, id := range ids {
		events = append(events, "session.revoked"+sessionFacts(w.sessionOf(id)))
	}
	w.wantEvents(t, events...)
}

func TestRevokeSession(t *testing.T) {
	all, team := []string{"session.read.all", "session.write.all"}, []string{"session.read.all", "session.write.team"}
	own, narrow := []string{"session.read.all", "session.write.own"}, []string{"session.read.own", "session.write.own"}
	tests := []struct {
		name        string
		permissions []string
		session     int
		want        string
	}{
		{"own", own, 1, ""},
		{"of all, in the team", all, 3, ""},
		{"of all, in another", all, 4, ""},
		{"of the team", team, 3, ""},
		{"own, by team", team, 2, ""},
		{"seen, of another team", team, 4, "FORBIDDEN"},
		{"seen, of the team", own, 3, "FORBIDDEN"},
		{"not seen", narrow, 3, "not found"},
		{"of another company", all, 5, "not found"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			people, unit := colleagues(t, w)
			err := w.Try(w.with(people["Budi"], tt.permissions, unit), func(ctx context.Context, _ *ent.Client) error {
				return w.auth.RevokeSession(ctx, tt.session)
			})
			if tt.want == "not found" && ent.IsNotFound(err) {
				err, tt.want = nil, "-"
			}
			if tt.want == "" {
				wantCode(t, "revoke", err, "")
				w.wantEnded(t, tt.session)
				return
			}
			if tt.want != "-" {
				wantCode(t, "revoke", err, tt.want)
			}
			w.wantEnded(t)
		})
	}
}

func TestRevokeAllSessions(t *testing.T) {
	all, team := []string{"session.write.all", "session.read.all"}, []string{"session.write.team", "session.read.all"}
	own := []string{"session.write.own", "session.read.own"}
	tests := []struct {
		name        string
		permissions []string
		of          string // "" for the viewer themselves
		keepCurrent bool
		want        string
		ended       []int
	}{
		{"own", own, "", false, "", []int{1, 2}},
		{"own but this one", own, "", true, "", []int{1}},
		{"own by id", own, "Budi", true, "", []int{1}},
		{"somebody's, of all", all, "Tono", true, "", []int{4}},
		{"somebody's, of the team", team, "Siti", false, "", []int{3}},
		{"somebody's of another team", team, "Tono", false, "FORBIDDEN", []int{}},
		{"somebody's", own, "Siti", false, "FORBIDDEN", []int{}},
		{"somebody's of another company", all, "Other", false, "NOT_FOUND userId", []int{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			people, unit := colleagues(t, w)
			var of *int
			if tt.of != "" {
				of = new(w.DB.User.Query().Where(user.Name(tt.of)).OnlyIDX(w.System()))
			}
			ctx := w.with(people["Budi"], tt.permissions, unit)
			viewer.From(ctx).SessionID = 2
			ids, err := inTx(w, ctx, func(ctx context.Context) ([]int, error) {
				return w.auth.RevokeAllSessions(ctx, of, tt.keepCurrent)
			})
			wantCode(t, "revoke", err, tt.want)
			w.wantEnded(t, tt.ended...)
			if err == nil {
				wantEqual(t, "answer", ids, tt.ended)
			}
		})
	}
}

// TestRevokeSessionsOfOwners proves that an administrator ends no session of an
// owner, and another owner does.
func TestRevokeSessionsOfOwners(t *testing.T) {
	for _, tt := range []struct{ role, want string }{{viewer.Admin, "FORBIDDEN"}, {viewer.Owner, ""}} {
		w := newWorld(t)
		people, _ := colleagues(t, w)
		w.own(t, people["Siti"])
		ctx := w.As(people["Budi"], tt.role)
		_, err := inTx(w, ctx, func(ctx context.Context) ([]int, error) {
			return w.auth.RevokeAllSessions(ctx, &people["Siti"].ID, false)
		})
		wantCode(t, tt.role+", all", err, tt.want)
		err = w.Try(ctx, func(ctx context.Context, _ *ent.Client) error { return w.auth.RevokeSession(ctx, 3) })
		wantCode(t, tt.role+", one", err, tt.want)
		if tt.want == "" {
			w.wantEnded(t, 3)
		} else {
			w.wantEnded(t)
		}
	}
}

// own makes a user an owner of the company.
func (w *world) own(t *testing.T, u *ent.User) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.UserRole.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetRoleID(w.Roles[viewer.Owner].ID).Exec(ctx)
	})
}

// TestRevokeEndedSessions leaves what ended before as it is.
func TestRevokeEndedSessions(t *testing.T) {
	w := newWorld(t)
	people, _ := colleagues(t, w)
	before := later(time.Minute)
	w.DB.Session.UpdateOneID(1).SetRevokedAt(before).ExecX(w.System())
	ctx := w.with(people["Budi"], []string{"session.write.own", "session.read.own"})
	ids, err := inTx(w, ctx, func(ctx context.Context) ([]int, error) { return w.auth.RevokeAllSessions(ctx, nil, false) })
	if fmt.Sprint(ids) != "[2]" || err != nil || !w.sessionOf(1).RevokedAt.Equal(before) {
		t.Errorf("%v, %v; session %v", ids, err, w.sessionOf(1))
	}
	w.wantEvents(t, "session.revoked"+sessionFacts(w.sessionOf(2)))
	err = w.Try(ctx, func(ctx context.Context, _ *ent.Client) error { return w.auth.RevokeSession(ctx, 1) })
	if err != nil || !w.sessionOf(1).RevokedAt.Equal(before) {
		t.Errorf("again: %v; session %v", err, w.sessionOf(1))
	}
	w.wantEvents(t)
	if _, err := w.auth.RevokeAllSessions(ent.NewContext(t.Context(), w.DB), nil, false); apptest.Code(err) != "UNAUTHENTICATED" {
		t.Errorf("nobody: %v", err)
	}
}

func TestEndSessions(t *testing.T) {
	w := newWorld(t)
	people, _ := colleagues(t, w)
	if err := EndSessions(w.System(), w.Now(), people["Budi"].ID); err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "ended", w.ended(t), []int{1, 2})
}
