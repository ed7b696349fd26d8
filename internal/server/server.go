// Package server wires the whole server, listens and shuts down: New opens the
// database and builds the handlers, Server.Serve runs them and the jobs.
package server

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"workforce/graph/connection"
	"workforce/internal/app/auth/credential"
	"workforce/internal/authentication"
	"workforce/internal/blob"
	"workforce/internal/broker"
	"workforce/internal/certificate"
	"workforce/internal/database"
	"workforce/internal/executor"
	"workforce/internal/graphqlhttp"
	"workforce/internal/message"
	"workforce/internal/middleware"
	"workforce/internal/persisted"
	"workforce/internal/rootfield"
	"workforce/internal/sealed"
	"workforce/internal/web"
	"workforce/rest"
)

// A Server answers HTTP and sends messages.
type Server struct {
	Store      *Store
	Blobs      *blob.Store // the file store
	Services   *Services
	Executor   *executor.Executor
	Identities *credential.Cache
	Handler    http.Handler           // of the public listener
	Admin      http.Handler           // metrics and profiles, of the admin listener
	OpenAPI    func() ([]byte, error) // returns openapi.json, made by the first call
	SetupPath  string                 // path and query of the link that creates the first company; "" where it is not to be shown

	config       Config
	certificates certificates           // of the public listener; nil for plain HTTP
	authority    *certificate.Authority // that issues them; nil for files
	clock        *database.Clock        // nil on SQLite and where the settings fix the clock
	log          *slog.Logger
	draining     atomic.Bool
}

// New wires the server and opens its database, which the caller closes. It does
// not listen yet. An error of the settings names the flag.
func New(ctx context.Context, s Config, log *slog.Logger) (*Server, error) {
	p, err := s.parse()
	if err != nil {
		return nil, err
	}
	documents := sync.OnceValues(p.documents)
	go documents() // while the database is opened
	db, err := OpenStore(ctx, s.Database, s.Migrate, log)
	if err != nil {
		return nil, err
	}
	srv := &Server{Store: db, config: s, log: log}
	if err = db.checkSynced(ctx); err == nil {
		err = srv.wire(ctx, p, documents)
	}
	if err == nil {
		err = srv.scheduleBackups(ctx)
	}
	if err != nil {
		_ = db.Close() // err tells more
		return nil, err
	}
	srv.warn(ctx)
	return srv, nil
}

// documents returns the operation documents that are served.
func (p parsed) documents() (*rest.API, error) {
	if p.api != nil {
		return p.api, nil
	}
	return LoadAPI("")
}

