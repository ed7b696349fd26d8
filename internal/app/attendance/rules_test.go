package attendance

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/internal/app/apptest"
	"workforce/internal/errs"
	"workforce/internal/geofence"
	"workforce/internal/setting"
	"workforce/internal/verdict"
	"workforce/internal/viewer"
)

// ptr returns a pointer to a value.
func ptr[T any](v T) *T { return &v }

// planned returns an occurrence of the tests' day in Jakarta with margins of an
// hour.
func planned(id int, start, end string) *ent.EmployeeShift {
	from, to := jakarta(start), jakarta(end)
	return &ent.EmployeeShift{
		ID: id, Date: "2026-03-11", Timezone: "Asia/Jakarta", WorkingHours: "first_last",
		StartAt: from, EndAt: to, ClockInFrom: from.Add(-time.Hour), ClockInUntil: to.Add(time.Hour),
	}
}

func TestSetTime(t *testing.T) {
	tests := []struct {
		ago  time.Duration
		want string
	}{
		{-120 * time.Second, "10:00:00 app []"},
		{0, "10:00:00 app []"},
		{180*time.Second - time.Microsecond, "10:00:00 app []"},
		{180 * time.Second, "09:57:00 offline [offline]"},
		{time.Hour, "09:00:00 offline [offline]"},
	}
	for _, tt := range tests {
		e := &clockEvent{recordedAt: ptr(apptest.Now.Add(-tt.ago))}
		e.setTime(apptest.Now)
		got := fmt.Sprintf("%s %s %v", e.at.Add(7*time.Hour).Format("15:04:05"), e.source, e.flags)
		if got != tt.want || !e.now.Equal(apptest.Now) {
			t.Errorf("recorded %v ago: %s, received %v; want %s", tt.ago, got, e.now, tt.want)
		}
	}
	e := &clockEvent{}
	if e.setTime(apptest.Now); !e.at.Equal(apptest.Now) || e.source != "app" || e.flags != nil {
		t.Errorf("not recorded: %v %s %v", e.at, e.source, e.flags)
	}
}

func TestCheckRecordedAt(t *testing.T) {
	tests := []struct {
		after time.Duration // now
		ok    bool
	}{
		{0, true},
		{-72 * time.Hour, true},
		{-72*time.Hour - time.Microsecond, false},
		{120 * time.Second, true},
		{120*time.Second + time.Microsecond, false},
	}
	for _, tt := range tests {
		e := goodEvent()
		e.recordedAt = ptr(apptest.Now.Add(tt.after))
		err := checkRecordedAt(e)
		if want := "RECORDED_AT_OUT_OF_RANGE recordedAt"; (err == nil) != tt.ok || err != nil && apptest.Code(err) != want {
			t.Errorf("recorded %v after now: %v, want ok %v", tt.after, err, tt.ok)
		}
		if err == nil {
			continue
		}
		if m := errs.As(err).Faults[0].Meta; fmt.Sprint(m["earliest"], m["latest"]) != "2026-03-08T10:00:00+07:00 2026-03-11T10:02:00+07:00" {
			t.Errorf("bounds %v", m)
		}
	}
	if err := checkRecordedAt(goodEvent()); err != nil {
		t.Errorf("not recorded: %v", err)
	}
	e := goodEvent()
	e.me.Settings = setting.Values{"offlineHours": 1, "aheadSeconds": 5}
	for after, ok := range map[time.Duration]bool{-time.Hour: true, -time.Hour - 1: false, 5 * time.Second: true, 6 * time.Second: false} {
		if e.recordedAt = ptr(apptest.Now.Add(after)); (checkRecordedAt(e) == nil) != ok {
			t.Errorf("with settings, recorded %v after now: want ok %v", after, ok)
		}
	}
}

// TestLockedEvents refuses events of a locked date that were recorded offline, and takes
// live ones.
func TestLockedEvents(t *testing.T) {
	for _, tt := range []struct{ source, date, want string }{
		{"offline", "2026-03-10", "CONFLICT recordedAt"}, {"offline", "2026-03-11", ""}, {"app", "2026-03-10", ""},
	} {
		e := goodEvent()
		e.source, e.recordedAt = tt.source, ptr(apptest.Now)
		e.me.Settings = setting.Values{"lockedFrom": "2026-03-01", "lockedUntil": "2026-03-10"}
		if got := apptest.Code(checkLock(e, tt.date)); got != tt.want {
			t.Errorf("%s event of %s: %q, want %q", tt.source, tt.date, got, tt.want)
		}
	}
}

