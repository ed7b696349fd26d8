package internal_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDecisionsIndex checks that docs/decisions/README.md has a row for every
// decision, in order, with the number and title of its file and a summary.
func TestDecisionsIndex(t *testing.T) {
	index, err := os.ReadFile("../docs/decisions/README.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for line := range strings.Lines(string(index)) {
		if strings.HasPrefix(line, "| [") {
			rows = append(rows, line)
		}
	}
	files, err := filepath.Glob("../docs/decisions/[0-9]*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for i, file := range files {
		number := i + 1
		if want := fmt.Sprintf("%04d-", number); !strings.HasPrefix(filepath.Base(file), want) {
			t.Fatalf("%s: want the number %s", file, want)
		}
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		heading, _, _ := strings.Cut(string(content), "\n")
		title, ok := strings.CutPrefix(heading, fmt.Sprintf("# %d. ", number))
		if !ok {
			t.Errorf("%s: heading %q, want # %d. and a title", file, heading, number)
		}
		want := fmt.Sprintf("| [%d](%s) | %s | ", number, filepath.Base(file), title)
		if i >= len(rows) {
			t.Errorf("docs/decisions/README.md lacks the row %s", want)
		} else if summary, ok := strings.CutPrefix(rows[i], want); !ok || len(summary) < len("A. |\n") {
			t.Errorf("docs/decisions/README.md: row %q, want %q and a summary", rows[i], want)
		}
	}
	if len(rows) > len(files) {
		t.Errorf("docs/decisions/README.md: %d rows for %d decisions", len(rows), len(files))
	}
}
