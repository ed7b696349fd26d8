package harness

import (
	"encoding/json"
	"io/fs"
	"regexp"
	"testing"

	"workforce/internal/apitest"
	"workforce/rest"
)

// A GraphQLAnswer is what /graphql says.
type GraphQLAnswer struct {
	Data   json.RawMessage
	Errors []struct {
		Message    string
		Path       []any
		Extensions ProblemFacts
	}
	Status int
	Text   string
}

// ProblemFacts are what errors have in common in REST and GraphQL.
type ProblemFacts struct {
	Code   string
	Meta   map[string]any
	Errors []map[string]any
}

// AskGraphQL asks /graphql for a document.
func (s *Server) AskGraphQL(t *testing.T, header map[string]string, document string, variables map[string]any) GraphQLAnswer {
	t.Helper()
	resp, body := s.Send(t, "POST", "/graphql", apitest.Query(document, variables), header)
	a := GraphQLAnswer{Status: resp.StatusCode, Text: string(body)}
	if err := json.Unmarshal(body, &a); err != nil {
		t.Fatalf("%s: %d %s", document, resp.StatusCode, body)
	}
	return a
}

// Code is that of the first error.
func (a GraphQLAnswer) Code() string {
	if len(a.Errors) == 0 {
		return ""
	}
	return a.Errors[0].Extensions.Code
}

// A Document is the text of one built-in operation, as GraphQL alone knows it.
type Document struct{ Method, Path, Text string }

var restDirective = regexp.MustCompile(`@(endpoint|param|header|body|file)(\([^)]*\))?`)

// Documents returns the built-in operations.
func Documents(t *testing.T) (all []Document) {
	t.Helper()
	files, err := fs.Glob(rest.Operations(), "*/*.graphql")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	endpoint := regexp.MustCompile(`method: (\w+), path: "([^"]+)"`)
	for _, file := range files {
		text, err := fs.ReadFile(rest.Operations(), file)
		if err != nil {
			t.Fatal(err)
		}
		plain := regexp.MustCompile(`(?s)^""".*?"""`).ReplaceAllString(restDirective.ReplaceAllString(string(text), ""), "")
		for _, m := range endpoint.FindAllStringSubmatch(string(text), -1) {
			all = append(all, Document{m[1], m[2], plain})
		}
	}
	return all
}

// ShiftToday returns the id of somebody's first occurrence today.
func (s *Server) ShiftToday(t *testing.T, who string) string {
	t.Helper()
	var data struct {
		ShiftToday []struct{ EmployeeShiftID string }
	}
	s.GraphQL(t, s.HeaderOf(who), `{shiftToday{employeeShiftId}}`, nil, &data)
	if len(data.ShiftToday) == 0 {
		t.Fatal("no shift today")
	}
	return data.ShiftToday[0].EmployeeShiftID
}
