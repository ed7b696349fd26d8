//go:build !race

package auth

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
)

// TestUnknownUserTakesAsLong compares the times of refusing an unknown user and
// a wrong password. Without a hash the former would take a tenth or less.
func TestUnknownUserTakesAsLong(t *testing.T) {
	s := harness.New(t, testdb.SQLite(t), harness.StandardWork)
	s.Run(t, []apitest.Scenario{harness.Register("a")})
	known := []string{"agus", "ayu", "dimas", "fitri", "hendra", "indah", "joko", "maya", "eko"}
	took := func(username string) time.Duration {
		start := time.Now()
		got, err := s.Ask("POST", "/user/login", harness.Head("X-Device-Token", s.Vars["a.device"], "Content-Type", "application/json"),
			`{"username":"`+username+`@demo.test","password":"wrong"}`)
		if err != nil || got.Status != 401 {
			t.Fatal(got, err)
		}
		return time.Since(start)
	}
	var unknown, wrong []time.Duration
	for i, name := range known {
		unknown = append(unknown, took(fmt.Sprint("nobody", i)))
		wrong = append(wrong, took(name))
	}
	slices.Sort(unknown)
	slices.Sort(wrong)
	if u, w := unknown[len(unknown)/2], wrong[len(wrong)/2]; u < w/4 || w < u/4 {
		t.Errorf("an unknown user took %v, a wrong password %v", u, w)
	}
}
