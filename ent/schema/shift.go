package schema

import (
	"entgo.io/contrib/entgql"
	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/internal/viewer"
)

// Shift is a pattern of working hours on one day. Editing it raises its
// version and moves no occurrence that exists.
type Shift struct{ ent.Schema }

// Mixin of the Shift.
func (Shift) Mixin() []ent.Mixin {
	return []ent.Mixin{Named{}, Owned{Access: viewer.Access{Resource: "shift", Directory: true}}, Audited{Name: "shift"}}
}

// Fields of the Shift.
func (Shift) Fields() []ent.Field {
	return []ent.Field{
		field.String("start_time").MaxLen(5).Annotations(unfiltered()).Comment("wall time of the start, HH:MM"),
		field.String("end_time").MaxLen(5).Annotations(unfiltered()).Comment("wall time of the end, HH:MM; not after the start means the next day"),
		field.String("timezone").Optional().Nillable().MaxLen(64).Comment("IANA name; null means the company's"),
		field.Int("opens_before_minutes").Default(60).Min(0).Annotations(unfiltered()).Comment("minutes before the start in which one may clock in"),
		field.Int("closes_after_minutes").Default(60).Min(0).Annotations(unfiltered()).Comment("minutes after the end in which one may clock in"),
		field.Int("late_grace_minutes").Optional().Nillable().Min(0).Annotations(unfiltered()).Comment("minutes after the start that are not late; null means never judged"),
		field.Int("early_grace_minutes").Optional().Nillable().Min(0).Annotations(unfiltered()).Comment("minutes before the end that are not early; null means never judged"),
		field.Int("half_day_below_minutes").Default(0).Min(0).Annotations(unfiltered()).Comment("worked minutes below which a day is half; 0 is off"),
		field.Int("absent_below_minutes").Default(0).Min(0).Annotations(unfiltered()).Comment("worked minutes below which a day is absent; 0 is off"),
		field.Strings("breaks").Optional().SchemaType(map[string]string{dialect.MySQL: "text", dialect.SQLite: "text"}).Annotations(hidden()).
			Comment("unpaid breaks in wall times, each as 12:00-13:00"),
		field.Enum("working_hours").Values("first_last", "every_valid_pair").Default("first_last").
			Comment("how entries of a day add up"),
		field.Int("version").Default(1).Annotations(unfiltered()).Comment("raised by every edit"),
	}
}

// Indexes of the Shift.
func (Shift) Indexes() []ent.Index {
	return []ent.Index{index.Fields("company_id", "sort_name")}
}

// Annotations of the Shift.
func (Shift) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField()}
}
