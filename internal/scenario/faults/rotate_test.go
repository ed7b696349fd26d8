package faults

import (
	"context"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/internal/database"
	"workforce/internal/scenario/harness"
	"workforce/internal/sealed"
	"workforce/internal/testdb"
)

// sealedRows is how many messages wait to be sealed anew.
const sealedRows = 5_000

// TestRotatedSecretLosesNothing replaces the secret key of three servers on one database, of
// which one after the other is killed and started again, while people write.
func TestRotatedSecretLosesNothing(t *testing.T) {
	t.Parallel()
	if *long == 0 {
		t.Skip("only in the long form: make faults")
	}
	url := testdb.MySQL(t)
	w := newWorld(t, harness.Build(t), url, url, url)
	w.servers[0].start(t) // makes the key and the demo
	w.servers[0].await(t, 200)
	for _, p := range w.servers[1:] {
		p.start(t)
		p.await(t, 200)
	}
	file := filepath.Join(w.folder, "secret.key")
	old, err := sealed.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	sealMessages(t, url, old[0])
	l := w.load(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	l.start(ctx)
	times(t, func(t *testing.T, n int) {
		l.more(t, 50)
		w.rotateSecret(t, url)
		kills := 0
		for deadline := time.Now().Add(3 * limit); w.phase(t, url) != "ready"; kills++ { // the servers' clocks are behind
			if time.Now().After(deadline) {
				t.Fatalf("the rotation is %s after %d kills: %s", w.phase(t, url), kills, tail(w.servers[0].log.String()))
			}
			p := w.servers[kills%len(w.servers)]
			p.kill()
			p.start(t)
			p.await(t, 200)
			l.more(t, 10)
		}
		t.Logf("rotation %d: %d kills", n, kills)
		w.opens(t, url, file)
		execute(t, url, "UPDATE settings SET value = '2020-01-01T00:00:00Z' WHERE name = 'secret-key-sealed'")
		w.secret(t, url, "--finish")
	})
	l.more(t, 50)
	stop()
	l.running.Wait()
	l.check(t, url)
}

// secret runs key rotate-secret and returns what it prints.
func (w *world) secret(t *testing.T, url string, more ...string) string {
	t.Helper()
	file := filepath.Join(w.folder, "secret.key")
	args := append([]string{"key", "rotate-secret", "--database", url, "--secret-key-file", file}, more...)
	out, err := exec.Command(w.binary, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

func (w *world) rotateSecret(t *testing.T, url string) {
	t.Helper()
	if out := w.secret(t, url); !strings.Contains(out, "new key") {
		t.Fatal(out)
	}
}

func (w *world) phase(t *testing.T, url string) string {
	t.Helper()
	var told struct{ Phase string }
	if err := json.Unmarshal([]byte(w.secret(t, url, "--status", "--json")), &told); err != nil {
		t.Fatal(err)
	}
	return told.Phase
}

// sealMessages writes messages that were sent, sealed for the first person.
func sealMessages(t *testing.T, url string, key sealed.Key) {
	t.Helper()
	db, err := database.Open(url, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var company, user int
	err = db.Reader.QueryRow("SELECT company_id, id FROM users ORDER BY id LIMIT 1").Scan(&company, &user)
	if err != nil {
		t.Fatal(err)
	}
	sealer := sealed.NewSealer("messages", key)
	const each = 500
	for range sealedRows / each {
		var args []any
		for range each {
			text, err := sealer.Seal([]byte(`{"Text":"sealed"}`), strconv.Itoa(company), strconv.Itoa(user))
			if err != nil {
				t.Fatal(err)
			}
			args = append(args, company, user, text)
		}
		row := "(?, ?, 'password_changed', 'email', 'a@b.test', ?, 'sent', 0, 0, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6))"
		_, err := db.Writer.Exec("INSERT INTO messages (company_id, user_id, kind, channel, destination, sealed_text, "+
			"status, attempts, failures, created_at, expires_at) VALUES "+row+strings.Repeat(", "+row, each-1), args...)
		if err != nil {
			t.Fatal(err)
		}
	}
}

// opens checks that the first key of a file alone opens every message.
func (w *world) opens(t *testing.T, url, file string) {
	t.Helper()
	keys, err := sealed.Load(file)
	if err != nil || len(keys) != 2 {
		t.Fatalf("%d keys, %v", len(keys), err)
	}
	db, err := database.Open(url, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Reader.Query("SELECT company_id, user_id, sealed_text FROM messages WHERE sealed_text IS NOT NULL")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	sealer, n := sealed.NewSealer("messages", keys[0]), 0
	for ; rows.Next(); n++ {
		var company, user, text string
		if err := rows.Scan(&company, &user, &text); err != nil {
			t.Fatal(err)
		}
		if _, err := sealer.Open(text, company, user); err != nil {
			t.Fatalf("a message after %d: %v", n, err)
		}
	}
	if rows.Err() != nil || n < sealedRows {
		t.Errorf("%d messages, %v", n, rows.Err())
	}
}
