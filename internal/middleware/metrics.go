package middleware

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// instrument counts requests and measures their duration in seconds. The label
// route is the pattern that matched, empty for none. The mux stores it in the
// request, so the layers in between must pass on the same *http.Request.
func instrument(reg prometheus.Registerer) layer {
	metrics := promauto.With(reg)
	inFlight := metrics.NewGauge(prometheus.GaugeOpts{
		Name: "http_requests_in_flight", Help: "Requests being answered.",
	})
	total := metrics.NewCounterVec(prometheus.CounterOpts{
		Name: "http_requests_total", Help: "Requests answered.",
	}, []string{"route", "method", "code"})
	duration := metrics.NewHistogramVec(prometheus.HistogramOpts{
		Name: "http_request_duration_seconds", Help: "Time from a request's header to the end of its answer.",
	}, []string{"route", "method"})
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			inFlight.Inc()
			defer inFlight.Dec()
			start, out := time.Now(), record(w)
			next.ServeHTTP(out, r) // recovery logs a panic
			method := methodLabel(r.Method)
			if !isStream(r) { // which lasts as long as its client wants
				duration.WithLabelValues(r.Pattern, method).Observe(time.Since(start).Seconds())
			}
			total.WithLabelValues(r.Pattern, method, strconv.Itoa(cmp.Or(out.status, http.StatusOK))).Inc()
		})
	}
}

// methodLabel returns a method as promhttp writes it, and unknown for any other
// than the standard ones, so that clients cannot add labels without limit.
func methodLabel(method string) string {
	switch method {
	case http.MethodConnect, http.MethodOptions, http.MethodTrace:
	default:
		if !slices.Contains(methods, method) {
			return "unknown"
		}
	}
	return strings.ToLower(method)
}
