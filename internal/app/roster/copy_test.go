package roster_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"workforce/ent"
	"workforce/ent/auditevent"
	entLeave "workforce/ent/leave"
	"workforce/graph/model"
	"workforce/internal/app/apptest/rostertest"
	"workforce/internal/app/input"
	"workforce/internal/app/roster"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// copyWeek copies a week of people and tells what became of it: how many days, and for each person
// and date that stays the reason.
func copyWeek(w *rostertest.World, ctx context.Context, in model.CopyWeekInput) (string, error) {
	var text string
	err := w.Transact(ctx, func(ctx context.Context) error {
		out, err := w.Roster.CopyWeek(ctx, in)
		if err != nil {
			return err
		}
		text = fmt.Sprint(out.Copied)
		for _, s := range out.Skipped {
			name := w.Client().User.GetX(w.System(), s.UserID).Name
			text += fmt.Sprintf(" %s %s %s", name, s.Date[8:], s.Reason)
		}
		return nil
	})
	return text, err
}

// planDays plans days of somebody.
func planDays(t *testing.T, w *rostertest.World, u *ent.User, days map[string][]int) {
	t.Helper()
	for date, shifts := range days {
		err := w.Do(func(ctx context.Context) error {
			_, err := w.Roster.PlanDay(ctx, model.PlanDayInput{UserID: u.ID, Date: date, ShiftIds: input.Given(shifts)})
			return err
		})
		if err != nil {
			t.Fatal(date, err)
		}
	}
}

// TestCopiedWeek copies a week of four people twice.
func TestCopiedWeek(t *testing.T) {
	w := rostertest.New(t)
	budi, agus, citra := w.User(t, "budi"), w.User(t, "agus"), w.User(t, "citra")
	day, night := w.Shift(t, "day", "08:00", "16:00"), w.Shift(t, "night", "22:00", "06:00")
	early, old := w.Shift(t, "early", "05:00", "13:00"), w.Shift(t, "old", "09:00", "10:00")
	w.AssignYesterday(t, map[*ent.User]*ent.Shift{budi: day, agus: day, citra: day})
	w.Attend(t, budi, "2026-03-11")
	nights := []int{night.ID}
	planDays(t, w, budi, map[string][]int{
		"2026-03-23": nights, "2026-03-24": nights, "2026-03-25": nights, "2026-03-26": {old.ID}, "2026-03-27": nights,
		"2026-03-28": {}, "2026-03-29": nights, "2026-03-16": {early.ID},
	})
	planDays(t, w, agus, map[string][]int{"2026-03-27": nights})
	planDays(t, w, citra, map[string][]int{"2026-03-26": nights, "2026-03-29": {}, "2026-03-12": {early.ID}})
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		db.Holiday.Create().SetCompanyID(w.Company.ID).SetName("Nyepi").SetDate("2026-03-13").ExecX(ctx)
		kind := db.LeaveType.Create().SetCompanyID(w.Company.ID).SetName("annual").SaveX(ctx)
		db.Leave.Create().SetCompanyID(w.Company.ID).SetUserID(budi.ID).SetLeaveTypeID(kind.ID).SetStartsOn("2026-03-14").
			SetEndsOn("2026-03-14").SetDates([]string{"2026-03-14"}).SetReason("x").SetState("approved").
			SetCreatedAt(w.Now()).SetExpiresAt(w.Now()).ExecX(ctx)
		db.Shift.UpdateOneID(old.ID).SetActive(false).ExecX(ctx)
		return db.User.UpdateOneID(agus.ID).SetLeftOn("2026-03-12").Exec(ctx)
	})
	admin := w.As(w.Admin, viewer.Admin)
	in := model.CopyWeekInput{From: "2026-03-25", To: "2026-03-10"}
	const stay = " budi 09 past budi 10 past budi 11 worked budi 12 archived budi 13 holiday budi 14 leave" +
		" budi 15 overlap agus 13 employment"
	for n, copied := range []string{"2", "0"} {
		got, err := copyWeek(w, admin, in)
		if err != nil {
			t.Fatal(err)
		}
		rostertest.Want(t, fmt.Sprint("call ", n), got, copied+stay)
		rostertest.Want(t, "a night, and a day off", w.Occurrences(citra, "2026-03-11", "2026-03-16"),
			"11 day 07:00-17:00, 12 night 21:00-07:00, 13 day 07:00-17:00, 14 day 07:00-17:00, 16 day 07:00-17:00")
		rostertest.Want(t, "who stays", w.Occurrences(budi, "2026-03-12", "2026-03-13"),
			"12 day 07:00-17:00, 13 day 07:00-17:00")
	}
	for action, want := range map[string]int{"planned_day.created": 1, "planned_day.updated": 1} {
		of := w.Client().AuditEvent.Query().Where(auditevent.Action(action))
		if n := of.CountX(w.System()); n != want {
			t.Errorf("%d times %s, want %d", n, action, want)
		}
	}
	got, err := copyWeek(w, admin, model.CopyWeekInput{
		From: "2026-03-09", To: "2026-03-30", UserIds: input.Given([]int{citra.ID}),
	})
	if err != nil || got != "3" { // of Monday no occurrence was made
		t.Errorf("a week that has begun: %s, %v", got, err)
	}
	rostertest.Want(t, "what was worked and planned then",
		weekOf(t, w, "2026-03-30", "citra"), weekOf(t, w, "2026-03-09", "citra"))
}

