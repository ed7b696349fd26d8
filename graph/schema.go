package graph

import (
	"github.com/99designs/gqlgen/graphql"

	"workforce/graph/generated"
	"workforce/internal/scalar"
)

// Schema returns the executable schema.
func (r *Resolver) Schema() graphql.ExecutableSchema {
	return generated.NewExecutableSchema(generated.Config{Resolvers: r})
}

// Scalars check values of the schema's own scalars before an operation runs. Other
// values are checked by the use cases, together with the other members.
func Scalars() map[string]func(any) error {
	return map[string]func(any) error{
		"Time": func(v any) error { _, err := scalar.UnmarshalTime(v); return err },
		"Date": func(v any) error { _, err := scalar.UnmarshalDate(v); return err },
	}
}
