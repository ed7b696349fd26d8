package attendance

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/internal/app/apptest"
	"workforce/internal/errs"
	"workforce/internal/geofence"
	"workforce/internal/setting"
	"workforce/internal/verdict"
)

// leftAt returns a clock-out somewhere at a time.
func leftAt(p geofence.Point, at string) *fix {
	return &fix{Latitude: p.Lat, Longitude: p.Lng, At: jakarta(at)}
}

// TestSpeed measures how fast one came from the last position, GE-10: at least, as both
// positions are inaccurate.
func TestSpeed(t *testing.T) {
	near := &openAttendance{ShiftID: 1, ClockedInAt: jakarta("09:00"), Latitude: north(60_000).Lat, Longitude: centerLng}
	tests := []struct {
		name     string
		change   func(*event)
		want     string // km/h, and the flags
		refused  string // where speed is blocked
		settings setting.Values
	}{
		{"no position before", func(e *event) {}, "none []", "", nil},
		{"at the limit", func(e *event) { e.last = leftAt(north(150_000), "09:30") }, "300 []", "", setting.Values{"accuracyMeters": 10}},
		{"over it", func(e *event) { e.last = leftAt(north(150_400), "09:30") }, "301 [speed]", "POSITION_IMPLAUSIBLE latitude", nil},
		{"both inaccurate", func(e *event) {
			e.last, e.accuracy = leftAt(north(150_300), "09:30"), ptr(149.0)
			e.last.Accuracy = ptr(200.0)
		}, "300 []", "", nil},
		{"at the same instant, near", func(e *event) { e.last = leftAt(north(300), "10:00") }, "0 []", "", nil},
		{"at the same instant, far", func(e *event) { e.last = leftAt(north(1300), "10:00") }, "3600 [speed]", "POSITION_IMPLAUSIBLE latitude", nil},
		{"since the clock-in that is open", func(e *event) { e.open, e.last = near, leftAt(north(0), "08:00") }, "60 []", "", nil},
		{"recorded before the open one began", func(e *event) {
			e.open, e.last = near, leftAt(north(0), "08:00")
			e.receivedAt = jakarta("08:30")
		}, "0 []", "", nil},
		{"by the recorded times", func(e *event) {
			e.last, e.receivedAt = leftAt(north(90_000), "08:00"), jakarta("08:06")
		}, "898 [speed]", "POSITION_IMPLAUSIBLE latitude", nil},
		{"the company's own limit", func(e *event) { e.last = leftAt(north(60_300), "09:00") }, "60 [speed]", "POSITION_IMPLAUSIBLE latitude", setting.Values{"speedKmh": 59}},
	}
	for _, tt := range tests {
		for _, policy := range []string{setting.Flag, setting.Block, setting.Off} {
			e := goodEvent()
			e.open, e.me.Settings = nil, tt.settings.With(map[string]any{"speed": policy})
			tt.change(e)
			j := e.judgement()
			j.judgeBy(inPolicies, "2026-03-11")
			got, want := apptest.Code(j.checkSpeed()), ""
			if policy == setting.Block {
				want = tt.refused
			}
			if got != want {
				t.Errorf("%s, %s: %q, want %q", tt.name, policy, got, want)
			}
			if policy != setting.Flag {
				continue
			}
			kmh := "none"
			if j.judged.SpeedKmh != nil {
				kmh = fmt.Sprint(*j.judged.SpeedKmh)
			}
			if got := fmt.Sprintf("%s %v", kmh, j.flags); got != tt.want {
				t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
			}
		}
	}
	e := goodEvent()
	e.open, e.last, e.me.Settings = nil, leftAt(north(90_000), "09:50"), setting.Values{"speed": setting.Block}
	_, err := e.in()
	if m := errs.As(err).Faults[0].Meta; fmt.Sprint(m) != "map[limitKmh:300 speedKmh:539]" {
		t.Errorf("told %v", m)
	}
}

