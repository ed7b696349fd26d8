package generated

import (
	"sync"

	"github.com/vektah/gqlparser/v2/ast"
)

// whenNeeded returns a function that parses the schema when it is first called: commands that
// need none do not wait for it, and serve opens the database meanwhile. make generate puts it in
// the place of a variable.
func whenNeeded(parse func(...*ast.Source) *ast.Schema, sources ...*ast.Source) func() *ast.Schema {
	return sync.OnceValue(func() *ast.Schema { return parse(sources...) })
}
