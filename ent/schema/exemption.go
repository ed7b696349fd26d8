package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/ent/entgql"
	"workforce/internal/viewer"
)

// Exemption frees a person from one rule of clock events until a day: its policy is off
// for them.
type Exemption struct{ ent.Schema }

// Mixin of the Exemption. Nobody exempts themselves: the use case decides who writes.
func (Exemption) Mixin() []ent.Mixin {
	return []ent.Mixin{
		Owned{Access: viewer.Access{Resource: "attendance", Owner: "user_id", ReadOnly: true}}, Audited{Name: "exemption"},
	}
}

// Fields of the Exemption.
func (Exemption) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable().Annotations(hidden()),
		field.Enum("rule").Values("geofence", "accuracy", "mock", "speed", "device", "face", "auto_close").Immutable().
			Comment("the rule that does not hold for the person; auto_close is what closes forgotten attendances before 16 hours"),
		field.String("ends_on").MaxLen(10).SchemaType(map[string]string{dialect.MySQL: "char(10)"}).
			Annotations(entgql.Type("Date"), entgql.OrderField("ENDS_ON")).Comment("last local date, by the date of the shift"),
		field.String("note").Optional().Nillable().MaxLen(1000).Annotations(unfiltered(), personal()).Comment("why"),
	}
}

// Edges of the Exemption.
func (Exemption) Edges() []ent.Edge {
	return []ent.Edge{edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable()}
}

// Indexes of the Exemption.
func (Exemption) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id", "rule").Unique(), index.Fields("company_id", "ends_on")}
}

// Annotations of the Exemption.
func (Exemption) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField(), erased("user_id")}
}
