package apitest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// echo answers with what it was asked.
func echo(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Req-Id", "r-17")
	if r.URL.Path == "/moved" {
		http.Redirect(w, r, "/", http.StatusFound)
		return
	}
	answer, _ := json.Marshal(map[string]any{
		"body": string(body), "method": r.Method, "path": r.URL.RequestURI(),
		"token": r.Header.Get("Authorization"), "type": r.Header.Get("Content-Type"),
		"list": []any{map[string]any{"a/b": 42}}, "encoding": r.Header.Get("Accept-Encoding"),
	})
	_, _ = w.Write(answer)
}

func TestRun(t *testing.T) {
	c := Serve(t, http.HandlerFunc(echo))
	var checked int
	c.Check = func(req *http.Request, resp *http.Response, body []byte) error {
		checked++
		if req.URL.Path == "" || resp.StatusCode == 0 || !json.Valid(body) && resp.StatusCode == 200 {
			return fmt.Errorf("%v %v %s", req.URL, resp.StatusCode, body)
		}
		return nil
	}
	scenarios := []Scenario{
		{
			Name: "GET by default, as sent",
			Path: "/user?page=1",
			Want: `{"body":"","encoding":"","list":[{"a/b":42}],"method":"GET","path":"/user?page=1","token":"","type":""}`,
			WantHeader: map[string]string{
				"Content-Type": "application/json", "X-Req-Id": `/r-\d+/`, "x-req-id": "r-<int>", "ETag": "",
			},
			Save: map[string]string{"id": "/list/0/a~1b", "method": "/method", "req": "X-Req-Id", "all": "/list"},
		},
		{
			Name:   "POST with a body; saved values",
			Path:   "/task/{{id}}",
			Header: map[string]string{"Authorization": "Bearer {{method}}"},
			Body:   `{"a":"{{req}}","list":"{{all}}"}`,
			Want: `{"body":"{\"a\":\"r-17\",\"list\":\"[{\\\"a/b\\\":{{id}}}]\"}","encoding":"","list":"<any>",
				"method":"POST","path":"/task/42","token":"Bearer GET","type":"application/json"}`,
			WantHeader: map[string]string{"X-Req-Id": "{{req}}"},
		},
		{
			Name: "method and type as given", Method: "PUT", Path: "/",
			Header: map[string]string{"Content-Type": "text/plain"}, Body: "x",
			Want: `{"body":"x","encoding":"","list":"<any>","method":"PUT","path":"/","token":"","type":"text/plain"}`,
		},
		{Name: "redirects stay", Path: "/moved", Status: 302, WantHeader: map[string]string{"Location": "/"}},
	}
	c.Run(t, scenarios)
	if checked != len(scenarios) {
		t.Errorf("checked %d answers, want %d", checked, len(scenarios))
	}
}

func TestRunReports(t *testing.T) {
	c := Serve(t, http.HandlerFunc(echo))
	tests := []struct {
		name string
		s    Scenario
		want []string
	}{
		{"status", Scenario{Path: "/", Status: 404}, []string{"status 200, want 404", "answer: 200 {"}},
		{"body", Scenario{Path: "/", Want: `[]`}, []string{"body differs"}},
		{"header", Scenario{Path: "/", WantHeader: map[string]string{"X-Req-Id": "r"}}, []string{`header X-Req-Id: got "r-17", want "r"`}},
		{"header present", Scenario{Path: "/", WantHeader: map[string]string{"X-Req-Id": ""}}, []string{`got "r-17", want ""`}},
		{"header absent", Scenario{Path: "/", WantHeader: map[string]string{"ETag": "<any>x"}}, []string{`header ETag: got ""`}},
		{"all at once", Scenario{Path: "/", Status: 201, Want: "1"}, []string{"status 200", "body differs"}},
		{"not saved", Scenario{Path: "/{{nobody}}"}, []string{"nothing was saved as {{nobody}}"}},
		{"nothing to save", Scenario{Path: "/", Save: map[string]string{"x": "/list/1"}}, []string{"save x: nothing at /list/1"}},
		{"no header to save", Scenario{Path: "/", Save: map[string]string{"x": "ETag"}}, []string{"save x: no header ETag"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := c.run(tt.s)
			for _, want := range tt.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("got %v, want it to say %s", err, want)
				}
			}
		})
	}
	if got := failure(t, func(t testing.TB) {
		c.Must(t, []Scenario{{Name: "first", Path: "/"}, {Name: "second", Path: "/", Status: 404}})
	}); !strings.Contains(got, "second: GET /\nstatus 200, want 404") {
		t.Errorf("got %q", got)
	}
	c.Check = func(*http.Request, *http.Response, []byte) error { return io.ErrNoProgress }
	if err := c.run(Scenario{Path: "/"}); err == nil || !strings.Contains(err.Error(), io.ErrNoProgress.Error()) {
		t.Errorf("got %v, want the check's error", err)
	}
}

// A failed test keeps with what it ended.
type failed struct {
	testing.TB
	text string
}

func (*failed) Helper() {}

func (f *failed) Fatalf(format string, args ...any) {
	f.text = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// failure returns with what a test ends.
func failure(t *testing.T, test func(testing.TB)) string {
	f := &failed{TB: t}
	var done sync.WaitGroup
	done.Go(func() { test(f) })
	done.Wait()
	return f.text
}

func TestGraphQL(t *testing.T) {
	c := Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct {
			Query     string
			Variables map[string]any
		}
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || r.URL.Path != "/graphql" || r.Header.Get("x-Access-Token") != "t" {
			w.WriteHeader(http.StatusBadRequest)
		}
		fmt.Fprintf(w, `{"data":{"echo":%q,"n":%v}}`, asked.Query, asked.Variables["n"])
	}))
	var data struct {
		Echo string
		N    int
	}
	c.GraphQL(t, map[string]string{"x-Access-Token": "t"}, "query Q { echo }", map[string]any{"n": 3}, &data)
	if data.Echo != "query Q { echo }" || data.N != 3 {
		t.Errorf("data = %+v", data)
	}
}
