// Package executor wires gqlgen's executor: authentication, authorization, the
// response cache, idempotency, transactions with retries, and compiled plans. Both
// APIs run on it.
package executor

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"entgo.io/ent/dialect/sql/sqlgraph"
	"entgo.io/ent/privacy"
	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/ent"
	"workforce/internal/app/audit"
	"workforce/internal/app/auth/credential"
	"workforce/internal/app/live"
	"workforce/internal/app/ratelimit"
	"workforce/internal/authentication"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/graphqlhttp"
	"workforce/internal/operation"
	"workforce/internal/request"
	"workforce/internal/rootfield"
	"workforce/internal/sealed"
	"workforce/internal/token"
	"workforce/internal/variables"
	"workforce/internal/viewer"
)

// Config holds what the executor needs.
type Config struct {
	DB         *ent.Client
	Dialect    string // of the database, as ent names it
	Log        *slog.Logger
	Now        func() time.Time
	RequestKey *sealed.Derived // of the fingerprints of requests

	Fields        rootfield.Fields // facts about the schema's root fields
	Authenticator *authentication.Authenticator
	Audit         *audit.Recorder
	Limiter       *ratelimit.Limiter
	Responses     *ResponseCache // nil caches nothing
	Lanes         Lanes

	Hashes        graphqlhttp.Hashes // documents that clients name by their hash
	Introspection bool               // for everybody, not just those with developer.read.all
	Types         *variables.Types   // of the variables

	AroundRootFields graphql.RootFieldMiddleware // nil for none
	AroundFields     []graphql.FieldMiddleware   // compiled plans and the like; without, every list is answered field by field

	Live         *live.Service                         // nil has no subscriptions
	Origin       func(*http.Request) bool              // whether a page of the request's Origin may listen; nil: each may
	AroundEvents func(context.Context) context.Context // of the context in which an event is shown; may be nil

	Known map[string]bool // texts of documents whose operations logs and metrics name; those of others are request.Other
	// Ended is called at the end of each operation; may be nil.
	Ended func(op request.Operation, took time.Duration)
	// Called is called for each root field of an operation that ended, with request.Succeeded or the
	// code of its error; of queries for errors alone. It may be nil.
	Called func(ctx context.Context, field, outcome string)
}

// An Executor runs operations.
type Executor struct {
	Config
	schema graphql.ExecutableSchema
	leases leases
}

// ClaimsInProgress returns how many requests run under an Idempotency-Key.
func (e *Executor) ClaimsInProgress() int { return e.leases.count() }

// New returns the executor of a schema.
func New(schema graphql.ExecutableSchema, c Config) *Executor {
	return &Executor{Config: c, schema: schema}
}

// Server returns the handler of /graphql, and of the other transports that it is
// given.
func (e *Executor) Server(transports ...graphql.Transport) *handler.Server {
	c, srv := e.Config, handler.New(e.schema)
	for _, t := range transports {
		srv.AddTransport(t)
	}
	api := graphqlhttp.New(e.schema.Schema(), c.Types, e.Check, e.Admit)
	api.End = e.End
	api.Hashes = c.Hashes
	api.Hashes.Free = developer
	if c.Live != nil {
		api.Streams = streams{e}
	}
	api.Install(srv, e.MayIntrospect)
	srv.SetErrorPresenter(graphqlhttp.Presenter(e.classify))
	srv.SetRecoverFunc(graphqlhttp.Recover(c.Log))

	// In the order in which an operation passes them:
	srv.AroundOperations(e.observe)
	srv.AroundOperations(e.withClient)
	srv.AroundOperations(e.authenticate)
	srv.AroundOperations(e.recordDenied)
	srv.AroundOperations(e.authorize)
	srv.AroundOperations(e.cache)
	srv.AroundOperations(e.claimKey)
	srv.AroundOperations(e.retry)
	srv.Use(transactions{open: e.openTx, own: e.Fields.OwnTransactions})
	srv.AroundResponses(e.dedupe)
	srv.AroundResponses(e.recordLooks)
	srv.AroundResponses(operation.BoundAnswer)
	srv.AroundRootFields(e.limit)
	if c.AroundRootFields != nil {
		srv.AroundRootFields(c.AroundRootFields)
	}
	for _, f := range c.AroundFields {
		srv.AroundFields(f)
	}
	return srv
}

