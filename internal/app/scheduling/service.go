// Package scheduling knows what plans the shifts of people, and makes the occurrences that follow
// from it.
package scheduling

import (
	"context"
	"slices"
	"time"

	"workforce/ent"
	"workforce/ent/clockstate"
	"workforce/ent/role"
	"workforce/ent/user"
	"workforce/internal/app/audit"
	"workforce/internal/app/job"
	"workforce/internal/app/notify"
	"workforce/internal/app/policysql"
	"workforce/internal/app/tx"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

const (
	// ahead is for how many days after today occurrences are made.
	ahead = 14
	// Looked is for how many days at least shifts are checked for overlaps from each date on
	// which a plan changes: a year and longer than two cycles of weeks take to meet, so that
	// every change of clocks is among them.
	Looked = 400
	// longest is for how many days at most: until a rotation of 55 days and a cycle of 8 weeks
	// have met in every way.
	longest = 55 * 56
	// latest is the last date there is.
	latest = "9998-12-31"
	// few is of how many people a change makes occurrences at once; of more, a job makes
	// them after the commit.
	few = 20
)

// A Planner knows what plans the shifts of people, and makes their occurrences. Its methods
// are safe for concurrent use.
type Planner struct {
	DB     *ent.Client      // in no transaction
	Now    func() time.Time // UTC, to the microsecond
	Jobs   *job.Runner
	Notify *notify.Service
	Audit  *audit.Recorder
}

// Kinds returns the jobs of the planner.
func (s *Planner) Kinds() []job.Kind {
	return []job.Kind{s.daily(), s.making(), s.telling()}
}

// Today returns the date now in a zone.
func (s *Planner) Today(zone *time.Location) shift.Date { return shift.DateOf(s.Now(), zone) }

// CompanyToday returns the date now in the zone of the viewer's company.
func (s *Planner) CompanyToday(ctx context.Context) (_ shift.Date, err error) {
	defer errs.Step(&err, "scheduling: read the company's date")
	zone, err := shift.Zone(viewer.From(ctx).Timezone)
	if err != nil {
		return "", err
	}
	return s.Today(zone), nil
}

// ZoneOf returns the zone of a person: that of their work site, else the company's.
func ZoneOf(ctx context.Context, userID int) (*time.Location, error) {
	named, err := ent.FromContext(ctx).ClockState.Query().Where(clockstate.UserID(userID), clockstate.TimezoneNotNil()).
		Select(clockstate.FieldTimezone).Strings(viewer.System(ctx))
	return shift.ZoneNamed(append(named, viewer.From(ctx).Timezone)...), err
}

// stateUpsert writes the rows of clock events of people who have none.
var stateUpsert = database.Upsert{
	Table: clockstate.Table, Columns: []string{clockstate.FieldCompanyID, clockstate.FieldUserID},
	Key: []string{clockstate.FieldUserID},
}

// Lock locks the rows of people's shifts and clock events until the transaction ends, so
// that what changes them comes one after the other. People without a row get one.
func Lock(ctx context.Context, company int, ids []int) error {
	for {
		lock := policysql.New(ctx)
		lock.Add("UPDATE clock_states SET events = events + 1 WHERE ")
		lock.In("user_id", ids)
		n, err := lock.Exec()
		if err != nil || n == len(ids) {
			return err
		}
		missing, err := withoutRow(ctx, company, ids)
		if err != nil || len(missing) == 0 {
			return err
		}
		cells := make([]any, 0, 2*len(missing))
		for _, id := range missing {
			cells = append(cells, company, id)
		}
		if err := stateUpsert.Exec(ctx, ent.FromContext(ctx), cells...); err != nil {
			return err
		}
	}
}

// withoutRow returns which people of a company have no row to lock.
func withoutRow(ctx context.Context, company int, ids []int) ([]int, error) {
	have, err := ent.FromContext(ctx).ClockState.Query().Where(clockstate.UserIDIn(ids...)).QueryUser().IDs(ctx)
	if err != nil {
		return nil, err
	}
	return ent.FromContext(ctx).User.Query().Where(user.IDIn(ids...), user.CompanyID(company), user.IDNotIn(have...)).IDs(ctx)
}

// Outdate has the occurrences of people made anew, because what plans their shifts
// changed: at once for a few, else soon after the transaction of ctx.
func (s *Planner) Outdate(ctx context.Context, company int, ids ...int) (err error) {
	defer errs.Step(&err, "scheduling: have plans followed")
	ctx = viewer.System(ctx)
	if len(ids) == 0 {
		return nil
	}
	for part := range slices.Chunk(ids, Written) {
		err := ent.FromContext(ctx).ClockState.Update().Where(clockstate.UserIDIn(part...)).ClearPlannedUntil().Exec(ctx)
		if err != nil {
			return err
		}
	}
	if err := s.Recharge(ctx, company, Recharge{Users: ids}); err != nil {
		return err
	}
	if len(ids) > few {
		return s.MakeSoon(ctx, company)
	}
	return s.makeMissing(ctx, company, ids)
}

// OutdateCompany has the occurrences of everybody of a company made anew soon.
func (s *Planner) OutdateCompany(ctx context.Context, company int) (err error) {
	defer errs.Step(&err, "scheduling: have the company's plans followed")
	err = ent.FromContext(ctx).ClockState.Update().
		Where(clockstate.CompanyID(company)).ClearPlannedUntil().Exec(viewer.System(ctx))
	if err == nil {
		err = s.Recharge(ctx, company, Recharge{})
	}
	if err != nil {
		return err
	}
	return s.MakeSoon(ctx, company)
}

// MakeSoon has a job make the occurrences of those of a company who lack any, after the
// transaction of ctx.
func (s *Planner) MakeSoon(ctx context.Context, company int) error {
	_, err := s.Jobs.Enqueue(ctx, job.Request{Kind: making, Company: company})
	return err
}

// Writable returns the active people of a list whose shifts the viewer changes, by id.
func Writable(ctx context.Context, ids []int) (_ map[int]*ent.User, err error) {
	defer errs.Step(&err, "scheduling: find who may be planned")
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	q := ent.FromContext(ctx).User.Query().Where(user.IDIn(ids...), user.Active(true))
	if !me.Owner {
		q.Where(user.Or(user.ID(me.Self()), user.Not(user.HasRolesWith(role.Builtin(viewer.Owner)))))
	}
	users, err := q.All(ctx)
	if err != nil {
		return nil, err
	}
	scope, found := me.Scope("shift", "write"), map[int]*ent.User{}
	for _, u := range users {
		if me.Reaches(scope, u.ID, u.BusinessID) {
			found[u.ID] = u
		}
	}
	return found, nil
}

// WritableOne fails with NOT_FOUND on a field for somebody whom the viewer does not see,
// and with FORBIDDEN for one whose shifts they do not change.
func WritableOne(ctx context.Context, field string, id int) (err error) {
	defer errs.Step(&err, "scheduling: find whether somebody may be planned")
	seen, err := ent.FromContext(ctx).User.Query().Where(user.ID(id), user.Active(true)).Exist(ctx)
	if err == nil && !seen {
		err = errs.Field(errs.NotFound, field, nil)
	}
	if err != nil {
		return err
	}
	return MayChange(ctx, id)
}

// MayChange fails with FORBIDDEN for somebody whose shifts the viewer does not change.
func MayChange(ctx context.Context, id int) (err error) {
	defer errs.Step(&err, "scheduling: find who may be planned")
	found, err := Writable(ctx, []int{id})
	if err == nil && found[id] == nil {
		err = errs.New(errs.Forbidden, nil)
	}
	return err
}

// inTransaction runs step in the transaction of ctx, or in one of its own where there is
// none.
func (s *Planner) inTransaction(ctx context.Context, step func(context.Context) error) error {
	if ent.TxFromContext(ctx) != nil {
		return step(ctx)
	}
	return tx.Run(ctx, s.DB, step)
}

// Sorted returns ids in order, each once, as rows are locked.
func Sorted(ids ...int) []int {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	return slices.Compact(ids)
}
