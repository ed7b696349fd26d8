package compat

import (
	"bytes"
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
	version := []byte(`"version": "1.`)
	if !bytes.Contains(before.openAPI, version) {
		t.Fatal("the release is not version 1: so is this test")
	}
	raised := broken
	raised.openAPI = bytes.Replace(broken.openAPI, version, []byte(`"version": "2.`), 1)
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
		{"declared without a new version", broken, because, []string{"a break needs version 2 of the API"}},
		{"declared without a reason", raised, strings.Join(all, "\n"), []string{"declared without a reason: GET /company: "}},
		{"declared and mended", same, because, []string{"a break needs version 2 of the API", "declared, and no break: GET /company: "}},
	} {
		found, err := tt.now.problems(before, tt.text)
		if err != nil || !slices.EqualFunc(found, tt.want, strings.HasPrefix) {
			t.Errorf("%s: found %q, %v, want %q", tt.name, found, err, tt.want)
		}
	}
}
