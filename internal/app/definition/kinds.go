package definition

import (
	"context"
	"maps"
	"strconv"

	"workforce/ent"
	"workforce/ent/address"
	"workforce/ent/business"
	entDesignation "workforce/ent/designation"
	"workforce/ent/holiday"
	"workforce/ent/leavetype"
	"workforce/ent/role"
	"workforce/ent/rotation"
	entShift "workforce/ent/shift"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/app/scheduling"
	"workforce/internal/definition"
	"workforce/internal/tree"
)

func itoa(i int) string { return strconv.Itoa(i) }

// A kind is how the elements of a section are read and written: by the use cases of their domains, which
// hold the rules.
type kind struct {
	load   func(ctx context.Context) ([]*row, error)
	create func(ctx context.Context, r *run, values map[string]any) (int, error)
	update func(ctx context.Context, r *run, id int, values map[string]any) error
	remove func(ctx context.Context, r *run, id int) error
	links  map[string]bool // members of the inputs that are ids
	whole  bool            // an update has all members
}

// creates returns how a kind is created by a use case that takes an input.
func creates[In any, E interface{ comparable }](
	use func(*run) func(context.Context, In) (E, error), id func(E) int,
) func(context.Context, *run, map[string]any) (int, error) {
	return func(ctx context.Context, r *run, values map[string]any) (int, error) {
		in, err := decode[In](values)
		if err != nil {
			return 0, err
		}
		made, err := use(r)(ctx, in)
		if err != nil {
			return 0, err
		}
		return id(made), nil
	}
}

// updates returns how a kind is updated by a use case that takes an input.
func updates[In any](use func(*run) func(context.Context, int, In) error) func(context.Context, *run, int,
	map[string]any) error {
	return func(ctx context.Context, r *run, id int, values map[string]any) error {
		in, err := decode[In](values)
		if err != nil {
			return err
		}
		return use(r)(ctx, id, in)
	}
}

// newKinds returns those of the sections whose elements have names as keys.
func newKinds() map[string]kind {
	kinds := organizationKinds()
	maps.Copy(kinds, calendarKinds())
	return kinds
}

func organizationKinds() map[string]kind {
	return map[string]kind{
		definition.Roles: {
			load: loadRoles,
			create: creates(func(r *run) func(context.Context, model.CreateRoleInput) (*ent.Role, error) {
				return r.People.CreateRole
			},
				func(e *ent.Role) int { return e.ID }),
			update: updates(func(r *run) func(context.Context, int, model.UpdateRoleInput) error {
				return func(ctx context.Context, id int, in model.UpdateRoleInput) error {
					_, err := r.People.UpdateRole(ctx, id, in)
					return err
				}
			}),
			remove: func(ctx context.Context, r *run, id int) error { return r.People.DeleteRole(ctx, id) },
		},
		definition.Designations: {
			load: loadDesignations, links: map[string]bool{"parentId": true},
			create: creates(func(r *run) func(context.Context, model.CreateDesignationInput) (*ent.Designation, error) {
				return r.Organization.CreateDesignation
			}, func(e *ent.Designation) int { return e.ID }),
			update: updates(func(r *run) func(context.Context, int, model.UpdateDesignationInput) error {
				return r.Organization.UpdateDesignation
			}),
			remove: func(ctx context.Context, r *run, id int) error { return r.Organization.DeleteDesignation(ctx, id, nil) },
		},
		definition.Businesses: {
			load: loadBusinesses, links: map[string]bool{"parentId": true, "managerId": true},
			create: creates(func(r *run) func(context.Context, model.CreateBusinessInput) (*ent.Business, error) {
				return r.Organization.CreateBusiness
			}, func(e *ent.Business) int { return e.ID }),
			update: updates(func(r *run) func(context.Context, int, model.UpdateBusinessInput) error {
				return r.Organization.UpdateBusiness
			}),
			remove: func(ctx context.Context, r *run, id int) error { return r.Organization.DeleteBusiness(ctx, id, nil) },
		},
		definition.Sites: {
			load: loadSites, links: map[string]bool{"businessId": true},
			create: creates(func(r *run) func(context.Context, model.CreateAddressInput) (*ent.Address, error) {
				return r.Organization.CreateAddress
			}, func(e *ent.Address) int { return e.ID }),
			update: updates(func(r *run) func(context.Context, int, model.UpdateAddressInput) error {
				return r.Organization.UpdateAddress
			}),
			remove: func(ctx context.Context, r *run, id int) error { return r.Organization.DeleteAddress(ctx, id) },
		},
	}
}

