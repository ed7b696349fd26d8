package graph

import (
	"context"
	"workforce/graph/model"
)

func (r *mutationResolver) ExportOwnData(ctx context.Context) (*model.DataExport, error) {
	return r.Privacy.Ask(ctx)
}

func (r *queryResolver) OwnDataExport(ctx context.Context) (*model.DataExport, error) {
	return r.Privacy.Own(ctx)
}
