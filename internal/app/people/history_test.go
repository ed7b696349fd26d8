package people

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/businessperiod"
	"workforce/ent/designationperiod"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/viewer"
)

// businesses returns a user's history of businesses: name from until, "-" for null.
func (w *world) businesses(id int) string {
	var all []string
	for _, p := range w.DB.BusinessPeriod.Query().Where(businessperiod.UserID(id)).AllX(w.System()) {
		all = append(all, period(p.Name, p.From, p.Until))
	}
	return strings.Join(all, ", ")
}

// designations returns a user's history of designations.
func (w *world) designations(id int) string {
	var all []string
	for _, p := range w.DB.DesignationPeriod.Query().Where(designationperiod.UserID(id)).AllX(w.System()) {
		all = append(all, period(p.Name, p.From, p.Until))
	}
	return strings.Join(all, ", ")
}

func period(name string, from, until *string) string {
	text := func(day *string) string {
		if day == nil {
			return "-"
		}
		return *day
	}
	return name + " " + text(from) + " " + text(until)
}

// TestHistory moves a person on several days, whose changes are around midnight in the
// company's zone.
func TestHistory(t *testing.T) {
	for zone, midnight := range map[string]string{"Asia/Jakarta": "2026-03-11T17:00:00Z", "America/New_York": "2026-03-12T04:00:00Z"} {
		t.Run(zone, func(t *testing.T) {
			w := newWorld(t)
			w.Change(t, func(ctx context.Context, db *ent.Client) error {
				return db.Company.UpdateOne(w.Company).SetTimezone(zone).Exec(ctx)
			})
			w.Company.Timezone = zone
			at, err := time.Parse(time.RFC3339, midnight)
			if err != nil {
				t.Fatal(err)
			}
			one, two := w.unit(t, w.Company, "One"), w.unit(t, w.Company, "Two")
			tech, lead := w.title(t, w.Company, "Technician"), w.title(t, w.Company, "Lead")
			ctx := w.As(w.User(t, "Owner", viewer.Owner), viewer.Owner)
			w.Set(at.Add(-time.Microsecond)) // the 11th
			budi, err := w.create(ctx, model.CreateUserInput{
				Name: "Budi", Email: "budi@acme.test", BusinessID: given(one), DesignationIds: input.Given([]int{tech}),
			})
			if err != nil {
				t.Fatal(err)
			}
			change := func(at time.Time, in model.UpdateUserInput, businesses, designations string) {
				t.Helper()
				w.Set(at)
				if err := w.update(ctx, budi.ID, in); err != nil {
					t.Fatal(err)
				}
				if got := w.businesses(budi.ID); got != businesses {
					t.Errorf("businesses %q, want %q", got, businesses)
				}
				if got := w.designations(budi.ID); got != designations {
					t.Errorf("designations %q, want %q", got, designations)
				}
			}
			change(at.Add(-time.Microsecond), model.UpdateUserInput{BusinessID: given(one), DesignationIds: input.Given([]int{tech})},
				"One 2026-03-11 -", "Technician 2026-03-11 -")
			change(at, model.UpdateUserInput{BusinessID: given(two), DesignationIds: input.Given([]int{tech, lead})},
				"One 2026-03-11 2026-03-11, Two 2026-03-12 -", "Technician 2026-03-11 -, Lead 2026-03-12 -")
			change(at, model.UpdateUserInput{BusinessID: null[int](), DesignationIds: input.Given([]int{tech})},
				"One 2026-03-11 2026-03-11", "Technician 2026-03-11 -")
			change(at.AddDate(0, 0, 2), model.UpdateUserInput{BusinessID: given(one), DesignationIds: input.Given([]int{})},
				"One 2026-03-11 2026-03-11, One 2026-03-14 -", "Technician 2026-03-11 2026-03-13")
			change(at.AddDate(0, 0, 3), model.UpdateUserInput{Name: given("Budi S")},
				"One 2026-03-11 2026-03-11, One 2026-03-14 -", "Technician 2026-03-11 2026-03-13")
		})
	}
}

// TestHistoryOfBulk creates people together.
func TestHistoryOfBulk(t *testing.T) {
	w := newWorld(t)
	one, tech := w.unit(t, w.Company, "One"), w.title(t, w.Company, "Technician")
	users, err := w.hire(
		NewUser{Name: "A", Email: "a@acme.test", Role: viewer.Employee, Business: one, Designations: []int{tech}, JoinedOn: "2025-01-02"},
		NewUser{Name: "B", Email: "b@acme.test", Role: viewer.Employee, Business: one},
		NewUser{Name: "C", Email: "c@acme.test", Role: viewer.Employee},
	)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, u := range users {
		got = append(got, w.businesses(u.ID)+"|"+w.designations(u.ID))
	}
	if want := []string{"One 2025-01-02 -|Technician 2025-01-02 -", "One 2026-03-11 -|", "|"}; !slices.Equal(got, want) {
		t.Errorf("history %q, want %q", got, want)
	}
}
