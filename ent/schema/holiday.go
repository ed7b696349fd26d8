package schema

import (
	"context"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/ent/entgql"
	"workforce/internal/viewer"
)

// Holiday is a date on which the people of a company, or of one of its addresses, need
// not work.
type Holiday struct{ ent.Schema }

// Mixin of the Holiday.
func (Holiday) Mixin() []ent.Mixin {
	return []ent.Mixin{Named{}, Owned{Access: viewer.Access{Resource: "organization", Directory: true}}, Audited{Name: "holiday"}}
}

// Fields of the Holiday.
func (Holiday) Fields() []ent.Field {
	return []ent.Field{
		field.String("date").MaxLen(10).SchemaType(date).
			Annotations(entgql.Type("Date"), entgql.OrderField("DATE")).Comment("local date"),
		field.Bool("half").Default(false).Comment("half of the day is worked"),
		field.Int("address_id").Optional().Nillable().Immutable().Annotations(hidden()),
		field.Int("place").Default(0).Immutable().Annotations(hidden(), unaudited()).Comment("the address, 0 for the whole company: part of unique keys"),
		field.String("uid").Optional().Nillable().MaxLen(255).Annotations(hidden()).
			Comment("of the event of the calendar file that it was imported from"),
	}
}

// Edges of the Holiday.
func (Holiday) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("address", Address.Type).Field("address_id").Unique().Immutable().Annotations(entsql.OnDelete(entsql.NoAction)).
			Comment("the one address where it holds; null for the whole company"),
	}
}

// Indexes of the Holiday.
func (Holiday) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("company_id", "date", "place", "sort_name").Unique(),
		index.Fields("company_id", "place", "uid", "date").Unique(),
	}
}

// Hooks of the Holiday keep place in step with the address.
func (Holiday) Hooks() []ent.Hook {
	return []ent.Hook{func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			if id, ok := m.Field("address_id"); ok && m.Op().Is(ent.OpCreate) {
				if err := m.SetField("place", id); err != nil {
					return nil, err
				}
			}
			return next.Mutate(ctx, m)
		})
	}}
}

// Annotations of the Holiday.
func (Holiday) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField()}
}
