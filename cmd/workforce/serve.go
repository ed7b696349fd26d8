package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"workforce/internal/demo"
	"workforce/internal/server"
	"workforce/internal/telemetry"
)

// serveCmd serves the API until the process is told to stop.
type serveCmd struct {
	settings
	configFlag
}

// Run implements the command.
func (c *serveCmd) Run(ctx context.Context, io streams) error {
	if err := c.check(); err != nil {
		return err
	}
	config := c.config()
	config.Program = programVersion()
	config.ConfigFile = string(c.Config)
	config.Version, config.Revision, _ = thisBuild()
	log, logFile, err := server.NewLog(config, io.err)
	if err != nil {
		return err
	}
	if config.Tracer, err = telemetry.Open(config.Version, log); err != nil {
		return errors.Join(err, logFile.Close())
	}
	log = config.Tracer.Log(log)
	listener, err := server.Listen(c.Addr)
	if err != nil {
		return errors.Join(fmt.Errorf("--addr: %w", err), logFile.Close())
	}
	srv, err := server.New(ctx, config, log)
	if err != nil {
		return errors.Join(err, listener.Close(), logFile.Close())
	}
	err = srv.Serve(ctx, listener, func(admin string) {
		base := config.Scheme() + "://" + listener.Addr().String()
		metrics := base + "/metrics"
		if admin != "" {
			metrics = "http://" + admin + "/metrics"
		}
		public := cmp.Or(strings.TrimSuffix(c.PublicURL, "/"), base)
		if config.LogsJSON(io.err) {
			log.Info("serving", "url", base, "metrics", metrics)
			srv.KeepSetupLink(ctx, public)
			return
		}
		c.announce(io.out, base, metrics)
		if srv.SetupPath != "" {
			fmt.Fprintf(io.out, "Open this link within an hour to create the first company and its owner; "+
				"it works once:\n\n  %s%s\n\n", public, srv.SetupPath)
		}
	})
	err = errors.Join(err, srv.Store.Close())
	closeTracer(config.Tracer)
	return errors.Join(err, logFile.Close())
}

// lastSpans is how long the collector may take to take the last spans.
const lastSpans = 5 * time.Second

// closeTracer sends the last spans. It does not matter to the exit whether the collector takes them.
func closeTracer(t *telemetry.Tracer) {
	ctx, cancel := context.WithTimeout(context.Background(), lastSpans)
	defer cancel()
	_ = t.Close(ctx)
}

// announce prints where the server and its metrics are, as URLs, and with --demo how to try it.
func (c *serveCmd) announce(out io.Writer, base, metrics string) {
	fmt.Fprintf(out, "Workforce on %s\n\n", base)
	fmt.Fprintf(out, "  web app     %s/app/\n", base)
	if c.Playground {
		fmt.Fprintf(out, "  playground  %s/playground\n", base)
	}
	if c.Docs {
		fmt.Fprintf(out, "  reference   %s/docs\n", base)
	}
	fmt.Fprintf(out, "  schema      %s/openapi.json\n", base)
	fmt.Fprintf(out, "  health      %s/healthz  %s/readyz  %s\n\n", base, base, metrics)
	if !c.Demo || c.SMSURL != "" || c.SMTPURL != "" { // the code would not be in the log
		return
	}
	const pick = `| sed 's/.*"%s":"\([^"]*\)".*/\1/')`
	fmt.Fprintf(out, "Try it from another shell; these lines work in order:\n\n")
	fmt.Fprintf(out, `DEVICE=$(curl -s --json '{"deviceId":"shell","platform":"web"}' %s/device/register `+pick+"\n", base, "deviceToken")
	fmt.Fprintf(out, `USER_TOKEN=$(curl -s --json '{"username":"admin@demo.test","password":"%s"}' -H "X-Device-Token: $DEVICE" %s/user/login `+pick+"\n",
		demo.Password, base, "userToken")
	fmt.Fprintf(out, `sleep 1; until CODE=$(sed -n 's/.*msg=message.*text="\([0-9]\{6\}\) .*/\1/p' '%s' | tail -n 1 | grep .); do sleep 1; done; curl -s --json "{\"otp\":\"$CODE\"}" -H "X-Device-Token: $DEVICE" -H "x-User-Token: $USER_TOKEN" %s/authorize/verify; echo`+"\n",
		c.config().DemoLog(), base)
	fmt.Fprintf(out, `ACCESS=$(curl -s -H "x-User-Token: $USER_TOKEN" %s/authorize/access-token `+pick+"\n", base, "accessToken")
	fmt.Fprintf(out, `curl -s -H "Authorization: Bearer $ACCESS" %s/user; echo`+"\n\n", base)
}
