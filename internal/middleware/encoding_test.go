package middleware

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"
)

var (
	small = `{"text":"` + strings.Repeat("a", 100) + `"}`
	large = `{"text":"` + strings.Repeat("abcdefgh", 1000) + `"}`
	huge  = strings.Repeat("0123456789abcdef", maxTaggedSize/16+1)
)

// serve starts a server whose paths answer with the bodies above.
func serve(t *testing.T) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	answer := func(path, contentType, cacheControl, body string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", contentType)
			w.Header().Set("Cache-Control", cacheControl)
			body := body
			if r.URL.Query().Has("whole") {
				w.Header().Set("Content-Length", strconv.Itoa(len(body)))
			}
			for len(body) > 0 && r.URL.Query().Has("pieces") {
				n := min(len(body), 300)
				_, _ = io.WriteString(w, body[:n])
				body = body[n:]
			}
			_, _ = io.WriteString(w, body)
		})
	}
	answer("/small", "application/json", revalidate, small)
	answer("/large", "application/json", revalidate, large)
	answer("/token", "application/json", "no-store", large)
	answer("/image", "image/png", revalidate, large)
	answer("/sheet", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", revalidate, large)
	answer("/table", "text/csv", revalidate, large)
	answer("/huge", "text/plain", revalidate, huge)
	mux.HandleFunc("/missing", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", revalidate)
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, small)
	})
	mux.HandleFunc("/own", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", revalidate)
		w.Header().Set("ETag", `W/"own"`)
		_, _ = io.WriteString(w, small)
	})
	mux.HandleFunc("/flushed", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", revalidate)
		_, _ = io.WriteString(w, small)
		w.(http.Flusher).Flush()
	})
	mux.HandleFunc("/bodyless", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", revalidate)
		w.WriteHeader(http.StatusOK)
	})
	srv := httptest.NewServer(Wrap(mux, Config{}))
	t.Cleanup(srv.Close)
	return srv
}

// do sends a request over the wire, with headers given as name and value in
// turn; gzip is asked for only if they say so. The body comes as sent.
func do(t *testing.T, method, url string, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	transport := &http.Transport{DisableCompression: true, DisableKeepAlives: true}
	resp, err := transport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(body)
}

