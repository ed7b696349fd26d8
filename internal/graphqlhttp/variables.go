package graphqlhttp

import (
	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/errs"
	"workforce/internal/variables"
)

// readVariables reads the variables of an operation, and the files that belong in them.
// The error is that of a body that cannot be read.
func (a *API) readVariables(op *ast.OperationDefinition, p *params) (values map[string]any, faults errs.Faults, err error) {
	text, list := p.variables, variablesOf(op)
	if !a.Types.Fits(p.size, text, MaxValues, list) {
		return nil, nil, Refuse(errs.PayloadTooLarge, errs.Meta{"maxDepth": variables.MaxDepth, "maxValues": MaxValues},
			"The variables hold too many values, or are nested too deep.")
	}
	var object variables.Object
	if len(op.VariableDefinitions) > 0 && len(text) > 0 {
		object = variables.SplitObject(text)
	}
	var files map[string]map[string]graphql.Upload
	if p.uploads != nil {
		if files, err = p.uploads.read(); err != nil {
			return nil, nil, err
		}
	}
	values, faults = a.Types.Read(variables.GraphQL, list, func(v *variables.Variable) (variables.Input, bool) {
		m, given := object.Find(v.Variable)
		return variables.Input{JSON: m.Value, Uploads: files[v.Variable]}, given
	})
	return values, faults, nil
}

// variablesOf returns the variables of an operation. That of a mutation's input
// is called input in faults, whatever the client calls it, and its members are
// named as in REST, where there is no input around them.
func variablesOf(op *ast.OperationDefinition) []variables.Variable {
	if len(op.VariableDefinitions) == 0 {
		return nil
	}
	list := make([]variables.Variable, len(op.VariableDefinitions))
	for i, v := range op.VariableDefinitions {
		list[i] = variables.Variable{VariableDefinition: v, Field: v.Variable, Hidden: v.Variable == inputName}
	}
	for _, s := range op.SelectionSet {
		if f, ok := s.(*ast.Field); ok {
			for _, a := range f.Arguments {
				fills(list, a)
			}
		}
	}
	return list
}

const inputName = "input"

// fills records which variables fill an argument of a root field or members of
// it.
func fills(list []variables.Variable, a *ast.Argument) {
	for i := range list {
		v := &list[i]
		if a.Name == inputName && a.Value.Kind == ast.Variable && a.Value.Raw == v.Variable {
			v.Field, v.Hidden = inputName, true
		}
		for _, member := range a.Value.Children {
			if member.Value.Kind != ast.Variable || member.Value.Raw != v.Variable || a.Value.Definition == nil {
				continue
			}
			def := a.Value.Definition.Fields.ForName(member.Name)
			if def == nil {
				continue
			}
			v.Required = v.Required || def.Directives.ForName("required") != nil
			v.Digits = max(v.Digits, variables.Digits(def))
		}
	}
}
