package internal_test

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"testing"
)

// contextValues lists the packages that keep a value in contexts, each one kind, with what it is.
// A context carries what belongs to a request or an operation and no signature can pass on; there
// are ten kinds at most.
var contextValues = map[string]string{
	"internal/app/auth/credential": "what was found out about the tokens of a request",
	"internal/app/live":            "the row that a subscription shows",
	"internal/app/tx":              "the work of a mutation that waits for the end of its transaction",
	"internal/audittrail":          "to whom changes are attributed",
	"internal/database":            "how statements are sent and counted",
	"internal/operation":           "the operation that is prepared or answered",
	"internal/request":             "the facts of a request",
	"internal/sqlplan":             "the plan of a root field",
	"internal/viewer":              "who sees and changes rows",
	"graph/connection":             "what the fields below a root field share",
}

// TestContextValues refuses a kind of context value that is not listed.
func TestContextValues(t *testing.T) {
	keys := map[string][]string{}
	eachFile(t, func(path string, files *token.FileSet, file *ast.File, _ string) {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 3 {
				return true
			}
			f, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || f.Sel.Name != "WithValue" {
				return true
			}
			key, ok := call.Args[1].(*ast.CompositeLit)
			if !ok {
				t.Errorf("%s: the key of a context value is no type of its own", files.Position(call.Pos()))
				return true
			}
			pkg := filepath.ToSlash(filepath.Dir(path))
			if name := key.Type.(*ast.Ident).Name; !slices.Contains(keys[pkg], name) {
				keys[pkg] = append(keys[pkg], name)
			}
			return true
		})
	})
	if len(contextValues) > 10 {
		t.Errorf("%d kinds of context value", len(contextValues))
	}
	for pkg, names := range keys {
		if len(names) > 1 || contextValues[pkg] == "" {
			t.Errorf("%s has the context values %v, want one that contextValues lists", pkg, names)
		}
	}
	for pkg := range contextValues {
		if len(keys[pkg]) == 0 {
			t.Errorf("%s has no context value any more", pkg)
		}
	}
}