func calendarKinds() map[string]kind {
	return map[string]kind{
		definition.Shifts: {
			load: loadShifts,
			create: creates(func(r *run) func(context.Context, model.CreateShiftInput) (*ent.Shift, error) {
				return r.Roster.CreateShift
			},
				func(e *ent.Shift) int { return e.ID }),
			update: updates(func(r *run) func(context.Context, int,
				model.UpdateShiftInput) error {
				return r.Roster.UpdateShift
			}),
			remove: func(ctx context.Context, r *run, id int) error { return r.Roster.DeleteShift(ctx, id) },
		},
		definition.Rotations: {
			load: loadRotations, whole: true,
			create: creates(func(r *run) func(context.Context, model.RotationInput) (*ent.Rotation, error) {
				return r.Roster.CreateRotation
			},
				func(e *ent.Rotation) int { return e.ID }),
			update: updates(func(r *run) func(context.Context, int,
				model.RotationInput) error {
				return r.Roster.UpdateRotation
			}),
			remove: func(ctx context.Context, r *run, id int) error { return r.Roster.DeleteRotation(ctx, id) },
		},
		definition.LeaveTypes: {
			load: loadLeaveTypes,
			create: creates(func(r *run) func(context.Context, model.CreateLeaveTypeInput) (*ent.LeaveType, error) {
				return r.Leaves.CreateType
			},
				func(e *ent.LeaveType) int { return e.ID }),
			update: updates(func(r *run) func(context.Context, int,
				model.UpdateLeaveTypeInput) error {
				return r.Leaves.UpdateType
			}),
			remove: func(ctx context.Context, r *run, id int) error { return r.Leaves.DeleteType(ctx, id) },
		},
		definition.Holidays: {
			load: loadHolidays, links: map[string]bool{"addressId": true},
			create: creates(func(r *run) func(context.Context, model.CreateHolidayInput) (*ent.Holiday, error) {
				return r.Organization.CreateHoliday
			}, func(e *ent.Holiday) int { return e.ID }),
			update: updates(func(r *run) func(context.Context, int, model.UpdateHolidayInput) error {
				return r.Organization.UpdateHoliday
			}),
			remove: func(ctx context.Context, r *run, id int) error { return r.Organization.DeleteHoliday(ctx, id) },
		},
	}
}

func loadRoles(ctx context.Context) (rows []*row, err error) {
	list, err := ent.FromContext(ctx).Role.Query().Order(ent.Asc(role.FieldSortName)).All(ctx)
	for _, r := range list {
		rows = append(rows, &row{
			id: r.ID, key: nameKey(r.Name), name: r.Name, active: true, builtin: input.Value(r.Builtin),
			values: map[string]any{"name": r.Name, "permissions": r.CustomPermissions},
		})
	}
	return rows, err
}

// placed returns rows in the order of their tree, with their paths.
func placed(nodes []tree.Node, values map[int]map[string]any) (rows []*row) {
	paths := map[int][]string{}
	for _, p := range tree.New(nodes).Preorder(0) {
		var above []string
		if p.Parent != nil {
			above = paths[*p.Parent]
		}
		paths[p.ID] = append(above[:len(above):len(above)], p.Name)
		rows = append(rows, &row{
			id: p.ID, key: pathKey(paths[p.ID]), name: definition.JoinPath(paths[p.ID]), depth: p.Depth, active: true,
			values: values[p.ID],
		})
	}
	return rows
}

func loadDesignations(ctx context.Context) ([]*row, error) {
	list, err := ent.FromContext(ctx).Designation.Query().Order(ent.Asc(entDesignation.FieldID)).All(ctx)
	nodes, values := make([]tree.Node, len(list)), map[int]map[string]any{}
	for i, d := range list {
		nodes[i] = tree.Node{ID: d.ID, Parent: d.ParentID, Name: d.Name, SortName: d.SortName}
		values[d.ID] = map[string]any{"name": d.Name, "description": plain(d.Description), "parentId": plain(d.ParentID)}
	}
	return placed(nodes, values), err
}

func loadBusinesses(ctx context.Context) ([]*row, error) {
	list, err := ent.FromContext(ctx).Business.Query().Order(ent.Asc(business.FieldID)).All(ctx)
	nodes, values := make([]tree.Node, len(list)), map[int]map[string]any{}
	for i, b := range list {
		nodes[i] = tree.Node{ID: b.ID, Parent: b.ParentID, Name: b.Name, SortName: b.SortName}
		values[b.ID] = map[string]any{"name": b.Name, "parentId": plain(b.ParentID), "managerId": plain(b.ManagerID)}
	}
	return placed(nodes, values), err
}

// plain returns what p points to; nil for nil.
func plain[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}

