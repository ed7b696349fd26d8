package pages

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"workforce/internal/middleware"
)

// site serves the pages through the middleware, with fixed responses to their API
// requests.
type site struct {
	*httptest.Server
	hidden    atomic.Bool            // introspection is refused
	language  atomic.Pointer[string] // X-Language of the last request that was not introspection
	token     atomic.Pointer[string] // Authorization of the same
	clockedIn atomic.Bool            // the operation of openapi.json was called
}

func newSite(t *testing.T) *site {
	t.Helper()
	s, mux := &site{}, newMux(Config{Playground: true, Docs: true})
	mux.HandleFunc("POST /graphql", s.graphql)
	mux.HandleFunc("POST /app/session/{name}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch r.PathValue("name") {
		case "sign-in":
			_, _ = w.Write([]byte(`{"state":"code","channel":"email","destination":"b***@demo.test","expiresIn":300}`))
		case "sign-out":
			_, _ = w.Write([]byte(`{"signedOut":true}`))
		default:
			_, _ = w.Write([]byte(`{"state":"signed_in","userId":"7","accessToken":"` + r.PathValue("name") + `","expiresIn":900}`))
		}
	})
	mux.HandleFunc("GET /openapi.json", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, "testdata/openapi.json")
	})
	mux.HandleFunc("POST /attendance/clockIn", func(w http.ResponseWriter, _ *http.Request) {
		s.clockedIn.Store(true)
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"clockedIn":true,"marker":"a0b1"}`))
	})
	s.Server = httptest.NewServer(middleware.Wrap(mux, middleware.Config{}))
	t.Cleanup(s.Close)
	return s
}

func (s *site) graphql(w http.ResponseWriter, r *http.Request) {
	var body struct{ Query string }
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	introspects := strings.Contains(body.Query, "__schema")
	switch {
	case introspects && s.hidden.Load():
		_, _ = w.Write([]byte(`{"data":null,"errors":[{"message":"Not found","extensions":{"code":"NOT_FOUND"}}]}`))
	case introspects:
		http.ServeFile(w, r, "testdata/introspection.json")
	default:
		language := r.Header.Get("X-Language")
		s.language.Store(&language)
		authorization := r.Header.Get("Authorization")
		s.token.Store(&authorization)
		_, _ = w.Write([]byte(`{"data":{"viewer":{"id":"7","name":"Budi"}}}`))
	}
}

// wantAlone fails the test if the page sent a request to another host, or tried to.
func wantAlone(t *testing.T, b *tab, s *site) {
	t.Helper()
	if len(b.requests) == 0 {
		t.Error("no request was seen at all")
	}
	for _, url := range b.requests {
		if !strings.HasPrefix(url, s.URL+"/") && !strings.HasPrefix(url, "data:") && !strings.HasPrefix(url, "blob:"+s.URL) {
			t.Errorf("asked for %.200s", url)
		}
	}
	if refused := b.eval("refused.join()"); refused != "" {
		t.Errorf("the policy refused %v", refused)
	}
}

func wantQuiet(t *testing.T, b *tab) {
	t.Helper()
	for _, line := range b.console {
		t.Errorf("console: %.500s", line)
	}
}

const (
	queryShown  = `!!document.querySelector(".graphiql-query-editor .view-lines")?.innerText.includes("viewer")`
	pressRun    = `document.querySelector("button.graphiql-execute-button").click()`
	resultShown = `!!document.querySelector(".result-window")?.innerText.includes("Budi")`
)

func TestPlaygroundRunsARequest(t *testing.T) {
	s, b := newSite(t), openTab(t)
	b.call("Page.navigate", map[string]any{"url": s.URL + "/playground"}, nil)
	b.until(queryShown)
	b.eval(pressRun)
	b.until(resultShown)
	b.screenshot("result")
	if got := s.language.Load(); got == nil || *got != "en" {
		t.Error("the headers editor's X-Language was not sent")
	}
	b.eval(`document.querySelector("[aria-label='Show Documentation Explorer']").click()`)
	b.until(`!!document.querySelector(".graphiql-doc-explorer")?.innerText.includes("Query")`)
	b.screenshot("schema")
	if len(b.workers) == 0 {
		t.Error("the editor started no worker")
	}
	wantAlone(t, b, s)
	wantQuiet(t, b)
}

// TestPlaygroundSignsIn runs a saved operation as whoever is signed in to the web app, signs out,
// and signs in with a code.
func TestPlaygroundSignsIn(t *testing.T) {
	s, b := newSite(t), openTab(t)
	b.call("Page.navigate", map[string]any{"url": s.URL + "/playground"}, nil)
	b.until(clickable + `.some(e => e.innerText == "Sign out")`)
	open := func(title, query string) {
		button := clickable + `.find(e => e.innerText == "` + title + `" && !e.disabled)`
		b.until(`!!` + button)
		b.eval(button + `.click()`)
		b.until(`!!document.querySelector(".graphiql-query-editor .view-lines")?.innerText.includes("` + query + `")`)
	}
	want := func(authorization string) {
		t.Helper()
		b.eval(`document.querySelector(".result-window .view-lines").innerText = ""`)
		s.token.Store(nil)
		b.eval(pressRun)
		b.until(resultShown)
		if got := s.token.Load(); got == nil || *got != authorization {
			t.Errorf("the request had another token than %q", authorization)
		}
	}
	open("Who am I, and what may I do?", "Me")
	want("Bearer refresh")
	b.screenshot("saved")
	b.eval(clickable + `.find(e => e.innerText == "Sign out").click()`)
	b.until(clickable + `.some(e => e.innerText == "Sign in")`)
	want("")
	b.screenshot("signed-out")
	fill := func(name, value string) {
		b.eval(`document.querySelector(".saved input[name=` + name + `]").value = "` + value + `"`)
	}
	fill("username", "budi@demo.test")
	fill("password", "demo-password")
	b.eval(clickable + `.find(e => e.innerText == "Sign in").click()`)
	b.until(`document.querySelector(".saved input[name=otp]")?.value === "" && document.body.innerText.includes("b***@demo.test")`)
	b.screenshot("code")
	fill("otp", "123456")
	b.eval(clickable + `.find(e => e.innerText == "Verify").click()`)
	b.until(clickable + `.some(e => e.innerText == "Sign out")`)
	want("Bearer verify")
	wantAlone(t, b, s)
	wantQuiet(t, b)
}

func TestPlaygroundWithoutSchema(t *testing.T) {
	s, b := newSite(t), openTab(t)
	s.hidden.Store(true)
	b.call("Page.navigate", map[string]any{"url": s.URL + "/playground"}, nil)
	b.until(`!!document.querySelector(".hint")?.innerText.includes("developer.read.all")`)
	b.until(queryShown)
	b.eval(pressRun)
	b.until(resultShown)
	b.screenshot("hint")
	s.hidden.Store(false)
	b.eval(`document.querySelector(".hint button").click()`)
	b.until(`!document.querySelector(".hint")`)
	wantAlone(t, b, s)
	wantQuiet(t, b)
}

const clickable = `[...document.querySelectorAll("button")]`

func TestDocsShowTheOperations(t *testing.T) {
	s, b := newSite(t), openTab(t)
	b.call("Page.navigate", map[string]any{"url": s.URL + "/docs"}, nil)
	b.until(`document.body.innerText.includes("Clock in") && document.body.innerText.includes("/attendance/clockIn")`)
	b.until(`document.body.innerText.includes(location.origin)`)
	b.screenshot("operation")
	b.eval(clickable + `.find(e => e.innerText.includes("Test Request")).click()`)
	b.until(clickable + `.some(e => e.innerText.startsWith("Send"))`)
	b.eval(clickable + `.find(e => e.innerText.startsWith("Send")).click()`)
	b.until(`document.body.innerText.includes("a0b1")`)
	b.screenshot("answer")
	if !s.clockedIn.Load() {
		t.Error("the request sent from the page did not reach this server")
	}
	wantAlone(t, b, s)
	wantQuiet(t, b)
}

func TestPlainPagesInABrowser(t *testing.T) {
	s, b := newSite(t), openTab(t)
	for path, text := range map[string]string{
		"/":                                "Playground",
		"/errors/OUTSIDE_ALLOWED_LOCATION": "Di luar lokasi",
	} {
		b.call("Page.navigate", map[string]any{"url": s.URL + path}, nil)
		b.until(`document.readyState === "complete" && location.pathname === "` + path + `" && document.body.innerText.includes("` + text + `")`)
		b.until(`getComputedStyle(document.body).maxWidth !== "none"`) // the style sheet was let in
		b.screenshot("page" + strings.ReplaceAll(path, "/", "-"))
		wantAlone(t, b, s)
	}
	wantQuiet(t, b)
}
