package executor

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/go-sql-driver/mysql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/internal/errs"
)

var deadlock = &mysql.MySQLError{Number: 1213, Message: "Deadlock found"}

// TestRetry runs a mutation again that the database gave up, five times in all.
func TestRetry(t *testing.T) {
	other := errs.Conflicts(errs.Duplicate, "", nil)
	tests := []struct {
		name  string
		text  string
		fails int
		err   error
		ran   int
		want  string
		rows  int
	}{
		{"success", deletion, 0, nil, 1, "row 1", 1},
		{"a refusal", deletion, 1, other, 1, "CONFLICT", 0},
		{"one deadlock", deletion, 1, deadlock, 2, "row 2", 1},
		{"four deadlocks", deletion, 4, deadlock, 5, "row 5", 1},
		{"five deadlocks", deletion, 5, deadlock, 5, "UNAVAILABLE", 0},
		{"a query", `{ profile { name } }`, 1, deadlock, 1, "UNAVAILABLE", 0},
	}
	for _, tt := range tests {
		for _, key := range []string{"", "k"} {
			t.Run(tt.name+" "+key, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { // the pauses take no time
					f := newFixture(t)
					got := f.run(sent{text: tt.text, key: key}, func(ctx context.Context) (string, error) {
						text, err := f.add(ctx)
						if f.ran <= tt.fails {
							err = errors.Join(err, tt.err)
						}
						return text, err
					})
					if f.ran != tt.ran {
						t.Errorf("ran %d times, want %d", f.ran, tt.ran)
					}
					f.want(tt.name, got, tt.want)
					if tt.text == deletion {
						f.wantRows(tt.rows)
					}
				})
			})
		}
	}
}

// TestRetryOfCommit runs a mutation again whose commit the database gave up.
func TestRetryOfCommit(t *testing.T) {
	f := newFixture(t)
	f.want("a deadlock at the commit", f.run(sent{text: deletion}, func(ctx context.Context) (string, error) {
		if f.ran == 1 {
			atCommit(ctx, false, deadlock)
		}
		return f.add(ctx)
	}), "row 2")
	f.wantRows(1)
}

// TestUncertainCommit looks up the outcome of a commit that was refused in a way
// that leaves open whether it took place. A request that stores none runs once.
func TestUncertainCommit(t *testing.T) {
	for _, cause := range []error{
		&mysql.MySQLError{Number: 1047, Message: "WSREP has not yet prepared node for application use"},
		&mysql.MySQLError{Number: 1180, Message: "Got error 5 during COMMIT"},
		&mysql.MySQLError{Number: 1026, Message: "Error writing file"},
	} {
		for _, committed := range []bool{true, false} {
			for name, s := range map[string]sent{"no key": {text: deletion}, "id": by(deletion, "r", 1), "key": {text: deletion, key: "k"}} {
				f := newFixture(t)
				got := f.run(s, func(ctx context.Context) (string, error) {
					if f.ran == 1 {
						atCommit(ctx, committed, cause)
					}
					return f.add(ctx)
				})
				want, rows := "row 1", 1
				switch {
				case name == "no key" && committed:
					want = "UNAVAILABLE"
				case name == "no key":
					want, rows = "UNAVAILABLE", 0
				case !committed:
					want = "row 2"
				}
				f.want(fmt.Sprintf("%v, %s, committed %v", cause, name, committed), got, want)
				f.wantRows(rows)
			}
		}
	}
}

// TestUncertain takes a commit for uncertain whose error does not say that the
// transaction was rolled back, and a begin that failed never.
func TestUncertain(t *testing.T) {
	away, lost := &mysql.MySQLError{Number: 1047}, &mysql.MySQLError{Number: 1213}
	for _, tt := range []struct {
		outcome txOutcome
		want    bool
	}{
		{txOutcome{}, false},
		{txOutcome{err: away}, false},
		{txOutcome{committed: true}, false},
		{txOutcome{committed: true, err: lost}, false},
		{txOutcome{committed: true, err: away}, true},
	} {
		if got := tt.outcome.uncertain(); got != tt.want {
			t.Errorf("%+v: %v", tt.outcome, got)
		}
	}
}

// TestRetryEnds with the request.
func TestRetryEnds(t *testing.T) {
	f := newFixture(t)
	ctx, reply := f.context(sent{text: deletion})
	ctx, leave := context.WithCancel(ctx)
	f.runIn(ctx, reply, func(context.Context) (string, error) { leave(); return "", deadlock })
	if f.ran != 1 {
		t.Errorf("ran %d times, want once", f.ran)
	}
}

