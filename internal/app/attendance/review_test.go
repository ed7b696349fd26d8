package attendance

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/auditevent"
	entExemption "workforce/ent/exemption"
	entMessage "workforce/ent/message"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/audit"
	"workforce/internal/app/tx"
	"workforce/internal/setting"
	"workforce/internal/viewer"
)

// A team is a world whose user works in a business that a manager leads.
type team struct {
	*world
	manager, stranger, owner *ent.User
	unit                     int
}

func newTeam(t *testing.T) *team {
	w := &team{world: newWorld(t)}
	w.manager, w.stranger, w.owner = w.User(t, "Manager", viewer.Manager), w.User(t, "Stranger", viewer.Manager), w.User(t, "Owner", viewer.Owner)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		w.unit = db.Business.Create().SetCompanyID(w.Company.ID).SetName("Unit").SaveX(ctx).ID
		return db.User.Update().Where().SetBusinessID(w.unit).Exec(ctx)
	})
	return w
}

// as runs a step in a transaction as somebody.
func (w *team) as(u *ent.User, role string, units []int, step func(ctx context.Context) error) error {
	return tx.Run(w.As(u, role, units...), w.DB, step)
}

// review decides as somebody.
func (w *team) review(u *ent.User, role string, units []int, id int, in model.ReviewAttendanceInput) error {
	return w.as(u, role, units, func(ctx context.Context) error { return w.Review(ctx, id, in) })
}

func mocked(in *model.ClockInInput) { in.Mocked = given(true) }

// TestReview decides about flagged events: one end after the other, once each.
func TestReview(t *testing.T) {
	w := newTeam(t)
	id, err := w.clockIn(mocked)
	wantCode(t, "in", err, "")
	units := []int{w.unit}
	accept, reject := model.ReviewAttendanceInput{Accept: true}, model.ReviewAttendanceInput{Note: given("not you")}
	state := func() string {
		a := w.DB.Attendance.GetX(w.System(), id)
		return fmt.Sprint(a.ClockedInReview, " ", a.ClockedOutReview)
	}
	for _, tt := range []struct {
		name  string
		by    *ent.User
		role  string
		units []int
		in    model.ReviewAttendanceInput
		want  string
		state string
	}{
		{"the employee", w.user, viewer.Employee, nil, accept, "FORBIDDEN", "pending none"},
		{"the employee, were they a manager", w.user, viewer.Manager, units, accept, "FORBIDDEN", "pending none"},
		{"a supervisor", w.manager, viewer.Supervisor, units, accept, "FORBIDDEN", "pending none"},
		{"a manager of others", w.stranger, viewer.Manager, nil, accept, "ent: attendance not found", "pending none"},
		{"a long note", w.manager, viewer.Manager, units, model.ReviewAttendanceInput{Note: given(strings.Repeat("é", 251))}, "VALIDATION_FAILED note too_long", "pending none"},
		{"the other end", w.manager, viewer.Manager, units, model.ReviewAttendanceInput{End: given(model.ClockEndOut), Accept: true}, "CONFLICT", "pending none"},
		{"the manager", w.manager, viewer.Manager, units, accept, "", "accepted none"},
		{"once more", w.manager, viewer.Manager, units, reject, "CONFLICT", "accepted none"},
	} {
		err := w.review(tt.by, tt.role, tt.units, id, tt.in)
		if got := apptest.Code(err); got != tt.want || state() != tt.state {
			t.Errorf("%s: %q, %s, want %q, %s", tt.name, got, state(), tt.want, tt.state)
		}
	}
	w.Advance(time.Hour)
	wantCode(t, "out", w.clockOut(func(out *model.ClockOutInput) { out.Mocked = given(true) }), "")
	if got := state(); got != "accepted pending" {
		t.Errorf("after the clock-out: %s", got)
	}
	wantCode(t, "the clock-out", w.review(w.owner, viewer.Owner, nil, id, reject), "")
	a := w.DB.Attendance.GetX(w.System(), id)
	if state() != "accepted rejected" || *a.ClockedOutReviewerID != w.owner.ID || *a.ClockedOutReviewNote != "not you" || !a.ClockedOutReviewedAt.Equal(w.Now()) {
		t.Errorf("kept %s by %v at %v: %v", state(), a.ClockedOutReviewerID, a.ClockedOutReviewedAt, a.ClockedOutReviewNote)
	}
	if n := w.DB.Message.Query().Where(entMessage.UserID(w.user.ID), entMessage.Kind("out_rejected")).CountX(w.System()); n != 1 {
		t.Errorf("%d messages of a rejection, want 1", n)
	}
	events := []string{}
	for _, e := range w.DB.AuditEvent.Query().Where(auditevent.Action(audit.EventReviewed)).AllX(w.System()) {
		events = append(events, fmt.Sprint(e.SubjectID == id, *e.After))
	}
	if fmt.Sprint(events) != `[true{"end":"in","review":"accepted"} true{"end":"out","review":"rejected"}]` {
		t.Errorf("recorded %v", events)
	}
}

