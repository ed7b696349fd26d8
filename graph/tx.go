package graph

import (
	"context"
	"database/sql/driver"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/graphqlhttp"
)

// withoutTransaction lists the mutations that open short transactions of their
// own: those that hash a password, and those whose count of failures must
// outlive a refusal.
var withoutTransaction = []string{
	"login", "verify", "forgotPassword", "resetPassword", "changePassword", "refreshToken", "createUser", "encrypt",
}

// skipsTransaction reports whether an operation runs outside of a transaction.
// The fields tell; the operation's name is the client's to choose.
func skipsTransaction(op *ast.OperationDefinition) bool {
	return slices.ContainsFunc(rootFields(op.SelectionSet), func(f *ast.Field) bool {
		return slices.Contains(withoutTransaction, f.Name)
	})
}

// aloneWithoutTransaction refuses to run such a field beside another: what
// fails could not be undone together.
func aloneWithoutTransaction(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	if err := mixesTransactions(graphql.GetOperationContext(ctx).Operation); err != nil {
		return graphql.OneShot(&graphql.Response{Errors: gqlerror.List{err}})
	}
	return next(ctx)
}

// mixesTransactions returns an error for a mutation that has a field without a
// transaction beside another.
func mixesTransactions(op *ast.OperationDefinition) *gqlerror.Error {
	if op.Operation == ast.Mutation && skipsTransaction(op) && len(rootFields(op.SelectionSet)) > 1 {
		return graphqlhttp.Refuse(errs.BadRequest, nil, "This mutation must be the only field of its operation.")
	}
	return nil
}

// tries is how often a transaction is run that the database gives up on.
const tries = 5

// A txOutcome is how the transaction of an operation began and ended.
type txOutcome struct {
	err       error
	committed bool // it came as far as the commit
}

type txOutcomeKey struct{}

// openTx begins the transaction of a mutation, and sees to it that what goes
// wrong at its ends is not lost.
func (r *Resolver) openTx(ctx context.Context) (context.Context, driver.Tx, error) {
	outcome, _ := ctx.Value(txOutcomeKey{}).(*txOutcome)
	txCtx, tx, err := r.DB.OpenTx(ctx)
	if err != nil {
		outcome.err = err
		return nil, nil, err
	}
	return txCtx, watchedTx{tx, outcome}, nil
}

// A watchedTx tells how its commit went.
type watchedTx struct {
	driver.Tx
	outcome *txOutcome
}

// Commit implements driver.Tx.
func (t watchedTx) Commit() error {
	t.outcome.committed = true
	t.outcome.err = t.Tx.Commit()
	return t.outcome.err
}

// retry runs a mutation again, as a whole and with fresh reads, when the
// database gave its transaction up. Where the answer to a commit was lost, the
// request's record tells whether it took place.
func (r *Resolver) retry(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	if graphql.GetOperationContext(ctx).Operation.Operation != ast.Mutation {
		return next(ctx)
	}
	outcome, began := &txOutcome{}, r.Now()
	ctx = context.WithValue(ctx, txOutcomeKey{}, outcome)
	handle := next(ctx)
	return single(func(inner context.Context) *graphql.Response {
		for try := 1; ; try++ {
			*outcome = txOutcome{}
			resp := handle(inner)
			if outcome.err != nil {
				resp = &graphql.Response{Errors: gqlerror.List{r.present(inner, outcome.err)}}
			}
			if resp == nil || try == tries {
				return resp
			}
			again := slices.ContainsFunc(resp.Errors, gaveUp)
			if outcome.committed && database.Away(outcome.err) {
				var kept *graphql.Response
				if kept, again = r.recall(inner, began); kept != nil {
					return kept
				}
			}
			if !again || !pause(ctx, try) {
				return resp
			}
			handle = next(ctx)
		}
	})
}

// single makes a handler answer once, and nil from then on: a mutation has one
// answer.
func single(answer graphql.ResponseHandler) graphql.ResponseHandler {
	done := false
	return func(ctx context.Context) *graphql.Response {
		if done {
			return nil
		}
		done = true
		return answer(ctx)
	}
}

func gaveUp(e *gqlerror.Error) bool { return e.Err != nil && database.Retryable(e.Err) }

// pause waits before another try, 10 ms doubling, with full jitter. It reports
// false where the request's time is up.
func pause(ctx context.Context, try int) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(rand.N(10 * time.Millisecond << try)):
		return true
	}
}

// inTx runs a step in a short transaction of its own, again when the database
// gives it up. Within it, ent.FromContext is the transaction's client.
func (r *Resolver) inTx(ctx context.Context, step func(context.Context) error) error {
	for try := 1; ; try++ {
		err := r.once(ctx, step)
		if err == nil || try == tries || !database.Retryable(err) || !pause(ctx, try) {
			return err
		}
	}
}

func (r *Resolver) once(ctx context.Context, step func(context.Context) error) error {
	ctx, tx, err := r.DB.OpenTx(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if p := recover(); p != nil {
			_ = tx.Rollback() // the panic tells more
			panic(p)
		}
	}()
	if err := step(ctx); err != nil {
		_ = tx.Rollback() // err tells more
		return err
	}
	return tx.Commit()
}