// weekOf lists the shifts of somebody in a week.
func weekOf(t *testing.T, w *rostertest.World, date, name string) string {
	t.Helper()
	out, err := w.Roster.Week(ent.NewContext(w.As(w.Admin, viewer.Admin), w.Client()), roster.Week{Date: &date})
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, p := range out.People {
		for _, s := range p.Shifts {
			if p.Name == name {
				list = append(list, fmt.Sprint(shift.Date(s.Date).Weekday(), " ", s.Name))
			}
		}
	}
	return strings.Join(list, ", ")
}

// TestCopyRefused asks for what cannot be.
func TestCopyRefused(t *testing.T) {
	w := rostertest.New(t)
	budi, agus, manager := w.User(t, "budi"), w.User(t, "agus"), w.User(t, "manager", viewer.Manager)
	team := w.Business(t, "Team", nil, budi, manager)
	owner := w.User(t, "owner", viewer.Owner)
	admin, lead := w.As(w.Admin, viewer.Admin), w.As(manager, viewer.Manager, team.ID)
	many := make([]int, 1001)
	for _, tt := range []struct {
		ctx      context.Context
		from, to string
		ids      []int
		want     string
	}{
		{admin, "2026-03-11", "2026-03-15", nil, "VALIDATION_FAILED to same_as"},
		{admin, "2026-03-16", "2026-03-08", nil, "VALIDATION_FAILED to out_of_range"},
		{admin, "2026-03-16", "2026-03-09", nil, ""},
		{admin, "2025-03-02", "2026-03-15", nil, "VALIDATION_FAILED from out_of_range"},
		{admin, "2025-03-09", "2026-03-16", nil, "VALIDATION_FAILED to out_of_range"},
		{admin, "2025-03-09", "2026-03-15", nil, ""},
		{admin, "2026-03-16", "2027-03-07", nil, ""},
		{admin, "2026-03-16", "2027-03-08", nil, "VALIDATION_FAILED to out_of_range"},
		{admin, "0001-01-01", "2026-03-16", nil, "VALIDATION_FAILED from out_of_range"},
		{admin, "9998-12-31", "2026-03-16", nil, "VALIDATION_FAILED from out_of_range"},
		{admin, "2026-03-16", "2026-03-23", []int{}, "VALIDATION_FAILED userIds required"},
		{admin, "2026-03-16", "2026-03-23", many, "VALIDATION_FAILED userIds too_many"},
		{admin, "2026-03-16", "2026-03-23", []int{budi.ID, 4711}, "NOT_FOUND userIds"},
		{admin, "2026-03-16", "2026-03-23", []int{owner.ID}, "FORBIDDEN"},
		{lead, "2026-03-16", "2026-03-23", []int{budi.ID, agus.ID}, "FORBIDDEN"},
		{lead, "2026-03-16", "2026-03-23", []int{budi.ID}, ""},
		{lead, "2026-03-16", "2026-03-23", nil, ""},
	} {
		in := model.CopyWeekInput{From: tt.from, To: tt.to}
		if tt.ids != nil {
			in.UserIds = input.Given(tt.ids)
		}
		_, err := copyWeek(w, tt.ctx, in)
		rostertest.WantCode(t, fmt.Sprint(tt.from, " to ", tt.to, " of ", len(tt.ids)), err, tt.want)
	}
}

