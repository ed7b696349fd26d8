package graph

import (
	"context"
	"workforce/ent"
	"workforce/ent/holiday"
	"workforce/graph/connection"
	"workforce/graph/generated"
	"workforce/graph/model"
)

func (r *holidayResolver) ConcernedLeaves(ctx context.Context, obj *ent.Holiday) ([]*ent.Leave, error) {
	return concernedLeaves(ctx)
}

func (r *importedHolidaysResolver) ConcernedLeaves(ctx context.Context, obj *model.ImportedHolidays) ([]*ent.Leave, error) {
	return concernedLeaves(ctx)
}

func (r *mutationResolver) CreateHoliday(ctx context.Context, input model.CreateHolidayInput) (*ent.Holiday, error) {
	h, err := r.Organization.CreateHoliday(ctx, input)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Holiday.Query().Where(holiday.ID(h.ID)))
}

func (r *mutationResolver) UpdateHoliday(ctx context.Context, id int, input model.UpdateHolidayInput) (*ent.Holiday, error) {
	if err := r.Organization.UpdateHoliday(ctx, id, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Holiday.Query().Where(holiday.ID(id)))
}

func (r *mutationResolver) ImportHolidays(ctx context.Context, input model.ImportHolidaysInput) (*model.ImportedHolidays, error) {
	done, err := r.Organization.ImportUpload(ctx, input)
	if err != nil {
		return nil, err
	}
	return &model.ImportedHolidays{
		Added: holidays(done.Added), Changed: holidays(done.Changed), Unchanged: holidays(done.Unchanged),
		LeftOut: leftOut(ctx, done.LeftOut),
	}, nil
}

func (r *mutationResolver) DeleteHoliday(ctx context.Context, id int) (*model.Deletion, error) {
	return &model.Deletion{Deleted: true}, r.Organization.DeleteHoliday(ctx, id)
}

func (r *queryResolver) Holiday(ctx context.Context, id int) (*ent.Holiday, error) {
	return connection.One(ctx, ent.FromContext(ctx).Holiday.Query().Where(holiday.ID(id)))
}

func (r *Resolver) ImportedHolidays() generated.ImportedHolidaysResolver {
	return &importedHolidaysResolver{r}
}

type importedHolidaysResolver struct{ *Resolver }
