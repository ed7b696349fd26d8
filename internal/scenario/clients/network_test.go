package clients

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// A flaw is what a network does to a request.
type flaw string

// The flaws.
const (
	before  flaw = "before"  // it breaks before the server hears of it
	after   flaw = "after"   // it breaks once the server has answered
	during  flaw = "during"  // it breaks within the answer
	portal  flaw = "portal"  // somebody else answers, who wants a sign-in
	gateway flaw = "gateway" // a proxy answers that the server is away
	limited flaw = "limited" // the server wants to be asked later
	busy    flaw = "busy"    // the server takes on no more just now
	keep    flaw = "keep"    // it delays the answer, until the client is gone or it is freed
)

// later is what limited and busy ask for: more than a client waits by itself at first.
const later = 2 * time.Second

// A network leads to a server, and treats the next requests of a path as it is told.
type network struct {
	*httptest.Server
	proxy *httputil.ReverseProxy

	mu    sync.Mutex
	down  bool
	flaws map[string][]flaw // of the next requests, by path
	seen  []sighting
	kept  chan struct{} // one for each answer that is kept
	free  chan struct{} // closed for all that are
}

// A sighting is a request that a client sent.
type sighting struct {
	at              time.Time
	path, key, body string
}

func newNetwork(t *testing.T, to string) *network {
	t.Helper()
	u, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	n := &network{flaws: map[string][]flaw{}, kept: make(chan struct{}, 100), free: make(chan struct{})}
	n.proxy = &httputil.ReverseProxy{
		Rewrite:      func(r *httputil.ProxyRequest) { r.SetURL(u) },
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	n.Server = httptest.NewServer(n)
	t.Cleanup(func() { n.CloseClientConnections(); n.Close() })
	return n
}

// next gives the next requests of a path flaws, one each.
func (n *network) next(path string, flaws ...flaw) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.flaws[path] = append(n.flaws[path], flaws...)
}

// set has the network lead to the server, or nowhere.
func (n *network) set(up bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.down = !up
}

// sent returns the requests of a path so far, those of airplane mode too.
func (n *network) sent(path string) (all []sighting) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, s := range n.seen {
		if s.path == path {
			all = append(all, s)
		}
	}
	return all
}

// note keeps that a request came, and returns its flaw; "" for none.
func (n *network) note(s sighting) (of flaw) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.seen = append(n.seen, s)
	if n.down {
		return before
	}
	if next := n.flaws[s.path]; len(next) > 0 {
		of, n.flaws[s.path] = next[0], next[1:]
	}
	return of
}

// ServeHTTP implements http.Handler.
func (n *network) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	switch of := n.note(sighting{time.Now(), r.URL.Path, r.Header.Get("Idempotency-Key"), string(body)}); of {
	case before:
		panic(http.ErrAbortHandler)
	case portal:
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<h1>Welcome to the café</h1>")
	case gateway:
		http.Error(w, "<h1>Bad gateway</h1>", http.StatusBadGateway)
	case limited:
		refuse(w, http.StatusTooManyRequests, "RATE_LIMITED")
	case busy:
		refuse(w, http.StatusServiceUnavailable, "UNAVAILABLE")
	case after, during, keep:
		answer := httptest.NewRecorder()
		n.proxy.ServeHTTP(answer, r)
		if of == keep {
			n.kept <- struct{}{}
			select {
			case <-r.Context().Done():
			case <-n.free:
				maps.Copy(w.Header(), answer.Header())
				w.WriteHeader(answer.Code)
				_, _ = w.Write(answer.Body.Bytes())
				return
			}
		}
		if of == during {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", strconv.Itoa(answer.Body.Len()))
			_, _ = w.Write(answer.Body.Bytes()[:answer.Body.Len()/2])
			_ = http.NewResponseController(w).Flush()
		}
		panic(http.ErrAbortHandler)
	default:
		n.proxy.ServeHTTP(w, r)
	}
}

// refuse answers as the server does.
func refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Retry-After", strconv.Itoa(int(later/time.Second)))
	w.WriteHeader(status)
	_, _ = io.WriteString(w, strings.ReplaceAll(`{"code":"?","detail":"later","errors":[],"meta":{}}`, "?", code))
}
