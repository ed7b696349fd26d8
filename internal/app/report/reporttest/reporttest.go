// Package reporttest reads the files of reports in tests, with other programs than those that
// wrote them: openpyxl, exceljs, SheetJS, Poppler and LibreOffice.
package reporttest

import (
	"embed"
	"encoding/json"
	"errors"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A Book is what openpyxl has of a workbook.
type Book struct {
	Properties
	Sheets []Sheet `json:"sheets"`
}

// Properties are what a workbook says of itself.
type Properties struct {
	Creator  string    `json:"creator"`
	Editor   string    `json:"editor"` // who changed it last
	Created  time.Time `json:"created"`
	Modified time.Time `json:"modified"`
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
p = book.properties
print(json.dumps({
    "creator": p.creator, "editor": p.lastModifiedBy, "created": p.created.isoformat() + "Z", "modified": p.modified.isoformat() + "Z",
    "sheets": [{
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

// A Reading is what exceljs or SheetJS has of a workbook.
type Reading struct {
	Properties
	Sheets []string   `json:"sheets"`
	Rows   [][]string `json:"rows"` // of the first sheet: by exceljs as stored, by SheetJS as shown
}

//go:embed readers
var readers embed.FS

// ReadJavaScript reads XLSX files by exceljs and by SheetJS. It needs the registry of npm, or its
// cache.
func ReadJavaScript(t testing.TB, books ...[]byte) (exceljs, sheetjs []Reading) {
	t.Helper()
	need(t, "node", "npm")
	folder := t.TempDir()
	if err := os.CopyFS(folder, readers); err != nil {
		t.Fatal(err)
	}
	folder = filepath.Join(folder, "readers")
	install := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
	install.Dir = folder
	if out, err := install.CombinedOutput(); err != nil {
		t.Logf("npm: %v\n%s", err, out)
		missing(t, "node")
	}
	args := []string{filepath.Join(folder, "read.mjs")}
	for _, b := range books {
		args = append(args, file(t, "book.xlsx", b))
	}
	lines := json.NewDecoder(strings.NewReader(run(t, "node", args...)))
	for range books {
		var first, second Reading
		if err := errors.Join(lines.Decode(&first), lines.Decode(&second)); err != nil {
			t.Fatal(err)
		}
		exceljs, sheetjs = append(exceljs, first), append(sheetjs, second)
	}
	return exceljs, sheetjs
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

// Drawn returns the pages of a PDF file as pictures, by pdftoppm.
func Drawn(t testing.TB, data []byte) []image.Image {
	t.Helper()
	need(t, "pdftotext", "pdftoppm")
	in := file(t, "report.pdf", data)
	run(t, "pdftoppm", "-r", "72", "-png", in, strings.TrimSuffix(in, ".pdf"))
	names, err := filepath.Glob(filepath.Join(filepath.Dir(in), "*.png"))
	if err != nil {
		t.Fatal(err)
	}
	pages := make([]image.Image, len(names))
	for i, name := range names {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if pages[i], err = png.Decode(f); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return pages
}

// PDFFonts returns a line for each font of a PDF file, by pdffonts: its name, type and encoding, and
// whether it is embedded, a subset, and says which text its glyphs are.
func PDFFonts(t testing.TB, data []byte) []string {
	t.Helper()
	need(t, "pdftotext", "pdffonts")
	lines := strings.Split(strings.TrimSpace(run(t, "pdffonts", file(t, "report.pdf", data))), "\n")
	return lines[2:]
}

// fontFiles are fonts of Debian's: Thai in the Compact Font Format, Devanagari, a collection with
// Chinese, and emoji.
var fontFiles = []string{
	"opentype/tlwg/Waree.otf", "opentype/tlwg/Waree-Bold.otf", "opentype/tlwg/Waree-Oblique.otf",
	"truetype/lohit-devanagari/Lohit-Devanagari.ttf", "truetype/wqy/wqy-microhei.ttc",
	"truetype/ancient-scripts/Symbola_hint.ttf",
}

// Fonts returns a folder with fonts of scripts that the built-in ones lack.
func Fonts(t testing.TB) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for _, name := range fontFiles {
		path := filepath.Join("/usr/share/fonts", name)
		if _, err := os.Stat(path); err != nil {
			missing(t, "fonts")
		}
		if err := os.Symlink(path, filepath.Join(folder, filepath.Base(path))); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// Shown returns the first sheet of each of some files, as LibreOffice shows it, as CSV with quotes
// around text: what it calculates is not in quotes. extension is .xlsx or .csv.
func Shown(t testing.TB, extension string, files ...[]byte) (shown []string) {
	t.Helper()
	need(t, "soffice", "soffice")
	dir := t.TempDir()
	const quoted = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,false,true,false" // cells as they are shown
	args := []string{"-env:UserInstallation=file://" + dir, "--headless", "--convert-to", quoted, "--outdir", filepath.Join(dir, "out")}
	if extension == ".csv" {
		args = append(args, "--infilter=CSV:44,34,76") // commas, quotes, UTF-8
	}
	for i, data := range files {
		name := filepath.Join(dir, strconv.Itoa(i)+extension)
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, name)
	}
	run(t, "soffice", args...)
	for i := range files {
		out, err := os.ReadFile(filepath.Join(dir, "out", strconv.Itoa(i)+".csv"))
		if err != nil {
			t.Fatal(err)
		}
		shown = append(shown, string(out))
	}
	return shown
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
