package job

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"workforce/ent"
	entJob "workforce/ent/job"
	"workforce/internal/app/apptest"
	"workforce/internal/errs"
)

// start runs a runner on a world until stop is called.
func start(w *apptest.World, r *Runner) (stop func()) {
	r.DB, r.Now = w.DB, w.Now
	if r.Log == nil {
		r.Log = slog.New(slog.DiscardHandler)
	}
	ctx, end := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { r.Run(ctx) })
	return func() { end(); running.Wait() }
}

// tick lets a runner look for due jobs once.
func tick() {
	time.Sleep(time.Second)
	synctest.Wait()
}

// enqueue writes a job by an instance that runs none, and returns its id.
func enqueue(t *testing.T, w *apptest.World, kinds []Kind, q Request) (id int) {
	t.Helper()
	by := New(kinds...)
	by.DB, by.Now = w.DB, w.Now
	w.Change(t, func(ctx context.Context, _ *ent.Client) (err error) {
		id, err = by.Enqueue(ctx, q)
		return err
	})
	return id
}

func get(w *apptest.World, id int) *ent.Job { return w.DB.Job.GetX(w.System(), id) }

// TestQueued runs a job at once after the commit that wrote it, never one that was rolled
// back, and within a second one that another instance wrote.
func TestQueued(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := apptest.New(t)
		var got []string
		kinds := []Kind{{Name: "report", Run: func(ctx context.Context, r *Run) error {
			var payload struct{ Month string }
			if err := r.Payload(&payload); err != nil {
				return err
			}
			got = append(got, fmt.Sprint(payload.Month, " of ", r.Company, " by ", r.CreatedBy, ", try ", r.Attempt, ", due ", r.Due.Equal(apptest.Now)))
			return r.Progress(ctx, 3, 4)
		}}}
		r := New(kinds...)
		stop := start(w, r)
		defer stop()
		synctest.Wait()
		began := time.Now()
		var id int
		q := Request{Kind: "report", Company: 7, CreatedBy: 9, Payload: map[string]string{"month": "March"}}
		w.Change(t, func(ctx context.Context, _ *ent.Client) (err error) {
			id, err = r.Enqueue(ctx, q)
			return err
		})
		synctest.Wait()
		if want := []string{"March of 7 by 9, try 1, due true"}; !slices.Equal(got, want) || time.Since(began) != 0 {
			t.Errorf("ran %q after %v, want %q at once", got, time.Since(began), want)
		}
		if j := get(w, id); j.State != entJob.StateDone || !j.FinishedAt.Equal(w.Now()) || j.Progress != 3 || j.Total != 4 || j.LeaseOwner != nil || j.LeaseUntil != nil || j.Payload != nil {
			t.Errorf("afterwards: %v", j)
		}
		err := w.Try(w.System(), func(ctx context.Context, _ *ent.Client) error {
			_, err := r.Enqueue(ctx, q)
			return errors.Join(err, errors.New("rolled back"))
		})
		if tick(); err == nil || len(got) != 1 {
			t.Errorf("after a rollback %d runs, want 1", len(got))
		}
		enqueue(t, w, kinds, q)
		if tick(); len(got) != 2 {
			t.Errorf("%d runs a second after another instance wrote one, want 2", len(got))
		}
		later := q
		later.After = w.Now().Add(time.Minute)
		enqueue(t, w, kinds, later)
		w.Advance(time.Minute - time.Microsecond)
		if tick(); len(got) != 2 {
			t.Error("a job ran early")
		}
		w.Advance(time.Microsecond)
		if tick(); len(got) != 3 {
			t.Errorf("%d runs, want 3 once the last is due", len(got))
		}
	})
}

