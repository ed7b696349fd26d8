package graph

import (
	"context"
	"workforce/ent"
	entTask "workforce/ent/task"
	"workforce/ent/taskattachment"
	"workforce/ent/taskchecklistitem"
	"workforce/ent/taskcomment"
	"workforce/ent/taskimage"
	"workforce/graph/connection"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/app/live"
	"workforce/internal/app/task"
	"workforce/internal/blob"
	"workforce/internal/booking"
	"workforce/internal/scalar"
)

func (r *mutationResolver) SaveTask(ctx context.Context, input model.SaveTaskInput) (*ent.Task, error) {
	id, err := r.Tasks.Save(ctx, input)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Task.Query().Where(entTask.ID(id)))
}

func (r *mutationResolver) UpdateTask(ctx context.Context, id int, input model.UpdateTaskInput) (*ent.Task, error) {
	if err := r.Tasks.Update(ctx, id, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Task.Query().Where(entTask.ID(id)))
}

func (r *mutationResolver) DeleteTask(ctx context.Context, id int) (*model.Deletion, error) {
	return &model.Deletion{Deleted: true}, r.Tasks.Delete(ctx, id)
}

func (r *mutationResolver) SaveTaskImages(ctx context.Context, id int, input model.SaveTaskImagesInput) ([]*ent.TaskImage, error) {
	ids, err := r.Tasks.SaveImages(ctx, id, input)
	if err != nil {
		return nil, err
	}
	return connection.All(ctx, ent.FromContext(ctx).TaskImage.Query().Where(taskimage.IDIn(ids...)))
}

func (r *mutationResolver) DeleteTaskImage(ctx context.Context, id int, imageID int) (*model.Deletion, error) {
	return &model.Deletion{Deleted: true}, r.Tasks.DeleteImage(ctx, id, imageID)
}

func (r *mutationResolver) CreateTaskChecklistItem(ctx context.Context, input model.CreateTaskChecklistItemInput) (*ent.TaskChecklistItem, error) {
	id, err := r.Tasks.AddStep(ctx, input)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).TaskChecklistItem.Query().Where(taskchecklistitem.ID(id)))
}

func (r *mutationResolver) UpdateTaskChecklistItem(ctx context.Context, id int, input model.UpdateTaskChecklistItemInput) (*ent.TaskChecklistItem, error) {
	if err := r.Tasks.UpdateStep(ctx, id, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).TaskChecklistItem.Query().Where(taskchecklistitem.ID(id)))
}

func (r *mutationResolver) DeleteTaskChecklistItem(ctx context.Context, id int) (*model.Deletion, error) {
	return &model.Deletion{Deleted: true}, r.Tasks.DeleteStep(ctx, id)
}

func (r *mutationResolver) CreateTaskComment(ctx context.Context, input model.CreateTaskCommentInput) (*ent.TaskComment, error) {
	id, err := r.Tasks.Comment(ctx, input)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).TaskComment.Query().Where(taskcomment.ID(id)))
}

func (r *mutationResolver) UpdateTaskComment(ctx context.Context, id int, input model.UpdateTaskCommentInput) (*ent.TaskComment, error) {
	if err := r.Tasks.UpdateComment(ctx, id, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).TaskComment.Query().Where(taskcomment.ID(id)))
}

func (r *mutationResolver) DeleteTaskComment(ctx context.Context, id int) (*model.Deletion, error) {
	return &model.Deletion{Deleted: true}, r.Tasks.DeleteComment(ctx, id)
}

func (r *mutationResolver) CreateTaskAttachment(ctx context.Context, input model.CreateTaskAttachmentInput) (*ent.TaskAttachment, error) {
	id, err := r.Tasks.Attach(ctx, input)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).TaskAttachment.Query().Where(taskattachment.ID(id)))
}

func (r *mutationResolver) DeleteTaskAttachment(ctx context.Context, id int) (*model.Deletion, error) {
	return &model.Deletion{Deleted: true}, r.Tasks.Detach(ctx, id)
}

func (r *queryResolver) Task(ctx context.Context, id int) (*ent.Task, error) {
	return connection.One(ctx, ent.FromContext(ctx).Task.Query().Where(entTask.ID(id)))
}

func (r *queryResolver) TaskList(ctx context.Context, status *entTask.Status, projectID *int, categoryID *int, assigneeID *int, from *scalar.DateOrTime, to *scalar.DateOrTime, search *string, page *int, limit *int) (*model.TaskList, error) {
	filter := task.Filter{Status: status, ProjectID: projectID, CategoryID: categoryID, AssigneeID: assigneeID, From: bound(from), To: bound(to), Search: search}
	nodes, total, err := connection.List(ctx, page, limit,
		func(ctx context.Context) (*ent.TaskQuery, error) { return r.Resolver.Tasks.List(ctx, filter) }, task.NewestFirst)
	if err != nil {
		return nil, err
	}
	return &model.TaskList{TotalCount: total, Nodes: nodes}, nil
}

func (r *queryResolver) TaskImages(ctx context.Context, id *int, taskID *int) ([]*ent.TaskImage, error) {
	of, err := input.Renamed("id", id, "taskId", taskID)
	if err != nil {
		return nil, err
	}
	q, err := r.Resolver.Tasks.Images(ctx, of)
	if err != nil {
		return nil, err
	}
	return connection.All(ctx, q)
}

func (r *queryResolver) TasksWidget(ctx context.Context, limit *int) (*model.TasksWidget, error) {
	w, q, err := r.Resolver.Tasks.Widget(ctx, limit)
	if err != nil {
		return nil, err
	}
	w.Items, err = connection.Below(ctx, q, "items")
	return w, err
}

func (r *subscriptionResolver) TaskChanged(ctx context.Context) (<-chan *ent.Task, error) {
	return live.Rows[*ent.Task](ctx), nil
}

func (r *taskResolver) Running(ctx context.Context, obj *ent.Task) (bool, error) {
	return obj.Timers > 0, nil
}

func (r *taskResolver) DurationSeconds(ctx context.Context, obj *ent.Task) (int, error) {
	return booking.Tracked(obj.TrackedSeconds, obj.Timers, obj.TimersStarted, r.Entries.Now()), nil
}

func (r *taskAttachmentResolver) URL(ctx context.Context, obj *ent.TaskAttachment) (string, error) {
	return blob.Named(obj.URL, obj.Name), nil
}
