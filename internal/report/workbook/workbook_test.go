package workbook

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/internal/app/report/reporttest"
	"workforce/internal/report"
	"workforce/internal/shift"
)

// Corpus is text that spreadsheets may take for a formula.
var corpus = []string{
	"=1+1", "+1+1", "-1+1", "@SUM(1)", "\t=1+1", "\r=1+1", "=cmd|' /C calc'!A0", "=HYPERLINK(\"http://x.test\",\"y\")", "=DDE(\"a\",\"b\",\"c\")",
	"\uFF1D1+1", "\uFF0B1", "\uFF0D1", "\uFF20x", "'=1+1", "''=1", "= 1", " =1+1", "=\"\"", "-", "+", "=", "@", "1,2", "a\"b", "a\nb=1", "1e5", "00012", "TRUE", "2026-03-01", "\u200b=1",
}

// made is when the tests write.
var made = time.Date(2026, 3, 10, 9, 0, 0, 0, time.FixedZone("", 7*60*60))

func head() report.Head {
	return report.Head{
		Title: "Kehadiran: Maret/2026 [semua karyawan]", Company: "=Nusantara", Zone: shift.ZoneNamed("Asia/Jakarta"),
		Words: report.Words{Language: "id", Totals: "Ringkasan", Hours: "{title} (jam)"},
		Facts: []report.Line{{Label: "Periode", Value: report.Of("=1+1")}},
		Columns: []report.Column{
			{Title: "Nama", Type: report.Text, Width: 20}, {Title: "Tanggal", Type: report.Date, Width: 10}, {Title: "Masuk", Type: report.Instant, Width: 18},
			{Title: "Jam", Type: report.Duration, Width: 9}, {Title: "Hari", Type: report.Number, Width: 5},
		},
	}
}

