package workbook

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"workforce/internal/app/report/reporttest"
	"workforce/internal/report"
	"workforce/internal/table"
)

// timesheet returns a report with a balance below zero.
func timesheet(t *testing.T) []byte {
	t.Helper()
	h := head()
	h.Columns = []report.Column{
		{Title: "Nama", Width: 20}, {Title: "Tanggal", Type: report.Date, Width: 10},
		{Title: "Selisih", Type: report.Duration, Width: 9, Signed: true},
	}
	var out bytes.Buffer
	w, err := New(&out, h, made)
	if err == nil {
		err = errors.Join(
			w.Row([]report.Value{report.Of("=Budi"), report.On("2026-03-09"), report.Seconds(-5400)}),
			w.Row([]report.Value{report.Of("Siti"), report.On("2026-03-09"), report.Seconds(900)}),
			w.Close(report.Summary{
				Totals: []report.Line{{Label: "Selisih", Value: report.Seconds(-4500)}},
				Chart: report.Chart{
					Title: "Per hari", Type: report.Duration, Bars: []report.Line{{Label: "a", Value: report.Seconds(60)}},
				},
			}),
		)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// people returns a table, as exports and templates are.
func people(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := table.NewWriter(&out, "xlsx", table.Properties{Title: "Import", Made: made})
	if err == nil {
		err = errors.Join(w.Write([]string{"name", "joinedOn"}), w.Write([]string{"=Budi", "2026-03-09"}), w.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestReaders opens workbooks in the programs by which people and their scripts read them.
func TestReaders(t *testing.T) {
	sheet, list := timesheet(t), people(t)
	wantSheets := []string{sheetName(head().Title), "Ringkasan"}
	properties := func(t *testing.T, p reporttest.Properties, creator string) {
		t.Helper()
		if p.Creator != creator || p.Editor != creator || !p.Created.Equal(made) || !p.Modified.Equal(made) {
			t.Errorf("%+v, want %s and %v", p, creator, made)
		}
	}
	rows := func(t *testing.T, got [][]string, want string) {
		t.Helper()
		var lines []string
		for _, r := range got {
			lines = append(lines, strings.Join(r, "|"))
		}
		if text := strings.Join(lines, "\n"); text != want {
			t.Errorf("%s\nwant\n%s", text, want)
		}
	}
	t.Run("JavaScript", func(t *testing.T) {
		t.Parallel() // npm waits
		exceljs, sheetjs := reporttest.ReadJavaScript(t, sheet, list)
		for _, got := range [][]reporttest.Reading{exceljs, sheetjs} {
			properties(t, got[0].Properties, "=Nusantara")
			properties(t, got[1].Properties, "Workforce")
			if !slices.Equal(got[0].Sheets, wantSheets) {
				t.Errorf("sheets %q", got[0].Sheets)
			}
			rows(t, got[1].Rows, "name|joinedOn\n=Budi|2026-03-09")
		}
		rows(t, exceljs[0].Rows, "Nama|Tanggal|Selisih|Selisih (jam)\n"+
			"=Budi|2026-03-09T00:00:00.000Z|-1:30:00|-1.5\nSiti|2026-03-09T00:00:00.000Z|1899-12-30T00:15:00.000Z|0.25")
		rows(t, sheetjs[0].Rows, "Nama|Tanggal|Selisih|Selisih (jam)\n=Budi|2026-03-09|-1:30:00|-1.50\nSiti|2026-03-09|0:15:00|0.25")
	})
	t.Run("openpyxl", func(t *testing.T) {
		t.Parallel()
		book := reporttest.ReadWorkbook(t, sheet)
		properties(t, book.Properties, "=Nusantara")
		rows(t, book.Sheets[0].Values(), "Nama|Tanggal|Selisih|Selisih (jam)\n=Budi|2026-03-09|-1:30:00|-1.5\nSiti|2026-03-09|0:15:00|0.25")
		book = reporttest.ReadWorkbook(t, list)
		properties(t, book.Properties, "Workforce")
		rows(t, book.Sheets[0].Values(), "name|joinedOn\n=Budi|2026-03-09")
	})
	t.Run("LibreOffice", func(t *testing.T) {
		t.Parallel()
		shown := reporttest.Shown(t, ".xlsx", sheet, list)
		for i, want := range []string{
			"\"Nama\",\"Tanggal\",\"Selisih\",\"Selisih (jam)\"\n" +
				"\"=Budi\",2026-03-09,\"-1:30:00\",-1.50\n\"Siti\",2026-03-09,0:15:00,0.25\n",
			"\"name\",\"joinedOn\"\n\"=Budi\",\"2026-03-09\"\n",
		} {
			if shown[i] != want {
				t.Errorf("%s\nwant\n%s", shown[i], want)
			}
		}
	})
}