// TestEnqueue refuses what no instance runs and what is too large, and keeps one
// unfinished job of a key.
func TestEnqueue(t *testing.T) {
	w := apptest.New(t)
	nothing := func(context.Context, *Run) error { return nil }
	kinds := []Kind{{Name: "report", Run: nothing}, {Name: "hourly", Every: time.Hour, Run: nothing}}
	r := New(kinds...)
	r.Now = w.Now
	for _, q := range []Request{{Kind: "unheard"}, {Kind: "hourly"}, {Kind: "report", Payload: strings.Repeat("x", 64<<10-1)}} {
		if _, err := r.Enqueue(w.System(), q); err == nil {
			t.Errorf("%.40v was enqueued", q)
		}
	}
	if _, err := r.Enqueue(w.System(), Request{Kind: "report", Payload: strings.Repeat("x", 64<<10-2)}); err != nil {
		t.Errorf("the longest payload: %v", err)
	}
	q := Request{Kind: "report", Key: "report 1"}
	first, again := enqueue(t, w, kinds, q), enqueue(t, w, kinds, q)
	if n := w.DB.Job.Query().Where(entJob.Name("report 1")).CountX(w.System()); first != again || n != 1 {
		t.Errorf("ids %d and %d, %d rows; want one", first, again, n)
	}
	if ok, err := r.Cancel(w.System(), 0, first); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if next := enqueue(t, w, kinds, q); next == first {
		t.Error("a job that has ended still has its key")
	}
}

// TestPeriodic runs a job at the first start and then on its grid; after standing still
// once, or, where the kind catches up, once for each time that was missed.
func TestPeriodic(t *testing.T) {
	for _, catchUp := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			w := apptest.New(t)
			w.Set(apptest.Now.Add(20 * time.Minute)) // 03:20
			var got []string
			kinds := []Kind{{Name: "hourly", Every: time.Hour, CatchUp: catchUp, Run: func(_ context.Context, r *Run) error {
				got = append(got, r.Due.Format("15:04"))
				return nil
			}}}
			stop := start(w, New(kinds...))
			synctest.Wait()
			w.Set(apptest.Now.Add(time.Hour - time.Microsecond))
			tick()
			w.Set(apptest.Now.Add(time.Hour))
			tick()
			stop()
			w.Set(apptest.Now.Add(4*time.Hour + time.Minute)) // 07:01
			stop = start(w, New(kinds...))
			tick()
			w.Set(apptest.Now.Add(5 * time.Hour))
			tick()
			stop()
			want := []string{"03:20", "04:00", "05:00", "08:00"}
			if catchUp {
				want = []string{"03:20", "04:00", "05:00", "06:00", "07:00", "08:00"}
			}
			if !slices.Equal(got, want) {
				t.Errorf("catch-up %v: ran for %q, want %q", catchUp, got, want)
			}
			kinds[0].Every = time.Minute
			stop = start(w, New(kinds...))
			synctest.Wait()
			stop()
			if j := w.DB.Job.Query().OnlyX(w.System()); !j.RunAt.Equal(w.Now().Add(time.Minute)) || j.FinishedAt != nil {
				t.Errorf("with a shorter interval: %v", j)
			}
		})
	}
}

// TestRetries tries a failing job again, after 5 s and then twice as long each time, five
// times at most; one that no try will change fails at once.
func TestRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := apptest.New(t)
		tries, fail := 0, errors.New("no line for Budi")
		kinds := []Kind{{Name: "report", Run: func(context.Context, *Run) error { tries++; return fail }}}
		r := New(kinds...)
		var log strings.Builder
		r.Log = slog.New(slog.NewTextHandler(&log, nil))
		defer start(w, r)()
		id := enqueue(t, w, kinds, Request{Kind: "report", Key: "key"})
		tick()
		for n, wait := range []time.Duration{5 * time.Second, 10 * time.Second, 20 * time.Second, 40 * time.Second} {
			if j := get(w, id); tries != n+1 || j.State != entJob.StateQueued || !j.RunAt.Equal(w.Now().Add(wait)) || j.DueAt != apptest.Now || *j.ErrorCode != "INTERNAL" {
				t.Errorf("after %d tries, want %d: %v", tries, n+1, j)
			}
			w.Advance(wait)
			tick()
		}
		if j := get(w, id); tries != 5 || j.State != entJob.StateFailed || *j.ErrorCode != "INTERNAL" || j.Attempts != 5 || !j.FinishedAt.Equal(w.Now()) || j.Name != nil {
			t.Errorf("after %d tries, want 5: %v", tries, j)
		}
		if !strings.Contains(log.String(), `msg="job failed" kind=report`) {
			t.Errorf("log:\n%s", log.String())
		}
		fail = errs.New(errs.NotFound, nil)
		id = enqueue(t, w, kinds, Request{Kind: "report"})
		tick()
		if j := get(w, id); j.State != entJob.StateFailed || *j.ErrorCode != "NOT_FOUND" {
			t.Errorf("what no try changes: %v", j)
		}
		fail = nil
		id = enqueue(t, w, []Kind{{Name: "report"}}, Request{Kind: "report"})
		w.DB.Job.UpdateOneID(id).SetErrorCode("INTERNAL").ExecX(w.System())
		tick()
		if j := get(w, id); j.State != entJob.StateDone || j.ErrorCode != nil {
			t.Errorf("a success after a failure: %v", j)
		}
	})
}

