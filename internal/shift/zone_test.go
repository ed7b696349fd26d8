package shift

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
)

// TestZoneNamed takes the first zone that the system knows, and logs one that it does
// not know once.
func TestZoneNamed(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	for _, tt := range []struct {
		names []string
		want  string
	}{
		{[]string{"Asia/Makassar", "Asia/Jakarta"}, "Asia/Makassar"},
		{[]string{"", "Asia/Jakarta"}, "Asia/Jakarta"},
		{[]string{"Asia/Atlantis", "Asia/Jakarta"}, "Asia/Jakarta"},
		{[]string{"Asia/Atlantis", "Asia/Lemuria"}, "UTC"},
		{nil, "UTC"},
	} {
		if got := ZoneNamed(tt.names...).String(); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.names, got, tt.want)
		}
	}
	for name, want := range map[string]int{"name=Asia/Atlantis": 1, "name=Asia/Lemuria": 1, "level=WARN": 2} {
		if got := strings.Count(log.String(), name); got != want {
			t.Errorf("%s logged %d times, want %d:\n%s", name, got, want, &log)
		}
	}
}
