package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/ent/entgql"
	"workforce/internal/viewer"
)

// Shift is a pattern of working hours on one day. What it says holds from
// applies_from on; what it said before is in its former versions. An edit moves no
// occurrence that has an attendance.
type Shift struct{ ent.Schema }

// Mixin of the Shift.
func (Shift) Mixin() []ent.Mixin {
	return []ent.Mixin{Named{}, Owned{Access: viewer.Access{Resource: "shift", Directory: true}}, Audited{Name: "shift"}}
}

// Fields of the Shift.
func (Shift) Fields() []ent.Field {
	return append(workingTime(),
		field.String("applies_from").Default("0001-01-01").MaxLen(10).SchemaType(date).
			Annotations(entgql.Type("Date"), unfiltered()).Comment("first local date of the version that is shown; earlier dates have former versions"),
		field.String("colour").Optional().Nillable().MaxLen(7).Annotations(unfiltered()).Comment("#RRGGBB, for rosters"),
		field.Bool("active").Default(true).Comment("false for one that is archived: nobody is assigned it any more"),
		field.Int("version").Default(1).Annotations(unfiltered()).Comment("raised by every edit of the working time"),
	)
}

// workingTime returns the columns that each version of a shift has.
func workingTime() []ent.Field {
	return []ent.Field{
		field.String("start_time").MaxLen(5).Annotations(unfiltered()).Comment("wall time of the start, HH:MM"),
		field.String("end_time").MaxLen(5).Annotations(unfiltered()).Comment("wall time of the end, HH:MM; not after the start means the next day"),
		field.String("timezone").Optional().Nillable().MaxLen(64).Comment("IANA name; null means that of the person's work site, else the company's"),
		field.Int("opens_before_minutes").Default(60).Min(0).Annotations(unfiltered()).Comment("minutes before the start in which one may clock in"),
		field.Int("closes_after_minutes").Default(60).Min(0).Annotations(unfiltered()).Comment("minutes after the end in which one may clock in"),
		field.Int("late_grace_minutes").Optional().Nillable().Min(0).Annotations(unfiltered()).Comment("minutes after the start that are not late; null means never judged"),
		field.Int("early_grace_minutes").Optional().Nillable().Min(0).Annotations(unfiltered()).Comment("minutes before the end that are not early; null means never judged"),
		field.Int("half_day_below_minutes").Default(0).Min(0).Annotations(unfiltered()).Comment("worked minutes below which a day is half; 0 is off"),
		field.Int("absent_below_minutes").Default(0).Min(0).Annotations(unfiltered()).Comment("worked minutes below which a day is absent; 0 is off"),
		field.Strings("breaks").Optional().SchemaType(text).Annotations(hidden()).
			Comment("unpaid breaks in wall times, each as 12:00-13:00"),
		field.Int("break_minutes").Default(0).Min(0).Annotations(unfiltered()).
			Comment("minutes of unpaid break that count as taken once break_after_minutes were worked, whenever they were; 0 is none"),
		field.Int("break_after_minutes").Default(0).Min(0).Annotations(unfiltered()).Comment("minutes of work after which break_minutes are deducted"),
		field.Enum("working_hours").Values("first_last", "every_valid_pair").Default("first_last").
			Comment("how entries of a day add up: from the first clock-in to the last clock-out, or all that was clocked, where people clock out for breaks"),
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
