package graph

import (
	"context"
	"fmt"
	"workforce/ent"
	"workforce/graph/generated"

	"entgo.io/contrib/entgql"
)

func (r *queryResolver) Addresses(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.AddressOrder, where *ent.AddressWhereInput) (*ent.AddressConnection, error) {
	panic(fmt.Errorf("not implemented: Addresses - addresses"))
}

func (r *queryResolver) Attendances(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.AttendanceOrder, where *ent.AttendanceWhereInput) (*ent.AttendanceConnection, error) {
	panic(fmt.Errorf("not implemented: Attendances - attendances"))
}

func (r *queryResolver) Businesses(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.BusinessOrder, where *ent.BusinessWhereInput) (*ent.BusinessConnection, error) {
	panic(fmt.Errorf("not implemented: Businesses - businesses"))
}

func (r *queryResolver) Designations(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.DesignationOrder, where *ent.DesignationWhereInput) (*ent.DesignationConnection, error) {
	panic(fmt.Errorf("not implemented: Designations - designations"))
}

func (r *queryResolver) EmployeeShifts(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.EmployeeShiftOrder, where *ent.EmployeeShiftWhereInput) (*ent.EmployeeShiftConnection, error) {
	panic(fmt.Errorf("not implemented: EmployeeShifts - employeeShifts"))
}

func (r *queryResolver) Roles(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.RoleOrder, where *ent.RoleWhereInput) (*ent.RoleConnection, error) {
	panic(fmt.Errorf("not implemented: Roles - roles"))
}

func (r *queryResolver) Shifts(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.ShiftOrder, where *ent.ShiftWhereInput) (*ent.ShiftConnection, error) {
	panic(fmt.Errorf("not implemented: Shifts - shifts"))
}

func (r *queryResolver) ShiftAssignments(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, where *ent.ShiftAssignmentWhereInput) (*ent.ShiftAssignmentConnection, error) {
	panic(fmt.Errorf("not implemented: ShiftAssignments - shiftAssignments"))
}

func (r *queryResolver) Users(ctx context.Context, after *entgql.Cursor[int], first *int, before *entgql.Cursor[int], last *int, orderBy *ent.UserOrder, where *ent.UserWhereInput) (*ent.UserConnection, error) {
	panic(fmt.Errorf("not implemented: Users - users"))
}

func (r *Resolver) Query() generated.QueryResolver { return &queryResolver{r} }

type queryResolver struct{ *Resolver }
