package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"strings"
	"testing"
	"time"

	"workforce/internal/app/report/reporttest"
	"workforce/internal/report"
	"workforce/internal/shift"
)

// logo returns a picture of one colour.
func logo(t testing.TB, red, green, blue uint8) []byte {
	t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, 60, 20))
	draw.Draw(picture, picture.Rect, image.NewUniform(color.RGBA{red, green, blue, 255}), image.Point{}, draw.Src)
	var out bytes.Buffer
	if err := png.Encode(&out, picture); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func head(t testing.TB) report.Head {
	t.Helper()
	return report.Head{
		Title: "Kehadiran", Company: "Nusantara Demo", Logo: logo(t, 0, 0, 0), Zone: shift.ZoneNamed("Asia/Jakarta"),
		Words: report.Words{Language: "id", Totals: "Ringkasan", Page: "Halaman {current} dari {total}", Empty: "Tidak ada data.",
			Missing: "Tidak tergambar: {characters}"},
		Facts: []report.Line{{Label: "Periode", Value: report.Of("2026-03-01 \u2013 2026-03-31")}},
		Columns: []report.Column{
			{Title: "Nama", Type: report.Text, Width: 30}, {Title: "Tanggal", Type: report.Date, Width: 12}, {Title: "Masuk", Type: report.Instant, Width: 20},
			{Title: "Jam kerja", Type: report.Duration, Width: 10}, {Title: "Hari", Type: report.Number, Width: 8},
		},
	}
}

// write writes n rows.
func write(t testing.TB, n int, name func(int) string) ([]byte, error) {
	t.Helper()
	made := time.Date(2026, 3, 31, 3, 0, 0, 0, time.UTC)
	var out bytes.Buffer
	w, err := New(&out, head(t), made, nil)
	for i := 0; i < n && err == nil; i++ {
		err = w.Row([]report.Value{report.Of(name(i)), report.On("2026-03-09"), report.At(made.Add(time.Duration(i) * time.Minute)), report.Seconds(3600 + i), report.Count(i)})
	}
	if err == nil {
		err = w.Close(report.Summary{
			Totals: []report.Line{{Label: "Jam kerja", Value: report.Seconds(360_000)}},
			Chart: report.Chart{Title: "Hari menurut status", Type: report.Number, Bars: []report.Line{
				{Label: "Hadir", Value: report.Count(20)}, {Label: "Terlambat", Value: report.Count(5)}, {Label: "Cuti", Value: report.Count(0)},
			}},
		})
	}
	return out.Bytes(), err
}

// TestPDF reads by pdftotext what was written: 2,000 rows, each page with its number and the
// titles of the columns.
func TestPDF(t *testing.T) {
	scripts := []string{"Budi Santoso", "Åsa Ångström", "Алексей Ёлкин", "Ελένη", "Nguyễn Thị Ánh", "李雷", "😀 Sari", strings.Repeat("panjang ", 30)}
	data, err := write(t, MaxRows, func(i int) string { return scripts[i%len(scripts)] })
	if err != nil {
		t.Fatal(err)
	}
	if file := os.Getenv("REPORT_PDF"); file != "" {
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text := reporttest.ReadPDF(t, data)
	pages := strings.Split(strings.TrimSuffix(text, "\f"), "\f")
	for i, p := range pages {
		if number := fmt.Sprintf("Halaman %d dari %d", i+1, len(pages)); !strings.Contains(p, number) || !strings.Contains(p, "Nama") {
			t.Errorf("page %d has not %q or no titles:\n%s", i+1, number, p)
		}
	}
	for _, want := range []string{
		"Nusantara Demo", "Kehadiran", "2026-03-01 – 2026-03-31", "100:00:00", "Hari menurut status", "Terlambat",
		"Åsa Ångström", "Алексей Ёлкин", "Ελένη", "Nguyễn Thị Ánh", "□□", "😀 Sari", "Tidak tergambar: Han (U+674E U+96F7)", "panjang pa…", "2026-03-31 10:00:00", "1:33:19", "1999",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in the text", want)
		}
	}
	if len(data) > 2<<20 {
		t.Errorf("%d bytes", len(data))
	}
}

func TestBounds(t *testing.T) {
	if _, err := write(t, MaxRows+1, func(int) string { return "x" }); !errors.Is(err, ErrLong) {
		t.Errorf("%d rows: %v", MaxRows+1, err)
	}
	data, err := write(t, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	if text := reporttest.ReadPDF(t, data); !strings.Contains(text, "Tidak ada data.") || !strings.Contains(text, "Halaman 1 dari 1") {
		t.Errorf("an empty report: %s", text)
	}
}

// TestWide: numbers, dates and times of a table with many columns are not cut.
func TestWide(t *testing.T) {
	h := head(t)
	cells := []report.Value{report.Of("Andini Kusumawardhani")}
	h.Columns = h.Columns[:1]
	at := time.Date(2026, 3, 31, 3, 4, 5, 0, time.UTC)
	for i := range 4 {
		h.Columns = append(h.Columns, report.Column{Title: "Batas selesai", Type: report.Instant, Width: 10}, report.Column{Title: "Terlambat", Type: report.Duration, Width: 6})
		cells = append(cells, report.At(at.Add(time.Duration(i)*time.Hour)), report.Seconds(3_600_000+i))
	}
	h.Columns = append(h.Columns, report.Column{Title: "Tanggal", Type: report.Date, Width: 6}, report.Column{Title: "Prioritas", Type: report.Text, Width: 6})
	cells = append(cells, report.On("2026-03-09"), report.Of("Mendesak"))
	var out bytes.Buffer
	w, err := New(&out, h, at, nil)
	if err == nil {
		err = w.Row(cells)
	}
	if err == nil {
		err = w.Close(report.Summary{})
	}
	if err != nil {
		t.Fatal(err)
	}
	text := reporttest.ReadPDF(t, out.Bytes())
	for _, c := range cells[1:] {
		if !strings.Contains(text, c.In(h.Zone)) {
			t.Errorf("no %q in the text", c.In(h.Zone))
		}
	}
	if strings.Contains(text, "\u2026") {
		t.Errorf("a cell or a title is cut: %s", text)
	}
}
