package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"filippo.io/age"
	"github.com/klauspost/compress/zstd"

	"workforce/internal/blob"
	"workforce/internal/database"
	"workforce/internal/migration"
	"workforce/internal/sealed"
)

// objects are a file store in memory.
type objects map[string]string

func (o objects) Get(_ context.Context, name string) (io.ReadCloser, error) {
	text, ok := o[name]
	if !ok {
		return nil, blob.ErrNotFound
	}
	return io.NopCloser(strings.NewReader(text)), nil
}

func objectName(n int) string { return fmt.Sprintf("1/%032x.png", n) }

// newSource returns an installation with some rows and files.
func newSource(t *testing.T) Source {
	t.Helper()
	db, err := database.Open("sqlite:"+filepath.Join(t.TempDir(), "w.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if err := migration.Up(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	key, err := sealed.Create(filepath.Join(t.TempDir(), "secret.key"))
	if err != nil {
		t.Fatal(err)
	}
	kept := objects{}
	conn, err := db.Writer.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	exec := func(statement string, args ...any) {
		t.Helper()
		if _, err := conn.ExecContext(t.Context(), statement, args...); err != nil {
			t.Fatal(err)
		}
	}
	at := time.Date(2026, 3, 10, 2, 0, 0, 123456000, time.UTC)
	exec("INSERT INTO settings (name, value) VALUES ('installation', '0123456789abcdef0123456789abcdef')")
	exec("PRAGMA foreign_keys = OFF")
	exec("BEGIN")
	defer exec("PRAGMA foreign_keys = ON")
	defer exec("COMMIT")
	for i := range 2500 { // of each more than a page
		exec("INSERT INTO decoys (text, created_at) VALUES (?, ?)", fmt.Sprintf(`row %d "é😀`, i), at)
		text := fmt.Sprint("object ", i)
		digest := sha256.Sum256([]byte(text))
		kept[objectName(i)] = text
		exec("INSERT INTO files (company_id, name, digest, size, media_type, width, height, uses, created_at) "+
			"VALUES (1, ?, ?, ?, 'image/png', 0, 0, 1, ?)",
			objectName(i), digest[:], len(text), at)
	}
	return Source{DB: db, Objects: kept, Key: key, Program: "1.2.3", Now: func() time.Time { return at }}
}

func backUp(t *testing.T, s Source) ([]byte, Manifest) {
	t.Helper()
	var b bytes.Buffer
	m, err := Write(t.Context(), &b, s)
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), m
}

// TestWrite has all rows and files, by their sums, in a backup.
func TestWrite(t *testing.T) {
	s := newSource(t)
	s.KeyFile = []byte("the key\n")
	text, m := backUp(t, s)
	again, err := Verify(bytes.NewReader(text), Keyring{Keys: []sealed.Key{s.Key}})
	if err != nil || !reflect.DeepEqual(again, m) {
		t.Fatalf("%v\n%+v\nwant\n%+v", err, again, m)
	}
	rows := map[string]int{}
	for _, table := range m.Tables {
		rows[table.Name] = table.Rows
	}
	if rows["decoys"] != 2500 || rows["files"] != 2500 || m.Files.Count != 2500 || len(m.Sums) != 3 ||
		m.Incomplete() != nil {
		t.Errorf("%d decoys, %d rows of files, %+v", rows["decoys"], rows["files"], m.Files)
	}
	for table := range leftOut {
		if _, ok := rows[table]; ok && leftOut[table] == "" {
			t.Errorf("table %s is in it", table)
		}
	}
	if m.Key != s.Key.Fingerprint() || m.Program != "1.2.3" || !m.WithKey || !m.Instant.Equal(s.Now()) {
		t.Errorf("%+v", m)
	}
}

// TestLostObjects lists what the file store lacks, and what has other bytes.
func TestLostObjects(t *testing.T) {
	s := newSource(t)
	delete(s.Objects.(objects), objectName(7))
	s.Objects.(objects)[objectName(8)] = "other bytes"
	delete(s.Objects.(objects), objectName(9))
	if _, err := s.DB.Writer.Exec("UPDATE files SET pending_since = created_at WHERE name = ?",
		objectName(9)); err != nil {
		t.Fatal(err)
	}
	text, m := backUp(t, s)
	if !reflect.DeepEqual(m.Files.Missing, []string{objectName(7)}) ||
		!reflect.DeepEqual(m.Files.Damaged, []string{objectName(8)}) {
		t.Errorf("%+v", m.Files)
	}
	if m.Incomplete() == nil {
		t.Error("it says that nothing is missing")
	}
	if _, err := Verify(bytes.NewReader(text), Keyring{Keys: []sealed.Key{s.Key}}); err != nil {
		t.Error(err)
	}
}

// TestDamage cuts a backup anywhere, and changes bytes anywhere: what is read without an error is
// what was written.
func TestDamage(t *testing.T) {
	s := newSource(t)
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	for _, recipients := range [][]age.Recipient{nil, {identity.Recipient()}} {
		s.Recipients = recipients
		text, m := backUp(t, s)
		keys := Keyring{Keys: []sealed.Key{s.Key}, Identities: []age.Identity{identity}}
		for i := range 30 {
			if _, err := Verify(bytes.NewReader(text[:len(text)*i/30]), keys); err == nil {
				t.Errorf("cut after %d of %d bytes: no error", len(text)*i/30, len(text))
			}
			changed := bytes.Clone(text)
			changed[len(text)*i/30] ^= 1 << (i % 8)
			if got, err := Verify(bytes.NewReader(changed), keys); err == nil && !reflect.DeepEqual(got, m) {
				t.Errorf("byte %d changed: no error, and other contents", len(text)*i/30)
			}
		}
		if _, err := Verify(bytes.NewReader(append(bytes.Clone(text), "more"...)), keys); err == nil {
			t.Error("bytes behind the end: no error")
		}
	}
}

// rewritten returns a backup with its entries changed, and with right sums of compression.
func rewritten(t *testing.T, text []byte, change func(name string, data []byte) []byte) []byte {
	t.Helper()
	r, err := zstd.NewReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	from, to := tar.NewReader(r), tar.NewWriter(w)
	for {
		h, err := from.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(from)
		if err != nil {
			t.Fatal(err)
		}
		if data = change(h.Name, data); data == nil {
			continue
		}
		h.Size = int64(len(data))
		if err := to.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := to.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(to.Close(), w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestForged refuses archives that somebody put together anew.
func TestForged(t *testing.T) {
	s := newSource(t)
	text, _ := backUp(t, s)
	other, err := sealed.Create(filepath.Join(t.TempDir(), "other.key"))
	if err != nil {
		t.Fatal(err)
	}
	part := fmt.Sprintf(tablePath, "decoys", 1)
	replaced := func(name, from, to string) func(string, []byte) []byte {
		return func(n string, data []byte) []byte {
			if n == name {
				return bytes.Replace(data, []byte(from), []byte(to), 1)
			}
			return data
		}
	}
	without := func(name string) func(string, []byte) []byte {
		return func(n string, data []byte) []byte {
			if n == name {
				return nil
			}
			return data
		}
	}
	for name, tt := range map[string]struct {
		change func(string, []byte) []byte
		key    sealed.Key
		want   string
	}{
		"as it is": {replaced("", "", ""), s.Key,
			""},
		"another key": {replaced("", "", ""), other,
			"another secret key"},
		"another row":    {replaced(part, "row 1 ", "row 2 "), s.Key, part + " is not what the manifest says of it"},
		"another file":   {replaced("files/"+objectName(3), "object", "Object"), s.Key, objectName(3)},
		"a part is gone": {without(part), s.Key, "is not what the manifest says of it"},
		"a file is gone": {without("files/" + objectName(3)), s.Key, "files before sums/00001.txt"},
		"a list is gone": {without("sums/00001.txt"), s.Key, "sums/00002.txt"},
		"the last list":  {without("sums/00003.txt"), s.Key, "is missing"},
		"no manifest":    {without(manifestName), s.Key, "it was cut"},
		"no format":      {without(formatName), s.Key, "in a place where none may be"},
		"another manifest": {replaced(manifestName, `"program": "1.2.3"`, `"program": "1.2.4"`), s.Key,
			"the signature of the manifest is wrong"},
		"a newer format": {replaced(formatName, "1", "2"), s.Key,
			"the backup has format 2, this program reads formats up to 1"},
		"a member": {replaced(manifestName, `"program"`, `"programs"`), s.Key, "unknown field"},
		"a name of SQL": {replaced(manifestName, `"name": "decoys"`, "\"name\": \"d`;\""), s.Key,
			"is not the name of a table or a column"},
		"a key inside": {replaced(manifestName, `"withKey": false`, `"withKey": true`), s.Key,
			"the signature of the manifest is wrong"},
		"a long format": {func(n string, d []byte) []byte {
			return append(d, bytes.Repeat([]byte(" "), map[string]int{formatName: 64}[n])...)
		}, s.Key, "may have 32"},
	} {
		_, err := Verify(bytes.NewReader(rewritten(t, text, tt.change)), Keyring{Keys: []sealed.Key{tt.key}})
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
	if _, err := Verify(bytes.NewReader(text), Keyring{Keys: []sealed.Key{other, s.Key}}); err != nil {
		t.Errorf("with the key of the backup as the second: %v", err)
	}
	for name, junk := range map[string]string{"nothing": "", "text": "workforce", "gzip": "\x1f\x8b\x08\x00"} {
		if _, err := Verify(strings.NewReader(junk), Keyring{}); !errors.Is(err, errNone) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestEncrypted opens a backup with an identity of its recipients alone.
func TestEncrypted(t *testing.T) {
	s := newSource(t)
	var own []age.Identity
	for range 3 {
		identity, err := age.GenerateX25519Identity()
		if err != nil {
			t.Fatal(err)
		}
		own = append(own, identity)
		if len(own) < 3 {
			s.Recipients = append(s.Recipients, identity.Recipient())
		}
	}
	text, _ := backUp(t, s)
	if bytes.Contains(text, []byte(manifestName)) {
		t.Error("names stand in it")
	}
	for i, want := range []bool{true, true, false} {
		if _, err := Verify(bytes.NewReader(text), Keyring{Identities: own[i : i+1], Keys: []sealed.Key{s.Key}}); (err == nil) != want {
			t.Errorf("identity %d: %v", i, err)
		}
	}
	if _, err := Verify(bytes.NewReader(text), Keyring{Keys: []sealed.Key{s.Key}}); !errors.Is(err, errIdentity) {
		t.Error(err)
	}
}

// TestHolds keeps migrations and the deletion of objects off while a backup is written, and ends
// a backup that lost its hold.
func TestHolds(t *testing.T) {
	s := newSource(t)
	looked := false
	s.Progress = func(int, int) {
		if looked {
			return
		}
		looked = true
		var lease, holds int
		err := s.DB.Reader.QueryRow(`SELECT
			(SELECT COUNT(*) FROM migration_lease WHERE holder <> '' AND expires_at > unixepoch()),
			(SELECT COUNT(*) FROM object_holds WHERE lease_until > strftime('%Y-%m-%d %H:%M:%f+00:00', 'now'))`).
			Scan(&lease, &holds)
		if err != nil || lease != 1 || holds != 1 {
			t.Errorf("%d leases, %d holds, %v", lease, holds, err)
		}
	}
	backUp(t, s)
	var left int
	if err := s.DB.Reader.QueryRow("SELECT COUNT(*) FROM object_holds").Scan(&left); err != nil || left != 0 || !looked {
		t.Errorf("%d holds are left, %v", left, err)
	}
	s.Progress = func(int, int) {
		if _, err := s.DB.Writer.Exec("DELETE FROM object_holds"); err != nil {
			t.Error(err)
		}
	}
	if _, err := Write(t.Context(), io.Discard, s); !errors.Is(err, errHold) {
		t.Errorf("without a hold: %v", err)
	}
}

// TestSnapshot has nothing in a backup that was written after its first row was read.
func TestSnapshot(t *testing.T) {
	s := newSource(t)
	s.Progress = func(int, int) {
		if _, err := s.DB.Writer.Exec("INSERT INTO users (company_id) VALUES (1)"); err == nil {
			t.Error("a row without its columns was written")
		}
		if _, err := s.DB.Writer.Exec("DELETE FROM decoys WHERE id > 10"); err != nil {
			t.Error(err)
		}
		if _, err := s.DB.Writer.Exec("DELETE FROM files"); err != nil {
			t.Error(err)
		}
	}
	_, m := backUp(t, s)
	if m.Files.Count != 2500 {
		t.Errorf("%d files, want those of the instant", m.Files.Count)
	}
}

// TestValues reads back what was written, of both kinds of database.
func TestValues(t *testing.T) {
	at := time.Date(2026, 3, 10, 2, 0, 0, 1000, time.UTC)
	for _, tt := range []struct {
		kind        kind
		value, want any
		text        string
	}{
		{integer, int64(-9007199254740993), int64(-9007199254740993), "-9007199254740993"},
		{integer, true, int64(1), "1"}, {integer, []byte("12"), int64(12), "12"}, {integer, nil, nil, "null"},
		{real, 106.816666, 106.816666, "106.816666"}, {real, 1e300, 1e300, "1e+300"}, {real, []byte("-6.2"), -6.2, "-6.2"},
		{text, "a\"\x00é😀<", "a\"\x00é😀<", `"a\"\u0000é😀<"`}, {text, []byte(`{"a":1}`), `{"a":1}`, `"{\"a\":1}"`}, {text,
			"", "", `""`},
		{binary, []byte{0, 255}, []byte{0, 255}, `"AP8="`}, {binary, []byte{}, []byte{}, `""`}, {binary, nil, nil, "null"},
		{instant, at.In(time.FixedZone("WIB", 7*3600)), at, `"2026-03-10T02:00:00.000001Z"`},
	} {
		got, err := tt.kind.appendValue(nil, tt.value)
		if err != nil || string(got) != tt.text {
			t.Errorf("%s %v: %s, %v, want %s", tt.kind, tt.value, got, err, tt.text)
			continue
		}
		if back, err := tt.kind.parse(got); err != nil || !reflect.DeepEqual(back, tt.want) {
			t.Errorf("%s %s: %v, %v", tt.kind, got, back, err)
		}
	}
	for _, tt := range []struct {
		kind  kind
		value any
	}{{integer, "1"}, {text, "\xff"}, {text, 1}, {binary, "x"}, {instant, "2026"}} {
		if got, err := tt.kind.appendValue(nil, tt.value); err == nil {
			t.Errorf("%s %v: %s", tt.kind, tt.value, got)
		}
	}
	for _, raw := range []string{`"x"`, `{}`, `1.5`, `"2026-13-01T00:00:00Z"`} {
		for _, k := range []kind{integer, instant, "moon"} {
			if got, err := k.parse([]byte(raw)); err == nil {
				t.Errorf("%s %s: %v", k, raw, got)
			}
		}
	}
}
