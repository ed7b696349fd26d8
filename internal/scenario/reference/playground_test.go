package reference

import (
	"bufio"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
)

// TestSavedOperations runs each operation that the playground offers, as an owner on the demo: it
// is answered without an error, and with something in it.
func TestSavedOperations(t *testing.T) {
	text, err := os.ReadFile("../../pages/playground/operations.graphql")
	if err != nil {
		t.Fatal(err)
	}
	s := harness.New(t, testdb.SQLite(t))
	s.SignIn(t, "owner", "admin@demo.test")
	names := map[string]bool{}
	for _, one := range strings.Split(string(text), "\n\n") {
		title, document, _ := strings.Cut(one, "\n")
		doc, err := parser.ParseQuery(&ast.Source{Input: document})
		if err != nil || len(doc.Operations) != 1 || !strings.HasPrefix(title, "# ") {
			t.Fatalf("want a comment and one operation, %v:\n%s", err, one)
		}
		op := doc.Operations[0]
		if op.Name == "" || names[op.Name] {
			t.Errorf("the name %q is there twice, or none", op.Name)
		}
		names[op.Name] = true
		if op.Operation == ast.Subscription {
			follow(t, s, document)
			continue
		}
		a := s.AskGraphQL(t, s.HeaderOf("owner"), document, nil)
		if a.Status != 200 || a.Code() != "" || len(a.Data) == 0 {
			t.Errorf("%s: %d %.300s", op.Name, a.Status, a.Text)
		}
	}
}

// follow runs a subscription as the owner, who clocks in meanwhile, until that is seen.
func follow(t *testing.T, s *harness.Server, document string) {
	t.Helper()
	body := strings.NewReader(apitest.Query(document, nil))
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/graphql/stream", body)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range s.HeaderOf("owner") {
		r.Header.Set(name, value)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	resp, err := s.HTTP.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	s.SaveSites(t, "owner")
	s.SaveShift(t, "owner")
	s.Run(t, []apitest.Scenario{harness.ClockIn("owner")})
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		if strings.Contains(lines.Text(), `"attendanceChanged":{"id":"`) {
			return
		}
	}
	t.Error("no clock-in was seen")
}
