package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"workforce/ent"
	"workforce/graph"
	"workforce/internal/viewer"
)

// serveCmd serves the API until the process is told to stop.
type serveCmd struct {
	settings
}

// Run implements the command.
func (c *serveCmd) Run(ctx context.Context, io streams) error {
	tuneCollector()
	log, logFile, err := newLog(c.settings, io.err)
	if err != nil {
		return err
	}
	listener, err := listen(c.Addr)
	if err != nil {
		return errors.Join(err, logFile.Close())
	}
	srv, err := newServer(ctx, c.settings, log)
	if err != nil {
		return errors.Join(err, closeAll(logFile, listener))
	}
	c.announce(io.out, listener.Addr().String())
	err = srv.serve(ctx, listener, c.settings, log)
	return errors.Join(err, closeAll(logFile, srv.store))
}

// serve answers requests until ctx ends, then finishes those it accepted.
func (srv *server) serve(ctx context.Context, listener lastCall, s settings, log *slog.Logger) error {
	jobs, stopJobs := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	running.Go(func() { srv.resolver.Deliver(jobs) })
	running.Go(func() { srv.resolver.Clean(jobs) })
	running.Go(func() { giveBack(jobs) })
	defer running.Wait()
	defer stopJobs()

	public := httpServer(srv.closing(srv.handler), log)
	connections := &census{busy: map[net.Conn]bool{}}
	public.ConnState = connections.note
	failed, accepting := make(chan error, 2), make(chan struct{})
	go func() { defer close(accepting); failed <- public.Serve(listener) }()
	if s.AdminAddr != "" {
		admin := httpServer(srv.admin, log)
		admin.Addr, admin.WriteTimeout = s.AdminAddr, 0 // profiles take as long as they are asked to
		go func() { failed <- admin.ListenAndServe() }()
		defer admin.Close()
	}
	select {
	case err := <-failed:
		return errors.Join(err, public.Close())
	case <-ctx.Done():
	}
	log.Info("stopping", "timeout", s.ShutdownTimeout.String())
	return srv.drain(public, s.ShutdownTimeout, func(ctx context.Context) {
		if listener.stop() == nil { // which ends Serve; else Shutdown closes it
			<-accepting
		}
		connections.quiet(ctx)
	})
}

// drainDelay is how long the server goes on accepting requests after it said
// that it is not ready any more, so that balancers have time to hear it.
const drainDelay = time.Second

// drain stops the server: it is not ready from now on, accepts requests a little
// longer, and finishes what it accepted within the timeout. Shutdown drops the
// requests that it finds just read, so finish must wait for those.
func (srv *server) drain(public *http.Server, timeout time.Duration, finish func(context.Context)) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	srv.draining.Store(true)
	select {
	case <-ctx.Done():
	case <-time.After(drainDelay):
	}
	finish(ctx)
	if err := public.Shutdown(ctx); err != nil {
		return errors.Join(fmt.Errorf("stopping: %w", err), public.Close())
	}
	return nil
}

// closing has each connection end with its next answer once the server is about
// to stop. Closing idle ones at once would lose the requests on their way.
func (srv *server) closing(next http.Handler) http.Handler {
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

// demoPassword is everybody's in the demo companies.
const demoPassword = "demo-password"

// fillWithDemo fills an empty database with the demo companies.
func fillWithDemo(ctx context.Context, s *store, r *graph.Resolver) error {
	ctx = viewer.System(ent.NewContext(ctx, s.ent))
	filled, err := demoState(ctx, s.ent)
	if err != nil || filled {
		return err
	}
	hash, err := r.Passwords.Hash(ctx, demoPassword)
	if err != nil {
		return err
	}
	return seedDemo(ctx, s.ent, r.Now(), hash)
}

// announce prints where the server is, and with --demo how to try it.
func (c *serveCmd) announce(out io.Writer, addr string) {
	base := "http://" + addr
	fmt.Fprintf(out, "Workforce on %s\n\n", base)
	if c.Playground {
		fmt.Fprintf(out, "  playground  %s/playground\n", base)
	}
	if c.Docs {
		fmt.Fprintf(out, "  reference   %s/docs\n", base)
	}
	fmt.Fprintf(out, "  schema      %s/openapi.json\n  health      %s/healthz  %s/readyz  %s/metrics\n\n", base, base, base, base)
	if !c.Demo || c.SMSURL != "" || c.SMTPURL != "" { // the code would not be in the log
		return
	}
	const pick = `| sed 's/.*"%s":"\([^"]*\)".*/\1/')`
	fmt.Fprintf(out, "Try it from another shell; these lines work in order:\n\n")
	fmt.Fprintf(out, `DEVICE=$(curl -s --json '{"deviceId":"shell","platform":"web"}' %s/device/register `+pick+"\n", base, "deviceToken")
	fmt.Fprintf(out, `USER_TOKEN=$(curl -s --json '{"username":"admin@demo.test","password":"%s"}' -H "X-Device-Token: $DEVICE" %s/user/login `+pick+"\n",
		demoPassword, base, "userToken")
	fmt.Fprintf(out, `sleep 1; CODE=$(sed -n 's/.*msg=message.*text="\([0-9]\{6\}\) .*/\1/p' '%s' | tail -n 1); curl -s --json "{\"otp\":\"$CODE\"}" -H "X-Device-Token: $DEVICE" -H "x-User-Token: $USER_TOKEN" %s/authorize/verify; echo`+"\n",
		c.demoLog(), base)
	fmt.Fprintf(out, `ACCESS=$(curl -s -H "x-User-Token: $USER_TOKEN" %s/authorize/access-token `+pick+"\n", base, "accessToken")
	fmt.Fprintf(out, `curl -s -H "Authorization: Bearer $ACCESS" %s/user; echo`+"\n\n", base)
}
