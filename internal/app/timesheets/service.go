// Package timesheets is what people, managers and payroll read of working time: timesheets, and
// who is in on a day.
package timesheets

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/business"
	"workforce/ent/predicate"
	"workforce/ent/user"
	"workforce/internal/app/input"
	"workforce/internal/app/organization"
	"workforce/internal/app/worktime"
	"workforce/internal/errs"
	"workforce/internal/period"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// A Service reads working time. Its methods are safe for concurrent use.
type Service struct {
	Now func() time.Time // UTC, to the microsecond
	// Booked returns the seconds that a person booked on tasks on the dates of a period, as far as
	// the viewer reads them.
	Booked func(ctx context.Context, me *viewer.Viewer, userID int, p timesheet.Period) (map[shift.Date]int, error)
}

const (
	maxDays     = 366 // of a period
	shownPeople = 50  // where no limit is given
	maxPeople   = 1000
	// maxPersonDays is how many days of people one answer is made of: so many are read into
	// some 40 MB, and take about a second.
	maxPersonDays = 50_000
)

// A dates is the local dates of a period. Without any, to is before from, and the bounds
// that were asked for are what it echoes.
type dates struct {
	timesheet.Period
	empty bool
}

// period returns the local dates, in the company's zone, that a period lies in. An instant
// lies in its date, and the last one in that of the instant before it. VALIDATION_FAILED on
// from or to.
func (s *Service) period(ctx context.Context, me *viewer.Viewer, from, to *period.Bound) (dates, error) {
	zone, err := shift.Zone(me.Timezone)
	if err != nil {
		return dates{}, err
	}
	var faults errs.Faults
	rules := period.Rules{Now: s.Now(), Zone: zone, FirstWeekday: setting.FirstWeekday.Of(me.Settings), Days: maxDays}
	p := rules.Read(&faults, from, to)
	if err := faults.Err(); err != nil {
		return dates{}, err
	}
	if p.From.Equal(p.To) {
		d := timesheet.DateOf(p.From, zone)
		return dates{timesheet.Period{From: d, To: d}, true}, nil
	}
	return dates{timesheet.Period{From: timesheet.DateOf(p.From, zone), To: timesheet.DateOf(p.To.Add(-time.Nanosecond), zone)}, false}, nil
}

// readable matches the people whose attendance the viewer reads.
func readable(me *viewer.Viewer) predicate.User {
	return worktime.InScope(me, ent.Facts[ent.TypeAttendance].Access.Reads(me))
}

// named returns a query of people, each of whom the viewer reads; else NOT_FOUND on a field.
func named(ctx context.Context, me *viewer.Viewer, field string, ids []int) (*ent.UserQuery, error) {
	if len(ids) > maxPeople {
		return nil, errs.Because(field, errs.TooMany, errs.Meta{"max": maxPeople})
	}
	return worktime.Named(ctx, me, ent.Facts[ent.TypeAttendance].Access.Reads(me), field, ids)
}

// all returns a query of the people whom the viewer reads, of a business and below it where
// one is given: NOT_FOUND on businessId.
func all(ctx context.Context, me *viewer.Viewer, businessID *int) (*ent.UserQuery, error) {
	q := ent.FromContext(ctx).User.Query().Where(readable(me))
	if businessID == nil {
		return q, nil
	}
	found, err := ent.FromContext(ctx).Business.Query().Where(business.ID(*businessID)).Exist(ctx)
	if err := input.Referenced("businessId", found, err); err != nil {
		return nil, err
	}
	return q.Where(organization.WorksBelow(*businessID)), nil
}

// activeOrWorked matches people who are active, or have attendances in a period.
func activeOrWorked(me *viewer.Viewer, p timesheet.Period) predicate.User {
	return func(s *sql.Selector) {
		t := sql.Table(entAttendance.Table).As("worked")
		s.Where(sql.Or(
			sql.EQ(s.C(user.FieldActive), true),
			sql.Exists(sql.Select(t.C(entAttendance.FieldID)).From(t).Where(sql.And(
				sql.EQ(t.C(entAttendance.FieldCompanyID), me.CompanyID), sql.ColumnsEQ(t.C(entAttendance.FieldUserID), s.C(user.FieldID)),
				sql.GTE(t.C(entAttendance.FieldWorkDate), string(p.From)), sql.LTE(t.C(entAttendance.FieldWorkDate), string(p.To)),
			))),
		))
	}
}

// A Page is a part of a list; nil members are the first page, and 50.
type Page struct{ Number, Limit *int }

// read returns where the page begins and how long it is, and adds faults on page and limit.
func (p Page) read(faults *errs.Faults) (offset, limit int) {
	limit = shownPeople
	if p.Limit != nil {
		if limit = *p.Limit; limit < 1 || limit > maxPeople {
			faults.Add("limit", errs.OutOfRange, errs.Meta{"min": 1, "max": maxPeople})
		}
	}
	if p.Number != nil {
		if *p.Number < 1 || *p.Number > 1_000_000 {
			faults.Add("page", errs.OutOfRange, errs.Meta{"min": 1, "max": 1_000_000})
		}
		offset = (*p.Number - 1) * limit
	}
	return offset, limit
}

// list reads people by name.
func list(ctx context.Context, q *ent.UserQuery) (people []worktime.Employee, err error) {
	q.Order(ent.Asc(user.FieldSortName, user.FieldID))
	err = q.Select(
		user.FieldID, user.FieldName, user.FieldImage, user.FieldActive, user.FieldJoinedOn, user.FieldLeftOn, user.FieldSortName, user.FieldEmployeeNumber,
	).Scan(ctx, &people)
	return people, err
}

// seconds returns whole seconds.
func seconds(d time.Duration) int { return int(d / time.Second) }
