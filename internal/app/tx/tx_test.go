package tx

import (
	"context"
	"database/sql/driver"
	"errors"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-sql-driver/mysql"

	"workforce/ent"
	"workforce/internal/app/apptest"
	"workforce/internal/testdb"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }

var deadlock = &mysql.MySQLError{Number: 1213, Message: "Deadlock found"}

// addRow adds a row to the transaction of ctx.
func addRow(ctx context.Context) error {
	return ent.FromContext(ctx).RateLog.Create().SetKey(make([]byte, 32)).SetUpdatedAt(apptest.Now).Exec(ctx)
}

func rows(w *apptest.World) int { return w.DB.RateLog.Query().CountX(w.System()) }

func TestRun(t *testing.T) {
	other := errors.New("other")
	tests := []struct {
		name  string
		fails []error // of the first tries
		tries int
		err   error
		rows  int
	}{
		{"success", nil, 1, nil, 1},
		{"another error", []error{other}, 1, other, 0},
		{"a deadlock", []error{deadlock}, 2, nil, 1},
		{"four deadlocks", []error{deadlock, deadlock, deadlock, deadlock}, 5, nil, 1},
		{"five deadlocks", []error{deadlock, deadlock, deadlock, deadlock, deadlock}, 5, deadlock, 0},
		{"a deadlock and another error", []error{deadlock, other}, 2, other, 0},
		{"the connection is lost", []error{driver.ErrBadConn}, 1, driver.ErrBadConn, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // the pauses take no time
				w, tries := apptest.New(t), 0
				err := Run(w.System(), w.DB, func(ctx context.Context) error {
					if err := addRow(ctx); err != nil {
						t.Error(err)
					}
					if tries++; tries <= len(tt.fails) {
						return tt.fails[tries-1]
					}
					return nil
				})
				if !errors.Is(err, tt.err) || tries != tt.tries || rows(w) != tt.rows {
					t.Errorf("%v after %d tries, %d rows; want %v after %d, %d", err, tries, rows(w), tt.err, tt.tries, tt.rows)
				}
			})
		})
	}
}

// TestCommit runs a step again when its commit was rolled back, and only then.
func TestCommit(t *testing.T) {
	notReady := &mysql.MySQLError{Number: 1047, Message: "WSREP has not yet prepared node for application use"}
	for fails, want := range map[*mysql.MySQLError]int{deadlock: 2, notReady: 1} {
		w, tries := apptest.New(t), 0
		err := Run(w.System(), w.DB, func(ctx context.Context) error {
			tries++
			ent.TxFromContext(ctx).OnCommit(func(next ent.Committer) ent.Committer {
				return ent.CommitFunc(func(ctx context.Context, tx *ent.Tx) error {
					if tries == 1 {
						return errors.Join(fails, tx.Rollback())
					}
					return next.Commit(ctx, tx)
				})
			})
			return addRow(ctx)
		})
		if (err == nil) != (want == 2) || tries != want || rows(w) != want-1 {
			t.Errorf("%v: %v after %d tries, %d rows; want %d tries", fails, err, tries, rows(w), want)
		}
	}
}

func TestPanic(t *testing.T) {
	w := apptest.New(t)
	func() {
		defer func() {
			if p := recover(); p != "broken" {
				t.Errorf("recovered %v, want the step's panic", p)
			}
		}()
		_ = Run(w.System(), w.DB, func(ctx context.Context) error {
			if err := addRow(ctx); err != nil {
				t.Error(err)
			}
			panic("broken")
		})
	}()
	if n := rows(w); n != 0 {
		t.Errorf("%d rows after a panic", n)
	}
	if err := Run(w.System(), w.DB, addRow); err != nil { // the writer is free again
		t.Error(err)
	}
}

// TestDeadline does not try again after the end of the request.
func TestDeadline(t *testing.T) {
	w, tries := apptest.New(t), 0
	ctx, cancel := context.WithCancel(w.System())
	err := Run(ctx, w.DB, func(context.Context) error { tries++; cancel(); return deadlock })
	if !errors.Is(err, deadlock) || tries != 1 {
		t.Errorf("%v after %d tries, want the deadlock after one", err, tries)
	}
}

// TestLimit gives a transaction a minute, unless its caller has a deadline.
func TestLimit(t *testing.T) {
	w := apptest.New(t)
	for _, own := range []time.Duration{0, time.Second, time.Hour} {
		ctx, want := w.System(), time.Minute
		if own > 0 {
			limited, cancel := context.WithTimeout(ctx, own)
			defer cancel()
			ctx, want = limited, own
		}
		err := Run(ctx, w.DB, func(ctx context.Context) error {
			if end, ok := ctx.Deadline(); !ok || time.Until(end) > want || time.Until(end) < want-time.Second {
				t.Errorf("a transaction of %v ends in %v", want, time.Until(end))
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// TestHangs rolls a transaction back whose step hangs: others write while it still does.
func TestHangs(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		w := apptest.On(t, url)
		lock := func(ctx context.Context) error {
			return ent.FromContext(ctx).Company.UpdateOneID(w.Company.ID).SetName("Locked").Exec(ctx)
		}
		ctx, cancel := context.WithTimeout(w.System(), 100*time.Millisecond)
		defer cancel()
		err := Run(ctx, w.DB, func(ctx context.Context) error {
			if err := lock(ctx); err != nil {
				t.Error(err)
			}
			<-ctx.Done()
			if err := Run(w.System(), w.DB, lock); err != nil {
				t.Error(err)
			}
			return ctx.Err()
		})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v, want its deadline", err)
		}
	})
}

// TestPause waits at random, longer with each try.
func TestPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for try, most := range map[int]time.Duration{1: 20 * time.Millisecond, 2: 40 * time.Millisecond, 4: 160 * time.Millisecond} {
			var longest time.Duration
			for range 200 {
				start := time.Now()
				if !Pause(t.Context(), try) {
					t.Fatal("the context has not ended")
				}
				longest = max(longest, time.Since(start))
			}
			if longest > most || longest < most/2 {
				t.Errorf("before try %d it waits up to %v, want up to %v", try+1, longest, most)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
		defer cancel()
		for range 3 {
			time.Sleep(time.Nanosecond)
			if Pause(ctx, 30) {
				t.Error("a pause outlasts its context")
			}
		}
	})
}

func TestWith(t *testing.T) {
	w := apptest.New(t)
	undone := errors.New("undone")
	err := With(w.System(), w.DB, func(db *ent.Client) error {
		db.RateLog.Create().SetKey(make([]byte, 32)).SetUpdatedAt(apptest.Now).SaveX(w.System())
		return undone
	})
	if !errors.Is(err, undone) || rows(w) != 0 {
		t.Errorf("%v, %d rows; want a rollback", err, rows(w))
	}
}
