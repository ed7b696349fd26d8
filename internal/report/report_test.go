package report

import (
	"strings"
	"testing"
	"time"

	"workforce/internal/shift"
)

var jakarta = shift.ZoneNamed("Asia/Jakarta")

func TestText(t *testing.T) {
	at := time.Date(2026, 3, 9, 17, 0, 5, 900, time.UTC)
	for _, tt := range []struct {
		value Value
		want  string
	}{
		{Value{}, ""}, {Of(""), ""}, {Of("=1+1"), "=1+1"}, {On("2026-03-09"), "2026-03-09"}, {On(""), ""},
		{At(at), "2026-03-10 00:00:05"}, {At(time.Time{}), ""},
		{Seconds(0), "0:00:00"}, {Seconds(3_661), "1:01:01"}, {Seconds(360_000), "100:00:00"}, {Seconds(-59), "-0:00:59"}, {Count(0), "0"}, {Count(-12), "-12"},
	} {
		if got := tt.value.In(jakarta); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.value, got, tt.want)
		}
		if tt.value.IsEmpty() != (tt.want == "") {
			t.Errorf("%+v: empty %v", tt.value, tt.value.IsEmpty())
		}
	}
	if got := On("2026-03-09").Time(); !got.Equal(time.Date(2026, 3, 9, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("a date is %v", got)
	}
}

// TestCSV holds the lines to RFC 4180, and text to what no spreadsheet calculates.
func TestCSV(t *testing.T) {
	h := Head{Zone: jakarta, Columns: []Column{{Title: "Nama", Type: Text}, {Title: "Masuk", Type: Instant}, {Title: "Jam", Type: Duration}}}
	for _, mark := range []bool{false, true} {
		var out strings.Builder
		w, err := NewCSV(&out, h, mark)
		if err != nil {
			t.Fatal(err)
		}
		at := time.Date(2026, 3, 9, 17, 0, 5, 0, time.UTC)
		for _, row := range [][]Value{
			{Of("Budi, \"S\""), At(at), Seconds(3_600)},
			{Of("=HYPERLINK(1)"), {}, Seconds(-1)},
			{Of("\uFF1D1\n2"), {}, {}},
		} {
			if err := w.Row(row); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(Summary{Totals: []Line{{"x", Count(1)}}}); err != nil {
			t.Fatal(err)
		}
		want := "Nama,Masuk,Jam\r\n\"Budi, \"\"S\"\"\",2026-03-10T00:00:05+07:00,1:00:00\r\n'=HYPERLINK(1),,-0:00:01\r\n\"'\uFF1D1\r\n2\",,\r\n"
		if mark {
			want = "\uFEFF" + want
		}
		if out.String() != want {
			t.Errorf("mark %v:\n%q\nwant\n%q", mark, out.String(), want)
		}
	}
}
