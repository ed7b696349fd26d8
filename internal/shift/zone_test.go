package shift

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// TestZones has the names that are taken, and those of zones that were stored before.
func TestZones(t *testing.T) {
	for _, tt := range []struct {
		name  string
		taken bool
		zone  string // "" for none
	}{
		{"Asia/Jakarta", true, "Asia/Jakarta"},
		{"America/Argentina/ComodRivadavia", true, "America/Argentina/ComodRivadavia"},
		{"Etc/GMT+7", true, "Etc/GMT+7"},
		{"EST5EDT", true, "EST5EDT"},
		{"UTC", true, "UTC"},
		{"right/Asia/Jakarta", false, "Asia/Jakarta"},
		{"posix/Asia/Jakarta", false, "Asia/Jakarta"},
		{"Asia//Jakarta", false, "Asia/Jakarta"},
		{"posixrules", false, "America/New_York"},
		{"Factory", false, "UTC"},
		{"asia/jakarta", false, ""},
		{"Asia/", false, ""},
		{"Asia", false, ""},
		{"", false, ""},
		{"Local", false, ""},
		{"localtime", false, ""},
		{"+07:00", false, ""},
		{"../zoneinfo.zip", false, ""},
		{"leapseconds", false, ""},
	} {
		if got := IsZone(tt.name); got != tt.taken {
			t.Errorf("%q is taken: %v", tt.name, got)
		}
		zone, err := Zone(tt.name)
		if (err == nil) != (tt.zone != "") {
			t.Errorf("%q: %v", tt.name, err)
			continue
		}
		if err != nil {
			continue
		}
		want, err := time.LoadLocation(tt.zone)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []time.Time{time.Unix(0, 0), time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)} {
			if got, want := at.In(zone).Format(time.DateTime), at.In(want).Format(time.DateTime); got != want {
				t.Errorf("%q: %s, want %s", tt.name, got, want)
			}
		}
	}
}

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
