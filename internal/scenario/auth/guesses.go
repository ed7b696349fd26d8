package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"workforce/ent/device"
	"workforce/internal/apitest"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// guessAt tries to sign in on a device.
func guessAt(device, username, password string, status int, want string) apitest.Scenario {
	return apitest.Scenario{
		Name: username + " with " + password, Path: "/user/login", Header: deviceOf(device), Status: status, Want: want,
		Body: `{"username":"` + username + `","password":"` + password + `"}`,
	}
}

// guessScenarios guess passwords.
func guessScenarios(t *testing.T, s *testServer) {
	inEnglish(s, func() {
		s.Run(t, []apitest.Scenario{register("x"), register("y")})
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
func delays(t *testing.T, s *testServer, name string) {
	for _, wait := range []time.Duration{0, 0, 0, 2, 4, 8, 16, 32, 60, 60, 60} {
		s.Run(t, []apitest.Scenario{guessAt("x", name, "wrong", 401, wrongLogin)})
		s.Clock.Advance(wait * second)
	}
	s.Clock.Advance(-1000)
	refused := guessAt("x", name, demoPassword, 429, limitProblem(60))
	refused.WantHeader = head("Retry-After", "60")
	s.Run(t, []apitest.Scenario{refused})
	s.Clock.Advance(minute - 1000)
	s.Run(t, []apitest.Scenario{refused}) // the one before counted
	s.Clock.Advance(minute)
	s.Run(t, []apitest.Scenario{guessAt("x", name, "wrong", 401, wrongLogin)})
}

// oneName guesses at a name in several forms, on two devices: they count
// together.
func oneName(t *testing.T, s *testServer) {
	s.Run(t, []apitest.Scenario{
		guessAt("x", "ayu@demo.test", "wrong", 401, wrongLogin),
		guessAt("y", "AYU@Demo.Test", "wrong", 401, wrongLogin),
		guessAt("x", "ayu@demo.test", "wrong", 401, wrongLogin),
		guessAt("y", "Ayu@demo.test", "wrong", 401, wrongLogin),
		guessAt("x", "ayu@demo.test", demoPassword, 429, limitProblem(4)),
	})
	s.Clock.Advance(5 * minute)
	s.Run(t, []apitest.Scenario{
		guessAt("x", "ayu@demo.test", demoPassword, 200, ""),
		guessAt("y", "ayu@demo.test", "wrong", 401, wrongLogin),
		guessAt("y", "ayu@demo.test", "wrong", 401, wrongLogin),
		guessAt("y", "ayu@demo.test", "wrong", 401, wrongLogin),
		guessAt("y", "ayu@demo.test", demoPassword, 200, ""),
	})
}

// uncounted sends what is refused before any password is looked at.
func uncounted(t *testing.T, s *testServer) {
	for range 6 {
		s.Run(t, []apitest.Scenario{
			guessAt("x", "dimas@demo.test", jwe, 422, keyInvalid),
			guessAt("x", "dimas@demo.test", "", 422, memberProblem("password", "This is required.")),
		})
	}
	s.Run(t, []apitest.Scenario{guessAt("x", "dimas@demo.test", demoPassword, 200, "")})
}

// trustedGuesses guesses on a device that the user trusts, and on another.
func trustedGuesses(t *testing.T, s *testServer) {
	const mail = "admin@demo.test"
	s.SignIn(t, "z", mail)
	for _, on := range []string{"x", "z"} {
		for range 4 {
			s.Run(t, []apitest.Scenario{guessAt(on, mail, "wrong", 401, wrongLogin)})
		}
		s.Run(t, []apitest.Scenario{guessAt(on, mail, demoPassword, 429, limitProblem(4))})
	}
	s.Clock.Advance(4 * second)
	s.Run(t, []apitest.Scenario{
		guessAt("z", mail, demoPassword, 200, ""),
		guessAt("x", mail, "wrong", 401, wrongLogin),
		guessAt("z", mail, demoPassword, 200, ""),
	})
	z, err := s.store.ent.Device.Query().Where(device.DeviceID("z")).Only(viewer.System(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{fmt.Sprintf(`%s\u0000%d`, mail, z.ID), fmt.Sprintf(`%d\u0000%s`, z.ID, mail)} {
		wrong := guessAt("x", name, "wrong", 401, wrongLogin)
		s.Run(t, []apitest.Scenario{wrong, wrong, wrong, wrong, guessAt("z", mail, demoPassword, 200, "")})
	}
}

// guessesAtOnce guesses wrong many times at once: as many are looked at as one
// after the other.
func guessesAtOnce(t *testing.T, s *testServer) {
	for _, name := range []string{"joko@demo.test", "nobody.else@demo.test"} {
		header := head("X-Device-Token", s.Vars["x.device"], "Content-Type", "application/json")
		answers := s.askAtOnce(t, 30, "POST", "/user/login", header, `{"username":"`+name+`","password":"wrong"}`)
		if got := statuses(answers); got[401] != 4 || got[429] != 26 {
			t.Errorf("%s: 30 wrong ones at once: %v, want 4 looked at", name, got)
		}
	}
}

// TestBusyHasherIsNoFailure signs in while more hashes wait than may: those tries
// are refused, and do not count as guesses.
func TestBusyHasherIsNoFailure(t *testing.T) {
	s := newTestServer(t, testdb.SQLite(t))
	s.Run(t, []apitest.Scenario{register("x")})
	busy, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			for busy.Err() == nil {
				if _, err := s.resolver.Passwords.Hash(busy, "any"); err != nil {
					time.Sleep(time.Millisecond)
				}
			}
		})
	}
	header := head("X-Device-Token", s.Vars["x.device"], "Content-Type", "application/json")
	refused := 0
	for deadline := time.Now().Add(20 * second); refused < 6 && time.Now().Before(deadline); {
		a, err := s.ask("POST", "/user/login", header, `{"username":"budi@demo.test","password":"`+demoPassword+`"}`)
		if err != nil || a.status != 200 && a.status != 429 {
			t.Error(a, err)
		}
		if a.status != 429 {
			continue
		}
		refused++
		row, err := s.store.ent.LoginThrottle.Query().Only(viewer.System(t.Context()))
		if err != nil || row.Failures != 0 || row.BlockedUntil.After(s.Clock.Now()) {
			t.Errorf("after refusal %d: %v, %v; want no failure", refused, row, err)
		}
	}
	stop()
	all.Wait()
	if refused < 6 {
		t.Errorf("the hasher was busy %d times, want 6", refused)
	}
	s.Run(t, []apitest.Scenario{guessAt("x", "budi@demo.test", demoPassword, 200, "")})
}

// TestGuessesOutliveServers guesses at two servers on one database, and at a
// third that is started after.
func TestGuessesOutliveServers(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		first, second := newTestServer(t, database), newTestServer(t, database)
		first.Run(t, []apitest.Scenario{register("x")})
		second.Vars["x.device"] = first.Vars["x.device"]
		wrong := guessAt("x", "budi@demo.test", "wrong", 401, "")
		first.Run(t, []apitest.Scenario{wrong, wrong})
		second.Run(t, []apitest.Scenario{wrong, wrong})
		third := newTestServer(t, database)
		third.Vars["x.device"] = first.Vars["x.device"]
		for i, s := range []*testServer{first, second, third} {
			refused := guessAt("x", "budi@demo.test", demoPassword, 429, "")
			refused.WantHeader = head("Retry-After", fmt.Sprint(4<<i))
			s.Run(t, []apitest.Scenario{refused})
		}
	})
}

