package position

import (
	"context"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	entPosition "workforce/ent/position"
	"workforce/internal/errs"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// A clockEnd is a clock-in or a clock-out, in the zone of its site.
type clockEnd struct {
	at   time.Time
	zone string
}

// Localize puts the times of a person's positions of clock events, by time, into the zone of the site, as
// attendance has them. Others stay as they are.
func Localize(ctx context.Context, list []*ent.Position) (err error) {
	defer errs.Step(&err, "position: read the zones of sites")
	var clocked []*ent.Position
	for _, p := range list {
		if p.Source == entPosition.SourceClockIn || p.Source == entPosition.SourceClockOut {
			clocked = append(clocked, p)
		}
	}
	if len(clocked) == 0 {
		return nil
	}
	first, last := clocked[0], clocked[len(clocked)-1]
	ends, err := readEnds(ctx, first.UserID, first.RecordedAt, last.RecordedAt)
	if err != nil || len(ends) == 0 {
		return err
	}
	for _, p := range clocked {
		p.RecordedAt = p.RecordedAt.In(shift.ZoneNamed(nearest(ends, p.RecordedAt).zone))
	}
	return nil
}

// readEnds reads the clock events of a person from an instant to another, with those of two days
// around them: a correction may have moved them.
func readEnds(ctx context.Context, user int, from, to time.Time) ([]clockEnd, error) {
	const around = 2
	rows, err := ent.FromContext(ctx).Attendance.Query().Where(
		entAttendance.CompanyID(viewer.From(ctx).CompanyID), entAttendance.UserID(user),
		entAttendance.WorkDateGTE(string(shift.DateOf(from, time.UTC).AddDays(-around))),
		entAttendance.WorkDateLTE(string(shift.DateOf(to, time.UTC).AddDays(around))),
	).All(viewer.System(ctx))
	var ends []clockEnd
	for _, a := range rows {
		ends = append(ends, clockEnd{a.ClockedInAt, a.ClockedInZone})
		if a.ClockedOutAt != nil && a.ClockedOutZone != nil {
			ends = append(ends, clockEnd{*a.ClockedOutAt, *a.ClockedOutZone})
		}
	}
	return ends, err
}

// nearest returns the clock event that is nearest to an instant: that of the instant itself, unless
// it was corrected.
func nearest(ends []clockEnd, at time.Time) clockEnd {
	best := ends[0]
	for _, e := range ends[1:] {
		if e.at.Sub(at).Abs() < best.at.Sub(at).Abs() {
			best = e
		}
	}
	return best
}
