package middleware

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// instrument counts requests and measures how long they take, in seconds. The
// route is the pattern that matched, empty for none; it is read after the
// request, which must therefore reach the mux as the same value.
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
	route := promhttp.WithLabelFromRequest("route", func(r *http.Request) string { return r.Pattern })
	return func(next http.Handler) http.Handler {
		next = promhttp.InstrumentHandlerCounter(total, next, route)
		next = promhttp.InstrumentHandlerDuration(duration, next, route)
		return promhttp.InstrumentHandlerInFlight(inFlight, next)
	}
}
