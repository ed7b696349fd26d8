package graph

import (
	"context"
	"workforce/ent"
	"workforce/ent/taskimage"
	"workforce/graph/connection"
	"workforce/graph/model"
	"workforce/internal/app/timetotals"
	"workforce/internal/scalar"
)

func (r *mutationResolver) SaveActivityImages(ctx context.Context, id int, input model.SaveTaskImagesInput) ([]*ent.TaskImage, error) {
	task, err := r.Booked.Task(ctx, id)
	if err != nil {
		return nil, err
	}
	ids, err := r.Tasks.SaveImages(ctx, task, input)
	if err != nil {
		return nil, err
	}
	return connection.All(ctx, ent.FromContext(ctx).TaskImage.Query().Where(taskimage.IDIn(ids...)))
}

func (r *mutationResolver) SaveActivity(ctx context.Context, input model.SaveActivityInput) (*model.Activity, error) {
	id, err := r.Entries.Save(ctx, input)
	if err != nil {
		return nil, err
	}
	return r.Booked.Activity(ctx, id)
}

func (r *queryResolver) Activities(ctx context.Context, date *string, userID *int, limit *int) ([]*model.Activity, error) {
	return r.Booked.Activities(ctx, date, userID, limit)
}

func (r *queryResolver) RunningActivity(ctx context.Context) (*model.Activity, error) {
	return r.Booked.Running(ctx)
}

func (r *queryResolver) ActivityUsers(ctx context.Context, from *scalar.DateOrTime, to *scalar.DateOrTime) ([]*model.ActivityUser, error) {
	return r.Booked.Users(ctx, bound(from), bound(to))
}

func (r *queryResolver) ActivityGroups(ctx context.Context, from *scalar.DateOrTime, to *scalar.DateOrTime, userID *int, by model.ActivityUnit, limit *int) ([]*model.ActivityGroup, error) {
	return r.Booked.Groups(ctx, userID, bound(from), bound(to), by, limit)
}

func (r *queryResolver) ActivityGroupsByUser(ctx context.Context, from *scalar.DateOrTime, to *scalar.DateOrTime, userID *int, by model.ActivityUnit, limit *int) ([]*model.ActivityUserGroups, error) {
	return r.Booked.GroupsByUser(ctx, userID, bound(from), bound(to), by, limit)
}

func (r *queryResolver) TimeTotals(ctx context.Context, from *scalar.DateOrTime, to *scalar.DateOrTime, by *model.TimeDimension, then *model.TimeDimension, userIds []int, projectIds []int, categoryIds []int, taskIds []int, rounding *model.TimesheetRounding, fillGaps bool) (*model.TimeTotals, error) {
	return r.Booked.Totals(ctx,
		timetotals.Filter{UserIDs: userIds, TaskIDs: taskIds, ProjectIDs: projectIds, CategoryIDs: categoryIds, From: bound(from), To: bound(to)},
		timetotals.Grouping{By: by, Then: then, Rounding: rounding, FillGaps: fillGaps})
}

func (r *queryResolver) ActivityImages(ctx context.Context, id int) ([]*ent.TaskImage, error) {
	task, err := r.Booked.Task(ctx, id)
	if err != nil {
		return nil, err
	}
	q, err := r.Resolver.Tasks.Images(ctx, task)
	if err != nil {
		return nil, err
	}
	return connection.All(ctx, q)
}
