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

// Leave is somebody's request not to work on some dates, or to work at home. Once it is
// approved, it frees them from the work of its dates.
type Leave struct{ ent.Schema }

// Mixin of the Leave.
func (Leave) Mixin() []ent.Mixin {
	return []ent.Mixin{Owned{Access: viewer.Access{Resource: "leave", Owner: "user_id"}}, Audited{Name: "leave"}}
}

// Fields of the Leave.
func (Leave) Fields() []ent.Field {
	fields := []ent.Field{
		field.Int("user_id").Immutable().Annotations(hidden()),
		field.Int("leave_type_id").Immutable().Annotations(hidden()),
		field.Bool("work_from_home").Default(false).Immutable().Annotations(unfiltered()).Comment("people work on its dates, at home: as the type said"),
		field.String("starts_on").Immutable().MaxLen(10).SchemaType(date).Annotations(entgql.Type("Date"), entgql.OrderField("STARTS_ON")).
			Comment("first local date"),
		field.String("ends_on").Immutable().MaxLen(10).SchemaType(date).Annotations(entgql.Type("Date")).Comment("last local date"),
		field.Bool("half").Default(false).Immutable().Annotations(unfiltered()).Comment("half of each date"),
		field.String("from_time").Optional().Nillable().Immutable().MaxLen(5).Annotations(unfiltered()).
			Comment("wall time on each date, HH:MM, for leave of some hours; null for others"),
		field.String("to_time").Optional().Nillable().Immutable().MaxLen(5).Annotations(unfiltered()).
			Comment("wall time, HH:MM; not after from_time means the next day"),
		field.Bool("include_holidays").Default(false).Immutable().Annotations(unfiltered()).Comment("holidays and weekly offs count too"),
		field.Strings("dates").SchemaType(long).Annotations(entgql.Type("[Date!]"), unfiltered()).Comment("local dates on which it applies"),
		field.Strings("skipped").Optional().SchemaType(long).Annotations(entgql.Type("[Date!]"), unfiltered()).
			Comment("local dates between the first and the last on which it does not apply: there is no work, or other leave"),
		field.String("reason").MaxLen(1000).Annotations(unfiltered(), personal()),
	}
	return append(fields, requested()...)
}

// requested returns the columns of requests that somebody decides.
func requested() []ent.Field {
	return []ent.Field{
		field.Enum("state").Values("pending", "approved", "refused", "cancelled", "expired").Default("pending"),
		field.String("decision_note").Optional().Nillable().MaxLen(1000).Annotations(unfiltered(), personal()).Comment("of who decided"),
		field.Int("decided_by").Optional().Nillable().Annotations(hidden()),
		field.Time("expires_at").SchemaType(instant).Annotations(unfiltered()).Comment("after which nobody decides any more"),
		field.Time("created_at").Immutable().SchemaType(instant).Annotations(entgql.OrderField("CREATED_AT")),
		field.Time("decided_at").Optional().Nillable().SchemaType(instant).Annotations(unfiltered()).
			Comment("when it was decided, cancelled or expired"),
	}
}

// Edges of the Leave.
func (Leave) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable(),
		edge.To("leave_type", LeaveType.Type).Field("leave_type_id").Unique().Required().Immutable(),
	}
}

// Indexes of the Leave.
func (Leave) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("company_id", "user_id", "ends_on"),
		index.Fields("company_id", "state", "starts_on"),
		index.Fields("state", "expires_at"),
	}
}

// Annotations of the Leave.
func (Leave) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField(), about("user_id"), mentions("decided_by")}
}
