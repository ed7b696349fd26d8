package internal_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What one package may hold, tests and generated files not counted.
const (
	maxFiles = 20
	maxLines = 2500
)

// TestRooms keeps packages small. gqlgen's resolvers and ent's schema grow with the
// schema.
func TestRooms(t *testing.T) {
	files, lines := map[string]int{}, map[string]int{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && len(d.Name()) > 2) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ParseComments)
		if err != nil {
			return err
		}
		folder := filepath.ToSlash(strings.TrimPrefix(filepath.Dir(path), ".."+string(filepath.Separator)))
		if ast.IsGenerated(file) || folder == "graph/generated" || folder == "graph/model" {
			return nil
		}
		if folder != "ent/schema" && !strings.HasSuffix(path, ".resolvers.go") {
			files[folder]++
			lines[folder] += strings.Count(string(text), "\n")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 20 {
		t.Fatalf("%d packages found", len(files))
	}
	for folder, n := range files {
		if n > maxFiles || lines[folder] > maxLines {
			t.Errorf("%s has %d files and %d lines; split it: at most %d and %d", folder, n, lines[folder], maxFiles, maxLines)
		}
	}
}
