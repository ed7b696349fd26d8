package ticket

import (
	"testing"

	entTicket "workforce/ent/ticket"
)

func TestFollows(t *testing.T) {
	all := []entTicket.Status{
		entTicket.StatusOpen, entTicket.StatusInProgress, entTicket.StatusResolved, entTicket.StatusClosed,
	}
	want := map[entTicket.Status]string{
		entTicket.StatusOpen: "open in_progress resolved closed ", entTicket.StatusInProgress: "open in_progress resolved closed ",
		entTicket.StatusResolved: "open in_progress resolved closed ", entTicket.StatusClosed: "open closed ",
	}
	for _, from := range all {
		got := ""
		for _, to := range all {
			if mayFollow(from, to) {
				got += string(to) + " "
			}
		}
		if got != want[from] {
			t.Errorf("%s may become %q, want %q", from, got, want[from])
		}
	}
	if mayFollow(entTicket.StatusOpen, "waiting") || mayFollow("waiting", entTicket.StatusOpen) {
		t.Error("waiting is a status")
	}
}

func TestDone(t *testing.T) {
	for s, want := range map[entTicket.Status]bool{entTicket.StatusOpen: false, entTicket.StatusInProgress: false, entTicket.StatusResolved: true, entTicket.StatusClosed: true} {
		if isDone(s) != want {
			t.Errorf("%s is done: %v, want %v", s, !want, want)
		}
	}
}