// TestPanic takes a panic for a failure.
func TestPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := apptest.New(t)
		kinds := []Kind{{Name: "report", Attempts: 1, Run: func(context.Context, *Run) error { panic("no") }}}
		defer start(w, New(kinds...))()
		id := enqueue(t, w, kinds, Request{Kind: "report"})
		if tick(); get(w, id).State != entJob.StateFailed {
			t.Error(get(w, id))
		}
	})
}

// TestFailedPeriodicJob waits for its next due time after its last try, and shows its
// failure until it succeeds.
func TestFailedPeriodicJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := apptest.New(t)
		fail := errors.New("no disk")
		k := Kind{Name: "hourly", Every: time.Hour, Attempts: 1, Run: func(context.Context, *Run) error { return fail }}
		defer start(w, New(k))()
		tick()
		j := w.DB.Job.Query().OnlyX(w.System())
		if j.State != entJob.StateQueued || !j.RunAt.Equal(apptest.Now.Add(time.Hour)) || *j.ErrorCode != "INTERNAL" || j.Attempts != 0 {
			t.Errorf("after the last try: %v", j)
		}
		fail = nil
		w.Advance(time.Hour)
		tick()
		if j := get(w, j.ID); j.ErrorCode != nil || !j.RunAt.Equal(apptest.Now.Add(2*time.Hour)) {
			t.Errorf("after a success: %v", j)
		}
	})
}

// waiting is a kind whose jobs wait until their context ends.
func waiting(started *int) []Kind {
	var mu sync.Mutex
	return []Kind{{Name: "report", Run: func(ctx context.Context, _ *Run) error {
		mu.Lock()
		*started++
		mu.Unlock()
		<-ctx.Done()
		return context.Cause(ctx)
	}}}
}

// TestCancel cancels jobs that wait and that run, of the own company alone.
func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := apptest.New(t)
		started := 0
		kinds := waiting(&started)
		r := New(kinds...)
		defer start(w, r)()
		running := enqueue(t, w, kinds, Request{Kind: "report", Company: 1, Payload: "it"})
		later := enqueue(t, w, kinds, Request{Kind: "report", Company: 1, Payload: "it", After: w.Now().Add(time.Hour)})
		tick()
		for _, id := range []int{running, later} {
			if ok, err := r.Cancel(w.System(), 2, id); ok || err != nil {
				t.Errorf("another company's: %v, %v", ok, err)
			}
			if ok, err := r.Cancel(w.System(), 1, id); !ok || err != nil {
				t.Errorf("%v, %v", ok, err)
			}
		}
		tick()
		for _, id := range []int{running, later} {
			if j := get(w, id); j.State != entJob.StateCancelled || j.FinishedAt == nil || j.ErrorCode != nil || j.Payload != nil {
				t.Errorf("cancelled: %v", j)
			}
			if ok, err := r.Cancel(w.System(), 1, id); ok || err != nil {
				t.Errorf("again: %v, %v", ok, err)
			}
		}
		w.Advance(time.Hour)
		if tick(); started != 1 {
			t.Errorf("%d began, want 1", started)
		}
	})
}

