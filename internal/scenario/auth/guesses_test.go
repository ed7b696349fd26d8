package auth

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"workforce/internal/apitest"
	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// TestBusyHasherIsNoFailure signs in while more hashes wait than may: those tries
// are refused, and do not count as guesses.
func TestBusyHasherIsNoFailure(t *testing.T) {
	s := harness.New(t, testdb.SQLite(t), harness.StandardWork)
	s.Run(t, []apitest.Scenario{harness.Register("x")})
	busy, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			for busy.Err() == nil {
				if _, err := s.Services.Hasher.Hash(busy, "any"); err != nil {
					time.Sleep(time.Millisecond)
				}
			}
		})
	}
	header := harness.Head("X-Device-Token", s.Vars["x.device"], "Content-Type", "application/json")
	refused := 0
	for deadline := time.Now().Add(time.Minute); refused < 6 && time.Now().Before(deadline); {
		a, err := s.Ask("POST", "/user/login", header, `{"username":"budi@demo.test","password":"`+demo.Password+`"}`)
		if err != nil || a.Status != 200 && a.Status != 429 && a.Status != 503 { // 503 where its hash took too long
			t.Error(a, err)
		}
		if a.Status != 429 {
			continue
		}
		refused++
		row, err := s.Store.Ent.LoginThrottle.Query().Only(viewer.System(t.Context()))
		if err != nil || row.Failures != 0 || row.BlockedUntil.After(s.Clock.Now()) {
			t.Errorf("after refusal %d: %v, %v; want no failure", refused, row, err)
		}
	}
	stop()
	all.Wait()
	if refused < 6 {
		t.Errorf("the hasher was busy %d times, want 6", refused)
	}
	s.Run(t, []apitest.Scenario{guessAt("x", "budi@demo.test", demo.Password, 200, "")})
}

// TestGuessesOutliveServers guesses at two servers on one database, and at a
// third that is started after.
func TestGuessesOutliveServers(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		first, second := harness.New(t, database), harness.New(t, database)
		first.Run(t, []apitest.Scenario{harness.Register("x")})
		second.Vars["x.device"] = first.Vars["x.device"]
		wrong := guessAt("x", "budi@demo.test", "wrong", 401, "")
		first.Run(t, []apitest.Scenario{wrong, wrong})
		second.Run(t, []apitest.Scenario{wrong, wrong})
		third := harness.New(t, database)
		third.Vars["x.device"] = first.Vars["x.device"]
		for i, s := range []*harness.Server{first, second, third} {
			refused := guessAt("x", "budi@demo.test", demo.Password, 429, "")
			refused.WantHeader = harness.Head("Retry-After", fmt.Sprint(4<<i))
			s.Run(t, []apitest.Scenario{refused})
		}
	})
}

// TestSpentRowsAreDeleted leaves guesses and a key that was replaced alone for a
// day, and then cleans.
func TestSpentRowsAreDeleted(t *testing.T) {
	s := harness.New(t, testdb.SQLite(t))
	s.Run(t, []apitest.Scenario{harness.Register("x"), guessAt("x", "siti@demo.test", "wrong", 401, ""), {Name: "a first key", Path: "/encrypt"}})
	kid, err := s.Services.Auth.Passwords.Keys.Rotate(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	s.Clock.Advance(harness.Day + time.Second)
	s.Run(t, []apitest.Scenario{guessAt("x", "budi@demo.test", "wrong", 401, "")})
	ctx := viewer.System(t.Context())
	db := s.Store.Ent
	harness.Clean(t, s)
	guesses, err1 := db.LoginThrottle.Query().Count(ctx)
	keys, err2 := db.PasswordKey.Query().All(ctx)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	if guesses != 1 || len(keys) != 1 || keys[0].Kid != kid {
		t.Errorf("%d names with guesses and %d keys are left, want one and %s", guesses, len(keys), kid)
	}
}
