package timesheets

import (
	"context"

	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/worktime"
	"workforce/internal/period"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// A Sheet is somebody's working time in a period: what they were to work and worked, by start,
// of its dates and those around it, and what the days come to.
type Sheet struct {
	worktime.Employee
	Records []timesheet.Record
	Days    []timesheet.Day
}

// streamedDays is how many days of people are held at once.
const streamedDays = 8_000

// Stream calls show with the sheets of the people whom a timesheet of the viewer has, by name, some
// at a time, and with how many people there are: of one person, or of all for nil. Of a period
// without dates it is called for nobody.
func (s *Service) Stream(ctx context.Context, userID *int, p timesheet.Period, show func(all int, some []Sheet) error) error {
	me, err := viewer.Require(ctx)
	if err != nil || p.To < p.From {
		return err
	}
	q := ent.FromContext(ctx).User.Query().Where(readable(me))
	if userID != nil {
		q.Where(user.ID(*userID))
	} else {
		q.Where(activeOrWorked(me, p))
	}
	all, err := q.Clone().Count(ctx)
	if err != nil {
		return err
	}
	page := max(1, streamedDays/(p.To.Days(p.From)+1))
	var last *worktime.Employee
	for {
		next := q.Clone().Limit(page)
		if last != nil {
			next.Where(user.Or(
				sql.FieldGT(user.FieldSortName, last.SortName), user.And(user.SortName(last.SortName), user.IDGT(last.ID)),
			))
		}
		users, err := list(ctx, next)
		if err != nil || len(users) == 0 {
			return err
		}
		last = &users[len(users)-1]
		some, err := s.sheets(ctx, me, users, p)
		if err != nil {
			return err
		}
		if err := show(all, some); err != nil || len(users) < page {
			return err
		}
	}
}

// sheets returns the sheets of some people.
func (s *Service) sheets(ctx context.Context, me *viewer.Viewer, users []worktime.Employee, p timesheet.Period) ([]Sheet, error) {
	policy := timesheet.PolicyOf(me.Settings)
	people, err := worktime.ReadPeople(ctx, worktime.Company{ID: me.CompanyID, Settings: me.Settings}, users, reach(p, policy))
	if err != nil {
		return nil, err
	}
	days, out := timesheet.NewSheets(timesheet.Rounding{}, p, policy, s.Now()), make([]Sheet, len(people))
	for i, person := range people {
		records := person.Expected(nil)
		out[i] = Sheet{person.Employee, records, days.Of(records, person.Off)}
		person.Works = nil
	}
	return out, ctx.Err()
}

// Dates returns the local dates, in the company's zone, that a period of the viewer lies in, as a
// timesheet has it: one whose last date is before the first where it is empty.
// VALIDATION_FAILED on from or to.
func (s *Service) Dates(ctx context.Context, from, to *period.Bound) (timesheet.Period, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return timesheet.Period{}, err
	}
	p, err := s.period(ctx, me, from, to)
	if p.empty {
		p.To = p.From.AddDays(-1)
	}
	return p.Period, err
}

// Add adds a day to the sums of a period, as timesheets have them.
func Add(to *model.TimesheetPart, d timesheet.Day) { add(to, d) }
