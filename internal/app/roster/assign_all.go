package roster

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"workforce/ent"
	"workforce/ent/shiftassignment"
	"workforce/graph/model"
	"workforce/internal/app/scheduling"
	"workforce/internal/errs"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// A planned assignment is one of a list, with its days and its place there.
type plannedAssignment struct {
	model.AssignShiftInput
	days  shift.Assignment
	place int
}

// AssignAll gives people shifts, to each their own, and returns for each of a list nil or why it was
// refused. However many people there are, it takes some statements for every thousand of them.
func (s *Service) AssignAll(ctx context.Context, list []model.AssignShiftInput) ([]error, error) {
	out := make([]error, len(list))
	var rounds []map[int]plannedAssignment // by user, who has one in each round
	assignable, places := map[int]error{}, map[int]int{}
	for i, in := range list {
		days, err := checkAssignment(model.AssignShiftsInput{
			UserIds: []int{in.UserID}, StartsOn: in.StartsOn, EndsOn: in.EndsOn, Weekdays: in.Weekdays,
			EveryWeeks: in.EveryWeeks,
		})
		if _, known := assignable[in.ShiftID]; !known {
			assignable[in.ShiftID] = scheduling.Assignable(ctx, "shiftId", in.ShiftID)
		}
		if out[i] = cmp.Or(err, assignable[in.ShiftID]); out[i] != nil {
			if errs.CodeOf(out[i]) == errs.Internal {
				return nil, out[i]
			}
			continue
		}
		n := places[in.UserID]
		if places[in.UserID]++; n == len(rounds) {
			rounds = append(rounds, map[int]plannedAssignment{})
		}
		rounds[n][in.UserID] = plannedAssignment{in, days, i}
	}
	for _, round := range rounds {
		for users := range slices.Chunk(slices.Sorted(maps.Keys(round)), maxPeople) {
			given, err := s.assignRound(ctx, users, round)
			if err != nil {
				return nil, err
			}
			for _, id := range users {
				out[round[id].place] = given[id].err
			}
		}
	}
	return out, nil
}

// assignRound gives each of some people one shift.
func (s *Service) assignRound(ctx context.Context, users []int, of map[int]plannedAssignment) (map[int]given, error) {
	company := viewer.From(ctx).CompanyID
	today, err := s.Plans.CompanyToday(ctx)
	if err != nil {
		return nil, err
	}
	var shifts []int
	first := of[users[0]].days.StartsOn
	for _, id := range users {
		shifts, first = append(shifts, of[id].ShiftID), min(first, of[id].days.StartsOn)
	}
	return s.give(ctx, users, max(today.AddDays(-1), first), func(p *scheduling.Person) {
		p.Plan.Assignments = append(p.Plan.Assignments, shift.Assigned{Shift: of[p.ID].ShiftID, Assignment: of[p.ID].days})
	}, func(o shift.Planned) bool { return o.Origin == shift.ByAssignment && o.Assignment == 0 }, newRows{
		shifts: scheduling.Sorted(shifts...), subject: ent.TypeShiftAssignment, action: "shift_assignment.created",
		facts: func(id int) map[string]any {
			return assignmentFacts(of[id].ShiftID, of[id].StartsOn, of[id].EndsOn.Value())
		},
		create: func(ctx context.Context, ids []int) error {
			return ent.FromContext(ctx).ShiftAssignment.MapCreateBulk(ids, func(c *ent.ShiftAssignmentCreate, i int) {
				a := of[ids[i]]
				c.SetCompanyID(company).SetUserID(ids[i]).SetShiftID(a.ShiftID).SetStartsOn(a.StartsOn).
					SetNillableEndsOn(a.EndsOn.Value()).SetWeekdays(a.days.Weekdays).SetEveryWeeks(a.days.EveryWeeks)
			}).Exec(ctx)
		},
		read: func(ctx context.Context, ids []int) (map[int]int, error) {
			made := map[int]int{}
			rows, err := ent.FromContext(ctx).ShiftAssignment.Query().Where(shiftassignment.UserIDIn(ids...)).
				Order(ent.Asc(shiftassignment.FieldID)).All(ctx)
			for _, a := range rows {
				if of[a.UserID].ShiftID == a.ShiftID && of[a.UserID].StartsOn == a.StartsOn {
					made[a.UserID] = a.ID
				}
			}
			return made, err
		},
	})
}
