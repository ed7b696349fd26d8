package pdf

import (
	"bytes"
	"fmt"
	"image"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-text/typesetting/font/opentype"

	"workforce/internal/app/report/reporttest"
	"workforce/internal/report"
)

// scripts are names in what reports are written in, and typefaces that draw them.
var scripts = []struct{ text, face string }{
	{"Budi Santoso, S.Kom.", "DejaVuSans"},
	{"محمد بن علي", "DejaVuSans"},
	{"สวัสดีครับ น้ำ ปี่ ก็", "Waree"},
	{"हिन्दी क्षेत्र की द्वितीय श्री", "LohitDevanagari"},
	{"李雷和韩梅梅，人力资源部", "WenQuanYiMicroHei"},
	{"👍 🚀 Sari", "Symbola"},
}

// of writes a report of texts, in a column of names.
func of(t testing.TB, fonts *Fonts, texts ...string) []byte {
	t.Helper()
	made := time.Date(2026, 3, 31, 3, 0, 0, 0, time.UTC)
	var out bytes.Buffer
	w, err := New(&out, head(t), made, fonts)
	for i, text := range texts {
		if err == nil {
			err = w.Row([]report.Value{
				report.Of(text), report.On("2026-03-09"), report.At(made), report.Seconds(i), report.Count(i),
			})
		}
	}
	if err == nil {
		err = w.Close(report.Summary{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// plainText returns text of pdftotext without the marks of direction and spaces that it adds.
func plainText(text string) string {
	return strings.Map(func(c rune) rune {
		if strings.ContainsRune("\u202A\u202B\u202C\u202D\u202E\u200E\u200F ", c) {
			return -1
		}
		return c
	}, text)
}

// TestScripts: with fonts of other scripts, pdftotext reads every name, and all fonts are embedded
// subsets. Without them the note names the scripts.
func TestScripts(t *testing.T) {
	fonts, err := Open(reporttest.Fonts(t))
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, s := range scripts {
		texts = append(texts, s.text)
	}
	data := of(t, fonts, texts...)
	if file := os.Getenv("REPORT_PDF_SCRIPTS"); file != "" {
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text := plainText(reporttest.ReadPDF(t, data))
	embedded := reporttest.PDFFonts(t, data)
	for _, s := range scripts {
		if !strings.Contains(text, plainText(s.text)) {
			t.Errorf("no %q in %s", s.text, text)
		}
		if !slices.ContainsFunc(embedded, func(line string) bool {
			return strings.Contains(line, "+"+s.face+" ") && strings.Contains(line, "CID Type 0C") &&
				strings.Contains(line, "yes yes yes")
		}) {
			t.Errorf("no subset of %s in %q", s.face, embedded)
		}
	}
	if strings.Contains(text, "□") || strings.Contains(text, "Tidaktergambar") {
		t.Errorf("something was not drawn: %s", text)
	}
	if len(data) > 100<<10 {
		t.Errorf("%d bytes", len(data))
	}
	text = reporttest.ReadPDF(t, of(t, nil, texts...))
	for _, want := range []string{
		"Tidak tergambar: Devanagari (U+0915 U+0924 U+0926", "…), Han (U+4EBA", "Thai (U+0E01", ", U+1F44D, U+1F680",
	} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
}

// TestFallback: text is set in the first font that has all of a grapheme, the built-in ones before
// the folder's, bold ones first for titles.
func TestFallback(t *testing.T) {
	fonts, err := Open(reporttest.Fonts(t))
	if err != nil {
		t.Fatal(err)
	}
	s := newSetter(fonts)
	for _, tt := range []struct {
		text   string
		strong bool
		want   string // family and weight of each piece
	}{
		{"Budi", false, "DejaVuSans 400"},
		{"Budi", true, "DejaVuSans 700"},
		{"ก", false, "Waree 400"},
		{"ก", true, "Waree 700"},
		{"क", true, "LohitDevanagari 400"},
		{"a\u0E31", false, "Waree 400"}, // the built-in font has the letter alone
		{"aกb李", false, "DejaVuSans 400, Waree 400, DejaVuSans 400, WenQuanYiMicroHei 400"},
		{"\U0001F44D\U0001F3FD", false, "Symbola 400"},
	} {
		all, lost := s.pieces([]rune(tt.text), tt.strong)
		var got []string
		for _, p := range all {
			got = append(got, fmt.Sprint(p.face.name, " ", p.face.aspect.Weight))
		}
		if list := strings.Join(got, ", "); list != tt.want || len(lost) > 0 {
			t.Errorf("%q: %s without %q, want %s", tt.text, list, string(lost), tt.want)
		}
	}
}

// TestDirection: text that reads from right to left ends at the right edge of its column; a
// cell's controls of direction change no other.
func TestDirection(t *testing.T) {
	text := reporttest.ReadPDF(t, of(t, nil, "\u202Egnp.exe", "\u2067Sari", "Budi"))
	for _, want := range []string{"gnp.exe ", "Sari ", "Budi "} {
		if !strings.Contains(text, "\n"+want) {
			t.Errorf("no line that begins with %q:\n%s", want, text)
		}
	}
	for _, line := range strings.Split(text, "\n") {
		if strings.Contains(line, "2026-03-09") && !strings.Contains(line, "2026-03-09 2026-03-31 10:00:00 0:00:0") {
			t.Errorf("another order of columns: %q", line)
		}
	}
	empty := reporttest.Drawn(t, of(t, nil, ""))[0]
	if left, _ := inked(reporttest.Drawn(t, of(t, nil, "Budi"))[0], empty); left < 28 || left > 40 {
		t.Errorf("Latin begins %d points from the left", left)
	}
	left, right := inked(reporttest.Drawn(t, of(t, nil, "علي"))[0], empty)
	if left < 600 || right < left+5 || right > left+20 {
		t.Errorf("Arabic reaches from %d to %d", left, right)
	}
}

// inked returns the first and last column where a page differs from another; -1 for none.
func inked(page, empty image.Image) (left, right int) {
	left, right = -1, -1
	for x := range page.Bounds().Dx() {
		for y := range page.Bounds().Dy() {
			if page.At(x, y) != empty.At(x, y) {
				if left < 0 {
					left = x
				}
				right = x
			}
		}
	}
	return left, right
}

// TestLogo: a picture keeps its colours and lies in the upper right corner; one that is damaged is
// an error.
func TestLogo(t *testing.T) {
	var out bytes.Buffer
	h := head(t)
	h.Logo = logo(t, 200, 30, 40)
	w, err := New(&out, h, time.Now(), nil)
	if err == nil {
		err = w.Close(report.Summary{})
	}
	if err != nil {
		t.Fatal(err)
	}
	r, g, b, _ := reporttest.Drawn(t, out.Bytes())[0].At(735, 48).RGBA()
	if r>>8 != 200 || g>>8 != 30 || b>>8 != 40 {
		t.Errorf("the logo is %d, %d, %d", r>>8, g>>8, b>>8)
	}
	h.Logo = h.Logo[:60]
	if w, err = New(&out, h, time.Now(), nil); err == nil {
		err = w.Close(report.Summary{})
	}
	if err == nil || !strings.HasPrefix(err.Error(), "pdf: logo: ") {
		t.Errorf("half a logo: %v", err)
	}
}

// without returns a font without some tables.
func without(t *testing.T, data []byte, tags ...string) []byte {
	t.Helper()
	l, err := opentype.NewLoader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var tables []opentype.Table
	for _, tag := range l.Tables() {
		if content, err := l.RawTable(tag); err != nil {
			t.Fatal(err)
		} else if !slices.Contains(tags, tag.String()) {
			tables = append(tables, opentype.Table{Tag: tag, Content: content})
		}
	}
	return opentype.WriteTTF(tables)
}

// TestDamaged: a font with wrong bytes is refused, is used, or is an error of the report.
func TestDamaged(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		data := bytes.Clone(regular)
		for range 1 + random.IntN(30) {
			data[random.IntN(len(data)>>random.IntN(12))] = byte(random.Uint32())
		}
		faces, err := parse(data)
		if err != nil {
			continue
		}
		w, err := New(io.Discard, head(t), time.Now(), &Fonts{plain: faces, strong: faces})
		if err != nil {
			t.Fatal(err)
		}
		if err = w.Close(report.Summary{}); err != nil && !strings.HasPrefix(err.Error(), "pdf: a font is damaged") {
			t.Error(err)
		}
	}
	w, err := New(io.Discard, head(t), time.Now(), &Fonts{plain: []*typeface{{}}, strong: []*typeface{{}}})
	if err == nil {
		err = w.Close(report.Summary{})
	}
	if err == nil || !strings.HasPrefix(err.Error(), "pdf: a font is damaged") {
		t.Errorf("a font without anything: %v", err)
	}
}

// TestOpen: what is no font with outlines is refused with a sentence that names the file.
func TestOpen(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files map[string][]byte
		want  string // "" for no error
	}{
		{"a font", map[string][]byte{"a.ttf": regular, ".hidden": []byte("x")}, ""},
		{"nothing", nil, " has no font file"},
		{"a text", map[string][]byte{"a.ttf": regular, "b.txt": []byte("This is a licence.")},
			"b.txt: this is no TrueType or OpenType font: "},
		{"an empty file", map[string][]byte{"b.ttf": nil}, "b.ttf: this is no TrueType or OpenType font: "},
		{"a part of a font", map[string][]byte{"b.ttf": regular[:5000]}, "b.ttf: this font is damaged: "},
		{"a font of pictures", map[string][]byte{"b.ttf": without(t, regular, "glyf", "loca")},
			"b.ttf: this font has no outlines"},
		{"a font without names", map[string][]byte{"b.ttf": without(t, regular, "name", "post", "OS/2", "GSUB", "GPOS")}, ""},
	} {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
			t.Fatal(err)
		}
		for name, data := range tt.files {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, err := Open(dir)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
	if _, err := Open(filepath.Join(t.TempDir(), "nowhere")); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("a folder that is not there: %v", err)
	}
}
