package credential

import (
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

// teamOf returns the businesses that a viewer manages, and all below them, sorted;
// none for one whose permissions do not ask for a team.
func teamOf(businesses []int, permissions []string) []int {
	isTeam := func(p string) bool { return strings.HasSuffix(p, ".team") }
	if !slices.ContainsFunc(permissions, isTeam) {
		return nil
	}
	slices.Sort(businesses)
	return slices.Clip(businesses)
}
