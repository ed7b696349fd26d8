package workbook

import (
	"bytes"
	"flag"
	"strings"
	"testing"

	"workforce/internal/app/report/reporttest"
	"workforce/internal/report"
)

var soffice = flag.Bool("soffice", false, "open files in LibreOffice, which takes a while")

// TestLibreOffice opens workbooks and CSV files with text that looks like formulas: nothing is
// calculated.
func TestLibreOffice(t *testing.T) {
	if !*soffice {
		t.Skip("make faults opens files in LibreOffice")
	}
	var rows [][]report.Value
	for _, text := range corpus {
		rows = append(rows, []report.Value{report.Of(text), report.Of("end")})
	}
	h := head()
	h.Columns = h.Columns[:1]
	h.Columns = append(h.Columns, report.Column{Title: "Akhir", Type: report.Text, Width: 5})
	for _, format := range []string{"xlsx", "csv"} {
		var out bytes.Buffer
		w, err := New(&out, h, made)
		if format == "csv" {
			w, err = report.NewCSV(&out, h, true)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			if err := w.Row(r); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(report.Summary{}); err != nil {
			t.Fatal(err)
		}
		shown := reporttest.Shown(t, "."+format, out.Bytes())[0]
		t.Logf("%s:\n%s", format, shown)
		for _, text := range corpus {
			if format == "csv" && (text == "1e5" || text == "00012") { // numbers in any CSV file, and no formulas
				continue
			}
			lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
			for _, line := range lines {
				if !strings.Contains(shown, strings.ReplaceAll(line, `"`, `""`)) {
					t.Errorf("%s: %q is not shown as it was written", format, text)
				}
			}
		}
		for _, calculated := range []string{"#NAME?", "Err:", "#REF!", "#VALUE!"} {
			if strings.Contains(shown, calculated) {
				t.Errorf("%s: LibreOffice calculates: %s", format, calculated)
			}
		}
	}
}
