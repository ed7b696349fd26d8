package attendance

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/address"
	"workforce/ent/allowedplace"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/device"
	"workforce/ent/employeeshift"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/app/tx"
	"workforce/internal/scenario/harness"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// A broken is something wrong with a clock event of budi: it changes rows, or members of
// the request. It holds whatever the others changed before it.
type broken struct {
	name   string
	change func(ctx context.Context, o *order) error
	code   string // "" for none: the event is a repeat
	field  string // to which the refusal is due; "" for none
	group  string // of two of one group, the later cannot be beside the earlier; "" for none
}

// An order tries a clock event with one thing wrong, and with two.
type order struct {
	*harness.Server
	in                   bool
	budi                 *ent.User
	agus, pusat, bandung int
	device               int
	today, tomorrow      *ent.EmployeeShift // of budi
	members              map[string]string  // of the request, as JSON
	known                int                // id of the last attendance that is not the test's
}

// attendanceOrderScenarios try every refusal of Clock In and Clock Out, alone and beside
// every other: the earlier decides, in both APIs.
func attendanceOrderScenarios(t *testing.T, s *harness.Server) {
	s.Clock.Set(harness.Jakarta(9, 0, 0))
	for _, name := range []string{"budi", "admin"} {
		s.SignIn(t, name, name+"@demo.test")
	}
	s.SignInOn(t, "agus", "agus@demo.test", s.Vars["budi.device"])
	s.SignIn(t, "neighbour", "admin@tetangga.test")
	s.SaveSites(t, "budi")
	for _, name := range []string{"budi", "agus"} {
		s.SaveShift(t, name)
	}
	s.Run(t, []apitest.Scenario{
		{Name: "the neighbours' site", Path: "/attendance/allowedLocations", Header: harness.Bearer("neighbour"), Save: map[string]string{"toko": "/0/addressId"}},
		asked("locked, and leave blocks", "admin", `mutation { updateCompany(input: {settings: {lockedFrom: "2020-01-01", lockedUntil: "2026-03-09", leaveBlocksClockIn: true}}) { id } }`,
			`{"data":{"updateCompany":{"id":"<digits>"}}}`),
		harness.Named(harness.ClockIn("budi", "faceLandmark", harness.Face(1, 0)), "budi's face is registered"),
		harness.Named(harness.ClockIn("agus", "faceLandmark", harness.Face(2, 0)), "agus sends another"),
	})
	s.MoveTo(t, harness.Jakarta(9, 10, 0), "budi")
	s.Run(t, []apitest.Scenario{harness.ClockOut("budi")})
	s.MoveTo(t, harness.Jakarta(10, 0, 0), "budi")
	o := newOrder(t, s)
	for _, end := range []struct {
		in   bool
		list []broken
	}{{true, brokenIns}, {false, brokenOuts}} {
		o.in = end.in
		o.try(t, "nothing", "", "", func(context.Context, *order) error { return nil })
		for i, first := range end.list {
			o.try(t, first.name, first.code, first.field, first.change)
			for _, second := range end.list[i+1:] {
				if first.group != "" && first.group == second.group {
					continue
				}
				decides := first
				if first.group == "none open" && second.group == "offline" {
					decides = second // else the phone would send it again for ever
				}
				o.try(t, first.name+" and "+second.name, decides.code, decides.field, second.change, first.change)
			}
		}
	}
}

