package table

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/unicode"
	"pgregory.net/rapid"

	"workforce/internal/errs"
)

// records returns the records of a file by their numbers.
func records(text string) (map[int][]string, error) {
	got := map[int][]string{}
	err := Read(strings.NewReader(text), func(r Record) error {
		got[r.Number] = slices.Clone(r.Cells)
		return nil
	})
	return got, err
}

// utf16 returns a text in little-endian UTF-16 with a byte order mark.
func utf16(text string) string {
	encoded, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(text)
	if err != nil {
		panic(err)
	}
	return encoded
}

func TestReadCSV(t *testing.T) {
	want := map[int][]string{1: {"name", "email"}, 2: {"Budi, S.\nKom", `"B"`}, 4: {"Siti", ""}}
	for name, text := range map[string]string{
		"commas":           "name,email\n\"Budi, S.\nKom\",\"\"\"B\"\"\"\n,\nSiti,\n",
		"byte order mark":  "\uFEFFname,email\n\"Budi, S.\nKom\",\"\"\"B\"\"\"\n,\nSiti,",
		"tabs":             "name\temail\n\"Budi, S.\nKom\"\t\"\"\"B\"\"\"\n\t\nSiti\t\n",
		"a hint":           "sep=;\r\nname;email\r\n\"Budi, S.\r\nKom\";\"\"\"B\"\"\"\r\n;\r\nSiti;\r\n",
		"a hint of tabs":   "\uFEFF\"sep=\t\"\nname\temail\n\"Budi, S.\nKom\"\t\"\"\"B\"\"\"\n\t\nSiti\t\n",
		"carriage returns": "name,email\r\"Budi, S.\rKom\",\"\"\"B\"\"\"\r,\rSiti,\r",
		"UTF-16":           utf16("name\temail\n\"Budi, S.\nKom\"\t\"\"\"B\"\"\"\n\t\nSiti\t\n"),
		"semicolons":       "name;email\r\n\"Budi, S.\r\nKom\";\"\"\"B\"\"\"\r\n;\r\nSiti;\r\n",
	} {
		if got, err := records(text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v; want %v", name, got, err, want)
		}
	}
}

// TestSeparator counts no separators within quotes.
func TestSeparator(t *testing.T) {
	for text, want := range map[string][]string{"\"a;;b\",c\n": {"a;;b", "c"}, "\"a,,b\";c\n": {"a,,b", "c"}} {
		if got, err := records(text); err != nil || !slices.Equal(got[1], want) {
			t.Errorf("%q: %q, %v; want %q", text, got[1], err, want)
		}
	}
}

