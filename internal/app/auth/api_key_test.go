package auth

import (
	"slices"
	"testing"

	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// TestKeyPermissions gives keys what their makers may in the whole company, but for what no key may.
func TestKeyPermissions(t *testing.T) {
	maker := &viewer.Viewer{Permissions: []string{
		"audit.read.all", "attendance.read.team", "developer.write.all", "session.read.all", "task.read.all", "user.read.all",
	}}
	slices.Sort(maker.Permissions)
	for _, test := range []struct {
		list   []string
		want   []string
		refuse string
	}{
		{[]string{"user.read.all", "task.read.all", "user.read.all"}, []string{"task.read.all", "user.read.all"}, ""},
		{[]string{"widget.create"}, []string{"widget.create"}, ""},
		{[]string{"task.write.all"}, nil, "task.write.all"},
		{[]string{"task.read.own"}, nil, "task.read.own"},
		{[]string{"attendance.read.team"}, nil, "attendance.read.team"},
		{[]string{"audit.read.all"}, nil, "audit.read.all"},
		{[]string{"developer.write.all"}, nil, "developer.write.all"},
		{[]string{"session.read.all"}, nil, "session.read.all"},
		{[]string{"task.all"}, nil, "task.all"},
		{[]string{"widget.read.all"}, nil, "widget.read.all"},
	} {
		var faults errs.Faults
		got := keyPermissions(&faults, maker, test.list)
		if test.refuse == "" {
			if len(faults) > 0 || !slices.Equal(got, test.want) {
				t.Errorf("%v: %v, %v, want %v", test.list, got, faults, test.want)
			}
		} else if len(faults) != 1 || faults[0].Field != "permissions" || faults[0].Meta["part"] != test.refuse {
			t.Errorf("%v: %v, want %s refused", test.list, faults, test.refuse)
		}
	}
}
