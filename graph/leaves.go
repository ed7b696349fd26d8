package graph

import (
	"context"

	"workforce/ent"
	entLeave "workforce/ent/leave"
	"workforce/graph/connection"
	"workforce/internal/app/scheduling"
	"workforce/internal/request"
)

// concernedLeaves returns the leaves that the mutation has counted anew, of which the caller reads
// some.
func concernedLeaves(ctx context.Context) ([]*ent.Leave, error) {
	ids := request.From(ctx).Leaves
	if len(ids) == 0 {
		return []*ent.Leave{}, nil
	}
	q := ent.FromContext(ctx).Leave.Query().Where(entLeave.IDIn(ids...))
	return connection.All(ctx, q.Order(ent.Asc(entLeave.FieldID)).Limit(scheduling.MaxConcerned))
}

// concernedLeavesOf is concernedLeaves of a person of a list: those of everybody are read once for all.
func concernedLeavesOf(ctx context.Context, userID int) ([]*ent.Leave, error) {
	of, err := connection.Placed(ctx, "concerned leaves", concernedByPerson)
	if err != nil || of[userID] == nil {
		return []*ent.Leave{}, err
	}
	return of[userID], nil
}

// concernedByPerson returns the leaves that the mutation has counted anew by their people: of each
// the first that the caller reads.
func concernedByPerson(ctx context.Context) (map[int][]*ent.Leave, error) {
	ids := request.From(ctx).Leaves
	if len(ids) == 0 {
		return nil, nil
	}
	query := func() *ent.LeaveQuery { return ent.FromContext(ctx).Leave.Query().Where(entLeave.IDIn(ids...)) }
	people, err := query().Select(entLeave.FieldUserID).All(ctx)
	if err != nil {
		return nil, err
	}
	whose := make(map[int]int, len(people))
	for _, l := range people {
		whose[l.ID] = l.UserID
	}
	list, err := connection.All(ctx, query().Order(ent.Asc(entLeave.FieldID)))
	of := map[int][]*ent.Leave{}
	for _, l := range list {
		if u := whose[l.ID]; len(of[u]) < scheduling.MaxConcerned {
			of[u] = append(of[u], l)
		}
	}
	return of, err
}
