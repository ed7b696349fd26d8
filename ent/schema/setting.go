package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
)

// Setting is a fact about the installation, such as the fingerprint of its key.
type Setting struct{ ent.Schema }

// Mixin of the Setting.
func (Setting) Mixin() []ent.Mixin { return []ent.Mixin{Internal{}} }

// Fields of the Setting.
func (Setting) Fields() []ent.Field {
	return []ent.Field{
		field.String("name").Unique().Immutable().MaxLen(64),
		field.String("value").MaxLen(255),
	}
}
