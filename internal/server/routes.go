package server

import (
	"context"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

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
	"workforce/internal/token"
	"workforce/internal/web"
	"workforce/rest"
)

// routes lists every route of the server.
func (srv *Server) routes(
	api *rest.API, who *authentication.Authenticator, own origins, metrics *prometheus.Registry,
) (*http.ServeMux, error) {
	s, mux := srv.config, http.NewServeMux()
	api.File, api.Docs = srv.Blobs.Serve, s.Docs
	handler := srv.execute(api, who, own)
	if err := api.Register(mux, handler); err != nil {
		return nil, err
	}
	sessions, err := srv.sessions(who, own)
	if err != nil {
		return nil, err
	}
	sessions.Register(mux)
	web.App{Secure: own.areSecure(), Store: srv.Blobs.Origin()}.Register(mux)
	web.Widgets{Secure: own.areSecure()}.Register(mux)
	mux.Handle("/graphql", handler)
	mux.Handle("POST "+graphqlhttp.StreamPath, handler)
	mux.Handle("POST "+message.CallbackPath, message.Callback(s.SMSSecret, srv.Services.Now, srv.Services.Notify.Report,
		func(ctx context.Context, err error) error { return executor.Classify(ctx, srv.log, err) }))
	mux.Handle("GET "+blob.Path, srv.Blobs.Handler())
	mux.HandleFunc("GET /healthz", ok)
	mux.HandleFunc("GET /readyz", srv.ready)
	mux.HandleFunc("GET /openapi.json", srv.serveOpenAPI)
	bySignedIn := func(*http.Request) (rootfield.Needs, bool) {
		return rootfield.Needs{Kinds: []token.Kind{token.Access}}, true
	}
	mux.Handle("GET /schema.graphql", who.Wrap(http.HandlerFunc(srv.serveSchema), bySignedIn))
	if s.AdminAddr == "" {
		mux.Handle("GET /metrics", promhttp.HandlerFor(metrics, promhttp.HandlerOpts{}))
	}
	pages.Register(mux, pages.Config{Playground: s.Playground, Docs: s.Docs, Setup: srv.setup()})
	return mux, nil
}

// execute returns the handler of requests for the operations of documents, and for GraphQL.
func (srv *Server) execute(api *rest.API, who *authentication.Authenticator, own origins) http.Handler {
	needs, lanes := map[string]rootfield.Needs{}, map[string]*admission.Lane{}
	for pattern, op := range api.Definitions() {
		needs[pattern], lanes[pattern] = who.Fields.Needs(op), srv.Executor.Lanes.Of(op)
	}
	api.Check, api.Admit, api.End = srv.Executor.Check, srv.Executor.Admit, srv.Executor.End
	for _, text := range api.Texts() {
		srv.Executor.Known[text] = true
	}
	return shed(who.Wrap(own.guardWidgets(srv.Executor.Server(api)), func(r *http.Request) (rootfield.Needs, bool) {
		n, ok := needs[r.Pattern]
		return n, ok
	}), lanes)
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
// known, the secret key is that of the database, and the server is not about to stop.
func (srv *Server) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	err := srv.Store.ready(ctx)
	db := srv.Store.DB
	if err != nil || db.Full() || db.Malformed() || srv.Services.Secret.Lost() || srv.draining.Load() {
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

// serveSchema answers with the GraphQL schema whom introspection would tell it too.
func (srv *Server) serveSchema(w http.ResponseWriter, r *http.Request) {
	if !srv.Executor.MayIntrospect(r.Context()) {
		request.Fail(w, r, errs.New(errs.Forbidden, nil))
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "private, no-cache")
	_, _ = w.Write(SDL()) // the client may be gone
}
