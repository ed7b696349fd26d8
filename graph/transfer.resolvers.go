package graph

import (
	"context"
	"workforce/graph/model"
	"workforce/internal/app/transfer"
)

func (r *mutationResolver) ImportUsers(ctx context.Context, input model.ImportUsersInput) (*model.ImportedUsers, error) {
	in := transfer.Upload{Field: "file", File: input.File.File}
	in.DryRun, in.Partial, in.Invite = is(input.DryRun), is(input.Partial), is(input.Invite)
	result, err := r.Transfers.ImportUpload(ctx, in)
	if err != nil {
		return nil, err
	}
	out := &model.ImportedUsers{Created: result.Created, Updated: result.Updated, FaultCount: len(result.Faults) + result.More, Faults: []*model.ImportFault{}}
	for _, f := range result.Faults {
		out.Faults = append(out.Faults, importFault(ctx, f))
	}
	return out, nil
}
