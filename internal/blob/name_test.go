package blob

import (
	"mime"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// names of files, and what they become for a PDF.
var fileNames = map[string]string{
	"a.pdf": "a.pdf", "A.PDF": "A.PDF", `C:\x\a.pdf`: "a.pdf", "../../a.zip": "a.pdf", "/": "file.pdf",
	"": "file.pdf", "..": "file.pdf", ".": "file.pdf", ".pdf": "file.pdf", ".htaccess": ".htaccess.pdf",
	" a .pdf ": "a .pdf", "a.html": "a.pdf", "a": "a.pdf", "a.": "a..pdf",
	"a.pdf.exe": "a.pdf", "a.exe.pdf": "a.exe.pdf", "a.tar.gz": "a.tar.pdf",
	"Laporan v1.2": "Laporan v1.2.pdf", "Tn. Budi Santoso": "Tn. Budi Santoso.pdf",
	"\u202egnp.exe":      "gnp.pdf",
	"a\u2066b\u2069.pdf": "ab.pdf", "\u200e\u200f\u061c.pdf": "file.pdf", "\ufeffa\u00ad.pdf": "a.pdf",
	"a\nb.pdf": "ab.pdf", "a\r\nSet-Cookie: x=1.pdf": "aSet-Cookie: x=1.pdf",
	"a\x00.pdf": "a.pdf", "a.pdf\x00.exe": "a.pdf",
	"a\u2028b\u2029.pdf": "ab.pdf", "a\x7f\u0085\x1b[31m.pdf": "a[31m.pdf", "a\xff.pdf": "a.pdf",
	`a"b'c;d.pdf`:                     `a"b'c;d.pdf`,
	"Cafe\u0301.pdf":                  "Café.pdf",
	"\u200d\u200c.pdf":                "file.pdf",
	"می\u200cخواهم.pdf":               "می\u200cخواهم.pdf",
	strings.Repeat("x", 300) + ".pdf": strings.Repeat("x", 196) + ".pdf",
	strings.Repeat("東", 300) + ".exe": strings.Repeat("東", 196) + ".pdf",
}

func TestFileName(t *testing.T) {
	for name, want := range fileNames {
		if got := FileName(name, "application/pdf"); got != want {
			t.Errorf("FileName(%q) = %q, want %q", name, got, want)
		}
	}
	for _, tt := range []struct{ name, mediaType, want string }{
		{"picture.png", "image/jpeg", "picture.jpg"}, {"picture.JPEG", "image/jpeg", "picture.JPEG"},
		{"a.docx", "application/zip", "a.zip"}, {"a.csv", "text/plain", "a.csv"}, {"a.txt", "text/csv", "a.txt"},
		{"a.bat", "text/csv; charset=utf-8", "a.csv"}, {"README", "text/plain", "README.txt"},
		{"\u202ea.exe", "application/x-unknown", "a.exe"},
	} {
		if got := FileName(tt.name, tt.mediaType); got != tt.want {
			t.Errorf("%q as %s: %q, want %q", tt.name, tt.mediaType, got, tt.want)
		}
	}
}

func TestDisposition(t *testing.T) {
	pdf := kindByType("application/pdf")
	for name, want := range map[string]string{
		"":                      "attachment",
		"a.pdf":                 `attachment; filename="a.pdf"; filename*=UTF-8''a.pdf`,
		"Laporan é 東":           `attachment; filename="Laporan _ _.pdf"; filename*=UTF-8''Laporan%20%C3%A9%20%E6%9D%B1.pdf`,
		`a"\b%41.pdf`:           `attachment; filename="b_41.pdf"; filename*=UTF-8''b%2541.pdf`,
		"a\"; filename=\"b.exe": `attachment; filename="a_; filename=_b.pdf"; filename*=UTF-8''a%22%3B%20filename%3D%22b.pdf`,
	} {
		if got := pdf.disposition(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
	for name := range fileNames {
		header := pdf.disposition(name + " ")
		kind, params, err := mime.ParseMediaType(strings.Replace(header, `filename="`, `plain="`, 1))
		broken := strings.ContainsAny(header, "\r\n\x00")
		if err != nil || kind != "attachment" || params["filename"] != FileName(name, pdf.MediaType) || broken {
			t.Errorf("%q is sent as %q: %v %v", name, header, params, err)
		}
	}
	if got := kinds[0].disposition("a.png"); got != `inline; filename="a.jpg"; filename*=UTF-8''a.jpg` {
		t.Errorf("a picture: %s", got)
	}
}

func FuzzFileName(f *testing.F) {
	for name := range fileNames {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		got := FileName(name, "application/pdf")
		again := FileName(got, "application/pdf")
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > maxFileName || again != got ||
			!strings.HasSuffix(strings.ToLower(got), ".pdf") ||
			strings.ContainsAny(got, "/\\") || strings.ContainsFunc(got, isHidden) {
			t.Errorf("%q became %q, then %q", name, got, again)
		}
	})
}

// TestNamedLink fetches objects of both stores by links with a name.
func TestNamedLink(t *testing.T) {
	const report, name = "7/0123456789abcdef0123456789abcdef.pdf", "Laporan \"Q1\"\r\nX: y 東.exe"
	const want = `attachment; filename="Laporan _Q1_X: y _.pdf"; ` +
		`filename*=UTF-8''Laporan%20%22Q1%22X%3A%20y%20%E6%9D%B1.pdf`
	for store, open := range map[string]func(*testing.T, *clock) (*Store, string){"folder": openTemp, "s3": openFake} {
		t.Run(store, func(t *testing.T) {
			s, _ := open(t, &clock{at: time.Now()})
			for _, object := range []string{report, object} {
				if err := s.Put(t.Context(), object, strings.NewReader("content")); err != nil {
					t.Fatal(err)
				}
			}
			get := func(link string) (int, http.Header) {
				if store == "folder" {
					w := ask(s, "GET", link)
					return w.Code, w.Header()
				}
				resp, err := http.Get(link)
				if err != nil {
					t.Fatal(err)
				}
				if err := resp.Body.Close(); err != nil {
					t.Error(err)
				}
				return resp.StatusCode, resp.Header
			}
			link, err := s.Link(Named(Ref(report), name))
			if err != nil {
				t.Fatal(err)
			}
			temporary, err := s.Temporary(report, name, time.Hour)
			if err != nil {
				t.Fatal(err)
			}
			for _, link := range []string{link, temporary} {
				u, err := url.Parse(link)
				if err != nil || u.Query().Get(disposition) != want || len(u.Query()) != 7 {
					t.Errorf("%s, %v", link, err)
				}
				if status, header := get(link); status != 200 || header.Get("Content-Disposition") != want {
					t.Errorf("%d %v, want %s", status, header, want)
				}
			}
			other, err := s.Link(Named(Ref(report), "b.pdf"))
			if again, err2 := s.Link(Named(Ref(report), name)); err != nil || err2 != nil || other == link || again != link {
				t.Errorf("another name: %s %v, the same: %s %v", other, err, again, err2)
			}
			if text, err := s.Link(Named("images/company.png", "a")); text != "images/company.png" || err != nil {
				t.Errorf("%q %v", text, err)
			}
			shown, err := s.Link(Named(Ref(object), "a.jpg"))
			if err != nil {
				t.Fatal(err)
			}
			if _, header := get(shown); header.Get("Content-Disposition") != `inline; filename="a.png"; filename*=UTF-8''a.png` {
				t.Errorf("a picture: %v", header)
			}
			if store != "folder" {
				return
			}
			for _, forged := range []string{
				strings.Replace(link, "attachment", "inline", 1), strings.Replace(link, "Laporan", "Lapor", 1),
				strings.ReplaceAll(link, disposition, "response-content-type"), linkOf(t, s) + "&" + disposition + "=inline",
				linkOf(t, s) + "&" + disposition + "=",
			} {
				if w := ask(s, "GET", forged); w.Code != 403 {
					t.Errorf("%d for %s", w.Code, forged)
				}
			}
			w := httptest.NewRecorder()
			s.Serve(w, httptest.NewRequest("GET", "/", nil), link, name)
			if got := w.Header().Get("Content-Disposition"); got != want {
				t.Errorf("served as %s", got)
			}
		})
	}
}
