// Package authentication finds out who sends a request, from its headers and
// before its body is read.
package authentication

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/ent"
	"workforce/ent/apikey"
	"workforce/ent/device"
	"workforce/internal/app/auth/credential"
	"workforce/internal/app/tx"
	"workforce/internal/appversion"
	"workforce/internal/audittrail"
	"workforce/internal/request"
	"workforce/internal/rootfield"
	"workforce/internal/token"
	"workforce/internal/viewer"
)

// An Authenticator looks up the tokens of requests.
type Authenticator struct {
	DB    *ent.Client
	Now   func() time.Time
	Cache *credential.Cache
	Gate  appversion.Gate

	Fields rootfield.Fields // of the schema

	uses sync.Map // when an API key, by its id, was last said to be used
}

// allKinds lists the kinds of token. Where several tell the language or the
// platform, the first does.
var allKinds = []token.Kind{token.Access, token.User, token.Refresh, token.Device}

var onlyAccess = []token.Kind{token.Access}

// Wrap returns a handler that looks up the tokens of a request and puts the
// credentials, the viewer and the audit trail into its context. needs returns the
// tokens that the operation of a request may use; false where only the body tells.
// Whether they are enough is decided later, by Check: next runs in any case.
func (a *Authenticator) Wrap(next http.Handler, needs func(*http.Request) (rootfield.Needs, bool)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, known := needs(r)
		switch {
		case a.gated(r.Header):
			n.Kinds = allKinds
		case !known && len(sentAs(token.Access, r.Header)) > 0:
			n.Kinds = onlyAccess // Check looks up others where the operation takes them
		case !known:
			n.Kinds = allKinds
		}
		next.ServeHTTP(w, r.WithContext(a.identify(r.Context(), r.Header, n)))
	})
}

// newLookup returns the lookup of a request before anything is found out.
func newLookup(h http.Header) *credential.Lookup {
	return &credential.Lookup{Header: h, Credentials: credential.Credentials{}, Viewer: &viewer.Viewer{}}
}

// identify looks up the tokens of some kinds and returns the context of the
// request. From then on errors are in the caller's language.
func (a *Authenticator) identify(ctx context.Context, h http.Header, n rootfield.Needs) context.Context {
	l := newLookup(h)
	ctx = credential.NewContext(ctx, l)
	if n.Widget != "" {
		n.Kinds = append(slices.Clone(n.Kinds), token.Widget)
	}
	a.read(ctx, l, n.Kinds, n.Fresh)
	a.admitWidget(l, n.Widget)
	if c := l.Credentials[token.Access]; c != nil && c.Reason == credential.Valid {
		ctx = viewer.NewContext(ctx, l.Viewer)
	}
	setLanguage(ctx, l.Credentials)
	return audittrail.NewContext(ctx, a.trail(ctx, l.Credentials))
}

// admitWidget has the token of a widget stand for an access token, where the operation is that of
// the widget. Without either, the caller is told of the one that was sent.
func (a *Authenticator) admitWidget(l *credential.Lookup, name string) {
	c := l.Credentials[token.Widget]
	if c == nil || c.Reason == credential.Missing || l.Credentials.Get(token.Access).Reason == credential.Valid {
		return
	}
	if c.Known() && c.Widget.Name != name {
		c.Reason = credential.Invalid
	}
	l.Credentials[token.Access] = c
	if c.Reason == credential.Valid {
		*l.Viewer = c.Viewer
	}
}

// Access looks up the access token of the holder of a connection. UNAUTHENTICATED where
// it is not valid.
func (a *Authenticator) Access(ctx context.Context, h http.Header) (*credential.Credential, error) {
	l := newLookup(h)
	a.read(ctx, l, onlyAccess, false)
	if l.Err != nil {
		return nil, l.Err
	}
	c := l.Credentials.Get(token.Access)
	if c.Reason != credential.Valid {
		return nil, c.Err()
	}
	return c, nil
}

// As returns the context of an operation of the holder of an access token that was
// looked up already.
func (a *Authenticator) As(ctx context.Context, c *credential.Credential) context.Context {
	all := credential.Credentials{token.Access: c}
	v := c.Viewer
	ctx = credential.NewContext(ctx, &credential.Lookup{Credentials: all, Viewer: &v})
	if c.Reason == credential.Valid {
		ctx = viewer.NewContext(ctx, &v)
	}
	setLanguage(ctx, all)
	return ctx
}

