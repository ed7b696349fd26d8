package errs

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestEveryCodeSpeaksBothLanguages(t *testing.T) {
	for code, e := range catalogue {
		if got, ok := Describe(code.String()); ok != slices.Contains(Codes(), code) || ok && got != e {
			t.Errorf("%s: described %v", code, ok)
		}
		if e.Status < 400 || e.Status > 599 {
			t.Errorf("%s: status %d", code, e.Status)
		}
		for lang, text := range map[string]Text{"en": e.En, "id": e.ID} {
			p := ProblemOf(New(code, nil), lang)
			if text.Title == "" || text.Detail == "" || p.Title != text.Title || p.Detail == "" {
				t.Errorf("%s in %s: title %q, detail %q", code, lang, p.Title, p.Detail)
			}
		}
		if e.En == e.ID {
			t.Errorf("%s: both languages say the same", code)
		}
	}
	for reason, text := range reasons {
		if text[0] == "" || text[1] == "" || text[0] == text[1] {
			t.Errorf("reason %s: %q, %q", reason, text[0], text[1])
		}
	}
}

func TestProblemFillsInFacts(t *testing.T) {
	err := Field(OutsideLocation, "latitude", Meta{"distanceMeters": 412, "address": "Kantor Pusat", "radiusMeters": 100})
	p := ProblemOf(fmt.Errorf("clock in: %w", err), "id")
	want := "Anda berada 412 m dari Kantor Pusat; batasnya 100 m."
	if p.Detail != want || p.Status != 422 || p.Title != "Di luar lokasi" {
		t.Errorf("got %d %q %q, want 422 %q", p.Status, p.Title, p.Detail, want)
	}
	if len(p.Errors) != 1 || p.Errors[0] != (FaultDetail{"latitude", "OUTSIDE_ALLOWED_LOCATION", want}) {
		t.Errorf("errors = %v", p.Errors)
	}
}

func TestUnclassifiedErrorShowsNothing(t *testing.T) {
	p := ProblemOf(errors.New("Error 1146: table secret"), "en")
	if p.Code != "INTERNAL" || p.Status != 500 || strings.Contains(fmt.Sprint(p), "secret") {
		t.Errorf("got %+v", p)
	}
}
