package graphqlhttp

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	asJSON    = "Accept: application/json"
	asGraphQL = "Accept: application/graphql-response+json"
	typename  = `{"query":"{ __typename }"}`
	typeQuery = `query Type($name: String!) { __type(name: $name) { name } }`
)

// audit is one case of the audits of GraphQL over HTTP, by their numbers.
type audit struct {
	id        string
	body      string // of a POST; a GET if it starts with ?
	header    []string
	min, max  int    // status; max 0 is min
	media     string // of the answer, when the case is about it
	noErrors  bool
	noData    bool
	noContent bool // no Content-Type is sent
}

func audits() []audit {
	list := []audit{
		{id: "22EB", body: typename, header: []string{asGraphQL}, min: 200, media: mediaGraphQL},
		{id: "4655", body: typename, header: []string{asJSON}, min: 200, media: mediaJSON},
		{id: "47DE", body: typename, header: []string{"Accept: */*"}, min: 200, media: mediaJSON},
		{id: "80D8", body: typename, min: 200, media: mediaJSON},
		{id: "82A3", body: typename, min: 200},
		{id: "BF61", body: `{"query":"{ __type(name: \"Run🏃Swim🏊\") { name } }"}`, header: []string{"Content-Type: application/json; charset=utf-8"}, min: 200},
		{id: "78D5", body: typename, min: 200},
		{id: "2C94", body: typename, min: 200},
		{id: "5A70", body: "?query=" + url.QueryEscape("{ __typename }"), min: 200},
		{id: "9C48", body: "?query=" + url.QueryEscape("mutation { __typename }"), header: []string{asGraphQL}, min: 400, max: 499},
		{id: "9ABE", body: typename, noContent: true, min: 400, max: 499},
		{id: "03D4", body: typename, min: 200},
		{id: "A5BF", body: "", min: 400},
		{id: "423L", body: `{"notquery":"{ __typename }"}`, header: []string{asGraphQL}, min: 400},
		{id: "34A2", body: typename, header: []string{asGraphQL}, min: 200},
		{id: "13EE", body: typename, header: []string{asJSON}, min: 200, noErrors: true},
		{id: "8161", body: `{"operationName":"Query","query":"query Query { __typename }"}`, header: []string{asGraphQL}, min: 200},
		{id: "B8B3", body: `{"operationName":"Query","query":"query Query { __typename }"}`, header: []string{asJSON}, min: 200, noErrors: true},
		{id: "2EA1", body: withVariables(typeQuery), header: []string{asGraphQL}, min: 200},
		{id: "28B9", body: withVariables(typeQuery), header: []string{asJSON}, min: 200, noErrors: true},
		{id: "D6D5", body: getVariables(typeQuery), header: []string{asGraphQL}, min: 200, noErrors: true},
		{id: "6A70", body: getVariables(typeQuery), header: []string{asJSON}, min: 200, noErrors: true},
		{id: "428F", body: `{"query":"{ __typename }","extensions":{"some":"value"}}`, header: []string{asGraphQL}, min: 200},
		{id: "1B7A", body: `{"query":"{ __typename }","extensions":{"some":"value"}}`, header: []string{asJSON}, min: 200, noErrors: true},
		{id: "B6DC", body: `{ "not a JSON`, header: []string{asJSON}, min: 200, max: 599},
		{id: "BCF8", body: `{ "not a JSON`, header: []string{asJSON}, min: 400},
		{id: "B7N8", body: `{ "not a JSON`, header: []string{asGraphQL}, min: 400},
		{id: "8764", body: `{"qeury":"{ __typename }"}`, min: 400, max: 599},
		{id: "3E3A", body: `{"qeury":"{ __typename }"}`, min: 400},
		{id: "572B", body: `{"query":"{"}`, header: []string{asJSON}, min: 200},
		{id: "FDE2", body: `{"query":"{ 8f31403dfe404bccbb0e835f2629c6a7 }"}`, header: []string{asJSON}, min: 200},
		{id: "7B9B", body: `{"query":"query CoerceFailure($id: ID!){ __typename }","variables":{"id":null}}`, header: []string{asJSON}, min: 200},
		{id: "865D", body: `{"query":"{"}`, header: []string{asGraphQL}, min: 400, max: 599},
		{id: "556A", body: `{"query":"{"}`, header: []string{asGraphQL}, min: 400},
		{id: "D586", body: `{"query":"{"}`, header: []string{asGraphQL}, min: 400, noData: true},
		{id: "51FE", body: `{"query":"{ 8f31403dfe404bccbb0e835f2629c6a7 }"}`, header: []string{asGraphQL}, min: 400, max: 599},
		{id: "74FF", body: `{"query":"{ 8f31403dfe404bccbb0e835f2629c6a7 }"}`, header: []string{asGraphQL}, min: 400},
		{id: "5E5B", body: `{"query":"{ 8f31403dfe404bccbb0e835f2629c6a7 }"}`, header: []string{asGraphQL}, min: 400, noData: true},
		{id: "86EE", body: `{"query":"query CoerceFailure($id: ID!){ __typename }","variables":{"id":null}}`, header: []string{asGraphQL}, min: 400},
	}
	for i, bad := range []string{`{"obj":"ect"}`, `0`, `false`, `["array"]`} {
		list = append(list,
			audit{id: fmt.Sprintf("LKJ%d", i), body: `{"query":` + bad + `}`, min: 400},
			audit{id: fmt.Sprintf("6C0%d", i), body: `{"query":"{ __typename }","operationName":` + bad + `}`, min: 400},
		)
	}
	for i, bad := range []string{`"string"`, `0`, `false`, `["array"]`} {
		list = append(list,
			audit{id: fmt.Sprintf("476%d", i), body: `{"query":"{ __typename }","variables":` + bad + `}`, min: 400},
			audit{id: fmt.Sprintf("58B%d", i), body: `{"query":"{ __typename }","extensions":` + bad + `}`, min: 400},
		)
	}
	for i, name := range []string{"variables", "operationName", "extensions"} {
		body := `{"query":"{ __typename }","` + name + `":null}`
		list = append(list,
			audit{id: fmt.Sprintf("94B%d", i), body: body, header: []string{asGraphQL}, min: 200, noErrors: true},
			audit{id: fmt.Sprintf("022%d", i), body: body, header: []string{asJSON}, min: 200, noErrors: true},
		)
	}
	return list
}

