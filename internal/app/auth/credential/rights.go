package credential

import (
	"maps"
	"slices"
	"strings"

	"workforce/ent"
	"workforce/internal/viewer"
)

// Permissions returns what a set of roles may, sorted.
func Permissions(roles []*ent.Role) []string {
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

// A unit is a business, as far as it says who leads whom.
type unit struct {
	id              int
	parent, manager *int
}

// managed returns the businesses that a viewer manages, and all below them;
// none for one whose permissions do not ask for a team.
func managed(all []unit, v viewer.Viewer) []int {
	isTeam := func(p string) bool { return strings.HasSuffix(p, ".team") }
	if !slices.ContainsFunc(v.Permissions, isTeam) {
		return nil
	}
	in := map[int]bool{}
	for grown := true; grown; {
		grown = false
		for _, b := range all {
			mine := b.manager != nil && *b.manager == v.UserID || b.parent != nil && in[*b.parent]
			if mine && !in[b.id] {
				in[b.id], grown = true, true
			}
		}
	}
	return slices.Sorted(maps.Keys(in))
}
