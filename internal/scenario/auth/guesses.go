package auth

import (
	"fmt"
	"testing"
	"time"

	"workforce/ent/device"
	"workforce/internal/apitest"
	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// guessAt tries to sign in on a device.
func guessAt(device, username, password string, status int, want string) apitest.Scenario {
	return apitest.Scenario{
		Name: username + " with " + password, Path: "/user/login", Header: harness.DeviceOf(device), Status: status, Want: want,
		Body: `{"username":"` + username + `","password":"` + password + `"}`,
	}
}

// guessScenarios guess passwords.
func guessScenarios(t *testing.T, s *harness.Server) {
	inEnglish(s, func() {
		s.Run(t, []apitest.Scenario{harness.Register("x"), harness.Register("y")})
		for _, name := range []string{"siti@demo.test", "nobody@demo.test", "no name at all"} {
			t.Run(name, func(t *testing.T) { delays(t, s, name) })
		}
		t.Run("one name in every form", func(t *testing.T) { oneName(t, s) })
		t.Run("what does not count", func(t *testing.T) { uncounted(t, s) })
		t.Run("trusted devices", func(t *testing.T) { trustedGuesses(t, s) })
		t.Run("at once", func(t *testing.T) { guessesAtOnce(t, s) })
	})
}

// delays guesses wrong eleven times, each as soon as it may, and then a moment
// too soon.
func delays(t *testing.T, s *harness.Server, name string) {
	for _, wait := range []time.Duration{0, 0, 0, 2, 4, 8, 16, 32, 60, 60, 60} {
		s.Run(t, []apitest.Scenario{guessAt("x", name, "wrong", 401, wrongLogin)})
		s.Clock.Advance(wait * time.Second)
	}
	s.Clock.Advance(-1000)
	refused := guessAt("x", name, demo.Password, 429, limitProblem(60))
	refused.WantHeader = harness.Head("Retry-After", "60")
	s.Run(t, []apitest.Scenario{refused})
	s.Clock.Advance(time.Minute - 1000)
	s.Run(t, []apitest.Scenario{refused}) // the one before counted
	s.Clock.Advance(time.Minute)
	s.Run(t, []apitest.Scenario{guessAt("x", name, "wrong", 401, wrongLogin)})
}

// oneName guesses at a name in several forms, on two devices: they count
// together.
func oneName(t *testing.T, s *harness.Server) {
	s.Run(t, []apitest.Scenario{
		guessAt("x", "ayu@demo.test", "wrong", 401, wrongLogin),
		guessAt("y", "AYU@Demo.Test", "wrong", 401, wrongLogin),
		guessAt("x", "ayu@demo.test", "wrong", 401, wrongLogin),
		guessAt("y", "Ayu@demo.test", "wrong", 401, wrongLogin),
		guessAt("x", "ayu@demo.test", demo.Password, 429, limitProblem(4)),
	})
	s.Clock.Advance(5 * time.Minute)
	s.Run(t, []apitest.Scenario{
		guessAt("x", "ayu@demo.test", demo.Password, 200, ""),
		guessAt("y", "ayu@demo.test", "wrong", 401, wrongLogin),
		guessAt("y", "ayu@demo.test", "wrong", 401, wrongLogin),
		guessAt("y", "ayu@demo.test", "wrong", 401, wrongLogin),
		guessAt("y", "ayu@demo.test", demo.Password, 200, ""),
	})
}

// uncounted sends what is refused before any password is looked at.
func uncounted(t *testing.T, s *harness.Server) {
	for range 6 {
		s.Run(t, []apitest.Scenario{
			guessAt("x", "dimas@demo.test", jwe, 422, keyInvalid),
			guessAt("x", "dimas@demo.test", "", 422, harness.MemberProblem("password", "This is required.")),
		})
	}
	s.Run(t, []apitest.Scenario{guessAt("x", "dimas@demo.test", demo.Password, 200, "")})
}

// trustedGuesses guesses on a device that the user trusts, and on another.
func trustedGuesses(t *testing.T, s *harness.Server) {
	const mail = "admin@demo.test"
	s.SignIn(t, "z", mail)
	for _, on := range []string{"x", "z"} {
		for range 4 {
			s.Run(t, []apitest.Scenario{guessAt(on, mail, "wrong", 401, wrongLogin)})
		}
		s.Run(t, []apitest.Scenario{guessAt(on, mail, demo.Password, 429, limitProblem(4))})
	}
	s.Clock.Advance(4 * time.Second)
	s.Run(t, []apitest.Scenario{
		guessAt("z", mail, demo.Password, 200, ""),
		guessAt("x", mail, "wrong", 401, wrongLogin),
		guessAt("z", mail, demo.Password, 200, ""),
	})
	z, err := s.Store.Ent.Device.Query().Where(device.DeviceID("z")).Only(viewer.System(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{fmt.Sprintf(`%s\u0001%d`, mail, z.ID), fmt.Sprintf(`%d\u0001%s`, z.ID, mail)} {
		wrong := guessAt("x", name, "wrong", 401, wrongLogin)
		s.Run(t, []apitest.Scenario{wrong, wrong, wrong, wrong, guessAt("z", mail, demo.Password, 200, "")})
	}
}

// guessesAtOnce guesses wrong many times at once: as many are looked at as one
// after the other.
func guessesAtOnce(t *testing.T, s *harness.Server) {
	for _, name := range []string{"joko@demo.test", "nobody.else@demo.test"} {
		header := harness.Head("X-Device-Token", s.Vars["x.device"], "Content-Type", "application/json")
		answers := s.AskAtOnce(t, 30, "POST", "/user/login", header, `{"username":"`+name+`","password":"wrong"}`)
		if got := harness.Statuses(answers); got[401] != 4 || got[429] != 26 {
			t.Errorf("%s: 30 wrong ones at once: %v, want 4 looked at", name, got)
		}
	}
}
