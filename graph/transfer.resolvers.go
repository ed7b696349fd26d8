package graph

import (
	"context"
	"workforce/graph/model"
	"workforce/internal/app/definition"
	"workforce/internal/app/peopleimport"
)

func (r *mutationResolver) ImportUsers(ctx context.Context, input model.ImportUsersInput) (*model.ImportedUsers, error) {
	in := peopleimport.Upload{Field: "file", File: input.File.File}
	in.DryRun, in.Partial, in.Invite = is(input.DryRun), is(input.Partial), is(input.Invite)
	result, queued, err := r.Transfers.ImportUpload(ctx, in)
	if err != nil {
		return nil, err
	}
	return &model.ImportedUsers{
		Job: importJob(ctx, queued), Created: result.Created, Updated: result.Updated,
		FaultCount: len(result.Faults) + result.More, Faults: importFaults(ctx, result.Faults),
	}, nil
}

func (r *mutationResolver) CancelImport(ctx context.Context, id int) (*model.ImportJob, error) {
	j, err := r.Transfers.Cancel(ctx, id)
	return importJob(ctx, j), err
}

func (r *mutationResolver) ApplyDefinition(ctx context.Context, input model.ApplyDefinitionInput) (*model.AppliedDefinition, error) {
	options := definition.Options{DryRun: is(input.DryRun), Prune: is(input.Prune)}
	result, err := r.Definitions.ApplyUpload(ctx, "file", input.File.File, options)
	if err != nil {
		return nil, err
	}
	return appliedDefinition(ctx, result)
}

func (r *queryResolver) ImportJob(ctx context.Context, id int) (*model.ImportJob, error) {
	j, err := r.Transfers.Find(ctx, id)
	return importJob(ctx, j), err
}
