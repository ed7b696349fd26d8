package parallel

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"testing"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
)

// requestID is what differs between equal answers with an error.
var requestID = regexp.MustCompile(`"requestId":"[A-Z0-9]*"`)

// TestOwnAnswers asks for different things at once, for people of two companies: each gets byte for
// byte what they get alone.
func TestOwnAnswers(t *testing.T) {
	reads := []struct{ path, body string }{
		{"/user", ""},
		{"/user?limit=3&page=1", ""},
		{"/user/profile", ""},
		{"/attendance/today", ""},
		{"/graphql", `{company{name} users(first:50){totalCount edges{cursor node{id name email designations{name}}}} designations{nodes{name}}}`},
		{"/graphql", `{a` + strings.Repeat("a", 80) + `:users(first:2){edges{node{name}}} b:users(last:2){edges{node{name}}} viewer{name}}`},
		{"/graphql", `{users(first:-1){totalCount} viewer{name}}`},
	}
	for name, cache := range map[string]server.ByteSize{"cache": 16 << 20, "no cache": 0} {
		t.Run(name, func(t *testing.T) {
			harness.Each(t, func(t *testing.T, s *harness.Server) {
				var asks []func() (harness.Answer, error)
				for name, email := range map[string]string{"andini": "admin@demo.test", "budi": "budi@demo.test", "daeng": "admin@tetangga.test", "tenri": "tenri@tetangga.test"} {
					phone := s.SignIn(t, name, email)
					for _, r := range reads {
						header, method, body := map[string]string{"Authorization": "Bearer " + phone.Access}, "GET", ""
						if r.body != "" {
							header["Content-Type"], method, body = "application/json", "POST", apitest.Query(r.body, nil)
						}
						asks = append(asks, func() (harness.Answer, error) {
							a, err := s.Ask(method, r.path, header, body)
							a.Body = requestID.ReplaceAllString(a.Body, "")
							return a, err
						})
					}
				}
				want := make([]harness.Answer, len(asks))
				for i, ask := range asks {
					var err error
					if want[i], err = ask(); err != nil || want[i].Status != 200 {
						t.Fatalf("request %d alone: %v %v", i, want[i], err)
					}
				}
				for i := range reads[:3] {
					different := map[string]bool{}
					for who := range 4 {
						different[want[who*len(reads)+i].Body] = true
					}
					if len(different) < 2 {
						t.Errorf("%s: everybody gets %s", reads[i].path, want[i].Body)
					}
				}
				var all sync.WaitGroup
				for client := range 20 {
					all.Go(func() {
						random := rand.New(rand.NewPCG(1, uint64(client)))
						for range 60 {
							i := random.IntN(len(asks))
							if got, err := asks[i](); err != nil || got != want[i] {
								t.Errorf("request %d: %v\n got %s\nwant %s", i, err, got.Body, want[i].Body)
								return
							}
						}
					})
				}
				all.Wait()
			}, func(c *server.Config) { c.Cache = cache })
		})
	}
}
