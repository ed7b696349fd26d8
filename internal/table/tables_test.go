package table

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// The parts of a workbook that an archive of testdata/tables leaves out.
const (
	defaultRoot = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"` +
		` Target="xl/workbook.xml"/></Relationships>`
	defaultRelations = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="t/worksheet" Target="worksheets/sheet1.xml"/>` +
		`<Relationship Id="rId2" Type="t/styles" Target="styles.xml"/>` +
		`<Relationship Id="rId3" Type="t/sharedStrings" Target="sharedStrings.xml"/></Relationships>`
	defaultMain = `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="t">` +
		`<sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`
)

// zipped returns a workbook of parts, and those that it needs besides.
func zipped(t testing.TB, parts ...txtar.File) string {
	t.Helper()
	var file bytes.Buffer
	out := zip.NewWriter(&file)
	has := map[string]bool{}
	add := func(name string, content []byte) {
		has[name] = true
		w, err := out.Create(name)
		if err == nil {
			_, err = w.Write(content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range parts {
		add(p.Name, p.Data)
	}
	for name, content := range map[string]string{
		"_rels/.rels": defaultRoot, "xl/workbook.xml": defaultMain, "xl/_rels/workbook.xml.rels": defaultRelations,
	} {
		if !has[name] {
			add(name, []byte(content))
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return file.String()
}

// reading returns what is read of a table, row by row, and its faults.
func reading(text string) string {
	var lines []string
	fault := func(f *Fault) {
		at := ""
		if f.Column > 0 {
			at = " column " + fmt.Sprint(f.Column)
		}
		line := fmt.Sprintf("fault %d%s %s", f.Record, at, f.Reason)
		for _, fact := range []string{"line", "value", "max"} {
			if v, ok := f.Meta[fact]; ok {
				line += fmt.Sprintf(" %v", v)
			}
		}
		lines = append(lines, line)
	}
	err := Read(strings.NewReader(text), func(r Record) error {
		lines = append(lines, fmt.Sprintf("%d %q", r.Number, r.Cells))
		for _, f := range r.Faults {
			fault(f)
		}
		return nil
	})
	var whole *Fault
	switch {
	case errors.As(err, &whole):
		fault(whole)
	case err != nil:
		lines = append(lines, err.Error())
	}
	return strings.Join(lines, "\n")
}

// TestTables reads tables as programs write them. Those of testdata/tables that end with .txt are
// the parts of a workbook. The readings are in want.txt.
func TestTables(t *testing.T) {
	files, err := filepath.Glob("testdata/tables/*.*")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d tables, %v", len(files), err)
	}
	data, err := os.ReadFile("testdata/tables/want.txt")
	if err != nil {
		t.Fatal(err)
	}
	want, seen := map[string]string{}, 0
	for _, f := range txtar.Parse(data).Files {
		want[f.Name] = strings.TrimSuffix(string(f.Data), "\n")
	}
	for _, file := range files {
		name := filepath.Base(file)
		if name == "want.txt" {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Ext(name) == ".txt" {
			text = []byte(zipped(t, txtar.Parse(text).Files...))
		}
		seen++
		if got := reading(string(text)); got != want[name] {
			t.Errorf("\n-- %s --\n%s\nwant\n%s", name, got, want[name])
		}
	}
	if seen != len(want) {
		t.Errorf("%d tables, want %d", seen, len(want))
	}
}
