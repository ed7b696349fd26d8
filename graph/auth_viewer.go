package graph

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"workforce/ent"
	"workforce/ent/business"
	"workforce/internal/request"
	"workforce/internal/viewer"
)

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
