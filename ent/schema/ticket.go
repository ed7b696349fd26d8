package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/ent/entgql"
	"workforce/internal/viewer"
)

// Ticket is a request for help. Its requester, its assignee, and those who have one of them
// in scope see and change it; its followers see it.
type Ticket struct{ ent.Schema }

// Mixin of the Ticket.
func (Ticket) Mixin() []ent.Mixin {
	return []ent.Mixin{Owned{Access: viewer.Access{Resource: "ticket", Owner: "requester_id", Ticket: "id"}}, Audited{Name: "ticket"}}
}

// Fields of the Ticket.
func (Ticket) Fields() []ent.Field {
	return []ent.Field{
		field.Int("version").Default(1).Annotations(unfiltered()).
			Comment("counts the changes of what updateTicket sets, followers too; an update may say which it is based on"),
		field.Int("number").Immutable().Annotations(entgql.OrderField("NUMBER")).Comment("counts the tickets of the company from 1, without gaps"),
		field.Int("requester_id").Immutable().Annotations(hidden()),
		field.Int("assignee_id").Optional().Nillable().Annotations(hidden()),
		field.Int("category_id").Optional().Nillable().Annotations(hidden()),
		field.Int("duplicate_of_id").Optional().Nillable().Annotations(hidden()),
		field.String("subject").NotEmpty().MaxRuneLen(200),
		field.String("description").Optional().Nillable().MaxRuneLen(5000).SchemaType(long).Annotations(unfiltered()),
		field.Enum("status").Values("open", "in_progress", "resolved", "closed").Default("open"),
		field.Enum("priority").Values("low", "normal", "high", "urgent").Default("normal"),
		field.Time("respond_by").Optional().Nillable().SchemaType(instant).Annotations(entgql.OrderField("RESPOND_BY")).
			Comment("when it is to be answered; null where the company has no business hours"),
		field.Time("resolve_by").Optional().Nillable().SchemaType(instant).Annotations(entgql.OrderField("RESOLVE_BY")).
			Comment("when it is to be resolved; null while it is on hold, and where the company has no business hours"),
		field.Time("responded_at").Optional().Nillable().SchemaType(instant).
			Comment("when somebody but its requester first answered it or began to work on it; null while nobody did"),
		field.Time("resolved_at").Optional().Nillable().SchemaType(instant).Annotations(entgql.OrderField("RESOLVED_AT")).
			Comment("when it was resolved, or closed without that; null for one that is open or in progress"),
		field.Time("closed_at").Optional().Nillable().SchemaType(instant).Comment("null for one that is not closed"),
		field.Time("held_at").Optional().Nillable().SchemaType(instant).Comment("since when it is on hold, waiting for its requester; null for one that is not"),
		field.Int("response_told").Default(0).Annotations(hidden(), unaudited()).
			Comment("what was told of the response: 0 nothing, 1 that it is due soon, 2 that it is overdue"),
		field.Int("resolution_told").Default(0).Annotations(hidden(), unaudited()).Comment("the same of the resolution"),
		field.Time("alert_at").Optional().Nillable().SchemaType(instant).Annotations(hidden(), unaudited()).
			Comment("when there is more to tell of response or resolution; null for never"),
		field.Time("created_at").Immutable().SchemaType(instant).Annotations(entgql.OrderField("CREATED_AT")),
		field.Time("updated_at").SchemaType(instant).Annotations(entgql.OrderField("UPDATED_AT"), unaudited()),
	}
}

// Edges of the Ticket.
func (Ticket) Edges() []ent.Edge {
	none := entsql.OnDelete(entsql.NoAction)
	return []ent.Edge{
		edge.To("requester", User.Type).Field("requester_id").Unique().Required().Immutable().Comment("who asks for help"),
		edge.To("assignee", User.Type).Field("assignee_id").Unique().Annotations(none).Comment("who is to help; null for nobody yet"),
		edge.To("category", TicketCategory.Type).Field("category_id").Unique().Annotations(none),
		edge.To("duplicates", Ticket.Type).Annotations(hidden(), none).
			From("duplicate_of").Field("duplicate_of_id").Unique().Annotations(unfiltered()).
			Comment("the ticket with which it was merged; null for others, and where the viewer does not see that one"),
		edge.To("followers", User.Type).Through("ticket_followers", TicketFollower.Type).Comment("who is told of it beside requester and assignee, by name"),
		edge.From("comments", TicketComment.Type).Ref("ticket").Annotations(unfiltered()).
			Comment("the oldest first; internal notes for those alone who read all tickets, or who are the assignee or " +
				"have requester or assignee in their team, and are not the requester"),
		edge.From("attachments", TicketAttachment.Type).Ref("ticket").Annotations(unfiltered()).Comment("files, the oldest first"),
		edge.From("holds", TicketHold.Type).Ref("ticket").Annotations(unfiltered()).Comment("when the time until the resolution stood still, the oldest first"),
	}
}

// Indexes of the Ticket.
func (Ticket) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("company_id", "number").Unique(),
		index.Fields("company_id", "created_at"),
		index.Fields("company_id", "status", "created_at"),
		index.Fields("company_id", "resolved_at"),
		index.Fields("company_id", "category_id", "created_at"),
		index.Fields("requester_id", "created_at"),
		index.Fields("assignee_id", "created_at"),
		index.Fields("duplicate_of_id"),
		index.Fields("alert_at"),
	}
}

// Annotations of the Ticket.
func (Ticket) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField(), about("requester_id"), mentions("assignee_id")}
}
