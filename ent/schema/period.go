package schema

import (
	"context"

	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"entgo.io/ent/schema/mixin"

	"workforce/ent/entgql"
	"workforce/ent/intercept"
	"workforce/internal/viewer"
)

// Period is what the rows of a history have in common: whom it is about, and from which
// day to which it was so.
type Period struct{ mixin.Schema }

// Fields of Period.
func (Period) Fields() []ent.Field {
	day := map[string]string{dialect.MySQL: "char(10)"}
	return []ent.Field{
		field.Int("user_id").Immutable().Annotations(hidden()),
		field.String("name").MaxLen(400).Immutable().Comment("name at the beginning; what it named may be gone"),
		field.String("from").Optional().Nillable().Immutable().MaxLen(10).SchemaType(day).Annotations(entgql.Type("Date")).
			Comment("first day, local date of the company; null where it began before there was a history"),
		field.String("until").Optional().Nillable().MaxLen(10).SchemaType(day).Annotations(entgql.Type("Date")).
			Comment("last day, local date of the company; null while it lasts"),
		field.Int8("live").Optional().Nillable().Default(1).Annotations(hidden()).Comment("null once it ended"),
	}
}

// Edges of Period.
func (Period) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable().Annotations(hidden()),
	}
}

// Interceptors of Period: the oldest come first, wherever nobody else gives an order.
func (Period) Interceptors() []ent.Interceptor {
	return []ent.Interceptor{intercept.TraverseFunc(func(_ context.Context, q intercept.Query) error {
		q.Order(func(s *sql.Selector) { s.OrderBy(s.C("from"), s.C("id")) })
		return nil
	})}
}

// ofUser shows a history like the directory: the edges of the user that lead to it are
// details.
var ofUser = Owned{Access: viewer.Access{Resource: "user", Directory: true, Owner: "user_id"}}

// BusinessPeriod says from when to when a person worked in a business. One lasts at a
// time: it is the user's business.
type BusinessPeriod struct{ ent.Schema }

// Mixin of the BusinessPeriod.
func (BusinessPeriod) Mixin() []ent.Mixin { return []ent.Mixin{ofUser, Period{}, InDirectory{}} }

// Fields of the BusinessPeriod.
func (BusinessPeriod) Fields() []ent.Field {
	return []ent.Field{field.Int("business_id").Optional().Nillable().Annotations(hidden())}
}

// Edges of the BusinessPeriod.
func (BusinessPeriod) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("business", Business.Type).Field("business_id").Unique().Annotations(entsql.OnDelete(entsql.NoAction)).
			Comment("null once it was deleted"),
	}
}

// Indexes of the BusinessPeriod.
func (BusinessPeriod) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id", "live").Unique()}
}

// Annotations of the BusinessPeriod.
func (BusinessPeriod) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.Skip(entgql.SkipWhereInput), about("user_id")}
}

// DesignationPeriod says from when to when a person held a designation. Those that last
// are the user's designations.
type DesignationPeriod struct{ ent.Schema }

// Mixin of the DesignationPeriod.
func (DesignationPeriod) Mixin() []ent.Mixin { return []ent.Mixin{ofUser, Period{}, InDirectory{}} }

// Fields of the DesignationPeriod.
func (DesignationPeriod) Fields() []ent.Field {
	return []ent.Field{field.Int("designation_id").Optional().Nillable().Annotations(hidden())}
}

// Edges of the DesignationPeriod.
func (DesignationPeriod) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("designation", Designation.Type).Field("designation_id").Unique().Annotations(entsql.OnDelete(entsql.NoAction)).
			Comment("null once it was deleted"),
	}
}

// Indexes of the DesignationPeriod.
func (DesignationPeriod) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id", "designation_id", "live").Unique()}
}

// Annotations of the DesignationPeriod.
func (DesignationPeriod) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.Skip(entgql.SkipWhereInput), erased("user_id")}
}
