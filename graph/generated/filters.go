package generated

import (
	"reflect"
	"strings"

	"github.com/99designs/gqlgen/graphql"
)

// filterUnmarshalers returns the functions that read input types, which ent looks up for the
// where argument of lists; of operations without one, none. Building the map took a twentieth of a
// small request. make generate has Exec call it in place of graphql.BuildUnmarshalerMap.
func filterUnmarshalers(op *graphql.OperationContext, all func() []any) map[reflect.Type]reflect.Value {
	if !strings.Contains(op.RawQuery, "where") {
		return nil
	}
	return graphql.BuildUnmarshalerMap(all()...)
}
