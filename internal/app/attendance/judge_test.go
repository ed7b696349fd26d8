package attendance

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/internal/app/apptest"
	"workforce/internal/errs"
	"workforce/internal/geofence"
	"workforce/internal/setting"
	"workforce/internal/verdict"
	"workforce/internal/viewer"
)

// ptr returns a pointer to a value.
func ptr[T any](v T) *T { return &v }

// planned returns an occurrence of the tests' day in Jakarta with margins of an hour.
func planned(id int, start, end string) *occurrence {
	return &occurrence{
		ID: id, Date: "2026-03-11", Timezone: "Asia/Jakarta",
		ClockInFrom: jakarta(start).Add(-time.Hour), ClockInUntil: jakarta(end).Add(time.Hour),
	}
}

// An event is a request with the facts by which it is judged.
type event struct {
	request
	facts
}

// in judges the event as a clock-in, out as a clock-out.
func (e *event) in() (decision, error)  { return judgeClockIn(&e.request, &e.facts) }
func (e *event) out() (decision, error) { return judgeClockOut(&e.request, &e.facts) }

// judgement returns the judgement of the event before any rule.
func (e *event) judgement() *judgement { return newJudgement(&e.request, &e.facts) }

// goodEvent returns an event with a face at 10:00 that breaks no rule, whether it is a clock-in or a
// clock-out.
func goodEvent() *event {
	return &event{
		request{me: &viewer.Viewer{}, receivedAt: apptest.Now, shiftID: 1, position: north(0), landmarks: oval(0)},
		facts{
			occurrence: planned(1, "08:00", "17:00"), person: &person{},
			site: &site{Latitude: center.Degrees, Longitude: centerLng, Radius: ptr(100), Active: true},
			open: &openAttendance{ShiftID: 1, ClockedInAt: jakarta("09:00"), Latitude: center.Degrees, Longitude: centerLng},
		},
	}
}

// TestTimeOfEvent takes the server's time, or the phone's from 180 seconds ago on.
func TestTimeOfEvent(t *testing.T) {
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
		r := &request{receivedAt: apptest.Now, recordedAt: ptr(apptest.Now.Add(-tt.ago))}
		got := fmt.Sprintf("%s %s %v", r.at().Add(7*time.Hour).Format("15:04:05"), r.source(), newJudgement(r, &facts{}).flags)
		if got != tt.want {
			t.Errorf("recorded %v ago: %s, want %s", tt.ago, got, tt.want)
		}
	}
	r := &request{receivedAt: apptest.Now}
	if !r.at().Equal(apptest.Now) || r.source() != "app" || newJudgement(r, &facts{}).flags != nil {
		t.Errorf("not recorded: %v %s", r.at(), r.source())
	}
	if r := (&request{recordedAt: ptr(apptest.Now)}); r.offline() {
		t.Error("an event that was not begun is offline")
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
		err := e.checkRecordedAt(e.occurrence.zone())
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
	if e := goodEvent(); e.checkRecordedAt(time.UTC) != nil {
		t.Error("not recorded, but refused")
	}
	e := goodEvent()
	e.me.Settings = setting.Values{"offlineHours": 1, "aheadSeconds": 5}
	for after, ok := range map[time.Duration]bool{-time.Hour: true, -time.Hour - 1: false, 5 * time.Second: true, 6 * time.Second: false} {
		if e.recordedAt = ptr(apptest.Now.Add(after)); (e.checkRecordedAt(time.UTC) == nil) != ok {
			t.Errorf("with settings, recorded %v after now: want ok %v", after, ok)
		}
	}
}

