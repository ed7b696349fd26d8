package sqlplan

import (
	"context"
	"reflect"
	"slices"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// compiled is what was found out about the selection of a root field, for every
// request with the same document.
type compiled struct {
	*Compiler
	field    graphql.CollectedField
	envelope *envelope // nil where it is no list or connection, or must be answered field by field
	writer   atomic.Pointer[typedWriter]
}

// A typedWriter writes what a resolver returned, if it is of a type. One without
// a writer leaves that to gqlgen.
type typedWriter struct {
	reflect.Type
	write ValueWriter
}

// mostKept bounds the selections that are remembered, by the bytes of the
// documents that they are of.
const mostKept = 1 << 20

// of returns what is known of a field's selection.
func (c *Compiler) of(oc *graphql.OperationContext, f graphql.CollectedField) *compiled {
	alone := len(f.Selections) == len(f.SelectionSet) // not merged with what another place selects of it
	if known, ok := c.known.Load(f.Field); ok && alone {
		return known.(*compiled)
	}
	out := &compiled{Compiler: c, field: f}
	if len(f.Deferrables) == 0 {
		out.envelope = c.compile(oc, f)
	}
	size := int64(len(f.Position.Src.Input))
	if !alone || size > mostKept/128 || varies(f.SelectionSet) {
		return out
	}
	if c.kept.Add(size) > mostKept { // of documents that came once
		c.known.Clear()
		c.kept.Store(size)
	}
	c.known.Store(f.Field, out)
	return out
}

// varies reports whether a variable may say what is left out of a selection.
func varies(set ast.SelectionSet) bool {
	return slices.ContainsFunc(set, func(s ast.Selection) bool {
		switch s := s.(type) {
		case *ast.Field:
			return conditional(s.Directives) || varies(s.SelectionSet)
		case *ast.InlineFragment:
			return conditional(s.Directives) || varies(s.SelectionSet)
		case *ast.FragmentSpread:
			return conditional(s.Directives) || varies(s.Definition.SelectionSet)
		}
		return true
	})
}

func conditional(list ast.DirectiveList) bool {
	return slices.ContainsFunc(list, func(d *ast.Directive) bool {
		return d.Name == "skip" || d.Name == "include" || d.Name == "defer"
	})
}

// answers makes what a resolver returned the answer to its field. It reports
// false where gqlgen must write it.
func (c *compiled) answers(ctx context.Context, p *Plan, res any) bool {
	v := reflect.ValueOf(res)
	if !v.IsValid() || len(c.field.Deferrables) > 0 {
		return false
	}
	w := c.writer.Load()
	if w == nil || w.Type != v.Type() {
		w = &typedWriter{Type: v.Type()}
		if write, ok := c.value(graphql.GetOperationContext(ctx), c.field, c.field.Definition.Type, w.Type); ok {
			w.write = write
		}
		c.writer.Store(w)
	}
	if w.write == nil {
		return false
	}
	text := buffers.Get().(*[]byte)
	ok := false
	if *text, ok = w.write((*text)[:0], v); !ok {
		buffers.Put(text)
		return false
	}
	p.text = text
	return true
}
