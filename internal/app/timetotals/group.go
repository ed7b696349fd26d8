package timetotals

import (
	"context"
	"strconv"

	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/booking"
	"workforce/internal/errs"
	"workforce/internal/period"
	"workforce/internal/setting"
	"workforce/internal/timesheet"
)

// keyOf returns the key of an id; "" for 0.
func keyOf(id int) string {
	if id == 0 {
		return ""
	}
	return strconv.Itoa(id)
}

// keyed returns the key of a group on the wire.
func keyed(key string) *string {
	if key == "" {
		return nil
	}
	return &key
}

// Groups returns the entries of a period in groups, at most limit, all for nil. NOT_FOUND on
// userId; VALIDATION_FAILED on limit, and on to where there are too many entries.
func (s *Service) Groups(ctx context.Context, userID *int, from, to *period.Bound, unit model.ActivityUnit, limit *int) ([]*model.ActivityGroup, error) {
	if err := checkLimit(limit); err != nil {
		return nil, err
	}
	of, err := s.scope(ctx, Filter{UserIDs: listOf(userID), From: from, To: to}, "userId")
	if err != nil {
		return nil, err
	}
	list, err := of.entries(ctx, "to")
	if err != nil {
		return nil, err
	}
	shown, err := of.activities(ctx, list)
	if err != nil {
		return nil, err
	}
	by := booking.Dimension(unit)
	sums := booking.NewTotals(of.period, 1, false, by)
	in := map[string][]*model.Activity{}
	for i, e := range list {
		f := booking.Fact{Task: e.TaskID, Project: valueOf(e.ProjectID), Category: valueOf(e.CategoryID)}
		for f.Date, f.Seconds = range parts(e, of.now) {
			if !of.period.Contains(f.Date) {
				continue
			}
			sums.Add(f)
			key := map[booking.Dimension]string{booking.ByDate: string(f.Date), booking.ByProject: keyOf(f.Project), booking.ByCategory: keyOf(f.Category)}[by]
			if n := len(in[key]); n == 0 || in[key][n-1] != shown[i] {
				in[key] = append(in[key], shown[i])
			}
		}
	}
	names, err := readLabels(ctx, sums, []booking.Dimension{by})
	if err != nil {
		return nil, err
	}
	sums.Sort(names.sortKey)
	groups := first(sums.Groups, limit)
	out := make([]*model.ActivityGroup, len(groups))
	for i, g := range groups {
		out[i] = &model.ActivityGroup{Key: keyed(g.Key), Label: names.of(by, g.Key), TrackedSeconds: g.Seconds, Tasks: in[g.Key]}
	}
	return out, nil
}

func valueOf(id *int) int {
	if id == nil {
		return 0
	}
	return *id
}

// GroupsByUser returns the time of people in a period, by name, each in groups: at most limit
// people, all for nil. NOT_FOUND on userId, VALIDATION_FAILED on limit.
func (s *Service) GroupsByUser(ctx context.Context, userID *int, from, to *period.Bound, unit model.ActivityUnit, limit *int) ([]*model.ActivityUserGroups, error) {
	if err := checkLimit(limit); err != nil {
		return nil, err
	}
	of, err := s.scope(ctx, Filter{UserIDs: listOf(userID), From: from, To: to}, "userId")
	if err != nil {
		return nil, err
	}
	by := []booking.Dimension{booking.ByUser, booking.Dimension(unit)}
	sums := booking.NewTotals(of.period, 1, false, by...)
	if err := of.add(ctx, sums, timesheet.Rounding{}, by...); err != nil {
		return nil, err
	}
	names, err := readLabels(ctx, sums, by)
	if err != nil {
		return nil, err
	}
	sums.Sort(names.sortKey)
	people, err := peopleOf(ctx, first(sums.Groups, limit))
	out := make([]*model.ActivityUserGroups, len(people))
	for i, p := range people {
		out[i] = &model.ActivityUserGroups{User: p.User, TrackedSeconds: p.group.Seconds, Groups: make([]*model.ActivityUserGroup, len(p.group.Groups))}
		for n, g := range p.group.Groups {
			out[i].Groups[n] = &model.ActivityUserGroup{Key: keyed(g.Key), Label: names.of(by[1], g.Key), TrackedSeconds: g.Seconds, TaskCount: g.Tasks()}
		}
	}
	return out, err
}

// A Grouping says how time is added up.
type Grouping struct {
	By, Then *model.TimeDimension
	Rounding *model.TimesheetRounding
	FillGaps bool
}

// read returns what time is grouped by, and how it is rounded.
func (g Grouping) read(faults *errs.Faults) ([]booking.Dimension, timesheet.Rounding) {
	var by []booking.Dimension
	if g.Then != nil && g.By == nil {
		faults.Add("then", errs.Needs, errs.Meta{"other": "by"})
	}
	for _, d := range []*model.TimeDimension{g.By, g.Then} {
		if d != nil {
			by = append(by, booking.Dimension(*d))
		}
	}
	return by, input.Rounding(faults, g.Rounding)
}

// maxIDs is how many projects, categories or tasks a filter names.
const maxIDs = 100

// Totals returns what the time of a filter adds up to.
func (s *Service) Totals(ctx context.Context, f Filter, g Grouping) (*model.TimeTotals, error) {
	var faults errs.Faults
	by, view := g.read(&faults)
	for field, ids := range map[string][]int{"projectIds": f.ProjectIDs, "categoryIds": f.CategoryIDs, "taskIds": f.TaskIDs} {
		if len(ids) > maxIDs {
			faults.Add(field, errs.TooMany, errs.Meta{"max": maxIDs})
		}
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	of, err := s.scope(ctx, f, "userIds")
	if err != nil {
		return nil, err
	}
	out := &model.TimeTotals{From: string(of.period.From), To: string(of.period.To), Groups: []*model.TimeGroup{}}
	sums := booking.NewTotals(of.period, setting.FirstWeekday.Of(of.me.Settings), g.FillGaps && !of.empty, by...)
	if err := of.add(ctx, sums, view, by...); err != nil {
		return nil, err
	}
	names, err := readLabels(ctx, sums, by)
	if err != nil {
		return nil, err
	}
	sums.Sort(names.sortKey)
	out.Seconds, out.TaskCount = sums.Seconds, sums.Tasks()
	for _, d := range by {
		out.Overlapping = out.Overlapping || d == booking.ByTag
	}
	out.Groups = groupsOf(sums.Groups, by, names)
	return out, nil
}

// groupsOf returns groups as they are on the wire.
func groupsOf(list []*booking.Group, by []booking.Dimension, names labels) []*model.TimeGroup {
	out := make([]*model.TimeGroup, len(list))
	for i, g := range list {
		out[i] = &model.TimeGroup{
			Key: keyed(g.Key), Label: names.of(by[0], g.Key), Seconds: g.Seconds, TaskCount: g.Tasks(), Groups: groupsOf(g.Groups, by[1:], names),
		}
	}
	return out
}
