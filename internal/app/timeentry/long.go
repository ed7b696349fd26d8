package timeentry

import (
	"context"
	"time"

	"workforce/ent"
	entTimeEntry "workforce/ent/timeentry"
	"workforce/ent/user"
	"workforce/internal/app/job"
	"workforce/internal/booking"
	"workforce/internal/message"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// watchEvery is how often timers are looked for that run long, and watched how many of a company
// are marked in one transaction.
const (
	watchEvery = 5 * time.Minute
	watched    = 200
)

// Watching is the periodic job that marks the timers which run longer than their company's
// limit, and tells their people. It stops those alone of people who are not active any more.
func (s *Service) Watching() job.Kind {
	return job.Kind{Name: "timers", Every: watchEvery, Run: func(ctx context.Context, r *job.Run) error {
		companies, err := s.DB.Company.Query().All(ctx)
		if err != nil {
			return err
		}
		for _, company := range companies {
			if err := s.stopLeft(ctx, r, company); err != nil {
				return err
			}
			limit := booking.RulesOf(company.Settings).Limit
			for limit > 0 {
				n := 0
				err := r.Commit(ctx, func(ctx context.Context) (err error) {
					n, err = s.mark(ctx, company.ID, s.Now().Add(-limit))
					return err
				})
				if err != nil {
					return err
				}
				if n < watched {
					break
				}
			}
		}
		return nil
	}}
}

// mark marks the timers of a company that began before an instant, and tells their people.
func (s *Service) mark(ctx context.Context, company int, before time.Time) (int, error) {
	db := ent.FromContext(ctx).TimeEntry
	long, err := db.Query().Where(entTimeEntry.SlotNotNil(), entTimeEntry.StartedAtLT(before), entTimeEntry.CompanyID(company), entTimeEntry.LongAtIsNil()).
		Order(ent.Asc(entTimeEntry.FieldID)).Limit(watched).WithUser().All(ctx)
	if err != nil || len(long) == 0 {
		return 0, err
	}
	ids := make([]int, len(long))
	for i, e := range long {
		ids[i] = e.ID
	}
	if err := db.Update().Where(entTimeEntry.IDIn(ids...), entTimeEntry.SlotNotNil()).SetLongAt(s.Now()).Exec(ctx); err != nil {
		return 0, err
	}
	for _, e := range long {
		facts := message.Facts{Event: e.StartedAt.In(shift.ZoneNamed(e.Timezone))}
		if err := s.Notify.Notify(ctx, e.Edges.User, message.TimerLong, facts); err != nil {
			return 0, err
		}
	}
	return len(long), nil
}

// stopLeft stops the timers of people of a company who are not active any more, each person's in a
// transaction: nobody else would.
func (s *Service) stopLeft(ctx context.Context, r *job.Run, company *ent.Company) error {
	left, err := s.DB.TimeEntry.Query().Where(entTimeEntry.CompanyID(company.ID), entTimeEntry.SlotNotNil(), entTimeEntry.HasUserWith(user.Active(false))).
		Unique(true).Select(entTimeEntry.FieldUserID).Ints(ctx)
	if err != nil {
		return err
	}
	for _, id := range left {
		if err := r.Commit(ctx, func(ctx context.Context) error { return s.stopOf(ctx, company, id) }); err != nil {
			return err
		}
	}
	return nil
}

// stopOf stops the timers of a person, in a transaction.
func (s *Service) stopOf(ctx context.Context, company *ent.Company, id int) error {
	c, err := s.begin(ctx, &viewer.Viewer{CompanyID: company.ID, Timezone: company.Timezone, Settings: company.Settings}, id, nil)
	if err != nil {
		return err
	}
	for _, e := range c.running {
		if err := c.end(ctx, e, c.now); err != nil {
			return err
		}
	}
	return c.finish(ctx)
}
