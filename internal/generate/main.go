// Command generate patches the code that ent and gqlgen have generated. It ends with an
// error that names the pattern when it finds nothing to patch.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"golang.org/x/tools/imports"
)

// A patch replaces what matches a pattern.
type patch struct {
	files   string // a pattern of paths, as of filepath.Glob
	pattern *regexp.Regexp
	text    string // in the place of each match; $1 is its first group
	none    bool   // finding nothing is right
}

const root = "graph/generated/root_.generated.go"

// patches are those of each generator, in order.
var patches = map[string][]patch{
	"ent": {
		// The original is the generator: it brings a tenth of the binary's size and start.
		{files: "ent/gql_*.go", pattern: regexp.MustCompile(`"entgo.io/contrib/entgql"`), text: `"workforce/ent/entgql"`},
	},
	"gqlgen": {
		// The functions that read inputs are made once for each operation, not once for each
		// request: a twentieth of a small one.
		{
			files:   root,
			pattern: regexp.MustCompile(`inputUnmarshalMap := graphql\.BuildUnmarshalerMap\(((?s:.*?))\n\t\)\n`),
			text:    "inputUnmarshalMap := filterUnmarshalers(opCtx, func() []any {\n\t\treturn []any{$1\n\t}})\n",
		},
		// The schema is parsed when it is first used: most commands never do.
		{
			files:   root,
			pattern: regexp.MustCompile(`gqlparser\.MustLoadSchema\(sources\.\.\.\)`),
			text:    `whenNeeded(gqlparser.MustLoadSchema, sources...)`,
		},
		{files: root, pattern: regexp.MustCompile(`return parsedSchema\n`), text: "return parsedSchema()\n"},
		{files: root, pattern: regexp.MustCompile(`(?m)^(\s*)parsedSchema,$`), text: "${1}parsedSchema(),"},
		// A stub needs no import, which whoever writes its body would have to remove.
		{
			files:   "graph/*.resolvers.go",
			pattern: regexp.MustCompile(`panic\(fmt\.Errorf\(("not implemented: .*")\)\)`), text: `panic($1)`, none: true,
		},
	},
}

func main() {
	if len(os.Args) != 2 || patches[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: generate ent | gqlgen")
		os.Exit(2)
	}
	for _, p := range patches[os.Args[1]] {
		if err := p.apply(); err != nil {
			fmt.Fprintln(os.Stderr, "generate:", err)
			os.Exit(1)
		}
	}
}

// apply patches the files, and formats those that it changes.
func (p patch) apply() error {
	paths, err := filepath.Glob(p.files)
	if err != nil {
		return err
	}
	found := p.none
	for _, path := range paths {
		old, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text := p.pattern.ReplaceAll(old, []byte(p.text))
		if bytes.Equal(text, old) {
			continue
		}
		found = true
		if text, err = imports.Process(path, text, nil); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	if !found {
		return fmt.Errorf("nothing in %s matches %s", p.files, p.pattern)
	}
	return nil
}
