package credential

import (
	"context"

	"workforce/internal/errs"
	"workforce/internal/token"
	"workforce/internal/viewer"
)

// A Credential is the token of one kind that a request was sent with.
type Credential struct {
	Kind      token.Kind
	Reason    Reason // why it is not valid
	Sent      Sent
	Bearer    bool // it came as the bearer value, not in the kind's own header
	*Identity      // nil where the token is unknown
}

// Known reports whether the token exists or existed.
func (c *Credential) Known() bool { return c.Identity != nil }

// Err returns UNAUTHENTICATED for a credential that is not valid.
func (c *Credential) Err() error { return Unauthenticated(c.Kind, c.Reason) }

// Unauthenticated returns the error of a token that is not valid.
func Unauthenticated(kind token.Kind, reason Reason) error {
	return errs.New(errs.Unauthenticated, errs.Meta{"token": kind.Name(), "reason": string(reason)})
}

// Credentials are the tokens of one request, by kind.
type Credentials map[token.Kind]*Credential

// Get returns the credential of a kind; one that is Missing where the request has
// none.
func (all Credentials) Get(kind token.Kind) *Credential {
	if c := all[kind]; c != nil {
		return c
	}
	return &Credential{Kind: kind, Reason: Missing}
}

// A Lookup is what was found out about the tokens of one request.
type Lookup struct {
	Header      map[string][]string // that the tokens came in; nil where no more are looked up
	Credentials Credentials
	Viewer      *viewer.Viewer // of a valid access token; nobody else's is filled in
	Cached      bool           // at least one identity came from the cache
	Err         error          // of the database
}

type contextKey struct{}

// NewContext returns the context of a request.
func NewContext(ctx context.Context, l *Lookup) context.Context {
	return context.WithValue(ctx, contextKey{}, l)
}

// LookupFrom returns what was found out about the tokens of the request of ctx; an empty
// lookup where nobody looked.
func LookupFrom(ctx context.Context) *Lookup {
	if l, ok := ctx.Value(contextKey{}).(*Lookup); ok {
		return l
	}
	return &Lookup{}
}

// From returns the request's credential of a kind.
func From(ctx context.Context, kind token.Kind) *Credential {
	return LookupFrom(ctx).Credentials.Get(kind)
}
