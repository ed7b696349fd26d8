package executor

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/internal/errs"
	"workforce/internal/rootfield"
)

// countRefusals counts the errors of an operation.
func (e *Executor) countRefusals(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	op, handle := graphql.GetOperationContext(ctx).Operation, next(ctx)
	return func(ctx context.Context) *graphql.Response {
		resp := handle(ctx)
		if resp != nil {
			e.refused(op, resp.Errors)
		}
		return resp
	}
}

// refused reports each error of an operation, by root field and code: that of the path
// of the error, or each of the operation's for an error without one.
func (e *Executor) refused(op *ast.OperationDefinition, list gqlerror.List) {
	if e.Refused == nil || len(list) == 0 {
		return
	}
	type refusal struct {
		field string
		code  errs.Code
	}
	seen := map[refusal]bool{}
	for _, err := range list {
		for _, f := range rootfield.Selected(op.SelectionSet) {
			r := refusal{f.Name, errs.CodeOf(err)}
			if e.Fields[f.Name] == nil || len(err.Path) > 0 && err.Path[0] != ast.PathName(f.Alias) || seen[r] {
				continue
			}
			seen[r] = true
			e.Refused(r.field, r.code)
		}
	}
}
