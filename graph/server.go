package graph

import (
	"context"
	"errors"

	"entgo.io/contrib/entgql"
	"entgo.io/ent/privacy"
	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/ent"
	"workforce/graph/generated"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/graphqlhttp"
	"workforce/internal/scalar"
	"workforce/internal/token"
	"workforce/internal/variables"
	"workforce/internal/viewer"
)

// Schema returns the executable schema.
func (r *Resolver) Schema() graphql.ExecutableSchema {
	return generated.NewExecutableSchema(generated.Config{Resolvers: r})
}

// InputTypes returns the types of a schema with the checks of its scalars. Those
// of the scalars that are not listed are made by the resolvers.
func InputTypes(schema *ast.Schema) *variables.Types {
	return variables.NewTypes(schema, variables.Options{
		Scalars: map[string]func(any) error{
			"Time": func(v any) error { _, err := scalar.UnmarshalTime(v); return err },
			"Date": func(v any) error { _, err := scalar.UnmarshalDate(v); return err },
		},
		Readers: map[string]func([]byte) (any, bool){
			"[FacePointInput]": func(json []byte) (any, bool) { return scalar.ReadLandmarks(json) },
		},
	})
}

// Server returns the one executor. It answers /graphql, and whatever doors
// (transports) it is given besides.
func (r *Resolver) Server(doors ...graphql.Transport) *handler.Server {
	r.callers.Watch(r.DB)
	schema := r.Schema()
	srv := handler.New(schema)
	for _, d := range doors {
		srv.AddTransport(d)
	}
	graphqlhttp.New(schema.Schema(), InputTypes(schema.Schema()), r.Admit).Install(srv, r.mayIntrospect)
	srv.SetErrorPresenter(graphqlhttp.Presenter(r.classify))
	srv.SetRecoverFunc(graphqlhttp.Recover(r.Log))

	// As an operation passes them:
	srv.AroundOperations(r.withClient)
	srv.AroundOperations(r.authenticate)
	srv.AroundOperations(aloneWithoutTransaction)
	srv.AroundOperations(r.admit)
	srv.AroundOperations(r.noteDenied)
	srv.AroundOperations(r.validated)
	srv.AroundOperations(r.claimKey)
	srv.AroundOperations(r.retry)
	srv.Use(entgql.Transactioner{TxOpener: entgql.TxOpenerFunc(r.openTx), SkipTxFunc: skipsTransaction})
	srv.AroundResponses(r.remember)
	if !r.FieldByField {
		srv.AroundFields(compiler(schema.Schema()).AroundFields)
	}
	return srv
}

// withClient gives resolvers the database; a transaction takes its place.
func (r *Resolver) withClient(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	return next(ent.NewContext(ctx, r.DB))
}

// mayIntrospect reports whether the schema is shown to the caller. It is asked
// before the caller is known, so it finds that out itself.
func (r *Resolver) mayIntrospect(ctx context.Context) bool {
	if r.Introspection {
		return true
	}
	ctx = viewer.System(ent.NewContext(ctx, r.DB))
	all, err := r.claims(ctx, []token.Kind{token.Access}, false)
	if err != nil {
		return false
	}
	c := all[token.Access]
	return c.reason == valid && c.Viewer.Scope("developer", "read") == viewer.All
}

// classify gives errors of the database and of policies their code. What it
// does not know is logged once, here, and shown as INTERNAL.
func (r *Resolver) classify(ctx context.Context, err error) error {
	switch {
	case ent.IsNotFound(err):
		return errs.New(errs.NotFound, nil)
	case errors.Is(err, privacy.Deny):
		return &errs.Error{Code: errs.Forbidden, Err: err}
	case database.Away(err), database.Retryable(err):
		r.Log.WarnContext(ctx, "database gave up", "error", err)
		return &errs.Error{Code: errs.Unavailable, Err: err}
	case ent.IsConstraintError(err):
		return &errs.Error{Code: errs.Conflict, Err: err}
	case ent.IsValidationError(err):
		return &errs.Error{Code: errs.Invalid, Err: err}
	}
	r.Log.ErrorContext(ctx, "operation failed", "operation", operationName(ctx), "error", err)
	return &errs.Error{Err: err}
}

func operationName(ctx context.Context) string {
	if oc := graphql.GetOperationContext(ctx); oc != nil && oc.Operation != nil {
		return oc.Operation.Name
	}
	return ""
}

// failed answers an operation with an error before any of its fields ran.
func (r *Resolver) failed(ctx context.Context, err error) graphql.ResponseHandler {
	return graphql.OneShot(&graphql.Response{Errors: gqlerror.List{r.present(ctx, err)}})
}

func (r *Resolver) present(ctx context.Context, err error) *gqlerror.Error {
	return graphqlhttp.Presenter(r.classify)(ctx, err)
}
