package results

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"workforce/ent"
	"workforce/ent/company"
	"workforce/internal/app/job"
)

// The job lists many occurrences at a time, reads what is known of some, and writes the
// results of few in one transaction, which holds SQLite's writer. Of two parts one is read
// while the other is written.
const (
	listed = 20_000
	known  = 1000
	batch  = 500
	atOnce = 2
)

// evaluating is the periodic job that finds the results of shifts that are over. What it
// has done is marked in the rows themselves: a run after one that ended in the middle, or
// after days without any, goes on where there is no result yet.
func (s *Service) evaluating() job.Kind {
	return job.Kind{Name: "shift_results", Every: 5 * time.Minute, Run: s.evaluateDue}
}

func (s *Service) evaluateDue(ctx context.Context, r *job.Run) error {
	companies, err := ent.FromContext(ctx).Company.Query().Order(ent.Asc(company.FieldID)).All(ctx)
	if err != nil {
		return err
	}
	for _, c := range companies {
		if err := s.evaluateOf(ctx, r, c); err != nil {
			return err
		}
	}
	return nil
}

// evaluateOf finds the results of a company, the oldest first.
func (s *Service) evaluateOf(ctx context.Context, r *job.Run, c *ent.Company) error {
	now, last := s.Now(), 0
	for {
		list, err := due(ctx, c, now, last, listed)
		if err != nil {
			return err
		}
		var reading sync.Mutex // of one, so that the other is written meanwhile
		parts, of := errgroup.WithContext(ctx)
		parts.SetLimit(atOnce)
		for part := range slices.Chunk(list, known) {
			parts.Go(func() error { return s.evaluateList(of, r, &reading, scope{c.ID, part, false, now}) })
		}
		if err := parts.Wait(); err != nil || len(list) < listed {
			return err
		}
		last = list[len(list)-1].id
	}
}

// evaluateList finds results. Days are read before the transactions that write what they
// came to.
func (s *Service) evaluateList(ctx context.Context, r *job.Run, reading *sync.Mutex, sc scope) (err error) {
	defer job.Recover(&err)
	read, err := func() (*days, error) {
		reading.Lock()
		defer reading.Unlock()
		return sc.load(ctx)
	}()
	if err == nil { // else the transactions tell
		sc.of = slices.DeleteFunc(sc.of, func(o target) bool { return !read.ready(o.id) })
	}
	for part := range slices.Chunk(sc.of, batch) {
		by := map[int][]target{}
		for _, o := range part {
			by[o.user] = append(by[o.user], o)
		}
		err := each(ctx, s, r, "shift_results", by, func(ctx context.Context, of []target) error {
			_, err := s.evaluate(ctx, scope{sc.company, of, false, sc.now}, read)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// each runs a step of a job for the items of people, for all of them in one transaction.
// Where that fails it runs the step for each person alone, so that what is wrong with one
// person does not stop the others: it is logged, and tried again by the next run. It fails
// where the step fails for everybody of several.
func each[T any](ctx context.Context, s *Service, r *job.Run, name string, by map[int][]T, step func(context.Context, []T) error) error {
	var all []T
	users := slices.Sorted(maps.Keys(by))
	for _, id := range users {
		all = append(all, by[id]...)
	}
	err := r.Commit(ctx, func(ctx context.Context) error { return step(ctx, all) })
	if err == nil || ctx.Err() != nil || job.IsLost(err) {
		return err
	}
	failed := 0
	for _, id := range users {
		err = r.Commit(ctx, func(ctx context.Context) error { return step(ctx, by[id]) })
		if ctx.Err() != nil || job.IsLost(err) {
			return err
		}
		if err != nil {
			failed++
			s.Log.WarnContext(ctx, "the days of a person failed", "job", name, "user", id, "error", err)
		}
	}
	if failed == len(users) && failed > 1 {
		return err
	}
	return nil
}
