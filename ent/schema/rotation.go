package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/ent/entgql"
	"workforce/internal/viewer"
)

// Rotation is a named sequence of shifts, a day each, that begins anew after its last.
type Rotation struct{ ent.Schema }

// Mixin of the Rotation.
func (Rotation) Mixin() []ent.Mixin {
	return []ent.Mixin{Named{}, Owned{Access: viewer.Access{Resource: "shift", Directory: true}}, Audited{Name: "rotation"}}
}

// Fields of the Rotation.
func (Rotation) Fields() []ent.Field {
	return []ent.Field{
		field.Ints("days").SchemaType(text).Annotations(hidden()).Comment("the shift of each day of the sequence; 0 is a day off"),
	}
}

// Indexes of the Rotation.
func (Rotation) Indexes() []ent.Index {
	return []ent.Index{index.Fields("company_id", "sort_name").Unique()}
}

// Annotations of the Rotation.
func (Rotation) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField()}
}
