package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/internal/viewer"
)

// File is what the database knows of an object in the file store. A company keeps
// the same bytes once, as long as a row names the file in a column with storedFile.
type File struct{ ent.Schema }

// Mixin of the File: only system jobs touch files; what people see of one is the
// link in the row that names it.
func (File) Mixin() []ent.Mixin { return []ent.Mixin{Owned{Access: viewer.Access{}}} }

// Fields of the File.
func (File) Fields() []ent.Field {
	return []ent.Field{
		field.String("name").Unique().Immutable().MaxLen(64).Comment("of the object in the store, drawn at random"),
		field.Bytes("digest").Optional().Nillable().MaxLen(32).SchemaType(digest).
			Comment("SHA-256 of the bytes; null once the object is being erased"),
		field.Int("size").Immutable().Comment("bytes"),
		field.String("media_type").Immutable().MaxLen(100),
		field.Int("width").Immutable().Default(0).Comment("pixels; 0 for what is no picture"),
		field.Int("height").Immutable().Default(0).Comment("pixels; 0 for what is no picture"),
		field.Int("uses").Default(0).Comment("changed with each use, so that using and erasing a file wait for each other"),
		field.Time("pending_since").Optional().Nillable().SchemaType(instant).
			Comment("since when the object waits to be named by a row, or to be erased; null while a row names it"),
		field.Time("created_at").Immutable().SchemaType(instant),
	}
}

// Indexes of the File.
func (File) Indexes() []ent.Index {
	return []ent.Index{index.Fields("company_id", "digest").Unique(), index.Fields("pending_since")}
}

// Annotations of the File.
func (File) Annotations() []schema.Annotation {
	return []schema.Annotation{hidden()}
}
