package schema

import (
	"context"
	"fmt"

	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/mixin"

	gen "workforce/ent"
	"workforce/internal/audittrail"
	"workforce/internal/viewer"
)

// Audited records every change of an entity's rows in the audit, in the same
// transaction: the columns that changed, before and after. Sensitive and unaudited
// columns are left out. Changes without a request behind them, such as filling a
// new database, are not recorded.
type Audited struct {
	mixin.Schema
	Name string // of the entity, as in role.updated
}

// Annotations of Audited.
func (a Audited) Annotations() []schema.Annotation {
	return []schema.Annotation{Facts{Audited: a.Name}}
}

// Hooks of Audited. They run within the policy: they see the rows that it lets
// through.
func (a Audited) Hooks() []ent.Hook {
	return []ent.Hook{func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			trail, ok := audittrail.From(ctx)
			if !ok {
				return next.Mutate(ctx, m)
			}
			return a.mutate(ctx, m.(mutation), trail, next)
		})
	}}
}

// A mutation is what all of them have in common.
type mutation interface {
	ent.Mutation
	Client() *gen.Client
	ID() (int, bool)
	IDs(context.Context) ([]int, error)
}

func (a Audited) mutate(ctx context.Context, m mutation, trail audittrail.Trail, next ent.Mutator) (ent.Value, error) {
	sys := viewer.System(ctx)
	var ids []int
	var err error
	if !m.Op().Is(ent.OpCreate) {
		if ids, err = m.IDs(sys); err != nil {
			return nil, err
		}
	}
	before, err := gen.Rows(sys, m.Client(), m.Type(), ids)
	if err != nil {
		return nil, err
	}
	v, err := next.Mutate(ctx, m)
	if err != nil {
		return nil, err
	}
	if id, ok := m.ID(); ok && m.Op().Is(ent.OpCreate) {
		ids = []int{id}
	}
	after, err := gen.Rows(sys, m.Client(), m.Type(), ids)
	if err != nil {
		return nil, err
	}
	return v, a.record(sys, m, trail, before, after, ids)
}

// record writes an event for each row that differs.
func (a Audited) record(ctx context.Context, m mutation, trail audittrail.Trail, before, after map[int]gen.Row, ids []int) error {
	var events []*gen.AuditEventCreate
	for _, id := range ids {
		was, is, err := audittrail.Changed(before[id].Value, after[id].Value, gen.Unaudited)
		if err != nil {
			return fmt.Errorf("audit %s %d: %w", a.Name, id, err)
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
		events = append(events, m.Client().AuditEvent.Create().
			SetCompanyID(max(before[id].Company, after[id].Company)).SetNillableActorID(trail.Actor()).
			SetNillableAPIKeyID(trail.Key()).SetAction(a.Name+"."+verb).SetSubjectType(m.Type()).SetSubjectID(id).SetAt(trail.Now()).
			SetAddress(trail.Address).SetRequestID(trail.RequestID).SetNillableBefore(was).SetNillableAfter(is))
	}
	return m.Client().AuditEvent.CreateBulk(events...).Exec(ctx)
}
