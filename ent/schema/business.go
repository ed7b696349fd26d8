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

// Business is a unit of a company: a branch, a department. Its manager leads
// the users in it and in every business below it: the team.
type Business struct{ ent.Schema }

// Mixin of the Business.
func (Business) Mixin() []ent.Mixin {
	return []ent.Mixin{Named{}, Searched{}, Owned{Access: viewer.Access{Resource: "organization", Directory: true}}, InDirectory{}, Audited{Name: "business"}}
}

// Fields of the Business.
func (Business) Fields() []ent.Field {
	return []ent.Field{
		field.Int("parent_id").Optional().Nillable().Annotations(hidden(), credential()),
		field.Int("manager_id").Optional().Nillable().Annotations(hidden(), credential()),
	}
}

// Edges of the Business.
func (Business) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("children", Business.Type).Annotations(unfiltered(), entsql.OnDelete(entsql.NoAction)).
			From("parent").Field("parent_id").Unique(),
		edge.To("manager", User.Type).Field("manager_id").Unique().Annotations(entsql.OnDelete(entsql.NoAction)),
		edge.From("users", User.Type).Ref("business").Annotations(hidden()),
		edge.From("addresses", Address.Type).Ref("business").Annotations(hidden()),
	}
}

// Indexes of the Business.
func (Business) Indexes() []ent.Index {
	return []ent.Index{index.Fields("company_id", "sort_name"), index.Fields("parent_id"), index.Fields("manager_id")}
}

// Interceptors of the Business.
func (Business) Interceptors() []ent.Interceptor { return []ent.Interceptor{byName()} }

// Annotations of the Business.
func (Business) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField(), mentions("manager_id")}
}
