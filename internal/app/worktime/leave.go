package worktime

import (
	"context"
	"fmt"

	"workforce/ent"
	entLeave "workforce/ent/leave"
	"workforce/internal/shift"
	"workforce/internal/timeoff"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// LongestLeave is how many days a leave has at most, from its first to its last: no leave that
// began longer ago goes on.
const LongestLeave = 366

// maxByPerson is of how many people leave is read by person; the leave of more people is read
// by its dates.
const maxByPerson = 100

// ReadLeave reads the approved leave of people of a company that applies to any date of a
// period, by person, in one statement. timeoff.Free applies it to a date.
func ReadLeave(ctx context.Context, company int, people []int, p timesheet.Period) (map[int][]timeoff.Leave, error) {
	leave := map[int][]timeoff.Leave{}
	if len(people) == 0 {
		return leave, nil
	}
	q := ent.FromContext(ctx).Leave.Query().Where(entLeave.CompanyID(company), entLeave.StateEQ(entLeave.StateApproved),
		entLeave.StartsOnGTE(string(p.From.AddDays(1-LongestLeave))), entLeave.StartsOnLTE(string(p.To)), entLeave.EndsOnGTE(string(p.From)))
	wanted := map[int]bool{}
	if len(people) <= maxByPerson {
		q.Where(entLeave.UserIDIn(people...))
	}
	for _, id := range people {
		wanted[id] = true
	}
	list, err := q.Order(ent.Asc(entLeave.FieldID)).Select(entLeave.FieldUserID, entLeave.FieldHalf, entLeave.FieldWorkFromHome,
		entLeave.FieldFromTime, entLeave.FieldToTime, entLeave.FieldDates).All(viewer.System(ctx))
	if err != nil {
		return nil, fmt.Errorf("read leave: %w", err)
	}
	for _, l := range list {
		if wanted[l.UserID] {
			leave[l.UserID] = append(leave[l.UserID], NewLeave(l))
		}
	}
	return leave, nil
}

// NewLeave returns the leave of a row.
func NewLeave(l *ent.Leave) timeoff.Leave {
	out := timeoff.Leave{Half: l.Half, WorkFromHome: l.WorkFromHome}
	for _, d := range l.Dates {
		out.Dates = append(out.Dates, shift.Date(d))
	}
	if l.FromTime != nil && l.ToTime != nil {
		out.From, out.To = shift.Clock(*l.FromTime), shift.Clock(*l.ToTime)
	}
	return out
}