func write(t *testing.T, rows [][]report.Value, s report.Summary) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := New(&out, head(), made)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if err := w.Row(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(s); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestWorkbook reads by openpyxl what was written.
func TestWorkbook(t *testing.T) {
	at := time.Date(2026, 3, 9, 17, 0, 5, 0, time.UTC)
	book := reporttest.ReadWorkbook(t, write(t, [][]report.Value{
		{report.Of("Budi"), report.On("2026-03-09"), report.At(at), report.Seconds(90_061), report.Count(1234)},
		{{}, {}, {}, report.Seconds(0), report.Count(0)},
	}, report.Summary{
		Totals: []report.Line{{Label: "Jam", Value: report.Seconds(360_000)}, {Label: "Hari", Value: report.Count(7)}},
		Chart:  report.Chart{Title: "Per hari", Type: report.Duration, Bars: []report.Line{{Label: "=2026", Value: report.Seconds(60)}, {Label: "b", Value: report.Seconds(61)}}},
	}))
	if len(book.Sheets) != 2 || book.Sheets[0].Name != "Kehadiran- Maret-2026 -semua ka" || book.Sheets[1].Name != "Ringkasan" {
		t.Fatalf("sheets %+v", book.Sheets)
	}
	rows, totals := book.Sheets[0], book.Sheets[1]
	if rows.Frozen != "A2" || rows.Widths["A"] < 20 || rows.Widths["E"] > 10 || totals.Charts != 1 {
		t.Errorf("frozen %q, widths %v, charts %d", rows.Frozen, rows.Widths, totals.Charts)
	}
	if want := "landscape 1 x 0, $1:$1"; rows.Printed != want {
		t.Errorf("printed %s, want %s", rows.Printed, want)
	}
	want := [][]string{{"Nama", "Tanggal", "Masuk", "Jam", "Hari"}, {"Budi", "2026-03-09", "2026-03-10 00:00:05", "25:01:01", "1234"}, {"", "", "", "0:00:00", "0"}}
	for i, got := range rows.Values() {
		if strings.Join(got, "|") != strings.Join(want[i], "|") {
			t.Errorf("row %d: %q, want %q", i+1, got, want[i])
		}
	}
	for i, format := range []string{"General", "yyyy-mm-dd", "yyyy-mm-dd hh:mm:ss", "[h]:mm:ss", "#,##0"} {
		if got := rows.Rows[1][i].Format; got != format {
			t.Errorf("column %d: format %q, want %q", i+1, got, format)
		}
	}
	var lines []string
	for _, r := range totals.Values() {
		lines = append(lines, strings.TrimRight(strings.Join(r[:2], "="), "="))
	}
	if got := strings.Join(lines, "|"); got != "=Nusantara|Kehadiran: Maret/2026 [semua karyawan]||Periode==1+1||Jam=100:00:00|Hari=7||Per hari|=2026=0:01:00|b=0:01:01" {
		t.Errorf("totals %q", got)
	}
	for _, r := range totals.Rows {
		for _, c := range r {
			if c.Type == "f" {
				t.Errorf("%q is a formula", c.Value)
			}
		}
	}
}

// TestBelowZero writes durations below zero as text, and signed ones as decimal hours beside.
func TestBelowZero(t *testing.T) {
	h := head()
	h.Columns = []report.Column{{Title: "Nama", Width: 9}, {Title: "Selisih", Type: report.Duration, Width: 9, Signed: true}}
	var out bytes.Buffer
	w, err := New(&out, h, made)
	if err == nil {
		err = errors.Join(
			w.Row([]report.Value{report.Of("Budi"), report.Seconds(-5400)}), w.Row([]report.Value{report.Of("Siti"), report.Seconds(900)}),
			w.Close(report.Summary{Totals: []report.Line{{Label: "Selisih", Value: report.Seconds(-4500)}}}),
		)
	}
	if err != nil {
		t.Fatal(err)
	}
	book := reporttest.ReadWorkbook(t, out.Bytes())
	var got []string
	for _, r := range book.Sheets[0].Rows {
		for _, c := range r[1:] {
			got = append(got, c.Type+" "+c.Value+" "+c.Format)
		}
	}
	want := "s Selisih General|s Selisih (jam) General|s -1:30:00 General|n -1.5 0.00|d 0:15:00 [h]:mm:ss|n 0.25 0.00"
	if strings.Join(got, "|") != want {
		t.Errorf("%q, want %q", got, want)
	}
	if total := book.Sheets[1].Values()[5]; total[1] != "-1:15:00" {
		t.Errorf("total %q", total)
	}
}

// TestFormulas writes text as text.
func TestFormulas(t *testing.T) {
	var rows [][]report.Value
	for _, text := range corpus {
		rows = append(rows, []report.Value{report.Of(text)})
	}
	book := reporttest.ReadWorkbook(t, write(t, rows, report.Summary{}))
	for i, text := range corpus {
		got := book.Sheets[0].Rows[i+1][0]
		read := strings.NewReplacer("\r\n", "\n", "\r", "\n", "_x000D_", "\n").Replace(got.Value)
		// openpyxl itself takes text that begins with = for a formula; the type in the file is t="inlineStr".
		if want := strings.ReplaceAll(text, "\r", "\n"); read != want {
			t.Errorf("%q is read as %q", text, got.Value)
		}
	}
}

// TestTimesToTheSecond has each second of a day in 15 digits, of which none is cut off.
func TestTimesToTheSecond(t *testing.T) {
	start := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	w := &writer{head: report.Head{Zone: time.UTC}}
	for second := range 86_400 {
		n, _ := w.cellNumber(report.At(start.Add(time.Duration(second) * time.Second))).(float64)
		text := strconv.FormatFloat(n, 'f', -1, 64)
		if got := math.Round((n - math.Floor(n)) * 86_400); len(text) > len("46346.7293750000") || int(got) != second {
			t.Fatalf("second %d is %s", second, text)
		}
	}
}
