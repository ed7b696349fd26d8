package attendance

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"testing"
	"time"

	"workforce/internal/scenario/harness"
)

// TestClockInExample sends the examples of Clock In, and ten minutes later of Clock Out, in
// docs/openapi.json as admin@demo.test to a new demo. Each gets the answer that is its example.
func TestClockInExample(t *testing.T) {
	text, err := os.ReadFile("../../../docs/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	type content struct {
		Content map[string]struct{ Example json.RawMessage }
	}
	var doc struct {
		Paths map[string]map[string]struct {
			RequestBody content
			Responses   map[string]content
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		s.SignIn(t, "admin", "admin@demo.test")
		for _, path := range []string{"/attendance/clockIn", "/attendance/clockOut"} {
			op := doc.Paths[path]["post"]
			request := op.RequestBody.Content["application/json"].Example
			var want bytes.Buffer
			if err := json.Compact(&want, op.Responses["200"].Content["application/json"].Example); err != nil {
				t.Fatal(err)
			}
			resp, got := s.Send(t, http.MethodPost, path, string(request), s.HeaderOf("admin"))
			if resp.StatusCode != http.StatusOK || !bytes.Equal(got, want.Bytes()) {
				t.Errorf("%s: %d %s, want %s for %s", path, resp.StatusCode, got, &want, request)
			}
			s.Clock.Advance(10 * time.Minute)
		}
		rows := s.Attendances(t, "admin@demo.test")
		if len(rows) != 1 || len(rows[0].ClockedInFlags) > 0 {
			t.Errorf("attendances %+v, want one, clocked in without flags", rows)
		}
	})
}
