package generated

import (
	"sync"

	"github.com/vektah/gqlparser/v2/ast"
)

// whenNeeded returns a function that parses the schema when it is first called: a command reads
// its arguments and opens the database meanwhile, and does not wait where it needs none. make
// generate puts it in the place of a variable.
func whenNeeded(parse func(...*ast.Source) *ast.Schema, sources ...*ast.Source) func() *ast.Schema {
	return sync.OnceValue(func() *ast.Schema { return parse(sources...) })
}
