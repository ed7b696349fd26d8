package web

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"testing"

	"workforce/internal/middleware"
)

func serveWidgets(t *testing.T, s Widgets, origins ...string) http.Handler {
	t.Helper()
	allowed, err := middleware.ParseOrigins(origins)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	s.Register(mux)
	return middleware.Wrap(mux, middleware.Config{CORS: allowed})
}

// TestWidgetsScript checks that pages of all origins may load the module, whoever else may call the
// server, and that browsers keep it, and ask whether there is another one.
func TestWidgetsScript(t *testing.T) {
	for _, allowed := range [][]string{nil, {"https://intranet.test"}, {"https://other.test"}} {
		h := serveWidgets(t, Widgets{}, allowed...)
		from := http.Header{"Origin": {"https://intranet.test"}}
		res := do(h, "GET", WidgetsScript, from)
		if body := res.Body.String(); res.Code != 200 || !strings.Contains(body, `"workforce-timesheet"`) {
			t.Fatalf("%v: %d %.200q", allowed, res.Code, body)
		}
		tag := res.Header().Get("ETag")
		from.Set("If-None-Match", tag)
		again := do(h, "GET", WidgetsScript, from)
		if tag == "" || again.Code != http.StatusNotModified || again.Body.Len() != 0 {
			t.Errorf("%v: %d with the tag %q, want 304", allowed, again.Code, tag)
		}
		for name, want := range map[string]string{
			"Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin",
			"X-Content-Type-Options": "nosniff", "Cache-Control": revalidate, "Access-Control-Allow-Credentials": "",
		} {
			for _, header := range []http.Header{res.Header(), again.Header()} {
				if got := strings.Join(header.Values(name), "|"); got != want {
					t.Errorf("%v: %s is %q, want %q", allowed, name, got, want)
				}
			}
		}
		if got := res.Header().Get("Content-Type"); got != contentTypes[".js"] {
			t.Errorf("Content-Type %q", got)
		}
	}
}

// TestWidgetsPage compares the headers that keep the page to its server, looks for all that it loads,
// and for the sentence in its place where browsers would keep no session.
func TestWidgetsPage(t *testing.T) {
	const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
		"form-action 'none'; base-uri 'none'; frame-ancestors 'none'; " +
		"require-trusted-types-for 'script'; trusted-types lit-html"
	h := serveWidgets(t, Widgets{Secure: true})
	res := do(h, "GET", WidgetsPage, nil)
	body := res.Body.String()
	for name, want := range map[string]string{
		"Content-Security-Policy": policy, "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
		"Cache-Control": revalidate, "Content-Type": contentTypes[".html"], "Access-Control-Allow-Origin": "",
	} {
		if got := res.Header().Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if !strings.Contains(body, `src="`+WidgetsScript+`"`) || strings.Contains(body, "<style") {
		t.Errorf("the page is %s", body)
	}
	for _, extension := range []string{".js", ".css"} {
		found, err := fs.Glob(widgets, "widgets/widgets-*"+extension)
		if err != nil || len(found) != 1 {
			t.Fatal(found, err)
		}
		name := WidgetsPage + "/" + path.Base(found[0])
		res := do(h, "GET", name, nil)
		if res.Code != 200 || res.Header().Get("Cache-Control") != immutable || !strings.Contains(body, name) {
			t.Errorf("%s: %d %v", name, res.Code, res.Header())
		}
	}
	for _, name := range []string{"", "widgets.js", "widgets.html", "no-12345678.js"} {
		if res := do(h, "GET", "/widgets/"+name, nil); res.Code != http.StatusNotFound {
			t.Errorf("%s: %d, want 404", name, res.Code)
		}
	}
	res = do(serveWidgets(t, Widgets{}), "GET", WidgetsPage, nil)
	body = res.Body.String()
	if !strings.Contains(body, "needs HTTPS") || res.Header().Get("Content-Security-Policy") != policy {
		t.Errorf("%d %.200q", res.Code, body)
	}
}

// TestWidgetsSize holds how large the module is, as gzip: it is all that a page loads for widgets.
func TestWidgetsSize(t *testing.T) {
	const most = 20_000 // bytes
	content, err := widgets.ReadFile("widgets/widgets.js")
	if err != nil {
		t.Fatal(err)
	}
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	_, _ = w.Write(content)
	_ = w.Close()
	if zipped.Len() > most || zipped.Len() < 5_000 {
		t.Errorf("%d bytes, want at most %d", zipped.Len(), most)
	}
	for _, word := range []string{"import ", "import{", "export ", "export{", "import("} {
		if bytes.Contains(content, []byte(word)) {
			t.Errorf("the module has %q: it is not whole", word)
		}
	}
}
