package errs

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestEveryCodeSpeaksBothLanguages(t *testing.T) {
	for code, e := range catalogue {
		if got, ok := Describe(code.String()); ok != slices.Contains(Codes(), code) || ok && got != e {
			t.Errorf("%s: described %v", code, ok)
		}
		asGraphQL := code == PersistedQuery || code == PersistedQueryUnknown // of /graphql alone, as its clients expect
		if (e.Status < 400 || e.Status > 599) && !(asGraphQL && e.Status == 200) {
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

// TestLists proves that messages have lists as people write them, and facts as they are.
func TestLists(t *testing.T) {
	p := ProblemOf(Field(UnsupportedMediaType, "file", Meta{"allowed": []string{"text/csv", "image/png"}}), "en")
	const want = "The file is of a type that is not read here; send text/csv, image/png."
	allowed := fmt.Sprintf("%q", p.Meta["allowed"])
	if p.Detail != want || p.Errors[0].Detail != want || allowed != `["text/csv" "image/png"]` {
		t.Errorf("%+v, want %s", p, want)
	}
	if p := ProblemOf(New(UnsupportedMediaType, nil), "en"); p.Detail != "This address does not read that content type." {
		t.Errorf("%q", p.Detail)
	}
}

// TestTimes proves that messages have times as people write them, and facts RFC 3339.
func TestTimes(t *testing.T) {
	zone := func(name string) *time.Location {
		l, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	at := time.Date(2026, 5, 9, 1, 5, 59, 123, time.UTC)
	for _, tt := range []struct {
		zone, lang, want, meta string
	}{
		{"Asia/Jakarta", "id", "Anda sudah absen masuk sejak 9 Mei 08.05 WIB.", "2026-05-09T08:05:59+07:00"},
		{"Asia/Jakarta", "en", "You have been clocked in since 9 May 08:05 WIB.", "2026-05-09T08:05:59+07:00"},
		{"Asia/Makassar", "id", "Anda sudah absen masuk sejak 9 Mei 09.05 WITA.", "2026-05-09T09:05:59+08:00"},
		{"Europe/London", "en", "You have been clocked in since 9 May 02:05 BST.", "2026-05-09T02:05:59+01:00"},
		{"UTC", "id", "Anda sudah absen masuk sejak 9 Mei 01.05 UTC.", "2026-05-09T01:05:59Z"},
	} {
		p := ProblemOf(New(AlreadyClockedIn, Meta{"since": Time{Time: at.In(zone(tt.zone))}}), tt.lang)
		meta, err := json.Marshal(p.Meta)
		if want := `{"since":"` + tt.meta + `"}`; p.Detail != tt.want || string(meta) != want || err != nil {
			t.Errorf("%s in %s: %q, %s, %v; want %q, %s", tt.zone, tt.lang, p.Detail, meta, err, tt.want, want)
		}
	}
}

// TestExactTimes has an overlap of seconds, which times in minutes would not show.
func TestExactTimes(t *testing.T) {
	since := time.Date(2026, 5, 9, 8, 0, 0, 0, time.UTC)
	until := since.Add(9*time.Hour + 5*time.Second)
	with := Meta{"since": Time{Time: since, Exact: true}, "until": Time{Time: until, Exact: true}}
	for lang, want := range map[string]string{
		"en": "The time overlaps with another record of the same person, from 9 May 08:00 UTC to 9 May 17:00:05 UTC.",
		"id": "Waktu ini bertumpang tindih dengan catatan lain dari orang yang sama, dari 9 Mei 08.00 UTC sampai 9 Mei 17.00.05 UTC.",
	} {
		if p := ProblemOf(Conflicts(Overlap, "", with), lang); p.Detail != want {
			t.Errorf("%q, want %q", p.Detail, want)
		}
	}
}

func TestUnclassifiedErrorShowsNothing(t *testing.T) {
	p := ProblemOf(errors.New("Error 1146: table secret"), "en")
	if p.Code != "INTERNAL" || p.Status != 500 || strings.Contains(fmt.Sprint(p), "secret") {
		t.Errorf("got %+v", p)
	}
}

// TestStep tells the step of an error that nobody classified, and of no other.
func TestStep(t *testing.T) {
	cause := errors.New("the disk is full")
	keep := func(err error) (failed error) {
		defer Step(&failed, "files: keep")
		return err
	}
	if err := keep(cause); !errors.Is(err, cause) || err.Error() != "files: keep: the disk is full" {
		t.Errorf("got %v", err)
	}
	coded := New(NotFound, nil)
	if err := keep(coded); err != error(coded) {
		t.Errorf("got %v", err)
	}
	if err := keep(nil); err != nil {
		t.Errorf("got %v", err)
	}
}

// TestLimited tells whole seconds, at least one, beside the other facts.
func TestLimited(t *testing.T) {
	for wait, want := range map[time.Duration]int{0: 1, time.Second: 1, 1001 * time.Millisecond: 2, time.Minute: 60} {
		e := Limited(wait, Meta{"limit": 5})
		facts := e.Meta["retryAfterSeconds"] == want && e.Meta["limit"] == 5
		if e.Code != RateLimited || !facts || e.RetryAfter != max(wait, time.Second) {
			t.Errorf("%v: %v, %v", wait, e.Meta, e.RetryAfter)
		}
	}
}
