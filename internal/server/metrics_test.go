package server

import (
	"log/slog"
	"maps"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"workforce/ent"
	"workforce/ent/message"
	"workforce/ent/user"
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
	add := func(status message.Status, age time.Duration) *ent.Message {
		return db.Message.Create().SetCompanyID(budi.CompanyID).SetUserID(budi.ID).SetKind("login_code").SetChannel(message.ChannelEmail).
			SetDestination(budi.Email).SetStatus(status).SetCreatedAt(now.Add(-age)).SetDueAt(now).SetExpiresAt(now.Add(time.Hour)).SaveX(ctx)
	}
	metrics := prometheus.NewRegistry()
	metrics.MustRegister(&outboxCollector{db: db, now: func() time.Time { return now }})
	want := func(what string, want map[string]float64) {
		t.Helper()
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
	const queued, failed, oldest = "workforce_messages queued", "workforce_messages failed", "workforce_messages_oldest_queued_seconds"
	want("nothing", map[string]float64{queued: 0, failed: 0, oldest: 0})
	add(message.StatusSent, time.Hour)
	add(message.StatusFailed, time.Hour)
	first := add(message.StatusQueued, 90*time.Second)
	add(message.StatusQueued, 30*time.Second)
	want("two wait", map[string]float64{queued: 2, failed: 1, oldest: 90})
	db.Message.UpdateOne(first).SetStatus(message.StatusDelivered).ExecX(ctx)
	want("one waits", map[string]float64{queued: 1, failed: 1, oldest: 30})
	if err := srv.Store.Close(); err != nil {
		t.Fatal(err)
	}
	want("without a database", map[string]float64{})
}
