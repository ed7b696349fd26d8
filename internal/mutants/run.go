package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"time"
)

const (
	workers = 2    // mutants of a package tried at a time
	timeout = "2m" // of the tests of one mutant, which may have made a loop endless
)

// A result says what became of one mutant.
type result struct {
	mutant mutant
	test   string // the first that failed
	took   time.Duration
	err    error // tests passed, or the mutant could not be tried
}

// tryAll tries the mutants of the package in dir, in the order of their list. It
// fails when the list is malformed or the tests fail without a mutant.
func tryAll(ctx context.Context, dir string) ([]result, error) {
	list, err := os.Open(filepath.Join(dir, listFile))
	if err != nil {
		return nil, err
	}
	defer list.Close()
	mutants, err := parse(list)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", listFile, err)
	}
	temp, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	if test, err := runTests(ctx, dir, temp, nil); err != nil {
		return nil, err
	} else if test != "" {
		return nil, fmt.Errorf("%s fails without a mutant", test)
	}
	results := make([]result, len(mutants))
	slots := make(chan struct{}, workers)
	var group sync.WaitGroup
	for i, m := range mutants {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			start := time.Now()
			test, err := m.try(ctx, dir, filepath.Join(temp, fmt.Sprint(i)))
			results[i] = result{m, test, time.Since(start), err}
		})
	}
	group.Wait()
	return results, nil
}

// try runs the tests of the package in dir with m in place and returns the name of
// the first that failed. It keeps its files in temp, which it makes and removes.
func (m mutant) try(ctx context.Context, dir, temp string) (string, error) {
	file, err := filepath.Abs(filepath.Join(dir, m.file))
	if err != nil {
		return "", err
	}
	source, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	changed, err := m.apply(string(source))
	if err != nil {
		return "", err
	}
	if err := os.Mkdir(temp, 0o700); err != nil {
		return "", err
	}
	defer os.RemoveAll(temp)
	replacement := filepath.Join(temp, "mutant.go")
	if err := os.WriteFile(replacement, []byte(changed), 0o600); err != nil {
		return "", err
	}
	test, err := runTests(ctx, dir, temp, map[string]string{file: replacement})
	if err == nil && test == "" {
		err = errors.New("the tests pass")
	}
	return test, err
}

// failure matches the line of a test that failed, or of a test that panicked.
var failure = regexp.MustCompile(`(?m)^(?:--- FAIL: |panic: |fatal error: )(.*?)(?: \(\d+\.\d+s\))?$`)

// runTests builds and runs the tests of the package in dir with some of its files
// replaced. It returns the first test that failed, "" when all pass, and an error
// when they cannot be built. The build cache has all but the changed package.
func runTests(ctx context.Context, dir, temp string, replaced map[string]string) (string, error) {
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return "", err
	}
	overlayFile, binary := filepath.Join(temp, "overlay.json"), filepath.Join(temp, "tests")
	if err := os.WriteFile(overlayFile, overlay, 0o600); err != nil {
		return "", err
	}
	build := exec.CommandContext(ctx, "go", "test", "-c", "-overlay="+overlayFile, "-ldflags=-s -w", "-o="+binary, ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("does not compile: %w\n%s", err, out)
	}
	if _, err := os.Stat(binary); err != nil {
		return "", errors.New("the package has no tests")
	}
	tests := exec.CommandContext(ctx, binary, "-test.failfast", "-test.timeout="+timeout)
	tests.Dir = dir
	out, err := tests.CombinedOutput()
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		if line := failure.FindSubmatch(out); line != nil {
			return string(line[1]), nil
		}
		return fmt.Sprintf("%v: %s", exit, bytes.TrimSpace(out)), nil
	}
	return "", err
}
