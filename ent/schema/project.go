package schema

import (
	"context"
	"strings"

	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/ent/entgql"
	"workforce/internal/viewer"
)

// Project is what tasks and time belong to. Everybody in the company sees it; on one that
// is not open to all, only its members book time or are assigned.
type Project struct{ ent.Schema }

// Mixin of the Project.
func (Project) Mixin() []ent.Mixin {
	return []ent.Mixin{Named{}, Searched{}, Owned{Access: viewer.Access{Resource: "project", Directory: true}}, Audited{Name: "project"}}
}

// Fields of the Project.
func (Project) Fields() []ent.Field {
	return []ent.Field{
		field.String("code").Optional().Nillable().MaxLen(32).Comment("short name, unique in the company ignoring case"),
		field.String("code_key").Optional().Nillable().MaxLen(32).Annotations(hidden(), unaudited()).Comment("the code in lower case"),
		field.String("color").Optional().Nillable().MaxLen(7).Match(color).SchemaType(map[string]string{dialect.MySQL: "char(7)"}).
			Annotations(unfiltered()).Comment("colour, #rrggbb"),
		field.Enum("status").Values("active", "archived").Default("active").
			Comment("archived: it takes no new tasks and no new time"),
		field.String("starts_on").Optional().Nillable().MaxLen(10).SchemaType(date).Annotations(entgql.Type("Date")).
			Comment("first local date on which time may be booked on it; null means without a beginning"),
		field.String("ends_on").Optional().Nillable().MaxLen(10).SchemaType(date).Annotations(entgql.Type("Date")).
			Comment("last local date on which time may be booked on it; null means without an end"),
		field.Bool("open_to_all").Default(true).Comment("everybody in the company may book time on it and be assigned; else its members alone"),
		field.Int("budget_hours").Optional().Nillable().Min(1).Max(1_000_000).Annotations(unfiltered()).
			Comment("hours that may be spent on it; null means without a budget"),
		field.Int("tracked_seconds").Default(0).Annotations(hidden(), unaudited()).Comment("sum of the time entries that have ended"),
		field.Int("timers").Default(0).Annotations(hidden(), unaudited()).Comment("time entries on it that run"),
		field.Int64("timers_started").Default(0).Annotations(hidden(), unaudited()).
			Comment("sum of the starts of those that run, in seconds since 1970: with timers and tracked_seconds it makes the sum at any instant"),
		field.Int("entry_count").Default(0).Annotations(hidden(), unaudited()).Comment("time entries on it, running ones too"),
		field.Time("created_at").Immutable().SchemaType(instant).Annotations(entgql.OrderField("CREATED_AT")),
	}
}

// Edges of the Project.
func (Project) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("members", User.Type).Through("project_members", ProjectMember.Type).
			Comment("who may book time on it and be assigned, by name; where it is open to all, everybody else may too"),
	}
}

// Indexes of the Project.
func (Project) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("company_id", "status", "sort_name"),
		index.Fields("company_id", "code_key").Unique(),
	}
}

// Hooks of the Project keep code_key in step with the code.
func (Project) Hooks() []ent.Hook {
	return []ent.Hook{func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			if code, ok := m.Field("code"); ok {
				if err := m.SetField("code_key", strings.ToLower(code.(string))); err != nil {
					return nil, err
				}
			} else if m.FieldCleared("code") {
				if err := m.ClearField("code_key"); err != nil {
					return nil, err
				}
			}
			return next.Mutate(ctx, m)
		})
	}}
}

// Annotations of the Project.
func (Project) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField()}
}