// TestWeeksOfPeople shows hours, leave and holidays of weeks.
func TestWeeksOfPeople(t *testing.T) {
	w := rostertest.New(t)
	budi, agus, manager := w.User(t, "budi"), w.User(t, "agus"), w.User(t, "manager", viewer.Manager)
	team := w.Business(t, "Team", nil, budi, manager)
	day := w.Shift(t, "day", "08:00", "16:00", func(in *model.CreateShiftInput) {
		in.Breaks = input.Given([]*model.ShiftBreakInput{{Start: "12:00", End: "13:00"}})
	})
	w.AssignYesterday(t, map[*ent.User]*ent.Shift{budi: day, agus: day})
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		other := db.Address.Create().SetCompanyID(w.Company.ID).SetName("Other").SetAddress("").
			SetLatitude(1).SetLongitude(1).SaveX(ctx)
		for date, place := range map[string]int{"2026-03-19": 0, "2026-03-20": other.ID, "2026-04-05": 0, "2026-04-06": 0} {
			create := db.Holiday.Create().SetCompanyID(w.Company.ID).SetName("H").SetDate(date).SetHalf(date == "2026-04-05")
			if place != 0 {
				create.SetAddressID(place)
			}
			create.ExecX(ctx)
		}
		kind := db.LeaveType.Create().SetCompanyID(w.Company.ID).SetName("annual").SaveX(ctx)
		for i, l := range []struct{ from, to, state string }{
			{"2026-03-01", "2026-03-09", "approved"}, {"2026-04-05", "2026-04-20", "pending"},
			{"2026-04-06", "2026-04-20", "approved"}, {"2026-03-17", "2026-03-18", "refused"},
			{"2026-03-08", "2026-03-08", "approved"}, {"2026-03-20", "2026-03-20", "pending"},
		} {
			expires := w.Now().AddDate(0, 0, 1)
			if i == 5 {
				expires = w.Now()
			}
			for _, u := range []*ent.User{budi, agus} {
				db.Leave.Create().SetCompanyID(w.Company.ID).SetUserID(u.ID).SetLeaveTypeID(kind.ID).
					SetStartsOn(l.from).SetEndsOn(l.to).SetDates([]string{l.to}).SetReason("x").
					SetState(entLeave.State(l.state)).SetHalf(true).
					SetCreatedAt(w.Now()).SetExpiresAt(expires).ExecX(ctx)
			}
		}
		return nil
	})
	show := func(ctx context.Context, weeks int) string {
		out, err := w.Roster.Week(ent.NewContext(ctx, w.Client()), roster.Week{Weeks: &weeks})
		if err != nil {
			return err.Error()
		}
		text := out.StartsOn[5:] + " to " + out.EndsOn[5:]
		for _, p := range out.People {
			if p.Name != "budi" && p.Name != "agus" {
				continue
			}
			text += fmt.Sprintf("; %s %d", p.Name, p.Hours)
			for _, l := range p.Leaves {
				text += fmt.Sprint(" ", l.Name, " ", l.StartsOn[5:], " ", l.EndsOn[5:], " ", l.State, " ", l.Half)
			}
			for _, h := range p.Holidays {
				text += fmt.Sprint(" ", h.Date[5:], " ", h.Name, " ", h.Half)
			}
		}
		return text
	}
	admin := w.As(w.Admin, viewer.Admin)
	const first = " annual 03-01 03-09 approved true"
	const last = " annual 04-05 04-20 pending true"
	const holidays = " 03-19 H false 04-05 H true"
	rostertest.Want(t, "one", show(admin, 1), "03-09 to 03-15; agus 151200"+first+"; budi 151200"+first)
	rostertest.Want(t, "four", show(admin, 4),
		"03-09 to 04-05; agus 680400"+first+last+holidays+"; budi 680400"+first+last+holidays)
	reads := w.As(manager, viewer.Manager, team.ID)
	more := append([]string{"shift.read.all"}, viewer.From(reads).Permissions...)
	viewer.From(reads).Permissions = slices.Sorted(slices.Values(more))
	rostertest.Want(t, "who reads the leave of some", show(reads, 1), "03-09 to 03-15; agus 151200; budi 151200"+first)
	for _, n := range []int{0, 5} {
		_, err := w.Roster.Week(ent.NewContext(admin, w.Client()), roster.Week{Weeks: &n})
		rostertest.WantCode(t, fmt.Sprint(n), err, "VALIDATION_FAILED weeks out_of_range")
	}
}