func withVariables(text string) string {
	return `{"query":"` + text + `","variables":{"name":"sometype"}}`
}

func getVariables(text string) string {
	return "?" + url.Values{"query": {text}, "variables": {`{"name":"sometype"}`}}.Encode()
}

func (a audit) request() *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(a.body))
	if strings.HasPrefix(a.body, "?") {
		r = httptest.NewRequest(http.MethodGet, "/graphql"+a.body, nil)
		r.Header.Set("X-Req-Id", "1") // without, it may be another site's
	} else if !a.noContent {
		r.Header.Set("Content-Type", "application/json")
	}
	setLines(r.Header, a.header)
	return r
}

func TestAudits(t *testing.T) {
	list := audits()
	if len(list) != 61 {
		t.Errorf("%d audits, want 61", len(list))
	}
	srv := newServer(yes)
	for _, a := range list {
		t.Run(a.id, func(t *testing.T) {
			got := send(t, srv, a.request())
			if got.status < a.min || got.status > max(a.min, a.max) {
				t.Errorf("status %d, want %d to %d: %s", got.status, a.min, a.max, got.text)
			}
			if media := got.header.Get("Content-Type"); a.media != "" && media != a.media {
				t.Errorf("Content-Type %q, want %q", media, a.media)
			}
			if a.noErrors && strings.Contains(got.text, `"errors"`) {
				t.Errorf("errors in %s", got.text)
			}
			if a.noData && strings.Contains(got.text, `"data"`) {
				t.Errorf("data in %s", got.text)
			}
			if !utf8.ValidString(got.text) {
				t.Errorf("not UTF-8: %q", got.text)
			}
		})
	}
}
