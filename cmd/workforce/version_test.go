package main

import (
	"runtime/debug"
	"testing"
)

func TestVersion(t *testing.T) {
	const revision, at = "7a5abd5f00", "2026-11-22T05:49:00Z"
	known := []debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: revision}, {Key: "vcs.time", Value: at}}
	modified := append(known[:3:3], debug.BuildSetting{Key: "vcs.modified", Value: "true"})
	tests := []struct {
		name, built string
		info        *debug.BuildInfo
		want        string
	}{
		{"nothing", "", nil, "(devel)"},
		{"go run", "", &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "(devel)"},
		{"make build without a repository", "v1.2.0", &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "v1.2.0"},
		{"revision alone", "", &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: known}, revision + " " + at},
		{"tag", "", &debug.BuildInfo{Main: debug.Module{Version: "v1.2.0"}, Settings: known}, "v1.2.0 " + revision + " " + at},
		{"changed files", "v1.2.0-dirty", &debug.BuildInfo{Settings: modified}, "v1.2.0-dirty " + revision + "-modified " + at},
	}
	for _, tt := range tests {
		name, revision, at := build(tt.built, tt.info)
		if got := versionText(name, revision, at); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
