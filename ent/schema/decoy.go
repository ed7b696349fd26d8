package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// Decoy is a row that is written for an unknown user name where a known one has an
// audit event or a message, so that both take the same work.
type Decoy struct{ ent.Schema }

// Mixin of the Decoy.
func (Decoy) Mixin() []ent.Mixin { return []ent.Mixin{Internal{}} }

// Fields of the Decoy.
func (Decoy) Fields() []ent.Field {
	return []ent.Field{
		field.String("text").Immutable().SchemaType(long).Comment("as long as that of the row that it stands for"),
		field.Time("created_at").Immutable().SchemaType(instant),
	}
}

// Indexes of the Decoy.
func (Decoy) Indexes() []ent.Index { return []ent.Index{index.Fields("created_at")} }

// Annotations of the Decoy.
func (Decoy) Annotations() []schema.Annotation { return []schema.Annotation{cleaned("created_at")} }