// newOrder prepares who clocks in, all of whose policies block.
func newOrder(t *testing.T, s *harness.Server) *order {
	t.Helper()
	ctx, db := viewer.System(t.Context()), s.Store.Ent
	o := &order{Server: s}
	o.budi = db.User.Query().Where(user.Email("budi@demo.test")).OnlyX(ctx)
	o.agus = db.User.Query().Where(user.Email("agus@demo.test")).OnlyIDX(ctx)
	o.pusat = db.Address.Query().Where(address.Name("Kantor Pusat")).OnlyIDX(ctx)
	o.bandung = db.Address.Query().Where(address.Name("Kantor Bandung")).OnlyIDX(ctx)
	o.device = db.Device.Query().Where(device.DeviceID("budi")).OnlyIDX(ctx)
	id, err := strconv.Atoi(s.Vars["budi.shift"])
	if err != nil {
		t.Fatal(err)
	}
	o.today = db.EmployeeShift.GetX(ctx, id)
	o.tomorrow = db.EmployeeShift.Query().Where(employeeshift.UserID(o.budi.ID), employeeshift.Date("2026-03-11")).FirstX(ctx)
	o.change(t, func(ctx context.Context, o *order) error {
		policies := setting.Policies{}
		for _, name := range []string{"geofenceIn", "geofenceOut", "accuracy", "mock", "speed", "device", "face"} {
			policies[name] = setting.Block
		}
		if err := ent.FromContext(ctx).User.UpdateOneID(o.budi.ID).SetPolicies(policies).Exec(ctx); err != nil {
			return err
		}
		kind, err := ent.FromContext(ctx).LeaveType.Create().SetCompanyID(o.budi.CompanyID).SetName("order").Save(ctx)
		if err != nil {
			return err
		}
		return ent.FromContext(ctx).Leave.Create().SetCompanyID(o.budi.CompanyID).SetUserID(o.budi.ID).SetLeaveTypeID(kind.ID).
			SetStartsOn("2020-01-01").SetEndsOn("2026-03-10").SetDates([]string{"2020-01-04", "2020-01-05", "2026-03-10"}).SetReason("").
			SetCreatedAt(s.Clock.Now()).SetExpiresAt(s.Clock.Now()).SetState("cancelled").Exec(ctx)
	})
	o.known = db.Attendance.Query().Order(ent.Desc(entAttendance.FieldID)).FirstIDX(ctx)
	return o
}

// change runs a step in a transaction, as a system job.
func (o *order) change(t *testing.T, step func(context.Context, *order) error) {
	t.Helper()
	err := tx.Run(viewer.System(t.Context()), o.Store.Ent, func(ctx context.Context) error { return step(ctx, o) })
	if err != nil {
		t.Fatal(err)
	}
}

// reset takes back what was changed, and has budi clocked in for a clock-out.
func reset(ctx context.Context, o *order) error {
	db := ent.FromContext(ctx)
	for _, step := range []func() error{
		func() error {
			_, err := db.Attendance.Delete().Where(entAttendance.UserID(o.budi.ID), entAttendance.IDGT(o.known)).Exec(ctx)
			return err
		},
		func() error {
			_, err := db.AllowedPlace.Delete().Where(allowedplace.UserID(o.budi.ID)).Exec(ctx)
			return err
		},
		func() error { return dateOf(ctx, o, "2026-03-10") },
		func() error {
			return db.EmployeeShift.UpdateOneID(o.today.ID).SetClockInFrom(o.today.ClockInFrom).Exec(ctx)
		},
		func() error {
			_, err := db.ExecContext(ctx, "UPDATE users SET joined_on = NULL WHERE id = ?", o.budi.ID)
			return err
		},
		func() error {
			_, err := db.ExecContext(ctx, "UPDATE leaves SET state = 'cancelled' WHERE user_id = ?", o.budi.ID)
			return err
		},
		func() error {
			_, err := db.ExecContext(ctx, "UPDATE attendances SET work_date = '2020-01-01' WHERE user_id = ?", o.agus)
			return err
		},
	} {
		if err := step(); err != nil {
			return err
		}
	}
	o.members = map[string]string{
		"addressId": strconv.Quote(strconv.Itoa(o.pusat)), "employeeShiftId": strconv.Quote(strconv.Itoa(o.today.ID)),
		"latitude": `"-6.200000"`, "longitude": `"106.816666"`, "faceLandmark": harness.Face(1, 7),
	}
	if o.in {
		return nil
	}
	return attend(ctx, o, o.today, harness.Jakarta(9, 20, 0), time.Time{}, nil)
}