// read fills in the credentials of some kinds, with one statement at most.
func (a *Authenticator) read(ctx context.Context, l *credential.Lookup, kinds []token.Kind, fresh bool) {
	if slices.Contains(kinds, token.Access) {
		kinds = append(slices.Clone(kinds), token.Key)
	}
	ctx = viewer.System(ent.NewContext(ctx, a.DB))
	var sent []sentToken
	var tokens []credential.Sent
	for _, kind := range kinds {
		for _, s := range sentAs(kind, http.Header(l.Header)) {
			sent, tokens = append(sent, s), append(tokens, s.Sent)
		}
	}
	known, cached, err := a.Cache.Get(ctx, a.DB, tokens, a.Now(), fresh)
	l.Cached, l.Err = cached, err
	if err != nil {
		return
	}
	for _, kind := range kinds {
		c, err := a.choose(ctx, kind, sent, known)
		if err != nil {
			l.Err = err
			return
		}
		l.Credentials[kind] = c
	}
	if c := l.Credentials[token.Key]; c != nil && c.Sent.OK && l.Credentials[token.Access].Reason != credential.Valid {
		l.Credentials[token.Access] = c // a program's, which is asked for in the same way
		if c.Reason == credential.Valid {
			a.used(ctx, c)
		}
	}
	if session, ok := person(l.Credentials); ok {
		info := request.From(ctx)
		info.UserID, info.CompanyID = session.UserID, session.CompanyID
	}
	if c := l.Credentials[token.Access]; c != nil && c.Reason == credential.Valid {
		*l.Viewer = c.Viewer
	}
}

// used keeps when and from where an API key was used, to the minute. The request goes on where that fails.
func (a *Authenticator) used(ctx context.Context, c *credential.Credential) {
	now := a.Now()
	last, known := a.uses.Load(c.Token.ID)
	if known && now.Sub(last.(time.Time)) < time.Minute {
		return
	}
	a.uses.Store(c.Token.ID, now)
	err := a.DB.APIKey.Update().
		Where(apikey.ID(c.Token.ID), apikey.Or(apikey.LastUsedAtIsNil(), apikey.LastUsedAtLTE(now.Add(-time.Minute)))).
		SetLastUsedAt(now).SetLastAddress(request.From(ctx).Addr.WithZone("").String()).Exec(ctx)
	if err != nil {
		a.uses.Delete(c.Token.ID) // the next request tries again
	}
}

// choose returns the first valid token of a kind; without one, the first that was
// sent: the reason is that of the kind's own header, else of the bearer value.
func (a *Authenticator) choose(ctx context.Context, kind token.Kind, sent []sentToken, known map[credential.Digest]*credential.Identity) (*credential.Credential, error) {
	var first *credential.Credential
	for _, s := range sent {
		if s.Kind != kind {
			continue
		}
		c, err := a.check(ctx, s, known[s.Hash])
		if err != nil || c.Reason == credential.Valid {
			return c, err
		}
		first = cmp.Or(first, c)
	}
	return cmp.Or(first, &credential.Credential{Kind: kind, Reason: credential.Missing}), nil
}

// check decides whether a token is valid now. The first use of a device's new
// token ends the one before it.
func (a *Authenticator) check(ctx context.Context, s sentToken, i *credential.Identity) (*credential.Credential, error) {
	c := &credential.Credential{Kind: s.Kind, Sent: s.Sent, Bearer: s.bearer, Reason: credential.Invalid}
	if i == nil || i.Kind != s.Kind {
		return c, nil
	}
	c.Identity, c.Reason = i, i.Check(a.Now())
	if c.Reason != credential.Valid || !i.Device.Next {
		return c, nil
	}
	return c, a.activate(ctx, i.Device.ID, s.Hash[:])
}

// activate has a device's next token take over. The one before it is revoked.
func (a *Authenticator) activate(ctx context.Context, id int, hash []byte) error {
	return tx.Run(ctx, a.DB, func(ctx context.Context) error {
		db := ent.FromContext(ctx)
		d, err := db.Device.Get(ctx, id)
		if err != nil {
			return err
		}
		n, err := db.Device.Update().Where(device.ID(id), device.NextTokenHash(hash)).
			SetTokenHash(hash).ClearNextTokenHash().Save(ctx)
		if err != nil || n == 0 { // another request did so
			return err
		}
		return db.FormerDeviceToken.Create().SetHash(d.TokenHash).SetDeviceID(id).SetReplacedAt(a.Now()).Exec(ctx)
	})
}

// setLanguage settles the language where the headers ask for none: the user's,
// else their company's.
func setLanguage(ctx context.Context, all credential.Credentials) {
	info := request.From(ctx)
	if info.Language != "" {
		return
	}
	for _, kind := range allKinds {
		if c := all[kind]; c != nil && c.Known() && kind != token.Device {
			info.Language = c.Locale
			return
		}
	}
}

