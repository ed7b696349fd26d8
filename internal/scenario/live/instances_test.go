package live

import (
	"testing"
	"time"

	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/testdb"
)

// TestInstances tells the connections of one instance what happens on another, and that
// they may have missed something while the broker was away, which loses no write.
func TestInstances(t *testing.T) {
	t.Parallel() // it waits
	testdb.Each(t, func(t *testing.T, database string) {
		redis := testdb.StartRedis(t)
		here := harness.New(t, database, func(c *server.Config) { c.Broker = redis.URL() })
		signIn(t, here)
		there := harness.New(t, database, func(c *server.Config) { c.Broker = redis.URL() })
		there.Vars = here.Vars

		time.Sleep(time.Second) // both subscribe
		admin := listen(t, there, "admin", changed)
		clock(t, here, harness.Under(harness.ClockIn("budi"), "in"), harness.Under(harness.ClockIn("budi"), "in"))
		admin.wantEvent("open budi@demo.test")
		admin.nothing()

		sse, idle, own := stream(t, there, "admin", changed), open(t, there, "agus"), listen(t, here, "admin", changed)
		redis.Kill()
		admin.wantClose(4500, "MISSED")
		own.wantClose(4500, "MISSED") // each instance notices by itself
		if event, _ := sse.next(); event != "error" {
			t.Errorf("SSE got %q", event)
		}
		idle.nothing()
		during := listen(t, here, "admin", changed)
		clock(t, here, harness.ClockIn("admin")) // is not lost
		during.wantEvent("open admin@demo.test")
		if rows := here.Attendances(t, "admin@demo.test"); len(rows) == 0 || rows[len(rows)-1].ClockedOutAt != nil {
			t.Error("the clock-in is lost")
		}
		redis.Start()
		during.wantClose(4500, "MISSED")

		time.Sleep(3 * time.Second) // both subscribe again, and tell what they lost
		admin = listen(t, there, "admin", changed)
		here.Pass(t, "budi")
		here.Vars["admin.access"] = there.Vars["admin.access"]
		there.Clock.Set(here.Clock.Now())
		clock(t, here, harness.ClockOut("budi"))
		admin.wantEvent("closed budi@demo.test")
	})
}

// TestLogoutElsewhere ends the connections of a session that ended on another instance.
func TestLogoutElsewhere(t *testing.T) {
	t.Parallel() // it waits
	database := "sqlite:" + t.TempDir() + "/test.db"
	here := harness.New(t, database)
	signIn(t, here)
	there := harness.New(t, database)
	there.Vars = here.Vars
	budi, admin := listen(t, there, "budi", changed), listen(t, there, "admin", changed)
	here.GraphQL(t, here.HeaderOf("budi"), `mutation { logout { loggedOut } }`, nil, nil)
	began := time.Now()
	budi.wantClose(4401, "Unauthorized")
	if took := time.Since(began); took > 8*time.Second { // 5, on a machine with other work
		t.Errorf("it took %v", took)
	}
	admin.nothing()
}
