package graph

import (
	"context"
	"encoding/json"

	"workforce/graph/model"
	"workforce/internal/app/definition"
	file "workforce/internal/definition"
	"workforce/internal/errs"
	"workforce/internal/request"
)

// maxChanges is how many changes of a definition are answered.
const maxChanges = 1000

// appliedDefinition returns what a file changes in the language of the request.
func appliedDefinition(ctx context.Context, r *definition.Result) (*model.AppliedDefinition, error) {
	out := &model.AppliedDefinition{
		Applied: r.Applied, ChangeCount: len(r.Changes), UnchangedCount: r.Unchanged, FaultCount: len(r.Faults) + r.More,
		Changes: []*model.DefinitionChange{}, Faults: []*model.DefinitionFault{},
	}
	for _, c := range r.Changes[:min(len(r.Changes), maxChanges)] {
		change := &model.DefinitionChange{
			Action: model.DefinitionAction(c.Action), Section: c.Section, Name: c.Name, Members: []*model.DefinitionMember{},
		}
		for _, m := range c.Members {
			from, err := json.Marshal(m.From)
			if err != nil {
				return nil, err
			}
			to, err := json.Marshal(m.To)
			if err != nil {
				return nil, err
			}
			change.Members = append(change.Members, &model.DefinitionMember{Name: m.Name, From: string(from), To: string(to)})
		}
		out.Changes = append(out.Changes, change)
	}
	for _, f := range r.Faults {
		out.Faults = append(out.Faults, definitionFault(ctx, f))
	}
	return out, nil
}

// definitionFault returns a fault of a file in the language of the request.
func definitionFault(ctx context.Context, f file.Fault) *model.DefinitionFault {
	said := errs.ProblemOf(&errs.Error{Code: f.Code, Faults: []errs.Fault{f.Fault}}, request.From(ctx).Language).Errors[0]
	out := &model.DefinitionFault{Line: f.Line, Code: said.Code, Message: said.Detail}
	out.Section, out.Element, out.Member = given(f.Section), given(f.Element), given(f.Field)
	return out
}

// given returns a text; nil for "".
func given(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
