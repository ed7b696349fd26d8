package requests

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/device"
	entLeave "workforce/ent/leave"
	"workforce/ent/shiftswap"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// counts are how much waits, as inboxCount has it.
type counts struct {
	Total, ClockEvents, Corrections, Leaves, Overtime, Weeks, Swaps, Devices, FaceResets int
}

// waiting returns how much waits for somebody.
func waiting(t *testing.T, s *harness.Server, who string) counts {
	t.Helper()
	var out struct{ InboxCount counts }
	const document = `{inboxCount{total clockEvents corrections leaves overtime weeks swaps devices faceResets}}`
	s.GraphQL(t, s.HeaderOf(who), document, nil, &out)
	return out.InboxCount
}

func (c counts) minus(d counts) counts {
	return counts{
		c.Total - d.Total, c.ClockEvents - d.ClockEvents, c.Corrections - d.Corrections, c.Leaves - d.Leaves,
		c.Overtime - d.Overtime, c.Weeks - d.Weeks, c.Swaps - d.Swaps, c.Devices - d.Devices, c.FaceResets - d.FaceResets,
	}
}

// bulkVerbs decide about many at once.
var bulkVerbs = []string{
	"reviewAttendances", "decideLeaves", "decideWeeks", "decideShiftSwaps", "decideDevices", "decideFaceResets",
}

// inbox counts what waits, and decides about one of each kind, about what is not there, and again.
func inbox(t *testing.T, s *harness.Server) {
	signIn(t, s)
	before, others := waiting(t, s, "ratna"), waiting(t, s, "daeng")
	s.Run(t, []apitest.Scenario{asked("a correction", morning+`,reason:"x"`, "first")})
	ids := addWaiting(t, s)
	if got, want := waiting(t, s, "ratna").minus(before), (counts{8, 1, 1, 2, 0, 1, 1, 1, 1}); got != want {
		t.Errorf("for the manager: %v, want %v", got, want)
	}
	if got := waiting(t, s, "sari"); got != (counts{}) {
		t.Errorf("for who asks: %v", got)
	}
	if got := waiting(t, s, "daeng"); got != others {
		t.Errorf("for another company: %v, want %v", got, others)
	}
	for _, verb := range bulkVerbs {
		input := func(ids, rest string) string { return verb + `(input:{ids:[` + ids + `],` + rest + `}){id code}` }
		decision := "approve:false"
		if verb == "reviewAttendances" {
			decision = "accept:false"
		}
		first := strings.Split(ids[verb], ",")[0]
		answer := func(code string) string {
			var list []string
			for id := range strings.SplitSeq(ids[verb], ",") {
				list = append(list, fmt.Sprintf(`{"id":%s,"code":%s}`, id, code))
			}
			all := strings.Join(list, ",")
			return fmt.Sprintf(`{"%s":[%s,{"id":"4711","code":"NOT_FOUND"},{"id":%s,"code":%s}]}`, verb, all, first, code)
		}
		many := ids[verb] + `,"4711",` + first
		refused := func(field, detail string) string {
			return harness.Refusal(verb, "VALIDATION_FAILED", "{}", field, detail)
		}
		long := `,note:"` + strings.Repeat("x", 251) + `"`
		one := `{"` + verb + `":[{"id":` + first + `,"code":"FORBIDDEN"}]}`
		if verb != "decideShiftSwaps" && verb != "decideDevices" {
			one = harness.Refusal(verb, "FORBIDDEN", "{}")
		}
		s.Run(t, []apitest.Scenario{
			harness.Asks(verb+" of one's own", "sari", `mutation{`+input(first, decision)+`}`, one),
			harness.Asks(verb+" of another company", "daeng", `mutation{`+input(first, decision)+`}`,
				`{"`+verb+`":[{"id":`+first+`,"code":"NOT_FOUND"}]}`),
			harness.Asks(verb+" of nothing", "ratna", `mutation{`+input("", decision)+`}`, refused("ids", harness.Required)),
			harness.Asks(verb+" with a long note", "ratna", `mutation{`+input(first, decision+long)+`}`,
				refused("note", "This may have at most 250 characters.")),
			harness.Asks(verb, "ratna", `mutation{`+input(many, decision+`,note:"no"`)+`}`, answer("null")),
			harness.Asks(verb+" again", "ratna", `mutation{`+input(many, decision)+`}`, answer(`"CONFLICT"`)),
		})
	}
	if got, want := waiting(t, s, "ratna").minus(before), (counts{Total: 1, Corrections: 1}); got != want {
		t.Errorf("what is left: %v, want %v", got, want)
	}
	impossibleSwap(t, s)
	overtimeList(t, s)
}

