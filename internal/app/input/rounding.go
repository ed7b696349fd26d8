package input

import (
	"workforce/graph/model"
	"workforce/internal/errs"
	"workforce/internal/timesheet"
)

// roundings are the modes by their names.
var roundings = map[model.RoundingMode]timesheet.Mode{
	model.RoundingModeOutward: timesheet.Outward, model.RoundingModeFloor: timesheet.Floor, model.RoundingModeCeil: timesheet.Ceil,
	model.RoundingModeClosest: timesheet.Closest, model.RoundingModeLengthDown: timesheet.LengthDown,
	model.RoundingModeLengthUp: timesheet.LengthUp, model.RoundingModeLengthNearest: timesheet.Nearest,
}

// Rounding returns how time is shown, as it is for nil, and adds a fault for minutes that do not
// divide a day.
func Rounding(faults *errs.Faults, r *model.TimesheetRounding) timesheet.Rounding {
	if r == nil {
		return timesheet.Rounding{}
	}
	if r.Minutes < 1 || 24*60%r.Minutes != 0 {
		faults.Add("rounding.minutes", errs.NotOneOf, errs.Meta{"allowed": "1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 15, 20, 30, 60, …"})
	}
	return timesheet.Rounding{Mode: roundings[r.Mode], Minutes: r.Minutes}
}