// TestStop gives running jobs back at once, as if they had not been tried.
func TestStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := apptest.New(t)
		started := 0
		kinds := waiting(&started)
		stop := start(w, New(kinds...))
		id := enqueue(t, w, kinds, Request{Kind: "report"})
		tick()
		stop()
		if j := get(w, id); started != 1 || j.State != entJob.StateQueued || j.Attempts != 0 || j.LeaseOwner != nil || j.ErrorCode != nil || !j.RunAt.Equal(w.Now()) {
			t.Errorf("given back: %v", j)
		}
		stop = start(w, New(kinds...))
		if synctest.Wait(); started != 2 {
			t.Error("another instance does not run it at once")
		}
		stop()
	})
}

// TestWorkers bounds how many jobs run at once.
func TestWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := apptest.New(t)
		started := 0
		kinds := waiting(&started)
		r := New(kinds...)
		defer start(w, r)()
		var ids []int
		for range 6 {
			ids = append(ids, enqueue(t, w, kinds, Request{Kind: "report"}))
		}
		if tick(); started != 4 {
			t.Errorf("%d run, want 4", started)
		}
		if _, err := r.Cancel(w.System(), 0, ids[0]); err != nil {
			t.Fatal(err)
		}
		if tick(); started != 5 {
			t.Errorf("%d began after one ended, want 5", started)
		}
	})
}

// TestFair takes turns between companies: the many jobs of one delay another's by one.
func TestFair(t *testing.T) {
	w := apptest.New(t)
	kinds := []Kind{{Name: "report"}}
	r := New(kinds...)
	r.DB, r.Now = w.DB, w.Now
	w.Change(t, func(ctx context.Context, _ *ent.Client) error {
		for range 1000 {
			if _, err := r.Enqueue(ctx, Request{Kind: "report", Company: 1}); err != nil {
				return err
			}
		}
		for _, company := range []int{2, 2, 3} {
			if _, err := r.Enqueue(ctx, Request{Kind: "report", Company: company}); err != nil {
				return err
			}
		}
		return nil
	})
	var turns []int
	for range 8 {
		w.Advance(time.Microsecond)
		run, err := r.claim(w.System())
		if err != nil || run == nil {
			t.Fatal(run, err)
		}
		turns = append(turns, run.Company)
	}
	if want := []int{1, 2, 3, 1, 2, 1, 1, 1}; !slices.Equal(turns, want) {
		t.Errorf("turns of companies %v, want %v", turns, want)
	}
}

// TestDeadInstance has another instance run a job once the lease of the first ended, with
// what the first still writes of no effect; after the last try it is given up.
func TestDeadInstance(t *testing.T) {
	w := apptest.New(t)
	kinds := []Kind{{Name: "report", Attempts: 2}}
	first, second := New(kinds...), New(kinds...)
	for _, r := range []*Runner{first, second} {
		r.DB, r.Now, r.Log = w.DB, w.Now, slog.New(slog.DiscardHandler)
	}
	id := enqueue(t, w, kinds, Request{Kind: "report"})
	died, err := first.claim(w.System())
	if err != nil || died == nil {
		t.Fatal(died, err)
	}
	if left := time.Until(*get(w, id).LeaseUntil); left <= 0 || left > 15*time.Second {
		t.Errorf("leased for %v, want 15 s at most", left)
	}
	w.Advance(time.Hour) // of no effect: the clock of the database decides
	if err := second.reclaim(w.System()); err != nil {
		t.Fatal(err)
	}
	if run, err := second.claim(w.System()); run != nil || err != nil {
		t.Fatalf("claimed within the lease: %v, %v", run, err)
	}
	if err := died.Commit(w.System(), func(context.Context) error { return nil }); err != nil {
		t.Errorf("within the lease: %v", err)
	}
	expire(w)
	if err := second.reclaim(w.System()); err != nil {
		t.Fatal(err)
	}
	run, err := second.claim(w.System())
	if err != nil || run == nil || run.Attempt != 2 {
		t.Fatal(run, err)
	}
	if err := died.Progress(w.System(), 1, 2); !errors.Is(err, errLost) {
		t.Errorf("the progress of the first: %v, want errLost", err)
	}
	wrote := died.Commit(w.System(), func(ctx context.Context) error {
		return ent.FromContext(ctx).Decoy.Create().SetText("twice").SetCreatedAt(w.Now()).Exec(ctx)
	})
	if n := w.DB.Decoy.Query().CountX(w.System()); !errors.Is(wrote, errLost) || n != 0 {
		t.Errorf("the first wrote %d rows: %v, want errLost", n, wrote)
	}
	first.finish(w.System(), died, nil, nil)
	if j := get(w, id); j.State != entJob.StateRunning || *j.LeaseOwner != second.owner {
		t.Errorf("the outcome of the first counts: %v", j)
	}
	expire(w)
	if err := first.reclaim(w.System()); err != nil {
		t.Fatal(err)
	}
	if j := get(w, id); j.State != entJob.StateFailed || *j.ErrorCode != "LEASE_LOST" || j.FinishedAt == nil {
		t.Errorf("after the last try: %v", j)
	}
}

