package graph

import (
	"context"
	"workforce/ent"
	"workforce/ent/auditevent"
)

func (r *queryResolver) AuditEvent(ctx context.Context, id int) (*ent.AuditEvent, error) {
	return only(ctx, ent.FromContext(ctx).AuditEvent.Query().Where(auditevent.ID(id)))
}
