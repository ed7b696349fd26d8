package ticket

import "testing"

func TestFollows(t *testing.T) {
	all := []Status{Open, InProgress, Resolved, Closed}
	want := map[Status]string{
		Open: "open in_progress resolved closed ", InProgress: "open in_progress resolved closed ",
		Resolved: "open in_progress resolved closed ", Closed: "open closed ",
	}
	for _, from := range all {
		got := ""
		for _, to := range all {
			if Follows(from, to) {
				got += string(to) + " "
			}
		}
		if got != want[from] {
			t.Errorf("%s may become %q, want %q", from, got, want[from])
		}
	}
	if Follows(Open, "waiting") || Follows("waiting", Open) {
		t.Error("waiting is a status")
	}
}

func TestDone(t *testing.T) {
	for s, want := range map[Status]bool{Open: false, InProgress: false, Resolved: true, Closed: true} {
		if s.Done() != want {
			t.Errorf("%s is done: %v, want %v", s, !want, want)
		}
	}
}