// TestReviewOfAnOwner is for owners alone.
func TestReviewOfAnOwner(t *testing.T) {
	w := newTeam(t)
	w.user = w.owner
	w.today = w.occurrence(t, w.assign(t, w.owner, w.assignment.Edges.Shift), "2026-03-11")
	id, err := w.clockIn(mocked)
	wantCode(t, "in", err, "")
	in := model.ReviewAttendanceInput{Accept: true}
	wantCode(t, "by an admin", w.review(w.manager, viewer.Admin, nil, id, in), "FORBIDDEN")
	wantCode(t, "by themselves", w.review(w.owner, viewer.Owner, nil, id, in), "FORBIDDEN")
	wantCode(t, "by another owner", w.review(w.stranger, viewer.Owner, nil, id, in), "")
}

// TestNothingToReview has events without flags, and such that only tell something, wait
// for nobody.
func TestNothingToReview(t *testing.T) {
	w := newTeam(t)
	id, err := w.clockIn(recordedIn(jakarta("09:00")))
	wantCode(t, "in, offline", err, "")
	err = w.review(w.manager, viewer.Manager, []int{w.unit}, id, model.ReviewAttendanceInput{Accept: true})
	if wantCode(t, "review", err, "CONFLICT"); apptest.Conflict(err) != "NOT_PENDING" {
		t.Errorf("review: %s", apptest.Conflict(err))
	}
}

// TestExemptions exempts somebody from a rule until a day, GE-12.
func TestExemptions(t *testing.T) {
	w := newTeam(t)
	units := []int{w.unit}
	create := func(by *ent.User, role string, units []int, in model.CreateExemptionInput) (x *ent.Exemption, err error) {
		err = w.as(by, role, units, func(ctx context.Context) error {
			x, err = w.CreateExemption(ctx, in)
			return err
		})
		return x, err
	}
	in := model.CreateExemptionInput{UserID: w.user.ID, Rule: entExemption.RuleGeofence, EndsOn: "2026-03-11", Note: given("on the road")}
	own, late, nobody := in, in, in
	own.UserID, late.EndsOn, nobody.UserID = w.manager.ID, "2026-03-10", 4711
	for _, tt := range []struct {
		name  string
		by    *ent.User
		role  string
		units []int
		in    model.CreateExemptionInput
		want  string
	}{
		{"by the employee", w.user, viewer.Employee, nil, in, "FORBIDDEN"},
		{"by a manager of others", w.stranger, viewer.Manager, nil, in, "FORBIDDEN"},
		{"of oneself", w.manager, viewer.Manager, units, own, "FORBIDDEN"},
		{"until yesterday", w.manager, viewer.Manager, units, late, "VALIDATION_FAILED endsOn out_of_range"},
		{"of nobody", w.manager, viewer.Manager, units, nobody, "NOT_FOUND userId"},
		{"until today", w.manager, viewer.Manager, units, in, ""},
		{"again", w.manager, viewer.Manager, units, in, "VALIDATION_FAILED rule already_taken"},
	} {
		_, err := create(tt.by, tt.role, tt.units, tt.in)
		wantCode(t, tt.name, err, tt.want)
	}
	far := func(i *model.ClockInInput) { *i.Latitude.Value() = centerNorth(500) }
	id, err := w.clockIn(far)
	wantCode(t, "on the last day", err, "")
	a := w.DB.Attendance.GetX(w.System(), id)
	if a.ClockedInGeofence != "off" || fmt.Sprint(a.ClockedInVerdict.Exempt, " ", a.ClockedInVerdict.Policies["geofenceIn"]) != "[geofence] off" || a.ClockedInReview != "none" {
		t.Errorf("judged %s by %+v, review %s of %v", a.ClockedInGeofence, a.ClockedInVerdict, a.ClockedInReview, a.ClockedInFlags)
	}
	w.Advance(time.Hour)
	wantCode(t, "out", w.clockOut(), "")
	w.today = w.occurrence(t, w.assignment, "2026-03-12")
	w.Set(jakarta("2026-03-12 10:00"))
	_, err = w.clockIn(far)
	wantCode(t, "the day after", err, "OUTSIDE_ALLOWED_LOCATION latitude")

	x := w.DB.Exemption.Query().OnlyX(w.System())
	change := func(by *ent.User, role string, in model.UpdateExemptionInput) error {
		return w.as(by, role, units, func(ctx context.Context) error { return w.UpdateExemption(ctx, x.ID, in) })
	}
	wantCode(t, "changed by the employee", change(w.user, viewer.Employee, model.UpdateExemptionInput{EndsOn: given("2026-03-12")}), "FORBIDDEN")
	wantCode(t, "without an end", change(w.manager, viewer.Manager, model.UpdateExemptionInput{EndsOn: nothing[string]()}), "VALIDATION_FAILED endsOn required")
	wantCode(t, "longer", change(w.manager, viewer.Manager, model.UpdateExemptionInput{EndsOn: given("2026-03-12"), Note: nothing[string]()}), "")
	if x := w.DB.Exemption.Query().OnlyX(w.System()); x.EndsOn != "2026-03-12" || x.Note != nil {
		t.Errorf("changed to %v", x)
	}
	_, err = w.clockIn(far)
	wantCode(t, "within the longer time", err, "")
	remove := func(by *ent.User, role string) error {
		return w.as(by, role, units, func(ctx context.Context) error { return w.DeleteExemption(ctx, x.ID) })
	}
	wantCode(t, "removed by the employee", remove(w.user, viewer.Employee), "FORBIDDEN")
	wantCode(t, "removed", remove(w.manager, viewer.Manager), "")
	wantCode(t, "removed again", remove(w.manager, viewer.Manager), "ent: exemption not found")
}

