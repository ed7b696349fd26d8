package passwordkey

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"workforce/internal/errs"
)

// aged returns k with other times.
func aged(k Key, createdAt, acceptedUntil time.Time) Key {
	k.CreatedAt, k.AcceptedUntil = createdAt, acceptedUntil
	return k
}

func TestSetOrder(t *testing.T) {
	keys, hour := keysOf(t), time.Hour
	low, high := keys[0], keys[1]
	if low.id > high.id {
		low, high = high, low
	}
	tests := []struct {
		name    string
		keys    []Key
		current string // "" where there is none
		listed  []string
	}{
		{"none", nil, "", []string{}},
		{"the zero key", []Key{{}}, "", []string{}},
		{"one", []Key{keys[0]}, keys[0].id, []string{keys[0].id}},
		{"replaced, whichever is newer",
			[]Key{aged(keys[0], noon, noon.Add(hour)), aged(keys[1], noon.Add(-hour), time.Time{})},
			keys[1].id, []string{keys[1].id, keys[0].id}},
		{"two that none replaced: the newer",
			[]Key{aged(keys[0], noon.Add(-hour), time.Time{}), aged(keys[1], noon, time.Time{})},
			keys[1].id, []string{keys[1].id, keys[0].id}},
		{"of one time: by kid", []Key{high, low}, low.id, []string{low.id, high.id}},
		{"accepted until now", []Key{keys[0], aged(keys[1], noon, noon)}, keys[0].id, []string{keys[0].id}},
		{"accepted for a moment yet", []Key{aged(keys[1], noon, noon.Add(1)), keys[0]}, keys[0].id, []string{keys[0].id, keys[1].id}},
		{"replaced ones alone", []Key{aged(keys[0], noon, noon.Add(hour))}, "", []string{keys[0].id}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := NewSet(tt.keys...)
			k, ok := s.Current()
			if k.id != tt.current || ok != (tt.current != "") {
				t.Errorf("Current = %q, %v; want %q", k.id, ok, tt.current)
			}
			got := []string{}
			for _, k := range s.JWKS(noon).Keys {
				got = append(got, k.Kid)
			}
			if strings.Join(got, " ") != strings.Join(tt.listed, " ") {
				t.Errorf("JWKS lists %q, want %q", got, tt.listed)
			}
		})
	}
}

// TestNewSetLeavesItsArgumentsAlone holds that a set never changes.
func TestNewSetLeavesItsArgumentsAlone(t *testing.T) {
	keys := keysOf(t)
	given := []Key{aged(keys[0], noon, noon), keys[1]}
	s := NewSet(given...)
	if given[0].id != keys[0].id || given[1].id != keys[1].id {
		t.Error("the caller's keys were put in order")
	}
	given[1] = Key{}
	if k, ok := s.Current(); !ok || k.id != keys[1].id {
		t.Error("the set changes with the caller's slice")
	}
}

func TestJWKSIsReadByOthers(t *testing.T) {
	k := keysOf(t)[0]
	text, err := json.Marshal(NewSet(k).JWKS(noon))
	if err != nil {
		t.Fatal(err)
	}
	var set jose.JSONWebKeySet
	if err := json.Unmarshal(text, &set); err != nil || len(set.Keys) != 1 {
		t.Fatalf("%s: %v", text, err)
	}
	got := set.Keys[0]
	if !k.private.PublicKey.Equal(got.Key) || !got.IsPublic() {
		t.Errorf("another key, or a private one: %s", text)
	}
	if got.KeyID != k.ID() || got.Algorithm != "RSA-OAEP-256" || got.Use != "enc" {
		t.Errorf("kid %s, alg %s, use %s", got.KeyID, got.Algorithm, got.Use)
	}
	var members struct{ Keys []map[string]string }
	if err := json.Unmarshal(text, &members); err != nil || len(members.Keys[0]) != 6 || members.Keys[0]["kty"] != "RSA" {
		t.Errorf("members %v, %v; want kty, use, alg, kid, n and e", members, err)
	}
	if empty, _ := json.Marshal(Set{}.JWKS(noon)); string(empty) != `{"keys":[]}` {
		t.Errorf("without keys: %s", empty)
	}
}

func TestEncrypt(t *testing.T) {
	keys := keysOf(t)
	s := NewSet(keys[0], aged(keys[1], noon, noon.Add(time.Hour)))
	for name, value := range map[string]string{
		"empty":         "",
		"text":          "correct horse é",
		"not UTF-8":     "\xff\x00",
		"longest":       strings.Repeat("x", MaxLength),
		"a JWE's shape": "e30....",
	} {
		text, err := s.Encrypt("value", value)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got, err := s.Open("value", text, noon); got != value || err != nil {
			t.Errorf("%s: opens as %q, %v", name, got, err)
		}
		if got := headerOf(t, text); got != `{"alg":"RSA-OAEP-256","enc":"A256GCM","kid":"`+keys[0].id+`"}` {
			t.Errorf("%s: header %s", name, got)
		}
		if again, _ := s.Encrypt("value", value); again == text {
			t.Errorf("%s: the same text twice", name)
		}
	}
}

func TestEncryptRefuses(t *testing.T) {
	keys := keysOf(t)
	_, err := NewSet(keys[0]).Encrypt("value", strings.Repeat("x", MaxLength+1))
	e := errs.As(err)
	if e.Code != errs.Invalid || len(e.Faults) != 1 || e.Faults[0].Field != "value" || e.Faults[0].Reason != errs.TooLong {
		t.Errorf("a byte too long: %v", err)
	}
	for name, s := range map[string]Set{"no key": {}, "replaced keys alone": NewSet(aged(keys[0], noon, noon.Add(time.Hour)))} {
		if text, err := s.Encrypt("value", "x"); text != "" || !errs.Is(err, errs.Internal) {
			t.Errorf("%s: %q, %v; want an error of no code", name, text, err)
		}
	}
}