func loadSites(ctx context.Context) (rows []*row, err error) {
	list, err := ent.FromContext(ctx).Address.Query().Order(ent.Asc(address.FieldSortName)).All(ctx)
	for _, a := range list {
		points := []map[string]any{}
		for _, p := range a.Points {
			points = append(points, map[string]any{"latitude": coordinate(p.Lat), "longitude": coordinate(p.Lng)})
		}
		policies := map[string]any{}
		for name, p := range a.Policies {
			policies[name] = p
		}
		rows = append(rows, &row{id: a.ID, key: nameKey(a.Name), name: a.Name, active: a.Active, values: map[string]any{
			"name": a.Name, "address": a.Address, "latitude": coordinate(a.Latitude), "longitude": coordinate(a.Longitude),
			"radius": plain(a.Radius), "timezone": plain(a.Timezone), "points": points, "weeklyOffs": orNil(a.WeeklyOffs),
			"businessId": plain(a.BusinessID), "policies": policies, "active": a.Active,
		}})
	}
	return rows, err
}

// orNil returns a list; nil for one that is nil.
func orNil(list []int) any {
	if list == nil {
		return nil
	}
	return list
}

func loadShifts(ctx context.Context) (rows []*row, err error) {
	list, err := ent.FromContext(ctx).Shift.Query().Order(ent.Asc(entShift.FieldSortName, entShift.FieldID)).All(ctx)
	for _, s := range list {
		breaks := []map[string]any{}
		for _, b := range scheduling.Breaks(s.Breaks) {
			breaks = append(breaks, map[string]any{"start": string(b.Start), "end": string(b.End)})
		}
		rows = append(rows, &row{id: s.ID, key: nameKey(s.Name), name: s.Name, active: s.Active, values: map[string]any{
			"name": s.Name, "startTime": s.StartTime, "endTime": s.EndTime, "timezone": plain(s.Timezone),
			"opensBeforeMinutes": s.OpensBeforeMinutes, "closesAfterMinutes": s.ClosesAfterMinutes,
			"lateGraceMinutes": plain(s.LateGraceMinutes), "earlyGraceMinutes": plain(s.EarlyGraceMinutes),
			"halfDayBelowMinutes": s.HalfDayBelowMinutes, "absentBelowMinutes": s.AbsentBelowMinutes, "breaks": breaks,
			"breakMinutes": s.BreakMinutes, "breakAfterMinutes": s.BreakAfterMinutes, "workingHours": string(s.WorkingHours),
			"colour": plain(s.Colour), "active": s.Active,
		}})
	}
	return rows, err
}

func loadRotations(ctx context.Context) (rows []*row, err error) {
	list, err := ent.FromContext(ctx).Rotation.Query().Order(ent.Asc(rotation.FieldSortName)).All(ctx)
	for _, r := range list {
		days := make([]*int, len(r.Days))
		for i, id := range r.Days {
			if id != 0 {
				days[i] = &r.Days[i]
			}
		}
		rows = append(rows, &row{id: r.ID, key: nameKey(r.Name), name: r.Name, active: true,
			values: map[string]any{"name": r.Name, "days": days}})
	}
	return rows, err
}

func loadLeaveTypes(ctx context.Context) (rows []*row, err error) {
	list, err := ent.FromContext(ctx).LeaveType.Query().Order(ent.Asc(leavetype.FieldSortName)).All(ctx)
	for _, l := range list {
		rows = append(rows, &row{id: l.ID, key: nameKey(l.Name), name: l.Name, active: l.Active, values: map[string]any{
			"name": l.Name, "paid": l.Paid, "unit": string(l.Unit), "yearlyAllowance": plain(l.YearlyAllowance),
			"workFromHome": l.WorkFromHome, "active": l.Active,
		}})
	}
	return rows, err
}

func loadHolidays(ctx context.Context) (rows []*row, err error) {
	list, err := ent.FromContext(ctx).Holiday.Query().WithAddress().Order(ent.Asc(holiday.FieldDate,
		holiday.FieldSortName, holiday.FieldID)).All(ctx)
	for _, h := range list {
		site := ""
		if h.Edges.Address != nil {
			site = h.Edges.Address.Name
		}
		rows = append(rows, &row{
			id: h.ID, key: holidayKey(h.Date, h.Name, site), active: true,
			name: definition.NameOf(definition.SectionOf(definition.Holidays), map[string]any{"date": h.Date,
				"name": h.Name, "site": site}),
			values: map[string]any{"name": h.Name, "date": h.Date, "half": h.Half, "addressId": plain(h.AddressID)},
		})
	}
	return rows, err
}
