package table

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

// TestProperties writes who made a workbook and when, with the prefixes by which exceljs reads them.
func TestProperties(t *testing.T) {
	made := time.Date(2026, 3, 10, 9, 0, 0, 0, time.FixedZone("", 7*60*60))
	for creator, want := range map[string]string{"": "Workforce", "PT <Maju> & \x01": "PT &lt;Maju&gt; &amp; \uFFFD"} {
		var book bytes.Buffer
		w, err := NewWriter(&book, "xlsx", Properties{Title: "T", Creator: creator, Language: "id", Made: made})
		if err == nil {
			err = errors.Join(w.Write([]string{"name"}), w.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		core := part(t, book.Bytes(), "docProps/core.xml")
		for _, text := range []string{
			"<dc:creator>" + want + "</dc:creator>", "<cp:lastModifiedBy>" + want + "</cp:lastModifiedBy>", "<dc:title>T</dc:title>",
			"<dc:language>id</dc:language>", `<dcterms:created xsi:type="dcterms:W3CDTF">2026-03-10T02:00:00Z</dcterms:created>`,
			`<dcterms:modified xsi:type="dcterms:W3CDTF">2026-03-10T02:00:00Z</dcterms:modified>`,
		} {
			if !strings.Contains(core, text) {
				t.Errorf("%s has no %s", core, text)
			}
		}
		for _, name := range []string{"docProps/core.xml", "docProps/app.xml"} {
			if text := part(t, book.Bytes(), name); strings.Contains(text, "xuri") || strings.Contains(text, "xcelize") {
				t.Errorf("%s: %s", name, text)
			}
		}
	}
}

// part returns the text of a part of a workbook.
func part(t *testing.T, book []byte, name string) string {
	t.Helper()
	file, err := zip.NewReader(bytes.NewReader(book), int64(len(book)))
	if err != nil {
		t.Fatal(err)
	}
	in, err := file.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
