package ticket

import (
	"context"

	"workforce/ent"
	entTicket "workforce/ent/ticket"
	"workforce/ent/ticketword"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/attachment"
	"workforce/internal/app/input"
	"workforce/internal/app/policysql"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// A Filter selects tickets; a nil member selects all.
type Filter struct {
	Status     *entTicket.Status
	Priority   *entTicket.Priority
	AssigneeID *int
	Search     *string
}

// List returns a query of the tickets that a filter lets through. NOT_FOUND on a person whom
// the viewer does not see.
func (s *Service) List(ctx context.Context, f Filter) (*ent.TicketQuery, error) {
	var faults errs.Faults
	matches := attachment.SearchFilter(&faults, f.Search, ticketword.Table, ticketword.FieldTicketID)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	q := ent.FromContext(ctx).Ticket.Query()
	for _, match := range matches {
		q.Where(match)
	}
	if f.Status != nil {
		q.Where(entTicket.StatusEQ(*f.Status))
	}
	if f.Priority != nil {
		q.Where(entTicket.PriorityEQ(*f.Priority))
	}
	if f.AssigneeID != nil {
		found, err := ent.FromContext(ctx).User.Query().Where(user.ID(*f.AssigneeID)).Exist(ctx)
		if err := input.Referenced("assigneeId", found, err); err != nil {
			return nil, err
		}
		q.Where(entTicket.AssigneeID(*f.AssigneeID))
	}
	return q, nil
}

// NewestFirst orders tickets as lists show them.
func NewestFirst(q *ent.TicketQuery) *ent.TicketQuery {
	return q.Order(ent.Desc(entTicket.FieldCreatedAt, entTicket.FieldID))
}

// Widget returns the numbers of the tickets that the viewer sees, without items, and the query
// of these: the newest.
func (s *Service) Widget(ctx context.Context, limit *int) (*model.TicketWidget, *ent.TicketQuery, error) {
	n, err := attachment.WidgetItems(ctx, limit)
	if err != nil {
		return nil, nil, err
	}
	w, err := s.count(ctx)
	return w, NewestFirst(ent.FromContext(ctx).Ticket.Query()).Limit(n), err
}

// count counts the tickets that the viewer sees.
func (s *Service) count(ctx context.Context) (*model.TicketWidget, error) {
	zone := shift.ZoneNamed(viewer.From(ctx).Timezone)
	today := shift.DateOf(s.Now(), zone).In(zone).UTC()
	q := policysql.New(database.Unprepared(ctx))
	q.Add("SELECT COUNT(CASE WHEN t.status = 'open' THEN 1 END), COUNT(CASE WHEN t.status = 'in_progress' THEN 1 END), "+
		"COUNT(CASE WHEN t.resolved_at >= ? THEN 1 END) FROM "+entTicket.Table+" AS t "+
		"WHERE (t.status IN ('open', 'in_progress') OR t.resolved_at >= ?) AND ", today, today)
	q.WherePolicy(entTicket.Policy, entTicket.Table, "t")
	w := &model.TicketWidget{Items: []*ent.Ticket{}}
	err := q.Each(func(scan policysql.Scan) error { return scan(&w.Open, &w.InProgress, &w.ResolvedToday) })
	return w, err
}
