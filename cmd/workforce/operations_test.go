package main

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/apitest"
)

var update = flag.Bool("update", false, "write docs/openapi.json and docs/schema.graphql anew")

// TestOpenAPI holds the document that is published to what the command prints,
// and to the OpenAPI specification.
func TestOpenAPI(t *testing.T) {
	if _, err := apitest.OpenAPI(published(t, "openapi", "docs/openapi.json")); err != nil {
		t.Error(err)
	}
}

// TestSchema does the same for the GraphQL schema, which says nothing of Go.
func TestSchema(t *testing.T) {
	text := published(t, "schema", "docs/schema.graphql")
	schema, err := gqlparser.LoadSchema(&ast.Source{Input: string(text)})
	if err != nil {
		t.Fatal(err)
	}
	if schema.Query.Fields.ForName("viewer") == nil || bytes.Contains(text, []byte("@go")) {
		t.Errorf("docs/schema.graphql has no viewer, or directives of gqlgen")
	}
}

// TestPostman does the same for the collection.
func TestPostman(t *testing.T) {
	if text := published(t, "openapi --postman", "docs/postman.json"); !bytes.Contains(text, []byte("/attendance/clockIn")) {
		t.Error("the collection clocks nobody in")
	}
}

// published returns what a command prints, which a file of the repository has too.
func published(t *testing.T, command, file string) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := run(t.Context(), strings.Fields(command), streams{nil, &out, os.Stderr}); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("../../"+file, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("../../" + file)
	if err != nil || !bytes.Equal(out.Bytes(), want) {
		t.Errorf("%s is stale (%v): run make generate and look at what changed", file, err)
	}
	return out.Bytes()
}
