package tasks

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"image/color"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
)

// archived returns a ZIP file with parts of these names.
func archived(t *testing.T, content string, names ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range names {
		w, err := z.Create(name)
		if err == nil {
			_, err = io.WriteString(w, content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// An attached file is what the server says of one.
type attached struct{ ID, Name, ContentType, URL string }

// attach attaches a file to the task or ticket that the variables name, and returns it, or the
// code of the error and the member to blame.
func attach(t *testing.T, s *harness.Server, to, name string, data []byte) (a attached, code string) {
	t.Helper()
	document := `mutation($input:CreateTaskAttachmentInput!){made:createTaskAttachment(input:$input)` +
		`{id name contentType url}}`
	if to == "ticket" {
		document = strings.ReplaceAll(document, "Task", "Ticket")
	}
	input := map[string]any{to + "Id": s.Vars[to], "file": nil}
	answer, err := s.AskUploadAs(t, "sari", document, map[string]any{"input": input}, "input.file", name, data)
	if err != nil {
		t.Fatal(err)
	}
	var out struct {
		Data   struct{ Made attached }
		Errors []struct {
			Extensions struct {
				Code   string
				Errors []struct{ Field string }
			}
		}
	}
	if err := json.Unmarshal([]byte(answer.Body), &out); err != nil {
		t.Fatal(err, answer.Body)
	}
	if len(out.Errors) > 0 {
		e := out.Errors[0].Extensions
		if len(e.Errors) != 1 || e.Errors[0].Field != "file" {
			t.Errorf("%q: %s", name, answer.Body)
		}
		return a, e.Code
	}
	return out.Data.Made, ""
}

// fetch gets a link of either store.
func fetch(t *testing.T, s *harness.Server, link string) (status int, header http.Header, body string) {
	t.Helper()
	resp, err := s.HTTP.Get(strings.Replace(link, "http://wf.test", s.URL, 1))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, string(data)
}

// FileScenarios attaches files of each type, and what pretends to be one, under names of all kinds,
// and fetches them from the store.
func FileScenarios(t *testing.T, s *harness.Server) {
	signIn(t, s)
	newTask(t, s, "task")
	s.Run(t, []apitest.Scenario{saved(harness.Asks("a ticket", "sari", `mutation{saveTicket(input:{subject:"AC"}){id}}`,
		`{"saveTicket":{"id":"<digits>"}}`), "ticket", "/data/saveTicket/id")})
	attachedFiles(t, s)
	allowedFiles(t, s)
}

// The media types of documents.
const (
	office   = "application/vnd.openxmlformats-officedocument."
	typeDOCX = office + "wordprocessingml.document"
	typeXLSX = office + "spreadsheetml.sheet"
)

// attachedFiles attaches what is taken by default, and what never is.
func attachedFiles(t *testing.T, s *harness.Server) {
	docx := archived(t, "<xml/>", "[Content_Types].xml", "_rels/.rels", "word/document.xml")
	xlsx := archived(t, "<x/>", "[Content_Types].xml", "xl/workbook.xml")
	bomb := archived(t, strings.Repeat("\x00", 32<<20), "zeros")
	heic := []byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic")
	pdf := "%PDF-1.7\n%%EOF\n"
	png := harness.Picture(t, 40, 30, color.White)
	for _, tt := range []struct {
		name, data       string
		want, mediaType  string // of the attachment; an empty name is 415
		filename, inText string // of the answer
	}{
		{"Laporan.docx", string(docx), "Laporan.docx", typeDOCX, "Laporan.docx", ""},
		{"a.xlsx", string(xlsx), "a.xlsx", typeXLSX, "a.xlsx", ""},
		{"data.CSV", "nama;jam\nBudi;8\n", "data.CSV", "text/csv", "data.CSV", ""},
		{"catatan.txt", "halo\n", "catatan.txt", "text/plain", "catatan.txt", ""},
		{"README", "halo lagi\n", "README.txt", "text/plain", "README.txt", ""},
		{"utf16.csv", "\xff\xfea\x00,\x00b\x00\n\x00", "utf16.csv", "text/csv", "utf16.csv", ""},
		{"IMG_1.HEIC", string(heic), "IMG_1.HEIC", "image/heic", "IMG_1.HEIC", ""},
		{"foto.png", string(png), "foto.jpg", "image/jpeg", "foto.jpg", ""},
		{"archive.zip", string(bomb), "archive.zip", "application/zip", "archive.zip", ""},
		{"no.docx", string(archived(t, "x", "a.exe")), "no.zip", "application/zip", "no.zip", ""},
		{"a.html", pdf, "a.pdf", "application/pdf", "a.pdf", ""},
		{"\u202egnp.exe", pdf + "1", "gnp.pdf", "application/pdf", "gnp.pdf", ""},
		{"a\x00b\r\nX-Evil: 1.pdf", pdf + "2", "abX-Evil: 1.pdf", "application/pdf", "abX-Evil: 1.pdf", ""},
		{`"; filename="b.exe`, pdf + "3", `"; filename="b.pdf`, "application/pdf",
			`_; filename=_b.pdf`, `%22%3B%20filename%3D%22b.pdf`},
		{"Résumé 東.pdf", pdf + "4", "Résumé 東.pdf", "application/pdf",
			"R_sum_ _.pdf", "R%C3%A9sum%C3%A9%20%E6%9D%B1.pdf"},
		{strings.Repeat("n", 300) + ".pdf", pdf + "5", strings.Repeat("n", 196) + ".pdf", "application/pdf", "", ""},

		{"a.html", "<!DOCTYPE html><script>alert(1)</script>", "", "", "", ""},
		{"a.txt", "<html><script>alert(1)</script>", "", "", "", ""},
		{"a.csv", `<svg xmlns="http://www.w3.org/2000/svg"/>`, "", "", "", ""},
		{"a.svg", `<svg xmlns="http://www.w3.org/2000/svg"/>`, "", "", "", ""},
		{"a.pdf", "#!/bin/sh\nrm -rf /\n", "", "", "", ""},
		{"a.txt", "#!/bin/sh\nrm -rf /\n", "", "", "", ""},
		{"a.bat", "@echo off\r\n", "", "", "", ""},
		{"a.pdf", "MZ\x90\x00" + strings.Repeat("\x00", 100), "", "", "", ""},
		{"a.docx", "\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 100), "", "", "", ""},
		{"a.zip", string(archived(t, "x", "META-INF/MANIFEST.MF", "A.class")), "", "", "", ""},
		{"a.txt", "text\x00text", "", "", "", ""},
		{"a.txt", strings.Repeat("text\n", 2000) + "\x00", "", "", "", ""},
		{"a.txt", "", "", "", "", ""},
		{"a.gif", "GIF89a\x01\x00\x01\x00\x80\x00\x00", "", "", "", ""},
		{"a.odt", string(archived(t, "x", "mimetype")), "a.zip", "application/zip", "a.zip", ""},
	} {
		a, code := attach(t, s, "task", tt.name, []byte(tt.data))
		if tt.want == "" {
			if code != "UNSUPPORTED_MEDIA_TYPE" {
				t.Errorf("%.40q of %.20q: %s %v", tt.name, tt.data, code, a)
			}
			continue
		}
		if code != "" || a.Name != tt.want || a.ContentType != tt.mediaType {
			t.Errorf("%.40q: %s %v, want %q of %s", tt.name, code, a, tt.want, tt.mediaType)
			continue
		}
		status, header, body := fetch(t, s, a.URL)
		shown := "attachment"
		if tt.mediaType == "image/jpeg" {
			shown = "inline"
		} else if body != tt.data {
			t.Errorf("%q is not kept as it is", tt.want)
		}
		if tt.inText == "" {
			tt.inText = strings.ReplaceAll(url.QueryEscape(tt.want), "+", "%20")
		}
		if tt.filename == "" {
			tt.filename = tt.want
		}
		want := shown + `; filename="` + tt.filename + `"; filename*=UTF-8''` + tt.inText
		if got := header.Get("Content-Disposition"); status != 200 || got != want || header.Get("X-Evil") != "" {
			t.Errorf("%.40q: %d %s, want %s", tt.name, status, got, want)
		}
		if !strings.HasPrefix(header.Get("Content-Type"), tt.mediaType) {
			t.Errorf("%.40q is sent as %s", tt.name, header.Get("Content-Type"))
		}
		ours := strings.HasPrefix(a.URL, "http://wf.test/") // not a bucket
		if ours && (header.Get("X-Content-Type-Options") != "nosniff" ||
			header.Get("Content-Security-Policy") != "default-src 'none'; sandbox") {
			t.Errorf("%.40q: %v", tt.name, header)
		}
		s.Says(t, "sari", `mutation{deleteTaskAttachment(id:"`+a.ID+`"){deleted}}`, `{"deleteTaskAttachment":{"deleted":true}}`)
	}
}

// ask asks in somebody's name.
func ask(t *testing.T, s *harness.Server, document, who string) string {
	t.Helper()
	header := map[string]string{
		"Authorization": "Bearer " + s.Vars[who+".access"], "Content-Type": "application/json", "X-Language": "en",
	}
	a, err := s.Ask("POST", "/graphql", header, apitest.Query(document, nil))
	if err != nil {
		t.Fatal(err)
	}
	return a.Body
}

// allowedFiles changes which files the company allows.
func allowedFiles(t *testing.T, s *harness.Server) {
	docx := archived(t, "<xml/>", "[Content_Types].xml", "_rels/.rels", "word/document.xml")
	odt := []byte("PK\x03\x04" + strings.Repeat("\x00", 22) + "\x08\x00\x00\x00mimetype" +
		"application/vnd.oasis.opendocument.text")
	set := func(value, want string) {
		t.Helper()
		answer := ask(t, s, `mutation{updateCompany(input:{settings:{attachmentTypes:`+value+`}})`+
			`{settings{attachmentTypes}}}`, "andini")
		if !strings.Contains(answer, want) {
			t.Errorf("%s: %s, want %s", value, answer, want)
		}
	}
	try := func(name string, data []byte, want string) {
		t.Helper()
		if a, code := attach(t, s, "task", name, data); code != want {
			t.Errorf("%s: %q %v, want %q", name, code, a, want)
		}
	}
	try("a.odt", odt, "UNSUPPORTED_MEDIA_TYPE")
	set(`["odt"]`, `{"attachmentTypes":["odt"]}`)
	try("a.odt", odt, "")
	try("a.docx", docx, "UNSUPPORTED_MEDIA_TYPE")
	try("a.png", harness.Picture(t, 4, 3, color.Black), "")
	set(`[]`, `{"attachmentTypes":[]}`)
	try("a.pdf", []byte("%PDF-1.7\n%%EOF\n"), "UNSUPPORTED_MEDIA_TYPE")
	try("b.png", harness.Picture(t, 5, 3, color.Black), "")
	for _, bad := range []string{`["html"]`, `["exe"]`, `["PDF"]`, `["pdf","pdf"]`} {
		set(bad, `"field":"settings.attachmentTypes"`)
	}
	set(`null`, `{"attachmentTypes":["csv","docx","heic","pdf","txt","xlsx","zip"]}`)
	try("a.docx", docx, "")
	a, code := attach(t, s, "ticket", "../a.docx.exe", docx)
	if _, header, _ := fetch(t, s, a.URL); code != "" || a.Name != "a.docx" ||
		header.Get("Content-Disposition") != `attachment; filename="a.docx"; filename*=UTF-8''a.docx` {
		t.Errorf("to a ticket: %q %v, sent with %v", code, a, header)
	}
	const both = `{task(id:"%s"){attachments{name url user{name}}} ticket(id:"%s"){attachments{url}}}`
	listed := ask(t, s, fmt.Sprintf(both, s.Vars["task"], s.Vars["ticket"]), "sari")
	if strings.Count(listed, "response-content-disposition=") != 5 {
		t.Errorf("the lists have links without a name: %s", listed)
	}
}
