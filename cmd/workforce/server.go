package main

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/pprof"
	"os"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/vektah/gqlparser/v2/ast"

	"workforce/graph"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/middleware"
	"workforce/internal/pages"
	"workforce/internal/password"
	"workforce/internal/request"
	"workforce/rest"
)

// A server answers HTTP and sends messages.
type server struct {
	store    *store
	resolver *graph.Resolver
	handler  http.Handler
	admin    http.Handler // metrics and profiles
	openapi  []byte
	draining atomic.Bool
}

// newServer wires the server. It listens nowhere yet.
func newServer(ctx context.Context, s settings, log *slog.Logger) (*server, error) {
	p, err := s.parse()
	if err != nil {
		return nil, err
	}
	db, err := openStore(ctx, s.Database, s.Migrate, log)
	if err != nil {
		return nil, err
	}
	db.warnIfNotDurable(ctx, log)
	srv := &server{store: db}
	if err := srv.wire(ctx, s, p, log); err != nil {
		_ = db.Close() // err tells more
		return nil, err
	}
	return srv, nil
}

func (srv *server) wire(ctx context.Context, s settings, p parsed, log *slog.Logger) error {
	key, err := srv.store.secretKey(ctx, s.SecretKeyFile)
	if err != nil {
		return err
	}
	now := s.now()
	r := graph.New(key, carrier(s, p, now, log))
	r.DB, r.Log, r.Now, r.Passwords = srv.store.ent, log, now, password.NewHasher()
	r.Country, r.Gate, r.Introspection = s.Country, p.gate, s.introspection()
	r.Base64Passwords = s.PasswordLegacy == "base64"
	r.Lifetimes, r.Limits.Registrations = s.lifetimes(), cmp.Or(s.RegistrationLimit, graph.DefaultLimits.Registrations)
	r.Answers = graph.NewAnswers(int64(s.Cache))
	srv.resolver = r
	if s.Demo {
		if err := fillWithDemo(ctx, srv.store, r); err != nil {
			return err
		}
	}
	if srv.openapi, err = p.api.OpenAPI(apiInfo(p.publicURL)); err != nil {
		return err
	}
	metrics := prometheus.NewRegistry()
	metrics.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		collectors.NewDBStatsCollector(srv.store.db.Reader, "workforce"))
	if r.Answers != nil {
		metrics.MustRegister(answerMetrics(r.Answers)...)
	}
	p.api.Admit = r.Admit
	mux, err := srv.routes(p.api, s, metrics)
	if err != nil {
		return err
	}
	srv.admin = adminRoutes(metrics)
	srv.handler = middleware.Wrap(mux, middleware.Config{
		PublicURL: p.publicURL, TrustedProxies: p.proxies, CORS: p.cors, Log: log, Metrics: metrics, Writes: p.api.Writes,
	})
	return nil
}

// answerMetrics tell how much the kept answers are worth, and what they take.
func answerMetrics(a *graph.Answers) []prometheus.Collector {
	return []prometheus.Collector{
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "workforce_cache_hits_total", Help: "Queries of the directory answered with what was kept.",
		}, func() float64 { return float64(a.Hits()) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "workforce_cache_misses_total", Help: "Queries of the directory that the database answered.",
		}, func() float64 { return float64(a.Misses()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "workforce_cache_bytes", Help: "Memory that the kept answers take up.",
		}, func() float64 { return float64(a.Bytes()) }),
	}
}

// carrier returns what takes messages to people: mail server and gateway, as far
// as they are set, and the log for the rest.
func carrier(s settings, p parsed, now func() time.Time, log *slog.Logger) message.Carrier {
	all := message.Router{Log: message.Log{Log: log, ShowText: s.Demo}}
	if s.SMTPURL != "" {
		all.Mail = p.mail
	}
	if s.SMSURL != "" {
		all.Gateway = message.Gateway{
			URL: s.SMSURL, Secret: s.SMSSecret, CallbackURL: p.publicURL + callbackPath,
			Now: now, Client: &http.Client{Timeout: 10 * time.Second},
		}
	}
	return all
}

// callbackPath is where the gateway reports what became of messages.
const callbackPath = "/messaging-gateway/callback"

// loadAPI loads the operation documents, an operator's folder laid over the
// built-in ones.
func loadAPI(schema *ast.Schema, folder string) (*rest.API, error) {
	layers := []fs.FS{rest.Operations()}
	if folder != "" {
		if _, err := os.ReadDir(folder); err != nil {
			return nil, fmt.Errorf("operations: %w", err)
		}
		layers = append(layers, os.DirFS(folder))
	}
	api, err := rest.Load(schema, layers...)
	if err != nil {
		return nil, fmt.Errorf("operations:\n%w", err)
	}
	api.Scalars, api.Lists = graph.Scalars(), graph.Lists()
	return api, nil
}

// apiVersion is that of the paths and shapes in openapi.json, whichever build
// serves them.
const apiVersion = "1.0.0"

// apiInfo describes the service in openapi.json.
func apiInfo(publicURL string) rest.Info {
	info := rest.Info{Title: "Workforce", Version: apiVersion, Description: "The REST paths of the mobile apps."}
	if publicURL != "" {
		info.Servers = []string{publicURL}
	}
	return info
}

// routes lists every route of the server.
func (srv *server) routes(api *rest.API, s settings, metrics *prometheus.Registry) (*http.ServeMux, error) {
	mux := http.NewServeMux()
	executor := srv.resolver.Server(api)
	if err := api.Register(mux, executor); err != nil {
		return nil, err
	}
	mux.Handle("/graphql", executor)
	mux.Handle("POST "+callbackPath, srv.resolver.Callback(s.SMSSecret))
	mux.HandleFunc("GET /healthz", ok)
	mux.HandleFunc("GET /readyz", srv.ready)
	mux.HandleFunc("GET /openapi.json", srv.serveOpenAPI)
	if s.AdminAddr == "" {
		mux.Handle("GET /metrics", promhttp.HandlerFor(metrics, promhttp.HandlerOpts{}))
	}
	pages.Register(mux, pages.Config{Playground: s.Playground, Docs: s.Docs})
	return mux, nil
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

// ready answers /readyz: the database answers too, and the server is not about
// to stop.
func (srv *server) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	err := srv.store.db.Reader.PingContext(ctx)
	if err != nil || srv.draining.Load() {
		request.Fail(w, r, &errs.Error{Code: errs.Unavailable, Err: err})
		return
	}
	ok(w, r)
}

func (srv *server) serveOpenAPI(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "private, no-cache")
	_, _ = w.Write(srv.openapi) // the client may be gone
}