// trail attributes what the request does to it and to the user of its tokens.
func (a *Authenticator) trail(ctx context.Context, all credential.Credentials) audittrail.Trail {
	info := request.From(ctx)
	t := audittrail.Trail{Address: info.Addr.WithZone("").String(), RequestID: info.ID, Now: a.Now}
	if session, ok := person(all); ok {
		t.ActorID, t.CompanyID = session.UserID, session.CompanyID
		if c := all[token.Key]; c != nil && c == all[token.Access] && c.Known() {
			t.KeyID = c.Token.ID
		}
	}
	return t
}

// person returns the session of the first token that says who sends a request. An
// expired one does too.
func person(all credential.Credentials) (credential.Session, bool) {
	for _, kind := range []token.Kind{token.Access, token.Refresh, token.User, token.Widget} {
		c := all[kind]
		if c != nil && c.Known() && (c.Reason == credential.Valid || c.Reason == credential.Expired) {
			return c.Session, true
		}
	}
	return credential.Session{}, false
}

// gated reports whether the version of the app that sent a request matters.
func (a *Authenticator) gated(h http.Header) bool {
	return a.Gate.Set() && h.Get("X-App-Version") != ""
}

// platform returns that of the device which any of the request's tokens names;
// "" for none.
func platform(all credential.Credentials) string {
	for _, kind := range allKinds {
		if c := all[kind]; c != nil && c.Known() {
			return c.Device.Platform
		}
	}
	return ""
}

// Check returns nil where the request of ctx has the tokens that the root fields of
// an operation take, except for those that @skip or @include may leave out. Else it
// returns the error of the database or of the version gate, or one UNAUTHENTICATED
// for each field: an operation runs as a whole or not at all. Transports call it
// when they know the operation, and before they read its variables.
func (a *Authenticator) Check(ctx context.Context, op *ast.OperationDefinition) gqlerror.List {
	l := credential.LookupFrom(ctx)
	if l.Header != nil && l.Err == nil { // what failed already made a context without a viewer
		a.complete(ctx, l, a.Fields.Of(op))
	}
	if l.Err != nil {
		return gqlerror.List{gqlerror.Wrap(l.Err)}
	}
	if err := a.Gate.Admit(ctx, platform(l.Credentials)); err != nil {
		return gqlerror.List{gqlerror.Wrap(err)}
	}
	var denied gqlerror.List
	for _, f := range rootfield.Unconditional(op.SelectionSet) {
		known := a.Fields[f.Name]
		if known == nil || slices.ContainsFunc(denied, func(e *gqlerror.Error) bool { return e.Path[0] == ast.PathName(f.Alias) }) {
			continue
		}
		if err := missing(l.Credentials, known.Token); err != nil {
			denied = append(denied, gqlerror.WrapPath(ast.Path{ast.PathName(f.Alias)}, err))
		}
	}
	return denied
}

// complete looks up the tokens that fields take and that were not looked up yet; all
// of them again where a field takes no cached look-up.
func (a *Authenticator) complete(ctx context.Context, l *credential.Lookup, fields []*rootfield.Field) {
	fresh := slices.ContainsFunc(fields, func(f *rootfield.Field) bool { return f.Token.Fresh })
	var kinds []token.Kind
	for _, f := range fields {
		for _, list := range [...][]token.Kind{f.Token.Kinds, f.Token.Also} {
			for _, kind := range list {
				if (l.Cached && fresh || l.Credentials[kind] == nil) && !slices.Contains(kinds, kind) {
					kinds = append(kinds, kind)
				}
			}
		}
	}
	if len(kinds) > 0 {
		a.read(ctx, l, kinds, fresh)
	}
}

// CheckField returns nil where the request of ctx has the tokens that a root field
// takes.
func (a *Authenticator) CheckField(ctx context.Context, name string) error {
	known := a.Fields[name]
	if known == nil {
		return nil
	}
	l := credential.LookupFrom(ctx)
	return missing(l.Credentials, known.Token)
}

// CheckPlatform refuses a version of the app that is too old for a platform which
// no token names: that of a device that registers.
func (a *Authenticator) CheckPlatform(ctx context.Context, name string) error {
	if platform(credential.LookupFrom(ctx).Credentials) != "" {
		return nil
	}
	return a.Gate.Admit(ctx, name)
}

// missing returns nil where the credentials are what a field takes, else the error
// of the token to blame: the first that is not valid, a missing one last.
func missing(all credential.Credentials, t rootfield.Token) error {
	var bad []*credential.Credential
	for _, kind := range t.Kinds {
		c := all.Get(kind)
		if c.Reason != credential.Valid && !(t.Expired && kind == token.Access && c.Reason == credential.Expired) {
			bad = append(bad, c)
		}
	}
	enough := len(bad) == 0 || !t.All && len(bad) < len(t.Kinds)
	if enough || t.Optional {
		return nil
	}
	for _, c := range bad {
		if c.Reason != credential.Missing {
			return c.Err()
		}
	}
	return bad[0].Err()
}
