package server

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"workforce/internal/request"
)

// operationMetrics are those of operations, sign-ins and clock events. All labels have few values: the
// fields of the schema, the codes of the catalogue, and the names of documents that the server knows. Names of
// what will go are those of the schema and of documents too.
type operationMetrics struct {
	durations                *prometheus.HistogramVec
	refusals, signIns, clock *prometheus.CounterVec
	deprecated               *prometheus.CounterVec
}

func newOperationMetrics(reg prometheus.Registerer) operationMetrics {
	metrics := promauto.With(reg)
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return metrics.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	return operationMetrics{
		durations: metrics.NewHistogramVec(prometheus.HistogramOpts{
			Name: "workforce_graphql_duration_seconds",
			Help: "Time from the check of an operation's caller to the end of its answer, by name of the document.",
		}, []string{"operation", "kind", "outcome"}),
		refusals: counter("workforce_refusals_total",
			"Calls of an operation's field that ended with an error, by its code.", "field", "code"),
		signIns: counter("workforce_sign_ins_total",
			"Proofs of identity: ok, or the code of the refusal.", "method", "outcome"),
		clock: counter("workforce_clock_events_total",
			"Clock-ins and clock-outs: ok, or the code of the refusal.", "event", "source", "outcome"),
		deprecated: counter("workforce_deprecated_uses_total",
			"Operations that use what will go, by its name in the schema or by its path.", "what"),
	}
}

// signInMethods are the fields by which people prove who they are.
var signInMethods = map[string]string{"login": "password", "verify": "code", "recoverAccount": "link"}

// clockEvents are the fields that record clock events.
var clockEvents = map[string]string{"clockIn": "in", "clockOut": "out"}

// ended counts an operation.
func (m operationMetrics) ended(op request.Operation, took time.Duration) {
	m.durations.WithLabelValues(op.Name, op.Kind, op.Outcome).Observe(took.Seconds())
	for _, what := range op.Deprecated {
		m.deprecated.WithLabelValues(what).Inc()
	}
}

// called counts a call of a root field.
func (m operationMetrics) called(ctx context.Context, field, outcome string) {
	if outcome != request.Succeeded {
		m.refusals.WithLabelValues(field, outcome).Inc()
	}
	if method := signInMethods[field]; method != "" {
		m.signIns.WithLabelValues(method, outcome).Inc()
	}
	event, source := clockEvents[field], request.From(ctx).ClockSource
	switch {
	case event == "" || source == "" && outcome == request.Succeeded: // the answer to an earlier request
	case source == "":
		m.clock.WithLabelValues(event, "unknown", outcome).Inc()
	default:
		m.clock.WithLabelValues(event, source, outcome).Inc()
	}
}

// closed counts a clock-out that a rule set.
func (m operationMetrics) closed() { m.clock.WithLabelValues("out", "auto", request.Succeeded).Inc() }

// buildInfo is 1, with the version and revision of the program as labels.
func buildInfo(version, revision string) prometheus.Collector {
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "workforce_build_info", Help: "1; the labels tell what runs.",
		ConstLabels: prometheus.Labels{"version": version, "revision": revision},
	})
	info.Set(1)
	return info
}