func (srv *Server) wire(ctx context.Context, p parsed, documents func() (*rest.API, error)) error {
	s, log := srv.config, srv.log
	keys, err := srv.Store.secretKeys(ctx, s.SecretKeyFile)
	if err != nil {
		return fmt.Errorf("--secret-key-file: %w", err)
	}
	now := s.now()
	if srv.clock = s.measuredClock(srv.Store.DB, log); srv.clock != nil {
		if err := srv.clock.Measure(ctx); err != nil {
			return err
		}
		now = srv.clock.Now
	}
	if err := srv.openFiles(ctx, p.publicURL, keys, now); err != nil {
		return err
	}
	services := newServices(srv.Store.Ent, srv.Blobs, keys, now, s, sender(s, p, now, log), log)
	srv.Services = services
	if err := srv.Store.claimFiles(ctx, srv.Blobs, s.filesURL(), services.Files.Knows); err != nil {
		return fmt.Errorf("--files: %w", err)
	}
	services.Reports.PublicURL, services.Reports.Fonts = p.publicURL, p.fonts
	srv.removeSetupLink(ctx)
	if err := srv.firstPeople(ctx); err != nil {
		return err
	}
	metrics := newMetrics(srv.Store, srv.clock, now)
	metrics.MustRegister(buildInfo(cmp.Or(s.Version, "unknown"), s.Revision))
	if err := srv.openCertificates(p, keys, metrics); err != nil {
		return err
	}
	seen := newOperationMetrics(metrics)
	services.Days.Closed = seen.closed
	own := ownOrigins(p.publicURL)
	schema := services.Schema()
	fields, err := rootfield.Load(schema.Schema())
	if err != nil {
		return fmt.Errorf("schema:\n%w", err)
	}
	srv.Identities = credential.New()
	srv.Identities.Watch(srv.Store.Ent)
	services.Live.Watch(srv.Identities)
	services.Live.Dialect = srv.Store.DB.Dialect
	if services.Live.Broker, err = broker.Open(s.Broker, log); err != nil {
		return fmt.Errorf("--broker: %w", err)
	}
	who := &authentication.Authenticator{DB: srv.Store.Ent, Now: now, Cache: srv.Identities, Gate: p.gate, Fields: fields}
	hashes, err := s.hashes(schema.Schema(), p.trusted)
	if err != nil {
		return err
	}
	srv.Executor = executor.New(schema, executor.Config{
		DB: srv.Store.Ent, Dialect: srv.Store.DB.Dialect, Log: log, Now: now, RequestKey: keys.Derive("requests"),
		Fields: fields, Authenticator: who, Audit: services.Audit, Limiter: services.Limiter,
		Responses: executor.NewResponseCache(int64(s.Cache)), Lanes: executor.NewLanes(fields, srv.Store.DB.Dialect), Introspection: s.introspection(),
		Hashes: hashes,
		Types:  inputTypes(), AroundRootFields: connection.AroundRootFields,
		AroundFields: []graphql.FieldMiddleware{connection.HideDetails, connection.Compiler(schema.Schema(), srv.Blobs.Link, now).AroundFields, connection.Links(srv.Blobs.Link)},
		Known:        hashes.Known(), Ended: seen.ended, Called: seen.called,
		Live: services.Live, Origin: own.orAllowed(p.cors), AroundEvents: connection.AroundEvents,
	})
	metrics.MustRegister(append(executorMetrics(srv.Executor), liveMetrics(services.Live)...)...)
	api, err := documents()
	if err != nil {
		return err
	}
	srv.OpenAPI = sync.OnceValues(func() ([]byte, error) { return api.OpenAPI(apiInfo(p.publicURL)) })
	mux, err := srv.routes(api, who, own, metrics)
	if err != nil {
		return err
	}
	srv.Admin = adminRoutes(metrics)
	srv.Handler = middleware.Wrap(mux, middleware.Config{
		PublicURL: p.publicURL, TrustedProxies: p.proxies, CORS: p.cors, Log: log, Metrics: metrics, Tracer: s.Tracer,
		Writes: api.Writes, Now: now, Unmatched: func(h http.Handler) http.Handler {
			return who.Wrap(h, func(*http.Request) (rootfield.Needs, bool) { return rootfield.Needs{}, false })
		},
	})
	return nil
}

// openFiles opens the file store.
func (srv *Server) openFiles(ctx context.Context, publicURL string, keys *sealed.Ring,
	now func() time.Time) (err error) {
	links := blob.Config{PublicURL: publicURL, Keys: keys.Derive("file links"), Now: now}
	if srv.Blobs, err = blob.Open(ctx, srv.config.filesURL(), links); err != nil {
		return fmt.Errorf("--files: %w", err)
	}
	return nil
}

// firstPeople fills the demo's company, or offers to make the first one.
func (srv *Server) firstPeople(ctx context.Context) error {
	if srv.config.Demo {
		return srv.fillWithDemo(ctx)
	}
	return srv.offerSetup(ctx)
}

// hashes returns the documents that clients may name by their hash.
func (s Config) hashes(schema *ast.Schema, trusted persisted.Manifest) (graphqlhttp.Hashes, error) {
	own, err := web.Documents()
	if err != nil {
		return graphqlhttp.Hashes{}, err
	}
	h := graphqlhttp.Hashes{Own: own, Trusted: trusted}
	if err := graphqlhttp.CheckDocuments(schema, trusted); err != nil {
		return h, fmt.Errorf("--trusted-documents: %w", err)
	}
	if s.PersistedQueries {
		h.Kept = persisted.NewStore(s.now())
	}
	return h, nil
}

// sender returns what sends messages: mail server and gateway where they are
// set, and with the demo the log for the rest.
func sender(s Config, p parsed, now func() time.Time, log *slog.Logger) message.Router {
	var all message.Router
	if s.Demo {
		all.Log = message.Log{Log: log}
	}
	if s.SMTPURL != "" {
		all.Mail = p.mail
	}
	if s.SMSURL != "" {
		all.Gateway = message.Gateway{
			URL: s.SMSURL, Secret: s.SMSSecret, CallbackURL: p.publicURL + message.CallbackPath,
			Now: now, Client: &http.Client{Timeout: 10 * time.Second},
		}
	}
	return all
}
