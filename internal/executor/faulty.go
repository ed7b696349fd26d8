package executor

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/internal/errs"
	"workforce/internal/rootfield"
)

// findFaults lets a mutation some of whose members could not be read run, so that its
// use case finds the faults of the others. It ends with an error, which rolls it back.
// Only one with a single field that takes an input, in the executor's own transaction,
// runs at all.
func findFaults(e *Executor) graphql.OperationMiddleware {
	return func(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
		if errs.Faulty(ctx) && !findable(e.Fields, graphql.GetOperationContext(ctx).Operation) {
			return e.failed(ctx, errs.FaultsOf(ctx).Err())
		}
		return next(ctx)
	}
}

// findable reports whether a mutation may run to find faults.
func findable(known rootfield.Fields, op *ast.OperationDefinition) bool {
	fields := rootfield.Selected(op.SelectionSet)
	if len(fields) != 1 || fields[0].Arguments.ForName("input") == nil || known.OwnTransactions(op) {
		return false
	}
	f := known[fields[0].Name]
	return f != nil && f.Limit.Event == ""
}

// refuseFaulty makes a mutation fail some of whose members could not be read, whatever
// its use case made of the others.
func refuseFaulty(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	resp := next(ctx)
	if resp == nil || len(resp.Errors) > 0 || !errs.Faulty(ctx) {
		return resp
	}
	return &graphql.Response{Errors: gqlerror.List{gqlerror.Wrap(errs.FaultsOf(ctx).Err())}}
}
