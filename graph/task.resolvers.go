package graph

import (
	"context"
	"workforce/ent"
	"workforce/ent/task"
	"workforce/graph/connection"
)

func (r *queryResolver) Task(ctx context.Context, id int) (*ent.Task, error) {
	return connection.One(ctx, ent.FromContext(ctx).Task.Query().Where(task.ID(id)))
}

func (r *taskResolver) Running(ctx context.Context, obj *ent.Task) (bool, error) {
	return false, nil
}

func (r *taskResolver) DurationSeconds(ctx context.Context, obj *ent.Task) (int, error) {
	return obj.TrackedSeconds, nil
}
