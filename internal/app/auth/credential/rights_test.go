package credential

import (
	"slices"
	"testing"

	"workforce/ent"
	"workforce/internal/token"
	"workforce/internal/viewer"
)

func TestPermissions(t *testing.T) {
	employee := viewer.Employee
	builtin := &ent.Role{Builtin: &employee, CustomPermissions: []string{"audit.read.all"}}
	custom := func(permissions ...string) *ent.Role { return &ent.Role{CustomPermissions: permissions} }
	tests := []struct {
		name  string
		roles []*ent.Role
		want  []string
	}{
		{"none", nil, []string{}},
		{"a built-in role", []*ent.Role{builtin}, viewer.Permissions(employee)},
		{"the union, sorted, each once", []*ent.Role{custom("user.read.all", "audit.read.all"), custom(), custom("task.read.own", "user.read.all")},
			[]string{"audit.read.all", "task.read.own", "user.read.all"}},
	}
	for _, tt := range tests {
		if got := Permissions(tt.roles); got == nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestTeamOf(t *testing.T) {
	for _, tt := range []struct {
		name        string
		businesses  []int
		permissions []string
		want        []int
	}{
		{"none", nil, []string{"task.read.team"}, nil},
		{"sorted", []int{3, 1, 2}, []string{"task.read.own", "task.read.team"}, []int{1, 2, 3}},
		{"no permission for a team", []int{3, 1}, []string{"task.read.all", "task.read.own"}, nil},
	} {
		if got := teamOf(tt.businesses, tt.permissions); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestParse(t *testing.T) {
	kinds := []token.Kind{token.Access, token.Refresh, token.User, token.Device}
	for _, is := range kinds {
		text := token.Derive([]byte("key"), is, []byte("family"), 1).Text()
		for _, wanted := range kinds {
			got := Parse(wanted, text)
			if got.Kind != wanted || got.OK != (is == wanted) || got.OK && got.Hash != token.Hash(text) {
				t.Errorf("a token of kind %s as %s: %+v", is, wanted, got)
			}
		}
	}
	for _, text := range []string{"", "wfa_", "garbage"} {
		if got := Parse(token.Access, text); got != (Sent{Kind: token.Access}) {
			t.Errorf("%q: %+v", text, got)
		}
	}
}
