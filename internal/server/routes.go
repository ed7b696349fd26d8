package server

import (
	"context"
	"net/http"
	"net/http/pprof"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/rs/cors"

	"workforce/internal/admission"
	"workforce/internal/authentication"
	"workforce/internal/blob"
	"workforce/internal/errs"
	"workforce/internal/executor"
	"workforce/internal/graphqlhttp"
	"workforce/internal/message"
	"workforce/internal/pages"
	"workforce/internal/request"
	"workforce/internal/rootfield"
	"workforce/rest"
)

// routes lists every route of the server.
func (srv *Server) routes(api *rest.API, who *authentication.Authenticator, metrics *prometheus.Registry) (*http.ServeMux, error) {
	s, mux := srv.config, http.NewServeMux()
	needs, lanes := map[string]rootfield.Needs{}, map[string]*admission.Lane{}
	for pattern, op := range api.Definitions() {
		needs[pattern], lanes[pattern] = who.Fields.Needs(op), srv.Executor.Lanes.Of(op)
	}
	api.File = srv.Blobs.Serve
	handler := shed(who.Wrap(srv.Executor.Server(api), func(r *http.Request) (rootfield.Needs, bool) {
		n, ok := needs[r.Pattern]
		return n, ok
	}), lanes)
	if err := api.Register(mux, handler); err != nil {
		return nil, err
	}
	mux.Handle("/graphql", handler)
	mux.Handle("POST "+graphqlhttp.StreamPath, handler)
	mux.Handle("POST "+CallbackPath, message.Callback(s.SMSSecret, srv.Services.Now, srv.Services.Notify.Report,
		func(ctx context.Context, err error) error { return executor.Classify(ctx, srv.log, err) }))
	mux.Handle("GET "+blob.Path, srv.Blobs.Handler())
	mux.HandleFunc("GET /healthz", ok)
	mux.HandleFunc("GET /readyz", srv.ready)
	mux.HandleFunc("GET /openapi.json", srv.serveOpenAPI)
	if s.AdminAddr == "" {
		mux.Handle("GET /metrics", promhttp.HandlerFor(metrics, promhttp.HandlerOpts{}))
	}
	pages.Register(mux, pages.Config{Playground: s.Playground, Docs: s.Docs, Setup: srv.setup()})
	return mux, nil
}

// loopbacks are the names by which a browser reaches its own machine.
var loopbacks = []string{"localhost", "127.0.0.1", "[::1]"}

// ownOrigins returns the origins of a server's own pages: that of publicURL, and those of all
// loopbacks where it is at one of them.
func ownOrigins(publicURL string) []string {
	u, err := url.Parse(publicURL)
	if err != nil {
		return []string{publicURL}
	}
	port := strings.TrimPrefix(u.Host, strings.TrimSuffix(u.Host, ":"+u.Port()))
	if !slices.Contains(loopbacks, strings.ToLower(strings.TrimSuffix(u.Host, port))) {
		return []string{u.Scheme + "://" + u.Host}
	}
	var own []string
	for _, name := range loopbacks {
		own = append(own, u.Scheme+"://"+name+port)
	}
	return own
}

// ownOrigin returns a function that reports whether the page which sent a request is one of
// the server's own or of the origins that may call it, or whether it is no page. The Host of
// a request is no authority: whoever leads a name of theirs to the server chooses it.
func ownOrigin(publicURL string, allowed *cors.Cors) func(*http.Request) bool {
	own := ownOrigins(publicURL)
	return func(r *http.Request) bool {
		origins := r.Header.Values("Origin")
		switch len(origins) {
		case 0:
			return true
		case 1:
			same := func(origin string) bool { return strings.EqualFold(origin, origins[0]) }
			return slices.ContainsFunc(own, same) || allowed != nil && allowed.OriginAllowed(r)
		}
		return false
	}
}

// shed refuses requests whose lane is full, before it costs more to find out who
// sends them, and after a while, for clients that ask again at once. The operations of other
// patterns are not known yet.
func shed(next http.Handler, lanes map[string]*admission.Lane) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if l := lanes[r.Pattern]; l != nil && l.Full() {
			l.Hold(r.Context())
			request.Fail(w, r, l.Refuse())
			return
		}
		next.ServeHTTP(w, r)
	})
}

// adminRoutes lists the routes of the second listener.
func adminRoutes(metrics *prometheus.Registry) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(metrics, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /healthz", ok)
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return mux
}

// ok answers /healthz: the process lives.
func ok(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte(`{"status":"ok"}`)) // the client may be gone
}

// ready answers /readyz: the database answers queries, has space and is whole as far as is
// known, and the server is not about to stop.
func (srv *Server) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	err := srv.Store.ready(ctx)
	db := srv.Store.DB
	if err != nil || db.Full() || db.Malformed() || srv.draining.Load() {
		request.Fail(w, r, &errs.Error{Code: errs.Unavailable, Err: err})
		return
	}
	ok(w, r)
}

func (srv *Server) serveOpenAPI(w http.ResponseWriter, r *http.Request) {
	text, err := srv.OpenAPI()
	if err != nil {
		request.Fail(w, r, executor.Classify(r.Context(), srv.log, err))
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "private, no-cache")
	_, _ = w.Write(text) // the client may be gone
}
