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

// TestManaged finds the subtree of a manager whatever the order of the businesses.
func TestManaged(t *testing.T) {
	at := func(id int) *int { return &id }
	team := []string{"task.read.own", "task.read.team"}
	tests := []struct {
		name        string
		permissions []string
		all         []unit
		want        []int
	}{
		{"none", team, []unit{{id: 1}, {id: 2, manager: at(8)}}, nil},
		{"one", team, []unit{{id: 1}, {id: 2, manager: at(7)}}, []int{2}},
		{"all levels below", team, []unit{{id: 1, manager: at(7)}, {id: 2, parent: at(1)}, {id: 3, parent: at(2)}, {id: 4, parent: at(3)}}, []int{1, 2, 3, 4}},
		{"the lowest first", team, []unit{{id: 1, parent: at(2)}, {id: 2, parent: at(3)}, {id: 3, parent: at(4)}, {id: 4, manager: at(7)}}, []int{1, 2, 3, 4}},
		{"not those above or beside", team, []unit{{id: 1}, {id: 2, parent: at(1), manager: at(7)}, {id: 3, parent: at(1)}}, []int{2}},
		{"those of another manager below", team, []unit{{id: 1, manager: at(7)}, {id: 2, parent: at(1), manager: at(8)}}, []int{1, 2}},
		{"two trees", team, []unit{{id: 1, manager: at(7)}, {id: 2}, {id: 3, manager: at(7)}}, []int{1, 3}},
		{"no permission for a team", []string{"task.read.all", "task.read.own"}, []unit{{id: 1, manager: at(7)}}, nil},
	}
	for _, tt := range tests {
		if got := managed(tt.all, viewer.Viewer{UserID: 7, Permissions: tt.permissions}); !slices.Equal(got, tt.want) {
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
