package faults

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"workforce/internal/database"
	"workforce/internal/scenario/harness"
)

// damageTable overwrites the first page of a table of a SQLite file that nobody has open.
func damageTable(t *testing.T, path, table string) {
	t.Helper()
	db, err := database.Open("sqlite:"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	var page, size int64
	err = db.Reader.QueryRow("SELECT rootpage FROM sqlite_master WHERE name = ?", table).Scan(&page)
	if err == nil {
		err = db.Reader.QueryRow("PRAGMA page_size").Scan(&size)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil { // all is in the file then
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err == nil {
		_, err = f.WriteAt(bytes.Repeat([]byte{0xa5}, int(size)), (page-1)*size)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// register registers a device, and returns the status of the answer.
func (p *process) register(t *testing.T, device string) int {
	t.Helper()
	resp, err := http.Post(p.url()+"/device/register", "application/json", strings.NewReader(`{"deviceId":"`+device+`","platform":"android"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	return resp.StatusCode
}

// TestMalformedFile damages a page that nobody reads. After a stop the server does not look for it; after a
// kill it finds it beside serving: writes are 503, and so is /readyz. A sound file is served after a kill
// without remark.
func TestMalformedFile(t *testing.T) {
	t.Parallel()
	const line = "the database file is malformed"
	w := newWorld(t, harness.Build(t), "sqlite:workforce.db")
	file, p := filepath.Join(w.folder, "workforce.db"), w.servers[0]
	crash := func() {
		t.Helper()
		if got := p.register(t, "before"); got != 200 {
			t.Fatalf("a write: %d", got)
		}
		p.kill()
		if info, err := os.Stat(file + "-wal"); err != nil || info.Size() == 0 {
			t.Fatalf("the killed server left no -wal: %v", err)
		}
	}
	w.startAll(t)
	crash()
	w.startAll(t)
	time.Sleep(2 * time.Second) // the check takes some milliseconds
	if got := p.register(t, "sound"); got != 200 || p.ready() != 200 || strings.Contains(p.log.String(), "malformed") {
		t.Fatalf("a sound file: %d, /readyz %d, %s", got, p.ready(), tail(p.log.String()))
	}
	p.kill()
	damageTable(t, file, "ticket_words")
	w.startAll(t)
	time.Sleep(time.Second)
	if p.ready() != 200 {
		t.Fatalf("a file that was closed was read: %s", tail(p.log.String()))
	}
	crash()
	p.start(t)
	for deadline := time.Now().Add(limit); !strings.Contains(p.log.String(), line); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the damage is not found: %s", tail(p.log.String()))
		}
	}
	p.await(t, 503)
	if got := p.register(t, "after"); got != 503 {
		t.Errorf("a write to a malformed file: %d, want 503", got)
	}
	resp, err := http.Get(p.url() + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	if _ = resp.Body.Close(); resp.StatusCode != 200 {
		t.Errorf("/healthz: %d", resp.StatusCode)
	}
	if n := strings.Count(p.log.String(), "level=ERROR msg=\""+line); n != 1 {
		t.Errorf("%d lines, want one: %s", n, tail(p.log.String()))
	}
}
