package leave_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"workforce/ent"
	"workforce/ent/business"
	entLeave "workforce/ent/leave"
	"workforce/ent/user"
	"workforce/internal/app/apptest/rostertest"
	"workforce/internal/viewer"
)

// absent adds a leave of somebody, approved unless a change says otherwise, on the given dates.
func (w *world) absent(t testing.TB, u *ent.User, kind, dates string, change ...func(*ent.LeaveCreate)) {
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		list := strings.Fields(dates)
		create := db.Leave.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetLeaveTypeID(w.types[kind]).
			SetStartsOn(list[0]).SetEndsOn(list[len(list)-1]).SetDates(list).SetReason("x").SetState(entLeave.StateApproved).
			SetWorkFromHome(kind == "home").SetCreatedAt(w.World.Now()).SetExpiresAt(w.World.Now())
		for _, c := range change {
			c(create)
		}
		return create.Exec(ctx)
	})
}

// away lists who is away, as somebody sees it.
func (w *world) away(u *ent.User, role, from, to string, of ...*ent.User) (text string, err error) {
	var userID *int
	if len(of) > 0 {
		userID = &of[0].ID
	}
	ctx := w.As(u, role)
	if role == viewer.Manager {
		ctx = w.As(u, role, w.Client().Business.Query().Where(business.NameIn("Team", "Part")).IDsX(w.System())...)
	}
	err = w.Transact(ctx, func(ctx context.Context) error {
		list, err := w.Away(ctx, from, to, userID)
		for _, a := range list {
			text += fmt.Sprintf("%s %s %s,", a.Name, a.From[5:], a.To[5:])
		}
		return err
	})
	return text, err
}

// TestAway has people of one business, of one below it, and of another one away.
func TestAway(t *testing.T) {
	w := newWorld(t)
	sari, dewi, eka := w.User(t, "Sari"), w.User(t, "dewi"), w.User(t, "Eka")
	below, other := w.User(t, "Below"), w.User(t, "Other")
	w.Business(t, "Part", w.team, below)
	w.Business(t, "Elsewhere", nil, other)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.User.Update().Where(user.IDIn(sari.ID, dewi.ID, eka.ID)).SetBusinessID(w.team.ID).Exec(ctx)
	})
	for u, dates := range map[*ent.User]string{
		w.budi: "2026-03-12 2026-03-13", sari: "2026-03-12 2026-03-16", dewi: "2026-03-12",
		below: "2026-03-13", other: "2026-03-12", w.manager: "2026-03-12",
	} {
		w.absent(t, u, "annual", dates)
	}
	w.absent(t, eka, "home", "2026-03-12")
	for i, state := range []entLeave.State{"pending", "refused", "cancelled", "expired"} {
		w.absent(t, eka, "day", fmt.Sprintf("2026-03-1%d", 2+i), func(c *ent.LeaveCreate) { c.SetState(state) })
	}
	part := func(c *ent.LeaveCreate) { c.SetFromTime("08:00").SetToTime("10:00") }
	w.absent(t, eka, "hours", "2025-03-20 2026-03-20", part)
	tests := []struct {
		name, role, from, to string
		by, of               *ent.User
		want                 string
	}{
		{"an employee, without themself", viewer.Employee, "2026-03-12", "2026-03-12", w.budi, nil,
			"dewi 03-12 03-12,Sari 03-12 03-16,"},
		{"by first date", viewer.Employee, "2026-03-13", "2026-03-20", sari, nil, "Eka 03-20 03-20,Budi 03-12 03-13,"},
		{"that began a year before", viewer.Employee, "2026-03-20", "2026-03-20", sari, nil, "Eka 03-20 03-20,"},
		{"between the dates of a leave", viewer.Employee, "2026-03-14", "2026-03-15", w.budi, nil, ""},
		{"before the first", viewer.Employee, "2026-03-11", "2026-03-11", w.budi, nil, ""},
		{"after the last", viewer.Employee, "2026-03-17", "2026-03-19", w.budi, nil, ""},
		{"another business", viewer.Employee, "2026-03-12", "2026-03-20", other, nil, ""},
		{"all that somebody manages", viewer.Manager, "2026-03-13", "2026-03-13", w.manager, nil,
			"Budi 03-12 03-13,Below 03-13 03-13,"},
		{"without any business", viewer.Employee, "2026-03-12", "2026-03-20", w.manager, nil, ""},
		{"the business of a person, without them", viewer.Manager, "2026-03-12", "2026-03-13", w.manager, sari,
			"Budi 03-12 03-13,dewi 03-12 03-12,"},
		{"of a person below", viewer.Manager, "2026-03-12", "2026-03-20", w.manager, below, ""},
		{"oneself by id", viewer.Employee, "2026-03-12", "2026-03-12", w.budi, w.budi, "dewi 03-12 03-12,Sari 03-12 03-16,"},
	}
	for _, tt := range tests {
		var of []*ent.User
		if tt.of != nil {
			of = append(of, tt.of)
		}
		got, err := w.away(tt.by, tt.role, tt.from, tt.to, of...)
		rostertest.WantCode(t, tt.name, err, "")
		rostertest.Want(t, tt.name, got, tt.want)
	}
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.User.UpdateOneID(sari.ID).SetActive(false).Exec(ctx)
	})
	got, err := w.away(w.budi, viewer.Employee, "2026-03-12", "2026-03-12")
	rostertest.WantCode(t, "somebody who was deactivated", err, "")
	rostertest.Want(t, "somebody who was deactivated", got, "dewi 03-12 03-12,")
}

