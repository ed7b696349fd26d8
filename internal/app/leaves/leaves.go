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

// Longest is how many days a leave has at most, from its first to its last: no leave that
// began longer ago goes on.
const Longest = 366

// few is of how many people leave is read by person; that of more is read by its dates.
const few = 100

// Approved reads the approved leave of people of a company that applies to any date of a
// period, by person, in one statement. timeoff.Free says what it frees them from.
func Approved(ctx context.Context, company int, people []int, p timesheet.Period) (map[int][]timeoff.Leave, error) {
	found := map[int][]timeoff.Leave{}
	if len(people) == 0 {
		return found, nil
	}
	q := ent.FromContext(ctx).Leave.Query().Where(row.CompanyID(company), row.StateEQ(row.StateApproved),
		row.StartsOnGTE(string(p.From.AddDays(1-Longest))), row.StartsOnLTE(string(p.To)), row.EndsOnGTE(string(p.From)))
	asked := map[int]bool{}
	if len(people) <= few {
		q.Where(row.UserIDIn(people...))
	}
	for _, id := range people {
		asked[id] = true
	}
	list, err := q.Order(ent.Asc(row.FieldID)).
		Select(row.FieldUserID, row.FieldHalf, row.FieldWorkFromHome, row.FieldFromTime, row.FieldToTime, row.FieldDates).All(viewer.System(ctx))
	for _, l := range list {
		if asked[l.UserID] {
			found[l.UserID] = append(found[l.UserID], Of(l))
		}
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
