package sqlplan

import (
	"context"
	"reflect"
	"slices"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/operation"
	"workforce/internal/rootfield"
)

// compiled is the compiled selection of a root field. It serves all requests with
// the same document.
type compiled struct {
	*Compiler
	field    graphql.CollectedField
	envelope *envelope // nil for other fields than lists and connections, and if gqlgen must answer
	guarded  bool      // it selects fields that only some viewers see
	writer   atomic.Pointer[typedWriter]
}

// A typedWriter writes results of one Go type. Without a writer, gqlgen writes them.
type typedWriter struct {
	reflect.Type
	write ValueWriter
}

// maxCachedBytes limits the cached selections by the size of their documents.
const maxCachedBytes = 1 << 20

// compiled returns the compiled selection of a field, from the cache if possible.
func (c *Compiler) compiled(oc *graphql.OperationContext, f graphql.CollectedField) *compiled {
	unmerged := len(f.Selections) == len(f.SelectionSet) // else the document selects the field in several places
	if known, ok := c.cache.Load(f.Field); ok && unmerged {
		return known.(*compiled)
	}
	out := &compiled{Compiler: c, field: f, guarded: c.selectsGuarded(f)}
	if len(f.Deferrables) == 0 {
		out.envelope = c.compile(oc, f)
	}
	size := int64(len(f.Position.Src.Input))
	if !unmerged || size > maxCachedBytes/128 || dependsOnVariables(f.SelectionSet) {
		return out
	}
	if c.cachedBytes.Add(size) > maxCachedBytes { // mostly by documents that are sent only once
		c.cache.Clear()
		c.cachedBytes.Store(size)
	}
	c.cache.Store(f.Field, out)
	return out
}

// selectsGuarded reports whether a field selects one that only some viewers see.
func (c *Compiler) selectsGuarded(f graphql.CollectedField) bool {
	return slices.ContainsFunc(f.Selections, func(s ast.Selection) bool {
		return rootfield.Selects(ast.SelectionSet{s}, func(f *ast.Field) bool {
			return f.ObjectDefinition != nil && slices.Contains(c.guard.Fields[f.ObjectDefinition.Name], f.Name)
		})
	})
}

// dependsOnVariables reports whether a selection has a directive by which variables
// may leave fields out.
func dependsOnVariables(set ast.SelectionSet) bool {
	return slices.ContainsFunc(set, func(s ast.Selection) bool {
		switch s := s.(type) {
		case *ast.Field:
			return conditional(s.Directives) || dependsOnVariables(s.SelectionSet)
		case *ast.InlineFragment:
			return conditional(s.Directives) || dependsOnVariables(s.SelectionSet)
		case *ast.FragmentSpread:
			return conditional(s.Directives) || dependsOnVariables(s.Definition.SelectionSet)
		}
		return true
	})
}

func conditional(list ast.DirectiveList) bool {
	return slices.ContainsFunc(list, func(d *ast.Directive) bool {
		return d.Name == "skip" || d.Name == "include" || d.Name == "defer"
	})
}

// writeValue writes the result of a resolver as the answer of its field. It returns
// false if gqlgen must write it.
func (c *compiled) writeValue(ctx context.Context, p *Plan, res any) bool {
	v := reflect.ValueOf(res)
	if !v.IsValid() || len(c.field.Deferrables) > 0 {
		return false
	}
	w := c.writer.Load()
	if w == nil || w.Type != v.Type() {
		w = &typedWriter{Type: v.Type()}
		if write, ok := c.valueWriter(graphql.GetOperationContext(ctx), c.field, c.field.Definition.Type, w.Type); ok {
			w.write = write
		}
		c.writer.Store(w)
	}
	if w.write == nil {
		return false
	}
	text := newText()
	ok := false
	if *text, ok = w.write(*text, v); !ok {
		operation.Free(text)
		return false
	}
	p.text = text
	return true
}
