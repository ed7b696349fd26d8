package graph

import (
	"context"
	"workforce/ent"
	"workforce/ent/auditevent"
	"workforce/graph/connection"
)

func (r *queryResolver) AuditEvent(ctx context.Context, id int) (*ent.AuditEvent, error) {
	return connection.One(ctx, ent.FromContext(ctx).AuditEvent.Query().Where(auditevent.ID(id)))
}
