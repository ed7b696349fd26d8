// Package middleware is what every request passes on its way to its handler and
// back: the facts of the request, the log, metrics, CORS, compression, entity
// tags, recovery from panics, and the router's own errors.
package middleware

import (
	"log/slog"
	"net/http"
	"net/netip"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/cors"
)

// Config says how requests are answered. The zero value works: nothing is
// trusted, logged, measured or shared with other origins.
type Config struct {
	PublicURL      string                // base of the links handed out
	TrustedProxies []netip.Prefix        // those whose X-Forwarded-For is believed; see ParseProxies
	CORS           *cors.Cors            // see ParseOrigins; nil: no CORS headers
	Log            *slog.Logger          // nil: no log
	Metrics        prometheus.Registerer // nil: none registered

	// Writes reports whether a pattern of GET changes something; HEAD is then
	// METHOD_NOT_ALLOWED. Nil: none does.
	Writes func(pattern string) bool
}

// A layer puts something around a handler.
type layer func(http.Handler) http.Handler

// Wrap puts everything that a request passes around mux. It panics when
// cfg.Metrics already has the metrics of another Wrap.
func Wrap(mux *http.ServeMux, cfg Config) http.Handler {
	log := cfg.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	layers := []layer{ // as a request passes them; an answer passes them from the last to the first
		facts(cfg),              // outermost, so that everything below knows the request's id
		accessLog(log),          // sees the status and size that leave
		instrument(cfg.Metrics), // likewise
		crossOrigin(cfg.CORS),   // preflights end here
		compress(),              // renders what the tags below were made for
		entityTags(),            // directly below compress: tags depend on the encoding
		recovery(log),           // innermost: those above would send what they hold of a failed answer
	}
	h := routes(mux, cfg.Writes)
	for _, l := range slices.Backward(layers) {
		h = l(h)
	}
	return h
}
