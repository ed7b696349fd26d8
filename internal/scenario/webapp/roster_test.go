package webapp

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/business"
	"workforce/ent/fallbackshift"
	"workforce/ent/plannedday"
	"workforce/ent/shift"
	"workforce/ent/shiftassignment"
	"workforce/ent/shiftswap"
	"workforce/ent/shiftversion"
	"workforce/ent/user"
	"workforce/internal/viewer"
)

// plannedNames returns the names of the shifts that are planned for a date of a person alone, in order, and
// whether anything is.
func plannedNames(ctx context.Context, db *ent.Client, email, date string) ([]string, bool) {
	of := db.PlannedDay.Query().Where(plannedday.Date(date), plannedday.HasUserWith(user.Email(email)))
	day, err := of.Only(ctx)
	if err != nil {
		return nil, false
	}
	var names []string
	for _, id := range day.ShiftIds {
		names = append(names, db.Shift.GetX(ctx, id).Name)
	}
	slices.Sort(names)
	return names, true
}

// TestRoster plans the days of people as their manager: one in four clicks, many at once, a week as
// another one, and two by a swap.
func TestRoster(t *testing.T) {
	full(t)
	t.Parallel()
	s := newServer(t)
	ctx, db := viewer.System(t.Context()), s.Store.Ent
	for _, name := range []string{"agus", "dimas"} {
		s.SignIn(t, name, name+"@demo.test")
		s.SaveShift(t, name) // makes what they work these days, which can be swapped
	}
	use(t, s, "roster.mjs", map[string]func(string) string{
		"planned": func(text string) string {
			of := strings.Fields(text) // e-mail, date and names
			if got, _ := plannedNames(ctx, db, of[0], of[1]); !slices.Equal(got, of[2:]) {
				t.Errorf("%s has %q planned", text, got)
			}
			return ""
		},
		"usual": func(text string) string {
			of := strings.Fields(text)
			if got, ok := plannedNames(ctx, db, of[0], of[1]); ok {
				t.Errorf("%s: %q is planned", text, got)
			}
			return ""
		},
		"ends": func(text string) string {
			of := strings.Fields(text)
			ending := shiftassignment.And(shiftassignment.HasUserWith(user.Email(of[0])), shiftassignment.EndsOn(of[1]))
			if n := db.ShiftAssignment.Query().Where(ending).CountX(ctx); n != 1 {
				t.Errorf("%s: %d assignments end then", text, n)
			}
			return ""
		},
	})
}

// TestRosterOwn shows an employee the own row, who asks for another shift and withdraws that.
func TestRosterOwn(t *testing.T) {
	full(t)
	t.Parallel()
	s := newServer(t)
	ctx, db := viewer.System(t.Context()), s.Store.Ent
	s.SignIn(t, "budi", "budi@demo.test")
	s.SaveShift(t, "budi")
	s.Clock.Advance(2 * time.Minute) // another code may be sent
	useAs(t, s, "budi@demo.test", "roster-own.mjs", nil, map[string]func(string) string{
		"swap": func(text string) string {
			of := strings.Fields(text) // e-mail, date and the wanted shift
			asked := shiftswap.And(shiftswap.HasUserWith(user.Email(of[0])), shiftswap.Date(of[1]),
				shiftswap.HasWantedShiftWith(shift.Name(of[2])), shiftswap.Note("a wedding"))
			if n := db.ShiftSwap.Query().Where(asked).CountX(ctx); n != 1 {
				t.Errorf("%s: %d are asked for", text, n)
			}
			return ""
		},
		"withdrawn": func(text string) string {
			of := strings.Fields(text) // e-mail and date
			withdrawn := shiftswap.And(shiftswap.HasUserWith(user.Email(of[0])), shiftswap.Date(of[1]),
				shiftswap.StateEQ(shiftswap.StateCancelled))
			if n := db.ShiftSwap.Query().Where(withdrawn).CountX(ctx); n != 1 {
				t.Errorf("%s: %d are withdrawn", text, n)
			}
			return ""
		},
	})
}

// TestShifts makes and changes shifts, a rotation, a fallback shift and a leave type as an admin.
func TestShifts(t *testing.T) {
	full(t)
	t.Parallel()
	s := newServer(t)
	ctx, db := viewer.System(t.Context()), s.Store.Ent
	useAs(t, s, "admin@demo.test", "shifts.mjs", nil, map[string]func(string) string{
		"shift": func(text string) string {
			of := strings.Fields(text) // name, start, end, colour and how many former versions
			row := db.Shift.Query().Where(shift.Name(of[0])).OnlyX(ctx)
			versions := db.ShiftVersion.Query().Where(shiftversion.ShiftID(row.ID)).CountX(ctx)
			colour := ""
			if row.Colour != nil {
				colour = *row.Colour
			}
			if got := []string{row.StartTime, row.EndTime, colour, strconv.Itoa(versions)}; !slices.Equal(got, of[1:]) {
				t.Errorf("%s: the row has %q", text, got)
			}
			return ""
		},
		"fallback": func(text string) string {
			of := strings.Fields(text)
			set := fallbackshift.And(fallbackshift.HasBusinessWith(business.Name(of[0])),
				fallbackshift.HasShiftWith(shift.Name(of[1])))
			if n := db.FallbackShift.Query().Where(set).CountX(ctx); n != 1 {
				t.Errorf("%s: %d are set", text, n)
			}
			return ""
		},
	})
}
