package credential

import (
	"database/sql"
	"slices"
	"strings"
	"testing"

	"workforce/internal/token"
)

// TestLimit gives a key what is in its list and what its maker may, and no more.
func TestLimit(t *testing.T) {
	tests := []struct {
		name, listed string
		makers       []string // sorted
		bounded      bool
		want         string
	}{
		{"all of it", `["task.read.all","user.read.all"]`, []string{"task.read.all", "user.read.all"}, false,
			"task.read.all user.read.all"},
		{"what the maker may", `["task.read.all","user.read.all"]`, []string{"task.read.own", "user.read.all"}, false,
			"user.read.all"},
		{"what is listed", `["task.read.all"]`, []string{"task.read.all", "user.read.all"}, false, "task.read.all"},
		{"of a maker who may nothing", `["task.read.all"]`, nil, false, ""},
		{"within a business", `["task.read.all","user.read.all"]`, []string{"task.read.all", "user.read.all"}, true,
			"task.read.team user.read.team"},
		{"widgets", `["widget.create"]`, []string{"developer.write.all"}, false, "widget.create"},
		{"widgets within a business", `["widget.create"]`, []string{"developer.write.all"}, true, "widget.create"},
		{"widgets of a maker who may make no keys", `["widget.create"]`, []string{"task.read.all"}, false, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			i := &Identity{Kind: token.Key, Token: Token{ID: 7}}
			r := &row{listed: sql.Null[string]{V: test.listed, Valid: true}, within: sql.Null[int]{V: 3, Valid: test.bounded}}
			if err := i.limit(r, test.makers); err != nil {
				t.Fatal(err)
			}
			v := i.Viewer
			if got := strings.Join(v.Permissions, " "); got != test.want || !slices.IsSorted(v.Permissions) {
				t.Errorf("it may %q, want %q", got, test.want)
			}
			if v.Key != 7 || v.Bounded != test.bounded || v.Owner || v.Self() != 0 || v.Principal() != -7 {
				t.Errorf("it is %+v", v)
			}
		})
	}
}
