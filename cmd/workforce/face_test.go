package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFaceCalibrate prints the report of synthetic captures and draws it.
func TestFaceCalibrate(t *testing.T) {
	const data = "../../internal/face/testdata/"
	drawing := filepath.Join(t.TempDir(), "report.svg")
	var out, errs bytes.Buffer
	if err := run(t.Context(), []string{"face", "calibrate", data + "captures.csv", "--svg", drawing}, streams{out: &out, err: &errs}); err != nil {
		t.Fatal(err)
	}
	for path, got := range map[string]func() ([]byte, error){
		data + "report.txt": func() ([]byte, error) { return out.Bytes(), nil },
		data + "report.svg": func() ([]byte, error) { return os.ReadFile(drawing) },
	} {
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := got(); err != nil || !bytes.Equal(text, want) {
			t.Errorf("%s: another, %v", path, err)
		}
	}
	file := filepath.Join(t.TempDir(), "captures.csv")
	if err := os.WriteFile(file, []byte("a,1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := run(t.Context(), []string{"face", "calibrate", file}, streams{out: &out, err: &errs})
	if err == nil || !strings.Contains(err.Error(), "record 1: ") {
		t.Errorf("a bad file: %v, want the record", err)
	}
}
