// Package reporttest reads the files of reports in tests, with other programs than those that
// wrote them: openpyxl, pdftotext and LibreOffice.
package reporttest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A Book is what openpyxl has of a workbook.
type Book struct {
	Sheets []Sheet `json:"sheets"`
}

// A Sheet is one of a workbook.
type Sheet struct {
	Name    string             `json:"name"`
	Frozen  string             `json:"frozen"`  // the first cell that moves
	Printed string             `json:"printed"` // orientation, pages wide and high, rows on each page
	Widths  map[string]float64 `json:"widths"`  // of columns, by letter
	Charts  int                `json:"charts"`
	Rows    [][]Cell           `json:"rows"`
}

// A Cell is one of a sheet.
type Cell struct {
	Type   string `json:"type"`   // s for text, n for numbers, d for dates, f for formulas
	Value  string `json:"value"`  // durations as h:mm:ss, dates and times as ISO 8601 has them
	Format string `json:"format"` // of numbers
}

// python is that of the distribution, which has its packages.
const python = "/usr/bin/python3"

// script prints a workbook as JSON.
const script = `
import datetime, json, sys, openpyxl

def text(v):
    if v is None: return ""
    if isinstance(v, datetime.timedelta):
        s = round(v.total_seconds())
        return "%s%d:%02d:%02d" % ("-" if s < 0 else "", abs(s) // 3600, abs(s) // 60 % 60, abs(s) % 60)
    if isinstance(v, datetime.datetime):
        v = (v + datetime.timedelta(milliseconds=500)).replace(microsecond=0)
        return v.date().isoformat() if v.time() == datetime.time() else v.isoformat(" ")
    if isinstance(v, datetime.time): return "%d:%02d:%02d" % (v.hour, v.minute, v.second)
    if isinstance(v, float) and v == int(v): v = int(v)
    return str(v)

book = openpyxl.load_workbook(sys.argv[1])
print(json.dumps({"sheets": [{
    "name": s.title, "frozen": s.freeze_panes or "", "charts": len(s._charts),
    "printed": "%s %s x %s, %s" % (s.page_setup.orientation, s.page_setup.fitToWidth, s.page_setup.fitToHeight, s.print_title_rows),
    "widths": {k: d.width for k, d in s.column_dimensions.items()},
    "rows": [[{"type": c.data_type, "value": text(c.value), "format": c.number_format} for c in r] for r in s.iter_rows()],
} for s in book.worksheets]}))
`

// ReadWorkbook reads an XLSX file by openpyxl.
func ReadWorkbook(t testing.TB, data []byte) Book {
	t.Helper()
	need(t, "openpyxl", python)
	if err := exec.Command(python, "-c", "import openpyxl").Run(); err != nil {
		missing(t, "openpyxl")
	}
	out := run(t, python, "-c", script, file(t, "report.xlsx", data))
	var b Book
	if err := json.Unmarshal([]byte(out), &b); err != nil {
		t.Fatal(err)
	}
	return b
}

// Values returns the rows of a sheet as text.
func (s Sheet) Values() [][]string {
	out := make([][]string, len(s.Rows))
	for i, row := range s.Rows {
		for _, c := range row {
			out[i] = append(out[i], c.Value)
		}
	}
	return out
}

// ReadPDF returns the text of a PDF file, as it lies on its pages, by pdftotext.
func ReadPDF(t testing.TB, data []byte) string {
	t.Helper()
	need(t, "pdftotext", "pdftotext")
	return run(t, "pdftotext", "-layout", file(t, "report.pdf", data), "-")
}

// Calculated returns the first sheet of a file, as LibreOffice shows it, as CSV with quotes
// around text: what it calculates is not in quotes.
func Calculated(t testing.TB, name string, data []byte) string {
	t.Helper()
	need(t, "soffice", "soffice")
	in := file(t, name, data)
	dir := filepath.Dir(in)
	args := []string{"-env:UserInstallation=file://" + dir, "--headless", "--convert-to",
		"csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,true,false", "--outdir", filepath.Join(dir, "out")}
	if filepath.Ext(name) == ".csv" {
		args = append(args, "--infilter=CSV:44,34,76") // commas, quotes, UTF-8
	}
	run(t, "soffice", append(args, in)...)
	out, err := os.ReadFile(filepath.Join(dir, "out", strings.TrimSuffix(name, filepath.Ext(name))+".csv"))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// need skips the test where a program is not installed, but in CI.
func need(t testing.TB, program, command string) {
	t.Helper()
	if _, err := exec.LookPath(command); err != nil {
		missing(t, program)
	}
}

func missing(t testing.TB, program string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatalf("%s is not installed", program)
	}
	t.Skipf("SKIPPED, %s is not installed (Debian: as root .ci/need %s)", program, program)
}

func file(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func run(t testing.TB, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return string(out)
}
