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

// ShiftVersion is the working time that a shift had from applies_from on, until the
// next version.
type ShiftVersion struct{ ent.Schema }

// Mixin of the ShiftVersion.
func (ShiftVersion) Mixin() []ent.Mixin {
	return []ent.Mixin{Owned{Access: viewer.Access{Resource: "shift", Directory: true}}, Audited{Name: "shift_version"}}
}

// Fields of the ShiftVersion.
func (ShiftVersion) Fields() []ent.Field {
	return append(workingTime(),
		field.Int("shift_id").Immutable().Annotations(hidden()),
		field.Int("version").Immutable(),
		field.String("applies_from").Immutable().MaxLen(10).SchemaType(date).Annotations(entgql.Type("Date")).Comment("first local date"),
	)
}

// Edges of the ShiftVersion.
func (ShiftVersion) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("shift", Shift.Type).Field("shift_id").Unique().Required().Immutable().Annotations(hidden(), entsql.OnDelete(entsql.NoAction)),
	}
}

// Indexes of the ShiftVersion.
func (ShiftVersion) Indexes() []ent.Index {
	return []ent.Index{index.Fields("shift_id", "applies_from").Unique()}
}

// Annotations of the ShiftVersion.
func (ShiftVersion) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.Skip(entgql.SkipWhereInput, entgql.SkipOrderField)}
}