// dateOf sets the date of budi's occurrence, and of the attendance for it.
func dateOf(ctx context.Context, o *order, date string) error {
	for _, table := range []string{"employee_shifts SET date = ? WHERE id = ?", "attendances SET work_date = ? WHERE employee_shift_id = ?"} {
		if _, err := ent.FromContext(ctx).ExecContext(ctx, "UPDATE "+table, date, o.today.ID); err != nil {
			return err
		}
	}
	return nil
}

// attend adds an attendance of budi at Kantor Pusat; a zero out is an open one.
func attend(ctx context.Context, o *order, of *ent.EmployeeShift, in, out time.Time, change func(*ent.AttendanceCreate)) error {
	local, offset := shift.Wall(in, shift.ZoneNamed(of.Timezone))
	create := ent.FromContext(ctx).Attendance.Create().SetCompanyID(of.CompanyID).SetUserID(of.UserID).SetEmployeeShiftID(of.ID).SetAddressID(o.pusat).
		SetWorkDate(of.Date).SetClockedInAt(in.UTC()).SetClockedInLocal(local).SetClockedInOffset(offset).SetClockedInZone(of.Timezone).
		SetClockedInReceivedAt(in.UTC()).SetClockedInLatitude(-6.2).SetClockedInLongitude(106.816666).SetClockedInSource("app").SetClockedInGeofence("inside")
	if !out.IsZero() {
		create.SetClockedOutAt(out.UTC()).SetClockedOutReceivedAt(out.UTC()).SetClockedOutSource("app").SetClockedOutLatitude(-6.2).SetClockedOutLongitude(106.816666)
	}
	if change != nil {
		change(create)
	}
	if out.IsZero() {
		return create.Exec(ctx)
	}
	open, err := ent.FromContext(ctx).Attendance.Query().Where(entAttendance.UserID(of.UserID), entAttendance.OpenMarker(1)).IDs(ctx)
	if err != nil {
		return err
	}
	if err := mark(ctx, open, "NULL"); err != nil {
		return err
	}
	a, err := create.Save(ctx)
	if err != nil {
		return err
	}
	if err := mark(ctx, []int{a.ID}, "NULL"); err != nil {
		return err
	}
	return mark(ctx, open, "1")
}

// mark sets the open marker of attendances.
func mark(ctx context.Context, ids []int, marker string) error {
	for _, id := range ids {
		if _, err := ent.FromContext(ctx).ExecContext(ctx, "UPDATE attendances SET open_marker = "+marker+" WHERE id = ?", id); err != nil {
			return err
		}
	}
	return nil
}

// leave removes the open attendance.
func leave(ctx context.Context, o *order) error {
	_, err := ent.FromContext(ctx).Attendance.Delete().Where(entAttendance.UserID(o.budi.ID), entAttendance.OpenMarker(1)).Exec(ctx)
	return err
}

// members sets members of the request.
func members(pairs ...string) func(context.Context, *order) error {
	return func(_ context.Context, o *order) error {
		for i := 0; i < len(pairs); i += 2 {
			text := pairs[i+1]
			for name, value := range o.Vars {
				text = strings.ReplaceAll(text, "{{"+name+"}}", value)
			}
			o.members[pairs[i]] = text
		}
		return nil
	}
}

// recorded sets when the event was recorded, unless another flaw has.
func recorded(o *order, at time.Time) {
	if o.members["recordedAt"] == "" {
		o.members["recordedAt"] = strconv.Quote(at.Format(time.RFC3339))
	}
}

// bandung is a position in Bandung.
func bandung(a *ent.AttendanceCreate) {
	a.SetClockedInLatitude(-6.921151).SetClockedInLongitude(107.607301)
}

