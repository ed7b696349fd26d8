package entries

import (
	"context"
	"time"

	"workforce/ent"
	row "workforce/ent/timeentry"
	"workforce/internal/app/job"
	"workforce/internal/booking"
	"workforce/internal/message"
	"workforce/internal/shift"
)

// watchEvery is how often timers are looked for that run long, and watched how many of a company
// are marked in one transaction.
const (
	watchEvery = 5 * time.Minute
	watched    = 200
)

// Watching is the periodic job that marks the timers which run longer than their company's
// limit, and tells their people. It stops none.
func (s *Service) Watching() job.Kind {
	return job.Kind{Name: "timers", Every: watchEvery, Run: func(ctx context.Context, r *job.Run) error {
		companies, err := s.DB.Company.Query().All(ctx)
		if err != nil {
			return err
		}
		for _, company := range companies {
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
	long, err := db.Query().Where(row.SlotNotNil(), row.StartedAtLT(before), row.CompanyID(company), row.LongAtIsNil()).
		Order(ent.Asc(row.FieldID)).Limit(watched).WithUser().All(ctx)
	if err != nil || len(long) == 0 {
		return 0, err
	}
	ids := make([]int, len(long))
	for i, e := range long {
		ids[i] = e.ID
	}
	if err := db.Update().Where(row.IDIn(ids...), row.SlotNotNil()).SetLongAt(s.Now()).Exec(ctx); err != nil {
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
