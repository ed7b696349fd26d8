package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"workforce/internal/apitest"
	"workforce/internal/database"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/testdb"
)

// command runs a command with standard input and returns its output and error.
func command(t *testing.T, input io.Reader, args ...string) (string, string) {
	t.Helper()
	var out bytes.Buffer
	err := run(context.Background(), args, streams{input, &out, os.Stderr})
	if err != nil {
		return out.String(), err.Error()
	}
	return out.String(), ""
}

// newDatabase makes a database in a folder, and returns the flag that names it.
func newDatabase(t *testing.T, dir string) string {
	t.Helper()
	at := "--database=sqlite:" + filepath.Join(dir, "w.db")
	if _, err := command(t, nil, "migrate", "up", at); err != "" {
		t.Fatal(err)
	}
	return at
}

// TestCommandErrors holds what commands say of mistakes: a sentence that names what
// was asked for.
func TestCommandErrors(t *testing.T) {
	dir := t.TempDir()
	at := newDatabase(t, dir)
	none := func() io.Reader { return strings.NewReader("") }
	if out, err := command(t, none(), "company", "create", "--name=Acme", "--timezone=Asia/Jakarta", at); out != "1\n" || err != "" {
		t.Fatalf("company create: %q %s", out, err)
	}
	closed, open, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	defer closed.Close()
	user := func(more ...string) []string {
		return append([]string{"user", "create", "--company=1", "--name=Ada", at}, more...)
	}
	tests := []struct {
		name  string
		input io.Reader
		args  []string
		want  string // how the error begins; "" for none
	}{
		{"an unknown company", none(), []string{"user", "create", "--company=7", "--name=Ada", "--email=ada@acme.test", at}, "no company 7"},
		{"a time zone that is none", none(), []string{"company", "create", "--name=Acme", "--timezone=Jakarta", at}, "--timezone: This must look like Asia/Jakarta."},
		{"two mistakes", none(), []string{"company", "create", "--name= ", "--timezone=Asia/Jakarta", "--locale=fr", at}, "--name: This is required.\n--locale: This must be one of id, en."},
		{"an unknown role", none(), user("--email=ada@acme.test", "--role=king"), "--role: This must be one of employee, supervisor, manager, admin, owner."},
		{"a phone number that is none", none(), user("--email=ada@acme.test", "--phone=12"), "--phone: This must look like +62811123789."},
		{"another database", none(), user("--email=ada@acme.test", "--database=oracle:x"), "--database: the URL begins neither with sqlite: nor with mysql://"},
		{"migrations of another database", none(), []string{"migrate", "status", "--database=oracle:x"}, "--database: the URL begins neither with sqlite: nor with mysql://"},
		{"input that nobody asked for", strings.NewReader("correct horse battery\n"), user("--email=ada@acme.test"), "standard input holds something that would be ignored: add --password to take it as the password"},
		{"no password", none(), user("--email=ada@acme.test", "--password"), "--password: standard input holds no password"},
		{"two lines", strings.NewReader("correct horse battery\nstaple\n"), user("--email=ada@acme.test", "--password"), "--password: standard input holds more than one line"},
		{"a weak password", strings.NewReader("ada\n"), user("--email=ada@acme.test", "--password"), "--password: Choose a password"},
		{"a password", strings.NewReader("correct horse battery\r\n"), user("--email=ada@acme.test", "--password"), ""},
		{"somebody's address", none(), user("--email=ADA@acme.test"), "somebody has this --email or --phone already"},
		{"a pipe without input", closed, user("--email=bob@acme.test"), ""},
		{"a lifetime of nothing", none(), []string{"serve", at, "--access-life=0s"}, "--access-life must be at least 1s, not 0s"},
		{"no new devices", none(), []string{"config", "print", "--registration-limit=0"}, "--registration-limit must be at least 1, not 0"},
		{"a public URL without a scheme", none(), []string{"config", "print", "--public-url=api.example.id"}, "--public-url must begin with http:// or https:// and name a host, such as https://api.example.com"},
		{"the address of another machine", none(), []string{"serve", at, "--addr=192.0.2.1:1"}, "--addr: listen tcp 192.0.2.1:1: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, err := command(t, tt.input, tt.args...)
			if !strings.HasPrefix(err, tt.want) || (err == "") != (tt.want == "") || (err == "") != (out != "") {
				t.Errorf("printed %q, error %q, want %q", out, err, tt.want)
			}
		})
	}
}

// TestFirstCode signs an owner in whom commands created, with the code that they print:
// nothing can send one.
func TestFirstCode(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		s := harness.New(t, database, func(c *server.Config) { c.Demo, c.Clock, c.Now = false, nil, nil })
		do := func(input string, args ...string) (out, printed string) {
			var stdout, stderr bytes.Buffer
			args = append(args, "--database", database)
			if err := run(t.Context(), args, streams{strings.NewReader(input), &stdout, &stderr}); err != nil {
				t.Fatal(args, err)
			}
			return strings.TrimSpace(stdout.String()), stderr.String()
		}
		company, _ := do("", "company", "create", "--name", "PT Contoh", "--timezone", "Asia/Makassar")
		_, printed := do("kuda-terbang-42\n", "user", "create", "--company", company, "--name", "Sri", "--email", "sri@contoh.id", "--role", "owner", "--password",
			"--secret-key-file", harness.KeyFile(t, database))
		code := regexp.MustCompile(`^Code for the first sign-in: (\d{6}) \(valid once, until \d{4}-\d\d-\d\d \d\d:\d\d WITA\)\n$`).FindStringSubmatch(printed)
		if code == nil {
			t.Fatalf("printed %q", printed)
		}
		if _, printed := do("kuda-terbang-42\n", "user", "create", "--company", company, "--name", "Budi", "--email", "budi@contoh.id", "--password"); printed != "" {
			t.Errorf("for an employee it printed %q", printed)
		}
		s.Run(t, []apitest.Scenario{
			{Name: "the link ended", Path: s.SetupPath, Method: "GET", Status: 410},
			harness.Register("a"), harness.Login("a", "sri@contoh.id", "kuda-terbang-42"),
			harness.Verify("the code", "a", code[1], 200, `{"verified":true}`),
			{Name: "tokens", Path: "/authorize/access-token", Header: harness.SessionOf("a"), Status: 200,
				Want: `{"accessToken":"<any>","refreshToken":"<any>","tokenType":"Bearer","expiresIn":900,"refreshExpiresIn":2592000}`},
		})
	})
}

// TestUserPassword looks at what is stored of a password that the command is given.
func TestUserPassword(t *testing.T) {
	dir := t.TempDir()
	at := newDatabase(t, dir)
	for _, step := range []struct {
		input string
		args  []string
	}{
		{"", []string{"company", "create", "--name=Acme", "--timezone=Asia/Jakarta", at}},
		{"correct horse battery\n", []string{"user", "create", "--company=1", "--name=Ada", "--email=ada@acme.test", "--password", at}},
	} {
		if _, err := command(t, strings.NewReader(step.input), step.args...); err != "" {
			t.Fatal(err)
		}
	}
	db, err := database.Open("sqlite:"+filepath.Join(dir, "w.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var hash string
	if err := db.Reader.QueryRowContext(t.Context(), "SELECT password_hash FROM users").Scan(&hash); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("%.40s", hash)
	}
}
