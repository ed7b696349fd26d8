package graph

import (
	"context"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/ent"
	"workforce/graph/identity"
	"workforce/internal/errs"
	"workforce/internal/token"
	"workforce/internal/viewer"
)

// Why a token does not count. The zero value is that it does.
const (
	valid   = identity.Valid
	missing = "missing"
	invalid = "invalid"
	expired = identity.Expired
	revoked = identity.Revoked
)

// A claim is what the request's token of one kind stands for.
type claim struct {
	kind               token.Kind
	reason             string // why it does not count
	*identity.Identity        // nil where nobody knows the token
}

// known reports whether there is or was such a token.
func (c *claim) known() bool { return c.Identity != nil }

// err is the error of a claim that does not count.
func (c *claim) err() error {
	return errs.New(errs.Unauthenticated, errs.Meta{"token": c.kind.Name(), "reason": c.reason})
}

// claims are what the tokens of one request stand for, by kind, as far as its
// operation needs them.
type claims map[token.Kind]*claim

type claimsKey struct{}

// claimOf returns what the request's token of a kind stands for.
func claimOf(ctx context.Context, kind token.Kind) *claim {
	all, _ := ctx.Value(claimsKey{}).(claims)
	if c := all[kind]; c != nil {
		return c
	}
	return &claim{kind: kind, reason: missing}
}

// authenticate finds out who calls, before any transaction, where Admit has not
// done so already. The version gate is asked again: the variables may name the
// platform.
func (r *Resolver) authenticate(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	all, known := ctx.Value(claimsKey{}).(claims)
	if known {
		if err := r.Gate.Admit(ctx, platform(ctx, all)); err != nil {
			return r.failed(ctx, err)
		}
		return next(ctx)
	}
	ctx, err := r.identify(ctx)
	if err != nil {
		return r.failed(ctx, err)
	}
	return next(ctx)
}

// identify puts what the request's tokens stand for, and the viewer, into the
// context. From then on errors are localized in the caller's language. It fails
// with UPGRADE_REQUIRED where the version gate does not let the app pass.
func (r *Resolver) identify(ctx context.Context) (context.Context, error) {
	oc := graphql.GetOperationContext(ctx)
	all, err := r.claims(viewer.System(ctx), r.needed(oc), judgedAnew(oc))
	if err != nil {
		return ctx, err
	}
	ctx = context.WithValue(ctx, claimsKey{}, all)
	if c := all[token.Access]; c != nil && c.reason == valid {
		me := c.Viewer
		ctx = viewer.NewContext(ctx, &me)
	}
	speak(ctx, all)
	ctx = r.trail(ctx, all)
	return ctx, r.Gate.Admit(ctx, platform(ctx, all))
}

// Admit implements operation.Check: it fails with the error of a token, of the
// version gate or of the database. Fields that @skip or @include may leave out
// are checked when the variables are known.
func (r *Resolver) Admit(ctx context.Context, oc *graphql.OperationContext) (context.Context, gqlerror.List) {
	ctx, err := r.identify(graphql.WithOperationContext(ent.NewContext(ctx, r.DB), oc))
	if err != nil {
		return ctx, gqlerror.List{r.present(ctx, err)}
	}
	if err := mixesTransactions(oc.Operation); err != nil {
		return ctx, gqlerror.List{err}
	}
	var denied gqlerror.List
	seen := map[string]bool{} // by alias
	for _, f := range unconditional(oc.Operation.SelectionSet, map[string]bool{}) {
		if err := takes(f.Definition).check(ctx); err != nil && !seen[f.Alias] {
			seen[f.Alias] = true
			denied = append(denied, r.present(ctx, gqlerror.WrapPath(ast.Path{ast.PathName(f.Alias)}, err)))
		}
	}
	return ctx, denied
}

// unconditional returns the fields of an operation's own selection, those of
// fragments included, without what has directives; seen holds the fragments that
// were visited.
func unconditional(set ast.SelectionSet, seen map[string]bool) (fields []*ast.Field) {
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			if len(s.Directives) == 0 {
				fields = append(fields, s)
			}
		case *ast.InlineFragment:
			if len(s.Directives) == 0 {
				fields = append(fields, unconditional(s.SelectionSet, seen)...)
			}
		case *ast.FragmentSpread:
			if len(s.Directives) == 0 && !seen[s.Name] {
				seen[s.Name] = true
				fields = append(fields, unconditional(s.Definition.SelectionSet, seen)...)
			}
		}
	}
	return fields
}

var everyKind = []token.Kind{token.Access, token.User, token.Refresh, token.Device}

// needed returns the kinds of token that the operation's root fields take; all
// kinds where the version gate asks whose device it is.
func (r *Resolver) needed(oc *graphql.OperationContext) []token.Kind {
	if r.gated(oc) {
		return everyKind
	}
	var kinds []token.Kind
	for _, f := range rootFields(oc.Operation.SelectionSet) {
		kinds = append(kinds, takes(f.Definition).kinds...)
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// judgedAnew reports whether an operation is one that ends, spends or replaces
// tokens, or takes one that is good for nothing else. It is never judged by what
// was known a moment ago.
func judgedAnew(oc *graphql.OperationContext) bool {
	other := func(k token.Kind) bool { return k != token.Access }
	return slices.ContainsFunc(rootFields(oc.Operation.SelectionSet), func(f *ast.Field) bool {
		return f.Name == "changePassword" || slices.ContainsFunc(takes(f.Definition).kinds, other)
	})
}

func (r *Resolver) gated(oc *graphql.OperationContext) bool {
	return r.Gate.Set() && oc.Headers.Get("X-App-Version") != ""
}
