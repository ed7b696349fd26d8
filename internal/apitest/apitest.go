// Package apitest runs tables of HTTP scenarios over real connections and
// compares the answers exactly: status, headers, and JSON down to the order of
// its keys.
package apitest

import (
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

// A Scenario is one request and the answer wanted.
//
// In Path, Header, Body, Want and WantHeader, {{name}} stands for a value that
// an earlier scenario saved. In the strings of Want, and in WantHeader, these
// stand for what varies, alone or inside other text:
//
//	<any>        anything; alone in Want, a JSON value of any type
//	<int>        an integer; alone in Want, a JSON number
//	<number>     a decimal number; alone in Want, a JSON number
//	<digits>     numeric text, such as an id
//	<digits 6>   of that many digits
//	<date>       YYYY-MM-DD
//	<time>       RFC 3339
//	<token wfa>  a token of that kind
//	/pattern/    alone: text that the regular expression matches as a whole
type Scenario struct {
	Name   string
	Method string            // "" is POST with a Body, else GET
	Path   string            // with the query, if any
	Header map[string]string // Content-Type is application/json unless given
	Body   string

	Status     int               // 0 is 200
	Want       string            // JSON; "" takes any body
	WantHeader map[string]string // "" is absent
	Save       map[string]string // name → JSON pointer into the answer, or a header's name
}

// A Check looks at every answer besides the scenario, and returns what is wrong.
type Check func(req *http.Request, resp *http.Response, body []byte) error

// A Client runs scenarios against one server.
type Client struct {
	URL   string            // of the server, without a final slash
	HTTP  *http.Client      // follows no redirects, asks for no compression
	Check Check             // may be nil
	Vars  map[string]string // what was saved, by name
}

// Serve starts a server for a handler, which ends with the test, and returns a
// client of it.
func Serve(t testing.TB, h http.Handler) *Client {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return Dial(t, server.URL)
}

// Dial returns a client of a server that runs already.
func Dial(t testing.TB, url string) *Client {
	t.Helper()
	transport := &http.Transport{DisableCompression: true}
	t.Cleanup(transport.CloseIdleConnections)
	return &Client{
		URL: url,
		HTTP: &http.Client{
			Transport:     transport,
			Timeout:       time.Minute,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		Vars: map[string]string{},
	}
}

// Run runs scenarios in order, each as a subtest.
func (c *Client) Run(t *testing.T, scenarios []Scenario) {
	t.Helper()
	for _, s := range scenarios {
		t.Run(s.Name, func(t *testing.T) {
			if err := c.run(s); err != nil {
				t.Errorf("%s %s\n%v", s.method(), s.Path, err)
			}
		})
	}
}

// Must sends requests on which the rest of a test relies: they are no subtests, which
// -run could leave out, and the first wrong answer ends the test.
func (c *Client) Must(t testing.TB, scenarios []Scenario) {
	t.Helper()
	for _, s := range scenarios {
		if err := c.run(s); err != nil {
			t.Fatalf("%s: %s %s\n%v", s.Name, s.method(), s.Path, err)
		}
	}
}

// run returns all that is wrong with the answer to a scenario.
func (c *Client) run(s Scenario) error {
	s, err := fill(s, c.Vars)
	if err != nil {
		return err
	}
	resp, body, err := c.do(s)
	if err != nil {
		return err
	}
	var errs []error
	if want := cmp.Or(s.Status, http.StatusOK); resp.StatusCode != want {
		errs = append(errs, fmt.Errorf("status %d, want %d", resp.StatusCode, want))
	}
	errs = append(errs, matchHeaders(s.WantHeader, resp.Header))
	if s.Want != "" {
		errs = append(errs, Match(s.Want, body))
	}
	if c.Check != nil {
		errs = append(errs, c.Check(resp.Request, resp, body))
	}
	errs = append(errs, c.save(s.Save, resp.Header, body))
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("%w\nanswer: %d %s", err, resp.StatusCode, body)
	}
	return nil
}

func (s Scenario) method() string {
	if s.Method == "" && s.Body != "" {
		return http.MethodPost
	}
	return cmp.Or(s.Method, http.MethodGet)
}

// do sends the request of a scenario and reads the whole answer.
func (c *Client) do(s Scenario) (*http.Response, []byte, error) {
	var body io.Reader
	if s.Body != "" {
		body = strings.NewReader(s.Body)
	}
	req, err := http.NewRequest(s.method(), c.URL+s.Path, body)
	if err != nil {
		return nil, nil, err
	}
	if s.Body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range s.Header {
		req.Header.Set(name, value)
	}
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	answer, err := readAll(resp)
	return resp, answer, err
}

// readAll reads the body of an answer, which may be compressed.
func readAll(resp *http.Response) ([]byte, error) {
	if resp.Header.Get("Content-Encoding") != "gzip" || resp.Request.Method == http.MethodHead {
		return io.ReadAll(resp.Body)
	}
	text, err := gzip.NewReader(resp.Body)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(text)
}

// matchHeaders compares the headers named in want.
func matchHeaders(want map[string]string, got http.Header) error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(want)) {
		value := strings.Join(got.Values(name), ", ")
		if want[name] == "" && len(got.Values(name)) == 0 {
			continue
		}
		if want[name] == "" || !pattern(want[name]).MatchString(value) {
			errs = append(errs, fmt.Errorf("header %s: got %q, want %q", name, value, want[name]))
		}
	}
	return errors.Join(errs...)
}

// save keeps the values that a scenario names.
func (c *Client) save(names map[string]string, header http.Header, body []byte) error {
	var errs []error
	for name, where := range names {
		value, err := pick(where, header, body)
		if err != nil {
			errs = append(errs, fmt.Errorf("save %s: %w", name, err))
			continue
		}
		c.Vars[name] = value
	}
	return errors.Join(errs...)
}

// Query returns the body that asks /graphql for a document.
func Query(document string, variables map[string]any) string {
	body, err := json.Marshal(map[string]any{"query": document, "variables": variables})
	if err != nil {
		panic(err) // a variable that JSON does not know, such as a channel
	}
	return string(body)
}

// GraphQL asks /graphql for a document and decodes the data of its answer into
// data, unless that is nil. Any error ends the test.
func (c *Client) GraphQL(t testing.TB, header map[string]string, document string, variables map[string]any, data any) {
	t.Helper()
	resp, body, err := c.do(Scenario{Path: "/graphql", Header: header, Body: Query(document, variables)})
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Data   json.RawMessage
		Errors []json.RawMessage
	}
	err = json.Unmarshal(body, &answer)
	if err == nil && data != nil && answer.Data != nil {
		err = json.Unmarshal(answer.Data, data)
	}
	if err != nil || resp.StatusCode != http.StatusOK || len(answer.Errors) > 0 {
		t.Fatalf("%s\nanswer: %d %s\n%v", document, resp.StatusCode, body, err)
	}
}
