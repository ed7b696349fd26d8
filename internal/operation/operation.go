// Package operation hands operations whose document and variables were read and
// checked by a transport to gqlgen's executor, which then does neither again.
package operation

import (
	"context"
	"fmt"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/internal/errs"
)

const (
	MaxTokens = 1000             // of a document, comments included
	Timeout   = 10 * time.Second // of one operation
)

// A Check decides whether the caller may ask for an operation, by its definition
// and the request's headers alone. Every transport calls it once for each
// request, as soon as the document is known and before the body's members or the
// variables are read: oc.Variables is nil. The operation runs with the context
// that it returns, which leads back to ctx. Errors are classified and end the
// request.
type Check func(ctx context.Context, oc *graphql.OperationContext) (context.Context, gqlerror.List)

// An Admit lets an operation run, once its bytes are read and before anything is
// made of them; leave ends it. It fails with UNAVAILABLE where the server has too
// much to do. Every transport calls it once for each request, after Check.
type Admit func(ctx context.Context, op *ast.OperationDefinition) (leave func(), err error)

// An End is told that an operation has ended, with the context that its Check returned. Every
// transport calls it once for each operation that Check did not refuse.
type End func(ctx context.Context)

// A Prepared is an operation that is ready to be executed. It is made by New.
type Prepared struct {
	Doc        *ast.QueryDocument
	Definition *ast.OperationDefinition
	Variables  map[string]any // as variables.Types.Read returns them
	Trusted    bool           // the server's own document: exempt from the limits on clients

	bare *ast.QueryDocument // the operation without variables that the executor would check
}

// New prepares an operation of a document that is valid for the executor's
// schema. A copy of the result may be used for each request.
func New(doc *ast.QueryDocument, op *ast.OperationDefinition) Prepared {
	return Prepared{Doc: doc, Definition: op, bare: &ast.QueryDocument{
		Operations: ast.OperationList{{Operation: op.Operation, Name: op.Name}},
	}}
}

type key struct{}

// From returns the operation that is being prepared for the executor, or nil.
func From(ctx context.Context) *Prepared { return stateOf(ctx).prepared }

// state is what a context says of its operation.
type state struct {
	prepared *Prepared // while the executor prepares it
	answer   *Answer   // while it is answered
}

func stateOf(ctx context.Context) state {
	s, _ := ctx.Value(key{}).(state)
	return s
}

// Context returns the operation context that a Check gets.
func (p *Prepared) Context(params *graphql.RawParams) *graphql.OperationContext {
	return &graphql.OperationContext{
		RawQuery: params.Query, OperationName: params.OperationName, Headers: params.Headers,
		Doc: p.Doc, Operation: p.Definition,
	}
}

// Run executes the operation on an executor that has the Extension and a Cache.
// The variables of params are ignored. A nil response means that the context
// ended first.
func (p *Prepared) Run(ctx context.Context, exec graphql.GraphExecutor, params *graphql.RawParams) *graphql.Response {
	oc, refused := exec.CreateOperationContext(context.WithValue(ctx, key{}, state{prepared: p}), params)
	if len(refused) > 0 {
		return &graphql.Response{Errors: refused}
	}
	handler, ctx := exec.DispatchOperation(ctx, oc)
	return handler(ctx)
}

// A Cache is an executor's query cache that finds prepared operations. All other
// documents come from and go to the cache inside it.
type Cache struct {
	graphql.Cache[*ast.QueryDocument]
}

// Get implements graphql.Cache.
func (c Cache) Get(ctx context.Context, text string) (*ast.QueryDocument, bool) {
	if p := From(ctx); p != nil {
		return p.bare, true
	}
	return c.Cache.Get(ctx, text)
}

// Extension makes an executor run prepared operations. It comes before all
// extensions that look at an operation.
type Extension struct{}

var _ interface {
	graphql.HandlerExtension
	graphql.OperationContextMutator
} = Extension{}

// ExtensionName implements graphql.HandlerExtension.
func (Extension) ExtensionName() string { return "Prepared" }

// Validate implements graphql.HandlerExtension.
func (Extension) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext implements graphql.OperationContextMutator.
func (Extension) MutateOperationContext(ctx context.Context, oc *graphql.OperationContext) *gqlerror.Error {
	if p := From(ctx); p != nil {
		Mark(oc, p)
	}
	return nil
}

// trusted is what the statistics of an operation say of its document.
const trusted = "Trusted"

// Mark makes an operation context that of a prepared operation.
func Mark(oc *graphql.OperationContext, p *Prepared) {
	oc.Doc, oc.Operation, oc.Variables = p.Doc, p.Definition, p.Variables
	oc.Stats.SetExtension(trusted, p.Trusted)
}

// IsTrusted reports whether the operation is a document of the server's own: an endpoint.
func IsTrusted(oc *graphql.OperationContext) bool {
	own, _ := oc.Stats.GetExtension(trusted).(bool)
	return own
}

// Recovered returns the error of a panic with v outside of the resolvers. The
// executor's recover function logs it.
func Recovered(ctx context.Context, exec graphql.GraphExecutor, v any) error {
	if e, ok := exec.(interface {
		PresentRecoveredError(ctx context.Context, v any) error
	}); ok {
		return e.PresentRecoveredError(ctx, v)
	}
	return &errs.Error{Err: fmt.Errorf("panic: %v", v)}
}
