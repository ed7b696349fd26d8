package graph

import (
	"context"
	"workforce/ent"
	entTimeEntry "workforce/ent/timeentry"
	"workforce/ent/timeweek"
	"workforce/graph/connection"
	"workforce/graph/model"
)

func (r *mutationResolver) StartTimer(ctx context.Context, input model.StartTimerInput) (*ent.TimeEntry, error) {
	return r.Entries.Start(ctx, input)
}

func (r *mutationResolver) StopTimer(ctx context.Context, id *int) (*model.StoppedTimer, error) {
	stopped, already, err := r.Entries.Stop(ctx, id)
	if err != nil {
		return nil, err
	}
	e, err := connection.One(ctx, ent.FromContext(ctx).TimeEntry.Query().Where(entTimeEntry.ID(stopped)))
	return &model.StoppedTimer{TimeEntry: e, AlreadyStopped: already}, err
}

func (r *mutationResolver) RestartTimer(ctx context.Context, id int, input *model.RestartTimerInput) (*ent.TimeEntry, error) {
	return r.Entries.Restart(ctx, id, input)
}

func (r *mutationResolver) CreateTimeEntry(ctx context.Context, input model.CreateTimeEntryInput) (*ent.TimeEntry, error) {
	return r.Entries.Create(ctx, input)
}

func (r *mutationResolver) UpdateTimeEntry(ctx context.Context, id int, input model.UpdateTimeEntryInput) (*ent.TimeEntry, error) {
	if err := r.Entries.Update(ctx, id, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).TimeEntry.Query().Where(entTimeEntry.ID(id)))
}

func (r *mutationResolver) DeleteTimeEntry(ctx context.Context, id int) (*model.Deletion, error) {
	return &model.Deletion{Deleted: true}, r.Entries.Delete(ctx, id)
}

func (r *mutationResolver) DeleteTimeEntries(ctx context.Context, ids []int) ([]*model.DeletedTimeEntry, error) {
	return r.Entries.DeleteAll(ctx, ids)
}

func (r *mutationResolver) CorrectTimeEntry(ctx context.Context, id int, input model.CorrectTimeEntryInput) (*ent.TimeEntry, error) {
	made, err := r.Entries.Correct(ctx, id, input)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).TimeEntry.Query().Where(entTimeEntry.ID(made)))
}

func (r *mutationResolver) SubmitWeek(ctx context.Context, input model.SubmitWeekInput) (*ent.TimeWeek, error) {
	id, err := r.Entries.SubmitWeek(ctx, input)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).TimeWeek.Query().Where(timeweek.ID(id)))
}

func (r *mutationResolver) DecideWeek(ctx context.Context, id int, input model.DecideInput) (*ent.TimeWeek, error) {
	if err := r.Entries.DecideWeek(ctx, id, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).TimeWeek.Query().Where(timeweek.ID(id)))
}

func (r *mutationResolver) DecideWeeks(ctx context.Context, input model.DecideWeeksInput) ([]*model.Decided, error) {
	return r.Entries.DecideWeeks(ctx, input)
}

func (r *queryResolver) TimeEntry(ctx context.Context, id int) (*ent.TimeEntry, error) {
	return connection.One(ctx, ent.FromContext(ctx).TimeEntry.Query().Where(entTimeEntry.ID(id)))
}

func (r *queryResolver) TimeWeek(ctx context.Context, id int) (*ent.TimeWeek, error) {
	return connection.One(ctx, ent.FromContext(ctx).TimeWeek.Query().Where(timeweek.ID(id)))
}