// TestSpentRowsAreDeleted leaves guesses and a key that was replaced alone for a
// day, and then cleans.
func TestSpentRowsAreDeleted(t *testing.T) {
	s := newTestServer(t, testdb.SQLite(t))
	s.Run(t, []apitest.Scenario{register("x"), guessAt("x", "siti@demo.test", "wrong", 401, ""), {Name: "a first key", Path: "/encrypt"}})
	kid, err := s.resolver.RotatePasswordKey(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	s.Clock.Advance(day24 + second)
	s.Run(t, []apitest.Scenario{guessAt("x", "budi@demo.test", "wrong", 401, "")})
	ctx, stop := context.WithCancel(viewer.System(t.Context()))
	var cleaning sync.WaitGroup
	cleaning.Go(func() { s.resolver.Clean(ctx) })
	defer cleaning.Wait()
	defer stop()
	db := s.store.ent
	for deadline := time.Now().Add(5 * second); ; time.Sleep(5 * time.Millisecond) {
		guesses, err1 := db.LoginThrottle.Query().Count(ctx)
		keys, err2 := db.PasswordKey.Query().All(ctx)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		if guesses == 1 && len(keys) == 1 && keys[0].Kid == kid {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d names with guesses and keys %v are left, want one and %s", guesses, keys, kid)
		}
	}
}
