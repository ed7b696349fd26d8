package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"image/png"
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

	"workforce/internal/errs"
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
		{secure, "GET", "/app/sw.js", 200, ".js", revalidate, script},
		{secure, "GET", "/app/manifest.webmanifest", 200, ".webmanifest", revalidate, `"start_url": "/app/me"`},
		{secure, "GET", "/app/icon.svg", 200, ".svg", revalidate, "<svg"},
		{secure, "GET", "/app/icon-192.png", 200, ".png", revalidate, "PNG"},
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
	told := do(h, "GET", "/app/licenses.txt", nil).Body.String()
	libraries := []string{"@tensorflow/tfjs-core", "@tensorflow/tfjs-backend-wasm", "@vladmandic/human", "MediaPipe"}
	for _, name := range libraries {
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

// TestManifest looks for the files that an installed app names, and for the page that names the manifest.
func TestManifest(t *testing.T) {
	h := serve(App{Secure: true})
	const link = `rel="manifest" href="/app/manifest.webmanifest"`
	if body := do(h, "GET", "/app/me", nil).Body.String(); !strings.Contains(body, link) {
		t.Error("the page names no manifest")
	}
	var of struct {
		Scope string
		Icons []struct{ Src, Sizes, Type, Purpose string }
	}
	err := json.Unmarshal(do(h, "GET", "/app/manifest.webmanifest", nil).Body.Bytes(), &of)
	if err != nil || of.Scope != Path {
		t.Fatal(err, of.Scope)
	}
	var sizes []string
	for _, icon := range of.Icons {
		res := do(h, "GET", icon.Src, nil)
		if res.Code != 200 || res.Header().Get("Content-Type") != icon.Type {
			t.Errorf("%s: %d %s", icon.Src, res.Code, res.Header().Get("Content-Type"))
		}
		if got, err := png.DecodeConfig(res.Body); err == nil && fmt.Sprintf("%dx%d", got.Width, got.Height) != icon.Sizes {
			t.Errorf("%s: %d times %d, want %s", icon.Src, got.Width, got.Height, icon.Sizes)
		}
		sizes = append(sizes, icon.Sizes+icon.Purpose)
	}
	if got := strings.Join(sizes, " "); got != "any 192x192 512x512 512x512maskable" {
		t.Errorf("icons %s", got)
	}
}

// TestServiceWorker looks for what the service worker keeps: files that there are, with those of the start
// and of the phone's screens, which are small.
func TestServiceWorker(t *testing.T) {
	h, size := serve(App{Secure: true}), 0
	worker := do(h, "GET", "/app/sw.js", nil).Body.String()
	kept := regexp.MustCompile(`/app/[\w-]+\.(js|css)`).FindAllString(worker, -1)
	slices.Sort(kept)
	kept = slices.Compact(kept)
	for _, name := range kept {
		res := do(h, "GET", name, http.Header{"Accept-Encoding": {"gzip"}})
		if size += res.Body.Len(); res.Code != 200 {
			t.Errorf("%s: %d", name, res.Code)
		}
	}
	for _, name := range []string{"index", "shell", "sign-in", "me", "phone"} {
		if !slices.Contains(kept, asset(t, name, ".js")) {
			t.Errorf("%s is not kept", name)
		}
	}
	if size > 150_000 || !slices.Contains(kept, asset(t, "index", ".css")) {
		t.Errorf("%d bytes are kept: %v", size, kept)
	}
}

// TestRefusals compares the codes by which the app takes a clock event for refused with the errors of the
// API: the definite ones that clock events are refused by.
func TestRefusals(t *testing.T) {
	sources := map[string]string{}
	for name, file := range map[string]string{"app": "web/src/phone/sending.ts", "schema": "graph/attendance.graphqls"} {
		content, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		sources[name] = string(content)
	}
	_, list, _ := strings.Cut(sources["app"], "const refusals = new Set([")
	list, _, _ = strings.Cut(list, "]")
	docs, _, _ := strings.Cut(sources["schema"], "clockOut(input")
	code := regexp.MustCompile(`\b[A-Z]+(_[A-Z]+)+\b|\bCONFLICT\b`)
	want := append(code.FindAllString(docs, -1), "NOT_FOUND", "VALIDATION_FAILED", "IDEMPOTENCY_MISMATCH")
	got := code.FindAllString(list, -1)
	slices.Sort(got)
	slices.Sort(want)
	if want = slices.Compact(want); !slices.Equal(got, want) {
		t.Errorf("refusals %v, want %v", got, want)
	}
	for _, c := range got {
		if of, _ := errs.Describe(c); !slices.Contains([]int{404, 409, 422}, of.Status) {
			t.Errorf("%s has the status %d", c, of.Status)
		}
	}
}

// TestScripts holds how large the scripts are, as gzip: of a screen, and of all that is loaded before Today
// and the page of an employee show: the start, the frame, the search and the screen, with what they import.
func TestScripts(t *testing.T) {
	const mostOfScreen, mostToShow = 25_000, 60_000 // bytes
	sizes, imports := map[string]int{}, map[string][]string{}
	imported := regexp.MustCompile(`(?:from|import)"\./([^"]+\.js)"`)
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
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, screen := range []string{"today", "me"} {
		loaded, scripts := loads(sizes, imports, "index", "shell", "palette", screen)
		if loaded > mostToShow || loaded < 20_000 || scripts < 8 {
			t.Errorf("%s loads %d bytes in %d scripts, want at most %d", screen, loaded, scripts, mostToShow)
		}
	}
}

// loads returns how many bytes, by their sizes, and how many scripts are loaded for some, which are named
// without their hashes: those and all that they import.
func loads(sizes map[string]int, imports map[string][]string, names ...string) (size, count int) {
	var todo []string
	for script := range sizes {
		if name, _, _ := strings.Cut(script, "-"); slices.Contains(names, name) {
			todo = append(todo, script)
		}
	}
	seen := map[string]bool{}
	for ; len(todo) > 0; todo = todo[1:] {
		if !seen[todo[0]] {
			seen[todo[0]] = true
			size += sizes[todo[0]]
			todo = append(todo, imports[todo[0]]...)
		}
	}
	return size, len(seen)
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
