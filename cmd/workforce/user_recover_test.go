package main

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"workforce/ent"
	"workforce/ent/user"
	"workforce/internal/database"
)

// setActive activates or deactivates somebody in the database that a flag names.
func setActive(t *testing.T, at, email string, active bool) {
	t.Helper()
	url := strings.TrimPrefix(at, "--database=")
	err := change(t.Context(), url, func(ctx context.Context, db *ent.Client) error {
		return db.User.Update().Where(user.EmailKey(email)).SetActive(active).Exec(ctx)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestUserRecover prints links that are stored as digests, and refuses whom none is for.
func TestUserRecover(t *testing.T) {
	at := newDatabase(t, t.TempDir())
	for _, args := range [][]string{
		{"company", "create", "--name=PT Contoh", "--timezone=Asia/Jakarta", at},
		{"user", "create", "--company=1", "--name=Sri", "--email=sri@contoh.id", at},
		{"user", "create", "--company=1", "--name=Budi", "--email=budi@contoh.id", at},
	} {
		if _, err := command(t, strings.NewReader(""), args...); err != "" {
			t.Fatal(err)
		}
	}
	setActive(t, at, "budi@contoh.id", false)
	recover := func(more ...string) (string, string) {
		return command(t, nil, append([]string{"user", "recover", at}, more...)...)
	}
	first, err := recover("--email=SRI@contoh.id", "--public-url=https://api.contoh.id/")
	parts := regexp.MustCompile(`^https://api\.contoh\.id/app/recover#([A-Za-z0-9_-]{43})\n$`).FindStringSubmatch(first)
	if parts == nil || err != "" {
		t.Fatalf("printed %q, %s", first, err)
	}
	text, err := recover("--email=sri@contoh.id", "--json")
	var told struct{ Link, ExpiresAt string }
	if failed := json.Unmarshal([]byte(text), &told); failed != nil || err != "" ||
		!strings.HasPrefix(told.Link, "http://127.0.0.1:8080/app/recover#") || told.ExpiresAt == "" {
		t.Errorf("printed %q, %v %s", text, failed, err)
	}
	db, failed := database.Open(strings.TrimPrefix(at, "--database="), nil)
	if failed != nil {
		t.Fatal(failed)
	}
	defer db.Close()
	var all, live, plain int
	failed = db.Reader.QueryRowContext(t.Context(),
		"SELECT count(*), count(live), sum(length(token_hash) <> 32) FROM recovery_links").Scan(&all, &live, &plain)
	if failed != nil || all != 2 || live != 1 || plain != 0 {
		t.Errorf("%d links, %d live, %d not digests, %v", all, live, plain, failed)
	}
	for _, tt := range []struct {
		name, want string
		args       []string
	}{
		{"nobody", "nobody has the e-mail address ada@contoh.id", []string{"--email=ada@contoh.id"}},
		{"no address", "nobody has the e-mail address sri", []string{"--email=sri"}},
		{"deactivated", "budi@contoh.id may not sign in: ", []string{"--email=budi@contoh.id"}},
		{"a public URL without a scheme", "--public-url must begin with http:// or https://",
			[]string{"--email=sri@contoh.id", "--public-url=contoh.id"}},
		{"no flag", "missing flags: --email", nil},
	} {
		if out, err := recover(tt.args...); out != "" || !strings.HasPrefix(err, tt.want) {
			t.Errorf("%s: %q, %q, want %q", tt.name, out, err, tt.want)
		}
	}
}
