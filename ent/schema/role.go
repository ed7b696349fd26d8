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

// Role is a named set of permissions.
type Role struct{ ent.Schema }

// Mixin of the Role.
func (Role) Mixin() []ent.Mixin {
	return []ent.Mixin{Named{}, Owned{Access: viewer.Access{Resource: "role", Directory: true}}, InDirectory{}, Audited{Name: "role"}}
}

// Fields of the Role.
func (Role) Fields() []ent.Field {
	return []ent.Field{
		field.String("builtin").Optional().Nillable().Immutable().MaxLen(16).Annotations(credential()).
			Comment("owner, admin, manager, supervisor or employee for a built-in role, whose permissions are fixed"),
		field.Strings("custom_permissions").Optional().SchemaType(map[string]string{dialect.MySQL: "text", dialect.SQLite: "text"}).Annotations(hidden(), credential()).
			Comment("of a role that is not built in, as resource.action.scope"),
	}
}

// Edges of the Role.
func (Role) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("users", User.Type).Ref("roles").Through("user_roles", UserRole.Type).Annotations(hidden()),
	}
}

// Indexes of the Role.
func (Role) Indexes() []ent.Index {
	return []ent.Index{index.Fields("company_id", "sort_name").Unique()}
}

// Interceptors of the Role.
func (Role) Interceptors() []ent.Interceptor { return []ent.Interceptor{byName()} }

// Annotations of the Role.
func (Role) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField()}
}