// The flaws of both events in the position and the face, and in what is sent.
var (
	ofMembers = []broken{
		{"a long note", members("note", strconv.Quote(strings.Repeat("x", 251))), "VALIDATION_FAILED", "note", ""},
		{"another company's site", members("addressId", `"{{toko}}"`), "NOT_FOUND", "addressId", ""},
		{"somebody else's shift", members("employeeShiftId", `"{{agus.shift}}"`), "NOT_FOUND", "employeeShiftId", ""},
	}
	ofPositions = []broken{
		{"a low accuracy", members("accuracy", "200"), "LOW_ACCURACY", "accuracy", ""},
		{"far away", members(harness.Far...), "OUTSIDE_ALLOWED_LOCATION", "latitude", ""},
		{"a position made up", members("mocked", "true"), "POSITION_MOCKED", "mocked", ""},
	}
	ofFaces = []broken{
		{"a face of two points", members("faceLandmark", `[{"x":0.1,"y":0.1},{"x":0.2,"y":0.2}]`), "FACE_INVALID", "faceLandmark", "face"},
		{"a face sent before", members("faceLandmark", harness.Face(2, 0)), "FACE_REPLAYED", "faceLandmark", "face"},
		{"another's face", members("faceLandmark", harness.Face(3, 0)), "FACE_MISMATCH", "faceLandmark", "face"},
	}
)

// brokenIns are the flaws of a clock-in in the order in which they are looked for.
var brokenIns = append(append(append(ofMembers[:len(ofMembers):len(ofMembers)],
	broken{"the same recording", func(ctx context.Context, o *order) error {
		recorded(o, harness.Jakarta(9, 30, 0))
		at, err := time.Parse(strconv.Quote(time.RFC3339), o.members["recordedAt"])
		if err != nil {
			return err
		}
		return attend(ctx, o, o.today, harness.Jakarta(-48, 0, 0), harness.Jakarta(-47, 0, 0), func(a *ent.AttendanceCreate) { a.SetClockedInRecordedAt(at.UTC()) })
	}, "", "", ""},
	broken{"another shift open", func(ctx context.Context, o *order) error {
		return attend(ctx, o, o.tomorrow, harness.Jakarta(9, 55, 0), time.Time{}, nil)
	}, "ALREADY_CLOCKED_IN", "", ""},
	broken{"a site that is not allowed", func(ctx context.Context, o *order) error {
		return ent.FromContext(ctx).AllowedPlace.Create().SetCompanyID(o.budi.CompanyID).SetOf("user").SetUserID(o.budi.ID).SetAddressID(o.bandung).Exec(ctx)
	}, "LOCATION_NOT_ALLOWED", "addressId", ""},
	broken{"recorded days ago", func(_ context.Context, o *order) error {
		o.members["recordedAt"] = strconv.Quote(harness.Jakarta(-96, 0, 0).Format(time.RFC3339))
		return nil
	}, "RECORDED_AT_OUT_OF_RANGE", "recordedAt", ""},
	broken{"before the first day", func(ctx context.Context, o *order) error {
		if _, err := ent.FromContext(ctx).ExecContext(ctx, "UPDATE users SET joined_on = '2026-03-10' WHERE id = ?", o.budi.ID); err != nil {
			return err
		}
		return dateOf(ctx, o, "2020-01-04")
	}, "FORBIDDEN", "", ""},
	broken{"a locked period", func(ctx context.Context, o *order) error {
		recorded(o, harness.Jakarta(9, 0, 0))
		return dateOf(ctx, o, "2020-01-05")
	}, "CONFLICT", "recordedAt", ""},
	broken{"before the window", func(ctx context.Context, o *order) error {
		return ent.FromContext(ctx).EmployeeShift.UpdateOneID(o.today.ID).SetClockInFrom(harness.Jakarta(11, 0, 0).UTC()).Exec(ctx)
	}, "SHIFT_WINDOW_CLOSED", "employeeShiftId", ""},
	broken{"within another attendance", func(ctx context.Context, o *order) error {
		return attend(ctx, o, o.tomorrow, harness.Jakarta(-120, 0, 0), harness.Jakarta(11, 0, 0), nil)
	}, "CONFLICT", "recordedAt", ""}),
	ofPositions...), append([]broken{
	{"in Bandung a moment ago", func(ctx context.Context, o *order) error {
		return attend(ctx, o, o.tomorrow, harness.Jakarta(9, 50, 0), harness.Jakarta(9, 59, 0), func(a *ent.AttendanceCreate) {
			a.SetClockedOutLatitude(-6.921151).SetClockedOutLongitude(107.607301)
		})
	}, "POSITION_IMPLAUSIBLE", "latitude", ""},
	{"on leave", func(ctx context.Context, o *order) error {
		_, err := ent.FromContext(ctx).ExecContext(ctx, "UPDATE leaves SET state = 'approved' WHERE user_id = ?", o.budi.ID)
		return err
	}, "CONFLICT", "employeeShiftId", ""},
	{"somebody else's device", func(ctx context.Context, o *order) error {
		_, err := ent.FromContext(ctx).ExecContext(ctx, "UPDATE attendances SET work_date = (SELECT date FROM employee_shifts WHERE id = ?) WHERE user_id = ? AND clocked_in_device_id = ?",
			o.today.ID, o.agus, o.device)
		return err
	}, "DEVICE_NOT_ALLOWED", "", ""},
	{"no face", func(_ context.Context, o *order) error { delete(o.members, "faceLandmark"); return nil }, "FACE_REQUIRED", "faceLandmark", "face"},
}, ofFaces...)...)

