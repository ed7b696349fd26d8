// Package leaves reads the leave of people.
package leaves

import (
	"context"

	"workforce/ent"
	row "workforce/ent/leave"
	"workforce/internal/shift"
	"workforce/internal/timeoff"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// Approved reads the approved leave of people of a company that applies to any date of a
// period, by person, in one statement. timeoff.Free says what it frees them from.
func Approved(ctx context.Context, company int, people []int, p timesheet.Period) (map[int][]timeoff.Leave, error) {
	found := map[int][]timeoff.Leave{}
	if len(people) == 0 {
		return found, nil
	}
	list, err := ent.FromContext(ctx).Leave.Query().
		Where(row.CompanyID(company), row.UserIDIn(people...), row.StateEQ(row.StateApproved), row.EndsOnGTE(string(p.From)), row.StartsOnLTE(string(p.To))).
		Order(ent.Asc(row.FieldID)).All(viewer.System(ctx))
	for _, l := range list {
		found[l.UserID] = append(found[l.UserID], Of(l))
	}
	return found, err
}

// Of returns what a row asks for.
func Of(l *ent.Leave) timeoff.Leave {
	out := timeoff.Leave{Half: l.Half, WorkFromHome: l.WorkFromHome}
	for _, d := range l.Dates {
		out.Dates = append(out.Dates, shift.Date(d))
	}
	if l.FromTime != nil && l.ToTime != nil {
		out.From, out.To = shift.Clock(*l.FromTime), shift.Clock(*l.ToTime)
	}
	return out
}
