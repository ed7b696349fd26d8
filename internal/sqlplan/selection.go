package sqlplan

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// idsOnly returns a context in which ent loads only the ids of a connection's rows.
func (p *Plan) idsOnly(ctx context.Context) context.Context {
	field := func(name string, below ...ast.Selection) *ast.Field {
		return &ast.Field{Name: name, Alias: name, SelectionSet: below}
	}
	var set ast.SelectionSet
	for _, m := range p.members {
		switch m.name {
		case "totalCount", "pageInfo":
			set = append(set, field(m.name))
		case "edges":
			set = append(set, field(m.name, field("node", field("id"))))
		}
	}
	return withSelection(ctx, set)
}

// Merged returns a context in which ent loads everything that the current field, or
// a field below it, selects, including what several places of the document select
// under different aliases. By itself, ent looks for members of connections by name
// and keeps only one selection for each edge to one object.
func Merged(ctx context.Context, below ...string) context.Context {
	oc, set := graphql.GetOperationContext(ctx), graphql.GetFieldContext(ctx).Field.Selections
	for _, name := range below {
		var next ast.SelectionSet
		for _, f := range graphql.CollectFields(oc, set, nil) {
			if f.Name == name {
				next = append(next, f.Selections...)
			}
		}
		set = next
	}
	return withSelection(ctx, merged(oc, set))
}

func merged(oc *graphql.OperationContext, set ast.SelectionSet) ast.SelectionSet {
	var out ast.SelectionSet
	for _, c := range graphql.CollectFields(oc, set, nil) {
		f := *c.Field
		f.Directives, f.SelectionSet = nil, merged(oc, c.Selections)
		if f.Definition.Type.Elem == nil || f.Name == "edges" {
			f.Alias = f.Name
		}
		out = append(out, &f)
	}
	return out
}

// withSelection returns a context in which the current field has another selection.
// It has an operation context of its own: gqlgen caches fields by the address of
// their selection, and this selection may be freed before the operation ends.
func withSelection(ctx context.Context, set ast.SelectionSet) context.Context {
	oc := graphql.GetOperationContext(ctx)
	own := &graphql.OperationContext{
		Doc: oc.Doc, Operation: oc.Operation, OperationName: oc.OperationName, Variables: oc.Variables, Headers: oc.Headers,
	}
	f := graphql.GetFieldContext(ctx).Field
	f.Selections = set
	return graphql.WithFieldContext(graphql.WithOperationContext(ctx, own), &graphql.FieldContext{Field: f})
}
