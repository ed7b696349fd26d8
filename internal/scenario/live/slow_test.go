package live

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"workforce/ent/user"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// TestSlowClient ends the socket of a client that does not read, while another gets every
// event.
func TestSlowClient(t *testing.T) {
	t.Parallel() // it waits
	s := newServer(t, "sqlite:"+t.TempDir()+"/test.db")
	clock(t, s, harness.ClockIn("budi"))
	entry := s.Attendances(t, "budi@demo.test")
	budi := s.Store.Ent.User.Query().Where(user.EmailKey("budi@demo.test")).OnlyX(viewer.System(t.Context()))

	slow, fast := open(t, s, "budi"), listen(t, s, "admin", changed)
	var fields strings.Builder
	for i := range 200 {
		fmt.Fprintf(&fields, " aliasOfAConsiderableLengthNumber%d: clockedInZone", i)
	}
	for i := range 20 {
		slow.subscribe(fmt.Sprint(i), "subscription { attendanceChanged {"+fields.String()+" } }")
	}
	slow.settle() // and reads nothing from now on
	began := time.Now()
	for range 100 {
		s.Services.Live.AttendanceChanged(context.Background(), budi.CompanyID, entry[len(entry)-1].ID, budi.ID)
		fast.wantEvent("open budi@demo.test")
	}
	if took := time.Since(began); took > patience {
		t.Errorf("100 events took %v", took)
	}
	wantStreams(t, s, "1")
	if got := metric(t, s, "workforce_streams_missed_total"); got != "1" {
		t.Errorf("%s streams missed something", got)
	}
	fast.settle()
}
