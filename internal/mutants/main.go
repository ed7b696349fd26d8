// Mutants proves that the tests of a package notice broken rules. It changes one
// place of the source at a time and runs the tests, which must fail.
//
//	go run ./internal/mutants [folder]...
//
// It looks for files testdata/mutants.txt in and below the folders, or below the
// current one. Each belongs to the package beside its testdata, whose own tests
// are run. The exit code is 1 when tests pass with a mutant in place, or when a
// mutant cannot be tried: its text is not in the file exactly once, it does not
// compile, or the tests fail without it.
package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	folders := os.Args[1:]
	if len(folders) == 0 {
		folders = []string{"."}
	}
	if err := run(ctx, os.Stdout, folders); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		stop()
		os.Exit(1)
	}
}

// run tries the mutants of all packages in and below the folders.
func run(ctx context.Context, out io.Writer, folders []string) error {
	var packages []string
	for _, folder := range folders {
		found, err := find(folder)
		if err != nil {
			return err
		}
		packages = append(packages, found...)
	}
	if len(packages) == 0 {
		return fmt.Errorf("no testdata/mutants.txt in %v", folders)
	}
	total, failed := 0, 0
	for _, dir := range packages {
		fmt.Fprintln(out, dir)
		results, err := tryAll(ctx, dir)
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		for _, r := range results {
			total++
			if r.err != nil {
				failed++
				fmt.Fprintf(out, "  FAILED  %s: %v\n", r.mutant, r.err)
				continue
			}
			fmt.Fprintf(out, "  noticed %s: by %s in %s\n", r.mutant, r.test, r.took.Round(time.Millisecond))
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d mutants failed", failed, total)
	}
	fmt.Fprintf(out, "the tests notice all %d mutants\n", total)
	return nil
}

// find returns the folders of the packages in and below root that have mutants.
// It skips other testdata folders, where fixtures are.
func find(root string) (packages []string, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if path != root && (d.Name() == "testdata" || d.Name() == "node_modules" || d.Name() == ".git") {
			return filepath.SkipDir
		}
		if _, err := os.Stat(filepath.Join(path, listFile)); err == nil {
			packages = append(packages, path)
		}
		return nil
	})
	return packages, err
}
