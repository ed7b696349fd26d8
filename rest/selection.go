package rest

import (
	"slices"

	"github.com/vektah/gqlparser/v2/ast"
)

// A slot is one response key on the way to the body or to a header.
type slot struct {
	key      string
	list     bool   // its value is a list
	header   string // the header that its value becomes
	body     bool   // its value is the body
	file     bool   // its value is a link to the file that is the body
	slots    []*slot
	field    *ast.Field
	set      ast.SelectionSet // of all occurrences of the key
	optional bool             // may be left out
	last     bool             // no other key comes after it
}

// A selector finds the body and the headers in a selection.
type selector struct {
	*compiler
	op      *document
	bodies  int
	headers map[string]bool
}

// selection determines which fields of an operation become its response.
func (c *compiler) selection(op *document) {
	s := selector{compiler: c, op: op, headers: map[string]bool{}}
	roots := s.slots(op.def.SelectionSet, 0)
	if s.bodies == 0 {
		s.implicit(roots)
	}
	op.response = &slot{slots: pruned(roots)}
}

// implicit makes the only root field the body.
func (s *selector) implicit(roots []*slot) {
	roots = slices.DeleteFunc(slices.Clone(roots), func(r *slot) bool { return r.header != "" })
	switch len(roots) {
	case 0:
		s.problems.add(s.op.def.Position, "no field is left for the body")
	case 1:
		roots[0].body = true
	default:
		s.problems.add(roots[1].field.Position, "there are several root fields: mark the body with @body")
	}
}

// slots returns a slot for each response key of a selection that lies within
// so many lists.
func (s *selector) slots(set ast.SelectionSet, lists int) []*slot {
	list := keys(set)
	fields(set, func(f *ast.Field, _ bool) { s.mark(list[index(list, f.Alias)], f, lists) })
	for _, found := range list {
		found.slots = s.slots(found.set, lists+depth(found.field.Definition.Type))
	}
	return list
}

// keys returns the response keys of a selection, in order. One is marked as the
// last if all occurrences of the others come before its own, so that it comes
// last in the data whatever is left out.
func keys(set ast.SelectionSet) (list []*slot) {
	last := -1
	fields(set, func(f *ast.Field, optional bool) {
		i := index(list, f.Alias)
		if i < 0 {
			i = len(list)
			list = append(list, &slot{key: f.Alias, field: f, list: f.Definition.Type.Elem != nil, optional: optional})
			last = i
		}
		if i != last {
			last = -1
		}
		list[i].set = append(list[i].set, f.SelectionSet...)
		list[i].optional = list[i].optional && optional
	})
	if last >= 0 {
		list[last].last = true
	}
	return list
}

func index(list []*slot, key string) int {
	return slices.IndexFunc(list, func(s *slot) bool { return s.key == key })
}

// mark applies the directives of one field.
func (s *selector) mark(to *slot, f *ast.Field, lists int) {
	header, body := f.Directives.ForName("header"), f.Directives.ForName("body")
	nullable := body != nil && s.text(body, "nullable") == "true"
	if header != nil {
		to.header = s.header(header, f, lists)
	}
	if file := f.Directives.ForName("file"); file != nil {
		if lists > 0 || len(f.SelectionSet) > 0 || f.Definition.Type.Name() != "String" {
			s.problems.add(file.Position, "@file is for a link outside of lists; %s is %s", f.Name, f.Definition.Type)
		}
		to.file, s.op.file, body = true, true, file
	}
	if body == nil {
		return
	}
	if s.bodies++; s.bodies > 1 {
		s.problems.add(body.Position, "@body is there more than once")
	}
	if header != nil {
		s.problems.add(body.Position, "a field cannot be both body and header")
	}
	if lists > 1 {
		s.problems.add(body.Position, "@body cannot be inside a list of lists")
	}
	to.body, s.op.nullable = true, nullable && !to.file
}

func (s *selector) header(d *ast.Directive, f *ast.Field, lists int) string {
	name := s.text(d, "name")
	switch {
	case !goodHeader.MatchString(name):
		s.problems.add(d.Position, "%q cannot be the name of a header", name)
	case s.headers[name]:
		s.problems.add(d.Position, "the header %s is there more than once", name)
	case lists > 0:
		s.problems.add(d.Position, "@header cannot be inside a list")
	case len(f.SelectionSet) > 0 || f.Definition.Type.Elem != nil:
		s.problems.add(d.Position, "@header is for single values; %s is %s", f.Name, f.Definition.Type)
	}
	s.headers[name] = true
	return name
}

// depth counts the lists in a type.
func depth(t *ast.Type) int {
	if t.Elem == nil {
		return 0
	}
	return 1 + depth(t.Elem)
}

// pruned keeps the slots that lead to the body or to a header.
func pruned(list []*slot) []*slot {
	return slices.DeleteFunc(list, func(s *slot) bool {
		s.slots = pruned(s.slots)
		return s.header == "" && !s.body && len(s.slots) == 0
	})
}

// find returns the body's slot in s and whether a list holds it.
func (s *slot) find() (body *slot, inList bool) {
	if s.body {
		return s, false
	}
	for _, child := range s.slots {
		if body, inList = child.find(); body != nil {
			return body, inList || s.list
		}
	}
	return nil, false
}