// addWaiting adds requests of sari's, and returns the ids that each bulk verb decides about.
func addWaiting(t *testing.T, s *harness.Server) map[string]string {
	t.Helper()
	ctx, db, now := viewer.System(t.Context()), s.Store.Ent, s.Clock.Now()
	sari, _ := strconv.Atoi(s.Vars["sari"])
	monday, _ := strconv.Atoi(s.Vars["monday"])
	annual, _ := strconv.Atoi(s.Vars["annual"])
	u, o, later := db.User.GetX(ctx, sari), db.EmployeeShift.GetX(ctx, monday), now.Add(harness.Day)
	a := db.Attendance.Query().Where(entAttendance.CompanyID(u.CompanyID), entAttendance.ClockedOutAtNotNil()).FirstX(ctx)
	flagged := db.Attendance.Create().SetCompanyID(u.CompanyID).SetUserID(sari).SetEmployeeShiftID(monday).
		SetAddressID(a.AddressID).SetWorkDate(o.Date).SetClockedInAt(o.StartAt).SetClockedInLocal(a.ClockedInLocal).
		SetClockedInOffset(a.ClockedInOffset).SetClockedInZone(a.ClockedInZone).SetClockedInReceivedAt(o.StartAt).
		SetClockedInLatitude(1).SetClockedInLongitude(1).SetClockedInSource("app").SetClockedInGeofence("inside").
		SetClockedInReview(entAttendance.ClockedInReviewPending).SaveX(ctx)
	leave := func(date string) *ent.Leave {
		return db.Leave.Create().SetCompanyID(u.CompanyID).SetUserID(sari).SetLeaveTypeID(annual).SetStartsOn(date).
			SetEndsOn(date).SetDates([]string{date}).SetReason("x").SetCreatedAt(now).SetExpiresAt(later).
			SetState(entLeave.StatePending).SaveX(ctx)
	}
	week := db.TimeWeek.Create().SetCompanyID(u.CompanyID).SetUserID(sari).SetStartsOn("2026-03-02").
		SetEndsOn("2026-03-08").SetSeconds(60).SetSubmittedAt(now).SaveX(ctx)
	swap := db.ShiftSwap.Create().SetCompanyID(u.CompanyID).SetUserID(sari).SetShiftID(o.ShiftID).
		SetWantedShiftID(o.ShiftID).SetDate("2026-03-20").SetWantedDate("2026-03-20").SetState(shiftswap.StateAgreed).
		SetCreatedAt(now).SetExpiresAt(later).SaveX(ctx)
	phone := db.Device.Query().Where(device.HasTrustsWith()).FirstX(ctx)
	approval := db.DeviceApproval.Create().SetCompanyID(u.CompanyID).SetUserID(sari).SetDeviceID(phone.ID).
		SetPlatform("web").SetRequestedAt(now).SetExpiresAt(later).SaveX(ctx)
	face := db.FaceReset.Create().SetCompanyID(u.CompanyID).SetUserID(sari).SetReason("x").SetRequestedAt(now).SaveX(ctx)
	quoted := func(ids ...int) string {
		var list []string
		for _, id := range ids {
			list = append(list, strconv.Quote(strconv.Itoa(id)))
		}
		return strings.Join(list, ",")
	}
	return map[string]string{
		"reviewAttendances": quoted(flagged.ID), "decideLeaves": quoted(leave("2026-04-07").ID, leave("2026-04-08").ID),
		"decideWeeks": quoted(week.ID), "decideShiftSwaps": quoted(swap.ID), "decideDevices": quoted(approval.ID),
		"decideFaceResets": quoted(face.ID),
	}
}

// impossibleSwap approves a swap of a shift that is not there any more: it stays as it is.
func impossibleSwap(t *testing.T, s *harness.Server) {
	t.Helper()
	ctx, db := viewer.System(t.Context()), s.Store.Ent
	sari, _ := strconv.Atoi(s.Vars["sari"])
	former, now := db.ShiftSwap.Query().Where(shiftswap.UserID(sari)).FirstX(ctx), s.Clock.Now()
	gone := db.ShiftSwap.Create().SetCompanyID(former.CompanyID).SetUserID(sari).SetShiftID(former.ShiftID).
		SetWantedShiftID(former.ShiftID).SetDate("2026-03-21").SetWantedDate("2026-03-21").SetState(shiftswap.StateAgreed).
		SetCreatedAt(now).SetExpiresAt(now.Add(harness.Day)).SaveX(ctx).ID
	document := fmt.Sprintf(`mutation{decideShiftSwaps(input:{ids:["%d"],approve:true}){code}}`, gone)
	s.Run(t, []apitest.Scenario{
		harness.Asks("a swap of nothing", "ratna", document, `{"decideShiftSwaps":[{"code":"CONFLICT"}]}`),
	})
	if swap := db.ShiftSwap.GetX(ctx, gone); swap.State != shiftswap.StateAgreed || swap.Pending == nil {
		t.Errorf("it is %s", swap.State)
	}
}

// overtimeList has as many dates with overtime as wait, and none that was decided.
func overtimeList(t *testing.T, s *harness.Server) {
	t.Helper()
	type dated struct {
		Date string
		User struct{ ID string }
	}
	list := func(who string) []dated {
		var out struct{ OvertimeWaiting []dated }
		s.GraphQL(t, s.HeaderOf(who), `{overtimeWaiting(limit:1000){date user{id}}}`, nil, &out)
		if n := waiting(t, s, who).Overtime; len(out.OvertimeWaiting) != n {
			t.Errorf("%s: %d dates are listed, %d wait", who, len(out.OvertimeWaiting), n)
		}
		return out.OvertimeWaiting
	}
	for _, who := range []string{"sari", "daeng", "andini"} {
		list(who)
	}
	first := list("ratna")
	if len(first) == 0 {
		t.Fatal("no overtime waits")
	}
	s.Says(t, "ratna", fmt.Sprintf(`mutation{decideOvertime(input:{items:[{userId:%q,date:%q}],approve:true}){code}}`,
		first[0].User.ID, first[0].Date), `{"decideOvertime":[{"code":null}]}`)
	if left := list("ratna"); slices.Contains(left, first[0]) || len(left) != len(first)-1 {
		t.Errorf("%v is left of %v", left, first)
	}
	s.Says(t, "ratna", `{overtimeWaiting(limit:0){id}}`, "VALIDATION_FAILED")
}