// expire ends all leases.
func expire(w *apptest.World) {
	w.DB.Job.Update().Where(entJob.LeaseUntilNotNil()).SetLeaseUntil(time.Unix(0, 0)).ExecX(w.System())
}

// TestLeaseIsRenewed keeps the job of a living instance for longer than a lease lasts,
// and ends the one that another instance took.
func TestLeaseIsRenewed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := apptest.New(t)
		var ended error
		kinds := []Kind{{Name: "report", Run: func(ctx context.Context, _ *Run) error {
			<-ctx.Done()
			ended = context.Cause(ctx)
			return ended
		}}}
		defer start(w, New(kinds...))()
		id := enqueue(t, w, kinds, Request{Kind: "report"})
		tick()
		far := time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)
		w.DB.Job.UpdateOneID(id).SetLeaseUntil(far).ExecX(w.System())
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if j := get(w, id); j.LeaseUntil.Equal(far) || ended != nil {
			t.Errorf("leased until %v, the run ended with %v; want it renewed", j.LeaseUntil, ended)
		}
		w.DB.Job.UpdateOneID(id).SetLeaseOwner("another").ExecX(w.System())
		if tick(); !errors.Is(ended, errLost) {
			t.Errorf("the run ended with %v, want errLost", ended)
		}
		if j := get(w, id); j.State != entJob.StateRunning {
			t.Errorf("another's job: %v", j)
		}
	})
}

// TestDatabaseAway ends a run whose lease could not be renewed in time.
func TestDatabaseAway(t *testing.T) {
	w := apptest.New(t)
	r := New(Kind{Name: "report"})
	r.DB, r.Now, r.Log = w.DB, w.Now, slog.New(slog.DiscardHandler)
	ctx, stop := context.WithCancelCause(t.Context())
	run := &Run{ID: 1, Attempt: 1, runner: r, stop: stop, leased: time.Now().Add(-lease.Life + time.Minute)}
	r.held[run] = true
	away, cancel := context.WithCancel(w.System())
	cancel()
	r.watch(away)
	if ctx.Err() != nil {
		t.Error("a run ended while its lease lasts")
	}
	run.leased = time.Now().Add(-lease.Life)
	r.watch(away)
	if !errors.Is(context.Cause(ctx), errLost) {
		t.Errorf("the run ended with %v, want errLost", context.Cause(ctx))
	}
}

// TestEverywhere runs loops beside the jobs, until the end.
func TestEverywhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := apptest.New(t)
		r := New()
		runs, last := 0, false
		r.Everywhere(func(ctx context.Context) {
			Poll(ctx, nil, func() { runs++ })
			last = true
		})
		stop := start(w, r)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		stop()
		if runs != 3 || !last {
			t.Errorf("%d rounds in 2 s, ended: %v", runs, last)
		}
	})
}

