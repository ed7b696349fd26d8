package executor

import (
	"context"
	"database/sql/driver"
	"slices"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/internal/app/tx"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/graphqlhttp"
	"workforce/internal/rootfield"
)

// mixesTransactions returns BAD_REQUEST for a field that runs transactions of its own
// beside another: they could not be rolled back together.
func (e *Executor) mixesTransactions(op *ast.OperationDefinition) *gqlerror.Error {
	if op.Operation == ast.Mutation && e.Fields.OwnTransactions(op) && len(rootfield.Selected(op.SelectionSet)) > 1 {
		return graphqlhttp.Refuse(errs.BadRequest, nil, "This mutation must be the only field of its operation.")
	}
	return nil
}

// transactions is gqlgen's extension that runs each mutation in a transaction, except one that
// runs its own. An answer with errors is rolled back.
type transactions struct {
	open func(context.Context) (context.Context, driver.Tx, error)
	own  func(*ast.OperationDefinition) bool
}

var _ interface {
	graphql.HandlerExtension
	graphql.OperationContextMutator
	graphql.ResponseInterceptor
} = transactions{}

// ExtensionName implements graphql.HandlerExtension.
func (transactions) ExtensionName() string { return "Transactions" }

// Validate implements graphql.HandlerExtension.
func (transactions) Validate(graphql.ExecutableSchema) error { return nil }

func (t transactions) run(op *ast.OperationDefinition) bool {
	return op != nil && op.Operation == ast.Mutation && !t.own(op)
}

// MutateOperationContext lets the fields of a mutation use its transaction one at a time.
func (t transactions) MutateOperationContext(_ context.Context, oc *graphql.OperationContext) *gqlerror.Error {
	if !t.run(oc.Operation) {
		return nil
	}
	var turn sync.Mutex
	previous := oc.ResolverMiddleware
	oc.ResolverMiddleware = func(ctx context.Context, next graphql.Resolver) (any, error) {
		turn.Lock()
		defer turn.Unlock()
		return previous(ctx, next)
	}
	return nil
}

// InterceptResponse implements graphql.ResponseInterceptor.
func (t transactions) InterceptResponse(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	if !t.run(graphql.GetOperationContext(ctx).Operation) {
		return next(ctx)
	}
	in, opened, err := t.open(ctx)
	if err != nil {
		return graphql.ErrorResponse(ctx, "the transaction could not be opened: %v", err)
	}
	done := false
	defer func() {
		if !done { // a panic goes on
			_ = opened.Rollback()
		}
	}()
	resp := next(in)
	if len(resp.Errors) > 0 {
		return &graphql.Response{Errors: resp.Errors}
	}
	err = opened.Commit()
	done = true
	if err != nil {
		return graphql.ErrorResponse(ctx, "the transaction could not be committed: %v", err)
	}
	return resp
}

// A txOutcome records the errors of a transaction's begin and commit.
type txOutcome struct {
	err       error
	committed bool // it came as far as the commit
}

// openTx begins the transaction of a mutation. It records the errors of begin and
// commit, which gqlgen would not present.
func (e *Executor) openTx(ctx context.Context) (context.Context, driver.Tx, error) {
	outcome, _ := graphql.GetOperationContext(ctx).Stats.GetExtension(outcomeExtension).(*txOutcome)
	txCtx, opened, err := e.DB.OpenTx(ctx)
	if err != nil {
		outcome.err = err
		return nil, nil, err
	}
	return txCtx, watchedTx{opened, outcome}, nil
}

// A watchedTx records how its commit ended.
type watchedTx struct {
	driver.Tx
	outcome *txOutcome
}

// uncertain reports whether the commit failed and may yet have taken place.
func (o *txOutcome) uncertain() bool {
	return o.committed && o.err != nil && !database.Undone(o.err)
}

// Commit implements driver.Tx.
func (t watchedTx) Commit() error {
	t.outcome.committed = true
	t.outcome.err = t.Tx.Commit()
	return t.outcome.err
}

// retry runs a mutation again, as a whole and with fresh reads, when the database
// gave its transaction up, and when work had to be done outside of it first. Where a
// commit may have taken place or not, the stored outcome tells.
func (e *Executor) retry(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	if graphql.GetOperationContext(ctx).Operation.Operation != ast.Mutation {
		return next(ctx)
	}
	outcome, began := &txOutcome{}, e.Now()
	graphql.GetOperationContext(ctx).Stats.SetExtension(outcomeExtension, outcome)
	ctx, deferred := tx.WithDeferred(ctx)
	handle := next(ctx)
	return single(func(inner context.Context) *graphql.Response {
		for try := 1; ; try++ {
			*outcome = txOutcome{}
			resp := handle(inner)
			if outcome.err != nil {
				resp = &graphql.Response{Errors: gqlerror.List{e.present(inner, outcome.err)}}
			}
			if resp == nil || try == tx.Tries {
				return resp
			}
			if deferred.Run(ctx) {
				handle = next(ctx)
				continue
			}
			again := slices.ContainsFunc(resp.Errors, gaveUp)
			if outcome.uncertain() {
				var stored *graphql.Response
				if stored, again = e.lookupOutcome(inner, began); stored != nil {
					return stored
				}
			}
			if !again || !tx.Pause(ctx, try) {
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
