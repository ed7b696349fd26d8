package live

import (
	"strings"
	"testing"
	"time"

	"workforce/internal/scenario/harness"
)

// TestReportChanged shows a report to its owner and to who sees it, until it is done: the link to
// the file to its owner alone.
func TestReportChanged(t *testing.T) {
	const document = `subscription { reportChanged { status progress expiresIn user { name } } }`
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		signIn(t, s)
		budi, admin := listen(t, s, "budi", document), listen(t, s, "admin", document)
		agus, foreign := listen(t, s, "agus", document), listen(t, s, "foreign", document)
		s.AskGraphQL(t, s.HeaderOf("budi"), `mutation{generateReport(input:{format:csv}){id}}`, nil)
		for _, c := range []struct {
			*socket
			done string
		}{{budi, `"expiresIn":300`}, {admin, `"expiresIn":null`}} {
			for {
				text, err := c.read()
				if err != nil || !strings.Contains(text, `"user":{"name":"Budi Santoso"}`) {
					t.Fatalf("%s, %v", text, err)
				}
				if !strings.Contains(text, `"status":"done"`) {
					continue
				}
				if !strings.Contains(text, `"progress":100,`+c.done) {
					t.Errorf("%s, want %s", text, c.done)
				}
				break
			}
		}
		time.Sleep(50 * time.Millisecond)
		for _, c := range []*socket{agus, foreign} {
			c.nothing()
		}
		// An event shows the report as it is when it is written, so the last may come twice.
		for _, c := range []*socket{budi, admin} {
			c.send(`{"type":"ping"}`)
			for {
				text, err := c.read()
				if text == `{"type":"pong"}` {
					break
				}
				if err != nil || !strings.Contains(text, `"status":"done"`) {
					t.Fatalf("after the report was done: %s, %v", text, err)
				}
			}
		}
	})
}
