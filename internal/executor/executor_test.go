package executor

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"workforce/ent"
	"workforce/internal/app/apptest"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
)

// TestClassify gives errors of the database their code, and names each in the log.
func TestClassify(t *testing.T) {
	over, cancel := context.WithCancel(t.Context())
	cancel()
	number := func(n uint16) error { return &mysql.MySQLError{Number: n, Message: "cause"} }
	for _, tt := range []struct {
		name string
		ctx  context.Context
		err  error
		want string
	}{
		{"a defect", t.Context(), errors.New("cause"), "INTERNAL"},
		{"a transaction that was used after its end", t.Context(), sql.ErrTxDone, "INTERNAL"},
		{"a transaction that ended with its request", over, sql.ErrTxDone, "UNAVAILABLE"},
		{"interrupted", over, errors.New("interrupted (9)"), "UNAVAILABLE"},
		{"a node without a majority", t.Context(), number(1047), "UNAVAILABLE"},
		{"a full disk", t.Context(), number(1021), "UNAVAILABLE"},
		{"a full table", t.Context(), number(1114), "UNAVAILABLE"},
	} {
		var out strings.Builder
		got := errs.CodeOf(Classify(tt.ctx, slog.New(slog.NewTextHandler(&out, nil)), tt.err)).String()
		if got != tt.want || !strings.Contains(out.String(), tt.err.Error()[max(0, len(tt.err.Error())-5):]) {
			t.Errorf("%s: %s, want %s; logged %s", tt.name, got, tt.want, &out)
		}
	}
}

// TestClassifyConstraints gives errors of constraints the reason of their CONFLICT.
func TestClassifyConstraints(t *testing.T) {
	f := newFixture(t)
	link := func() error {
		return f.DB.SetupLink.Create().SetTokenHash([]byte("hash")).SetCreatedAt(f.World.Now()).SetExpiresAt(f.World.Now()).Exec(f.System())
	}
	if err := link(); err != nil {
		t.Fatal(err)
	}
	inUse := f.Try(f.System(), func(ctx context.Context, db *ent.Client) error {
		return db.Company.DeleteOneID(f.Company.ID).Exec(ctx)
	})
	for want, err := range map[string]error{"DUPLICATE": link(), "CHANGED_MEANWHILE": inUse} {
		got := Classify(t.Context(), slog.New(slog.DiscardHandler), err)
		if errs.CodeOf(got) != errs.Conflict || apptest.Conflict(got) != want || !errors.Is(got, err) {
			t.Errorf("%v: %v %s, want CONFLICT %s", err, got, apptest.Conflict(got), want)
		}
	}
}

// TestDeadlineWithin ends a request within its transaction, whose commit fails.
func TestDeadlineWithin(t *testing.T) {
	f := newFixture(t)
	ctx, reply := f.context(sent{text: deletion})
	ctx, cancel := context.WithCancel(ctx)
	f.want("a request out of time", f.runIn(ctx, reply, func(ctx context.Context) (string, error) {
		cancel()
		for {
			if text, err := f.add(context.WithoutCancel(ctx)); errors.Is(err, sql.ErrTxDone) {
				return text, nil
			}
		}
	}), "UNAVAILABLE")
	f.wantRows(0)
}

// TestWorkOutside does what must not run in the transaction of an operation before
// that, once, and not for a repeat.
func TestWorkOutside(t *testing.T) {
	for _, s := range []sent{{text: deletion, key: "k"}, by(deletion, "r", 1), {text: deletion}} {
		f := newFixture(t)
		hashed := 0
		create := func(ctx context.Context) (string, error) {
			_, err := tx.Outside(ctx, "password", func(ctx context.Context) (string, error) {
				hashed++
				return "hash", tx.Run(f.System(), f.DB, func(context.Context) error { return nil }) // waits for another's transaction
			})
			if err != nil {
				return "", err
			}
			return f.add(ctx)
		}
		f.want("first", f.run(s, create), "row 2")
		if hashed != 1 || f.ran != 2 {
			t.Errorf("hashed %d times in %d runs, want once and 2", hashed, f.ran)
		}
		if s.key+s.id != "" {
			f.want("again", f.run(s, create), "row 2 replayed")
			if hashed != 1 {
				t.Error("hashed for a repeat")
			}
		}
		f.wantRows(1)
	}
}
