package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fixture is a module with a package whose mutants have every outcome.
const fixture = "testdata/fixture"

func TestTryAll(t *testing.T) {
	tests := []struct{ name, test, err string }{
		{"at 18 nobody is an adult", "TestAdult", ""},
		{"a negative age panics", "TestAdult", ""},
		{"a negative age is an adult", "", "the tests pass"},
		{"no age", "", "undefined: years"},
		{"gone", "", `"age >= 21" is in the file 0 times`},
		{"twice", "", `"return" is in the file 2 times`},
		{"nowhere", "", "no such file"},
	}
	results, err := tryAll(t.Context(), fixture)
	if err != nil {
		t.Fatal(err)
	}
	if len(results) != len(tests) {
		t.Fatalf("%d results, want %d", len(results), len(tests))
	}
	for i, tt := range tests {
		r := results[i]
		if r.mutant.name != tt.name || !strings.HasPrefix(r.test, tt.test) || (r.test == "") != (tt.test == "") {
			t.Errorf("%q: noticed by %q, want %q by %q", r.mutant.name, r.test, tt.name, tt.test)
		}
		if (r.err == nil) != (tt.err == "") || r.err != nil && !strings.Contains(r.err.Error(), tt.err) {
			t.Errorf("%s: got error %v, want %q", tt.name, r.err, tt.err)
		}
	}
}

func TestRun(t *testing.T) {
	var out strings.Builder
	err := run(t.Context(), &out, []string{fixture})
	if err == nil || err.Error() != "5 of 7 mutants failed" {
		t.Errorf("got %v", err)
	}
	for _, want := range []string{
		"  noticed adult.go: at 18 nobody is an adult: by TestAdult in ",
		"  FAILED  adult.go: a negative age is an adult: the tests pass\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in the output:\n%s", want, &out)
		}
	}
	if err := run(t.Context(), &out, []string{t.TempDir()}); err == nil {
		t.Error("a folder without mutants is no error")
	}
}

// TestTestsThatFail checks that mutants are not tried where tests fail anyway.
func TestTestsThatFail(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(fixture)); err != nil {
		t.Fatal(err)
	}
	rule := []byte("package fixture\n\nfunc Adult(age int) bool { return age >= 21 }\n")
	if err := os.WriteFile(filepath.Join(dir, "adult.go"), rule, 0o600); err != nil {
		t.Fatal(err)
	}
	if results, err := tryAll(t.Context(), dir); err == nil || err.Error() != "TestAdult fails without a mutant" {
		t.Errorf("got %v, %v", results, err)
	}
}

func TestParse(t *testing.T) {
	tests := []struct {
		name, list string
		want       []mutant
		err        string
	}{
		{"several lines", "name: a b\nfile: x.go\n-one\n-\n- two\n+three\n", []mutant{{"a b", "x.go", "one\n\n two", "three"}}, ""},
		{"nothing instead", "# why\nname: a\nfile: x.go\n-one\n\nname: b\nfile: y.go\n-two\n+\t2: \n",
			[]mutant{{"a", "x.go", "one", ""}, {"b", "y.go", "two", "\t2: "}}, ""},
		{"empty", "# nothing\n", nil, "no mutants"},
		{"no name", "file: x.go\n", nil, "line 1: want name: first"},
		{"no file", "name: a\n-one\n+two\n", nil, `mutant "a" needs`},
		{"no old text", "name: a\nfile: x.go\n+two\nname: b\n", nil, `mutant "a" needs`},
		{"no change", "name: a\nfile: x.go\n-one\n+one\n", nil, "changes nothing"},
		{"other text", "name: a\nfiles: x.go\n", nil, "line 2: want name:"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parse(strings.NewReader(tt.list))
			if !slices.Equal(got, tt.want) || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("got %q, %v; want %q, %q", got, err, tt.want, tt.err)
			}
		})
	}
}

// TestLists finds rules that are written otherwise than the lists have them.
func TestLists(t *testing.T) {
	for _, root := range []string{"..", "../../ent/enttests"} {
		folders, err := find(root)
		if err != nil || len(folders) == 0 {
			t.Fatal(folders, err)
		}
		for _, folder := range folders {
			f, err := os.Open(filepath.Join(folder, listFile))
			if err != nil {
				t.Fatal(err)
			}
			list, err := parse(f)
			if err != nil {
				t.Errorf("%s: %v", folder, err)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			for _, m := range list {
				source, err := os.ReadFile(filepath.Join(folder, m.file))
				if err == nil {
					_, err = m.apply(string(source))
				}
				if err != nil {
					t.Errorf("%s: %v: %v", folder, m, err)
				}
			}
		}
	}
}
