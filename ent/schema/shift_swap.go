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

// ShiftSwap is somebody's request to work another shift than the planned one: a
// colleague's, who then works theirs, or one that nobody works. The colleague agrees
// first, then a manager of the requester approves.
type ShiftSwap struct{ ent.Schema }

// Mixin of the ShiftSwap.
func (ShiftSwap) Mixin() []ent.Mixin {
	return []ent.Mixin{Owned{Access: viewer.Access{Resource: "shift", Owner: "user_id", Also: "colleague_id"}}, Audited{Name: "shift_swap"}}
}

// Fields of the ShiftSwap.
func (ShiftSwap) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable().Annotations(hidden()),
		field.String("date").Immutable().MaxLen(10).SchemaType(date).Annotations(entgql.Type("Date"), entgql.OrderField("DATE")).
			Comment("local date of the shift that is given away"),
		field.Int("shift_id").Immutable().Annotations(hidden()),
		field.Int("colleague_id").Optional().Nillable().Immutable().Annotations(hidden()),
		field.String("wanted_date").Immutable().MaxLen(10).SchemaType(date).Annotations(entgql.Type("Date"), unfiltered()).
			Comment("local date of the shift that is wanted"),
		field.Int("wanted_shift_id").Immutable().Annotations(hidden()),
		field.Enum("state").Values("asked", "agreed", "approved", "refused", "cancelled", "expired").Default("asked").
			Comment("asked: the colleague has not answered; agreed: it waits for a manager"),
		field.Int8("pending").Optional().Nillable().Default(1).Annotations(hidden(), unaudited()).
			Comment("null once decided: part of the key that allows one pending request for an occurrence"),
		field.String("note").Optional().Nillable().MaxLen(1000).Annotations(unfiltered(), personal()),
		field.String("decision_note").Optional().Nillable().MaxLen(1000).Annotations(unfiltered(), personal()),
		field.Int("decided_by").Optional().Nillable().Annotations(hidden()),
		field.Time("expires_at").SchemaType(instant).Annotations(unfiltered()).Comment("start of the earlier shift, after which nobody decides any more"),
		field.Time("created_at").Immutable().SchemaType(instant).Annotations(unfiltered()),
		field.Time("decided_at").Optional().Nillable().SchemaType(instant).Annotations(unfiltered()),
	}
}

// Edges of the ShiftSwap.
func (ShiftSwap) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable(),
		edge.To("shift", Shift.Type).Field("shift_id").Unique().Required().Immutable(),
		edge.To("colleague", User.Type).Field("colleague_id").Unique().Immutable().Annotations(entsql.OnDelete(entsql.NoAction)).
			Comment("with whom shifts are swapped; null where a free one is wanted"),
		edge.To("wanted_shift", Shift.Type).Field("wanted_shift_id").Unique().Required().Immutable(),
	}
}

// Indexes of the ShiftSwap.
func (ShiftSwap) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("user_id", "date", "shift_id", "pending").Unique(),
		index.Fields("company_id", "state", "expires_at"),
	}
}

// Annotations of the ShiftSwap.
func (ShiftSwap) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField(), about("user_id"), mentions("colleague_id"), mentions("decided_by")}
}
