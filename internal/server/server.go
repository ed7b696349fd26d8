// Package server wires the whole server, listens and shuts down: New opens the
// database and builds the handlers, Server.Serve runs them and the jobs.
package server

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"workforce/graph"
	"workforce/internal/message"
	"workforce/internal/middleware"
	"workforce/internal/password"
)

// A Server answers HTTP and sends messages.
type Server struct {
	Store    *Store
	Resolver *graph.Resolver
	Handler  http.Handler // of the public listener
	Admin    http.Handler // metrics and profiles, of the admin listener
	OpenAPI  []byte       // openapi.json

	config   Config
	log      *slog.Logger
	draining atomic.Bool
}

// New wires the server and opens its database, which the caller closes. It does
// not listen yet. An error of the settings names the flag.
func New(ctx context.Context, s Config, log *slog.Logger) (*Server, error) {
	p, err := s.parse()
	if err != nil {
		return nil, err
	}
	db, err := OpenStore(ctx, s.Database, s.Migrate, log)
	if err != nil {
		return nil, err
	}
	db.warnIfNotDurable(ctx, log)
	srv := &Server{Store: db, config: s, log: log}
	if err := srv.wire(ctx, p); err != nil {
		_ = db.Close() // err tells more
		return nil, err
	}
	return srv, nil
}

func (srv *Server) wire(ctx context.Context, p parsed) error {
	s, log := srv.config, srv.log
	key, err := srv.Store.secretKey(ctx, s.SecretKeyFile)
	if err != nil {
		return err
	}
	now := s.now()
	r := graph.New(key, carrier(s, p, now, log))
	r.DB, r.Log, r.Now, r.Passwords = srv.Store.Ent, log, now, password.NewHasher()
	r.Country, r.Gate, r.Introspection = s.Country, p.gate, s.introspection()
	r.Base64Passwords = s.PasswordLegacy == "base64"
	r.Lifetimes, r.Limits.Registrations = s.lifetimes(), cmp.Or(s.RegistrationLimit, graph.DefaultLimits.Registrations)
	r.Answers = graph.NewAnswers(int64(s.Cache))
	srv.Resolver = r
	if s.Demo {
		if err := fillWithDemo(ctx, srv.Store, r); err != nil {
			return err
		}
	}
	if srv.OpenAPI, err = p.api.OpenAPI(apiInfo(p.publicURL)); err != nil {
		return err
	}
	metrics := prometheus.NewRegistry()
	metrics.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		collectors.NewDBStatsCollector(srv.Store.SQL, "workforce"))
	if r.Answers != nil {
		metrics.MustRegister(answerMetrics(r.Answers)...)
	}
	p.api.Admit = r.Admit
	mux, err := srv.routes(p.api, metrics)
	if err != nil {
		return err
	}
	srv.Admin = adminRoutes(metrics)
	srv.Handler = middleware.Wrap(mux, middleware.Config{
		PublicURL: p.publicURL, TrustedProxies: p.proxies, CORS: p.cors, Log: log, Metrics: metrics, Writes: p.api.Writes,
	})
	return nil
}

// answerMetrics are those of the response cache.
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

// carrier returns what sends messages: mail server and gateway where they are
// set, and the log for the rest.
func carrier(s Config, p parsed, now func() time.Time, log *slog.Logger) message.Carrier {
	all := message.Router{Log: message.Log{Log: log, ShowText: s.Demo}}
	if s.SMTPURL != "" {
		all.Mail = p.mail
	}
	if s.SMSURL != "" {
		all.Gateway = message.Gateway{
			URL: s.SMSURL, Secret: s.SMSSecret, CallbackURL: p.publicURL + CallbackPath,
			Now: now, Client: &http.Client{Timeout: 10 * time.Second},
		}
	}
	return all
}

// CallbackPath is where the gateway sends delivery reports.
const CallbackPath = "/messaging-gateway/callback"
