package sqlplan

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Lean returns a context in which ent loads no more of a connection's rows than
// their ids.
func (p *Plan) Lean(ctx context.Context) context.Context {
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
	return selecting(ctx, set)
}

// Merged returns a context in which ent loads all that the current field
// selects, or a field below it: what is selected in several places under
// different aliases too. Ent looks for the members of connections by their
// names, and keeps one selection for each edge that leads to one object.
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
	return selecting(ctx, merged(oc, set))
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

// selecting returns a context in which the current field has a selection of our
// making. It has an operation context of its own: gqlgen's remembers fields by
// the address of their selection, and ours may be gone before the operation is.
func selecting(ctx context.Context, set ast.SelectionSet) context.Context {
	oc := graphql.GetOperationContext(ctx)
	own := &graphql.OperationContext{
		Doc: oc.Doc, Operation: oc.Operation, OperationName: oc.OperationName, Variables: oc.Variables, Headers: oc.Headers,
	}
	f := graphql.GetFieldContext(ctx).Field
	f.Selections = set
	return graphql.WithFieldContext(graphql.WithOperationContext(ctx, own), &graphql.FieldContext{Field: f})
}
