package harness

import (
	"encoding/json"
	"testing"

	"workforce/internal/apitest"
	"workforce/internal/server"
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

// Documents returns the built-in operations.
func Documents(t *testing.T) (all []Document) {
	t.Helper()
	api, err := server.LoadAPI("")
	if err != nil {
		t.Fatal(err)
	}
	texts := api.Texts()
	for _, e := range api.Endpoints() {
		all = append(all, Document{e.Method, e.Path, texts[e.Method+" "+e.Path]})
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
