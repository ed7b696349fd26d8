package attendance

import (
	"context"
	"fmt"
	"time"

	"workforce/internal/app/input"
	"workforce/internal/geofence"
	apirequest "workforce/internal/request"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/verdict"
)

// facts is what the rules need from the database about a clock event. A row that the viewer does
// not see is nil.
type facts struct {
	occurrence *occurrence // that the request names
	site       *site       // that the request names, else that of the open attendance
	open       *openAttendance
	person     *person
	allowed    siteSets // whether the site is one of those allowed
	exemptions []exemption
	hasFace    bool // a face template is in force
	timers     int  // of the viewer that run
	stored     storedFace
	overlaps   bool // another attendance
	overtime   bool // of dates near the event was decided

	// of a clock-in
	last    *fix // where the person clocked out last
	shared  bool // somebody else used the device on the same date
	holiday bool // the date is a whole holiday at the site
	onLeave bool // the date is one of whole leave

	// of a clock-out
	ended bool // the occurrence that it names was clocked out before the open attendance began
}

// An occurrence is one of the user's occurrences.
type occurrence struct {
	ID           int       `sql:"id"`
	Date         string    `sql:"date"`
	ClockInFrom  time.Time `sql:"clock_in_from"`
	ClockInUntil time.Time `sql:"clock_in_until"`
	Timezone     string    `sql:"timezone"`
	Evaluated    bool      `sql:"evaluated"` // its result is stored
}

// window returns the clock-in window of the occurrence.
func (o *occurrence) window() shift.Occurrence {
	return shift.Occurrence{ClockInFrom: o.ClockInFrom, ClockInUntil: o.ClockInUntil}
}

// zone returns the zone of the occurrence.
func (o *occurrence) zone() *time.Location { return shift.ZoneNamed(o.Timezone) }

// A site is a work site.
type site struct {
	ID        int              `sql:"id"`
	Name      string           `sql:"name"`
	Latitude  float64          `sql:"latitude"`
	Longitude float64          `sql:"longitude"`
	Radius    *int             `sql:"radius"` // metres; nil for no limit
	Points    []geofence.Point `sql:"points"` // further ones
	Policies  setting.Policies `sql:"policies"`
	Active    bool             `sql:"active"`
}

// nearest returns the point of the site that is nearest to a position.
func (s *site) nearest(p geofence.Point) geofence.Point {
	return geofence.Nearest(p, geofence.Point{Lat: s.Latitude, Lng: s.Longitude}, s.Points...)
}

// An openAttendance is the user's attendance that no clock-out has closed.
type openAttendance struct {
	ID          int            `sql:"id"`
	ShiftID     int            `sql:"shift_id"` // of the occurrence
	AddressID   int            `sql:"address_id"`
	WorkDate    string         `sql:"work_date"`
	ClockedInAt time.Time      `sql:"clocked_in_at"`
	Source      string         `sql:"source"`
	Zone        string         `sql:"zone"`
	Latitude    float64        `sql:"latitude"`
	Longitude   float64        `sql:"longitude"`
	Accuracy    *float64       `sql:"accuracy"` // metres
	DeviceID    *int           `sql:"device_id"`
	Verdict     verdict.Judged `sql:"verdict"`
}

// A person is the user with their first and last day of work.
type person struct {
	ID       int              `sql:"id"`
	JoinedOn string           `sql:"joined_on"` // "" for none
	LeftOn   string           `sql:"left_on"`   // "" for none
	Policies setting.Policies `sql:"policies"`
}

// employedOn reports whether a date, 2006-01-02, is one from the first to the last day of work.
func (p *person) employedOn(date string) bool {
	return date >= p.JoinedOn && (p.LeftOn == "" || date <= p.LeftOn)
}

// An exemption exempts a person from a rule until a date.
type exemption struct {
	Rule   string `sql:"rule"` // "" for none
	EndsOn string `sql:"ends_on"`
}

// A fix is where and when somebody was.
type fix struct {
	Latitude  float64   `sql:"latitude"`
	Longitude float64   `sql:"longitude"`
	Accuracy  *float64  `sql:"accuracy"` // metres
	At        time.Time `sql:"at"`       // zero for none
}

// orNil returns a row that was read, nil if its id is 0.
func orNil[T any](row *T, id int) *T {
	if id == 0 {
		return nil
	}
	return row
}

// begin locks the user's row, so that their clock events run one after the other, and reads into
// f what the event refers to. A site or a shift that the viewer does not see is NOT_FOUND.
func (s *Service) begin(ctx context.Context, r *request, f *facts) error {
	if err := lock(ctx, r.me); err != nil {
		return fmt.Errorf("lock the clock state: %w", err)
	}
	r.receivedAt = s.Now()
	apirequest.From(ctx).ClockSource = r.source()
	if err := readEvent(ctx, r, f); err != nil {
		return fmt.Errorf("read the event's rows: %w", err)
	}
	if err := input.Referenced("addressId", r.addressID == nil || f.site != nil, nil); err != nil {
		return err
	}
	return input.Referenced("employeeShiftId", f.occurrence != nil, nil)
}

// load reads into f the other facts: overlaps, holidays, leave and the face.
func (s *Service) load(ctx context.Context, r *request, f *facts) error {
	if r.kind == clockIn {
		if err := readClockInFacts(ctx, r, f); err != nil {
			return fmt.Errorf("read the facts of a clock-in: %w", err)
		}
	} else if f.open != nil {
		if err := readClockOutFacts(ctx, r, f); err != nil {
			return fmt.Errorf("read the facts of a clock-out: %w", err)
		}
	}
	if len(r.landmarks) == 0 {
		return nil
	}
	if err := s.readFace(ctx, r, f); err != nil {
		return fmt.Errorf("read the registered face: %w", err)
	}
	return nil
}
