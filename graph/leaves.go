package graph

import (
	"context"

	"workforce/ent"
	entLeave "workforce/ent/leave"
	"workforce/ent/predicate"
	"workforce/graph/connection"
	"workforce/internal/app/scheduling"
	"workforce/internal/request"
)

// concernedLeaves returns the leaves that the mutation has counted anew, of which the caller reads
// those that match.
func concernedLeaves(ctx context.Context, where ...predicate.Leave) ([]*ent.Leave, error) {
	ids := request.From(ctx).Leaves
	if len(ids) == 0 {
		return []*ent.Leave{}, nil
	}
	q := ent.FromContext(ctx).Leave.Query().Where(append(where, entLeave.IDIn(ids...))...)
	return connection.All(ctx, q.Order(ent.Asc(entLeave.FieldID)).Limit(scheduling.MaxConcerned))
}
