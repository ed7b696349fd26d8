package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/internal/viewer"
)

// ProjectMember says that a user may book time on a project and be assigned to its tasks.
type ProjectMember struct{ ent.Schema }

// Mixin of the ProjectMember.
func (ProjectMember) Mixin() []ent.Mixin {
	return []ent.Mixin{Owned{Access: viewer.Access{Resource: "project", Directory: true}}, Audited{Name: "project_member"}}
}

// Fields of the ProjectMember.
func (ProjectMember) Fields() []ent.Field {
	return []ent.Field{
		field.Int("project_id").Immutable(),
		field.Int("user_id").Immutable(),
	}
}

// Edges of the ProjectMember.
func (ProjectMember) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("project", Project.Type).Field("project_id").Unique().Required().Immutable().Annotations(entsql.OnDelete(entsql.NoAction)),
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable(),
	}
}

// Indexes of the ProjectMember.
func (ProjectMember) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("project_id", "user_id").Unique(),
		index.Fields("company_id", "user_id", "project_id"),
	}
}

// Annotations of the ProjectMember.
func (ProjectMember) Annotations() []schema.Annotation {
	return []schema.Annotation{hidden(), erased("user_id")}
}
