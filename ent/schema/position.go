package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/ent/entgql"
	"workforce/internal/viewer"
)

// Position is where a phone was at an instant: as its person reported it while on duty
// and with their consent, or as a clock event had it. Every read by others is audited.
type Position struct{ ent.Schema }

// Mixin of the Position: use cases alone write rows.
func (Position) Mixin() []ent.Mixin {
	return []ent.Mixin{Owned{Access: viewer.Access{Resource: "coordinate", Owner: "user_id", ReadOnly: true}}}
}

// Fields of the Position.
func (Position) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable().Annotations(entgql.MapsTo("userId"), entgql.Type("ID"), unfiltered()).
			Comment("whose position it is"),
		field.Time("recorded_at").Immutable().SchemaType(instant).Annotations(entgql.OrderField("RECORDED_AT")).
			Comment("when the phone was there"),
		field.Time("received_at").Immutable().SchemaType(instant).Annotations(unfiltered()).Comment("when the server heard of it"),
		field.Float("latitude").Immutable().Annotations(entgql.Type("Coordinate"), unfiltered()).Comment("degrees, WGS 84, as they were sent"),
		field.Float("longitude").Immutable().Annotations(entgql.Type("Coordinate"), unfiltered()).Comment("degrees, WGS 84, as they were sent"),
		field.Float("accuracy").Optional().Nillable().Immutable().Annotations(unfiltered()).
			Comment("metres, as the phone says; null where it did not"),
		field.Enum("source").Values("clock_in", "clock_out", "task", "report").Immutable().
			Comment("what the position came with; report is one that was reported by itself"),
		field.Enum("hidden").Values("invalid", "inaccurate", "impossible", "still").Optional().Nillable().Immutable().
			Comment("why the history leaves it out: not on Earth, less accurate than accuracyMeters, faster than speedKmh from the last shown one, " +
				"or within 10 m and 15 minutes of it; null where it is shown"),
	}
}

// Edges of the Position.
func (Position) Edges() []ent.Edge {
	return []ent.Edge{edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable()}
}

// Indexes of the Position.
func (Position) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("user_id", "recorded_at", "source").Unique(),
		index.Fields("company_id", "user_id", "recorded_at"),
		index.Fields("company_id", "recorded_at"), // what is older than the company keeps
	}
}

// Annotations of the Position.
func (Position) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField("coordinates"), erased("user_id")}
}