// Check implements operation.Check: it fails where mutations must not run together,
// and with the error of a token, of the version gate or of the database.
func (e *Executor) Check(ctx context.Context, oc *graphql.OperationContext) (context.Context, gqlerror.List) {
	ctx = e.begin(ctx, oc)
	denied := e.check(ctx, oc)
	if len(denied) > 0 {
		e.ended(ctx, oc, denied)
		e.End(ctx)
	}
	return ctx, denied
}

func (e *Executor) check(ctx context.Context, oc *graphql.OperationContext) gqlerror.List {
	if err := e.mixesTransactions(oc.Operation); err != nil {
		return gqlerror.List{err}
	}
	denied := e.Authenticator.Check(ctx, oc.Operation)
	for i, err := range denied {
		denied[i] = e.present(ctx, err)
	}
	return denied
}

// withClient gives resolvers the database; a transaction takes its place.
func (e *Executor) withClient(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	return next(ent.NewContext(ctx, e.DB))
}

// MayIntrospect reports whether the schema is shown to the caller.
func (e *Executor) MayIntrospect(ctx context.Context) bool {
	return e.Introspection || developer(ctx)
}

// developer reports whether the caller has developer.read.all.
func developer(ctx context.Context) bool {
	c := credential.From(ctx, token.Access)
	return c.Reason == credential.Valid && c.Viewer.Scope("developer", "read") == viewer.All
}

// classify is Classify with the executor's log.
func (e *Executor) classify(ctx context.Context, err error) error {
	return Classify(ctx, e.Log, err)
}

// Classify gives errors of the database and of policies their code, and UNAVAILABLE
// to what failed after the end of ctx. Any other is logged, with the operation of
// ctx, and becomes INTERNAL.
func Classify(ctx context.Context, log *slog.Logger, err error) error {
	switch {
	case ent.IsNotFound(err):
		return errs.New(errs.NotFound, nil)
	case errors.Is(err, privacy.Deny):
		return &errs.Error{Code: errs.Forbidden, Err: err}
	case database.Away(err), database.Retryable(err):
		log.WarnContext(ctx, "database gave up", "error", err)
		return &errs.Error{Code: errs.Unavailable, Err: err}
	case ent.IsConstraintError(err):
		reason := errs.ChangedMeanwhile // a row that this refers to has gone, or one has come that refers to this
		if sqlgraph.IsUniqueConstraintError(err) {
			reason = errs.Duplicate
		}
		return errs.Conflicts(reason, "", nil).Wrap(err)
	case ent.IsValidationError(err):
		return &errs.Error{Code: errs.Invalid, Err: err}
	case ctx.Err() != nil: // the transaction ended with the context, which databases report in many ways
		log.WarnContext(ctx, "out of time", "operation", operationName(ctx), "error", err)
		return &errs.Error{Code: errs.Unavailable, Err: err}
	}
	log.ErrorContext(ctx, "operation failed", "operation", operationName(ctx), "error", err)
	return &errs.Error{Err: err}
}

func operationName(ctx context.Context) string {
	if graphql.HasOperationContext(ctx) {
		if oc := graphql.GetOperationContext(ctx); oc.Operation != nil {
			return oc.Operation.Name
		}
	}
	return ""
}

// failed answers an operation with an error before any of its fields runs.
func (e *Executor) failed(ctx context.Context, err error) graphql.ResponseHandler {
	return graphql.OneShot(&graphql.Response{Errors: gqlerror.List{e.present(ctx, err)}})
}

func (e *Executor) present(ctx context.Context, err error) *gqlerror.Error {
	return graphqlhttp.Presenter(e.classify)(ctx, err)
}
