package main

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"

	"workforce/internal/server"
)

// TestBackupCommands refuses what cannot work, and says what to do.
func TestBackupCommands(t *testing.T) {
	dir := t.TempDir()
	database := "--database=sqlite:" + filepath.Join(dir, "w.db")
	key := "--secret-key-file=" + filepath.Join(dir, "secret.key")
	if _, err := command(t, nil, "migrate", "up", database); err != "" {
		t.Fatal(err)
	}
	text := filepath.Join(dir, "text")
	if err := os.WriteFile(text, []byte("no backup"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		want string
		args []string
	}{
		{"no server has used this database yet", []string{"backup", database, key, "--output=" + filepath.Join(dir, "b")}},
		{"--output: " + text + ": file already exists", []string{"backup", database, key, "--output=" + text}},
		{"--with-key needs --recipient", []string{"backup", database, key, "--with-key"}},
		{"--json needs --output", []string{"backup", database, key, "--json"}},
		{"--recipient: must be a public key of age", []string{"backup", database, key, "--recipient=hunter2"}},
		{"--backup-recipient: must be a public key of age", []string{"backup", database, key, "--backup-recipient=hunter2"}},
		{"the file is no backup", []string{"backup", "verify", text}},
		{"no such file", []string{"backup", "verify", text + "2"}},
		{"--identity: " + text + " holds no identity of age", []string{"backup", "verify", text, "--identity=" + text}},
		{"the signature cannot be checked without the secret key", []string{"restore", text, database}},
		{"the file is no backup", []string{"restore", text, database, "--accept-unsigned"}},
		{"--write-key: " + text + " exists", []string{"restore", text, database, "--write-key=" + text}},
		{"--database: ", []string{"restore", text, "--database=oracle:x"}},
	} {
		if out, err := command(t, nil, tt.args...); !strings.Contains(err, tt.want) {
			t.Errorf("%s: %q %s, want %s", tt.args, err, out, tt.want)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range left {
		if strings.Contains(e.Name(), "unfinished") || e.Name() == "b" || e.Name() == "files" {
			t.Errorf("%s is left", e.Name())
		}
	}
}

// TestRecipientOfSettings encrypts to the recipient of scheduled backups, by file and environment, unless another is
// given.
func TestRecipientOfSettings(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	serveOnce(t, "sqlite:"+at("w.db"), at("secret.key"), at("files"))
	text := "database: sqlite:" + at("w.db") + "\nfiles: file:" + at("files") +
		"\nsecret-key-file: " + at("secret.key") + "\n"
	identity := func(name string) string {
		t.Helper()
		made, err := age.GenerateX25519Identity()
		if err == nil {
			err = os.WriteFile(at(name), []byte(made.String()+"\n"), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		return made.Recipient().String()
	}
	file, environment, flag := identity("file"), identity("environment"), identity("flag")
	for name, more := range map[string]string{"plain": "", "set": "backup-recipient: " + file + "\n"} {
		if err := os.WriteFile(at(name+".yaml"), []byte(text+more), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		config, env, opens string // the identity that opens it; "" for none
		args               []string
	}{
		{"plain", "", "", nil}, {"set", "", "file", nil}, {"plain", environment, "environment", nil},
		{"set", environment, "environment", nil}, {"set", environment, "flag", []string{"--recipient=" + flag}},
	} {
		output := at("b")
		if tt.env != "" {
			t.Setenv("WORKFORCE_BACKUP_RECIPIENT", tt.env)
		}
		args := append([]string{"backup", "--config=" + at(tt.config+".yaml"), "--output=" + output}, tt.args...)
		if _, failed := command(t, nil, args...); failed != "" {
			t.Errorf("%+v: %s", tt, failed)
		}
		verify := []string{"backup", "verify", output}
		if tt.opens != "" {
			if _, failed := command(t, nil, verify...); failed == "" {
				t.Errorf("%+v: it is not encrypted", tt)
			}
			verify = append(verify, "--identity="+at(tt.opens))
		}
		if _, failed := command(t, nil, verify...); failed != "" {
			t.Errorf("%+v: %s", tt, failed)
		}
		if err := os.Remove(output); err != nil {
			t.Fatal(err)
		}
	}
}

// TestWithKey finds the secret key of a backup again, which vouches for nothing.
func TestWithKey(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	serveOnce(t, "sqlite:"+at("w.db"), at("secret.key"), at("files"))
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at("identity"), []byte(identity.String()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	store := []string{"--database=sqlite:" + at("w.db"), "--files=file:" + at("files"), "--secret-key-file=" +
		at("secret.key")}
	out, failed := command(t, nil, append([]string{"backup", "--json", "--with-key", "--output=" + at("b"),
		"--recipient=" + identity.Recipient().String()}, store...)...)
	if failed != "" || !strings.Contains(out, `"withKey": true`) {
		t.Fatal(out, failed)
	}
	if info, err := os.Stat(at("b")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	out, failed = command(t, nil, "backup", "verify", at("b"), "--identity="+at("identity"))
	if failed != "" || !strings.Contains(out, "The signature was not checked") {
		t.Error(out, failed)
	}
	out, failed = command(t, nil, "backup", "verify", at("b"), "--identity="+at("identity"),
		"--secret-key-file="+at("secret.key"))
	if failed != "" || !strings.Contains(out,
		"The signature is valid") {
		t.Error(out, failed)
	}
	target := []string{"--database=sqlite:" + at("new.db"), "--files=file:" + at("new"),
		"--identity=" +
			at("identity")}
	if _, failed := command(t, nil, append([]string{"restore", at("b")}, target...)...); !strings.Contains(failed,
		"--accept-unsigned") {
		t.Error(failed)
	}
	out, failed = command(t, nil, append([]string{"restore", at("b"), "--accept-unsigned", "--write-key=" +
		at("new.key")}, target...)...)
	if failed != "" || !strings.Contains(out, "Restored what there was at") ||
		!strings.Contains(out, "Everybody signs in anew") {
		t.Error(out, failed)
	}
	want, err := os.ReadFile(at("secret.key"))
	got, err2 := os.ReadFile(at("new.key"))
	if err != nil || err2 != nil || string(got) != string(want) {
		t.Errorf("the key %v, %v", err, err2)
	}
	serveOnce(t, "sqlite:"+at("new.db"), at("new.key"), at("new"))
}

// serveOnce has a server use a database, a key and a folder of files.
func serveOnce(t *testing.T, database, key, files string) {
	t.Helper()
	srv, err := server.New(t.Context(), server.Config{
		Addr: "127.0.0.1:0", Database: database, Migrate: true, SecretKeyFile: key, Files: "file:" +
			files, Broker: "memory", Country: "ID",
	}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if err := srv.Store.Close(); err != nil {
		t.Fatal(err)
	}
}
