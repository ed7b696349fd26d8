// Package middleware provides what the server does around every handler: request
// info, access log, metrics, CORS, compression, entity tags, recovery from
// panics, and errors for requests that no route matches.
package middleware

import (
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/cors"

	"workforce/internal/telemetry"
)

// Config configures Wrap. The zero value trusts no proxy, logs nothing, registers
// no metrics, and allows no other origin.
type Config struct {
	PublicURL      string                // base of the links in responses
	TrustedProxies []netip.Prefix        // whose X-Forwarded-For is trusted; see ParseProxies
	CORS           *cors.Cors            // see ParseOrigins; nil: no CORS headers
	Log            *slog.Logger          // nil: no log
	Metrics        prometheus.Registerer // nil: none registered
	Tracer         *telemetry.Tracer     // nil: no traces
	Now            func() time.Time      // the clock of the Date that answers have; nil: that of the machine

	// Writes reports whether the GET of a pattern changes data; HEAD is then
	// METHOD_NOT_ALLOWED. Nil: no pattern does.
	Writes func(pattern string) bool

	// Unmatched wraps the handler of requests that no route matches, so that it knows
	// the caller's language. Nil: nothing does.
	Unmatched func(http.Handler) http.Handler
}

// A layer returns a handler that wraps another.
type layer func(http.Handler) http.Handler

// Wrap returns mux with all layers around it. It panics when cfg.Metrics already
// has the metrics of another Wrap.
func Wrap(mux *http.ServeMux, cfg Config) http.Handler {
	log := cfg.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	layers := []layer{ // from the outermost to the innermost
		requestInfo(cfg, log),   // outermost, so that all others know the request's id
		accessLog(log),          // sees the status and size that are sent
		instrument(cfg.Metrics), // likewise
		crossOrigin(cfg.CORS),   // preflights end here
		compress(),              // encodes what entityTags has tagged
		entityTags(),            // directly inside compress: tags depend on the encoding
		recovery(log),           // innermost: the others would send what they buffer of a failed response
	}
	if cfg.Tracer != nil { // outside of the log, whose line tells the trace
		layers = slices.Insert(layers, 1, traced(cfg.Tracer))
	}
	if cfg.Now != nil {
		layers = slices.Insert(layers, 1, dated(cfg.Now))
	}
	h := routes(mux, cfg)
	for _, l := range slices.Backward(layers) {
		h = l(h)
	}
	return h
}

// dated gives answers the Date of a clock, by which clients know how far theirs is off.
func dated(now func() time.Time) layer {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Date", now().UTC().Format(http.TimeFormat))
			next.ServeHTTP(w, r)
		})
	}
}
