package report

import (
	"context"

	"workforce/ent"
	entTicket "workforce/ent/ticket"
	"workforce/internal/report"
	"workforce/internal/shift"
)

// ticketShape has a row for each ticket that was made or resolved in the period, the newest
// first.
var ticketShape = shape{
	columns: []report.Column{
		column("number", report.Number, 8), column("subject", report.Text, 34), column("requester", report.Text, 20), column("assignee", report.Text, 20),
		column("category", report.Text, 16), column("status", report.Text, 12), column("priority", report.Text, 10),
		column("created", report.Instant, 19), column("respondBy", report.Instant, 19), column("responded", report.Instant, 19),
		column("resolveBy", report.Instant, 19), column("resolved", report.Instant, 19),
	},
	each: ticketRows,
}

func ticketRows(ctx context.Context, b *building) (report.Summary, error) {
	byStatus, done := newSeries(), 0
	for _, s := range []entTicket.Status{entTicket.StatusOpen, entTicket.StatusInProgress, entTicket.StatusResolved, entTicket.StatusClosed} {
		byStatus.declare(string(s), b.words.of("ticket."+string(s)))
	}
	zone := shift.ZoneNamed(b.zone)
	from, to := b.period.From.In(zone), b.period.To.AddDays(1).In(zone)
	q := ent.FromContext(ctx).Ticket.Query().Where(entTicket.Or(
		entTicket.And(entTicket.CreatedAtGTE(from), entTicket.CreatedAtLT(to)), entTicket.And(entTicket.ResolvedAtGTE(from), entTicket.ResolvedAtLT(to)),
	))
	if b.subject != nil {
		q.Where(entTicket.Or(entTicket.RequesterID(*b.subject), entTicket.AssigneeID(*b.subject)))
	}
	all, err := q.Clone().Count(ctx)
	if err != nil {
		return report.Summary{}, err
	}
	var last *ent.Ticket
	for {
		next := q.Clone().WithRequester().WithAssignee().WithCategory().Order(ent.Desc(entTicket.FieldCreatedAt, entTicket.FieldID)).Limit(pageSize)
		if last != nil {
			next.Where(entTicket.Or(entTicket.CreatedAtLT(last.CreatedAt), entTicket.And(entTicket.CreatedAt(last.CreatedAt), entTicket.IDLT(last.ID))))
		}
		list, err := next.All(ctx)
		if err != nil {
			return report.Summary{}, err
		}
		for _, t := range list {
			last = t
			byStatus.sums[string(t.Status)]++
			if err := b.row(b.ticket(t)...); err != nil {
				return report.Summary{}, err
			}
		}
		if done += len(list); len(list) < pageSize {
			break
		}
		if err := b.progress(done, all); err != nil {
			return report.Summary{}, err
		}
	}
	return report.Summary{Totals: byStatus.bars(report.Number, false), Chart: report.Chart{
		Title: b.words.of("ticketsByStatus"), Type: report.Number, Bars: byStatus.bars(report.Number, true),
	}}, nil
}

// ticket returns the cells of a ticket.
func (b *building) ticket(t *ent.Ticket) []cell {
	var assignee, category string
	if t.Edges.Assignee != nil {
		assignee = t.Edges.Assignee.Name
	}
	if t.Edges.Category != nil {
		category = t.Edges.Category.Name
	}
	return []cell{
		report.Count(t.Number), report.Of(t.Subject), report.Of(t.Edges.Requester.Name), report.Of(assignee), report.Of(category),
		report.Of(b.words.of("ticket." + string(t.Status))), report.Of(b.words.of("priority." + string(t.Priority))),
		report.At(t.CreatedAt), at(t.RespondBy), at(t.RespondedAt), at(t.ResolveBy), at(t.ResolvedAt),
	}
}
