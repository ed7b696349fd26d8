package harness

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var shellBlocks = regexp.MustCompile("(?ms)^ *```sh\n(.*?)^ *```")

// ShellBlock returns the first block of shell lines of a document that contains some text.
// The document's path is that from the module's folder, which is three above the test's.
func ShellBlock(t testing.TB, document, text string) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("../../..", document))
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range shellBlocks.FindAllSubmatch(page, -1) {
		if strings.Contains(string(block[1]), text) {
			return string(block[1])
		}
	}
	t.Fatalf("%s has no shell lines with %s", document, text)
	return ""
}

// Paste runs shell lines in a folder, where bin is one of commands besides the machine's, and
// returns what they print on standard output. It fails the test at a line that
// fails.
func Paste(t testing.TB, dir, bin, lines string) string {
	t.Helper()
	sh := exec.Command("bash", "-e", "-c", lines)
	sh.Dir, sh.Env = dir, []string{"PATH=" + os.Getenv("PATH") + ":" + bin, "HOME=" + dir}
	var out, failed bytes.Buffer
	sh.Stdout, sh.Stderr = &out, &failed
	if err := sh.Run(); err != nil {
		t.Fatalf("%v: %s\n%s%s", err, lines, &out, &failed)
	}
	return out.String()
}
