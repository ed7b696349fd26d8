package results

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"workforce/ent"
	"workforce/ent/intercept"
	"workforce/internal/app/tx"
)

// TestStatements finds the results of 10 and of 150 people with the same number of reads.
func TestStatements(t *testing.T) {
	counts := map[int]int64{}
	for _, n := range []int{10, 150} {
		w := newWorld(t)
		var list []*ent.EmployeeShift
		for i := range n {
			o := w.plan(t, w.User(t, fmt.Sprint("Orang ", i)), w.day, "2026-03-11", nil)
			w.attend(t, o, "08:00", "17:00")
			list = append(list, o)
		}
		w.Set(jakarta("19:00"))
		var reads atomic.Int64
		w.DB.Intercept(intercept.Func(func(context.Context, intercept.Query) error { reads.Add(1); return nil }))
		err := tx.Run(w.System(), w.DB, func(ctx context.Context) error {
			found, err := w.evaluate(ctx, scope{w.Company.ID, targets(list), false, w.Now()}, nil)
			if found != n {
				t.Errorf("%d results of %d", found, n)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		counts[n] = reads.Load()
	}
	if counts[10] != counts[150] || counts[10] == 0 {
		t.Errorf("reads for 10 and 150 people: %v, want as many", counts)
	}
}
