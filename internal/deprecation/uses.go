package deprecation

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// Uses finds what operations use that their schema marks @deprecated.
type Uses struct {
	schema *ast.Schema
	any    bool            // something is marked
	inputs map[string]bool // input objects and enums that are marked in part, or lead to one
}

// NewUses returns the finder of a schema.
func NewUses(schema *ast.Schema) Uses {
	u := Uses{schema: schema, inputs: map[string]bool{}}
	for _, def := range schema.Types {
		for _, v := range def.EnumValues {
			u.note(def, v.Directives)
		}
		for _, f := range def.Fields {
			u.note(def, f.Directives)
			for _, a := range f.Arguments {
				u.note(nil, a.Directives)
			}
		}
	}
	for more := u.any; more; { // until no input object leads to another
		more = false
		for _, def := range schema.Types {
			leads := func(f *ast.FieldDefinition) bool { return u.inputs[f.Type.Name()] }
			if def.Kind == ast.InputObject && !u.inputs[def.Name] && slices.ContainsFunc(def.Fields, leads) {
				u.inputs[def.Name], more = true, true
			}
		}
	}
	return u
}

// note notes a mark on a part of a type, or on an argument for nil.
func (u *Uses) note(def *ast.Definition, list ast.DirectiveList) {
	if list.ForName("deprecated") == nil {
		return
	}
	u.any = true
	if def != nil && (def.Kind == ast.InputObject || def.Kind == ast.Enum) {
		u.inputs[def.Name] = true
	}
}

// In reports whether values of some variables may use something.
func (u Uses) In(defs ast.VariableDefinitionList) bool {
	return slices.ContainsFunc(defs, func(v *ast.VariableDefinition) bool { return u.inputs[v.Type.Name()] })
}

// Document returns what a valid operation selects and writes out.
func (u Uses) Document(op *ast.OperationDefinition) (list Notices) {
	if !u.any {
		return nil
	}
	seen := map[string]bool{} // fragments
	var walk func(set ast.SelectionSet)
	walk = func(set ast.SelectionSet) {
		for _, s := range set {
			switch s := s.(type) {
			case *ast.Field:
				u.field(s, &list)
				walk(s.SelectionSet)
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
	walk(op.SelectionSet)
	return list
}

func (u Uses) field(f *ast.Field, list *Notices) {
	if f.Definition == nil || f.ObjectDefinition == nil {
		return
	}
	list.read(f.Definition.Directives, f.ObjectDefinition.Name, ".", f.Name)
	for _, arg := range f.Arguments {
		if def := f.Definition.Arguments.ForName(arg.Name); def != nil {
			list.read(def.Directives, f.ObjectDefinition.Name, ".", f.Name, "(", arg.Name, ":)")
			u.literal(arg.Value, list)
		}
	}
}

func (u Uses) literal(v *ast.Value, list *Notices) {
	if def := v.Definition; def != nil && v.Kind == ast.EnumValue {
		list.value(def, v.Raw)
	}
	for _, child := range v.Children {
		if v.Kind == ast.ObjectValue && v.Definition != nil {
			if f := v.Definition.Fields.ForName(child.Name); f != nil {
				list.read(f.Directives, v.Definition.Name, ".", f.Name)
			}
		}
		u.literal(child.Value, list)
	}
}

// Variables returns what is in the values of variables, as variables.Types.Read returns them.
func (u Uses) Variables(defs ast.VariableDefinitionList, values map[string]any) (list Notices) {
	for _, v := range defs {
		u.given(v.Type.Name(), values[v.Variable], &list)
	}
	return list
}

// given looks at a value of a type, or at a list of them.
func (u Uses) given(name string, value any, list *Notices) {
	if !u.inputs[name] {
		return
	}
	def := u.schema.Types[name]
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			u.given(name, item, list)
		}
	case string:
		list.value(def, value)
	case map[string]any:
		for _, f := range def.Fields {
			if member, ok := value[f.Name]; ok {
				list.read(f.Directives, name, ".", f.Name)
				u.given(f.Type.Name(), member, list)
			}
		}
	}
}

func (list *Notices) value(def *ast.Definition, name string) {
	if v := def.EnumValues.ForName(name); v != nil {
		list.read(v.Directives, def.Name, ".", name)
	}
}

// read adds the notice of a list about what some words together name. That its dates are good is
// for those to check who load it.
func (list *Notices) read(directives ast.DirectiveList, what ...string) {
	if directives.ForName("deprecated") == nil {
		return
	}
	n, _ := Read(directives, strings.Join(what, ""))
	list.Add(n)
}
