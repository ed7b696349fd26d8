package executor

import (
	"context"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/ent"
	"workforce/internal/app/audit"
	"workforce/internal/app/auth/credential"
	"workforce/internal/app/input"
	"workforce/internal/app/ratelimit"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
	"workforce/internal/rootfield"
	"workforce/internal/scalar"
	"workforce/internal/viewer"
)

// authenticate refuses an operation without the tokens that its fields take. The
// transports have checked what does not depend on variables; here these are known:
// which fields @skip and @include leave out, and the platform of an app that
// registers.
func (e *Executor) authenticate(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	oc := graphql.GetOperationContext(ctx)
	var denied gqlerror.List
	for _, f := range graphql.CollectFields(oc, oc.Operation.SelectionSet, []string{"Query", "Mutation", "Subscription"}) {
		if err := e.Authenticator.CheckField(ctx, f.Name); err != nil {
			denied = append(denied, e.present(ctx, gqlerror.WrapPath(ast.Path{ast.PathName(f.Alias)}, err)))
		}
	}
	if len(denied) > 0 {
		return graphql.OneShot(&graphql.Response{Errors: denied})
	}
	if err := e.Authenticator.CheckPlatform(ctx, registeredPlatform(oc)); err != nil {
		return e.failed(ctx, err)
	}
	return next(ctx)
}

// registeredPlatform returns the platform of a device that an operation registers;
// "" for none.
func registeredPlatform(oc *graphql.OperationContext) string {
	for _, f := range rootfield.Selected(oc.Operation.SelectionSet) {
		if f.Name != "registerDevice" {
			continue
		}
		if input, ok := f.ArgumentMap(oc.Variables)["input"].(map[string]any); ok {
			p, _ := input["platform"].(string)
			return p
		}
	}
	return ""
}

// authorize enforces @access of the root fields: an operation with a
// field that the viewer has no permission for is refused as a whole. What rows a
// viewer with the permission sees and changes is for the policies. API keys are refused what is for people.
func (e *Executor) authorize(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	oc := graphql.GetOperationContext(ctx)
	if oc.Operation.Operation != ast.Mutation && viewer.From(ctx).Key == 0 {
		return next(ctx) // lists leave out, and single rows are NOT_FOUND
	}
	var denied gqlerror.List
	for _, f := range graphql.CollectFields(oc, oc.Operation.SelectionSet, []string{"Query", "Mutation", "Subscription"}) {
		known := e.Fields[f.Name]
		if known == nil {
			continue
		}
		if err := e.allow(ctx, known, f); err != nil {
			denied = append(denied, e.present(ctx, &gqlerror.Error{
				Err: err, Path: ast.Path{ast.PathName(f.Alias)},
				Locations: []gqlerror.Location{{Line: f.Position.Line, Column: f.Position.Column}},
			}))
		}
	}
	if len(denied) > 0 {
		return graphql.OneShot(&graphql.Response{Errors: denied})
	}
	return next(ctx)
}

// allow returns nil where the viewer may call a field. FORBIDDEN without the
// permission of a write, but NOT_FOUND where the field names a row that the viewer
// does not see.
func (e *Executor) allow(ctx context.Context, f *rootfield.Field, field graphql.CollectedField) error {
	a, me := f.Access, viewer.From(ctx)
	if me.Key != 0 && (a.People || a.Resource != "" && me.Scope(a.Resource, a.Action) == viewer.None) {
		return errs.New(errs.Forbidden, nil) // for people alone, or not in the list of the key
	}
	if !f.Write || a.Resource == "" || me.Scope(a.Resource, a.Action) >= a.Scope {
		return nil
	}
	if a.Entity == "" {
		return errs.New(errs.Forbidden, nil)
	}
	id, err := scalar.UnmarshalID(field.ArgumentMap(graphql.GetOperationContext(ctx).Variables)[a.Argument])
	if err != nil {
		return nil // the field says what is wrong with its arguments
	}
	seen, err := ent.Visible(ctx, ent.FromContext(ctx), a.Entity, id)
	switch {
	case err != nil:
		return err
	case !seen && a.Argument == "id":
		return errs.New(errs.NotFound, nil)
	case !seen:
		return input.Referenced(a.Argument, false, nil)
	}
	return errs.New(errs.Forbidden, nil)
}

// limit enforces @limit of a root field, in the transaction of its operation, or in
// one of its own where that has none.
func (e *Executor) limit(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
	f := e.Fields[graphql.GetRootFieldContext(ctx).Field.Name]
	if f == nil || f.Limit.Event == "" || credential.From(ctx, f.Limit.Unless).Reason == credential.Valid {
		return next(ctx)
	}
	event, system := ratelimit.Event(f.Limit.Event), viewer.System(ctx)
	count := func(ctx context.Context) error { return e.Limiter.Count(ctx, event) }
	var err error
	if ent.TxFromContext(ctx) != nil {
		err = count(system)
	} else {
		err = tx.Run(system, e.DB, count)
	}
	if err != nil {
		field := graphql.GetRootFieldContext(ctx).Field
		graphql.AddError(ctx, &gqlerror.Error{
			Err: err, Path: ast.Path{ast.PathName(field.Alias)},
			Locations: []gqlerror.Location{{Line: field.Position.Line, Column: field.Position.Column}},
		})
		return graphql.Null
	}
	return next(ctx)
}

// recordDenied records in the audit that a viewer was refused a mutation. It runs
// outside of the mutation's transaction, which is rolled back.
func (e *Executor) recordDenied(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	me := viewer.From(ctx)
	if graphql.GetOperationContext(ctx).Operation.Operation != ast.Mutation || me.UserID == 0 {
		return next(ctx)
	}
	handle := next(ctx)
	return func(inner context.Context) *graphql.Response {
		resp := handle(inner)
		if resp == nil || !slices.ContainsFunc(resp.Errors, isForbidden) {
			return resp
		}
		if err := e.Audit.Record(ctx, e.denials(graphql.GetOperationContext(ctx), me, resp.Errors)...); err != nil {
			e.Log.ErrorContext(ctx, "audit", "error", err)
		}
		return resp
	}
}

// denials returns an event for each root field that was FORBIDDEN: about the row that
// the field names, or about the viewer where it names none.
func (e *Executor) denials(oc *graphql.OperationContext, me *viewer.Viewer, list gqlerror.List) (events []audit.Event) {
	for _, f := range graphql.CollectFields(oc, oc.Operation.SelectionSet, []string{"Mutation"}) {
		if !slices.ContainsFunc(list, func(err *gqlerror.Error) bool {
			return isForbidden(err) && (len(err.Path) == 0 || err.Path[0] == ast.PathName(f.Alias))
		}) {
			continue
		}
		event := audit.Event{
			Action: audit.PermissionDenied, Company: me.CompanyID, Subject: ent.TypeUser, ID: me.UserID,
			Facts: map[string]any{"mutations": []string{f.Name}},
		}
		if known := e.Fields[f.Name]; known != nil && known.Access.Entity != "" {
			id, err := scalar.UnmarshalID(f.ArgumentMap(oc.Variables)[known.Access.Argument])
			if err == nil {
				event.Subject, event.ID = known.Access.Entity, id
			}
		}
		events = append(events, event)
	}
	return events
}

func isForbidden(e *gqlerror.Error) bool { return errs.Is(e, errs.Forbidden) }
