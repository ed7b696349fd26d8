package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// TicketFollower says that a user is told of a ticket, and sees it.
type TicketFollower struct{ ent.Schema }

// Mixin of the TicketFollower.
func (TicketFollower) Mixin() []ent.Mixin {
	return []ent.Mixin{TicketPart{}, Audited{Name: "ticket_follower"}}
}

// Fields of the TicketFollower.
func (TicketFollower) Fields() []ent.Field { return []ent.Field{field.Int("user_id").Immutable()} }

// Edges of the TicketFollower.
func (TicketFollower) Edges() []ent.Edge {
	return []ent.Edge{edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable()}
}

// Indexes of the TicketFollower.
func (TicketFollower) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("ticket_id", "user_id").Unique(),
		index.Fields("user_id", "ticket_id"),
	}
}

// Annotations of the TicketFollower.
func (TicketFollower) Annotations() []schema.Annotation {
	return []schema.Annotation{hidden(), erased("user_id")}
}