// brokenOuts are the flaws of a clock-out in the order in which they are looked for.
var brokenOuts = append(append(append(ofMembers[:len(ofMembers):len(ofMembers)],
	broken{"the same recording", func(ctx context.Context, o *order) error {
		recorded(o, harness.Jakarta(9, 30, 0))
		at, err := time.Parse(strconv.Quote(time.RFC3339), o.members["recordedAt"])
		if err != nil {
			return err
		}
		return attend(ctx, o, o.today, at.Add(-time.Hour), at, func(a *ent.AttendanceCreate) { a.SetClockedOutRecordedAt(at.UTC()) })
	}, "", "", ""},
	broken{"none open", leave, "NOT_CLOCKED_IN", "", "none open"},
	broken{"ended before the open one began", func(ctx context.Context, o *order) error {
		if err := leave(ctx, o); err != nil {
			return err
		}
		if err := attend(ctx, o, o.today, harness.Jakarta(7, 0, 0), harness.Jakarta(7, 10, 0), nil); err != nil {
			return err
		}
		return attend(ctx, o, o.tomorrow, harness.Jakarta(8, 30, 0), time.Time{}, nil)
	}, "NOT_CLOCKED_IN", "", "none open"},
	broken{"another site, that is not allowed", func(ctx context.Context, o *order) error {
		o.members["addressId"] = strconv.Quote(o.Vars["cikarang"])
		return ent.FromContext(ctx).AllowedPlace.Create().SetCompanyID(o.budi.CompanyID).SetOf("user").SetUserID(o.budi.ID).SetAddressID(o.bandung).Exec(ctx)
	}, "LOCATION_NOT_ALLOWED", "addressId", ""},
	broken{"recorded days ago", func(_ context.Context, o *order) error {
		o.members["recordedAt"] = strconv.Quote(harness.Jakarta(-96, 0, 0).Format(time.RFC3339))
		return nil
	}, "RECORDED_AT_OUT_OF_RANGE", "recordedAt", "offline"},
	broken{"a locked period", func(ctx context.Context, o *order) error {
		recorded(o, harness.Jakarta(9, 0, 0))
		return dateOf(ctx, o, "2020-01-05")
	}, "CONFLICT", "recordedAt", "offline"},
	broken{"before its clock-in", func(ctx context.Context, o *order) error {
		recorded(o, harness.Jakarta(9, 30, 0))
		if err := leave(ctx, o); err != nil {
			return err
		}
		return attend(ctx, o, o.today, harness.Jakarta(9, 45, 0), time.Time{}, nil)
	}, "NOT_CLOCKED_IN", "", ""},
	broken{"over another attendance", func(ctx context.Context, o *order) error {
		return attend(ctx, o, o.tomorrow, harness.Jakarta(9, 59, 10), harness.Jakarta(9, 59, 20), nil)
	}, "CONFLICT", "recordedAt", ""}),
	ofPositions...), append([]broken{
	{"in Bandung a moment ago", func(ctx context.Context, o *order) error {
		if err := leave(ctx, o); err != nil {
			return err
		}
		return attend(ctx, o, o.today, harness.Jakarta(9, 59, 0), time.Time{}, bandung)
	}, "POSITION_IMPLAUSIBLE", "latitude", ""},
}, ofFaces...)...)