func gunzip(t *testing.T, text string) string {
	t.Helper()
	zr, err := gzip.NewReader(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(zr)
	if err != nil {
		t.Fatal(err)
	}
	return string(plain)
}

func TestCompression(t *testing.T) {
	srv := serve(t)
	tests := []struct {
		path, accept string
		gzip         bool
		want         string
	}{
		{"/large", "gzip", true, large},
		{"/large", "br, gzip;q=0.5", true, large},
		{"/large", "", false, large},
		{"/large", "gzip;q=0", false, large},
		{"/large", "br, zstd", false, large},
		{"/large?pieces", "gzip", true, large},
		{"/large?whole", "gzip", true, large},
		{"/large?whole", "", false, large},
		{"/large?pieces&whole", "gzip", true, large},
		{"/large?pieces&whole", "", false, large},
		{"/small", "gzip", false, small},
		{"/token", "gzip", true, large},
		{"/image", "gzip", false, large},
		{"/sheet", "gzip", false, large},
		{"/table", "gzip", false, large},
		{"/huge", "gzip", true, huge},
		{"/huge", "", false, huge},
	}
	for _, tt := range tests {
		t.Run(tt.path+" "+tt.accept, func(t *testing.T) {
			resp, body := do(t, "GET", srv.URL+tt.path, "Accept-Encoding", tt.accept)
			if got := resp.Header.Get("Content-Encoding") == "gzip"; got != tt.gzip {
				t.Fatalf("gzip %v, want %v", got, tt.gzip)
			}
			if tt.gzip {
				body = gunzip(t, body)
			}
			if body != tt.want {
				t.Errorf("%d bytes %.40q, want %d bytes %.40q", len(body), body, len(tt.want), tt.want)
			}
			if got := resp.Header.Values("Vary"); len(got) != 1 || !strings.Contains(got[0], "Accept-Encoding") {
				t.Errorf("Vary %q", got)
			}
		})
	}
}

func TestEntityTagRoundTrip(t *testing.T) {
	srv := serve(t)
	for _, path := range []string{"/small", "/large", "/large?pieces", "/large?whole", "/large?pieces&whole", "/image"} {
		for _, encoding := range []string{"identity", "gzip"} {
			t.Run(path+" "+encoding, func(t *testing.T) {
				first, _ := do(t, "GET", srv.URL+path, "Accept-Encoding", encoding)
				tag := first.Header.Get("ETag")
				if gz := first.Header.Get("Content-Encoding") == "gzip"; gz != strings.HasSuffix(tag, `-gzip"`) || len(tag) < 20 {
					t.Errorf("ETag %s, gzip %v", tag, gz)
				}
				second, body := do(t, "GET", srv.URL+path, "Accept-Encoding", encoding, "If-None-Match", tag)
				if second.StatusCode != 304 || body != "" || second.Header.Get("ETag") != tag {
					t.Fatalf("again: %d, ETag %s, body %q", second.StatusCode, second.Header.Get("ETag"), body)
				}
				for _, name := range []string{"Cache-Control", "Vary", "Content-Language", "X-Content-Type-Options"} {
					if got, want := second.Header.Get(name), first.Header.Get(name); got != want || got == "" {
						t.Errorf("304's %s: %q, want %q", name, got, want)
					}
				}
				for _, name := range []string{"Content-Type", "Content-Encoding"} {
					if got := second.Header.Get(name); got != "" {
						t.Errorf("304 has %s: %s", name, got)
					}
				}
				head, _ := do(t, "HEAD", srv.URL+path, "Accept-Encoding", encoding)
				if head.StatusCode != 200 || head.Header.Get("ETag") != tag ||
					head.Header.Get("Content-Encoding") != first.Header.Get("Content-Encoding") {
					t.Errorf("HEAD: %d %v, GET had %s", head.StatusCode, head.Header, tag)
				}
				head, _ = do(t, "HEAD", srv.URL+path, "Accept-Encoding", encoding, "If-None-Match", tag)
				if head.StatusCode != 304 {
					t.Errorf("HEAD again: %d, want 304", head.StatusCode)
				}
			})
		}
	}
}

func TestEntityTagOfOtherEncoding(t *testing.T) {
	srv := serve(t)
	plain, _ := do(t, "GET", srv.URL+"/large")
	zipped, _ := do(t, "GET", srv.URL+"/large", "Accept-Encoding", "gzip")
	a, b := plain.Header.Get("ETag"), zipped.Header.Get("ETag")
	if a == b {
		t.Fatalf("one tag for both encodings: %s", a)
	}
	if resp, _ := do(t, "GET", srv.URL+"/large", "If-None-Match", b); resp.StatusCode != 200 {
		t.Errorf("gzip's tag for the plain answer: %d, want 200", resp.StatusCode)
	}
	if resp, _ := do(t, "GET", srv.URL+"/large", "Accept-Encoding", "gzip", "If-None-Match", a+", "+b); resp.StatusCode != 304 ||
		resp.Header.Get("ETag") != b {
		t.Errorf("both tags: %d %s, want 304 %s", resp.StatusCode, resp.Header.Get("ETag"), b)
	}
}

func TestEntityTagSameOnAllInstances(t *testing.T) {
	a, _ := do(t, "GET", serve(t).URL+"/large")
	for _, way := range []string{"pieces", "whole"} {
		b, _ := do(t, "GET", serve(t).URL+"/large?"+way)
		if a.Header.Get("ETag") != b.Header.Get("ETag") {
			t.Errorf("%s and, written in another way (%s), %s", a.Header.Get("ETag"), way, b.Header.Get("ETag"))
		}
	}
}

func TestIfNoneMatch(t *testing.T) {
	srv := serve(t)
	first, _ := do(t, "GET", srv.URL+"/small")
	tag := first.Header.Get("ETag")
	tests := []struct {
		header string
		status int
	}{
		{tag, 304},
		{"W/" + tag, 304},
		{`"x", W/"y",` + tag, 304},
		{`"a,b" , ` + tag + " ", 304},
		{"*", 304},
		{"", 200},
		{`"x"`, 200},
		{`"*"`, 200},
		{strings.Trim(tag, `"`), 200},
		{`"` + strings.ToLower(tag), 200},
		{strings.Repeat(`"x",`, 5000), 200},
	}
	for _, tt := range tests {
		if resp, _ := do(t, "GET", srv.URL+"/small", "If-None-Match", tt.header); resp.StatusCode != tt.status {
			t.Errorf("%.60s: %d, want %d", tt.header, resp.StatusCode, tt.status)
		}
	}
	if resp, _ := do(t, "GET", srv.URL+"/small", "If-None-Match", `"x"`, "If-None-Match", tag); resp.StatusCode != 304 {
		t.Errorf("two lines: %d, want 304", resp.StatusCode)
	}
}

func TestNoEntityTag(t *testing.T) {
	srv := serve(t)
	tests := []struct {
		method, path string
		status       int
		tag          string
	}{
		{"GET", "/token", 200, ""},
		{"GET", "/missing", 404, ""},
		{"GET", "/huge", 200, ""},
		{"GET", "/flushed", 200, ""},
		{"HEAD", "/bodyless", 200, ""},
		{"POST", "/small", 200, ""},
		{"GET", "/own", 200, `W/"own"`},
	}
	for _, tt := range tests {
		resp, _ := do(t, tt.method, srv.URL+tt.path, "If-None-Match", "*")
		if got := resp.Header.Get("ETag"); resp.StatusCode != tt.status || got != tt.tag {
			t.Errorf("%s %s: %d, ETag %q; want %d, %q", tt.method, tt.path, resp.StatusCode, got, tt.status, tt.tag)
		}
	}
}

func TestEventStreamIsNotHeldBack(t *testing.T) {
	mux := http.NewServeMux()
	end := make(chan struct{})
	mux.HandleFunc("/graphql/stream", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Cache-Control", "no-cache")
		w.(http.Flusher).Flush()
		<-end
		_, _ = io.WriteString(w, "data: "+large+"\n\n")
	})
	srv := httptest.NewServer(Wrap(mux, Config{}))
	defer srv.Close()
	r, err := http.NewRequest("POST", srv.URL+"/graphql/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"Accept": {"text/event-stream"}, "Accept-Encoding": {"gzip"}}
	client := &http.Client{Timeout: 5 * time.Second}
	resp, err := client.Do(r) // returns on the header, before any event
	close(end)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil || string(body) != "data: "+large+"\n\n" || resp.Header.Get("Content-Encoding") != "" {
		t.Errorf("got %v %.40q, encoded %q", err, body, resp.Header.Get("Content-Encoding"))
	}
}

func TestHijack(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/graphql", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Upgrade", "websocket")
		w.Header().Set("Connection", "Upgrade")
		w.WriteHeader(http.StatusSwitchingProtocols)
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = io.WriteString(conn, "hello")
		_ = conn.Close()
	})
	srv := httptest.NewServer(Wrap(mux, Config{}))
	defer srv.Close()
	resp, body := do(t, "GET", srv.URL+"/graphql", "Connection", "Upgrade", "Upgrade", "websocket", "Accept-Encoding", "gzip")
	if resp.StatusCode != 101 || body != "hello" || resp.Header.Get("X-Req-Id") == "" {
		t.Errorf("got %d %q %v", resp.StatusCode, body, resp.Header)
	}
}

func TestHandlerSeesHead(t *testing.T) {
	var seen []string
	mux := http.NewServeMux()
	mux.HandleFunc("GET /x", func(w http.ResponseWriter, r *http.Request) { seen = append(seen, r.Method) })
	h := Wrap(mux, Config{})
	for _, encoding := range []string{"", "gzip"} {
		r := httptest.NewRequest("HEAD", "/x", nil)
		r.Header.Set("Accept-Encoding", encoding)
		h.ServeHTTP(httptest.NewRecorder(), r)
	}
	if strings.Join(seen, " ") != "HEAD HEAD" {
		t.Errorf("handler saw %v", seen)
	}
}
