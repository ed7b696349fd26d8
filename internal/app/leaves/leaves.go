// Package leaves reads the leave of people.
package leaves

import (
	"context"

	"workforce/ent"
	row "workforce/ent/leave"
	"workforce/internal/app/rows"
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

// SelectWhole selects whether the date of an occurrence o is one of whole approved leave of
// a person: halves add up.
func SelectWhole(q *rows.Query, company, userID int) {
	q.Add("COALESCE((SELECT SUM(CASE WHEN x.half THEN 1 ELSE 2 END) FROM leaves x WHERE x.company_id = ? AND x.user_id = ? AND x.state = 'approved' "+
		"AND x.work_from_home = FALSE AND x.from_time IS NULL AND x.starts_on <= o.date AND x.ends_on >= o.date AND INSTR(x.dates, o.date) > 0), 0) >= 2",
		company, userID)
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
