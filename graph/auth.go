package graph

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/ent"
	"workforce/ent/business"
	"workforce/ent/device"
	enttoken "workforce/ent/token"
	"workforce/internal/errs"
	"workforce/internal/request"
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

// rootFields returns the fields of an operation's own selection, those of
// fragments included, each fragment once.
func rootFields(set ast.SelectionSet) []*ast.Field {
	var fields []*ast.Field
	seen := map[string]bool{}
	var walk func(ast.SelectionSet)
	walk = func(set ast.SelectionSet) {
		for _, s := range set {
			switch s := s.(type) {
			case *ast.Field:
				fields = append(fields, s)
			case *ast.InlineFragment:
				walk(s.SelectionSet)
			case *ast.FragmentSpread:
				if !seen[s.Name] {
					seen[s.Name] = true
					walk(s.Definition.SelectionSet)
				}
			}
		}
	}
	walk(set)
	return fields
}

// A demand says which tokens a root field takes: the schema's @token.
type demand struct {
	kinds                  []token.Kind
	all, optional, expired bool
}

var kindNames = map[string]token.Kind{
	"ACCESS": token.Access, "REFRESH": token.Refresh, "USER": token.User, "DEVICE": token.Device,
}

// takes reads @token of a root field; without it, that is an access token. The
// schema's own fields (__typename, __schema) take none.
func takes(def *ast.FieldDefinition) demand {
	if def == nil || strings.HasPrefix(def.Name, "__") {
		return demand{}
	}
	d := def.Directives.ForName("token")
	if d == nil {
		return demand{kinds: []token.Kind{token.Access}}
	}
	flag := func(name string) bool {
		a := d.Arguments.ForName(name)
		return a != nil && a.Value.Raw == "true"
	}
	out := demand{all: flag("all"), optional: flag("optional"), expired: flag("expired")}
	for _, k := range d.Arguments.ForName("kinds").Value.Children {
		out.kinds = append(out.kinds, kindNames[k.Value.Raw])
	}
	return out
}

// admit runs an operation when the request has the tokens that its root fields
// take. It runs as a whole or not at all: there is no data without them.
func (r *Resolver) admit(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	oc := graphql.GetOperationContext(ctx)
	var denied gqlerror.List
	for _, f := range graphql.CollectFields(oc, oc.Operation.SelectionSet, []string{"Query", "Mutation"}) {
		if err := takes(f.Definition).check(ctx); err != nil {
			denied = append(denied, r.present(ctx, gqlerror.WrapPath(ast.Path{ast.PathName(f.Alias)}, err)))
		}
	}
	if len(denied) > 0 {
		return graphql.OneShot(&graphql.Response{Errors: denied})
	}
	return next(ctx)
}

// check returns nil where the request has what is needed, else the error of the
// token to blame: the first that does not count, a missing one last.
func (d demand) check(ctx context.Context) error {
	var bad []*claim
	for _, kind := range d.kinds {
		if c := claimOf(ctx, kind); !d.takes(c) {
			bad = append(bad, c)
		}
	}
	enough := len(bad) == 0 || !d.all && len(bad) < len(d.kinds)
	if enough || d.optional {
		return nil
	}
	for _, c := range bad {
		if c.reason != missing {
			return c.err()
		}
	}
	return bad[0].err()
}

// takes reports whether a token is good enough.
func (d demand) takes(c *claim) bool {
	return c.reason == valid || d.expired && c.kind == token.Access && c.reason == expired
}

// headers names the header of each kind of token.
var headers = map[token.Kind]string{
	token.Access: "X-Access-Token", token.Refresh: "X-Refresh-Token", token.User: "X-User-Token", token.Device: "X-Device-Token",
}

// claim looks the request's token of a kind up: its own header first, then the
// bearer value, where a token of another kind is passed over. The reason is
// that of its own header, else of the bearer.
func (r *Resolver) claim(ctx context.Context, kind token.Kind) (*claim, error) {
	h := request.From(ctx).Header
	var first *claim
	try := func(text string) (*claim, error) {
		c, err := r.lookUp(ctx, kind, text)
		if err != nil || c.reason == valid {
			return c, err
		}
		first = cmp.Or(first, c)
		return nil, nil
	}
	if text := h.Get(headers[kind]); text != "" {
		if c, err := try(text); c != nil || err != nil {
			return c, err
		}
	}
	if text, ok := bearer(h.Get("Authorization")); ok {
		if t, err := token.Parse(text); err != nil || t.Kind() == kind {
			if c, err := try(text); c != nil || err != nil {
				return c, err
			}
		}
	}
	return cmp.Or(first, &claim{kind: kind, reason: missing}), nil
}

func bearer(authorization string) (string, bool) {
	scheme, text, ok := strings.Cut(authorization, " ")
	text = strings.TrimSpace(text)
	return text, ok && strings.EqualFold(scheme, "Bearer") && text != ""
}

// lookUp finds out what the text of a token stands for.
func (r *Resolver) lookUp(ctx context.Context, kind token.Kind, text string) (*claim, error) {
	t, err := token.Parse(text)
	if err != nil || t.Kind() != kind {
		return &claim{kind: kind, reason: invalid}, nil
	}
	if kind == token.Device {
		return r.deviceClaim(ctx, t)
	}
	return r.sessionClaim(ctx, t)
}