// TestVerdicts compares what is shown of judgements: what was measured and by which policy.
func TestVerdicts(t *testing.T) {
	w := newTeam(t)
	id, err := w.clockIn(mocked, func(in *model.ClockInInput) {
		in.Accuracy, in.SentAt = given(12.5), given(apptest.Now.Add(-5*time.Second))
	})
	wantCode(t, "in", err, "")
	if v := ClockOutVerdict(w.DB.Attendance.GetX(w.System(), id)); v != nil {
		t.Errorf("of the clock-out of an open attendance: %v", v)
	}
	w.Advance(time.Hour)
	wantCode(t, "out", w.clockOut(func(out *model.ClockOutInput) { *out.Latitude.Value() = centerNorth(500) }), "")
	a := w.DB.Attendance.GetX(w.System(), id)
	for _, tt := range []struct {
		got  *model.ClockVerdict
		want string
	}{
		{ClockInVerdict(a), `{"geofence":{"policy":"block","verdict":"inside","distanceMeters":0,"radiusMeters":100},"accuracy":{"policy":"flag","meters":12.5,"limitMeters":150},` +
			`"mock":{"policy":"flag","mocked":true},"speed":{"policy":"flag","limitKmh":300},"device":{"policy":"flag","deviceId":7,"shared":false},` +
			`"face":{"policy":"flag","verdict":"none"},"time":{"source":"app","receivedAt":"2026-03-11T10:00:00+07:00","skewSeconds":-5,"unpaired":[]},"exempt":[],"flags":["mock"]}`},
		{ClockOutVerdict(a), `{"geofence":{"policy":"flag","verdict":"outside","distanceMeters":500,"radiusMeters":100},"accuracy":{"policy":"flag","limitMeters":150},` +
			`"mock":{"policy":"flag"},"speed":{"policy":"flag","kmh":1,"limitKmh":300},"device":{"deviceId":8,"shared":false},` +
			`"face":{"verdict":"none"},"time":{"source":"app","receivedAt":"2026-03-11T11:00:00+07:00","unpaired":[]},"exempt":[],"flags":["outside"]}`},
	} {
		text, err := json.Marshal(tt.got)
		if err != nil || string(text) != tt.want {
			t.Errorf("got  %s %v\nwant %s", text, err, tt.want)
		}
	}
}

// TestFaceVerdicts compares what is shown of the faces of both ends: the policy, the
// distance, the limits and the version by which each was judged.
func TestFaceVerdicts(t *testing.T) {
	w := newTeam(t)
	first := w.inAndOut(t, capture(0.01, 1), nil)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.User.UpdateOneID(w.user.ID).SetPolicies(map[string]string{"face": "off"}).Exec(ctx)
	})
	w.settings = setting.Values{"faceMatch": 90, "faceReplay": 0}
	second := w.inAndOut(t, capture(0.01, 2), stranger())
	w.settings = nil
	for _, tt := range []struct {
		name string
		got  *model.FaceVerdict
		want string
	}{
		{"registered", ClockInVerdict(first).Face, `{"policy":"flag","verdict":"registered","version":1}`},
		{"out without a face", ClockOutVerdict(first).Face, `{"verdict":"none"}`},
		{"a match", ClockInVerdict(second).Face, `{"policy":"off","verdict":"match","matched":true,"distance":` + fmt.Sprint(*second.FaceDistance) + `,"version":1,"matchLimit":0.09,"doubtfulLimit":0.12,"replayLimit":0}`},
		{"out with a stranger's", ClockOutVerdict(second).Face, `{"policy":"off","verdict":"mismatch","matched":false,"distance":` + fmt.Sprint(*second.ClockedOutFaceDistance) + `,"version":1,"matchLimit":0.09,"doubtfulLimit":0.12,"replayLimit":0}`},
	} {
		text, err := json.Marshal(tt.got)
		if err != nil || string(text) != tt.want {
			t.Errorf("%s:\ngot  %s %v\nwant %s", tt.name, text, err, tt.want)
		}
	}
}
