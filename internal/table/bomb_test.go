package table

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"workforce/internal/errs"
)

const (
	firstSheet   = "xl/worksheets/sheet1.xml"
	sharedTexts  = "xl/sharedStrings.xml"
	cellStyles   = "xl/styles.xml"
	emptySheet   = "<worksheet><sheetData/></worksheet>"
	openingSheet = "<worksheet><sheetData><row>"
	inlineCell   = openingSheet + `<c t="inlineStr"><is>`
)

// maxPeak is how much memory reading a small file may take at its peak, in bytes.
const maxPeak = 64 << 20

// peak returns how much more memory than before is in use at most during a call.
func peak(f func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(20)) // garbage is not what counts
	runtime.GC()
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	read := func() uint64 { metrics.Read(sample); return sample[0].Value.Uint64() }
	begin, done, most := read(), make(chan struct{}), make(chan uint64)
	go func() {
		highest := begin
		for {
			highest = max(highest, read())
			select {
			case <-done:
				most <- highest - begin
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	f()
	close(done)
	return <-most
}

// TestBombs refuses small workbooks that unpack to much, in little memory, and reads those
// of which the large parts are not needed.
func TestBombs(t *testing.T) {
	x := strings.Repeat
	for _, tt := range []struct {
		name, part, begin, again string
		times                    int
		end                      string
		want                     errs.Reason // "" where it is read
	}{
		{"one text", sharedTexts, "<sst><si><t>", "a", 60 << 20, "</t></si></sst>", errs.TooLong},
		{"one text in a cell", firstSheet, inlineCell + "<t>", "a", 2 << 20, "", errs.TooLong},
		{"one text in runs", firstSheet, inlineCell, "<r><t>" + x("a", 1000) + "</t></r>", 2000, "", errs.TooLong},
		{"one value in pieces", firstSheet, openingSheet + `<c t="str"><v>`, x("a", 1000) + "<!---->", 2000, "", errs.TooLong},
		{"all texts", sharedTexts, "<sst>", "<si><t>" + x("a", 1900) + "</t></si>", 9000, "", errs.TooLong},
		{"long texts", sharedTexts, "<sst>", "<si><t>" + x("a", 30_000) + "</t></si>", 1200, "", errs.TooLong},
		{"empty cells", firstSheet, openingSheet, `<c r="A1" s="1"/>`, 1_400_000, "", errs.TooMany},
		{"empty texts", sharedTexts, "<sst>", "<si/>", 1_400_000, "", errs.TooMany},
		{"spaces", firstSheet, openingSheet, " ", 2 << 20, "", errs.TooLong},
		{"spaces in pieces", firstSheet, openingSheet, x(" ", 1000) + "<a/>", 36_000, "", errs.TooLong},
		{"a comment", firstSheet, openingSheet + "<!--", "<", 2 << 20, "", errs.TooLong},
		{"a tag", firstSheet, openingSheet + "<c", ` a=""`, 1 << 20, "", errs.TooLong},
		{"an attribute", firstSheet, openingSheet + `<c r="`, "A", 2 << 20, "", errs.TooLong},
		{"an instruction", firstSheet, openingSheet + "<?a ", "A", 2 << 20, "", errs.TooLong},
		{"depth", firstSheet, x("<a>", 1<<16), "</a>", 1 << 16, "", errs.Unreadable},
		{"references", firstSheet, inlineCell + "<t>", "&#x41;", 1 << 20, "", errs.TooLong},
		{"cell formats", cellStyles, "<styleSheet><cellXfs>", `<xf numFmtId="14"/>`, 200_000, "", errs.TooMany},
		{"relations", "xl/_rels/workbook.xml.rels", "<Relationships>", `<Relationship Id="a" Target="b" Type="c"/>`, 3000, "", errs.TooMany},
		{"merged cells", firstSheet, "<worksheet><sheetData/>", `<mergeCell ref="A1:B1"/>`, 1_500_000, "", ""},
		{"another sheet", "xl/worksheets/sheet2.xml", openingSheet, "<c/>", 1_400_000, "", ""},
		{"a picture", "xl/media/image1.png", "", "\x00", 40 << 20, "", ""},
	} {
		parts := []txtar.File{{Name: tt.part, Data: []byte(tt.begin + x(tt.again, tt.times) + tt.end)}}
		if tt.part != firstSheet {
			parts = append(parts, txtar.File{Name: firstSheet, Data: []byte(emptySheet)})
		}
		refused(t, tt.name, zipped(t, parts...), tt.want)
	}
	var parts []txtar.File
	for i := range maxParts {
		parts = append(parts, txtar.File{Name: fmt.Sprint(i)})
	}
	refused(t, "parts", zipped(t, parts...), errs.TooMany)
	refused(t, "directory", zipped(t)+x("PK\x01\x02", 1<<20), errs.TooMany)
}

// refused reads a workbook, which must be refused for a reason in little memory.
func refused(t *testing.T, name, book string, want errs.Reason) {
	t.Helper()
	var err error
	used := peak(func() { _, err = records(book) })
	fault := &Fault{}
	if errors.As(err, &fault); fault.Reason != want || want == "" && err != nil {
		t.Errorf("%s: %v, want %q", name, err, want)
	}
	if used > maxPeak {
		t.Errorf("%s: %d bytes took %d MiB", name, len(book), used>>20)
	}
}

// TestLargeTable reads a workbook with as much in it as a table may have of people.
func TestLargeTable(t *testing.T) {
	var book bytes.Buffer
	w, err := NewWriter(&book, "xlsx", Properties{})
	cells := strings.Split(strings.Repeat("Budi Santoso ", 11), " ")[:11]
	for range MaxRecords + 1 {
		if err == nil {
			err = w.Write(cells)
		}
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	used := peak(func() { err = Read(&book, func(Record) error { rows++; return nil }) })
	if err != nil || rows != MaxRecords+1 || used > maxPeak {
		t.Errorf("%d rows, %v, %d MiB", rows, err, used>>20)
	}
}