// TestClockOfThePhone compares what the phone says of its clock with the server's, CL-05,
// and with itself, ID-06.
func TestClockOfThePhone(t *testing.T) {
	ago := func(d time.Duration) *time.Time { return ptr(apptest.Now.Add(-d)) }
	in := func(device int, skew *int) *openAttendance {
		return &openAttendance{ShiftID: 1, ClockedInAt: jakarta("09:00"), DeviceID: &device, Verdict: verdict.Judged{SkewSeconds: skew}}
	}
	tests := []struct {
		name           string
		recorded, sent *time.Time
		open           *openAttendance
		want           string // skew and flags
	}{
		{"says nothing", nil, nil, nil, "none []"},
		{"sent just in time", nil, ago(180*time.Second - time.Millisecond), nil, "-179 []"},
		{"180 seconds behind", nil, ago(180 * time.Second), nil, "-180 [clock_skew]"},
		{"180 seconds ahead", nil, ago(-180 * time.Second), nil, "180 [clock_skew]"},
		{"sent centuries ago", nil, ptr(time.Date(1000, 1, 1, 0, 0, 0, 0, time.UTC)), nil, "-2147483647 [clock_skew]"},
		{"A42, recorded two minutes ago, not sent", ago(2 * time.Minute), nil, nil, "-120 []"},
		{"recorded offline, not sent", ago(time.Hour), nil, nil, "none [offline]"},
		{"recorded offline by a right clock", ago(time.Hour), ago(0), nil, "0 [offline]"},
		{"recorded offline by a wrong clock", ago(2 * time.Hour), ago(time.Hour), nil, "-3600 [offline clock_skew]"},
		{"recorded after it was sent", ago(time.Minute), ago(time.Minute + time.Microsecond), nil, "-60 [clock_untrusted]"},
		{"recorded when it was sent", ago(time.Minute), ago(time.Minute), nil, "-60 []"},
		{"clock changed by 180 seconds since the clock-in", ago(90 * time.Second), nil, in(7, ptr(90)), "-90 [clock_untrusted]"},
		{"changed by less", ago(90 * time.Second), nil, in(7, ptr(89)), "-90 []"},
		{"changed, on another device", ago(90 * time.Second), nil, in(8, ptr(90)), "-90 []"},
		{"the clock-in said nothing", ago(90 * time.Second), nil, in(7, nil), "-90 []"},
	}
	for _, tt := range tests {
		e := goodEvent()
		e.me.DeviceID, e.recordedAt, e.sentAt = 7, tt.recorded, tt.sent
		if e.open = tt.open; e.open == nil {
			e.open = in(7, nil)
		}
		j := e.judgement()
		j.checkClock()
		skew := "none"
		if j.judged.SkewSeconds != nil {
			skew = fmt.Sprint(*j.judged.SkewSeconds)
		}
		if got := skew + " [" + strings.Join(j.flags, " ") + "]"; got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestReviewOfOfflineEvents has what was recorded offline wait for a decision where the
// company says so.
func TestReviewOfOfflineEvents(t *testing.T) {
	for approve, want := range map[bool]bool{false: false, true: true} {
		e := goodEvent()
		e.recordedAt, e.me.Settings = ptr(jakarta("09:00")), setting.Values{"offlineApproval": approve}
		if d, err := e.in(); err != nil || d.review != want || !slices.Equal(d.flags, []string{"offline"}) {
			t.Errorf("offline is approved, %v: %v, waits %v, flags %v", approve, err, d.review, d.flags)
		}
	}
}

// TestKnownDistances repeats distances that other systems publish.
func TestKnownDistances(t *testing.T) {
	for _, tt := range []struct {
		name           string
		site           geofence.Point
		radius         int
		here           geofence.Point
		inside, policy string
		distance       int
	}{
		{"A33 inside 500 m", geofence.Point{Lat: 24, Lng: 72}, 500, geofence.Point{Lat: 24.001, Lng: 72.001}, "inside", "block", 151},
		{"A33 outside 500 m", geofence.Point{Lat: 24, Lng: 72}, 500, geofence.Point{Lat: 24.01, Lng: 72.01}, "", "block", 1506},
		{"A34 inside 2000 m", geofence.Point{Lat: 25, Lng: 75}, 2000, geofence.Point{Lat: 25.01, Lng: 75.01}, "inside", "block", 1501},
		{"A34 outside 2000 m", geofence.Point{Lat: 25, Lng: 75}, 2000, geofence.Point{Lat: 25.1, Lng: 75.1}, "", "block", 15004},
		{"A36 inside 100 m", geofence.Point{Lat: 55.75414, Lng: 37.6204}, 100, geofence.Point{Lat: 55.75477, Lng: 37.62025}, "inside", "block", 71},
		{"A36 outside 100 m", geofence.Point{Lat: 55.75414, Lng: 37.6204}, 100, geofence.Point{Lat: 55.75545, Lng: 37.61921}, "", "block", 164},
		{"A38 inside, flagged outside", geofence.Point{Lat: 19.0760, Lng: 72.8777}, 5000, geofence.Point{Lat: 19.0959, Lng: 72.8776}, "inside", "flag", 2213},
		{"A39 outside, flagged", geofence.Point{Lat: 19.0760, Lng: 72.8777}, 5000, geofence.Point{Lat: 23.1931904, Lng: 72.6007808}, "outside", "flag", 458_713},
	} {
		e := fenced(tt.here, &site{Latitude: tt.site.Lat, Longitude: tt.site.Lng, Radius: &tt.radius})
		err := e.fence(tt.policy)
		if (err == nil) != (tt.inside != "") || e.geofence != tt.inside || (e.distance-tt.distance)/10 != 0 {
			t.Errorf("%s: %v %q %d m, want %q %d m", tt.name, err, e.geofence, e.distance, tt.inside, tt.distance)
		}
		if flagged := slices.Contains(e.flags, verdict.Outside); flagged != (tt.inside == "outside") {
			t.Errorf("%s: flags %v", tt.name, e.flags)
		}
	}
}