// try sends an event with changes to both APIs, and compares the refusal; a code of "" is
// none. What is refused leaves no attendance.
func (o *order) try(t *testing.T, name, code, field string, changes ...func(context.Context, *order) error) {
	t.Helper()
	end, path := "clockOut", "/attendance/clockOut"
	if o.in {
		end, path = "clockIn", "/attendance/clockIn"
	}
	for _, api := range []string{"REST", "GraphQL"} {
		o.change(t, reset)
		for _, c := range changes {
			o.change(t, c)
		}
		before := o.rows(t)
		var parts []string
		for member, value := range o.members {
			parts = append(parts, fmt.Sprintf("%q:%s", member, value))
		}
		r := apitest.Scenario{Path: path, Header: harness.Bearer("budi"), Body: "{" + strings.Join(parts, ",") + "}"}
		if api == "GraphQL" {
			r.Path = "/graphql"
			r.Body = fmt.Sprintf(`{"query":"mutation($input:C%sInput!){%s(input:$input){__typename}}","variables":{"input":%s}}`, end[1:], end, r.Body)
		}
		got, err := o.Attempt(r)
		if err != nil {
			t.Fatal(err)
		}
		gotCode, gotField := refusalIn(t, got.Body)
		if gotCode != code || gotField != field {
			t.Errorf("%s by %s, %s: got %q on %q, want %q on %q: %.300s", end, api, name, gotCode, gotField, code, field, got.Body)
		}
		if after := o.rows(t); after != before && (code != "" || name != "nothing") {
			t.Errorf("%s by %s, %s: %d attendances, then %d", end, api, name, before, after)
		}
	}
}

// rows returns how many attendances of budi are known, and are open.
func (o *order) rows(t *testing.T) int {
	ctx, db := viewer.System(t.Context()), o.Store.Ent
	return 1000*db.Attendance.Query().Where(entAttendance.UserID(o.budi.ID)).CountX(ctx) +
		db.Attendance.Query().Where(entAttendance.UserID(o.budi.ID), entAttendance.OpenMarker(1)).CountX(ctx)
}

// refusalIn returns the code and the first field of an answer of either API.
func refusalIn(t *testing.T, body string) (code, field string) {
	t.Helper()
	type problem struct {
		Code   string
		Errors []struct{ Field string }
	}
	var rest problem
	var graph struct {
		Errors []struct{ Extensions problem }
	}
	if strings.HasPrefix(body, `{"errors"`) || strings.HasPrefix(body, `{"data"`) {
		if err := json.Unmarshal([]byte(body), &graph); err != nil {
			t.Fatal(err, body)
		}
		if len(graph.Errors) > 0 {
			rest = graph.Errors[0].Extensions
		}
	} else if err := json.Unmarshal([]byte(body), &rest); err != nil {
		t.Fatal(err, body)
	}
	if len(rest.Errors) > 0 {
		field = rest.Errors[0].Field
	}
	return rest.Code, field
}
