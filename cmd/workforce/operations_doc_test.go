package main

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// TestOperationsDocument holds that docs/operations.md has a sentence about every flag
// of serve and about no other, and names every metric of ours and every warning.
func TestOperationsDocument(t *testing.T) {
	text, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	parser, err := kong.New(&cli{})
	if err != nil {
		t.Fatal(err)
	}
	var flags, described []string
	for _, command := range parser.Model.Children {
		if command.Name == "serve" {
			for _, flag := range command.Flags {
				flags = append(flags, "--"+flag.Name)
			}
		}
	}
	for _, row := range regexp.MustCompile("(?m)^\\| `(--[a-z-]+)` \\| (.{5,}) \\|$").FindAllStringSubmatch(string(text), -1) {
		described = append(described, row[1])
	}
	slices.Sort(flags)
	slices.Sort(described)
	if !reflect.DeepEqual(flags, described) || len(flags) < 25 {
		t.Errorf("flags of serve %q, described %q", flags, described)
	}
	for _, file := range []string{
		"server/metrics.go", "server/operations.go", "server/warnings.go", "middleware/address.go", "database/clock.go",
		"database/durations.go", "telemetry/collector.go",
		"certificate/authority.go", "server/certificates.go",
	} {
		source, err := os.ReadFile("../../internal/" + file)
		if err != nil {
			t.Fatal(err)
		}
		names := regexp.MustCompile(`"(workforce_\w+)"|WarnContext\(.*, "([^",:]+)`).FindAllStringSubmatch(string(source), -1)
		if len(names) == 0 {
			t.Errorf("%s has nothing to describe", file)
		}
		for _, name := range names {
			want := name[1] + name[2]
			if !strings.Contains(string(text), "`"+strings.TrimSpace(strings.SplitN(want, ", ", 2)[0])) {
				t.Errorf("docs/operations.md does not describe %q", want)
			}
		}
	}
}