// TestLockedEvents refuses events of a locked date that were recorded offline, and takes live ones.
func TestLockedEvents(t *testing.T) {
	for _, tt := range []struct {
		ago        time.Duration
		date, want string
	}{
		{time.Hour, "2026-03-10", "CONFLICT recordedAt"}, {time.Hour, "2026-03-11", ""}, {0, "2026-03-10", ""},
	} {
		e := goodEvent()
		e.recordedAt = ptr(apptest.Now.Add(-tt.ago))
		e.me.Settings = setting.Values{"lockedFrom": "2026-03-01", "lockedUntil": "2026-03-10"}
		if got := apptest.Code(e.checkLock(tt.date)); got != tt.want {
			t.Errorf("event of %s, recorded %v ago: %q, want %q", tt.date, tt.ago, got, tt.want)
		}
	}
}

func TestEmployedOn(t *testing.T) {
	const first, last = "2026-03-11", "2026-03-12"
	tests := []struct {
		joined, left, date string
		want               bool
	}{
		{"", "", "2026-03-11", true},
		{first, last, "2026-03-10", false},
		{first, last, "2026-03-11", true},
		{first, last, "2026-03-12", true},
		{first, last, "2026-03-13", false},
		{first, "", "2026-03-10", false},
		{first, "", "9998-12-31", true},
		{"", last, "0001-01-01", true},
		{"", last, "2026-03-13", false},
	}
	for _, tt := range tests {
		if got := (&person{JoinedOn: tt.joined, LeftOn: tt.left}).employedOn(tt.date); got != tt.want {
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
		err := o.checkWindow(jakarta(tt.at))
		if want := "SHIFT_WINDOW_CLOSED employeeShiftId"; (err == nil) != tt.ok || err != nil && apptest.Code(err) != want {
			t.Errorf("at %s: %v, want ok %v", tt.at, err, tt.ok)
		}
	}
	m := errs.As(o.checkWindow(jakarta("06:00"))).Faults[0].Meta
	if fmt.Sprint(m["clockInFrom"], m["clockInUntil"]) != "2026-03-11T07:00:00+07:00 2026-03-11T18:00:00+07:00" {
		t.Errorf("window %v", m)
	}
}

// north is a position some metres north of the center.
func north(metres float64) geofence.Point {
	return geofence.Point{Lat: center.Degrees + metres*metre, Lng: centerLng}
}

// fenced returns a judgement of a position at a site.
func fenced(p geofence.Point, at *site) *judgement {
	return newJudgement(&request{position: p}, &facts{site: at})
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
		j := fenced(north(tt.metres), &site{Latitude: center.Degrees, Longitude: centerLng, Radius: tt.radius})
		got := apptest.Code(j.fence(tt.policy))
		if got == "" {
			got = fmt.Sprintf("%s %d %v", j.geofence, j.distance, j.flags)
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	named := &site{Name: "Pusat", Latitude: center.Degrees, Longitude: centerLng, Radius: limit}
	err := errs.As(fenced(north(100.1), named).fence(setting.Block))
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
		e.position, e.site.Policies = north(500), setting.Policies{"geofenceIn": tt.in, "geofenceOut": tt.out}
		d, err := e.in()
		in := cmp.Or(apptest.Code(err), d.geofence)
		d, err = e.out()
		out := cmp.Or(apptest.Code(err), d.geofence)
		results := map[string]string{"block": "OUTSIDE_ALLOWED_LOCATION latitude", "flag": "outside", "off": "off"}
		if in != results[tt.in] || out != results[tt.out] {
			t.Errorf("policies %v: in %s, out %s", tt, in, out)
		}
	}
}

func TestFlags(t *testing.T) {
	tests := []struct {
		name   string
		change func(*event)
		want   string // of a clock-in
	}{
		{"none", func(*event) {}, ""},
		{"accuracy of 150 metres", func(e *event) { e.accuracy = ptr(150.0) }, ""},
		{"accuracy of more", func(e *event) { e.accuracy = ptr(150.1) }, "low_accuracy"},
		{"not mocked", func(e *event) { e.mocked = ptr(false) }, ""},
		{"mocked", func(e *event) { e.mocked = ptr(true) }, "mock"},
		{"no face, and none registered", func(e *event) { e.landmarks = nil }, ""},
		{"no face, but one is registered", func(e *event) { e.landmarks, e.hasFace = nil, true }, "no_face"},
		{"a face, and one is registered", func(e *event) { e.hasFace = true }, ""},
		{"shared device", func(e *event) { e.shared = true }, "shared_device"},
		{"all", func(e *event) {
			e.recordedAt, e.accuracy, e.mocked, e.landmarks, e.hasFace, e.shared = ptr(jakarta("09:30")), ptr(151.0), ptr(true), nil, true, true
			e.site.Policies, e.position = setting.Policies{"geofenceIn": "flag"}, north(500)
		}, "offline outside low_accuracy mock shared_device no_face"},
	}
	for _, tt := range tests {
		in, out := goodEvent(), goodEvent()
		tt.change(in)
		tt.change(out)
		if d, err := in.in(); err != nil || strings.Join(d.flags, " ") != tt.want {
			t.Errorf("clock-in, %s: %v %v, want %s", tt.name, d.flags, err, tt.want)
		}
		want := slices.DeleteFunc(strings.Fields(tt.want), func(f string) bool { return f == verdict.SharedDevice || f == verdict.NoFace })
		if d, err := out.out(); err != nil || !slices.Equal(d.flags, want) {
			t.Errorf("clock-out, %s: %v %v, want %v", tt.name, d.flags, err, want)
		}
	}
}

func TestJudgeClockIn(t *testing.T) {
	tests := []struct { // in the order of the rules
		name   string
		change func(*event)
		want   string
	}{
		{"an archived site", func(e *event) { e.site.Active = false }, "LOCATION_NOT_ALLOWED addressId"},
		{"CL-15, a site that is in no set", func(e *event) { e.allowed.Shift = ptr(false) }, "LOCATION_NOT_ALLOWED addressId"},
		{"recorded too early", func(e *event) { e.recordedAt = ptr(jakarta("2026-03-08 09:59")) }, "RECORDED_AT_OUT_OF_RANGE recordedAt"},
		{"no such user", func(e *event) { e.person = nil }, "NOT_FOUND"},
		{"before the first day", func(e *event) { e.person = &person{JoinedOn: "2026-03-12"} }, "FORBIDDEN"},
		{"after the window", func(e *event) { e.receivedAt = jakarta("18:01") }, "SHIFT_WINDOW_CLOSED employeeShiftId"},
		{"within another attendance", func(e *event) { e.overlaps = true }, "CONFLICT recordedAt"},
		{"inaccurate", func(e *event) { e.accuracy = ptr(151.0) }, "LOW_ACCURACY accuracy"},
		{"far away", func(e *event) { e.position = north(500) }, "OUTSIDE_ALLOWED_LOCATION latitude"},
		{"made up", func(e *event) { e.mocked = ptr(true) }, "POSITION_MOCKED mocked"},
		{"from far away in a moment", func(e *event) { e.last = leftAt(north(90_000), "09:59") }, "POSITION_IMPLAUSIBLE latitude"},
		{"a shared device", func(e *event) { e.shared = true }, "DEVICE_NOT_ALLOWED"},
		{"two points of a face", func(e *event) { e.landmarks = e.landmarks[:2] }, "FACE_INVALID faceLandmark"},
	}
	for i, tt := range tests {
		for _, later := range tests[i:] {
			e := goodEvent()
			e.open = nil
			for _, key := range inPolicies {
				e.me.Settings = e.me.Settings.With(map[string]any{key.Name: setting.Block})
			}
			later.change(e)
			tt.change(e)
			_, err := e.in()
			wantCode(t, tt.name+" and "+later.name, err, tt.want)
		}
	}
}

// TestJudgeIsPure judges an event twice: the decisions are the same, and request and facts stay as they
// were.
func TestJudgeIsPure(t *testing.T) {
	e := faceEvent(capture(0.012, 1))
	e.recordedAt, e.otherSite, e.exemptions = ptr(jakarta("09:30")), true, []exemption{{"speed", "2026-12-31"}, {"mock", "2026-12-31"}}
	before, gallery := *e, *e.stored.gallery
	before.exemptions = slices.Clone(e.exemptions)
	for name, judge := range map[string]func(*event) (decision, error){"in": (*event).in, "out": (*event).out} {
		first, err := judge(e)
		second, err2 := judge(e)
		if err != nil || err2 != nil || !reflect.DeepEqual(first, second) || !first.compared.accepted {
			t.Errorf("%s: %+v %v, then %+v %v", name, first, err, second, err2)
		}
		if !reflect.DeepEqual(*e, before) || !reflect.DeepEqual(*e.stored.gallery, gallery) {
			t.Errorf("%s changed the event", name)
		}
	}
}

func TestJudgeClockOut(t *testing.T) {
	tests := []struct {
		name   string
		change func(*event)
		want   string
	}{
		{"nothing open", func(e *event) { e.open = nil }, "NOT_CLOCKED_IN"},
		{"another occurrence open", func(e *event) { e.open.ShiftID = 2 }, ""},
		{"another occurrence open, the named one ended", func(e *event) { e.open.ShiftID, e.ended = 2, true }, "NOT_CLOCKED_IN"},
		{"CL-15, another site that is in no set", func(e *event) { e.site.ID, e.allowed.Shift = 2, ptr(false) }, "LOCATION_NOT_ALLOWED addressId"},
		{"CL-15, the site of the clock-in, which is in no set any more", func(e *event) { e.allowed.Shift = ptr(false) }, ""},
		{"recorded too late", func(e *event) { e.recordedAt = ptr(jakarta("10:02:01")) }, "RECORDED_AT_OUT_OF_RANGE recordedAt"},
		{"at its clock-in", func(e *event) { e.receivedAt = jakarta("09:00") }, "NOT_CLOCKED_IN"},
		{"a microsecond later", func(e *event) { e.receivedAt = jakarta("09:00").Add(time.Microsecond) }, ""},
		{"before its clock-in", func(e *event) { e.receivedAt = jakarta("08:59") }, "NOT_CLOCKED_IN"},
		{"after the window", func(e *event) { e.receivedAt = jakarta("23:00") }, ""},
		{"around another attendance", func(e *event) { e.overlaps = true }, "CONFLICT recordedAt"},
		{"site that is not seen any more", func(e *event) { e.site = nil }, "NOT_FOUND"},
		{"after the last day", func(e *event) { e.person = &person{LeftOn: "2026-03-10"} }, ""},
		{"two points of a face", func(e *event) { e.landmarks = e.landmarks[:2] }, "FACE_INVALID faceLandmark"},
	}
	for _, tt := range tests {
		e := goodEvent()
		tt.change(e)
		_, err := e.out()
		wantCode(t, tt.name, err, tt.want)
	}
}

func TestRepeatsOpen(t *testing.T) {
	open := &openAttendance{ShiftID: 1, ClockedInAt: jakarta("09:00")}
	tests := []struct {
		name       string
		open       *openAttendance
		occurrence int
		after      time.Duration // the first
		want       bool
	}{
		{"at once", open, 1, 0, true},
		{"after 120 seconds", open, 1, 120 * time.Second, true},
		{"after more", open, 1, 120*time.Second + time.Microsecond, false},
		{"120 seconds before", open, 1, -120 * time.Second, true},
		{"more before", open, 1, -120*time.Second - time.Microsecond, false},
		{"an hour later", open, 1, time.Hour, false},
		{"another occurrence", open, 2, 0, false},
		{"nothing open", nil, 1, 0, false},
	}
	for _, tt := range tests {
		r := &request{me: &viewer.Viewer{}, shiftID: tt.occurrence, receivedAt: jakarta("09:00").Add(tt.after)}
		if got := r.repeatsOpen(tt.open); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestPolicies applies each policy, of the person before the site's before the
// company's.
func TestPolicies(t *testing.T) {
	breaks := map[string]struct {
		change  func(*event)
		refused string
		flag    string
	}{
		"accuracy":   {func(e *event) { e.accuracy = ptr(150.5) }, "LOW_ACCURACY accuracy", "low_accuracy"},
		"geofenceIn": {func(e *event) { e.position = north(500) }, "OUTSIDE_ALLOWED_LOCATION latitude", "outside"},
		"mock":       {func(e *event) { e.mocked = ptr(true) }, "POSITION_MOCKED mocked", "mock"},
		"speed":      {func(e *event) { e.last = leftAt(north(90_000), "09:59") }, "POSITION_IMPLAUSIBLE latitude", "speed"},
		"device":     {func(e *event) { e.shared = true }, "DEVICE_NOT_ALLOWED", "shared_device"},
		"face":       {func(e *event) { e.landmarks, e.hasFace = nil, true }, "FACE_REQUIRED faceLandmark", "no_face"},
	}
	for name, rule := range breaks {
		for _, tt := range []struct{ person, site, company, want string }{
			{"", "", "block", rule.refused}, {"", "", "flag", rule.flag}, {"", "", "off", ""},
			{"", "block", "off", rule.refused}, {"", "off", "block", ""}, {"flag", "off", "block", rule.flag}, {"block", "flag", "off", rule.refused},
		} {
			e := goodEvent()
			e.open = nil
			rule.change(e)
			e.me.Settings = setting.Values{name: tt.company}
			if tt.site != "" {
				e.site.Policies = setting.Policies{name: tt.site}
			}
			if tt.person != "" {
				e.person.Policies = setting.Policies{name: tt.person}
			}
			d, err := e.in()
			if got := cmp.Or(apptest.Code(err), strings.Join(d.flags, " ")); got != tt.want {
				t.Errorf("%s, %v: %q, want %q", name, tt, got, tt.want)
			}
			e.exemptions = []exemption{{strings.TrimSuffix(name, "In"), "2026-03-11"}}
			if d, err := e.in(); err != nil || len(d.flags) > 0 || d.judged.Policies[name] != setting.Off {
				t.Errorf("GE-12, %s, %v, exempt: %v, flags %v, judged by %v", name, tt, err, d.flags, d.judged.Policies)
			}
			e.exemptions[0].EndsOn = "2026-03-10"
			d, err = e.in()
			if got := cmp.Or(apptest.Code(err), strings.Join(d.flags, " ")); got != tt.want {
				t.Errorf("GE-12, %s, %v, no longer exempt: %q, want %q", name, tt, got, tt.want)
			}
		}
	}
	e := goodEvent()
	e.landmarks, e.me.Settings = nil, setting.Values{"face": "block"}
	_, err := e.in()
	wantCode(t, "no face, and none registered, where one is required", err, "FACE_REQUIRED faceLandmark")
	e = goodEvent()
	e.accuracy, e.me.Settings = ptr(40.0), setting.Values{"accuracyMeters": 39, "accuracy": "block"}
	_, err = e.in()
	wantCode(t, "less accurate than the company wants", err, "LOW_ACCURACY accuracy")
}

// TestNearestPoint measures the nearest of a site's points.
func TestNearestPoint(t *testing.T) {
	e := goodEvent()
	e.position, e.site.Points = north(5000), []geofence.Point{north(2000), north(5050), north(9000)}
	if d, err := e.in(); err != nil || d.geofence != "inside" || d.distance != 50 {
		t.Errorf("near a further point: %v %s %d m, want inside, 50 m", err, d.geofence, d.distance)
	}
	e = goodEvent()
	e.site.Points = []geofence.Point{north(2000)}
	if d, err := e.in(); err != nil || d.distance != 0 {
		t.Errorf("at the site itself: %v %d m", err, d.distance)
	}
}
