package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/ent/entgql"
	"workforce/internal/viewer"
)

// ShiftResult is what one occurrence of a shift came to: whether the person was present,
// late or absent, and for how long they worked. It is written once the clock-in window is
// over and nothing is open; from then on a change of shift, holiday or setting does not
// change it. Whoever reads the person's attendance sees it.
type ShiftResult struct{ ent.Schema }

// Mixin of the ShiftResult: jobs and use cases alone write rows.
func (ShiftResult) Mixin() []ent.Mixin {
	return []ent.Mixin{Owned{Access: viewer.Access{Resource: "attendance", Owner: "user_id", ReadOnly: true}}}
}

// Fields of the ShiftResult.
func (ShiftResult) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable().Annotations(hidden()),
		field.Int("employee_shift_id").Immutable().Annotations(hidden()),
		field.String("date").Immutable().MaxLen(10).SchemaType(date).
			Annotations(entgql.Type("Date"), entgql.OrderField("DATE")).Comment("local date of the shift's start"),
		field.Enum("status").
			Values("none", "present", "half_day", "absent", "on_leave", "work_from_home", "holiday", "weekly_off", "needs_confirmation").
			Comment("what the occurrence counts as; none where nobody expected the person, needs_confirmation until the end that a rule gave is confirmed"),
		field.Bool("off").Default(false).Comment("there was work although none was expected, such as on a holiday"),
		field.Int("late_seconds").Default(0).Comment("seconds from the start of the shift to the first clock-in, where they are more than the grace"),
		field.Int("early_seconds").Default(0).Comment("seconds from the last clock-out to the end of the shift, where they are more than the grace"),
		field.Int("worked_seconds").Default(0).Comment("seconds worked, without breaks"),
		field.Int("expected_seconds").Default(0).Comment("seconds of work that were expected"),
		field.Int("overtime_seconds").Default(0).Comment("seconds of the work that are overtime of the date or of its week, confirmed work alone"),
		field.Time("evaluated_at").SchemaType(instant).Annotations(unfiltered()).Comment("when the result was found"),
	}
}

// Edges of the ShiftResult.
func (ShiftResult) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable(),
		edge.From("employee_shift", EmployeeShift.Type).Ref("result").Field("employee_shift_id").Unique().Required().Immutable().
			Annotations(unfiltered()), // who sees a result need not see the shift
	}
}

// Indexes of the ShiftResult.
func (ShiftResult) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("company_id", "user_id", "date"),
		index.Fields("company_id", "date"),
	}
}

// Annotations of the ShiftResult.
func (ShiftResult) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField(), about("user_id")}
}