func TestAwayRefused(t *testing.T) {
	w := newWorld(t)
	other := w.User(t, "Other")
	w.Business(t, "Elsewhere", nil, other)
	const invalid = "VALIDATION_FAILED "
	nobody := &ent.User{ID: 4711}
	for name, tt := range map[string]struct {
		by, of         *ent.User
		role, from, to string
		want           string
	}{
		"ends before it begins":     {w.budi, nil, viewer.Employee, "2026-03-12", "2026-03-11", invalid + "from out_of_range"},
		"63 days":                   {w.budi, nil, viewer.Employee, "2026-03-12", "2026-05-13", invalid + "to out_of_range"},
		"62 days":                   {w.budi, nil, viewer.Employee, "2026-03-12", "2026-05-12", ""},
		"a colleague's":             {w.budi, w.manager, viewer.Employee, "2026-03-12", "2026-03-12", "NOT_FOUND userId"},
		"of another team":           {w.manager, other, viewer.Manager, "2026-03-12", "2026-03-12", "NOT_FOUND userId"},
		"nobody":                    {w.manager, nobody, viewer.Manager, "2026-03-12", "2026-03-12", "NOT_FOUND userId"},
		"somebody of one's own":     {w.manager, w.budi, viewer.Manager, "2026-03-12", "2026-03-12", ""},
		"of the company as a whole": {w.manager, other, viewer.Admin, "2026-03-12", "2026-03-12", ""},
	} {
		var of []*ent.User
		if tt.of != nil {
			of = append(of, tt.of)
		}
		_, err := w.away(tt.by, tt.role, tt.from, tt.to, of...)
		rostertest.WantCode(t, name, err, tt.want)
	}
}

// TestAwayIsBounded has one person away more often than an answer has room.
func TestAwayIsBounded(t *testing.T) {
	w := newWorld(t)
	sari := w.User(t, "Sari")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		for range 501 {
			db.Leave.Create().SetCompanyID(sari.CompanyID).SetUserID(sari.ID).SetLeaveTypeID(w.types["hours"]).
				SetStartsOn("2026-03-12").SetEndsOn("2026-03-12").SetDates([]string{"2026-03-12"}).SetReason("x").
				SetState(entLeave.StateApproved).SetCreatedAt(w.World.Now()).SetExpiresAt(w.World.Now()).ExecX(ctx)
		}
		return db.User.UpdateOneID(sari.ID).SetBusinessID(w.team.ID).Exec(ctx)
	})
	got, err := w.away(w.budi, viewer.Employee, "2026-03-12", "2026-03-12")
	rostertest.WantCode(t, "many", err, "")
	if n := strings.Count(got, ","); n != 500 {
		t.Errorf("%d rows, want 500", n)
	}
}
