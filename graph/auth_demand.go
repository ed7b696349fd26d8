package graph

import (
	"context"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/internal/token"
)

// rootFields returns the fields of an operation's own selection, those of
// fragments included, each fragment once.
func rootFields(set ast.SelectionSet) []*ast.Field {
	var fields []*ast.Field
	seen := map[string]bool{}
	var walk func(ast.SelectionSet)
	walk = func(set ast.SelectionSet) {
		for _, s := range set {
			switch s := s.(type) {
			case *ast.Field:
				fields = append(fields, s)
			case *ast.InlineFragment:
				walk(s.SelectionSet)
			case *ast.FragmentSpread:
				if !seen[s.Name] {
					seen[s.Name] = true
					walk(s.Definition.SelectionSet)
				}
			}
		}
	}
	walk(set)
	return fields
}

// A demand says which tokens a root field takes: the schema's @token.
type demand struct {
	kinds                  []token.Kind
	all, optional, expired bool
}

var kindNames = map[string]token.Kind{
	"ACCESS": token.Access, "REFRESH": token.Refresh, "USER": token.User, "DEVICE": token.Device,
}

// takes reads @token of a root field; without it, that is an access token. The
// schema's own fields (__typename, __schema) take none.
func takes(def *ast.FieldDefinition) demand {
	if def == nil || strings.HasPrefix(def.Name, "__") {
		return demand{}
	}
	d := def.Directives.ForName("token")
	if d == nil {
		return demand{kinds: []token.Kind{token.Access}}
	}
	flag := func(name string) bool {
		a := d.Arguments.ForName(name)
		return a != nil && a.Value.Raw == "true"
	}
	out := demand{all: flag("all"), optional: flag("optional"), expired: flag("expired")}
	for _, k := range d.Arguments.ForName("kinds").Value.Children {
		out.kinds = append(out.kinds, kindNames[k.Value.Raw])
	}
	return out
}

// admit runs an operation when the request has the tokens that its root fields
// take. It runs as a whole or not at all: there is no data without them.
func (r *Resolver) admit(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	oc := graphql.GetOperationContext(ctx)
	var denied gqlerror.List
	for _, f := range graphql.CollectFields(oc, oc.Operation.SelectionSet, []string{"Query", "Mutation"}) {
		if err := takes(f.Definition).check(ctx); err != nil {
			denied = append(denied, r.present(ctx, gqlerror.WrapPath(ast.Path{ast.PathName(f.Alias)}, err)))
		}
	}
	if len(denied) > 0 {
		return graphql.OneShot(&graphql.Response{Errors: denied})
	}
	return next(ctx)
}

// check returns nil where the request has what is needed, else the error of the
// token to blame: the first that does not count, a missing one last.
func (d demand) check(ctx context.Context) error {
	var bad []*claim
	for _, kind := range d.kinds {
		if c := claimOf(ctx, kind); !d.takes(c) {
			bad = append(bad, c)
		}
	}
	enough := len(bad) == 0 || !d.all && len(bad) < len(d.kinds)
	if enough || d.optional {
		return nil
	}
	for _, c := range bad {
		if c.reason != missing {
			return c.err()
		}
	}
	return bad[0].err()
}

// takes reports whether a token is good enough.
func (d demand) takes(c *claim) bool {
	return c.reason == valid || d.expired && c.kind == token.Access && c.reason == expired
}
