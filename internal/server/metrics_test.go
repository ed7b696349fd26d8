package server

import (
	"log/slog"
	"maps"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"workforce/ent"
	entJob "workforce/ent/job"
	entMessage "workforce/ent/message"
	"workforce/ent/user"
	"workforce/internal/app/apptest"
	"workforce/internal/viewer"
)

// TestOutboxMetrics reads how many messages wait and failed, and how old the oldest
// waiting one is.
func TestOutboxMetrics(t *testing.T) {
	dir := t.TempDir()
	now := time.Date(2026, 3, 10, 2, 0, 0, 0, time.UTC)
	srv, err := New(t.Context(), Config{
		Database: "sqlite:" + dir + "/w.db", SecretKeyFile: dir + "/key", Migrate: true, Demo: true, Now: func() time.Time { return now },
	}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	db, ctx := srv.Store.Ent, viewer.System(t.Context())
	budi := db.User.Query().Where(user.EmailKey("budi@demo.test")).OnlyX(ctx)
	add := func(status entMessage.Status, age time.Duration) *ent.Message {
		return db.Message.Create().SetCompanyID(budi.CompanyID).SetUserID(budi.ID).SetKind("login_code").SetChannel(entMessage.ChannelEmail).
			SetDestination(budi.Email).SetStatus(status).SetCreatedAt(now.Add(-age)).SetDueAt(now).SetExpiresAt(now.Add(time.Hour)).SaveX(ctx)
	}
	outbox := outboxMetrics(db, func() time.Time { return now })
	outbox.every = 0
	want := func(what string, want map[string]float64) {
		t.Helper()
		wantGauges(t, what, outbox, want)
	}
	const queued, failed, oldest = "workforce_messages queued", "workforce_messages failed", "workforce_messages_oldest_queued_seconds"
	want("nothing", map[string]float64{queued: 0, failed: 0, oldest: 0})
	add(entMessage.StatusSent, time.Hour)
	add(entMessage.StatusFailed, time.Hour)
	first := add(entMessage.StatusQueued, 90*time.Second)
	add(entMessage.StatusQueued, 30*time.Second)
	want("two wait", map[string]float64{queued: 2, failed: 1, oldest: 90})
	db.Message.UpdateOne(first).SetStatus(entMessage.StatusDelivered).ExecX(ctx)
	want("one waits", map[string]float64{queued: 1, failed: 1, oldest: 30})
	if err := srv.Store.Close(); err != nil {
		t.Fatal(err)
	}
	want("without a database", map[string]float64{})
}

// TestJobMetrics reads how many jobs are due, run and failed, by kind, and for how long
// the oldest has been due.
func TestJobMetrics(t *testing.T) {
	w := apptest.New(t)
	add := func(kind string, due time.Duration, set func(*ent.JobCreate)) {
		c := w.DB.Job.Create().SetKind(kind).SetDueAt(w.Now().Add(due)).SetRunAt(w.Now().Add(due)).SetCreatedAt(w.Now())
		set(c)
		c.ExecX(w.System())
	}
	nothing := func(*ent.JobCreate) {}
	jobs := jobMetrics(w.DB, w.Now)
	jobs.every = 0
	const oldest = "workforce_jobs_oldest_due_seconds"
	wantGauges(t, "nothing", jobs, map[string]float64{oldest: 0})
	add("report", -30*time.Second, nothing)
	add("report", -90*time.Second, nothing)
	add("report", time.Second, nothing)
	add("cleaning", -time.Hour, func(c *ent.JobCreate) { c.SetState(entJob.StateRunning) })
	add("cleaning", time.Hour, func(c *ent.JobCreate) { c.SetErrorCode("INTERNAL") })
	add("report", -time.Hour, func(c *ent.JobCreate) { c.SetState(entJob.StateFailed).SetErrorCode("INTERNAL") })
	add("report", -time.Hour, func(c *ent.JobCreate) { c.SetState(entJob.StateDone) })
	wantGauges(t, "some", jobs, map[string]float64{
		oldest: 90, "workforce_jobs report queued": 2, "workforce_jobs cleaning running": 1,
		"workforce_jobs cleaning failed": 1, "workforce_jobs report failed": 1,
	})
}

// wantGauges compares what a collector shows, by name and labels.
func wantGauges(t *testing.T, what string, c prometheus.Collector, want map[string]float64) {
	t.Helper()
	metrics := prometheus.NewRegistry()
	metrics.MustRegister(c)
	families, err := metrics.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			name := f.GetName()
			for _, l := range m.GetLabel() {
				name += " " + l.GetValue()
			}
			got[name] = m.GetGauge().GetValue()
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}
