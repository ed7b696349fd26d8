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
	"unicode/utf8"
)

const (
	// maxFunction is how many lines a function has at most.
	maxFunction = 80
	// maxLine is how many characters a line has at most, and longLines how many lines of older code
	// are longer: it only goes down.
	maxLine   = 120
	longLines = 1238
)

// eachFile calls f for each hand-written file of the program, tests and helpers of tests left out.
func eachFile(t *testing.T, f func(path string, files *token.FileSet, file *ast.File, text string)) {
	t.Helper()
	n := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && path != "..") {
			return filepath.SkipDir
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, ".."+string(filepath.Separator)))
		pkg := filepath.ToSlash(filepath.Dir(name))
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
			isIn(helpers+" internal/scenario/... internal/bench/... graph/generated graph/model", pkg) {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, text, parser.ParseComments)
		if err == nil && !ast.IsGenerated(file) {
			n++
			f(name, files, file, string(text))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 400 {
		t.Fatalf("%d files found", n)
	}
}

// TestFunctions refuses functions that do not fit on a screen.
func TestFunctions(t *testing.T) {
	eachFile(t, func(path string, files *token.FileSet, file *ast.File, _ string) {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				if n := files.Position(f.End()).Line - files.Position(f.Pos()).Line + 1; n > maxFunction {
					t.Errorf("%s: %s has %d lines, at most %d are allowed: split it", path, f.Name.Name, n, maxFunction)
				}
			}
		}
	})
}

// TestLines refuses more long lines than there are.
func TestLines(t *testing.T) {
	n := 0
	eachFile(t, func(_ string, _ *token.FileSet, _ *ast.File, text string) {
		for line := range strings.Lines(text) {
			if utf8.RuneCountInString(strings.TrimRight(line, "\n")) > maxLine {
				n++
			}
		}
	})
	if n != longLines {
		t.Errorf("%d lines have more than %d characters, want %d: wrap new ones, and lower longLines where old ones went", n, maxLine, longLines)
	}
}
