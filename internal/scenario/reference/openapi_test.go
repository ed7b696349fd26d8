package reference

import (
	"regexp"
	"testing"
)

var warned = regexp.MustCompile(`(?i)\b[1-9][0-9]* (warning|error)`)

// TestLint holds that openapi.json is valid, and has nothing that Redocly's recommended rules
// warn of.
func TestLint(t *testing.T) {
	out, err := run(t, "redocly", "lint", absolute(t, "openapi.json"), "--max-problems=20", "--format=stylish")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if warned.MatchString(out) {
		t.Error(out)
	}
}

// TestGenerators makes typed clients by three generators, and compiles them strictly with a
// program that uses the names of the document in all of them.
func TestGenerators(t *testing.T) {
	document := absolute(t, "openapi.json")
	for _, args := range [][]string{
		{"openapi-typescript", document, "-o", "made/openapi-typescript.ts"},
		{"openapi-ts", "-i", document, "-o", "made/hey-api"},
		{"swagger-typescript-api", "generate", "-p", document, "-o", "made/swagger-typescript-api", "-n", "api.ts", "--generate-union-enums"},
		{"tsc", "-p", "tsconfig.json"},
	} {
		if out, err := run(t, args[0], args[1:]...); err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
	}
}
