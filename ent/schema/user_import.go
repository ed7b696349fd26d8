package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// UserImport is an import of people that a job does: its file, until it ends, and what
// became of it.
type UserImport struct{ ent.Schema }

// Mixin of the UserImport.
func (UserImport) Mixin() []ent.Mixin { return []ent.Mixin{Internal{}} }

// Fields of the UserImport.
func (UserImport) Fields() []ent.Field {
	return []ent.Field{
		field.Int("company_id").Immutable(),
		field.Int("created_by").Immutable().Comment("user who asked for it"),
		field.Int("job_id").Optional().Nillable().Comment("job that does it"),
		field.Int("file_id").Optional().Nillable().Annotations(storedFile()).Comment("the table; null once the import ended"),
		field.Bool("dry_run").Immutable(),
		field.Bool("partial").Immutable(),
		field.Bool("invite").Immutable(),
		field.Int("people").Immutable().Comment("rows of the table, without its header"),
		field.Int("done_row").Default(0).Comment("row of the table up to which an import in parts is done"),
		field.Int("created").Default(0),
		field.Int("updated").Default(0),
		field.Int("fault_count").Default(0),
		field.String("faults").Optional().Nillable().SchemaType(long).Comment("JSON: the first 1,000, without texts"),
		field.Enum("outcome").Values("done", "failed", "cancelled").Optional().Nillable().Comment("null until it ends"),
		field.Time("created_at").Immutable().SchemaType(instant),
		field.Time("finished_at").Optional().Nillable().SchemaType(instant),
		field.Time("expires_at").SchemaType(instant).Comment("when the row goes, and with it the file"),
	}
}

// Indexes of the UserImport.
func (UserImport) Indexes() []ent.Index {
	return []ent.Index{index.Fields("company_id", "outcome"), index.Fields("file_id"), index.Fields("expires_at")}
}

// Annotations of the UserImport.
func (UserImport) Annotations() []schema.Annotation {
	return []schema.Annotation{unexported(), mentions("created_by")}
}
