package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"workforce/ent"
	"workforce/internal/demo"
	"workforce/internal/viewer"
)

// Serve answers requests on a listener, which it closes, and runs the jobs until
// ctx ends. It calls ready when the admin listener is there too, with its address; "" for
// none. It returns once the accepted requests are answered, or with an error when
// Config.ShutdownTimeout is over. The store stays open.
func (srv *Server) Serve(ctx context.Context, l *net.TCPListener, ready func(admin string)) error {
	listener := drainListener{l}
	if err := srv.firstLook(ctx); err != nil {
		return errors.Join(err, l.Close())
	}
	sides, admin, err := srv.listenSides()
	if err != nil {
		return errors.Join(err, l.Close())
	}
	ready(admin)
	jobs, stopJobs := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	running.Go(func() { srv.Services.Jobs.Run(jobs) })
	running.Go(func() { srv.makeFirstKey(jobs) })
	running.Go(func() { srv.checkFile(jobs) })
	running.Go(func() { srv.Services.Secret.Run(jobs) })
	running.Go(func() { releaseMemory(jobs) })
	running.Go(func() { srv.runCertificates(jobs) })
	if srv.clock != nil {
		running.Go(func() { srv.clock.Run(jobs) })
	}
	defer running.Wait()
	defer stopJobs()

	public := httpServer(srv.closing(srv.secured(srv.Handler)), srv.log)
	connections := &connTracker{busy: map[net.Conn]bool{}}
	public.ConnState = connections.track
	failed, accepting := make(chan error, 3), make(chan struct{})
	go func() { defer close(accepting); failed <- srv.serve(public, listener) }()
	for _, s := range sides {
		go func() { failed <- s.server.Serve(s.listener) }()
		defer s.server.Close()
	}
	select {
	case err := <-failed:
		return errors.Join(err, public.Close())
	case <-ctx.Done():
	}
	srv.log.Info("stopping", "timeout", srv.config.ShutdownTimeout.String())
	return srv.drain(public, srv.config.ShutdownTimeout, func(ctx context.Context) {
		if listener.stop() == nil { // which ends Serve; else Shutdown closes it
			<-accepting
		}
		connections.waitIdle(ctx)
	})
}

// A side is a listener besides the public one, and what answers there.
type side struct {
	listener net.Listener
	server   *http.Server
}

// listenSides listens on the addresses for operators and for plain HTTP, where they are set. It
// returns the address for operators; "" for none.
func (srv *Server) listenSides() (sides []side, admin string, err error) {
	if srv.config.AdminAddr != "" {
		l, err := net.Listen("tcp", srv.config.AdminAddr)
		if err != nil {
			return nil, "", err
		}
		profiles := httpServer(srv.Admin, srv.log)
		profiles.WriteTimeout = 0 // they take as long as they are asked to
		sides, admin = append(sides, side{l, profiles}), l.Addr().String()
	}
	if srv.config.HTTPAddr != "" {
		l, err := net.Listen("tcp", srv.config.HTTPAddr)
		if err != nil {
			for _, s := range sides {
				_ = s.listener.Close() // err tells more
			}
			return nil, "", fmt.Errorf("--http-addr: %w", err)
		}
		sides = append(sides, side{l, httpServer(srv.plain(), srv.log)})
	}
	return sides, admin, nil
}

// makeFirstKey makes the first key that passwords are encrypted for, which takes a
// second of CPU time, so that no request has to.
func (srv *Server) makeFirstKey(ctx context.Context) {
	if _, err := srv.Services.Auth.Passwords.Keys.All(ctx); err != nil {
		srv.log.Warn("making the first key for passwords", "error", err)
	}
}

// firstLook has the other instances know of this one before it serves. A database that takes no
// writes now is waited for.
func (srv *Server) firstLook(ctx context.Context) error {
	err := srv.Services.Secret.Look(ctx)
	if srv.Services.Secret.Lost() {
		return fmt.Errorf("--secret-key-file: %w", err)
	}
	if err != nil {
		srv.log.WarnContext(ctx, "secret key", "error", err)
	}
	return nil
}

// checkFile reads a SQLite file that the process before did not close, or found malformed. A
// malformed one is not written to from then on.
func (srv *Server) checkFile(ctx context.Context) {
	if err := srv.Store.DB.CheckFile(ctx); err != nil && ctx.Err() == nil {
		srv.log.Warn("reading the database file", "error", err)
	}
}

// drainDelay is how long the server accepts requests after /readyz began to fail,
// so that load balancers have time to notice.
const drainDelay = time.Second

// drain stops the server: /readyz fails from now on, requests are accepted for
// drainDelay, and accepted requests may finish within the timeout. Shutdown drops
// requests whose header it is reading, so finish must wait for those.
func (srv *Server) drain(public *http.Server, timeout time.Duration, finish func(context.Context)) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	srv.draining.Store(true)
	select {
	case <-ctx.Done():
	case <-time.After(drainDelay):
	}
	srv.endStreams(ctx)
	finish(ctx)
	if err := public.Shutdown(ctx); err != nil {
		return errors.Join(fmt.Errorf("stopping: %w", err), public.Close())
	}
	return nil
}

// streamTime is how long connections for subscriptions may take to agree to their end.
const streamTime = 3 * time.Second

func (srv *Server) endStreams(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, streamTime)
	defer cancel()
	srv.Services.Live.Stop(ctx)
}

// closing closes each connection after its next answer once the server is
// stopping. Closing idle connections at once would lose requests in transit.
func (srv *Server) closing(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if srv.draining.Load() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// httpServer bounds how long a client may take and how much it may send.
func httpServer(h http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       60 * time.Second,
		MaxHeaderBytes:    28 << 10, // net/http reads 4 KiB more, which makes 32
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}

// demoTime is how long it may take to fill the demo: the largest one is millions of rows.
const demoTime = 24 * time.Hour

// fillWithDemo fills an empty database with the demo companies, and adds the large company
// that --demo-scale asks for.
func (srv *Server) fillWithDemo(ctx context.Context) error {
	db, services := srv.Store.Ent, srv.Services
	ctx, cancel := context.WithTimeout(viewer.System(ent.NewContext(ctx, db)), demoTime)
	defer cancel()
	hash := func(ctx context.Context) (string, error) { return services.Hasher.Hash(ctx, demo.Password) }
	filled, err := demo.Filled(ctx, db)
	if err != nil {
		return err
	}
	if !filled {
		passwordHash, err := hash(ctx)
		if err != nil {
			return err
		}
		if err := demo.Fill(ctx, db, services.Now(), passwordHash); err != nil {
			return err
		}
	}
	if err := demo.AddAvatar(ctx, db, services.Files, services.Now()); err != nil {
		return err
	}
	if !filled {
		if err := demo.AddReport(ctx, db, services.Reports, services.Now()); err != nil {
			return err
		}
	}
	return demo.FillLarge(ctx, db, srv.log, services.Now(), srv.config.DemoScale, hash)
}