// deviceClaim looks up a device by its token. The first use of a token that is
// to take over ends the one before it.
func (r *Resolver) deviceClaim(ctx context.Context, t token.Token) (*claim, error) {
	hash := t.Hash()
	db := ent.FromContext(ctx)
	d, err := db.Device.Query().Where(device.Or(device.TokenHash(hash[:]), device.NextTokenHash(hash[:]))).Only(ctx)
	if ent.IsNotFound(err) {
		return &claim{kind: t.Kind(), reason: invalid}, nil
	}
	if err != nil {
		return nil, err
	}
	if d.RevokedAt != nil {
		return &claim{kind: t.Kind(), reason: revoked, device: d}, nil
	}
	if d.NextTokenHash != nil && slices.Equal(*d.NextTokenHash, hash[:]) {
		err := db.Device.Update().Where(device.ID(d.ID), device.NextTokenHash(hash[:])).
			SetTokenHash(hash[:]).ClearNextTokenHash().Exec(ctx)
		if err != nil {
			return nil, err
		}
	}
	return &claim{kind: t.Kind(), device: d}, nil
}

// sessionClaim looks up a user, access or refresh token.
func (r *Resolver) sessionClaim(ctx context.Context, t token.Token) (*claim, error) {
	hash := t.Hash()
	row, err := ent.FromContext(ctx).Token.Query().
		Where(enttoken.Hash(hash[:]), enttoken.KindEQ(enttoken.Kind(t.Kind().Name()))).
		WithSession(func(q *ent.SessionQuery) {
			q.WithDevice().WithUser(func(q *ent.UserQuery) { q.WithCompany().WithRoles() })
		}).Only(ctx)
	if ent.IsNotFound(err) {
		return &claim{kind: t.Kind(), reason: invalid}, nil
	}
	if err != nil {
		return nil, err
	}
	s := row.Edges.Session
	return &claim{kind: t.Kind(), reason: standing(row, r.Now()), token: row, session: s, device: s.Edges.Device}, nil
}

// standing says whether a token counts at an instant. A spent refresh token
// does here: what it is still good for is refreshToken's to say.
func standing(t *ent.Token, now time.Time) string {
	s := t.Edges.Session
	switch {
	case t.RevokedAt != nil, s.RevokedAt != nil, s.Edges.Device.RevokedAt != nil, !s.Edges.User.Active:
		return revoked
	case !now.Before(t.ExpiresAt), s.EndsAt != nil && !now.Before(*s.EndsAt):
		return expired
	}
	return valid
}

// viewer returns who an access token's session makes the caller.
func (r *Resolver) viewer(ctx context.Context, c *claim) (*viewer.Viewer, error) {
	user := c.session.Edges.User
	v := &viewer.Viewer{
		UserID: user.ID, CompanyID: user.CompanyID, SessionID: c.session.ID, DeviceID: c.session.DeviceID,
		Locale: cmp.Or(user.Locale, user.Edges.Company.Locale), Permissions: permissions(user.Edges.Roles),
	}
	isTeam := func(p string) bool { return strings.HasSuffix(p, ".team") }
	if !slices.ContainsFunc(v.Permissions, isTeam) {
		return v, nil
	}
	var err error
	v.Businesses, err = managed(ctx, v)
	return v, err
}

// permissions returns what a set of roles may, sorted.
func permissions(roles []*ent.Role) []string {
	all := []string{}
	for _, r := range roles {
		all = append(all, permissionsOf(r)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func permissionsOf(r *ent.Role) []string {
	if r.Builtin != nil {
		return viewer.Permissions(*r.Builtin)
	}
	return r.CustomPermissions
}

// managed returns the businesses that v manages, and all below them.
func managed(ctx context.Context, v *viewer.Viewer) ([]int, error) {
	all, err := ent.FromContext(ctx).Business.Query().Where(business.CompanyID(v.CompanyID)).
		Select(business.FieldParentID, business.FieldManagerID).All(ctx)
	if err != nil {
		return nil, err
	}
	in := map[int]bool{}
	for grown := true; grown; {
		grown = false
		for _, b := range all {
			mine := b.ManagerID != nil && *b.ManagerID == v.UserID || b.ParentID != nil && in[*b.ParentID]
			if mine && !in[b.ID] {
				in[b.ID], grown = true, true
			}
		}
	}
	ids := make([]int, 0, len(in))
	for id := range in {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids, nil
}

// speak settles the language where the headers ask for none: the user's, else
// their company's.
func speak(ctx context.Context, all claims) {
	info := request.From(ctx)
	if info.Language != "" {
		return
	}
	for _, kind := range everyKind {
		if c := all[kind]; c != nil && c.session != nil {
			user := c.session.Edges.User
			info.Language = cmp.Or(user.Locale, user.Edges.Company.Locale)
			return
		}
	}
}

// platform returns that of the device which any token names, else the one that
// a registration gives.
func platform(ctx context.Context, all claims) string {
	for _, kind := range everyKind {
		if c := all[kind]; c != nil && c.device != nil {
			return string(c.device.Platform)
		}
	}
	oc := graphql.GetOperationContext(ctx)
	for _, f := range rootFields(oc.Operation.SelectionSet) {
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
