package approval

import (
	"context"
	"time"

	"workforce/ent"
	entOvertimeApproval "workforce/ent/overtimeapproval"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/app/scheduling"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// back is how many days ago overtime is decided at most.
const back = 366

// An Overtime decides about overtime. Its methods are safe for concurrent use.
type Overtime struct {
	Now   func() time.Time // UTC, to the microsecond
	Plans *scheduling.Planner
	// Days calls show with the days of people in a period, as their timesheets have them.
	Days func(ctx context.Context, me *viewer.Viewer, ids []int, p timesheet.Period, show func(user int, days []timesheet.Day)) error
}

// ResetOvertime takes back the decisions about the overtime of somebody that a change of their work
// of some dates alters. Whoever changes worked time calls it, with the viewer whose company
// has the rules.
func ResetOvertime(ctx context.Context, me *viewer.Viewer, userID int, dates ...shift.Date) (err error) {
	defer errs.Step(&err, "approval: take decisions about overtime back")
	policy, affected := timesheet.PolicyOf(me.Settings), []string{}
	seen := map[shift.Date]bool{}
	for _, d := range dates {
		for _, a := range policy.Affected(d).Dates() {
			if !seen[a] {
				seen[a] = true
				affected = append(affected, string(a))
			}
		}
	}
	_, err = ent.FromContext(ctx).OvertimeApproval.Delete().
		Where(entOvertimeApproval.UserID(userID), entOvertimeApproval.DateIn(affected...)).Exec(viewer.System(ctx))
	return err
}

// OvertimeBefore is how many days before an event the first date is whose overtime it may change:
// the first of the week of a night that ends with it.
const OvertimeBefore = 10

// A key names a date of a person.
type key struct {
	user int
	date shift.Date
}

// Decide approves or refuses the overtime of people on dates, and answers for each. The
// number of statements that it reads by does not grow with them.
func (s *Overtime) Decide(ctx context.Context, in model.DecideOvertimeInput) ([]*model.DecidedOvertime, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	var faults errs.Faults
	note := input.Line(&faults, "note", in.Note.Value(), tx.MaxNote)
	switch n := len(in.Items); {
	case n == 0:
		faults.Add("items", errs.Required, nil)
	case n > tx.MaxItems:
		faults.Add("items", errs.TooMany, errs.Meta{"max": tx.MaxItems})
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	refused, people, err := s.check(ctx, me, in.Items)
	if err != nil {
		return nil, err
	}
	seconds := map[key]int{}
	if len(people) > 0 {
		if err := scheduling.Lock(viewer.System(ctx), me.CompanyID, people); err != nil {
			return nil, err
		}
		if err := s.measure(ctx, me, in, people, refused, seconds); err != nil {
			return nil, err
		}
	}
	made, err := s.write(ctx, me, in.Approve, note, seconds)
	if err != nil {
		return nil, err
	}
	return answers(in.Items, refused, made), nil
}

func keyOf(item *model.OvertimeItemInput) key { return key{item.UserID, shift.Date(item.Date)} }

// check returns why the viewer does not decide about some items, and the people of the
// others.
func (s *Overtime) check(ctx context.Context, me *viewer.Viewer, items []*model.OvertimeItemInput) (refused map[key]errs.Code, people []int, err error) {
	var ids []int
	for _, item := range items {
		ids = append(ids, item.UserID)
	}
	decided, seen, err := Decided(ctx, ids, "attendance", "time")
	if err != nil {
		return nil, nil, err
	}
	refused, today := map[key]errs.Code{}, s.Plans.Today(shift.ZoneNamed(me.Timezone))
	for _, item := range items {
		k := keyOf(item)
		u := decided[k.user]
		switch {
		case seen[k.user] == nil:
			refused[k] = errs.NotFound
		case u == nil:
			refused[k] = errs.Forbidden
		case k.date > today || k.date < today.AddDays(-back):
			refused[k] = errs.Invalid
		default:
			if err := CheckLock(ctx, "attendance", u, today, "", k.date); err != nil {
				refused[k] = errs.Conflict
				continue
			}
			people = append(people, k.user)
		}
	}
	return refused, scheduling.Sorted(people...), nil
}

// measure finds the seconds of overtime of the items that are not refused, as the timesheets
// of the people have them; CONFLICT for those whose work is not over or confirmed, and those
// that have none to approve.
func (s *Overtime) measure(ctx context.Context, me *viewer.Viewer, in model.DecideOvertimeInput, people []int, refused map[key]errs.Code, seconds map[key]int) error {
	asked, p := map[key]bool{}, timesheet.Period{}
	for _, item := range in.Items {
		k := keyOf(item)
		if _, not := refused[k]; not {
			continue
		}
		if asked[k] = true; p.From == "" || k.date < p.From {
			p.From = k.date
		}
		p.To = max(p.To, k.date)
	}
	return s.Days(ctx, me, people, p, func(user int, days []timesheet.Day) {
		for _, d := range days {
			k := key{user, d.Date}
			switch {
			case !asked[k]:
			case !in.Approve:
				seconds[k] = 0
			case d.Unsettled || d.Overtime == 0:
				refused[k] = errs.Conflict
			default:
				seconds[k] = int(d.Overtime / time.Second)
			}
		}
	})
}

// write keeps decisions in the place of those before.
func (s *Overtime) write(ctx context.Context, me *viewer.Viewer, approve bool, note string, seconds map[key]int) (map[key]*ent.OvertimeApproval, error) {
	made := map[key]*ent.OvertimeApproval{}
	if len(seconds) == 0 {
		return made, nil
	}
	ctx = viewer.System(ctx)
	db := ent.FromContext(ctx).OvertimeApproval
	var people []int
	var dates []string
	var creates []*ent.OvertimeApprovalCreate
	for k, n := range seconds {
		people, dates = append(people, k.user), append(dates, string(k.date))
		create := db.Create().SetCompanyID(me.CompanyID).SetUserID(k.user).SetDate(string(k.date)).SetApproved(approve).SetSeconds(n).
			SetDecidedBy(me.UserID).SetDecidedAt(s.Now())
		if note != "" {
			create.SetNote(note)
		}
		creates = append(creates, create)
	}
	former, err := db.Query().Where(entOvertimeApproval.UserIDIn(scheduling.Sorted(people...)...), entOvertimeApproval.DateIn(dates...)).All(ctx)
	if err != nil {
		return nil, err
	}
	var ids []int
	for _, f := range former {
		if _, again := seconds[key{f.UserID, shift.Date(f.Date)}]; again {
			ids = append(ids, f.ID)
		}
	}
	if len(ids) > 0 {
		if _, err := db.Delete().Where(entOvertimeApproval.IDIn(ids...)).Exec(ctx); err != nil {
			return nil, err
		}
	}
	list, err := db.CreateBulk(creates...).Save(ctx)
	for _, a := range list {
		made[key{a.UserID, shift.Date(a.Date)}] = a
	}
	return made, err
}

// answers returns what became of each item.
func answers(items []*model.OvertimeItemInput, refused map[key]errs.Code, made map[key]*ent.OvertimeApproval) []*model.DecidedOvertime {
	out := make([]*model.DecidedOvertime, len(items))
	for i, item := range items {
		out[i] = &model.DecidedOvertime{UserID: item.UserID, Date: item.Date, OvertimeApproval: made[keyOf(item)]}
		if code, not := refused[keyOf(item)]; not {
			out[i].Code = new(code.String())
		}
	}
	return out
}
