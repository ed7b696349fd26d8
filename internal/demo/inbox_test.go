package demo_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"workforce/internal/scenario/harness"
)

// TestDemoInbox has something of each kind wait for the manager, flagged events of different kinds
// and a leave on a date on which a colleague is away, and decides about all of it.
func TestDemoInbox(t *testing.T) {
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		s.SignIn(t, "ratna", "manager@demo.test")
		const counts = `{inboxCount{total clockEvents corrections leaves overtime weeks swaps devices faceResets}}`
		s.Says(t, "ratna", counts, `{"inboxCount":{"total":16,"clockEvents":5,"corrections":2,"leaves":3,"overtime":2,`+
			`"weeks":1,"swaps":1,"devices":1,"faceResets":1}}`)
		w := readWaiting(t, s)
		if kinds := w.kinds(); len(kinds) != 5 {
			t.Errorf("kinds of flagged events: %q", kinds)
		}
		if w.clashes() == 0 {
			t.Error("no leave is on a date on which a colleague is away")
		}
		for verb, ids := range w.ids() {
			input := `ids:[` + strings.Join(ids, ",") + `],approve:true`
			if verb == "reviewAttendances" {
				input = strings.Replace(input, "approve", "accept", 1)
			}
			want := strings.Repeat(`,{"code":null}`, len(ids))[1:]
			s.Says(t, "ratna", `mutation{`+verb+`(input:{`+input+`}){code}}`, `{"`+verb+`":[`+want+`]}`)
		}
		items := readWaiting(t, s).overtime() // a correction takes a decision about overtime back
		want := strings.Repeat(`,{"code":null}`, len(items))[1:]
		s.Says(t, "ratna", `mutation{decideOvertime(input:{items:[`+strings.Join(items, ",")+`],approve:true}){code}}`,
			`{"decideOvertime":[`+want+`]}`)
		s.Says(t, "ratna", counts, `{"inboxCount":{"total":0,"clockEvents":0,"corrections":0,"leaves":0,"overtime":0,`+
			`"weeks":0,"swaps":0,"devices":0,"faceResets":0}}`)
	})
}

type list[Node any] struct{ Edges []struct{ Node Node } }

func (l list[Node]) nodes() (all []Node) {
	for _, e := range l.Edges {
		all = append(all, e.Node)
	}
	return all
}

type row struct{ ID string }

// waiting is what waits for the manager, as the app reads it.
type waiting struct {
	Attendances list[struct {
		ID                              string
		ClockedInFlags, ClockedOutFlags []string
	}]
	Leaves, Away list[struct {
		ID    string
		User  struct{ ID, BusinessID string }
		Dates []string
	}]
	Corrections, TimeWeeks, ShiftSwaps, DeviceApprovals, FaceResets list[row]
	ShiftResults, OvertimeApprovals                                 list[struct {
		Date string
		User row
	}]
}

func readWaiting(t *testing.T, s *harness.Server) (w waiting) {
	t.Helper()
	s.GraphQL(t, s.HeaderOf("ratna"), `{
		attendances(where:{or:[{clockedInReview:pending},{clockedOutReview:pending}]}){edges{node{id clockedInFlags clockedOutFlags}}}
		leaves(where:{state:pending}){edges{node{id dates user{id}}}}
		away: leaves(where:{state:approved}){edges{node{dates user{id}}}}
		corrections(where:{state:pending}){edges{node{id}}}
		timeWeeks(where:{state:submitted}){edges{node{id}}}
		shiftSwaps(where:{state:agreed}){edges{node{id}}}
		deviceApprovals(where:{status:pending}){edges{node{id}}}
		faceResets(where:{status:pending}){edges{node{id}}}
		overtimeApprovals(first:1000){edges{node{date user{id}}}}
		shiftResults(first:1000,where:{overtimeSecondsGT:0}){edges{node{date user{id}}}}
	}`, nil, &w)
	return w
}

func (w waiting) ids() map[string][]string {
	of := func(rows []row) (ids []string) {
		for _, r := range rows {
			ids = append(ids, r.ID)
		}
		return ids
	}
	all := map[string][]string{
		"decideCorrections": of(w.Corrections.nodes()), "decideWeeks": of(w.TimeWeeks.nodes()),
		"decideShiftSwaps": of(w.ShiftSwaps.nodes()), "decideDevices": of(w.DeviceApprovals.nodes()),
		"decideFaceResets": of(w.FaceResets.nodes()),
	}
	for _, a := range w.Attendances.nodes() {
		all["reviewAttendances"] = append(all["reviewAttendances"], a.ID)
	}
	for _, l := range w.Leaves.nodes() {
		all["decideLeaves"] = append(all["decideLeaves"], l.ID)
	}
	return all
}

// kinds are the flags of events, each combination once.
func (w waiting) kinds() (kinds []string) {
	for _, a := range w.Attendances.nodes() {
		kinds = append(kinds, strings.Join(append(a.ClockedInFlags, a.ClockedOutFlags...), " "))
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// clashes counts the leaves that wait for dates on which somebody else has leave.
func (w waiting) clashes() (n int) {
	for _, l := range w.Leaves.nodes() {
		for _, other := range w.Away.nodes() {
			if other.User.ID != l.User.ID && slices.ContainsFunc(l.Dates, func(d string) bool { return slices.Contains(other.Dates, d) }) {
				n++
			}
		}
	}
	return n
}

// overtime are the items of overtime that nobody has decided about.
func (w waiting) overtime() (items []string) {
	decided := w.OvertimeApprovals.nodes()
	for _, r := range w.ShiftResults.nodes() {
		if !slices.Contains(decided, r) {
			items = append(items, fmt.Sprintf(`{userId:%q,date:%q}`, r.User.ID, r.Date))
		}
	}
	return items
}
