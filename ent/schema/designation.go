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

// Designation is a job title, in a tree: a head of office above supervisors.
type Designation struct{ ent.Schema }

// Mixin of the Designation.
func (Designation) Mixin() []ent.Mixin {
	return []ent.Mixin{Named{}, Owned{Access: viewer.Access{Resource: "organization", Directory: true}}, InDirectory{}, Audited{Name: "designation"}}
}

// Fields of the Designation.
func (Designation) Fields() []ent.Field {
	return []ent.Field{
		field.Int("parent_id").Optional().Nillable().Annotations(hidden()),
		field.String("description").Optional().Nillable().MaxRuneLen(400).Annotations(unfiltered()),
	}
}

// Edges of the Designation.
func (Designation) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("children", Designation.Type).Annotations(unfiltered(), entsql.OnDelete(entsql.NoAction)).
			From("parent").Field("parent_id").Unique(),
		edge.From("users", User.Type).Ref("designations").Through("user_designations", UserDesignation.Type).Annotations(hidden()),
	}
}

// Indexes of the Designation.
func (Designation) Indexes() []ent.Index {
	return []ent.Index{index.Fields("company_id", "sort_name"), index.Fields("parent_id")}
}

// Interceptors of the Designation.
func (Designation) Interceptors() []ent.Interceptor { return []ent.Interceptor{byName()} }

// Annotations of the Designation.
func (Designation) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField()}
}
