// Package reference tests what developers of clients read: openapi.json with its examples, and
// the collection of requests.
package reference

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"workforce/internal/testdb"
)

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "reference-"); err != nil {
		panic(err)
	}
	code := testdb.Main(m)
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

const docs = "../../../docs"

// folder is where npm's programs are installed.
var folder string

// installed installs npm's programs, once.
var installed = sync.OnceValue(func() error {
	if err := os.CopyFS(folder, os.DirFS(filepath.Join("testdata", "programs"))); err != nil {
		return err
	}
	cmd := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
	cmd.Dir = folder
	return cmd.Run()
})

// install installs npm's programs in folder.
func install(t *testing.T) {
	t.Helper()
	if err := installed(); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("SKIPPED, npm's programs are not installed (Debian: as root .ci/need node): ", err)
	}
}

// run runs one of npm's programs in their folder, and returns what it prints.
func run(t *testing.T, program string, args ...string) (string, error) {
	t.Helper()
	install(t)
	cmd := exec.CommandContext(t.Context(), filepath.Join(folder, "node_modules", ".bin", program), args...)
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// absolute returns the absolute path of a file in docs.
func absolute(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(docs, name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}
