package worktime

import (
	"workforce/ent"
	"workforce/internal/app/input"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
)

// A leaveRow is a leave as it is stored.
type leaveRow struct {
	User         int          `sql:"user_id"`
	Half         bool         `sql:"half"`
	WorkFromHome bool         `sql:"work_from_home"`
	From         string       `sql:"from_time"` // "" for whole days and halves
	To           string       `sql:"to_time"`
	Dates        []shift.Date `sql:"dates"`
}

// NewLeave returns the leave of a row. timeoff.Free applies it to a date.
func NewLeave(l *ent.Leave) timesheet.Leave {
	row := leaveRow{Half: l.Half, WorkFromHome: l.WorkFromHome, From: input.Value(l.FromTime), To: input.Value(l.ToTime)}
	for _, d := range l.Dates {
		row.Dates = append(row.Dates, shift.Date(d))
	}
	return row.leave()
}

// leave returns the leave of the row. Without both times it is not of hours.
func (l leaveRow) leave() timesheet.Leave {
	out := timesheet.Leave{Dates: l.Dates, Half: l.Half, WorkFromHome: l.WorkFromHome}
	if l.From != "" && l.To != "" {
		out.From, out.To = shift.Clock(l.From), shift.Clock(l.To)
	}
	return out
}
