package graphqlhttp

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// fragments chains n fragments, each of which spreads the next twice.
func fragments(n int) string {
	var b strings.Builder
	b.WriteString("{user{...F0}}")
	for i := range n {
		fmt.Fprintf(&b, "fragment F%d on User{...F%d ...F%d}", i, i+1, i+1)
	}
	fmt.Fprintf(&b, "fragment F%d on User{name boss{name}}", n)
	return b.String()
}

func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// nestedInput is one faulty value below many levels that each hold a long text.
func nestedInput(levels int) string {
	return `{find(id:1,where:` + strings.Repeat("{not:", levels) +
		`{ids:[99999999999999999999],name:"` + strings.Repeat("x", 240<<10) + `"}` +
		strings.Repeat("}", levels) + `)}`
}

func TestBombs(t *testing.T) {
	const many = 20_000
	tests := []struct {
		name, text string
		limit      string // that refuses it; "" is the parser, the validation, or the body cap
	}{
		{"fragments 2^22", fragments(22), "fields"},
		{"fragments 2^34", fragments(34), "fields"},
		{"fragments 2^95", fragments(95), "fields"},
		{"fragment cycle", "{user{...A}} fragment A on User{...B ...B} fragment B on User{...A ...A}", ""},
		{"aliases", "{" + numbered(many, "a%d:hello ") + "}", "tokens"},
		{"duplicate fields", "{" + strings.Repeat("hello ", many) + "}", "tokens"},
		{"duplicate fields within the token cap", "{" + strings.Repeat("hello ", 990) + "}", "rootFields"},
		{"duplicate objects", "{" + strings.Repeat("user{name} ", 2000) + "}", "tokens"},
		{"duplicate objects within the token cap", "{" + strings.Repeat("user{name} ", 240) + "}", "rootFields"},
		{"directives", "{hello" + strings.Repeat("@a", many) + "}", "tokens"},
		{"directives within the token cap", "{hello" + strings.Repeat("@a", 490) + "}", ""},
		{"long list", "{users(first:100000){nodes{name}}}", "cost"},
		{"list literal", "{find(id:" + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + ")}", "tokens"},
		{"selection sets, 3 MB", strings.Repeat("{a", 3<<19), ""},
		{"selection sets, 200 kB", strings.Repeat("{a", 100_000), "tokens"},
		{"lists, 2 MB", "{find(id:" + strings.Repeat("[", 2<<20), ""},
		{"lists, 200 kB", "{find(id:" + strings.Repeat("[", 200_000), "tokens"},
		{"long text repeated in errors", nestedInput(MaxNesting - 4), ""},
		{"long text repeated in errors, nested deeper", nestedInput(200), "nesting"},
		{"comments", strings.Repeat("#\n", 60_000) + "{hello}", "tokens"},
		{"white space", strings.Repeat(" ,\n", 60_000) + "{nosuch}", ""},
		{"one long name", "{" + strings.Repeat("a", 250_000) + "}", ""},
		{"one long text", `{find(id:"` + strings.Repeat("a", 250_000) + `")}`, ""},
		{"introspection in circles", "{__schema{types" + strings.Repeat("{fields{type", 12) + "{name}" + strings.Repeat("}}", 12) + "}}", ""},
	}
	srv := newServer(yes)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got answer
			cheaply(t, func() { got = query(t, srv, tt.text) })
			if len(got.body.Errors) == 0 || len(got.body.Data) > 0 {
				t.Fatalf("not refused: %.300s", got.text)
			}
			if limit, _ := got.body.Errors[0].Extensions.Meta["limit"].(string); limit != tt.limit {
				t.Errorf("limit %q, want %q: %.300s", limit, tt.limit, got.text)
			}
			if len(got.text) > 20_000 {
				t.Errorf("answer of %d bytes: %.300s…", len(got.text), got.text)
			}
		})
	}
	t.Run("long query in a GET", func(t *testing.T) {
		r := httptest.NewRequest(http.MethodGet, "/graphql?query="+url.QueryEscape(strings.Repeat("{a", 1<<20)), nil)
		r.Header.Set("X-Req-Id", "1")
		cheaply(t, func() {
			if got := send(t, srv, r); got.status != http.StatusRequestEntityTooLarge {
				t.Errorf("status %d, want 413: %.300s", got.status, got.text)
			}
		})
	})
	t.Run("variables nested too deep", func(t *testing.T) {
		body := `{"query":"query Q($w: Where){find(id:1,where:$w)}","variables":{"w":` + strings.Repeat(`{"not":`, 30_000) + "{}" + strings.Repeat("}", 30_000) + "}}"
		cheaply(t, func() {
			if got := post(t, srv, body); len(got.body.Errors) == 0 {
				t.Errorf("no error: %.300s", got.text)
			}
		})
	})
}

// cheaply fails the test when f takes 250 ms of CPU time or more.
func cheaply(t *testing.T, f func()) {
	t.Helper()
	runtime.GC()
	before := cpuTime(t)
	f()
	used := cpuTime(t) - before
	t.Logf("%v of CPU time", used)
	if used >= 250*time.Millisecond && !raceEnabled {
		t.Errorf("took %v of CPU time, want less than 250ms", used)
	}
}

func cpuTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
