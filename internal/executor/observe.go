package executor

import (
	"cmp"
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/internal/errs"
	"workforce/internal/request"
	"workforce/internal/rootfield"
	"workforce/internal/telemetry"
)

// begin notes in the request's facts which operation is about to run, and begins its span.
func (e *Executor) begin(ctx context.Context, oc *graphql.OperationContext) context.Context {
	name := request.Other
	if e.Known[oc.RawQuery] {
		name = cmp.Or(oc.Operation.Name, name)
	}
	request.From(ctx).Operation = request.Operation{Name: name, Kind: string(oc.Operation.Operation), Began: time.Now()}
	if telemetry.On(ctx) {
		var span telemetry.Span
		ctx, span = telemetry.Start(ctx, telemetry.Internal, string(oc.Operation.Operation)+" "+name)
		span.Set("graphql.operation.type", string(oc.Operation.Operation))
		span.Set("graphql.operation.name", name)
	}
	return ctx
}

// End implements operation.End: with the context that begin returned it reports the operation. One that
// was not executed was refused.
func (e *Executor) End(ctx context.Context) {
	op := request.From(ctx).Operation
	op.Outcome = cmp.Or(op.Outcome, request.Refused)
	span := telemetry.Of(ctx)
	span.Set("workforce.outcome", op.Outcome)
	if op.Outcome == request.Failed {
		span.Fail(op.Outcome)
	}
	span.End()
	if e.Ended != nil && op.Name != "" {
		e.Ended(op, time.Since(op.Began))
	}
}

// Admit implements operation.Admit.
func (e *Executor) Admit(ctx context.Context, op *ast.OperationDefinition) (leave func(), err error) {
	leave, err = e.Lanes.Admit(ctx, op)
	if err != nil {
		request.From(ctx).Operation.Outcome = judged(errs.CodeOf(err))
	}
	return leave, err
}

// observe notes how an operation ends. What shows an event to a subscriber was not checked before, and
// begins here.
func (e *Executor) observe(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	oc, op := graphql.GetOperationContext(ctx), &request.From(ctx).Operation
	checked, begun := op.Name != "", ctx
	if !checked {
		begun = e.begin(ctx, oc)
	}
	handle := next(begun)
	return func(ctx context.Context) *graphql.Response {
		op.Outcome = request.Failed // unless it comes to an end
		if !checked {
			defer e.End(begun)
		}
		resp := handle(ctx)
		if resp != nil {
			e.ended(ctx, oc, resp.Errors)
		}
		return resp
	}
}

// ended notes the errors of an operation, none for one that succeeded.
func (e *Executor) ended(ctx context.Context, oc *graphql.OperationContext, list gqlerror.List) {
	outcome := request.Succeeded
	for _, err := range list {
		if outcome != request.Failed {
			outcome = judged(errs.CodeOf(err))
		}
	}
	request.From(ctx).Operation.Outcome = outcome
	if e.Called == nil || outcome == request.Succeeded && oc.Operation.Operation != ast.Mutation {
		return
	}
	e.report(ctx, oc.Operation, list)
}

func judged(code errs.Code) string {
	if code.Status() >= 500 {
		return request.Failed
	}
	return request.Refused
}

// report calls Called for the root fields of an operation: with each error, by field and code, that
// has the path of the field or none, and for the fields of a mutation without any.
func (e *Executor) report(ctx context.Context, op *ast.OperationDefinition, list gqlerror.List) {
	type call struct{ field, outcome string }
	seen := map[call]bool{}
	for _, f := range rootfield.Selected(op.SelectionSet) {
		if e.Fields[f.Name] == nil {
			continue
		}
		of := func(err *gqlerror.Error) bool { return len(err.Path) == 0 || err.Path[0] == ast.PathName(f.Alias) }
		refused := false
		for _, err := range list {
			if c := (call{f.Name, errs.CodeOf(err).String()}); of(err) {
				refused = true
				if !seen[c] {
					e.Called(ctx, c.field, c.outcome)
				}
				seen[c] = true
			}
		}
		if !refused && len(list) == 0 && op.Operation == ast.Mutation {
			e.Called(ctx, f.Name, request.Succeeded)
		}
	}
}
