package graph

import (
	"context"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"workforce/ent"
	"workforce/graph/model"
	"workforce/internal/contact"
	"workforce/internal/face"
	"workforce/internal/plan"
)

// shaped answers what apps ask for most by the shapes of its values, where the
// selection allows it.
func shaped(ctx context.Context, next graphql.Resolver) (any, error) {
	res, err := next(ctx)
	if err != nil || !graphql.GetFieldContext(ctx).IsResolver {
		return res, err
	}
	var answer graphql.Marshaler
	switch v := res.(type) {
	case *model.Profile:
		answer = profileShape.Answer(ctx, v)
	case *model.AttendanceToday:
		answer = attendanceTodayShape.Answer(ctx, v)
	case []*model.ShiftToday:
		answer = shiftTodayShape.AnswerList(ctx, v)
	}
	if answer != nil {
		return answer, nil
	}
	return res, nil
}

var profileShape = plan.Shape[*model.Profile]{
	Type: "Profile",
	Fields: map[string]plan.Append[*model.Profile]{
		"name":       plan.Text(func(p *model.Profile) string { return p.Name }),
		"email":      plan.Text(func(p *model.Profile) string { return p.Email }),
		"image":      plan.Text(func(p *model.Profile) string { return p.Image }),
		"gender":     plan.OptionalText(func(p *model.Profile) *string { return p.Gender }),
		"salutation": plan.OptionalText(func(p *model.Profile) *string { return p.Salutation }),
		"locale":     plan.Text(func(p *model.Profile) string { return p.Locale }),
	},
	Objects: map[string]plan.Objects[*model.Profile]{
		"mobileNumber": plan.One(numberShape, func(p *model.Profile) *contact.Number { return p.MobileNumber }),
		"designations": plan.List(designationShape, func(p *model.Profile) []*ent.Designation { return p.Designations }),
		"faceLandmark": plan.List(pointShape, func(p *model.Profile) []*face.Point { return p.FaceLandmark }),
	},
}

var numberShape = plan.Shape[*contact.Number]{
	Type: "MobileNumber",
	Fields: map[string]plan.Append[*contact.Number]{
		"countryCode": func(to []byte, n *contact.Number) []byte {
			if n.CountryCode == nil {
				return append(to, "null"...)
			}
			return strconv.AppendInt(to, int64(*n.CountryCode), 10)
		},
		"number": plan.OptionalText(func(n *contact.Number) *string { return n.Number }),
	},
}

var designationShape = plan.Shape[*ent.Designation]{
	Type: "Designation",
	Fields: map[string]plan.Append[*ent.Designation]{
		"id":   plan.ID(func(d *ent.Designation) int { return d.ID }),
		"name": plan.Text(func(d *ent.Designation) string { return d.Name }),
	},
}

var pointShape = plan.Shape[*face.Point]{
	Type: "FacePoint",
	Fields: map[string]plan.Append[*face.Point]{
		"x":          plan.Float(func(p *face.Point) float64 { return p.X }),
		"y":          plan.Float(func(p *face.Point) float64 { return p.Y }),
		"z":          plan.Float(func(p *face.Point) float64 { return p.Z }),
		"visibility": plan.Float(func(p *face.Point) float64 { return p.Visibility }),
	},
}

var attendanceTodayShape = plan.Shape[*model.AttendanceToday]{
	Type: "AttendanceToday",
	Fields: map[string]plan.Append[*model.AttendanceToday]{
		"date":          plan.Text(func(a *model.AttendanceToday) string { return a.Date }),
		"timezone":      plan.Text(func(a *model.AttendanceToday) string { return a.Timezone }),
		"status":        plan.Text(func(a *model.AttendanceToday) model.DayStatus { return a.Status }),
		"clockedIn":     plan.Bool(func(a *model.AttendanceToday) bool { return a.ClockedIn }),
		"clockInAt":     plan.OptionalInstant(func(a *model.AttendanceToday) *time.Time { return a.ClockInAt }),
		"clockOutAt":    plan.OptionalInstant(func(a *model.AttendanceToday) *time.Time { return a.ClockOutAt }),
		"workedSeconds": plan.Int(func(a *model.AttendanceToday) int { return a.WorkedSeconds }),
		"closedSeconds": plan.Int(func(a *model.AttendanceToday) int { return a.ClosedSeconds }),
		"lateSeconds":   plan.Int(func(a *model.AttendanceToday) int { return a.LateSeconds }),
		"earlySeconds":  plan.Int(func(a *model.AttendanceToday) int { return a.EarlySeconds }),
	},
	Objects: map[string]plan.Objects[*model.AttendanceToday]{
		"shift":   plan.One(shiftTodayShape, func(a *model.AttendanceToday) *model.ShiftToday { return a.Shift }),
		"entries": plan.List(entryShape, func(a *model.AttendanceToday) []*model.AttendanceEntry { return a.Entries }),
	},
}

var shiftTodayShape = plan.Shape[*model.ShiftToday]{
	Type: "ShiftToday",
	Fields: map[string]plan.Append[*model.ShiftToday]{
		"employeeShiftId": plan.ID(func(s *model.ShiftToday) int { return s.EmployeeShiftID }),
		"name":            plan.Text(func(s *model.ShiftToday) string { return s.Name }),
		"date":            plan.Text(func(s *model.ShiftToday) string { return s.Date }),
		"startAt":         plan.Instant(func(s *model.ShiftToday) time.Time { return s.StartAt }),
		"endAt":           plan.Instant(func(s *model.ShiftToday) time.Time { return s.EndAt }),
		"clockInFrom":     plan.Instant(func(s *model.ShiftToday) time.Time { return s.ClockInFrom }),
		"clockInUntil":    plan.Instant(func(s *model.ShiftToday) time.Time { return s.ClockInUntil }),
		"breakSeconds":    plan.Int(func(s *model.ShiftToday) int { return s.BreakSeconds }),
		"timezone":        plan.Text(func(s *model.ShiftToday) string { return s.Timezone }),
		"clockedIn":       plan.Bool(func(s *model.ShiftToday) bool { return s.ClockedIn }),
		"clockedOut":      plan.Bool(func(s *model.ShiftToday) bool { return s.ClockedOut }),
	},
}

var entryShape = plan.Shape[*model.AttendanceEntry]{
	Type: "AttendanceEntry",
	Fields: map[string]plan.Append[*model.AttendanceEntry]{
		"id":              plan.ID(func(e *model.AttendanceEntry) int { return e.ID }),
		"employeeShiftId": plan.ID(func(e *model.AttendanceEntry) int { return e.EmployeeShiftID }),
		"addressId":       plan.ID(func(e *model.AttendanceEntry) int { return e.AddressID }),
		"clockInAt":       plan.Instant(func(e *model.AttendanceEntry) time.Time { return e.ClockInAt }),
		"clockOutAt":      plan.OptionalInstant(func(e *model.AttendanceEntry) *time.Time { return e.ClockOutAt }),
		"status":          plan.Text(func(e *model.AttendanceEntry) model.DayStatus { return e.Status }),
		"faceMatched":     plan.OptionalBool(func(e *model.AttendanceEntry) *bool { return e.FaceMatched }),
	},
}
