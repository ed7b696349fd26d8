package server

import (
	"context"
	"math"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"workforce/ent"
	entJob "workforce/ent/job"
	entMessage "workforce/ent/message"
	"workforce/ent/predicate"
	"workforce/internal/admission"
	"workforce/internal/app/live"
	"workforce/internal/app/organization"
	"workforce/internal/app/policysql"
	"workforce/internal/database"
	"workforce/internal/executor"
	"workforce/internal/viewer"
)

// newMetrics returns the registry of the process and of its database. clock is the measured one; nil for none.
func newMetrics(s *Store, clock *database.Clock, now func() time.Time) *prometheus.Registry {
	metrics := prometheus.NewRegistry()
	metrics.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		collectors.NewDBStatsCollector(s.DB.Reader, "workforce"), outboxMetrics(s.Ent, now), jobMetrics(s.Ent,
			now), backupMetric(s.Ent, now), s.DB.Durations())
	if clock != nil {
		metrics.MustRegister(clockMetric(clock))
	}
	return metrics
}

// clockMetric is that of the measured clock.
func clockMetric(c *database.Clock) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "workforce_clock_ahead_seconds",
		Help: "By how much the machine's clock is ahead of the database's; below 0 where it is behind.",
	}, func() float64 { return c.Ahead().Seconds() })
}

// certificateMetric is until when the certificates in use are valid.
func certificateMetric(of certificates, now func() time.Time) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "workforce_tls_certificate_expires_seconds",
		Help: "For how long the certificate in use is valid: the first to end of several, 0 where one is missing.",
	}, func() float64 {
		ends := of.Ends()
		if ends.IsZero() {
			return 0
		}
		return ends.Sub(now()).Seconds()
	})
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

// liveMetrics are those of connections that listen.
func liveMetrics(s *live.Service) []prometheus.Collector {
	return []prometheus.Collector{
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "workforce_streams", Help: "Open connections for subscriptions, over WebSocket and server-sent events.",
		}, func() float64 { return float64(s.Open()) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "workforce_streams_limit", Help: "How many connections for subscriptions may be open at once.",
		}, func() float64 { return float64(s.Most) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "workforce_stream_events_total", Help: "Events that were handed to connections, counted for each.",
		}, func() float64 { return float64(s.Delivered()) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "workforce_streams_missed_total", Help: "Connections ended because they may have missed events.",
		}, func() float64 { return float64(s.Missed()) }),
	}
}

const (
	rowsInterval = 5 * time.Second // for which what was read is shown again
	rowsTimeout  = 2 * time.Second // of reading it
)

// A rowsCollector reads metrics from the database, those of all instances. While the
// database is away it shows nothing.
type rowsCollector struct {
	descs []*prometheus.Desc
	read  func(context.Context) ([]prometheus.Metric, error)
	every time.Duration

	mu    sync.Mutex
	until time.Time // of the process's clock: how long list holds
	list  []prometheus.Metric
}

// Describe implements prometheus.Collector.
func (c *rowsCollector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range c.descs {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (c *rowsCollector) Collect(out chan<- prometheus.Metric) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); !now.Before(c.until) {
		ctx, cancel := context.WithTimeout(viewer.System(context.Background()), rowsTimeout)
		defer cancel()
		var err error
		if c.list, err = c.read(ctx); err != nil {
			c.list = nil
		}
		c.until = now.Add(c.every)
	}
	for _, m := range c.list {
		out <- m
	}
}

// gauge returns a metric of what was read.
func gauge(d *prometheus.Desc, value float64, labels ...string) prometheus.Metric {
	return prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
}

var (
	messagesDesc = prometheus.NewDesc("workforce_messages", "Stored messages that wait to be sent (queued), or were given up (failed).", []string{"status"}, nil)
	oldestDesc   = prometheus.NewDesc("workforce_messages_oldest_queued_seconds", "Age of the oldest message that waits to be sent; 0 for none.", nil, nil)
)

// outboxMetrics say how many messages wait and failed.
func outboxMetrics(db *ent.Client, now func() time.Time) *rowsCollector {
	read := func(ctx context.Context) (list []prometheus.Metric, err error) {
		for _, status := range []entMessage.Status{entMessage.StatusQueued, entMessage.StatusFailed} {
			n, err := db.Message.Query().Where(entMessage.StatusEQ(status)).Count(ctx)
			if err != nil {
				return nil, err
			}
			list = append(list, gauge(messagesDesc, float64(n), string(status)))
		}
		age := time.Duration(0)
		oldest, err := db.Message.Query().Where(entMessage.StatusEQ(entMessage.StatusQueued)).Order(ent.Asc(entMessage.FieldCreatedAt)).First(ctx)
		if err == nil {
			age = max(0, now().Sub(oldest.CreatedAt))
		}
		return append(list, gauge(oldestDesc, age.Seconds())), policysql.IgnoreNotFound(err)
	}
	return &rowsCollector{descs: []*prometheus.Desc{messagesDesc, oldestDesc}, read: read, every: rowsInterval}
}

var (
	jobsDesc      = prometheus.NewDesc("workforce_jobs", "Jobs that are due (queued), that run (running), and whose last try failed (failed), by kind.", []string{"kind", "state"}, nil)
	oldestJobDesc = prometheus.NewDesc("workforce_jobs_oldest_due_seconds", "For how long the job has been due that waits longest; 0 for none.", nil, nil)
)

// jobMetrics say how many jobs wait, run and failed. Those that failed are shown for
// the week for which their rows are kept; a periodic one until it succeeds.
func jobMetrics(db *ent.Client, now func() time.Time) *rowsCollector {
	read := func(ctx context.Context) (list []prometheus.Metric, err error) {
		present := now()
		due := entJob.And(entJob.StateEQ(entJob.StateQueued), entJob.RunAtLTE(present))
		for _, state := range []struct {
			name string
			is   predicate.Job
		}{{"queued", due}, {"running", entJob.StateEQ(entJob.StateRunning)}, {"failed", entJob.ErrorCodeNotNil()}} {
			var counts []struct {
				Kind  string
				Count int
			}
			if err := db.Job.Query().Where(state.is).GroupBy(entJob.FieldKind).Aggregate(ent.Count()).Scan(ctx, &counts); err != nil {
				return nil, err
			}
			for _, c := range counts {
				list = append(list, gauge(jobsDesc, float64(c.Count), c.Kind, state.name))
			}
		}
		age := time.Duration(0)
		oldest, err := db.Job.Query().Where(due).Order(ent.Asc(entJob.FieldRunAt)).First(ctx)
		if err == nil {
			age = max(0, present.Sub(oldest.RunAt))
		}
		return append(list, gauge(oldestJobDesc, age.Seconds())), policysql.IgnoreNotFound(err)
	}
	return &rowsCollector{descs: []*prometheus.Desc{jobsDesc, oldestJobDesc}, read: read, every: rowsInterval}
}

var backupDesc = prometheus.NewDesc("workforce_backup_age_seconds", "Age of the last backup; +Inf before the first.",
	nil, nil)

// backupMetric is the age of the last backup, scheduled or not.
func backupMetric(db *ent.Client, now func() time.Time) *rowsCollector {
	read := func(ctx context.Context) ([]prometheus.Metric, error) {
		at, err := organization.LastBackup(ctx, db)
		age := math.Inf(1)
		if at != nil {
			age = now().Sub(*at).Seconds()
		}
		return []prometheus.Metric{gauge(backupDesc, age)}, err
	}
	return &rowsCollector{descs: []*prometheus.Desc{backupDesc}, read: read, every: rowsInterval}
}
