// Package server wires the whole server, listens and shuts down: New opens the
// database and builds the handlers, Server.Serve runs them and the jobs.
package server

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"workforce/graph"
	"workforce/graph/connection"
	"workforce/internal/admission"
	"workforce/internal/app/auth/credential"
	"workforce/internal/app/notify"
	"workforce/internal/authentication"
	"workforce/internal/executor"
	"workforce/internal/message"
	"workforce/internal/middleware"
	"workforce/internal/rootfield"
)

// A Server answers HTTP and sends messages.
type Server struct {
	Store    *Store
	Services *Services
	Executor *executor.Executor
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
	srv := &Server{Store: db, config: s, log: log}
	if err := srv.wire(ctx, p); err != nil {
		_ = db.Close() // err tells more
		return nil, err
	}
	srv.warn(ctx)
	return srv, nil
}

func (srv *Server) wire(ctx context.Context, p parsed) error {
	s, log := srv.config, srv.log
	key, err := srv.Store.secretKey(ctx, s.SecretKeyFile)
	if err != nil {
		return fmt.Errorf("--secret-key-file: %w", err)
	}
	now := s.now()
	services := newServices(srv.Store.Ent, key, now, s, sender(s, p, now, log), log)
	srv.Services = services
	if s.Demo {
		if err := fillWithDemo(ctx, srv.Store, services); err != nil {
			return err
		}
	}
	if srv.OpenAPI, err = p.api.OpenAPI(apiInfo(p.publicURL)); err != nil {
		return err
	}
	metrics := prometheus.NewRegistry()
	metrics.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		collectors.NewDBStatsCollector(srv.Store.DB.Reader, "workforce"))
	schema := services.Schema()
	fields, err := rootfield.Load(schema.Schema())
	if err != nil {
		return fmt.Errorf("schema:\n%w", err)
	}
	credentials := credential.New()
	credentials.Watch(srv.Store.Ent)
	who := &authentication.Authenticator{DB: srv.Store.Ent, Now: now, Cache: credentials, Gate: p.gate, Fields: fields}
	srv.Executor = executor.New(schema, executor.Config{
		DB: srv.Store.Ent, Log: log, Now: now, RequestKey: key.Derive("requests"),
		Fields: fields, Authenticator: who, Audit: services.Audit, Limiter: services.Limiter,
		Responses: executor.NewResponseCache(int64(s.Cache)), Lanes: executor.NewLanes(), Introspection: s.introspection(),
		AroundFields: connection.Compiler(schema.Schema()).AroundFields, Types: graph.InputTypes(schema.Schema()),
	})
	if srv.Executor.Responses != nil {
		metrics.MustRegister(cacheMetrics(srv.Executor.Responses)...)
	}
	metrics.MustRegister(laneMetrics(srv.Executor.Lanes)...)
	p.api.Check, p.api.Admit = srv.Executor.Check, srv.Executor.Admit
	mux, err := srv.routes(p.api, who, metrics)
	if err != nil {
		return err
	}
	srv.Admin = adminRoutes(metrics)
	srv.Handler = middleware.Wrap(mux, middleware.Config{
		PublicURL: p.publicURL, TrustedProxies: p.proxies, CORS: p.cors, Log: log, Metrics: metrics, Writes: p.api.Writes,
	})
	return nil
}

// cacheMetrics are those of the response cache.
func cacheMetrics(c *executor.ResponseCache) []prometheus.Collector {
	return []prometheus.Collector{
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "workforce_cache_hits_total", Help: "Queries of the directory answered from the response cache.",
		}, func() float64 { return float64(c.Hits()) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "workforce_cache_misses_total", Help: "Queries of the directory that the database answered.",
		}, func() float64 { return float64(c.Misses()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "workforce_cache_bytes", Help: "Size of the response cache.",
		}, func() float64 { return float64(c.Bytes()) }),
	}
}

// laneMetrics are those of the lanes of operations.
func laneMetrics(lanes executor.Lanes) (all []prometheus.Collector) {
	for name, l := range map[string]*admission.Lane{"queries": lanes.Queries, "mutations": lanes.Mutations, "own": lanes.Own} {
		lane := prometheus.Labels{"lane": name}
		all = append(all,
			prometheus.NewGaugeFunc(prometheus.GaugeOpts{
				Name: "workforce_operations_running", Help: "Operations that run.", ConstLabels: lane,
			}, func() float64 { return float64(l.Running()) }),
			prometheus.NewGaugeFunc(prometheus.GaugeOpts{
				Name: "workforce_operations_waiting", Help: "Operations that wait for their turn.", ConstLabels: lane,
			}, func() float64 { return float64(l.Waiting()) }),
			prometheus.NewCounterFunc(prometheus.CounterOpts{
				Name: "workforce_operations_refused_total", Help: "Operations refused because too many waited already.", ConstLabels: lane,
			}, func() float64 { return float64(l.Refused()) }))
	}
	return all
}

// sender returns what sends messages: mail server and gateway where they are
// set, and the log for the rest.
func sender(s Config, p parsed, now func() time.Time, log *slog.Logger) notify.Sender {
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
