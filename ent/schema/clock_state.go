package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/internal/viewer"
)

// ClockState is the row that every clock event of a user and every change of their
// shifts change first, so that these come one after the other on every database.
type ClockState struct{ ent.Schema }

// Mixin of the ClockState.
func (ClockState) Mixin() []ent.Mixin {
	return []ent.Mixin{Owned{Access: viewer.Access{Private: true, Owner: "user_id"}}}
}

// Fields of the ClockState.
func (ClockState) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable(),
		field.Int("events").Default(0).Comment("how many clock events and changes of shifts there were"),
		field.Int("timers").Default(0).Comment("how many timers of the person run"),
		field.String("planned_until").Optional().Nillable().MaxLen(10).SchemaType(date).
			Comment("last date for which occurrences were made; null where something changed since"),
		field.String("timezone").Optional().Nillable().MaxLen(64).
			Comment("IANA name, of the address where the user works; null means the company's"),
	}
}

// Edges of the ClockState.
func (ClockState) Edges() []ent.Edge {
	return []ent.Edge{edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable()}
}

// Indexes of the ClockState.
func (ClockState) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id").Unique(), index.Fields("planned_until")}
}

// Annotations of the ClockState.
func (ClockState) Annotations() []schema.Annotation {
	return []schema.Annotation{hidden(), about("user_id"), unexported()}
}
