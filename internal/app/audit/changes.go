package audit

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"workforce/ent"
	"workforce/internal/audit"
	"workforce/internal/viewer"
)

// Changes records rows of an entity that were written in bulk, without their own record:
// an event for each that differs, in the transaction of ctx. before and after are rows by
// id. Without a trail in ctx nothing is recorded.
func Changes(ctx context.Context, entity string, before, after map[int]ent.Row) error {
	trail, ok := audit.From(ctx)
	if !ok {
		return nil
	}
	db := ent.FromContext(ctx)
	ids := maps.Clone(before)
	if ids == nil {
		ids = map[int]ent.Row{}
	}
	maps.Copy(ids, after)
	var events []*ent.AuditEventCreate
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		was, is, err := audit.Changed(before[id].Value, after[id].Value, ent.Unaudited)
		if err != nil {
			return fmt.Errorf("audit %s %d: %w", entity, id, err)
		}
		if was == nil && is == nil {
			continue
		}
		verb := "updated"
		switch {
		case before[id].Value == nil:
			verb = "created"
		case after[id].Value == nil:
			verb = "deleted"
		}
		events = append(events, db.AuditEvent.Create().
			SetCompanyID(ids[id].Company).SetNillableActorID(trail.Actor()).
			SetAction(ent.Facts[entity].Audited+"."+verb).SetSubjectType(entity).SetSubjectID(id).SetAt(trail.Now()).
			SetAddress(trail.Address).SetRequestID(trail.RequestID).SetNillableBefore(was).SetNillableAfter(is))
	}
	return db.AuditEvent.CreateBulk(events...).Exec(viewer.System(ctx))
}
