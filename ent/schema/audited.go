package schema

import (
	"context"
	"fmt"
	"reflect"

	"entgo.io/ent"
	"entgo.io/ent/schema/mixin"

	gen "workforce/ent"
	"workforce/ent/address"
	"workforce/ent/business"
	"workforce/ent/company"
	"workforce/ent/designation"
	"workforce/ent/facetemplate"
	"workforce/ent/role"
	"workforce/ent/shift"
	"workforce/ent/shiftassignment"
	"workforce/ent/user"
	"workforce/ent/userdesignation"
	"workforce/ent/userrole"
	"workforce/internal/audit"
	"workforce/internal/viewer"
)

// Audited puts every change of an entity's rows down in the audit, in the same
// transaction: what was changed, as it was and as it became. Sensitive fields are
// left out. What no request is behind, such as filling a new database, is not put
// down.
type Audited struct {
	mixin.Schema
	Name string // of the entity, as in role.updated
}

// Hooks of Audited. They run within the policy: they see the rows that it lets
// through.
func (a Audited) Hooks() []ent.Hook {
	return []ent.Hook{func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			trail, ok := audit.From(ctx)
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

func (a Audited) mutate(ctx context.Context, m mutation, trail audit.Trail, next ent.Mutator) (ent.Value, error) {
	sys := viewer.System(ctx)
	var ids []int
	var err error
	if !m.Op().Is(ent.OpCreate) {
		if ids, err = m.IDs(sys); err != nil {
			return nil, err
		}
	}
	before, err := rowsOf(sys, m, ids)
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
	after, err := rowsOf(sys, m, ids)
	if err != nil {
		return nil, err
	}
	return v, a.record(sys, m, trail, before, after, ids)
}

// record writes an event for each row that differs.
func (a Audited) record(ctx context.Context, m mutation, trail audit.Trail, before, after map[int]audited, ids []int) error {
	var events []*gen.AuditEventCreate
	for _, id := range ids {
		was, is, err := audit.Changed(before[id].row, after[id].row)
		if err != nil {
			return fmt.Errorf("audit %s %d: %w", a.Name, id, err)
		}
		if was == nil && is == nil {
			continue
		}
		verb := "updated"
		switch {
		case before[id].row == nil:
			verb = "created"
		case after[id].row == nil:
			verb = "deleted"
		}
		events = append(events, m.Client().AuditEvent.Create().
			SetCompanyID(max(before[id].company, after[id].company)).SetNillableActorID(trail.Actor()).
			SetAction(a.Name+"."+verb).SetSubjectType(m.Type()).SetSubjectID(id).SetAt(trail.Now()).
			SetAddress(trail.Address).SetRequestID(trail.RequestID).SetNillableBefore(was).SetNillableAfter(is))
	}
	return m.Client().AuditEvent.CreateBulk(events...).Exec(ctx)
}

// An audited row and the company whose it is.
type audited struct {
	company int
	row     any
}

// rowsOf loads rows of the entity that m changes, by id.
func rowsOf(ctx context.Context, m mutation, ids []int) (map[int]audited, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	c := m.Client()
	switch m.Type() {
	case gen.TypeAddress:
		return byID(c.Address.Query().Where(address.IDIn(ids...)).All(ctx))
	case gen.TypeBusiness:
		return byID(c.Business.Query().Where(business.IDIn(ids...)).All(ctx))
	case gen.TypeCompany:
		return byID(c.Company.Query().Where(company.IDIn(ids...)).All(ctx))
	case gen.TypeDesignation:
		return byID(c.Designation.Query().Where(designation.IDIn(ids...)).All(ctx))
	case gen.TypeFaceTemplate:
		return byID(c.FaceTemplate.Query().Where(facetemplate.IDIn(ids...)).All(ctx))
	case gen.TypeRole:
		return byID(c.Role.Query().Where(role.IDIn(ids...)).All(ctx))
	case gen.TypeShift:
		return byID(c.Shift.Query().Where(shift.IDIn(ids...)).All(ctx))
	case gen.TypeShiftAssignment:
		return byID(c.ShiftAssignment.Query().Where(shiftassignment.IDIn(ids...)).All(ctx))
	case gen.TypeUser:
		return byID(c.User.Query().Where(user.IDIn(ids...)).All(ctx))
	case gen.TypeUserDesignation:
		return byID(c.UserDesignation.Query().Where(userdesignation.IDIn(ids...)).All(ctx))
	case gen.TypeUserRole:
		return byID(c.UserRole.Query().Where(userrole.IDIn(ids...)).All(ctx))
	}
	return nil, fmt.Errorf("%s is not audited", m.Type())
}

// byID keys rows by their ids. A row without a company is one.
func byID[T any](rows []*T, err error) (map[int]audited, error) {
	all := make(map[int]audited, len(rows))
	for _, row := range rows {
		v := reflect.ValueOf(row).Elem()
		id := int(v.FieldByName("ID").Int())
		company := id
		if c := v.FieldByName("CompanyID"); c.IsValid() {
			company = int(c.Int())
		}
		all[id] = audited{company, row}
	}
	return all, err
}
