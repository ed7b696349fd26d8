package peopleimport

import "testing"

// TestDate reads dates as spreadsheets store and write them.
func TestDate(t *testing.T) {
	for cell, want := range map[string]string{
		"2026-01-05": "2026-01-05", "46027": "2026-01-05", "2026-01-05 00:00:00": "2026-01-05",
		"2026-01-05T00:00:00":      "2026-01-05",
		"2026-01-05T00:00:00.000Z": "2026-01-05", "2026-01-05 0:00": "2026-01-05",
		"2026-01-05 08:00:00": "", "2026-01-05 00:00:01": "", "2026-02-30 00:00:00": "", "2026": "", "5/1/2026": "", "": "",
	} {
		got, ok := date(cell, false)
		if ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q, %v, want %q", cell, got, ok, want)
		}
	}
	if got, ok := date("44565", true); !ok || got != "2026-01-05" {
		t.Errorf("since 1904: %q, %v", got, ok)
	}
}
