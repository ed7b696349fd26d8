package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/ent/entgql"
)

// TicketHold is a time in which the clock of a ticket's resolution stood still.
type TicketHold struct{ ent.Schema }

// Mixin of the TicketHold.
func (TicketHold) Mixin() []ent.Mixin {
	return []ent.Mixin{TicketPart{}, Audited{Name: "ticket_hold"}}
}

// Fields of the TicketHold.
func (TicketHold) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable().Annotations(hidden()),
		field.Enum("kind").Values("waiting", "resolved").Immutable().
			Comment("waiting: for the requester; resolved: until the ticket was opened again"),
		field.String("reason").Optional().Nillable().Immutable().MaxRuneLen(250).Annotations(personal()).Comment("what is waited for; null where nobody said"),
		field.Time("started_at").Immutable().SchemaType(instant),
		field.Time("ended_at").Optional().Nillable().SchemaType(instant).Comment("null while it lasts"),
	}
}

// Edges of the TicketHold.
func (TicketHold) Edges() []ent.Edge {
	return []ent.Edge{edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable().Comment("who began it; of a resolved one who opened the ticket again")}
}

// Indexes of the TicketHold.
func (TicketHold) Indexes() []ent.Index {
	return []ent.Index{index.Fields("ticket_id"), index.Fields("user_id")}
}

// Interceptors of the TicketHold.
func (TicketHold) Interceptors() []ent.Interceptor { return oldestFirst() }

// Annotations of the TicketHold.
func (TicketHold) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.Skip(entgql.SkipWhereInput), about("user_id")}
}