// TestMixedTransactions refuses a mutation with transactions of its own beside
// another.
func TestMixedTransactions(t *testing.T) {
	f := newFixture(t)
	const login, logout = `login(input: {username: "x", password: "y"}) { userToken }`, `logout { loggedOut }`
	for text, want := range map[string]bool{
		`mutation { ` + login + ` }`:                                            false,
		`mutation { ` + login + ` ` + logout + ` }`:                             true,
		`mutation { a: ` + login + ` b: ` + login + ` }`:                        true,
		`mutation { ` + logout + ` deleteRole(id: 1) { deleted } }`:             false,
		`mutation { ` + login + ` ...F } fragment F on Mutation { __typename }`: true,
	} {
		ctx, _ := f.context(sent{text: text})
		err := f.mixesTransactions(operationOf(ctx))
		if (err != nil) != want || err != nil && !errs.Is(err, errs.BadRequest) {
			t.Errorf("%s: %v, want refused: %v", text, err, want)
		}
	}
	if got := fmt.Sprint(f.Fields.OwnTransactions(operationOf(first(f.context(sent{text: `mutation { ` + login + ` }`}))))); got != "true" {
		t.Errorf("login has transactions of its own: %s", got)
	}
}

// A fakeTx records how it ended.
type fakeTx struct {
	ended  []string
	commit func() error
}

func (tx *fakeTx) Commit() error   { tx.ended = append(tx.ended, "commit"); return tx.commit() }
func (tx *fakeTx) Rollback() error { tx.ended = append(tx.ended, "rollback"); return nil }

// TestTransactions ends the transaction of a mutation exactly once, whatever becomes of it.
func TestTransactions(t *testing.T) {
	answer := func(errors ...string) graphql.ResponseHandler {
		return func(context.Context) *graphql.Response {
			resp := &graphql.Response{Data: []byte("{}")}
			for _, text := range errors {
				resp.Errors = append(resp.Errors, gqlerror.Errorf("%s", text))
			}
			return resp
		}
	}
	panics := func(context.Context) *graphql.Response { panic("in a resolver") }
	for _, tt := range []struct {
		name     string
		op       ast.Operation
		own      bool
		open     error
		commit   func() error
		next     graphql.ResponseHandler
		ended    string
		errors   int
		panicked bool
	}{
		{name: "a query", op: ast.Query, next: answer()},
		{name: "a mutation of its own", op: ast.Mutation, own: true, next: answer()},
		{name: "done", op: ast.Mutation, next: answer(), ended: "[commit]"},
		{name: "refused", op: ast.Mutation, next: answer("a", "b"), ended: "[rollback]", errors: 2},
		{name: "not opened", op: ast.Mutation, open: sql.ErrConnDone, next: panics, errors: 1},
		{name: "not committed", op: ast.Mutation, commit: func() error { return sql.ErrTxDone }, next: answer(), ended: "[commit]", errors: 1},
		{name: "a panic", op: ast.Mutation, next: panics, ended: "[rollback]", panicked: true},
		{name: "a panic of the commit", op: ast.Mutation, commit: func() error { panic("in a hook") }, next: answer(), ended: "[commit rollback]", panicked: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tx := &fakeTx{commit: tt.commit}
			if tx.commit == nil {
				tx.commit = func() error { return nil }
			}
			all := transactions{
				open: func(ctx context.Context) (context.Context, driver.Tx, error) { return ctx, tx, tt.open },
				own:  func(*ast.OperationDefinition) bool { return tt.own },
			}
			ctx := graphql.WithOperationContext(t.Context(), &graphql.OperationContext{Operation: &ast.OperationDefinition{Operation: tt.op}})
			ctx = graphql.WithResponseContext(ctx, graphql.DefaultErrorPresenter, graphql.DefaultRecover)
			var resp *graphql.Response
			panicked := func() (panicked bool) {
				defer func() { panicked = recover() != nil }()
				resp = all.InterceptResponse(ctx, tt.next)
				return false
			}()
			if panicked != tt.panicked || !panicked && (len(resp.Errors) != tt.errors || (tt.errors > 0) == (resp.Data != nil)) {
				t.Errorf("panicked %t, answered %+v", panicked, resp)
			}
			if ended := fmt.Sprint(tx.ended); ended != cmp.Or(tt.ended, "[]") {
				t.Errorf("the transaction ended by %s, want %s", ended, tt.ended)
			}
		})
	}
}

// TestTransactionTurns runs the resolvers of a mutation one at a time, those of a query at once.
func TestTransactionTurns(t *testing.T) {
	const resolvers = 20
	all := transactions{own: func(*ast.OperationDefinition) bool { return false }}
	run := func(op ast.Operation, resolve func()) {
		oc := &graphql.OperationContext{
			Operation:          &ast.OperationDefinition{Operation: op},
			ResolverMiddleware: func(ctx context.Context, next graphql.Resolver) (any, error) { return next(ctx) },
		}
		if err := all.MutateOperationContext(t.Context(), oc); err != nil {
			t.Fatal(err)
		}
		var wait sync.WaitGroup
		for range resolvers {
			wait.Go(func() {
				_, _ = oc.ResolverMiddleware(t.Context(), func(context.Context) (any, error) { resolve(); return nil, nil })
			})
		}
		wait.Wait()
	}
	var running, together atomic.Int64
	run(ast.Mutation, func() {
		together.Store(max(together.Load(), running.Add(1)))
		time.Sleep(time.Millisecond)
		running.Add(-1)
	})
	if together.Load() != 1 {
		t.Errorf("%d resolvers of a mutation at once", together.Load())
	}
	var met sync.WaitGroup
	met.Add(resolvers)
	run(ast.Query, func() { met.Done(); met.Wait() }) // ends when all have begun
}
