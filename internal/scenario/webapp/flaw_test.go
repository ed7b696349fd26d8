package webapp

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// A flaw is what a flawed line does to sendings of clock events.
type flaw string

// The flaws.
const (
	before  flaw = "before"  // it breaks before the server hears of them
	after   flaw = "after"   // it breaks once the server has answered
	during  flaw = "during"  // it breaks within the answer
	portal  flaw = "portal"  // a network answers that wants a sign-in
	busy    flaw = "busy"    // a proxy answers that the server is away
	limited flaw = "limited" // the server wants to be asked later
	hold    flaw = "hold"    // it delays them
	keep    flaw = "keep"    // it delays the answers
)

// A flawed line leads to a server, and treats the next sendings of clock events as it is told. It may
// also bring another version of the app.
type flawed struct {
	*httptest.Server
	proxy *httputil.ReverseProxy
	now   func() time.Time

	mu      sync.Mutex
	down    bool
	flaw    flaw
	left    int // of the sendings that have the flaw
	free    chan struct{}
	held    chan struct{} // one for each that is delayed
	version int
}

// newFlawed returns a line to the address of a server, which works.
func newFlawed(t *testing.T, to string, now func() time.Time) *flawed {
	t.Helper()
	u, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	built := chunk(t, "index", ".css")
	f := &flawed{now: now, free: make(chan struct{}), held: make(chan struct{}, 100)}
	f.proxy = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(u)
			r.Out.Host = r.In.Host
			if strings.HasPrefix(r.In.URL.Path, "/app/") {
				r.Out.Header.Del("Accept-Encoding") // else versions could not be changed
				r.Out.Header.Del("If-None-Match")
				r.Out.URL.Path = versions.ReplaceAllString(r.Out.URL.Path, built)
			}
		},
		ModifyResponse: f.change,
		ErrorHandler:   func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	f.Server = httptest.NewServer(f)
	t.Cleanup(func() { f.set("up", 0); f.CloseClientConnections(); f.Close() })
	return f
}

// set changes what the line does: up, down, or a flaw of the next n clock events.
func (f *flawed) set(how string, n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.down, f.flaw, f.left = how == "down", flaw(how), n
	if f.down || how == "up" {
		f.left = 0
	}
	close(f.free)
	f.free = make(chan struct{})
}

// next returns the flaw of a request, "" for none, and what ends its delay.
func (f *flawed) next(clockEvent bool) (of flaw, down bool, free chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if clockEvent && f.left > 0 {
		f.left--
		of = f.flaw
	}
	return of, f.down, f.free
}

// ServeHTTP implements http.Handler.
func (f *flawed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	of, down, free := f.next(bytes.Contains(body, []byte(`"operationName":"SendClock`)))
	if down {
		panic(http.ErrAbortHandler)
	}
	switch of {
	case before:
		panic(http.ErrAbortHandler)
	case portal:
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<h1>Welcome to the café</h1>")
	case busy:
		http.Error(w, "<h1>Bad gateway</h1>", http.StatusBadGateway)
	case limited:
		w.Header().Set("Retry-After", "1")
		w.Header().Set("Date", f.now().UTC().Format(http.TimeFormat))
		http.Error(w, `{"code":"RATE_LIMITED","detail":"later"}`, http.StatusTooManyRequests)
	case hold:
		f.held <- struct{}{}
		<-free
		panic(http.ErrAbortHandler)
	case after, during, keep:
		answer := httptest.NewRecorder()
		f.proxy.ServeHTTP(answer, r)
		if of == keep {
			f.held <- struct{}{}
			<-free
		}
		if of == during {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", strconv.Itoa(answer.Body.Len()))
			_, _ = w.Write(answer.Body.Bytes()[:answer.Body.Len()/2])
			http.NewResponseController(w).Flush()
		}
		panic(http.ErrAbortHandler)
	default:
		f.proxy.ServeHTTP(w, r)
	}
}

// The styles of any version, and of those that are brought.
var (
	styles   = regexp.MustCompile(`index-[\w-]{8}\.css`)
	versions = regexp.MustCompile(`index-\d{8}\.css`)
)

// nextVersion brings one that has other styles, and so another service worker; it returns their name.
func (f *flawed) nextVersion() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.version++
	return f.stylesOf()
}

// stylesOf returns the name of the styles of the version; "" for those of the server.
func (f *flawed) stylesOf() string {
	if f.version == 0 {
		return ""
	}
	return fmt.Sprintf("index-%08d.css", f.version)
}

// change names the styles of the version in the page and the service worker.
func (f *flawed) change(r *http.Response) error {
	f.mu.Lock()
	name := f.stylesOf()
	f.mu.Unlock()
	of := r.Header.Get("Content-Type")
	if name == "" || !strings.HasPrefix(of, "text/html") && !strings.HasSuffix(r.Request.URL.Path, "/sw.js") {
		return nil
	}
	content, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	content = styles.ReplaceAll(content, []byte(name))
	r.Body = io.NopCloser(bytes.NewReader(content))
	r.Header.Set("Content-Length", strconv.Itoa(len(content)))
	r.Header.Del("ETag")
	return nil
}