func TestFaults(t *testing.T) {
	tests := []struct {
		name, text string
		want       Fault
	}{
		{"another encoding", "name\nJos\xe9\n", Fault{Reason: errs.NotUTF8}},
		{"half a character of UTF-16", utf16("name\nJos\n") + "x", Fault{Reason: errs.NotUTF8}},
		{"NUL", "name\nJo\x00s\n", Fault{Reason: errs.NotUTF8}},
		{"nothing", "", Fault{Reason: errs.EmptyFile}},
		{"blanks", "\uFEFF \r\n\r\n", Fault{Reason: errs.EmptyFile}},
		{"a web page", utf16("<!DOCTYPE html>\n<html>"), Fault{Reason: errs.WebPage}},
		{"no workbook", "PK\x03\x04 and more", Fault{Reason: errs.Unreadable}},
		{"a long file", strings.Repeat("x", MaxBytes+1), Fault{Reason: errs.TooLong}},
		{"a long cell", "name\n" + strings.Repeat("x", MaxCell+1), Fault{Record: 2, Reason: errs.TooLong}},
		{"a long record", "name\n" + strings.Repeat("x", maxRecord+2), Fault{Record: 2, Reason: errs.TooLong}},
		{"many columns", "name\n" + strings.Repeat(",", MaxColumns), Fault{Record: 2, Reason: errs.TooMany}},
		{"many records", "name\n" + strings.Repeat("x\n", MaxRecords+1), Fault{Record: MaxRecords + 2, Reason: errs.TooMany}},
	}
	for _, tt := range tests {
		var got *Fault
		if _, err := records(tt.text); !errors.As(err, &got) || got.Record != tt.want.Record || got.Reason != tt.want.Reason {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
	for name, text := range map[string]string{
		"the longest cell": "name\n" + strings.Repeat("é", MaxCell), "all columns": "name\nx" + strings.Repeat(",", MaxColumns-1),
		"all columns of two records": "name\n" + strings.Repeat("x"+strings.Repeat(",", MaxColumns-1)+"\n", 2),
		"the longest record":         "name\n" + strings.Repeat(","+`"`+strings.Repeat("\U0001D11E", MaxCell)+`"`, MaxColumns)[1:] + "\n",
		"separators within quotes":   "name,x\n\"" + strings.Repeat(",", 2*MaxColumns) + "\"\n",
		"all records":                "name\n" + strings.Repeat("x\n", MaxRecords),
	} {
		if _, err := records(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestQuotes names the line where the quote opens that is not closed.
func TestQuotes(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"to the end":                     {"name\nBudi\n\"Siti\nAda\n", "3 open_quote 3"},
		"behind empty lines":             {"name\n\nBudi\n\n\"Siti\nAda", "5 open_quote 5"},
		"behind a hint":                  {"sep=,\r\nname\r\n\"Siti\r\nAda\r\n", "2 open_quote 3"},
		"up to the next one":             {"name,x\n\"Siti,1\nAda,2\n\"Budi\",3\n", "2 open_quote 2"},
		"behind a cell of two lines":     {"name,x\n\"Si\n\"\"ti\"\"\",\"1\nAda\n", "2 open_quote 3"},
		"behind a record of two lines":   {"name\n\"Si\nti\"\n\"Ada\n", "3 open_quote 4"},
		"a quoted word at the beginning": {"name\n\"Siti\" Rahma\n", "2 open_quote 2"},
		"a quoted word":                  {"name\nSiti \"Rahma\"\n", "2 quote_within 2"},
		"long ones after short":          {"name\n\"\",\"x\"\"\ny\"\"" + strings.Repeat("x\n", maxRecord), "2 open_quote 2"},
		"far behind a hint":              {"sep=,\nname\n\n\"" + strings.Repeat("x\n", maxRecord), "3 open_quote 4"},
		"far from the end":               {"name\n\n\"\",\"" + strings.Repeat("x\n", maxRecord), "3 open_quote 3"},
		"carriage returns":               {"name\rBudi\r\"Siti\rAda\r", "3 open_quote 3"},
	} {
		var got *Fault
		_, err := records(tt.text)
		if !errors.As(err, &got) || fmt.Sprint(got.Record, " ", got.Reason, " ", got.Meta["line"]) != tt.want {
			t.Errorf("%s: %v %v, want %s", name, err, got, tt.want)
		}
	}
}

// TestErrorCells reads no error that a cell shows as a text, as in workbooks.
func TestErrorCells(t *testing.T) {
	text := "name,email\n #N/A ,#REF!\n#REF!x,#N/A y\n#div/0!,#1\n" + strings.Join(cellErrors, ",") + "\n"
	const want = `1 ["name" "email"]
2 ["" ""]
fault 2 column 1 cell_error #N/A
fault 2 column 2 cell_error #REF!
3 ["#REF!x" "#N/A y"]
4 ["#div/0!" "#1"]
5 ["" "" "" "" "" "" ""]
fault 5 column 1 cell_error #DIV/0!
fault 5 column 2 cell_error #N/A
fault 5 column 3 cell_error #NAME?
fault 5 column 4 cell_error #NULL!
fault 5 column 5 cell_error #NUM!
fault 5 column 6 cell_error #REF!
fault 5 column 7 cell_error #VALUE!`
	if got := reading(text); got != want {
		t.Errorf("%s", got)
	}
}

// TestWideSheet refuses a row of a workbook with too many cells.
func TestWideSheet(t *testing.T) {
	var book bytes.Buffer
	w, err := NewWriter(&book, "xlsx", Properties{})
	if err == nil {
		err = errors.Join(w.Write(slices.Repeat([]string{"x"}, MaxColumns)), w.Write(slices.Repeat([]string{"x"}, MaxColumns+1)), w.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	var fault *Fault
	if got, err := records(book.String()); !errors.As(err, &fault) || fault.Record != 2 || fault.Reason != errs.TooMany || len(got[1]) != MaxColumns {
		t.Errorf("%v, %v", got, err)
	}
}

// TestRoundTrip reads what was written, whatever the cells beneath the header hold: the
// header's names, which tell the separator, are the product's own.
func TestRoundTrip(t *testing.T) {
	cell := rapid.StringMatching(`[a-z"',;\n =+@é世-]{0,8}`)
	for _, format := range []string{"csv", "xlsx"} {
		rapid.Check(t, func(t *rapid.T) {
			header := []string{"name", "note", "locale"}
			want := map[int][]string{1: header}
			var out bytes.Buffer
			w, err := NewWriter(&out, format, Properties{})
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Write(header); err != nil {
				t.Fatal(err)
			}
			for n := range rapid.IntRange(1, 4).Draw(t, "records") {
				cells := []string{"x", Protect(cell.Draw(t, "cell")), "y"}
				want[n+2] = cells
				if err := w.Write(cells); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if got, err := records(out.String()); err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("%s: %v, %v; want %v", format, got, err, want)
			}
		})
	}
}

// TestProtect hides formulas, and loses nothing.
func TestProtect(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`'{0,2}[=+\-@\t\ra-z]{0,3}`).Draw(t, "text")
		cell := Protect(text)
		if Plain(cell) != text {
			t.Fatalf("%q became %q, then %q", text, cell, Plain(cell))
		}
		if cell != "" && strings.Contains(formulas, cell[:1]) {
			t.Fatalf("%q is a formula", cell)
		}
	})
	for cell, want := range map[string]string{"-5": "-5", "'Abd": "'Abd", "'=1": "=1", "=1": "=1", "''=1": "'=1"} {
		if got := Plain(cell); got != want {
			t.Errorf("Plain(%q) = %q, want %q", cell, got, want)
		}
	}
}

// TestNumbers reads whole numbers of a workbook as digits, however they are stored, and
// text as it is.
func TestNumbers(t *testing.T) {
	book := excelize.NewFile()
	want := map[int][]string{}
	for i, cell := range []struct {
		value any
		want  string
	}{
		{8123456789, "8123456789"}, {8123456789.0, "8123456789"}, {8.12e9, "8120000000"}, {1e21, "1000000000000000000000"}, {-2e3, "-2000"},
		{8.5, "8.5"}, {"8.12E+09", "8.12E+09"}, {"8123456789.0", "8123456789.0"}, {"007", "007"}, {0, "0"}, {46000.0, "46000"},
	} {
		at, _ := excelize.CoordinatesToCellName(2, i+1)
		if err := book.SetCellValue("Sheet1", at, cell.value); err != nil {
			t.Fatal(err)
		}
		want[i+1] = []string{"", cell.want}
	}
	var out bytes.Buffer
	if err := book.Write(&out); err != nil {
		t.Fatal(err)
	}
	// as other programs write them
	text := rewritten(t, out.Bytes(), "<v>8120000000</v>", "<v>8.12E+09</v>", "<v>46000</v>", "<v>46000.0</v>", "<v>-2000</v>", "<v>-2E3</v>")
	if got, err := records(text); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}

// TestHugeExponents reads text such as 1e1000000 beside a number as the text that it is: such
// a number takes 40 ms to write out.
func TestHugeExponents(t *testing.T) {
	book := excelize.NewFile()
	want := map[int][]string{}
	for row := 1; row <= 10; row++ {
		cells := []any{8.5}
		want[row] = []string{"8.5"}
		for range MaxColumns - 1 {
			cells = append(cells, "1e1000000")
			want[row] = append(want[row], "1e1000000")
		}
		if err := book.SetSheetRow("Sheet1", fmt.Sprint("A", row), &cells); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := book.Write(&out); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	got, err := records(out.String())
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	if took := time.Since(begin); took > 2*time.Second {
		t.Errorf("490 cells took %v", took)
	}
}

// rewritten returns a workbook with text of its first sheet replaced.
func rewritten(t *testing.T, book []byte, oldnew ...string) string {
	t.Helper()
	in, err := zip.NewReader(bytes.NewReader(book), int64(len(book)))
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	out := zip.NewWriter(&file)
	for _, part := range in.File {
		r, err := part.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if part.Name == "xl/worksheets/sheet1.xml" {
			for i := 0; i < len(oldnew); i += 2 {
				if !bytes.Contains(text, []byte(oldnew[i])) {
					t.Fatalf("no %s in %s", oldnew[i], text)
				}
				text = bytes.Replace(text, []byte(oldnew[i]), []byte(oldnew[i+1]), 1)
			}
		}
		w, err := out.Create(part.Name)
		if err == nil {
			_, err = w.Write(text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return file.String()
}
