package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"workforce/internal/middleware"
)

func serve(a App) http.Handler {
	mux := http.NewServeMux()
	a.Register(mux)
	return middleware.Wrap(mux, middleware.Config{})
}

func do(h http.Handler, method, path string, header http.Header) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	if header != nil {
		r.Header = header
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// asset returns the path of the file whose name begins with some text.
func asset(t *testing.T, prefix, extension string) string {
	t.Helper()
	found, err := fs.Glob(dist, "dist/"+prefix+"-*"+extension)
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	return Path + path.Base(found[0])
}

// TestPaths checks which address answers what, and for how long browsers keep it.
func TestPaths(t *testing.T) {
	const screen, needsHTTPS = `<script type="module"`, "needs HTTPS"
	secure, plain := App{Secure: true}, App{}
	script, style := asset(t, "index", ".js"), asset(t, "index", ".css")
	tests := []struct {
		app                          App
		method, path                 string
		status                       int
		contentType, cache, contains string
	}{
		{secure, "GET", "/app", 302, "", "", ""},
		{secure, "GET", "/app/", 200, ".html", revalidate, screen},
		{secure, "HEAD", "/app/", 200, ".html", revalidate, ""},
		{secure, "GET", "/app/today?status=late", 200, ".html", revalidate, screen},
		{secure, "GET", "/app/people/7", 200, ".html", revalidate, screen},
		{secure, "GET", script, 200, ".js", immutable, "import"},
		{secure, "HEAD", script, 200, ".js", immutable, ""},
		{secure, "GET", style, 200, ".css", immutable, "color-scheme"},
		{secure, "GET", "/app/licenses.txt", 200, ".txt", revalidate, "BSD-3-Clause"},
		{secure, "GET", asset(t, "face-worker", ".js"), 200, ".js", immutable, "WebAssembly"},
		{secure, "GET", asset(t, "tfjs-backend-wasm-simd", ".wasm"), 200, ".wasm", immutable, "\x00asm"},
		{secure, "GET", asset(t, "facemesh", ".json"), 200, ".json", immutable, "modelTopology"},
		{secure, "GET", asset(t, "facemesh", ".bin"), 200, ".bin", immutable, ""},
		{secure, "GET", "/app/index.html", 404, "", "", "NOT_FOUND"},
		{secure, "GET", "/app/nothing.js", 404, "", "", "NOT_FOUND"},
		{secure, "GET", "/app/..%2Fweb.go", 404, "", "", "NOT_FOUND"},
		{secure, "GET", "/app/people/nothing.css", 404, "", "", "NOT_FOUND"},
		{secure, "POST", "/app/today", 405, "", "", ""},
		{plain, "GET", "/app", 302, "", "", ""},
		{plain, "GET", "/app/", 200, ".html", revalidate, needsHTTPS},
		{plain, "GET", "/app/today", 200, ".html", revalidate, needsHTTPS},
		{plain, "HEAD", "/app/today", 200, ".html", revalidate, ""},
		{plain, "GET", "/app/nothing.js", 404, "", "", "NOT_FOUND"},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.method, " ", tt.path, " ", tt.app.Secure), func(t *testing.T) {
			res := do(serve(tt.app), tt.method, tt.path, nil)
			body, h := res.Body.String(), res.Header()
			if res.Code != tt.status || !strings.Contains(body, tt.contains) {
				t.Fatalf("%d %.200q, want %d with %q", res.Code, body, tt.status, tt.contains)
			}
			if tt.status == 302 && h.Get("Location") != Path {
				t.Errorf("Location %q", h.Get("Location"))
			}
			if tt.cache == "" {
				return
			}
			if got := h.Get("Cache-Control"); got != tt.cache {
				t.Errorf("Cache-Control %q, want %q", got, tt.cache)
			}
			if got := h.Get("Content-Type"); got != contentTypes[tt.contentType] {
				t.Errorf("Content-Type %q", got)
			}
			if h.Get("Content-Length") == "" {
				t.Error("no Content-Length")
			}
		})
	}
}

// TestHeaders compares the headers that keep the app to its server.
func TestHeaders(t *testing.T) {
	const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'STORE; img-src 'self' blob:STORE; " +
		"manifest-src 'self'; worker-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; " +
		"require-trusted-types-for 'script'; trusted-types lit-html workforce"
	for _, store := range []string{"", "https://files.wf.test"} {
		want := policy
		if store != "" {
			store = " " + store
		}
		want = strings.ReplaceAll(want, "STORE", store)
		a := App{Secure: true, Store: strings.TrimSpace(store)}
		for _, path := range []string{"/app/", "/app/today", asset(t, "index", ".js")} {
			h := do(serve(a), "GET", path, nil).Header()
			for name, want := range map[string]string{
				"Content-Security-Policy": want, "Permissions-Policy": "camera=(self), geolocation=(self)",
				"Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
			} {
				if got := h.Get(name); got != want {
					t.Errorf("%s: %s is %q, want %q", path, name, got, want)
				}
			}
		}
	}
}

