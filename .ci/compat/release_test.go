package compat

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestRelease compares the APIs of this tree with those of the last release.
func TestRelease(t *testing.T) {
	now := release{read(t, "../../docs/openapi.json"), read(t, "../../docs/schema.graphql")}
	before := release{read(t, "../../docs/release/openapi.json"), read(t, "../../docs/release/schema.graphql")}
	found, err := now.problems(before, string(read(t, "../../docs/release/breaks.txt")))
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range found {
		t.Errorf("%s (docs/versioning.md)", problem)
	}
}

// TestDeclared holds what is declared to the breaks that are there, and to the version.
func TestDeclared(t *testing.T) {
	before := release{read(t, "../../docs/release/openapi.json"), read(t, "../../docs/release/schema.graphql")}
	same := before
	broken := before
	broken.openAPI = bytes.Replace(before.openAPI, []byte(`"/company": {`), []byte(`"/firm": {`), 1)
	was, err := major(before.openAPI)
	if err != nil {
		t.Fatal(err)
	}
	version := func(n int) []byte { return fmt.Appendf(nil, `"version": "%d.`, n) }
	raised := broken
	raised.openAPI = bytes.Replace(broken.openAPI, version(was), version(was+1), 1)
	tooOld := fmt.Sprintf("a break needs version %d of the API", was+1)
	all, err := OpenAPIBreaks(before.openAPI, broken.openAPI)
	if err != nil || len(all) == 0 {
		t.Fatal(all, err)
	}
	because := strings.Join(all, "\n\tCompanies are firms.\n") + "\n\tCompanies are firms.\n"
	for _, tt := range []struct {
		name string
		now  release
		text string
		want []string // prefixes
	}{
		{"nothing", same, "# comment\n", nil},
		{"a break", broken, "", []string{"not declared: GET /company: "}},
		{"declared", raised, because, nil},
		{"declared without a new version", broken, because, []string{tooOld}},
		{"declared without a reason", raised, strings.Join(all, "\n"), []string{"declared without a reason: GET /company: "}},
		{"declared and mended", same, because, []string{tooOld, "declared, and no break: GET /company: "}},
	} {
		found, err := tt.now.problems(before, tt.text)
		if err != nil || !slices.EqualFunc(found, tt.want, strings.HasPrefix) {
			t.Errorf("%s: found %q, %v, want %q", tt.name, found, err, tt.want)
		}
	}
}
