package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/internal/viewer"
)

// PersonExport is what a person asked to get of their own data: a job makes the file,
// which is deleted with the row. A person has one at a time.
type PersonExport struct{ ent.Schema }

// Mixin of the PersonExport: nobody but its owner ever reads it.
func (PersonExport) Mixin() []ent.Mixin {
	return []ent.Mixin{Owned{Access: viewer.Access{Private: true, Owner: "user_id"}}}
}

// Fields of the PersonExport.
func (PersonExport) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable(),
		field.Int("job_id").Optional().Nillable().Comment("job that makes the file"),
		field.Int("file_id").Optional().Nillable().Annotations(storedFile()).Comment("null until it is made"),
		field.Time("created_at").Immutable().SchemaType(instant),
		field.Time("finished_at").Optional().Nillable().SchemaType(instant).Comment("when the file was made"),
		field.Time("expires_at").SchemaType(instant).Comment("when the row goes, and with it the file"),
	}
}

// Edges of the PersonExport.
func (PersonExport) Edges() []ent.Edge {
	return []ent.Edge{edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable()}
}

// Indexes of the PersonExport.
func (PersonExport) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id").Unique(), index.Fields("file_id"), index.Fields("expires_at")}
}

// Annotations of the PersonExport.
func (PersonExport) Annotations() []schema.Annotation {
	return []schema.Annotation{hidden(), erased("user_id"), unexported()}
}