// TestOwnLease ends a run whose job this instance itself took again after its lease, and
// keeps the new one.
func TestOwnLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := apptest.New(t)
		var ended []error
		kinds := []Kind{{Name: "report", Run: func(ctx context.Context, _ *Run) error {
			<-ctx.Done()
			ended = append(ended, context.Cause(ctx))
			return context.Cause(ctx)
		}}}
		r := New(kinds...)
		stop := start(w, r)
		id := enqueue(t, w, kinds, Request{Kind: "report"})
		tick()
		expire(w)
		tick()
		tick()
		if len(ended) != 1 || !errors.Is(ended[0], errLost) || len(r.runs()) != 1 || get(w, id).Attempts != 2 {
			t.Errorf("ended %v, %d run, want one each: %v", ended, len(r.runs()), get(w, id))
		}
		stop()
		if j := get(w, id); j.State != entJob.StateQueued || j.Attempts != 1 {
			t.Errorf("given back: %v", j)
		}
	})
}

// TestFinish ends a job in the transaction of its last step: whatever becomes of the run
// afterwards, no other one follows, and one that lost its lease does not write.
func TestFinish(t *testing.T) {
	notice := func(ctx context.Context) error {
		return ent.FromContext(ctx).Decoy.Create().SetText("notice").SetCreatedAt(apptest.Now).Exec(ctx)
	}
	died := errors.New("died")
	tests := []struct {
		name  string
		after func() error // of the run, once it has finished the job
	}{
		{"success", func() error { return nil }},
		{"error", func() error { return died }},
		{"panic", func() error { panic(died) }},
	}
	for _, every := range []time.Duration{0, time.Hour} {
		for _, tt := range tests {
			t.Run(fmt.Sprint(tt.name, " every ", every), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					w, runs, log := apptest.New(t), 0, strings.Builder{}
					kinds := []Kind{{Name: "tell", Every: every, Run: func(ctx context.Context, r *Run) error {
						runs++
						if err := r.Finish(ctx, notice); err != nil {
							return err
						}
						return tt.after()
					}}}
					r := New(kinds...)
					r.Log = slog.New(slog.NewTextHandler(&log, nil))
					defer start(w, r)()
					if every == 0 {
						enqueue(t, w, kinds, Request{Kind: "tell", Payload: "it"})
					}
					tick()
					w.Advance(10 * time.Minute) // of another try
					expire(w)
					tick()
					j := w.DB.Job.Query().OnlyX(w.System())
					n := w.DB.Decoy.Query().CountX(w.System())
					if n != 1 || runs != 1 || j.ErrorCode != nil || j.LeaseOwner != nil || log.Len() > 0 {
						t.Errorf("%d notices by %d runs, want one: %v, log %s", n, runs, j, log.String())
					}
					if every == 0 && (j.State != entJob.StateDone || j.FinishedAt == nil || j.Payload != nil) ||
						every > 0 && (j.State != entJob.StateQueued || !j.DueAt.Equal(apptest.Now.Add(every))) {
						t.Errorf("afterwards: %v", j)
					}
				})
			})
		}
	}
	w := apptest.New(t)
	kinds := []Kind{{Name: "tell"}}
	first := New(kinds...)
	first.DB, first.Now, first.Log = w.DB, w.Now, slog.New(slog.DiscardHandler)
	enqueue(t, w, kinds, Request{Kind: "tell"})
	run, err := first.claim(w.System())
	if err != nil {
		t.Fatal(err)
	}
	err = run.Finish(w.System(), func(context.Context) error { return died })
	if !errors.Is(err, died) || run.finished.Load() {
		t.Errorf("a step that fails: %v, want its error", err)
	}
	w.DB.Job.Update().SetLeaseOwner("another").ExecX(w.System())
	err = run.Finish(w.System(), notice)
	if n := w.DB.Decoy.Query().CountX(w.System()); !IsLost(err) || n != 0 {
		t.Errorf("another's job: %v, %d notices; want errLost", err, n)
	}
}
