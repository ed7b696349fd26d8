package executor

import (
	"context"
	"fmt"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/attendance"
	"workforce/internal/app/apptest"
	"workforce/internal/request"
	"workforce/internal/viewer"
)

// by is a request under an X-Req-Id.
func by(text, id string, device int) sent { return sent{text: text, id: id, device: device} }

func TestDedup(t *testing.T) {
	f := newFixture(t)
	siti := f.User(t, "Siti")
	f.want("first", f.run(by(deletion, "r", 1), f.add), "row 1")
	f.want("again", f.run(by(deletion, "r", 1), f.add), "row 1 replayed")
	f.want("another id", f.run(by(deletion, "s", 1), f.add), "row 2")
	other := by(deletion, "r", 1)
	other.as = siti
	f.want("another user", f.run(other, f.add), "row 3")
	f.want("no id", f.run(by(deletion, "", 1), f.add), "row 4")
	f.want("no id again", f.run(by(deletion, "", 1), f.add), "row 5")
	two := `mutation { a: deleteRole(id: 1) { deleted } b: deleteRole(id: 2) { deleted } }`
	f.want("two fields", f.run(by(two, "t", 1), f.add), "row 6")
	f.want("two fields again", f.run(by(two, "t", 1), f.add), "row 7")
	nobody := by(deletion, "r", 1)
	nobody.nobody = true
	f.want("nobody", f.run(nobody, f.add), "row 8")
	f.wantRows(8)
}

// TestDedupLife replays an outcome for a day; then the request runs anew.
func TestDedupLife(t *testing.T) {
	f := newFixture(t)
	f.want("first", f.run(by(deletion, "r", 1), f.add), "row 1")
	f.Advance(24 * time.Hour)
	f.want("after a day", f.run(by(deletion, "r", 1), f.add), "row 1 replayed")
	f.Advance(time.Microsecond)
	f.want("after more", f.run(by(deletion, "r", 1), f.add), "row 2")
	f.Advance(24 * time.Hour)
	f.want("a day after that", f.run(by(deletion, "r", 1), f.add), "row 2 replayed")
}

// TestDedupRefusal forgets a request that was refused.
func TestDedupRefusal(t *testing.T) {
	f := newFixture(t)
	f.want("refused", f.run(by(deletion, "r", 1), f.refuse), "CONFLICT")
	f.want("again", f.run(by(deletion, "r", 1), f.add), "row 2")
	f.wantRows(1)
}

// TestConstantIDs replays nothing under an id that the device has sent with another
// request too.
func TestConstantIDs(t *testing.T) {
	f := newFixture(t)
	f.want("first", f.run(by(deletion, "r", 1), f.add), "row 1")
	f.want("another request of another device", f.run(by(otherDeletion, "r", 2), f.add), "row 2")
	f.want("first again", f.run(by(deletion, "r", 1), f.add), "row 1 replayed")
	f.want("another request of the device", f.run(by(otherDeletion, "s", 1), f.add), "row 3")
	f.want("under the same id", f.run(by(`mutation { deleteRole(id: 3) { deleted } }`, "r", 1), f.add), "row 4")
	f.want("first once more", f.run(by(deletion, "r", 1), f.add), "row 5")
}

// TestOpenAttendance replays a clock-in while the attendance that it opened is open.
func TestOpenAttendance(t *testing.T) {
	f := newFixture(t)
	var id int
	f.want("first", f.run(by(deletion, "r", 1), func(ctx context.Context) (string, error) {
		id = f.attend(ctx)
		request.Opened(ctx, id)
		return "opened", nil
	}), "opened")
	f.want("while it is open", f.run(by(deletion, "r", 1), f.add), "opened replayed")
	f.DB.Attendance.UpdateOneID(id).ClearOpenMarker().ExecX(f.System())
	f.want("once it is closed", f.run(by(deletion, "r", 1), f.add), "row 2")
	f.want("which opened none", f.run(by(deletion, "r", 1), f.add), "row 2 replayed")
}

// attend adds an open attendance in the transaction of ctx.
func (f *fixture) attend(ctx context.Context) int {
	db, ctx, now := ent.FromContext(ctx), viewer.System(ctx), f.World.Now()
	site := db.Address.Create().SetCompanyID(f.Company.ID).SetName("Gudang").SetAddress("Jakarta").SetLatitude(-6.2).SetLongitude(106.8).SaveX(ctx)
	s := db.Shift.Create().SetCompanyID(f.Company.ID).SetName("Pagi").SetStartTime("08:00").SetEndTime("17:00").SaveX(ctx)
	assigned := db.ShiftAssignment.Create().SetCompanyID(f.Company.ID).SetUserID(f.user.ID).SetShiftID(s.ID).SetStartsOn("2026-03-01").SetWeekdays([]int{3}).SaveX(ctx)
	planned := db.EmployeeShift.Create().SetCompanyID(f.Company.ID).SetUserID(f.user.ID).SetShiftID(s.ID).SetAssignmentID(assigned.ID).SetDate("2026-03-11").SetShiftVersion(1).SetName("Pagi").SetBreakSeconds(0).
		SetStartAt(now).SetEndAt(now.Add(8 * time.Hour)).SetClockInFrom(now).SetClockInUntil(now.Add(time.Hour)).SetTimezone("Asia/Jakarta").SaveX(ctx)
	return db.Attendance.Create().SetCompanyID(f.Company.ID).SetUserID(f.user.ID).SetEmployeeShiftID(planned.ID).SetAddressID(site.ID).
		SetWorkDate("2026-03-11").SetClockedInAt(apptest.Now).SetClockedInReceivedAt(now).SetClockedInLocal("2026-03-11T10:00:00").SetClockedInOffset(7 * 3600).
		SetClockedInZone("Asia/Jakarta").SetClockedInLatitude(-6.2).SetClockedInLongitude(106.8).
		SetClockedInSource(attendance.ClockedInSourceApp).SetClockedInGeofence(attendance.ClockedInGeofenceInside).SaveX(ctx).ID
}

// TestLookupOutcome tells of a stored outcome from before the request began that it
// is no proof of a commit.
func TestLookupOutcome(t *testing.T) {
	f := newFixture(t)
	f.want("first", f.run(by(deletion, "r", 1), f.add), "row 1")
	ctx, _ := f.context(by(deletion, "r", 1))
	for began, want := range map[time.Duration]string{0: "row 1 false", time.Microsecond: " true"} {
		resp, again := f.outcomes().lookupOutcome(ctx, f.World.Now().Add(began))
		text := ""
		if resp != nil {
			text = string(resp.Data)
		}
		if got := fmt.Sprint(text, " ", again); got != want {
			t.Errorf("begun %v after the outcome: %q, want %q", began, got, want)
		}
	}
}
