package graph

import (
	"context"
	"workforce/ent"
	entTicket "workforce/ent/ticket"
	"workforce/ent/ticketattachment"
	"workforce/ent/ticketcategory"
	"workforce/ent/ticketcomment"
	"workforce/graph/connection"
	"workforce/graph/model"
	"workforce/internal/app/live"
	"workforce/internal/app/ticket"
	"workforce/internal/blob"
)

func (r *mutationResolver) SaveTicket(ctx context.Context, input model.SaveTicketInput) (*ent.Ticket, error) {
	id, err := r.Tickets.Save(ctx, input)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Ticket.Query().Where(entTicket.ID(id)))
}

func (r *mutationResolver) CreateTicket(ctx context.Context, input model.SaveTicketInput) (*ent.Ticket, error) {
	id, err := r.Tickets.Save(ctx, input)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Ticket.Query().Where(entTicket.ID(id)))
}

func (r *mutationResolver) UpdateTicket(ctx context.Context, id int, input model.UpdateTicketInput) (*ent.Ticket, error) {
	if err := r.Tickets.Update(ctx, id, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Ticket.Query().Where(entTicket.ID(id)))
}

func (r *mutationResolver) HoldTicket(ctx context.Context, id int, input *model.HoldTicketInput) (*ent.Ticket, error) {
	if err := r.Tickets.Hold(ctx, id, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Ticket.Query().Where(entTicket.ID(id)))
}

func (r *mutationResolver) ResumeTicket(ctx context.Context, id int) (*ent.Ticket, error) {
	if err := r.Tickets.Resume(ctx, id); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Ticket.Query().Where(entTicket.ID(id)))
}

func (r *mutationResolver) CreateTicketComment(ctx context.Context, input model.CreateTicketCommentInput) (*ent.TicketComment, error) {
	id, err := r.Tickets.Comment(ctx, input)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).TicketComment.Query().Where(ticketcomment.ID(id)))
}

func (r *mutationResolver) UpdateTicketComment(ctx context.Context, id int, input model.UpdateTicketCommentInput) (*ent.TicketComment, error) {
	if err := r.Tickets.UpdateComment(ctx, id, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).TicketComment.Query().Where(ticketcomment.ID(id)))
}

func (r *mutationResolver) DeleteTicketComment(ctx context.Context, id int) (*model.Deletion, error) {
	return &model.Deletion{Deleted: true}, r.Tickets.DeleteComment(ctx, id)
}

func (r *mutationResolver) CreateTicketAttachment(ctx context.Context, input model.CreateTicketAttachmentInput) (*ent.TicketAttachment, error) {
	id, err := r.Tickets.Attach(ctx, input)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).TicketAttachment.Query().Where(ticketattachment.ID(id)))
}

func (r *mutationResolver) DeleteTicketAttachment(ctx context.Context, id int) (*model.Deletion, error) {
	return &model.Deletion{Deleted: true}, r.Tickets.Detach(ctx, id)
}

func (r *mutationResolver) FollowTicket(ctx context.Context, input model.FollowTicketInput) (*ent.Ticket, error) {
	if err := r.Tickets.Follow(ctx, input.TicketID); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Ticket.Query().Where(entTicket.ID(input.TicketID)))
}

func (r *mutationResolver) UnfollowTicket(ctx context.Context, input model.FollowTicketInput) (*model.Deletion, error) {
	return &model.Deletion{Deleted: true}, r.Tickets.Unfollow(ctx, input.TicketID)
}

func (r *mutationResolver) CreateTicketCategory(ctx context.Context, input model.CreateTicketCategoryInput) (*ent.TicketCategory, error) {
	id, err := r.Tickets.CreateCategory(ctx, input)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).TicketCategory.Query().Where(ticketcategory.ID(id)))
}

func (r *mutationResolver) UpdateTicketCategory(ctx context.Context, id int, input model.UpdateTicketCategoryInput) (*ent.TicketCategory, error) {
	if err := r.Tickets.UpdateCategory(ctx, id, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).TicketCategory.Query().Where(ticketcategory.ID(id)))
}

func (r *mutationResolver) DeleteTicketCategory(ctx context.Context, id int) (*model.Deletion, error) {
	return &model.Deletion{Deleted: true}, r.Tickets.DeleteCategory(ctx, id)
}

func (r *queryResolver) Ticket(ctx context.Context, id int) (*ent.Ticket, error) {
	return connection.One(ctx, ent.FromContext(ctx).Ticket.Query().Where(entTicket.ID(id)))
}

func (r *queryResolver) TicketList(ctx context.Context, status *entTicket.Status, priority *entTicket.Priority, assigneeID *int, search *string, page *int, limit *int) (*model.TicketList, error) {
	filter := ticket.Filter{Status: status, Priority: priority, AssigneeID: assigneeID, Search: search}
	nodes, total, err := connection.List(ctx, page, limit,
		func(ctx context.Context) (*ent.TicketQuery, error) { return r.Resolver.Tickets.List(ctx, filter) }, ticket.NewestFirst)
	if err != nil {
		return nil, err
	}
	return &model.TicketList{TotalCount: total, Nodes: nodes}, nil
}

func (r *queryResolver) TicketWidget(ctx context.Context, limit *int) (*model.TicketWidget, error) {
	w, q, err := r.Resolver.Tickets.Widget(ctx, limit)
	if err != nil {
		return nil, err
	}
	w.Items, err = connection.Below(ctx, q, "items")
	return w, err
}

func (r *queryResolver) TicketCategory(ctx context.Context, id int) (*ent.TicketCategory, error) {
	return connection.One(ctx, ent.FromContext(ctx).TicketCategory.Query().Where(ticketcategory.ID(id)))
}

func (r *subscriptionResolver) TicketChanged(ctx context.Context) (<-chan *ent.Ticket, error) {
	return live.Rows[*ent.Ticket](ctx), nil
}

func (r *ticketAttachmentResolver) URL(ctx context.Context, obj *ent.TicketAttachment) (string, error) {
	return blob.Named(obj.URL, obj.Name), nil
}
