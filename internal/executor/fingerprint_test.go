package executor

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"workforce/internal/sealed"
)

func TestFingerprint(t *testing.T) {
	r := &Executor{Config: Config{RequestKey: sealed.NewRing(sealed.Key{}).Derive("requests")}}
	file := func(name, content string) graphql.Upload {
		return graphql.Upload{File: strings.NewReader(content), Filename: name, Size: int64(len(content)), ContentType: "text/plain"}
	}
	of := func(query, operation string, variables map[string]any) *graphql.OperationContext {
		return &graphql.OperationContext{RawQuery: query, OperationName: operation, Variables: variables}
	}
	first := func() *graphql.OperationContext {
		return of("mutation A{a}", "A", map[string]any{"n": 1, "in": map[string]any{"files": []any{file("a.txt", "one")}, "text": "x"}})
	}
	print := func(oc *graphql.OperationContext) []byte {
		t.Helper()
		sums, err := r.fingerprints(oc)
		if err != nil || len(sums) != 1 || len(sums[0]) != 32 {
			t.Fatalf("got %x, %v, want 32 bytes", sums, err)
		}
		return sums[0]
	}
	want := print(first())
	oc := first()
	for range 2 {
		if got := print(oc); !bytes.Equal(got, want) {
			t.Errorf("the same request: %x, then %x", want, got)
		}
	}
	kept := oc.Variables["in"].(map[string]any)["files"].([]any)[0].(graphql.Upload)
	if text, err := io.ReadAll(kept.File); err != nil || string(text) != "one" {
		t.Errorf("the file reads %q afterwards, %v", text, err)
	}
	in := func(files ...any) map[string]any {
		return map[string]any{"n": 1, "in": map[string]any{"files": files, "text": "x"}}
	}
	for name, other := range map[string]*graphql.OperationContext{
		"document":  of("mutation A{b}", "A", first().Variables),
		"operation": of("mutation A{a}", "B", first().Variables),
		"content":   of("mutation A{a}", "A", in(file("a.txt", "two"))),
		"file name": of("mutation A{a}", "A", in(file("b.txt", "one"))),
		"one more":  of("mutation A{a}", "A", in(file("a.txt", "one"), file("a.txt", "one"))),
		"no file":   of("mutation A{a}", "A", in()),
		"nothing":   of("mutation A{a}", "A", nil),
	} {
		if bytes.Equal(print(other), want) {
			t.Errorf("another %s has the same fingerprint", name)
		}
	}
	r.RequestKey = sealed.NewRing(sealed.New()).Derive("requests")
	if bytes.Equal(print(first()), want) {
		t.Error("the fingerprint depends on no key")
	}
}

// A torn file cannot be read.
type torn struct{ io.ReadSeeker }

var errTorn = errors.New("torn")

func (torn) Read([]byte) (int, error) { return 0, errTorn }

func TestFingerprintOfUnreadableFile(t *testing.T) {
	oc := &graphql.OperationContext{Variables: map[string]any{"files": []any{graphql.Upload{File: torn{}}}}}
	if sum, err := (&Executor{}).fingerprints(oc); !errors.Is(err, errTorn) {
		t.Errorf("got %x, %v, want the file's error", sum, err)
	}
}
