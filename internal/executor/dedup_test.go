package executor

import (
	"fmt"
	"testing"
	"time"
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
	f.want("two fields again", f.run(by(two, "t", 1), f.add), "row 6 replayed")
	nobody := by(deletion, "r", 1)
	nobody.nobody = true
	f.want("nobody", f.run(nobody, f.add), "row 7")
	f.wantRows(7)
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

// TestRecordWithoutOutcome runs a request whose record has no outcome, which is no
// proof of a commit either.
func TestRecordWithoutOutcome(t *testing.T) {
	f := newFixture(t)
	f.want("first", f.run(by(deletion, "r", 1), f.add), "row 1")
	f.DB.RequestRecord.Update().SetOutcome("").ExecX(f.System())
	ctx, _ := f.context(by(deletion, "r", 1))
	if resp, again := f.lookupOutcome(ctx, f.World.Now()); resp != nil || !again {
		t.Errorf("looked up: %v, %v; want to run again", resp, again)
	}
	f.want("again", f.run(by(deletion, "r", 1), f.add), "row 2")
	f.want("and again", f.run(by(deletion, "r", 1), f.add), "row 2 replayed")
}

// TestLookupOutcome tells of a stored outcome from before the request began that it
// is no proof of a commit.
func TestLookupOutcome(t *testing.T) {
	f := newFixture(t)
	f.want("first", f.run(by(deletion, "r", 1), f.add), "row 1")
	ctx, _ := f.context(by(deletion, "r", 1))
	for began, want := range map[time.Duration]string{0: "row 1 false", time.Microsecond: " true"} {
		resp, again := f.lookupOutcome(ctx, f.World.Now().Add(began))
		text := ""
		if resp != nil {
			text = string(resp.Data)
		}
		if got := fmt.Sprint(text, " ", again); got != want {
			t.Errorf("begun %v after the outcome: %q, want %q", began, got, want)
		}
	}
}
