package rest

import (
	"fmt"
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
)

// directives are what documents say to this package alone; the executor never
// sees them.
const directives = `
directive @endpoint(method: RestMethod!, path: String!) repeatable on QUERY | MUTATION | SUBSCRIPTION
directive @param(name: String!) on VARIABLE_DEFINITION
directive @header(name: String!) on FIELD
directive @file on FIELD
directive @body(nullable: Boolean = false) on FIELD
directive @deprecated(reason: String!) on QUERY | MUTATION | VARIABLE_DEFINITION | FIELD
enum RestMethod { GET POST PUT PATCH DELETE }
`

var ownDirectives = []string{"endpoint", "param", "header", "body", "file", deprecated}

// deprecated is GraphQL's own directive, which has no place in documents but for this package.
const deprecated = "deprecated"

// extend returns a copy of schema that knows the directives of documents. It has the
// definitions of schema themselves.
func extend(schema *ast.Schema) (*ast.Schema, error) {
	doc, err := parser.ParseSchema(&ast.Source{Name: "directives", Input: directives})
	if err != nil {
		return nil, err
	}
	known := *schema
	known.Types, known.Directives = maps.Clone(schema.Types), maps.Clone(schema.Directives)
	for _, d := range doc.Directives {
		if known.Directives[d.Name] != nil && d.Name != deprecated {
			return nil, fmt.Errorf("the schema has a directive @%s of its own", d.Name)
		}
		known.Directives[d.Name] = d
	}
	for _, t := range doc.Definitions {
		if known.Types[t.Name] != nil {
			return nil, fmt.Errorf("the schema has a type %s of its own", t.Name)
		}
		known.Types[t.Name] = t
	}
	return &known, nil
}

// strip removes the directives of documents, so that plain GraphQL is left.
func strip(doc *ast.QueryDocument) {
	for _, op := range doc.Operations {
		op.Directives = foreign(op.Directives)
		for _, v := range op.VariableDefinitions {
			v.Directives = foreign(v.Directives)
		}
		stripFields(op.SelectionSet)
	}
	for _, f := range doc.Fragments {
		stripFields(f.SelectionSet)
	}
}

func stripFields(set ast.SelectionSet) {
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			s.Directives = foreign(s.Directives)
			stripFields(s.SelectionSet)
		case *ast.InlineFragment:
			stripFields(s.SelectionSet)
		}
	}
}

func foreign(list ast.DirectiveList) ast.DirectiveList {
	return slices.DeleteFunc(list, func(d *ast.Directive) bool {
		return slices.Contains(ownDirectives, d.Name)
	})
}

// fields yields the fields of a selection set, those in fragments too. It ends
// only for documents without fragment cycles.
func fields(set ast.SelectionSet, yield func(f *ast.Field, conditional bool)) {
	walkFields(set, false, yield)
}

func walkFields(set ast.SelectionSet, conditional bool, yield func(*ast.Field, bool)) {
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			yield(s, conditional || depends(s.Directives))
		case *ast.InlineFragment:
			walkFields(s.SelectionSet, conditional || depends(s.Directives) || narrows(s.TypeCondition, s.ObjectDefinition), yield)
		case *ast.FragmentSpread:
			walkFields(s.Definition.SelectionSet, conditional || depends(s.Directives) || narrows(s.Definition.TypeCondition, s.ObjectDefinition), yield)
		}
	}
}

// depends reports whether directives may leave a selection out.
func depends(list ast.DirectiveList) bool {
	return list.ForName("skip") != nil || list.ForName("include") != nil
}

// narrows reports whether a fragment on a type may not apply to parent.
func narrows(condition string, parent *ast.Definition) bool {
	return condition != "" && parent != nil && condition != parent.Name
}
