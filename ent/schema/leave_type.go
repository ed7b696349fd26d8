package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/ent/entgql"
	"workforce/internal/viewer"
)

// LeaveType is a reason for which people of a company need not work, or work elsewhere.
type LeaveType struct{ ent.Schema }

// Mixin of the LeaveType.
func (LeaveType) Mixin() []ent.Mixin {
	return []ent.Mixin{Named{}, Owned{Access: viewer.Access{Resource: "organization", Directory: true}}, Audited{Name: "leave_type"}}
}

// Fields of the LeaveType.
func (LeaveType) Fields() []ent.Field {
	return []ent.Field{
		field.Bool("paid").Default(true).Comment("whether the company pays for it"),
		field.Enum("unit").Values("day", "half_day", "hour").Default("half_day").
			Comment("the shortest leave of the type; longer units are taken too"),
		field.Float("yearly_allowance").Optional().Nillable().Min(0).Annotations(unfiltered()).
			Comment("days that a person may take in a calendar year; null is no limit"),
		field.Bool("work_from_home").Default(false).Comment("people work on these days, at home: the days are work_from_home"),
		field.Bool("active").Default(true).Comment("false for one that nobody requests any more"),
	}
}

// Indexes of the LeaveType.
func (LeaveType) Indexes() []ent.Index {
	return []ent.Index{index.Fields("company_id", "sort_name").Unique()}
}

// Annotations of the LeaveType.
func (LeaveType) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField()}
}
