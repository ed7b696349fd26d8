package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/ent/entgql"
	"workforce/internal/revision"
	"workforce/internal/viewer"
)

// Correction is somebody's request to change the times of one of their attendances, or to
// add one that is missing. It keeps the attendance as it was before and after.
type Correction struct{ ent.Schema }

// Mixin of the Correction.
func (Correction) Mixin() []ent.Mixin {
	return []ent.Mixin{Owned{Access: viewer.Access{Resource: "correction", Owner: "user_id"}}, Audited{Name: "correction"}}
}

// Fields of the Correction.
func (Correction) Fields() []ent.Field {
	fields := []ent.Field{
		field.Int("user_id").Immutable().Annotations(hidden()),
		field.Int("employee_shift_id").Immutable().Annotations(hidden()),
		field.Int("attendance_id").Optional().Nillable().Annotations(hidden()),
		field.Int("address_id").Optional().Nillable().Immutable().Annotations(hidden()),
		field.String("date").Immutable().MaxLen(10).SchemaType(date).Annotations(entgql.Type("Date"), entgql.OrderField("DATE")).
			Comment("local date of the shift"),
		field.Time("clock_in_at").Optional().Nillable().Immutable().SchemaType(instant).Annotations(unfiltered()).
			Comment("the clock-in that is asked for; null where it is right"),
		field.Time("clock_out_at").Optional().Nillable().Immutable().SchemaType(instant).Annotations(unfiltered()).
			Comment("the clock-out that is asked for; null where it is right"),
		field.Bool("adds").Default(false).Immutable().Comment("it adds an attendance and changes none"),
		field.Time("covers_from").Immutable().SchemaType(instant).Annotations(hidden(), unaudited()).Comment("start of the attendance as it would be"),
		field.Time("covers_until").Immutable().SchemaType(instant).Annotations(hidden(), unaudited()).
			Comment("end of the attendance as it would be; for an open one the last instant of a day of work"),
		field.String("reason").MaxLen(1000).Annotations(unfiltered(), personal()),
		field.String("attachment").Optional().Nillable().MaxLen(2000).Annotations(entgql.Type("FileLink"), unfiltered(), personal()).
			Comment("a picture, as a link that is signed for 86,400 s; null for none, and once it was deleted"),
		field.Int("attachment_file_id").Optional().Nillable().Annotations(hidden(), unaudited(), storedFile(), personal()),
		field.JSON("before", revision.Version{}).Optional().SchemaType(text).Annotations(hidden()).
			Comment("the attendance when the request was approved; empty where there was none"),
		field.JSON("after", revision.Version{}).Optional().SchemaType(text).Annotations(hidden()).
			Comment("the attendance as the approval left it; empty until then"),
	}
	return append(fields, requested()...)
}

// Edges of the Correction.
func (Correction) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable(),
		edge.To("employee_shift", EmployeeShift.Type).Field("employee_shift_id").Unique().Required().Immutable().Annotations(unfiltered()),
		edge.To("attendance", Attendance.Type).Field("attendance_id").Unique().Annotations(unfiltered(), entsql.OnDelete(entsql.NoAction)).
			Comment("the one to change; null where one is to be added"),
		edge.To("address", Address.Type).Field("address_id").Unique().Immutable().Annotations(entsql.OnDelete(entsql.NoAction)).
			Comment("the work site that is asked for; null where it is right"),
	}
}

// Indexes of the Correction.
func (Correction) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("company_id", "user_id", "date"),
		index.Fields("company_id", "state", "created_at"),
		index.Fields("state", "expires_at"),
		index.Fields("attendance_id"),
		index.Fields("employee_shift_id"),
		index.Fields("attachment_file_id"),
	}
}

// Annotations of the Correction.
func (Correction) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField(), about("user_id"), mentions("decided_by")}
}
