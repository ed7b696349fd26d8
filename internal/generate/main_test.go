package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestApply patches and formats the files that match, removes imports that are then unused,
// and fails, naming the pattern, where nothing matches.
func TestApply(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	stub := patches["gqlgen"][len(patches["gqlgen"])-1]
	stub.files = filepath.Base(stub.files)
	write("a.resolvers.go", "package graph\n\nimport \"fmt\"\n\n"+
		"func a() { panic(fmt.Errorf(\"not implemented: A - a\")) }\n")
	write("b.resolvers.go", "package graph\n\nimport   \"fmt\"\n\nfunc b() { fmt.Print() }\n")
	if err := stub.apply(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"a.resolvers.go": "package graph\n\nfunc a() { panic(\"not implemented: A - a\") }\n",
		"b.resolvers.go": "package graph\n\nimport   \"fmt\"\n\nfunc b() { fmt.Print() }\n", // left as it is
	} {
		if got, err := os.ReadFile(name); err != nil || string(got) != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, got, want)
		}
	}
	if err := stub.apply(); err != nil {
		t.Errorf("a second time: %v", err)
	}
	missing := patch{files: "*.go", pattern: regexp.MustCompile("no such code"), text: "x"}
	if err := missing.apply(); err == nil || !strings.Contains(err.Error(), "no such code") {
		t.Errorf("nothing to patch: %v, want an error that names the pattern", err)
	}
}
