package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/ent/entgql"
	"workforce/internal/viewer"
)

// EmployeeShift is one occurrence of a shift: what one user is to work on one
// date. It keeps the hours and the clock-in window of the version of the shift
// that it was made from.
type EmployeeShift struct{ ent.Schema }

// Mixin of the EmployeeShift.
func (EmployeeShift) Mixin() []ent.Mixin {
	return []ent.Mixin{Owned{Access: viewer.Access{Resource: "shift", Owner: "user_id"}}}
}

// Fields of the EmployeeShift.
func (EmployeeShift) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable().Annotations(hidden()),
		field.Int("assignment_id").Optional().Nillable().Annotations(hidden()),
		field.Int("shift_id").Immutable().Annotations(hidden()),
		field.Int("shift_version").Annotations(hidden()),
		field.Enum("origin").Values("assignment", "planned_day", "rotation", "fallback").Default("assignment").Annotations(unfiltered()).
			Comment("what planned it"),
		field.String("name").MaxRuneLen(100).Annotations(unfiltered()).Comment("name of the shift"),
		field.String("date").Immutable().MaxLen(10).SchemaType(date).
			Annotations(entgql.Type("Date"), entgql.OrderField("DATE")).Comment("local date of the start"),
		field.Time("start_at").SchemaType(instant).Annotations(entgql.OrderField("START_AT")),
		field.Time("end_at").SchemaType(instant),
		field.Time("clock_in_from").SchemaType(instant).Comment("first instant at which one may clock in"),
		field.Time("clock_in_until").SchemaType(instant).Comment("last minute in which one may clock in"),
		field.Strings("breaks").Optional().SchemaType(map[string]string{dialect.MySQL: "text", dialect.SQLite: "text"}).Annotations(hidden()).
			Comment("unpaid breaks in wall times, each as 12:00-13:00"),
		field.Int("break_seconds").Annotations(unfiltered()).Comment("seconds of unpaid break"),
		field.Int("break_minutes").Default(0).Annotations(hidden()),
		field.Int("break_after_minutes").Default(0).Annotations(hidden()),
		field.Int("late_grace_minutes").Optional().Nillable().Annotations(hidden()),
		field.Int("early_grace_minutes").Optional().Nillable().Annotations(hidden()),
		field.Int("half_day_below_minutes").Default(0).Annotations(hidden()),
		field.Int("absent_below_minutes").Default(0).Annotations(hidden()),
		field.Enum("working_hours").Values("first_last", "every_valid_pair").Default("first_last").Annotations(hidden()),
		field.String("timezone").MaxLen(64).Annotations(unfiltered()).Comment("IANA name in which the wall times were read"),
		field.Time("evaluated_at").Optional().Nillable().SchemaType(instant).Annotations(hidden()).
			Comment("when its result was found; null until then"),
	}
}

// Edges of the EmployeeShift.
func (EmployeeShift) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable(),
		edge.To("assignment", ShiftAssignment.Type).Field("assignment_id").Unique().Annotations(entsql.OnDelete(entsql.NoAction)).
			Comment("null where something else planned it"),
		edge.To("shift", Shift.Type).Field("shift_id").Unique().Required().Immutable(),
		edge.From("attendances", Attendance.Type).Ref("employee_shift").Annotations(unfiltered()),
		edge.To("result", ShiftResult.Type).Unique().Annotations(unfiltered(), entsql.OnDelete(entsql.NoAction)).
			Comment("what it came to; null until that is known, and where the viewer does not read the person's attendance"),
	}
}

// Indexes of the EmployeeShift.
func (EmployeeShift) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("user_id", "date", "shift_id").Unique(),
		index.Fields("assignment_id"),
		index.Fields("company_id", "user_id", "date"),
		index.Fields("company_id", "evaluated_at", "clock_in_until"), // what has no result yet
	}
}

// Annotations of the EmployeeShift.
func (EmployeeShift) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField(), about("user_id")}
}
