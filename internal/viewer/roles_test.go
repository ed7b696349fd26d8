package viewer

import (
	"slices"
	"testing"
)

func TestIsPermission(t *testing.T) {
	for text, want := range map[string]bool{
		"task.read.own": true, "audit.read.all": true, "correction.approve.team": true,
		"": false, "task": false, "task.read": false, "task.read.": false, "task.read.none": false, "task.delete.own": false,
		"tasks.read.own": false, "task.read.own.": false, "task.read.own.x": false, "TASK.read.own": false, " task.read.own": false,
		".read.own": false, "task..own": false,
	} {
		if got := IsPermission(text); got != want {
			t.Errorf("IsPermission(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestBuiltinPermissionsGrow(t *testing.T) {
	for i, role := range Builtin {
		p := Permissions(role)
		if len(p) == 0 || !slices.IsSorted(p) || len(slices.Compact(slices.Clone(p))) != len(p) {
			t.Errorf("%s may %q: not sorted, or something twice", role, p)
		}
		for _, text := range p {
			if !IsPermission(text) {
				t.Errorf("%s may %q, which is no permission", role, text)
			}
		}
		for _, weaker := range Builtin[:i] {
			if v := (&Viewer{Permissions: p}); !v.Covers(Permissions(weaker)) {
				t.Errorf("%s does not cover %s", role, weaker)
			}
		}
	}
	if p := Permissions("nobody"); p != nil {
		t.Errorf("an unknown role may %q", p)
	}
}

func TestReserved(t *testing.T) {
	for role, want := range map[string]bool{Employee: false, Supervisor: false, Manager: false, Admin: false, Owner: true} {
		if got := Reserved(Permissions(role)); got != want {
			t.Errorf("%s has reserved permissions: %v, want %v", role, got, want)
		}
	}
	for text, want := range map[string]bool{
		"company.write.all": true, "company.write.own": true, "developer.read.team": true,
		"developer.write.all": true, "company.read.all": false, "organization.write.all": false, "": false,
	} {
		if got := Reserved([]string{"task.read.own", text}); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestCovers(t *testing.T) {
	v := &Viewer{Permissions: []string{"attendance.read.team", "task.read.all", "task.write.own"}}
	for _, tt := range []struct {
		permissions []string
		want        bool
	}{
		{nil, true},
		{[]string{"attendance.read.team"}, true},
		{[]string{"attendance.read.own", "task.read.team", "task.read.all", "task.write.own"}, true},
		{[]string{"attendance.read.all"}, false},
		{[]string{"task.read.own", "task.write.team"}, false},
		{[]string{"task.approve.own"}, false},
		{[]string{"task.read"}, false},
		{[]string{""}, false},
	} {
		if got := v.Covers(tt.permissions); got != tt.want {
			t.Errorf("Covers(%q) = %v, want %v", tt.permissions, got, tt.want)
		}
	}
	if (&Viewer{}).Covers([]string{"task.read.own"}) {
		t.Error("nobody covers a permission")
	}
}
