package server

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestKeepSetupLink writes the link over what is there, or says that it cannot. The log never
// has the token.
func TestKeepSetupLink(t *testing.T) {
	const link = "https://api.contoh.id/setup?token=hidden\n"
	dir := t.TempDir()
	file := filepath.Join(dir, "setup-link")
	if err := os.WriteFile(file, []byte("a longer text of an earlier start, "+link), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ folder, level string }{{dir, "WARN"}, {filepath.Join(dir, "nowhere"), "ERROR"}} {
		var log bytes.Buffer
		srv := &Server{
			SetupPath: "/setup?token=hidden", log: slog.New(slog.NewTextHandler(&log, nil)),
			config: Config{SecretKeyFile: filepath.Join(tt.folder, "secret.key")},
		}
		srv.KeepSetupLink(t.Context(), "https://api.contoh.id")
		if text := log.String(); !strings.Contains(text, "level="+tt.level) || !strings.Contains(text, "file="+tt.folder) || strings.Contains(text, "hidden") {
			t.Errorf("log %s", text)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil || string(text) != link {
		t.Fatalf("%q, %v", text, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v; want 0600", info.Mode(), err)
	}
	srv := &Server{log: slog.New(slog.DiscardHandler), config: Config{SecretKeyFile: filepath.Join(dir, "secret.key")}}
	srv.KeepSetupLink(t.Context(), "") // has none
	srv.removeSetupLink(t.Context())
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}
