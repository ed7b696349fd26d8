package graph

import (
	"context"
	"workforce/ent"
	"workforce/graph/generated"
	"workforce/graph/model"
)

func (r *deletionResolver) ConcernedLeaves(ctx context.Context, obj *model.Deletion) ([]*ent.Leave, error) {
	return concernedLeaves(ctx)
}

func (r *Resolver) Deletion() generated.DeletionResolver { return &deletionResolver{r} }

func (r *Resolver) Mutation() generated.MutationResolver { return &mutationResolver{r} }

func (r *Resolver) Subscription() generated.SubscriptionResolver { return &subscriptionResolver{r} }

type (
	deletionResolver     struct{ *Resolver }
	mutationResolver     struct{ *Resolver }
	subscriptionResolver struct{ *Resolver }
)
