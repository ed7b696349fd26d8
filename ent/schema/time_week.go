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

// TimeWeek is a week of somebody's time that they submitted. While it waits for a decision
// and once it is approved, nobody changes its entries; a rejected one is submitted again.
type TimeWeek struct{ ent.Schema }

// Mixin of the TimeWeek: use cases alone write rows.
func (TimeWeek) Mixin() []ent.Mixin {
	return []ent.Mixin{Owned{Access: viewer.Access{Resource: "time", Owner: "user_id", ReadOnly: true}}, Audited{Name: "time_week"}}
}

// Fields of the TimeWeek.
func (TimeWeek) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable().Annotations(entgql.MapsTo("userId"), entgql.Type("ID"), unfiltered()).Comment("whose week it is"),
		field.String("starts_on").Immutable().MaxLen(10).SchemaType(date).Annotations(entgql.Type("Date"), entgql.OrderField("STARTS_ON")).
			Comment("first local date, by the company's setting firstWeekday"),
		field.String("ends_on").Immutable().MaxLen(10).SchemaType(date).Annotations(entgql.Type("Date")).Comment("last local date"),
		field.Enum("state").Values("submitted", "approved", "rejected").Default("submitted"),
		field.Int("seconds").Comment("that were booked in the week when it was submitted last"),
		field.String("note").Optional().Nillable().MaxLen(1000).Annotations(unfiltered(), personal()).Comment("of the person"),
		field.String("decision_note").Optional().Nillable().MaxLen(1000).Annotations(unfiltered(), personal()).Comment("of who decided"),
		field.Int("decided_by").Optional().Nillable().Annotations(hidden()),
		field.Time("submitted_at").SchemaType(instant).Annotations(entgql.OrderField("SUBMITTED_AT")).Comment("last"),
		field.Time("decided_at").Optional().Nillable().SchemaType(instant).Annotations(unfiltered()),
	}
}

// Edges of the TimeWeek.
func (TimeWeek) Edges() []ent.Edge {
	return []ent.Edge{edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable()}
}

// Indexes of the TimeWeek.
func (TimeWeek) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id", "starts_on").Unique(), index.Fields("company_id", "state", "starts_on")}
}

// Annotations of the TimeWeek.
func (TimeWeek) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField("timeWeeks"), about("user_id"), mentions("decided_by")}
}
