package job

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"testing"
	"time"

	"workforce/ent"
	entJob "workforce/ent/job"
	_ "workforce/ent/runtime"
	"workforce/internal/app/apptest"
	"workforce/internal/database"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }

// TestParallelClaims has twenty instances run a hundred jobs of several companies, and a
// periodic one: each runs once.
func TestParallelClaims(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		apptest.Migrate(t, url)
		db, err := database.Open(url, nil)
		if err != nil {
			t.Fatal(err)
		}
		client := ent.NewClient(ent.Driver(db.Driver()))
		defer client.Close()
		const jobs = 100
		var mu sync.Mutex
		ran, all := map[int]int{}, make(chan struct{})
		count := func(_ context.Context, r *Run) error {
			mu.Lock()
			defer mu.Unlock()
			ran[r.ID]++
			if len(ran) == jobs+1 {
				close(all)
			}
			return nil
		}
		kinds := []Kind{{Name: "report", Run: count}, {Name: "daily", Every: 24 * time.Hour, Run: count}}
		ctx, stop := context.WithTimeout(viewer.System(ent.NewContext(t.Context(), client)), time.Minute)
		defer stop()
		var running sync.WaitGroup
		for i := range 20 {
			r := New(kinds...)
			r.DB, r.Now, r.Log = client, func() time.Time { return apptest.Now }, slog.New(slog.DiscardHandler)
			if i == 0 {
				for n := range jobs {
					if _, err := r.Enqueue(ctx, Request{Kind: "report", Company: n % 3, Key: fmt.Sprint(n)}); err != nil {
						t.Fatal(err)
					}
				}
			}
			running.Go(func() { r.Run(ctx) })
		}
		select {
		case <-all:
		case <-ctx.Done():
			t.Errorf("%d jobs ran, want %d", len(ran), jobs+1)
		}
		stop()
		running.Wait()
		for id, n := range ran {
			if n != 1 {
				t.Errorf("job %d ran %d times", id, n)
			}
		}
		ctx = viewer.System(t.Context())
		if n := client.Job.Query().Where(entJob.StateEQ(entJob.StateDone)).CountX(ctx); n != jobs {
			t.Errorf("%d jobs are done, want %d", n, jobs)
		}
	})
}