// TestWorker checks that the worker that finds faces may compile WebAssembly, and asks this server
// alone, and that nothing else may; that what it loads is all of 4 MB at most; and that the licences of
// what is in it are told.
func TestWorker(t *testing.T) {
	const most = 4_000_000 // bytes
	const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; " +
		"require-trusted-types-for 'script'; trusted-types 'none'"
	h := serve(App{Secure: true, Store: "https://files.wf.test"})
	files, err := fs.Glob(dist, "dist/*")
	if err != nil {
		t.Fatal(err)
	}
	var may []string
	loaded := 0
	for _, name := range append(files, "dist/today") {
		name = Path + strings.TrimSuffix(path.Base(name), page)
		res := do(h, "GET", name, nil)
		got := res.Header().Get("Content-Security-Policy")
		if strings.Contains(got, "unsafe") {
			may = append(may, name)
			if got != policy {
				t.Errorf("%s: %q, want %q", name, got, policy)
			}
		}
		if slices.Contains(may, name) || slices.Contains([]string{".wasm", ".json", ".bin"}, path.Ext(name)) {
			loaded += res.Body.Len()
		}
	}
	if want := asset(t, "face-worker", ".js"); !slices.Equal(may, []string{want}) {
		t.Errorf("%q may compile, want %s alone", may, want)
	}
	if loaded > most || loaded < 2_000_000 {
		t.Errorf("what finds faces has %d bytes, want at most %d", loaded, most)
	}
	told := do(h, "GET", Path+licences, nil).Body.String()
	for _, name := range []string{"@tensorflow/tfjs-core", "@tensorflow/tfjs-backend-wasm", "@vladmandic/human", "MediaPipe"} {
		if !strings.Contains(told, name) {
			t.Errorf("no licence of %s", name)
		}
	}
}

// TestRevalidation checks that the page is not sent twice, and has one tag for GET and HEAD.
func TestRevalidation(t *testing.T) {
	for _, a := range []App{{Secure: true}, {}} {
		tag := do(serve(a), "GET", "/app/today", nil).Header().Get("ETag")
		if tag == "" || tag != do(serve(a), "HEAD", "/app/today", nil).Header().Get("ETag") {
			t.Errorf("ETag %q, for HEAD another", tag)
		}
		res := do(serve(a), "GET", "/app/people", http.Header{"If-None-Match": {tag}})
		if res.Code != http.StatusNotModified || res.Body.Len() != 0 {
			t.Errorf("%d with %d bytes, want 304", res.Code, res.Body.Len())
		}
	}
}

// TestScripts holds how large the scripts are, as gzip: of a screen, and of all that Today loads: the
// start, the frame, the search and the screen, with what they import.
func TestScripts(t *testing.T) {
	const mostOfScreen, mostOfToday = 25_000, 60_000 // bytes
	sizes, imports := map[string]int{}, map[string][]string{}
	imported := regexp.MustCompile(`(?:from|import)"\./([^"]+\.js)"`)
	var todo []string
	err := fs.WalkDir(dist, "dist", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if contentTypes[path.Ext(name)] == "" {
			t.Errorf("%s: no content type", name)
		}
		content, err := dist.ReadFile(name)
		if err != nil || path.Ext(name) != ".js" {
			return err
		}
		var zipped bytes.Buffer
		w := gzip.NewWriter(&zipped)
		_, _ = w.Write(content)
		_ = w.Close()
		if zipped.Len() > mostOfScreen && !strings.HasPrefix(path.Base(name), worker) {
			t.Errorf("%s has %d bytes, want at most %d", name, zipped.Len(), mostOfScreen)
		}
		base := path.Base(name)
		sizes[base] = zipped.Len()
		for _, match := range imported.FindAllSubmatch(content, -1) {
			imports[base] = append(imports[base], string(match[1]))
		}
		if screen, _, _ := strings.Cut(base, "-"); slices.Contains([]string{"index", "shell", "palette", "today"}, screen) {
			todo = append(todo, base)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	today, seen := 0, map[string]bool{}
	for ; len(todo) > 0; todo = todo[1:] {
		if !seen[todo[0]] {
			seen[todo[0]] = true
			today += sizes[todo[0]]
			todo = append(todo, imports[todo[0]]...)
		}
	}
	if today > mostOfToday || today < 20_000 || len(seen) < 8 {
		t.Errorf("Today loads %d bytes in %d scripts, want at most %d", today, len(seen), mostOfToday)
	}
}

// TestDistIsFresh compares the sources and the schema with the list of those that dist was built
// from, in the format of sha256sum.
func TestDistIsFresh(t *testing.T) {
	root := filepath.Join("..", "..")
	names, err := filepath.Glob(filepath.Join(root, "graph", "*.graphqls"))
	if err != nil {
		t.Fatal(err)
	}
	schema := filepath.Join(root, "web", "src", "api", "schema.ts") // as *.graphql.ts, made from graph/
	err = filepath.WalkDir(filepath.Join(root, "web"), func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "node_modules":
			return filepath.SkipDir
		case d.Type().IsRegular() && name != schema && !strings.HasSuffix(name, ".graphql.ts"):
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	lines := make([]string, 0, len(names))
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		name, err = filepath.Rel(root, name)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("%x  %s", sha256.Sum256(content), filepath.ToSlash(name)))
	}
	built, err := os.ReadFile("sources.sha256")
	if err != nil {
		t.Fatal(err)
	}
	of := strings.Split(strings.TrimSuffix(string(built), "\n"), "\n")
	for _, line := range lines {
		if !slices.Contains(of, line) {
			t.Errorf("dist is older than its sources, run web/build.sh: %s", line)
		}
	}
	if len(of) != len(lines) {
		t.Errorf("dist was built from %d files, there are %d: run web/build.sh", len(of), len(lines))
	}
}
