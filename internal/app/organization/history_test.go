package organization

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/businessperiod"
	"workforce/ent/designationperiod"
	"workforce/internal/app/apptest"
	"workforce/internal/viewer"
)

// A historyWorld is a company with two businesses, two designations and a person.
type historyWorld struct {
	*apptest.World
	user, jakarta, bandung, cook, driver int
}

func newHistoryWorld(t *testing.T) *historyWorld {
	w := &historyWorld{World: apptest.New(t)}
	w.user = w.User(t, "Ani").ID
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		w.jakarta = db.Business.Create().SetCompanyID(w.Company.ID).SetName("Jakarta").SaveX(ctx).ID
		w.bandung = db.Business.Create().SetCompanyID(w.Company.ID).SetName("Bandung").SaveX(ctx).ID
		w.cook = db.Designation.Create().SetCompanyID(w.Company.ID).SetName("Cook").SaveX(ctx).ID
		w.driver = db.Designation.Create().SetCompanyID(w.Company.ID).SetName("Driver").SaveX(ctx).ID
		return nil
	})
	return w
}

// periods returns the history of the person: what, from and until when.
func (w *historyWorld) periods() (businesses, designations []string) {
	until := func(day *string) string {
		if day == nil {
			return "now"
		}
		return *day
	}
	for _, p := range w.DB.BusinessPeriod.Query().Where(businessperiod.UserID(w.user)).Order(ent.Asc(businessperiod.FieldID)).AllX(w.System()) {
		businesses = append(businesses, fmt.Sprint(p.Name, " ", *p.From, " ", until(p.Until)))
	}
	for _, p := range w.DB.DesignationPeriod.Query().Where(designationperiod.UserID(w.user)).Order(ent.Asc(designationperiod.FieldID)).AllX(w.System()) {
		designations = append(designations, fmt.Sprint(p.Name, " ", *p.From, " ", until(p.Until)))
	}
	return businesses, designations
}

// TestMoved moves a person on some days.
func TestMoved(t *testing.T) {
	const none = -1
	type move struct {
		to int // of the businesses: 0 is Jakarta, 1 Bandung
		on string
	}
	for _, tt := range []struct {
		name  string
		moves []move
		want  []string
	}{
		{"the first", []move{{0, "2026-03-01"}}, []string{"Jakarta 2026-03-01 now"}},
		{"another day", []move{{0, "2026-03-01"}, {1, "2026-03-11"}}, []string{"Jakarta 2026-03-01 2026-03-10", "Bandung 2026-03-11 now"}},
		{"twice on a day", []move{{0, "2026-03-11"}, {1, "2026-03-11"}}, []string{"Bandung 2026-03-11 now"}},
		{"over a month's end", []move{{0, "2024-01-01"}, {1, "2024-03-01"}}, []string{"Jakarta 2024-01-01 2024-02-29", "Bandung 2024-03-01 now"}},
		{"to none", []move{{0, "2026-03-01"}, {none, "2026-03-11"}}, []string{"Jakarta 2026-03-01 2026-03-10"}},
		{"away and back", []move{{0, "2026-03-01"}, {none, "2026-03-05"}, {0, "2026-03-11"}}, []string{"Jakarta 2026-03-01 2026-03-04", "Jakarta 2026-03-11 now"}},
	} {
		w := newHistoryWorld(t)
		for _, m := range tt.moves {
			var to *int
			if m.to != none {
				to = &[]int{w.jakarta, w.bandung}[m.to]
			}
			w.Change(t, func(ctx context.Context, _ *ent.Client) error {
				return RecordMoves(ctx, w.Company.ID, []int{w.user}, to, m.on)
			})
		}
		if got, _ := w.periods(); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestDesignated gives a person designations and takes them away; what is deleted keeps
// its name.
func TestDesignated(t *testing.T) {
	w := newHistoryWorld(t)
	for _, step := range []struct {
		begun, ended []int
		on           string
		want         []string
	}{
		{[]int{w.cook}, nil, "2026-03-01", []string{"Cook 2026-03-01 now"}},
		{[]int{w.driver}, []int{w.cook}, "2026-03-11", []string{"Cook 2026-03-01 2026-03-10", "Driver 2026-03-11 now"}},
		{nil, []int{w.driver}, "2026-03-11", []string{"Cook 2026-03-01 2026-03-10"}},
	} {
		w.Change(t, func(ctx context.Context, _ *ent.Client) error {
			return RecordDesignations(ctx, w.Company.ID, []int{w.user}, step.begun, step.ended, step.on)
		})
		if _, got := w.periods(); !slices.Equal(got, step.want) {
			t.Errorf("on %s: %q, want %q", step.on, got, step.want)
		}
	}
	w.Change(t, func(ctx context.Context, _ *ent.Client) error { return forgetDesignation(ctx, w.cook) })
	p := w.DB.DesignationPeriod.Query().Where(designationperiod.UserID(w.user)).OnlyX(w.System())
	if p.DesignationID != nil || p.Name != "Cook" {
		t.Errorf("kept %v", p)
	}
}

// TestBegin records where a new person begins.
func TestBegin(t *testing.T) {
	w := newHistoryWorld(t)
	w.Change(t, func(ctx context.Context, _ *ent.Client) error {
		return BeginHistory(ctx, w.Company.ID, []Beginning{{User: w.user, Business: w.bandung, Designations: []int{w.cook, w.driver}, On: "2026-03-11"}})
	})
	businesses, designations := w.periods()
	if !slices.Equal(businesses, []string{"Bandung 2026-03-11 now"}) || !slices.Equal(designations, []string{"Cook 2026-03-11 now", "Driver 2026-03-11 now"}) {
		t.Errorf("%q, %q", businesses, designations)
	}
}

// TestToday is the date in the company's zone, seven hours ahead of UTC.
func TestToday(t *testing.T) {
	w := newHistoryWorld(t)
	ctx := w.As(w.DB.User.GetX(w.System(), w.user), viewer.Employee)
	midnight := time.Date(2026, 3, 11, 17, 0, 0, 0, time.UTC)
	for now, want := range map[time.Time]string{midnight.Add(-time.Second): "2026-03-11", midnight: "2026-03-12"} {
		if got := Today(ctx, now); got != want {
			t.Errorf("at %v: %s, want %s", now, got, want)
		}
	}
}
