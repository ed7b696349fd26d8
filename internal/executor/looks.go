package executor

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/ent"
	"workforce/internal/app/audit"
	"workforce/internal/request"
	"workforce/internal/viewer"
)

// recordLooks records in one statement whose positions an answer shows, each person once, before
// it is given; where that fails, there is no answer. A write that failed shows nothing.
func (e *Executor) recordLooks(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	resp := next(ctx)
	people := request.From(ctx).Looks.Take()
	failed := resp != nil && len(resp.Errors) > 0 && graphql.GetOperationContext(ctx).Operation.Operation == ast.Mutation
	if len(people) == 0 || failed {
		return resp
	}
	company, events := viewer.From(ctx).CompanyID, make([]audit.Event, len(people))
	for i, id := range people {
		events[i] = audit.Event{Action: audit.CoordinatesRead, Company: company, Subject: ent.TypeUser, ID: id}
	}
	if err := e.Audit.Record(ctx, events...); err != nil {
		return &graphql.Response{Errors: gqlerror.List{e.present(ctx, err)}}
	}
	return resp
}
