package definition

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/internal/app/people"
	"workforce/internal/contact"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// manyAssigned is how many people TestMany assigns, each from a date of their own.
const manyAssigned = 2000

// TestMany applies a file with the assignments of thousands of people in bounded time.
func TestMany(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		w := newWorld(t, url)
		w.crowd(t)
		var file strings.Builder
		file.WriteString("shifts: [{name: Pagi, startTime: 08:00, endTime: 16:00}]\nassignments:\n")
		for i := range manyAssigned {
			start := time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, i%700).Format(time.DateOnly)
			fmt.Fprintf(&file, "  - {email: p%d@acme.test, shift: Pagi, startsOn: %s, weekdays: [1, 2, 3, 4, 5]}\n", i, start)
		}
		w.timed(t, file.String(), timedStep{"creates", manyAssigned + 1, 30 * time.Second},
			timedStep{"finds the same", 0, 10 * time.Second})
	})
}

// TestManyRoles gives thousands of people roles in bounded time.
func TestManyRoles(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		w := newWorld(t, url)
		w.crowd(t)
		var file strings.Builder
		file.WriteString("roles: [{name: Clerk, permissions: [user.read.own]}]\nassignments:\n")
		for i := range manyAssigned {
			fmt.Fprintf(&file, "  - {email: p%d@acme.test, roles: [Clerk, supervisor]}\n", i)
		}
		w.timed(t, file.String(), timedStep{"gives", manyAssigned + 1, 30 * time.Second},
			timedStep{"finds the same", 0, 10 * time.Second})
	})
}

// crowd adds manyAssigned people.
func (w *world) crowd(t *testing.T) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		for at := 0; at < manyAssigned; at += 500 {
			list := make([]people.NewUser, 500)
			for i := range list {
				list[i] = people.NewUser{
					Name: fmt.Sprintf("Person %d", at+i), Email: fmt.Sprintf("p%d@acme.test", at+i),
					Mobile: contact.NoNumber(), Role: viewer.Employee,
				}
			}
			if _, err := people.CreateUsers(ctx, db, w.Company, w.World.Now(), list...); err != nil {
				return err
			}
		}
		return nil
	})
}

// A timedStep is how many changes a file makes, in which time at most.
type timedStep struct {
	name    string
	changes int
	most    time.Duration
}

// timed applies a file once for each step.
func (w *world) timed(t *testing.T, file string, steps ...timedStep) {
	t.Helper()
	for _, step := range steps {
		begun := time.Now()
		r, err := w.Apply(context.Background(), w.Company.ID, []byte(file), Options{Prune: true})
		took := time.Since(begun)
		if err != nil || len(r.Faults) > 0 || len(r.Changes) != step.changes {
			t.Fatalf("%s: %v, %d changes, %d faults", step.name, err, len(r.Changes), len(r.Faults))
		}
		t.Logf("%s: %v", step.name, took.Round(time.Millisecond))
		if took > step.most {
			t.Errorf("%s: %v, want at most %v", step.name, took, step.most)
		}
	}
}
