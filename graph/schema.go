package graph

import (
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"workforce/graph/generated"
	"workforce/internal/errs"
	"workforce/internal/face"
	"workforce/internal/scalar"
	"workforce/internal/variables"
)

// Schema returns the executable schema.
func (r *Resolver) Schema() graphql.ExecutableSchema {
	return generated.NewExecutableSchema(generated.Config{Resolvers: r})
}

// InputTypes returns the types of a schema with the checks of its scalars. Values of
// other scalars are checked by the use cases, together with the other members.
func InputTypes(schema *ast.Schema) *variables.Types {
	return variables.NewTypes(schema, variables.Options{
		Scalars: map[string]func(any) error{
			"Time":       func(v any) error { _, err := scalar.ReadTime(v); return err },
			"Date":       func(v any) error { _, err := scalar.UnmarshalDate(v); return err },
			"DateOrTime": func(v any) error { return new(scalar.DateOrTime).UnmarshalGQL(v) },
		},
		Readers: map[string]func([]byte) (any, bool){
			"[FacePointInput]":     func(json []byte) (any, bool) { return scalar.ReadLandmarks(json) },
			"CoordinatePointInput": func(json []byte) (any, bool) { return map[string]any{}, json[0] != '{' },
			"Reading":              func(json []byte) (any, bool) { return "", strings.IndexByte("tf[{", json[0]) >= 0 },
		},
		Lists: map[string]variables.List{
			"FacePointInput": {Most: face.MaxPoints, Fault: errs.Fault{Code: errs.FaceInvalid, Meta: errs.Meta{"reason": face.Count}}},
		},
	})
}
