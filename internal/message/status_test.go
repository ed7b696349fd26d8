package message

import (
	"testing"

	"workforce/internal/errs"
)

func TestNext(t *testing.T) {
	all := []Status{Queued, Sent, Delivered, Read, Failed, "", "stopped"}
	changes := map[[2]Status]bool{ // every other pair changes nothing
		{Queued, Sent}: true, {Queued, Delivered}: true, {Queued, Read}: true, {Queued, Failed}: true,
		{Sent, Delivered}: true, {Sent, Read}: true, {Sent, Failed}: true,
		{Delivered, Read}: true,
	}
	for _, current := range all {
		for _, reported := range all {
			want := current
			if changes[[2]Status{current, reported}] {
				want = reported
			}
			got, changed := Next(current, reported)
			if got != want || changed != (want != current) {
				t.Errorf("Next(%q, %q) = %q, %v, want %q", current, reported, got, changed, want)
			}
		}
	}
}

func TestParseReported(t *testing.T) {
	for _, text := range []string{"sent", "delivered", "read", "failed"} {
		if got, err := ParseReported(text); err != nil || string(got) != text {
			t.Errorf("%q: %q, error %v", text, got, err)
		}
	}
	for _, text := range []string{"", "queued", "Sent", "sent ", "stopped"} {
		got, err := ParseReported(text)
		e := errs.As(err)
		if got != "" || e.Code != errs.Invalid || len(e.Faults) != 1 || e.Faults[0].Field != "status" ||
			e.Faults[0].Meta["allowed"] != "sent, delivered, read, failed" {
			t.Errorf("%q: %q, error %v", text, got, err)
		}
	}
}

func TestStopped(t *testing.T) {
	for _, text := range []string{"stop", "STOP", " Stopped\n", "Opted out", "unsubscribed"} {
		if !Stopped(text) {
			t.Errorf("%q stops nothing", text)
		}
	}
	for _, text := range []string{"", "stop it", "the phone stopped", "non-stop", "opted", "unsubscribe", "ſtop"} {
		if Stopped(text) {
			t.Errorf("%q stops a channel", text)
		}
	}
}
