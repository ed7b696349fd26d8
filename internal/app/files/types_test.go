package files

import (
	"archive/zip"
	"bytes"
	"slices"
	"strings"
	"testing"

	"workforce/internal/blob"
	"workforce/internal/setting"
)

// TestTypeOf tells documents by their content, and text by its name too.
func TestTypeOf(t *testing.T) {
	open := func(mimetype string) string {
		return "PK\x03\x04" + strings.Repeat("\x00", 22) + "\x08\x00\x00\x00mimetype" + mimetype
	}
	heif := func(brand string) string { return "\x00\x00\x00\x18ftyp" + brand + "\x00\x00\x00\x00mif1" + brand }
	office := func(main string, others ...string) string {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for _, name := range append([]string{"[Content_Types].xml", "_rels/.rels", main}, others...) {
			if _, err := w.Create(name); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for _, tt := range []struct{ name, data, want string }{
		{"a.xlsx", office("xl/workbook.xml"), "xlsx"}, {"a.docx", office("word/document.xml"), "docx"},
		{"a.xlsm", office("xl/workbook.xml", "xl/vbaProject.bin"), ""},
		{"a.xlsx", office("xl/workbook.xml", "/xl/vbaProject.bin"), ""},
		{"a.docx", office("word/document.xml", "word/VBAPROJECT.BIN"), ""},
		{"a.pptm", office("ppt/presentation.xml", `ppt\vbaProject.bin`), ""},
		{"a.xlsx", office("xl/workbook.xml", "xl/macrosheets/sheet1.xml"), ""},
		{"a.pdf", "%PDF-1.7\n", "pdf"}, {"a.exe", "%PDF-1.7\n", "pdf"},
		{"a.odt", open("application/vnd.oasis.opendocument.text"), "odt"},
		{"a.ods", open("application/vnd.oasis.opendocument.spreadsheet"), "ods"},
		{"a.odp", open("application/vnd.oasis.opendocument.presentation"), "odp"},
		{"a.ott", open("application/vnd.oasis.opendocument.text-template"), ""},
		{"a.epub", open("application/epub+zip"), ""},
		{"a.zip", "PK\x03\x04" + strings.Repeat("\x00", 22) + "\x01\x00\x00\x00ab", "zip"},
		{"a.heic", heif("heic"), "heic"}, {"a.heif", heif("mif1"), "heic"}, {"a.avif", heif("avif"), ""},
		{"a.csv", "a,b\n1,2\n", "csv"}, {"a.csv", "a;b\n", "csv"}, {"A.CSV", "x", "csv"}, {"a.csv", `{"a":1}`, "csv"},
		{"a.txt", "a,b\n1,2\n", "txt"}, {"a", "x", "txt"}, {"a.txt", "From: a@b.test\r\nSubject: x\r\n\r\n", "txt"},
		{"a.txt", "\xff\xfeh\x00i\x00", "txt"}, {"a.txt", "na\xefve", "txt"},
		{"a.txt", "h\x00i", ""}, {"a.txt", strings.Repeat("x", 5000) + "\x00", ""}, {"a.txt", "", ""}, {"", "", ""},
		{"a.html", "x", ""}, {"a.js", "alert(1)", ""}, {"a.bat", "echo", ""}, {"a.txt.ps1", "x", ""},
		{"a.txt", "<html>", ""}, {"a.csv", "<?xml version=\"1.0\"?><svg/>", ""}, {"a.txt", "#!/usr/bin/python\n", ""},
		{"a.txt", "<?php x", ""}, {"a.pdf", "MZ\x90\x00", ""}, {"a.doc", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", ""},
	} {
		got := ""
		if found := typeOf([]byte(tt.data), tt.name); found != nil {
			got = found.name
		}
		if got != tt.want {
			t.Errorf("%s of %.30q: %q, want %q", tt.name, tt.data, got, tt.want)
		}
	}
}

// TestTypes holds that the setting, the types that are told and those that a store keeps agree.
func TestTypes(t *testing.T) {
	names := map[string]bool{}
	for _, kind := range append(slices.Clone(types), *texts[".csv"], *texts[".txt"]) {
		names[kind.name] = true
		_, err := blob.NewName(1, kind.mediaType)
		if err != nil || !slices.Contains(setting.AttachmentTypes.Allow, kind.name) {
			t.Errorf("%s: %v, or the setting does not allow it", kind.name, err)
		}
	}
	if len(names) != len(setting.AttachmentTypes.Allow) {
		t.Errorf("%v, but the setting has %v", names, setting.AttachmentTypes.Allow)
	}
}
