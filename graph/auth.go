package graph

import (
	"context"
	"slices"

	"github.com/99designs/gqlgen/graphql"

	"workforce/ent"
	"workforce/internal/errs"
	"workforce/internal/token"
	"workforce/internal/viewer"
)

// Why a token does not count. The zero value is that it does.
const (
	valid   = ""
	missing = "missing"
	invalid = "invalid"
	expired = "expired"
	revoked = "revoked"
)

// A claim is what the request's token of one kind stands for.
type claim struct {
	kind    token.Kind
	reason  string       // why it does not count
	token   *ent.Token   // with its session, that one's user and device; nil for a device token
	session *ent.Session // the token's
	device  *ent.Device  // of the token, or its session's
}

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

// authenticate finds out who calls: once an operation, before any transaction.
func (r *Resolver) authenticate(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	ctx, err := r.identify(ctx)
	if err != nil {
		return r.failed(ctx, err)
	}
	return next(ctx)
}

// identify puts what the request's tokens stand for, and the viewer, into the
// context. From then on errors are worded in the caller's language. It fails
// with UPGRADE_REQUIRED where the version gate does not let the app pass.
func (r *Resolver) identify(ctx context.Context) (context.Context, error) {
	all := claims{}
	for _, kind := range r.needed(graphql.GetOperationContext(ctx)) {
		c, err := r.claim(viewer.System(ctx), kind)
		if err != nil {
			return ctx, err
		}
		all[kind] = c
	}
	ctx = context.WithValue(ctx, claimsKey{}, all)
	if c := all[token.Access]; c != nil && c.reason == valid {
		v, err := r.viewer(viewer.System(ctx), c)
		if err != nil {
			return ctx, err
		}
		ctx = viewer.NewContext(ctx, v)
	}
	speak(ctx, all)
	ctx = r.trail(ctx, all)
	return ctx, r.Gate.Admit(ctx, platform(ctx, all))
}

// Admit is asked about an operation whose request cannot be read. It returns
// what goes before that: the error of a token, of the version gate or of the
// database, if there is one. From then on errors are worded in the caller's
// language.
func (r *Resolver) Admit(ctx context.Context, oc *graphql.OperationContext) error {
	ctx, err := r.identify(graphql.WithOperationContext(ent.NewContext(ctx, r.DB), oc))
	if err != nil {
		return r.present(ctx, err)
	}
	for _, f := range rootFields(oc.Operation.SelectionSet) {
		if err := takes(f.Definition).check(ctx); err != nil {
			return err
		}
	}
	return nil
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

func (r *Resolver) gated(oc *graphql.OperationContext) bool {
	return r.Gate.Set() && oc.Headers.Get("X-App-Version") != ""
}
