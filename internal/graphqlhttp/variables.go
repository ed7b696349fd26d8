package graphqlhttp

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"

	"workforce/internal/errs"
)

// maxFaults is how many faults of variables are listed.
const maxFaults = 100

// Types are those of an executor, for the reading of variables.
type Types struct {
	Schema *ast.Schema
	// Scalars judge values of the schema's own scalars, by name: with an
	// *errs.Error of one fault without a field. A scalar may be missing.
	Scalars map[string]func(any) error
}

// A reading lists all that is wrong with the variables of an operation, under
// the names of REST. The library stops at the first.
type reading struct {
	Types
	faults  errs.Faults
	missing []ast.Path // members marked @required, which resolvers would find
}

// faults returns those of an operation's variables.
func (t Types) faults(op *ast.OperationDefinition, values map[string]any) errs.Faults {
	r := reading{Types: t}
	needed := required(op)
	for _, v := range op.VariableDefinitions {
		if values[v.Variable] == nil && needed[v.Variable] {
			r.missing = append(r.missing, ast.Path{ast.PathName(v.Variable)})
		}
		if value, given := values[v.Variable]; given || v.DefaultValue == nil {
			r.value(ast.Path{rootName(op, v.Variable)}, v.Type, value)
		}
	}
	if len(r.faults) > 0 { // then no resolver will say what else is missing
		for _, path := range r.missing {
			r.add(path, errs.Required, nil)
		}
	}
	return r.faults
}

// required returns the variables of an operation that fill members of its input
// which are marked @required.
func required(op *ast.OperationDefinition) map[string]bool {
	found := map[string]bool{}
	for _, s := range op.SelectionSet {
		f, ok := s.(*ast.Field)
		if !ok {
			continue
		}
		for _, a := range f.Arguments {
			for _, member := range a.Value.Children {
				if member.Value.Kind != ast.Variable || a.Value.Definition == nil {
					continue
				}
				def := a.Value.Definition.Fields.ForName(member.Name)
				if def != nil && def.Directives.ForName("required") != nil {
					found[member.Value.Raw] = true
				}
			}
		}
	}
	return found
}

// rootName is the name of a variable in paths: input for that of a mutation,
// however the client calls it.
func rootName(op *ast.OperationDefinition, variable string) ast.PathName {
	for _, s := range op.SelectionSet {
		f, ok := s.(*ast.Field)
		if !ok {
			continue
		}
		if a := f.Arguments.ForName("input"); a != nil && a.Value.Kind == ast.Variable && a.Value.Raw == variable {
			return "input"
		}
	}
	return ast.PathName(variable)
}

// value notes what is wrong with one value and all below it.
func (r *reading) value(path ast.Path, t *ast.Type, v any) {
	if len(r.faults) >= maxFaults || v == nil && !t.NonNull {
		return
	}
	if v == nil {
		r.add(path, errs.Required, nil)
		return
	}
	list, isList := v.([]any)
	object, isObject := v.(map[string]any)
	switch def := r.Schema.Types[t.Name()]; {
	case t.Elem != nil && isList:
		for i, v := range list {
			r.value(below(path, ast.PathIndex(i)), t.Elem, v)
		}
	case t.Elem != nil: // one value stands for a list of it
		r.value(path, t.Elem, v)
	case def.Kind == ast.InputObject && isObject:
		r.object(path, def, object)
	case !r.readable(t, v):
		r.wrong(path, def, v)
	case def.Kind == ast.Scalar && !def.BuiltIn:
		r.scalar(path, def.Name, v)
	}
}

// scalar judges a value of one of the schema's own scalars, which are written as
// text or numbers.
func (r *reading) scalar(path ast.Path, name string, v any) {
	switch v.(type) {
	case string, json.Number:
	default:
		r.add(path, errs.WrongType, errs.Meta{"expected": "string"})
		return
	}
	check := r.Scalars[name]
	if check == nil {
		return
	}
	if err := check(v); errs.Is(err, errs.Invalid) {
		r.faults = append(r.faults, located(errs.As(err), inInput(path)).Faults...)
	}
}

func (r *reading) object(path ast.Path, def *ast.Definition, object map[string]any) {
	for _, f := range def.Fields {
		if object[f.Name] == nil && f.Directives.ForName("required") != nil {
			r.missing = append(r.missing, below(path, ast.PathName(f.Name)))
		}
		if v, given := object[f.Name]; given || f.DefaultValue == nil {
			r.value(below(path, ast.PathName(f.Name)), f.Type, v)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if def.Fields.ForName(name) == nil {
			r.add(below(path, ast.PathName(name)), errs.Unreadable, nil)
		}
	}
}

// readable asks the library about one value by itself.
func (r *reading) readable(t *ast.Type, v any) bool {
	one := &ast.VariableDefinition{Variable: "v", Type: t, Definition: r.Schema.Types[t.Name()]}
	op := &ast.OperationDefinition{VariableDefinitions: ast.VariableDefinitionList{one}}
	_, err := validator.VariableValues(r.Schema, op, map[string]any{"v": v})
	return err == nil
}

// expected names in JSON's words what the schema's own types are.
var expected = map[string]string{"Int": "integer", "Float": "number", "Boolean": "boolean"}

func (r *reading) wrong(path ast.Path, def *ast.Definition, v any) {
	_, isText := v.(string)
	switch _, isNumber := v.(json.Number); {
	case def.Kind == ast.InputObject:
		r.add(path, errs.WrongType, errs.Meta{"expected": "object"})
	case def.Kind == ast.Enum && isText:
		var allowed []string
		for _, v := range def.EnumValues {
			allowed = append(allowed, v.Name)
		}
		r.add(path, errs.NotOneOf, errs.Meta{"allowed": strings.Join(allowed, ", ")})
	case expected[def.Name] != "":
		r.add(path, errs.WrongType, errs.Meta{"expected": expected[def.Name]})
	case !isText && !isNumber:
		r.add(path, errs.WrongType, errs.Meta{"expected": "string"})
	default:
		r.add(path, errs.Unreadable, nil)
	}
}

func (r *reading) add(path ast.Path, reason errs.Reason, meta errs.Meta) {
	r.faults.Add(inInput(path).String(), reason, meta)
}

// below returns path with one element more, and leaves path as it is.
func below(path ast.Path, e ast.PathElement) ast.Path { return append(slices.Clip(path), e) }