func TestEmployedOn(t *testing.T) {
	first, last := ptr("2026-03-11"), ptr("2026-03-12")
	tests := []struct {
		joined, left *string
		date         string
		want         bool
	}{
		{nil, nil, "2026-03-11", true},
		{first, last, "2026-03-10", false},
		{first, last, "2026-03-11", true},
		{first, last, "2026-03-12", true},
		{first, last, "2026-03-13", false},
		{first, nil, "2026-03-10", false},
		{first, nil, "9998-12-31", true},
		{nil, last, "0001-01-01", true},
		{nil, last, "2026-03-13", false},
	}
	for _, tt := range tests {
		if got := employedOn(&ent.User{JoinedOn: tt.joined, LeftOn: tt.left}, tt.date); got != tt.want {
			t.Errorf("joined %v, left %v: employed on %s %v, want %v", tt.joined, tt.left, tt.date, got, tt.want)
		}
	}
}

func TestCheckWindow(t *testing.T) {
	o := planned(1, "08:00", "17:00")
	for _, tt := range []struct {
		at string
		ok bool
	}{{"06:59:59", false}, {"07:00", true}, {"12:00", true}, {"18:00", true}, {"18:00:59", true}, {"18:01", false}} {
		err := checkWindow(o, jakarta(tt.at))
		if want := "SHIFT_WINDOW_CLOSED employeeShiftId"; (err == nil) != tt.ok || err != nil && apptest.Code(err) != want {
			t.Errorf("at %s: %v, want ok %v", tt.at, err, tt.ok)
		}
	}
	m := errs.As(checkWindow(o, jakarta("06:00"))).Faults[0].Meta
	if fmt.Sprint(m["clockInFrom"], m["clockInUntil"]) != "2026-03-11T07:00:00+07:00 2026-03-11T18:00:00+07:00" {
		t.Errorf("window %v", m)
	}
}

// north is a position some metres north of the center.
func north(metres float64) geofence.Point {
	return geofence.Point{Lat: center.Degrees + metres*metre, Lng: centerLng}
}

