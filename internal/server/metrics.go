package server

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"workforce/ent"
	"workforce/ent/message"
	"workforce/internal/admission"
	"workforce/internal/errs"
	"workforce/internal/executor"
	"workforce/internal/viewer"
)

// newMetrics returns the registry of the process and of its database.
func newMetrics(s *Store, now func() time.Time) *prometheus.Registry {
	metrics := prometheus.NewRegistry()
	metrics.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		collectors.NewDBStatsCollector(s.DB.Reader, "workforce"), &outboxCollector{db: s.Ent, now: now, every: outboxInterval})
	return metrics
}

// refusals counts the refused calls of root fields. Both labels have few values: the
// fields of the schema and the codes of the catalogue.
func refusals() (*prometheus.CounterVec, func(field string, code errs.Code)) {
	refused := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "workforce_refusals_total", Help: "Calls of an operation's field that ended with an error, by its code.",
	}, []string{"field", "code"})
	return refused, func(field string, code errs.Code) { refused.WithLabelValues(field, code.String()).Inc() }
}

// executorMetrics are those of the lanes, the response cache and idempotency keys.
func executorMetrics(e *executor.Executor) []prometheus.Collector {
	list := []prometheus.Collector{prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "workforce_idempotency_claims_in_progress", Help: "Requests with an Idempotency-Key that this process is running.",
	}, func() float64 { return float64(e.ClaimsInProgress()) })}
	list = append(list, laneMetrics(e.Lanes)...)
	if e.Responses != nil {
		list = append(list, cacheMetrics(e.Responses)...)
	}
	return list
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

const (
	outboxInterval = 5 * time.Second // for which what was read is shown again
	outboxTimeout  = 2 * time.Second // of reading it
)

// An outboxCollector reads from the database how many messages wait and failed, those
// of all instances. While the database is away it shows nothing.
type outboxCollector struct {
	db    *ent.Client
	now   func() time.Time
	every time.Duration

	mu    sync.Mutex
	until time.Time // of the process's clock: how long list holds
	list  []prometheus.Metric
}

var (
	messagesDesc = prometheus.NewDesc("workforce_messages", "Stored messages that wait to be sent (queued), or were given up (failed).", []string{"status"}, nil)
	oldestDesc   = prometheus.NewDesc("workforce_messages_oldest_queued_seconds", "Age of the oldest message that waits to be sent; 0 for none.", nil, nil)
)

// Describe implements prometheus.Collector.
func (o *outboxCollector) Describe(out chan<- *prometheus.Desc) {
	out <- messagesDesc
	out <- oldestDesc
}

// Collect implements prometheus.Collector.
func (o *outboxCollector) Collect(out chan<- prometheus.Metric) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if now := time.Now(); !now.Before(o.until) {
		ctx, cancel := context.WithTimeout(viewer.System(context.Background()), outboxTimeout)
		defer cancel()
		o.list, o.until = o.read(ctx), now.Add(o.every)
	}
	for _, m := range o.list {
		out <- m
	}
}

func (o *outboxCollector) read(ctx context.Context) (list []prometheus.Metric) {
	for _, status := range []message.Status{message.StatusQueued, message.StatusFailed} {
		n, err := o.db.Message.Query().Where(message.StatusEQ(status)).Count(ctx)
		if err != nil {
			return nil
		}
		list = append(list, prometheus.MustNewConstMetric(messagesDesc, prometheus.GaugeValue, float64(n), string(status)))
	}
	age := time.Duration(0)
	oldest, err := o.db.Message.Query().Where(message.StatusEQ(message.StatusQueued)).Order(ent.Asc(message.FieldCreatedAt)).First(ctx)
	switch {
	case err == nil:
		age = max(0, o.now().Sub(oldest.CreatedAt))
	case !ent.IsNotFound(err):
		return nil
	}
	return append(list, prometheus.MustNewConstMetric(oldestDesc, prometheus.GaugeValue, age.Seconds()))
}
