package schema

import (
	"context"

	"entgo.io/ent"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/privacy"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/ent/entgql"
	"workforce/ent/intercept"
	entTicket "workforce/ent/ticket"
	"workforce/ent/ticketcomment"
	"workforce/internal/viewer"
)

// TicketComment is what somebody said about a ticket. An internal note is seen by those
// alone who handle the ticket.
type TicketComment struct{ ent.Schema }

// Mixin of the TicketComment.
func (TicketComment) Mixin() []ent.Mixin {
	return []ent.Mixin{TicketPart{}, Audited{Name: "ticket_comment"}}
}

// Fields of the TicketComment.
func (TicketComment) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable().Annotations(hidden()),
		field.String("text").MaxRuneLen(5000).SchemaType(long).Annotations(personal()),
		field.Bool("internal").Default(false).Immutable().Comment("whether it is a note for those who handle the ticket"),
		field.Time("created_at").Immutable().SchemaType(instant),
		field.Time("edited_at").Optional().Nillable().SchemaType(instant).Comment("when it was last changed; null where it was not"),
	}
}

// Edges of the TicketComment.
func (TicketComment) Edges() []ent.Edge {
	return []ent.Edge{edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable()}
}

// Indexes of the TicketComment.
func (TicketComment) Indexes() []ent.Index {
	return []ent.Index{index.Fields("ticket_id"), index.Fields("user_id")}
}

// Interceptors of the TicketComment.
func (TicketComment) Interceptors() []ent.Interceptor { return oldestFirst() }

// Annotations of the TicketComment.
func (TicketComment) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.Skip(entgql.SkipWhereInput), about("user_id")}
}

// Policy of the TicketComment, beside that of its ticket.
func (TicketComment) Policy() ent.Policy {
	return privacy.Policy{Query: privacy.QueryPolicy{internalNotes{}}}
}

// internalNotes hides internal notes from all but those who handle the ticket: who reads all
// tickets of the company, the assignee, and who has the requester or the assignee in their
// team. Of the last two the requester is none, whatever else they are in the ticket.
type internalNotes struct{}

// EvalQuery hides internal notes.
func (internalNotes) EvalQuery(ctx context.Context, q ent.Query) error {
	v := viewer.From(ctx)
	s := ticketParts.Access.Reads(v)
	if v.IsSystem() || s == viewer.All {
		return privacy.Skip
	}
	n, ok := q.(narrowed)
	if !ok {
		var err error
		if n, err = intercept.NewQuery(q); err != nil {
			return err
		}
	}
	n.WhereP(func(sel *sql.Selector) {
		handled := sql.Table(entTicket.Table).As("handled_tickets")
		rows := sql.Dialect(sel.Dialect()).Select(handled.C(entTicket.FieldID)).From(handled)
		rows.Where(sql.And(
			sql.EQ(handled.C(entTicket.FieldCompanyID), v.CompanyID),
			sql.NEQ(handled.C(entTicket.FieldRequesterID), v.Self()),
			tickets.named(rows, v, s, v.Key != 0),
		))
		sel.Where(sql.Or(sql.EQ(sel.C(ticketcomment.FieldInternal), false), sql.In(sel.C(ticketcomment.FieldTicketID), rows)))
	})
	return privacy.Skip
}
