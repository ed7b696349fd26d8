package viewer

import "testing"

func TestReaches(t *testing.T) {
	me := &Viewer{UserID: 1, Businesses: []int{10, 11}}
	for _, tt := range []struct {
		about    string
		scope    Scope
		user     int
		business *int
		want     bool
	}{
		{"none, oneself", None, 1, new(10), false},
		{"own, oneself", Own, 1, nil, true},
		{"own, a team mate", Own, 2, new(10), false},
		{"team, oneself in the team", Team, 1, new(10), true},
		{"team, oneself outside of it", Team, 1, new(12), true},
		{"team, oneself without a business", Team, 1, nil, true},
		{"team, a team mate", Team, 2, new(11), true},
		{"team, another", Team, 2, new(12), false},
		{"team, somebody without a business", Team, 2, nil, false},
		{"all, another", All, 2, new(12), true},
		{"all, somebody without a business", All, 2, nil, true},
	} {
		if got := me.Reaches(tt.scope, tt.user, tt.business); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.about, got, tt.want)
		}
	}
}
