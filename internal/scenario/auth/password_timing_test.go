//go:build !race

package auth

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"workforce/internal/apitest"
	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
)

// TestUnknownAccountsTakeAsLong compares the times of asking for a reset, and of
// failing at it, for accounts that exist and for others. A hash for one kind
// alone would show.
func TestUnknownAccountsTakeAsLong(t *testing.T) {
	s := harness.New(t, testdb.SQLite(t), harness.StandardWork)
	s.Run(t, []apitest.Scenario{harness.Register("a")})
	start := time.Now()
	if _, err := s.Services.Hasher.Hash(t.Context(), demo.Password); err != nil {
		t.Fatal(err)
	}
	hash := time.Since(start)
	took := func(path, body string, status int) (time.Duration, string) {
		start := time.Now()
		got, err := s.Ask("POST", path, harness.Head("X-Device-Token", s.Vars["a.device"], "Content-Type", "application/json"), body)
		if err != nil || got.Status != status {
			t.Fatal(got, err)
		}
		return time.Since(start), got.Body
	}
	times := map[string][]time.Duration{}
	for i, name := range []string{"agus", "ayu", "dimas", "fitri", "hendra", "indah", "joko", "maya", "eko"} {
		for kind, name := range map[string]string{"known": name, "unknown": fmt.Sprint("nobody", i)} {
			d, body := took("/user/forgot-password", `{"username":"`+name+`@demo.test"}`, 200)
			times["forgot, "+kind] = append(times["forgot, "+kind], d)
			var asked struct{ ID string }
			if err := json.Unmarshal([]byte(body), &asked); err != nil {
				t.Fatal(err)
			}
			d, _ = took("/user/reset-password", `{"id":"`+asked.ID+`","otp":"000000","password":"kata-sandi-baru"}`, 422)
			times["reset, "+kind] = append(times["reset, "+kind], d)
		}
	}
	median := func(of string) time.Duration {
		slices.Sort(times[of])
		return times[of][len(times[of])/2]
	}
	for _, what := range []string{"forgot", "reset"} {
		known, unknown := median(what+", known"), median(what+", unknown")
		if (known - unknown).Abs() > hash/2 {
			t.Errorf("%s: a known account takes %v, an unknown one %v; a hash %v", what, known, unknown, hash)
		}
	}
}