func TestLocate(t *testing.T) {
	const refused = "OUTSIDE_ALLOWED_LOCATION latitude"
	limit := ptr(100)
	exact := ptr(int(math.Round(geofence.Distance(north(0), north(150)))))
	tests := []struct {
		name   string
		radius *int
		policy string
		metres float64
		want   string
	}{
		{"inside, refused outside", limit, setting.Block, 99.9, "inside 100 []"},
		{"inside, flagged outside", limit, setting.Flag, 50, "inside 50 []"},
		{"inside, accepted outside", limit, setting.Off, 50, "inside 50 []"},
		{"on the circle", exact, setting.Block, 149.999, "inside 150 []"},
		{"outside, refused", limit, setting.Block, 100.1, refused},
		{"outside, flagged", limit, setting.Flag, 100.1, "outside 100 [outside]"},
		{"outside, accepted", limit, setting.Off, 100.6, "off 101 []"},
		{"no limit, refused outside", nil, setting.Block, 5000, "unlimited 5000 []"},
		{"no limit, flagged outside", nil, setting.Flag, 5000, "unlimited 5000 []"},
		{"no limit, accepted outside", nil, setting.Off, 5000, "unlimited 5000 []"},
	}
	for _, tt := range tests {
		e := &clockEvent{here: north(tt.metres), site: &ent.Address{Latitude: center.Degrees, Longitude: centerLng, Radius: tt.radius}}
		got := apptest.Code(fence(e, tt.policy))
		if got == "" {
			got = fmt.Sprintf("%s %d %v", e.geofence, e.distance, e.flags)
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	site := &ent.Address{Name: "Pusat", Latitude: center.Degrees, Longitude: centerLng, Radius: limit}
	err := errs.As(fence(&clockEvent{here: north(100.1), site: site}, setting.Block))
	if fmt.Sprint(err.Meta, err.Faults[0].Meta) != "map[distanceMeters:101 radiusMeters:100] map[address:Pusat distanceMeters:101 radiusMeters:100]" {
		t.Errorf("told %v and %v", err.Meta, err.Faults[0].Meta)
	}
}

// TestPolicyOfEachEvent tells the site's policies for clock-ins and clock-outs
// apart.
func TestPolicyOfEachEvent(t *testing.T) {
	for _, tt := range []struct {
		in, out string
	}{{"block", "flag"}, {"flag", "off"}, {"off", "block"}} {
		e := goodEvent()
		e.here, e.site.Policies = north(500), setting.Policies{"geofenceIn": tt.in, "geofenceOut": tt.out}
		in := apptest.Code(e.checkClockIn())
		if in == "" {
			in = e.geofence
		}
		out := apptest.Code(e.checkClockOut())
		if out == "" {
			out = e.geofence
		}
		results := map[string]string{"block": "OUTSIDE_ALLOWED_LOCATION latitude", "flag": "outside", "off": "off"}
		if in != results[tt.in] || out != results[tt.out] {
			t.Errorf("policies %v: in %s, out %s", tt, in, out)
		}
	}
}

// goodEvent returns an event with a face at 10:00 that breaks no rule, whether it
// is a clock-in or a clock-out.
func goodEvent() *clockEvent {
	e := &clockEvent{
		me: &viewer.Viewer{}, shiftID: 1, here: north(0), points: oval(0), occurrence: planned(1, "08:00", "17:00"), person: &ent.User{},
		site:    &ent.Address{Latitude: center.Degrees, Longitude: centerLng, Radius: ptr(100), Active: true},
		current: &ent.Attendance{EmployeeShiftID: 1, ClockedInAt: jakarta("09:00"), ClockedInLatitude: center.Degrees, ClockedInLongitude: centerLng},
	}
	e.setTime(apptest.Now)
	return e
}

func TestFlags(t *testing.T) {
	tests := []struct {
		name   string
		change func(*clockEvent)
		want   string // of a clock-in
	}{
		{"none", func(*clockEvent) {}, ""},
		{"accuracy of 150 metres", func(e *clockEvent) { e.accuracy = ptr(150.0) }, ""},
		{"accuracy of more", func(e *clockEvent) { e.accuracy = ptr(150.1) }, "low_accuracy"},
		{"not mocked", func(e *clockEvent) { e.mocked = ptr(false) }, ""},
		{"mocked", func(e *clockEvent) { e.mocked = ptr(true) }, "mock"},
		{"no face, and none registered", func(e *clockEvent) { e.points = nil }, ""},
		{"no face, but one is registered", func(e *clockEvent) { e.points, e.hasFace = nil, true }, "no_face"},
		{"a face, and one is registered", func(e *clockEvent) { e.hasFace = true }, ""},
		{"shared device", func(e *clockEvent) { e.shared = true }, "shared_device"},
		{"all", func(e *clockEvent) {
			e.recordedAt, e.accuracy, e.mocked, e.points, e.hasFace, e.shared = ptr(jakarta("09:30")), ptr(151.0), ptr(true), nil, true, true
			e.site.Policies, e.here = setting.Policies{"geofenceIn": "flag"}, north(500)
			e.setTime(apptest.Now)
		}, "offline outside low_accuracy mock shared_device no_face"},
	}
	for _, tt := range tests {
		in, out := goodEvent(), goodEvent()
		tt.change(in)
		tt.change(out)
		if err := in.checkClockIn(); err != nil || strings.Join(in.flags, " ") != tt.want {
			t.Errorf("clock-in, %s: %v %v, want %s", tt.name, in.flags, err, tt.want)
		}
		want := slices.DeleteFunc(strings.Fields(tt.want), func(f string) bool { return f == verdict.SharedDevice || f == verdict.NoFace })
		if err := out.checkClockOut(); err != nil || !slices.Equal(out.flags, want) {
			t.Errorf("clock-out, %s: %v %v, want %v", tt.name, out.flags, err, want)
		}
	}
}

func TestCheckClockIn(t *testing.T) {
	tests := []struct { // in the order of the rules
		name   string
		change func(*clockEvent)
		want   string
	}{
		{"an archived site", func(e *clockEvent) { e.site.Active = false }, "LOCATION_NOT_ALLOWED addressId"},
		{"CL-15, a site that is in no set", func(e *clockEvent) { e.places = "0" }, "LOCATION_NOT_ALLOWED addressId"},
		{"recorded too early", func(e *clockEvent) { e.recordedAt = ptr(jakarta("2026-03-08 09:59")) }, "RECORDED_AT_OUT_OF_RANGE recordedAt"},
		{"no such user", func(e *clockEvent) { e.person = nil }, "NOT_FOUND"},
		{"before the first day", func(e *clockEvent) { e.person = &ent.User{JoinedOn: ptr("2026-03-12")} }, "FORBIDDEN"},
		{"after the window", func(e *clockEvent) { e.at = jakarta("18:01") }, "SHIFT_WINDOW_CLOSED employeeShiftId"},
		{"within another attendance", func(e *clockEvent) { e.overlaps = true }, "CONFLICT recordedAt"},
		{"inaccurate", func(e *clockEvent) { e.accuracy = ptr(151.0) }, "LOW_ACCURACY accuracy"},
		{"far away", func(e *clockEvent) { e.here = north(500) }, "OUTSIDE_ALLOWED_LOCATION latitude"},
		{"made up", func(e *clockEvent) { e.mocked = ptr(true) }, "POSITION_MOCKED mocked"},
		{"from far away in a moment", func(e *clockEvent) { e.previous = leftAt(north(90_000), "09:59") }, "POSITION_IMPLAUSIBLE latitude"},
		{"a shared device", func(e *clockEvent) { e.shared = true }, "DEVICE_NOT_ALLOWED"},
		{"two points of a face", func(e *clockEvent) { e.points = e.points[:2] }, "FACE_INVALID faceLandmark"},
	}
	for i, tt := range tests {
		for _, later := range tests[i:] {
			e := goodEvent()
			e.current = nil
			for _, of := range inPolicies {
				e.me.Settings = e.me.Settings.With(map[string]any{of.Name: setting.Block})
			}
			later.change(e)
			tt.change(e)
			wantCode(t, tt.name+" and "+later.name, e.checkClockIn(), tt.want)
		}
	}
}

func TestCheckClockOut(t *testing.T) {
	tests := []struct {
		name   string
		change func(*clockEvent)
		want   string
	}{
		{"nothing open", func(e *clockEvent) { e.current = nil }, "NOT_CLOCKED_IN"},
		{"another occurrence open", func(e *clockEvent) { e.current.EmployeeShiftID = 2 }, ""},
		{"another occurrence open, the named one ended", func(e *clockEvent) { e.current.EmployeeShiftID, e.ended = 2, true }, "NOT_CLOCKED_IN"},
		{"CL-15, another site that is in no set", func(e *clockEvent) { e.site.ID, e.places = 2, "0" }, "LOCATION_NOT_ALLOWED addressId"},
		{"CL-15, the site of the clock-in, which is in no set any more", func(e *clockEvent) { e.places = "0" }, ""},
		{"recorded too late", func(e *clockEvent) { e.recordedAt = ptr(jakarta("10:02:01")) }, "RECORDED_AT_OUT_OF_RANGE recordedAt"},
		{"at its clock-in", func(e *clockEvent) { e.at = jakarta("09:00") }, "NOT_CLOCKED_IN"},
		{"a microsecond later", func(e *clockEvent) { e.at = jakarta("09:00").Add(time.Microsecond) }, ""},
		{"before its clock-in", func(e *clockEvent) { e.at = jakarta("08:59") }, "NOT_CLOCKED_IN"},
		{"after the window", func(e *clockEvent) { e.at = jakarta("23:00") }, ""},
		{"around another attendance", func(e *clockEvent) { e.overlaps = true }, "CONFLICT recordedAt"},
		{"site that is not seen any more", func(e *clockEvent) { e.site = nil }, "NOT_FOUND"},
		{"after the last day", func(e *clockEvent) { e.person = &ent.User{LeftOn: ptr("2026-03-10")} }, ""},
		{"two points of a face", func(e *clockEvent) { e.points = e.points[:2] }, "FACE_INVALID faceLandmark"},
	}
	for _, tt := range tests {
		e := goodEvent()
		tt.change(e)
		wantCode(t, tt.name, e.checkClockOut(), tt.want)
	}
}

func TestRepeatsOpen(t *testing.T) {
	open := &ent.Attendance{EmployeeShiftID: 1, ClockedInAt: jakarta("09:00"), ClockedInReceivedAt: jakarta("10:00")}
	tests := []struct {
		name       string
		open       *ent.Attendance
		occurrence int
		after      time.Duration // the first
		want       bool
	}{
		{"at once", open, 1, 0, true},
		{"after 120 seconds", open, 1, 120 * time.Second, true},
		{"after more", open, 1, 120*time.Second + time.Microsecond, false},
		{"120 seconds before", open, 1, -120 * time.Second, true},
		{"more before", open, 1, -120*time.Second - time.Microsecond, false},
		{"when the first was received", open, 1, time.Hour, false},
		{"another occurrence", open, 2, 0, false},
		{"nothing open", nil, 1, 0, false},
	}
	for _, tt := range tests {
		if got := repeatsOpen(tt.open, tt.occurrence, jakarta("09:00").Add(tt.after), 2*time.Minute); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestPolicies applies each policy, of the person before the site's before the
// company's.
func TestPolicies(t *testing.T) {
	breaks := map[string]struct {
		change  func(*clockEvent)
		refused string
		flag    string
	}{
		"accuracy":   {func(e *clockEvent) { e.accuracy = ptr(150.5) }, "LOW_ACCURACY accuracy", "low_accuracy"},
		"geofenceIn": {func(e *clockEvent) { e.here = north(500) }, "OUTSIDE_ALLOWED_LOCATION latitude", "outside"},
		"mock":       {func(e *clockEvent) { e.mocked = ptr(true) }, "POSITION_MOCKED mocked", "mock"},
		"speed":      {func(e *clockEvent) { e.previous = leftAt(north(90_000), "09:59") }, "POSITION_IMPLAUSIBLE latitude", "speed"},
		"device":     {func(e *clockEvent) { e.shared = true }, "DEVICE_NOT_ALLOWED", "shared_device"},
		"face":       {func(e *clockEvent) { e.points, e.hasFace = nil, true }, "FACE_REQUIRED faceLandmark", "no_face"},
	}
	for name, rule := range breaks {
		for _, tt := range []struct{ person, site, company, want string }{
			{"", "", "block", rule.refused}, {"", "", "flag", rule.flag}, {"", "", "off", ""},
			{"", "block", "off", rule.refused}, {"", "off", "block", ""}, {"flag", "off", "block", rule.flag}, {"block", "flag", "off", rule.refused},
		} {
			e := goodEvent()
			e.current = nil
			rule.change(e)
			e.me.Settings = setting.Values{name: tt.company}
			if tt.site != "" {
				e.site.Policies = setting.Policies{name: tt.site}
			}
			if tt.person != "" {
				e.person.Policies = setting.Policies{name: tt.person}
			}
			got := apptest.Code(e.checkClockIn())
			if got == "" {
				got = strings.Join(e.flags, " ")
			}
			if got != tt.want {
				t.Errorf("%s, %v: %q, want %q", name, tt, got, tt.want)
			}
			e.exempt, e.flags = []string{strings.TrimSuffix(name, "In")}, nil
			if err := e.checkClockIn(); err != nil || len(e.flags) > 0 || e.judged.Policies[name] != setting.Off {
				t.Errorf("GE-12, %s, %v, exempt: %v, flags %v, judged by %v", name, tt, err, e.flags, e.judged.Policies)
			}
		}
	}
	e := goodEvent()
	e.points, e.me.Settings = nil, setting.Values{"face": "block"}
	wantCode(t, "no face, and none registered, where one is required", e.checkClockIn(), "FACE_REQUIRED faceLandmark")
	e = goodEvent()
	e.accuracy, e.me.Settings = ptr(40.0), setting.Values{"accuracyMeters": 39, "accuracy": "block"}
	wantCode(t, "less accurate than the company wants", e.checkClockIn(), "LOW_ACCURACY accuracy")
}

// TestNearestPoint measures the nearest of a site's points.
func TestNearestPoint(t *testing.T) {
	e := goodEvent()
	e.here, e.site.Points = north(5000), []geofence.Point{north(2000), north(5050), north(9000)}
	if err := e.checkClockIn(); err != nil || e.geofence != "inside" || e.distance != 50 {
		t.Errorf("near a further point: %v %s %d m, want inside, 50 m", err, e.geofence, e.distance)
	}
	e = goodEvent()
	e.site.Points = []geofence.Point{north(2000)}
	if err := e.checkClockIn(); err != nil || e.distance != 0 {
		t.Errorf("at the site itself: %v %d m", err, e.distance)
	}
}
