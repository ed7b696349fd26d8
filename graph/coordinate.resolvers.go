package graph

import (
	"context"
	"workforce/ent"
	"workforce/ent/auditevent"
	entPosition "workforce/ent/position"
	"workforce/ent/user"
	"workforce/graph/connection"
	"workforce/graph/model"
	"workforce/internal/app/position"
	"workforce/internal/operation"
	"workforce/internal/scalar"
	"workforce/internal/sqlplan"
	"workforce/internal/viewer"

	"github.com/99designs/gqlgen/graphql"
)

func (r *mutationResolver) ReportCoordinates(ctx context.Context, input model.ReportCoordinatesInput) (*model.ReportedCoordinates, error) {
	return r.Resolver.Coordinates.Report(ctx, input)
}

func (r *mutationResolver) SetCoordinateConsent(ctx context.Context, input model.SetCoordinateConsentInput) (*ent.User, error) {
	id, err := r.Resolver.Coordinates.SetConsent(ctx, input.Granted)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).User.Query().Where(user.ID(id)))
}

func (r *queryResolver) CoordinateHistory(ctx context.Context, userID *int, from *scalar.DateOrTime, to *scalar.DateOrTime, page *int, limit *int) (*model.CoordinateList, error) {
	filter := position.HistoryFilter{UserID: userID, From: bound(from), To: bound(to)}
	if operation.IsTrusted(graphql.GetOperationContext(ctx)) { // which shows zones that no column has
		ctx = sqlplan.Without(ctx)
	}
	nodes, total, err := connection.List(ctx, page, limit,
		func(ctx context.Context) (*ent.PositionQuery, error) {
			return r.Resolver.Coordinates.History(ctx, filter)
		},
		func(q *ent.PositionQuery) *ent.PositionQuery {
			return q.Order(ent.Asc(entPosition.FieldRecordedAt, entPosition.FieldID))
		})
	if err != nil {
		return nil, err
	}
	if err := position.Localize(ctx, nodes); err != nil {
		return nil, err
	}
	return &model.CoordinateList{TotalCount: total, Nodes: nodes}, nil
}

func (r *queryResolver) CoordinateSummary(ctx context.Context, userID *int, from *scalar.DateOrTime, to *scalar.DateOrTime) (*model.CoordinateSummary, error) {
	return r.Resolver.Coordinates.Summary(ctx, position.HistoryFilter{UserID: userID, From: bound(from), To: bound(to)})
}

func (r *queryResolver) CoordinateReads(ctx context.Context, userID *int, page *int, limit *int) (*model.CoordinateReadList, error) {
	query, err := r.Resolver.Coordinates.Reads(ctx, userID)
	if err != nil {
		return nil, err
	}
	events, total, err := connection.List(viewer.System(ctx), page, limit,
		func(context.Context) (*ent.AuditEventQuery, error) { return query, nil },
		func(q *ent.AuditEventQuery) *ent.AuditEventQuery {
			return q.Order(ent.Desc(auditevent.FieldAt, auditevent.FieldID))
		})
	if err != nil {
		return nil, err
	}
	readers, err := r.Resolver.Coordinates.Readers(ctx, events)
	list := &model.CoordinateReadList{TotalCount: total, Nodes: make([]*model.CoordinateRead, len(events))}
	for i, e := range events {
		list.Nodes[i] = &model.CoordinateRead{At: e.At}
		if e.ActorID != nil {
			list.Nodes[i].Reader = readers[*e.ActorID]
		}
	}
	return list, err
}
