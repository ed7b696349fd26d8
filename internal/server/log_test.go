package server

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLogsJSON has the log of a demo be text unless JSON is asked for: a banner stands beside it.
func TestLogsJSON(t *testing.T) {
	for _, tt := range []struct {
		format string
		demo   bool
		want   bool
	}{
		{"auto", false, true}, {"auto", true, false}, {"json", true, true}, {"json", false, true}, {"text", false, false}, {"text", true, false},
	} {
		if got := (Config{LogFormat: tt.format, Demo: tt.demo}).LogsJSON(new(strings.Builder)); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}

// TestLogMasksTokens has no line of any log show a token, wherever it stands.
func TestLogMasksTokens(t *testing.T) {
	secret := strings.Repeat("Ab3_", 12)
	sent := "wfa_" + secret
	kept := "sqlite:" + filepath.Join(t.TempDir(), "w.db") // in its folder
	for name, s := range map[string]Config{
		"json": {LogFormat: "json"}, "text": {LogFormat: "text"}, "the demo's": {LogFormat: "text", Demo: true, Database: kept},
	} {
		t.Run(name, func(t *testing.T) {
			var shown strings.Builder
			log, closer, err := NewLog(s, &shown)
			if err != nil {
				t.Fatal(err)
			}
			of := slog.Group("of", "agent", sent)
			log.Info("request "+sent, "path", "/user/"+sent, "error", errors.New("no "+sent), of, "status", 404)
			if err := closer.Close(); err != nil {
				t.Fatal(err)
			}
			lines := shown.String()
			if s.Demo {
				kept, err := os.ReadFile(s.DemoLog())
				if err != nil {
					t.Fatal(err)
				}
				lines += string(kept)
			}
			if strings.Contains(lines, secret[:8]) || strings.Count(lines, "wfa_…") < 4 || !strings.Contains(lines, "404") {
				t.Errorf("%s", lines)
			}
		})
	}
}
