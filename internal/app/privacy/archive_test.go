package privacy

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

var at = time.Date(2026, 3, 11, 3, 0, 0, 123456000, time.UTC)

// sample has a value of each kind.
func sample() archiveTable {
	rows := [][]any{
		{int64(1), "=1+2", nil, true, -6.25, at, json.RawMessage(`{"a":["<b>"]}`)},
		{int64(2), "", "-7", false, 1e21, at, json.RawMessage(`null`)},
		{int64(3), "\"quoted\",\nlines", "＝A1", false, 0.0, at, json.RawMessage(`"@x"`)},
	}
	return archiveTable{Name: "things", Columns: []string{"id", "text", "maybe", "flag", "number", "at", "data"}, Each: func(f func([]any) error) error {
		for _, r := range rows {
			if err := f(r); err != nil {
				return err
			}
		}
		return nil
	}}
}

// pack returns the bytes of an archive.
func pack(t *testing.T, tables ...archiveTable) []byte {
	t.Helper()
	var out bytes.Buffer
	w := newArchive(&out, at)
	for _, table := range tables {
		if err := w.AddTable(table); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Add("files/a.png", "image/png", true, strings.NewReader("picture")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(map[string]any{"entries": w.Entries()}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// unzip returns the entries of an archive by path.
func unzip(t *testing.T, data []byte) map[string]string {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	entries := map[string]string{}
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		if !f.Modified.Equal(at.Truncate(time.Second)) {
			t.Errorf("%s is of %v", f.Name, f.Modified)
		}
		entries[f.Name] = string(text)
	}
	return entries
}

func TestArchive(t *testing.T) {
	data := pack(t, sample())
	entries := unzip(t, data)
	var manifest struct{ Entries []archiveEntry }
	if err := json.Unmarshal([]byte(entries["manifest.json"]), &manifest); err != nil {
		t.Fatal(err)
	}
	if len(manifest.Entries) != 3 || len(entries) != 4 {
		t.Fatalf("%d entries, %d in the manifest", len(entries), len(manifest.Entries))
	}
	for _, e := range manifest.Entries {
		text, ok := entries[e.Path]
		digest := sha256.Sum256([]byte(text))
		if !ok || e.Bytes != int64(len(text)) || e.SHA256 != hex.EncodeToString(digest[:]) {
			t.Errorf("%+v, and %d bytes", e, len(text))
		}
		if isTable := strings.HasPrefix(e.Path, "tables/"); (e.Rows != nil) != isTable || isTable && *e.Rows != 3 {
			t.Errorf("%+v", e)
		}
	}
	const want = `[
{"id":1,"text":"=1+2","maybe":null,"flag":true,"number":-6.25,"at":"2026-03-11T03:00:00.123456Z","data":{"a":["\u003cb\u003e"]}},
{"id":2,"text":"","maybe":"-7","flag":false,"number":1e+21,"at":"2026-03-11T03:00:00.123456Z","data":null},
{"id":3,"text":"\"quoted\",\nlines","maybe":"＝A1","flag":false,"number":0,"at":"2026-03-11T03:00:00.123456Z","data":"@x"}
]
`
	if got := entries["tables/things.json"]; got != want || !json.Valid([]byte(got)) {
		t.Errorf("%s", got)
	}
	if !bytes.Equal(data, pack(t, sample())) {
		t.Error("the same rows give other bytes")
	}
}

func TestCSV(t *testing.T) {
	records, err := csv.NewReader(strings.NewReader(unzip(t, pack(t, sample()))["tables/things.csv"])).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"\uFEFFid", "text", "maybe", "flag", "number", "at", "data"},
		{"1", "'=1+2", "", "true", "-6.25", "2026-03-11T03:00:00.123456Z", `{"a":["<b>"]}`},
		{"2", "", "'-7", "false", "1000000000000000000000", "2026-03-11T03:00:00.123456Z", "null"},
		{"3", "\"quoted\",\nlines", "'＝A1", "false", "0", "2026-03-11T03:00:00.123456Z", `"@x"`},
	}
	for i, r := range records {
		if strings.Join(r, "|") != strings.Join(want[i], "|") {
			t.Errorf("record %d: %q, want %q", i, r, want[i])
		}
	}
	if len(records) != len(want) {
		t.Errorf("%d records", len(records))
	}
}

func TestEmptyTable(t *testing.T) {
	none := sample()
	none.Each = func(func([]any) error) error { return nil }
	entries := unzip(t, pack(t, none))
	if got := entries["tables/things.json"]; got != "[\n]\n" || !json.Valid([]byte(got)) {
		t.Errorf("%q", got)
	}
	if got := entries["tables/things.csv"]; got != "\uFEFFid,text,maybe,flag,number,at,data\n" {
		t.Errorf("%q", got)
	}
}

// TestFailures ends with the error of whatever reads or is written to.
func TestFailures(t *testing.T) {
	broken := errors.New("broken")
	bad := sample()
	bad.Each = func(func([]any) error) error { return broken }
	if err := newArchive(io.Discard, at).AddTable(bad); !errors.Is(err, broken) {
		t.Error(err)
	}
	odd := sample()
	odd.Each = func(f func([]any) error) error { return f([]any{json.RawMessage("{")}) }
	if err := newArchive(io.Discard, at).AddTable(odd); err == nil {
		t.Error("a value that is no JSON is written")
	}
	w := newArchive(full{}, at)
	err := w.AddTable(sample())
	if err == nil {
		err = w.Close(nil)
	}
	if err == nil {
		t.Error("a full disk is no error")
	}
}

// full is a disk without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space") }
