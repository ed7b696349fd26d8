package main

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"workforce/internal/apitest"
)

var update = flag.Bool("update", false, "write docs/openapi.json anew")

// TestOpenAPI holds the document that is published to what the command prints,
// and to the OpenAPI specification.
func TestOpenAPI(t *testing.T) {
	const file = "../../docs/openapi.json"
	var out bytes.Buffer
	if err := run(t.Context(), []string{"openapi"}, streams{nil, &out, os.Stderr}); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(out.Bytes(), want) {
		t.Errorf("docs/openapi.json is stale (%v): run make generate and look at what changed", err)
	}
	if _, err := apitest.OpenAPI(out.Bytes()); err != nil {
		t.Error(err)
	}
}
