package schema

import (
	"context"
	"regexp"
	"slices"

	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/mixin"

	"workforce/ent/entgql"
	"workforce/ent/intercept"
	"workforce/internal/textform"
	"workforce/internal/viewer"
)

// Owned makes the rows of an entity belong to one company: nobody else sees or
// changes them. Within the company, Access says who does.
type Owned struct {
	mixin.Schema
	Access viewer.Access
}

// Fields of Owned.
func (Owned) Fields() []ent.Field {
	return []ent.Field{
		field.Int("company_id").Immutable().Annotations(hidden(), unaudited()),
	}
}

// Edges of Owned.
func (Owned) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("company", Company.Type).Field("company_id").Unique().Required().Immutable().
			Annotations(hidden(), entsql.OnDelete(entsql.NoAction)),
	}
}

// Annotations of Owned.
func (o Owned) Annotations() []schema.Annotation {
	return []schema.Annotation{Facts{Access: &o.Access}}
}

// Policy of Owned.
func (o Owned) Policy() ent.Policy {
	switch {
	case o.Access.Task != "":
		return sharedPolicy(o.Access, tasks)
	case o.Access.Ticket != "":
		return sharedPolicy(o.Access, tickets)
	}
	return companyPolicy(o.Access)
}

// Internal marks the rows of an entity as the server's own: only system jobs
// (viewer.System) touch them, and GraphQL does not know them.
type Internal struct{ mixin.Schema }

// Policy of Internal.
func (Internal) Policy() ent.Policy { return systemPolicy() }

// Annotations of Internal.
func (Internal) Annotations() []schema.Annotation {
	return []schema.Annotation{hidden()}
}

// TaskPart makes the rows of an entity a part of a task: who sees or changes the task, sees
// or changes them.
type TaskPart struct{ mixin.Schema }

// taskParts is the access of the parts of tasks.
var taskParts = Owned{Access: viewer.Access{Resource: "task", Task: "task_id"}}

// Fields of TaskPart.
func (TaskPart) Fields() []ent.Field {
	return append(taskParts.Fields(), field.Int("task_id").Immutable().Annotations(hidden()))
}

// Edges of TaskPart.
func (TaskPart) Edges() []ent.Edge {
	return append(taskParts.Edges(), edge.To("task", Task.Type).Field("task_id").Unique().Required().Immutable().
		Annotations(hidden(), entsql.OnDelete(entsql.NoAction)))
}

// Annotations of TaskPart.
func (TaskPart) Annotations() []schema.Annotation { return taskParts.Annotations() }

// Policy of TaskPart.
func (TaskPart) Policy() ent.Policy { return taskParts.Policy() }

// TicketPart makes the rows of an entity a part of a ticket: who sees or changes the ticket,
// sees or changes them.
type TicketPart struct{ mixin.Schema }

// ticketParts is the access of the parts of tickets.
var ticketParts = Owned{Access: viewer.Access{Resource: "ticket", Ticket: "ticket_id"}}

// Fields of TicketPart.
func (TicketPart) Fields() []ent.Field {
	return append(ticketParts.Fields(), field.Int("ticket_id").Immutable().Annotations(hidden()))
}

// Edges of TicketPart.
func (TicketPart) Edges() []ent.Edge {
	return append(ticketParts.Edges(), edge.To("ticket", Ticket.Type).Field("ticket_id").Unique().Required().Immutable().
		Annotations(hidden(), entsql.OnDelete(entsql.NoAction)))
}

// Annotations of TicketPart.
func (TicketPart) Annotations() []schema.Annotation { return ticketParts.Annotations() }

// Policy of TicketPart.
func (TicketPart) Policy() ent.Policy { return ticketParts.Policy() }

// oldestFirst orders rows that are loaded along an edge by their ids.
func oldestFirst() []ent.Interceptor {
	return []ent.Interceptor{intercept.TraverseFunc(func(_ context.Context, q intercept.Query) error {
		q.Order(func(s *sql.Selector) { s.OrderBy(s.C("id")) })
		return nil
	})}
}

// edgesOldestFirst orders rows by their ids where the query of another type loads them along
// an edge. A list keeps its order: MariaDB would read all of a company by the primary key.
func edgesOldestFirst() []ent.Interceptor {
	return []ent.Interceptor{intercept.TraverseFunc(func(ctx context.Context, q intercept.Query) error {
		if outer := ent.QueryFromContext(ctx); outer != nil && outer.Type != q.Type() {
			q.Order(func(s *sql.Selector) { s.OrderBy(s.C("id")) })
		}
		return nil
	})}
}

// color is a colour as in CSS, #rrggbb.
var color = regexp.MustCompile("^#[0-9a-f]{6}$")

// hidden keeps a type, field or edge out of GraphQL.
func hidden() schema.Annotation { return entgql.Skip(entgql.SkipAll) }

// unfiltered keeps a field or edge out of GraphQL filters.
func unfiltered() schema.Annotation { return entgql.Skip(entgql.SkipWhereInput) }

// instant is a point in time, stored in UTC with microseconds.
var instant = map[string]string{dialect.MySQL: "datetime(6)"}

// date is a local date, 2006-01-02.
var date = map[string]string{dialect.MySQL: "char(10)"}

// long is text that outgrows a varchar.
var long = map[string]string{dialect.MySQL: "mediumtext"}

// text holds short JSON.
var text = map[string]string{dialect.MySQL: "text", dialect.SQLite: "text"}

// digest is 32 bytes, the size of SHA-256.
var digest = map[string]string{dialect.MySQL: "binary(32)"}

// Named rows have a name and are listed by it, ignoring case.
type Named struct{ mixin.Schema }

// Fields of Named.
func (Named) Fields() []ent.Field {
	return []ent.Field{
		field.String("name").NotEmpty().MaxRuneLen(100).Annotations(personal()).Comment("display name"),
		field.String("sort_name").SchemaType(map[string]string{dialect.MySQL: "varchar(400)"}).
			Annotations(entgql.OrderField("NAME"), entgql.Skip(entgql.SkipType, entgql.SkipWhereInput), unaudited(), personal()).
			Comment("the name case-folded: its byte order is the order of names on every database"),
	}
}

// Hooks of Named keep sort_name in step with name.
func (Named) Hooks() []ent.Hook { return []ent.Hook{derived("sort_name", textform.SortKey)} }

// Searched rows are found by the words of their name. It stands behind Named.
type Searched struct{ mixin.Schema }

// Fields of Searched.
func (Searched) Fields() []ent.Field {
	return []ent.Field{
		field.String("search_name").Optional().SchemaType(map[string]string{dialect.MySQL: "varchar(400)"}).
			Annotations(hidden(), unaudited(), personal()).Comment("the words of the name, without case and accents; null until the upgrade has read the name"),
	}
}

// Hooks of Searched keep search_name in step with name.
func (Searched) Hooks() []ent.Hook { return []ent.Hook{derived("search_name", textform.SearchKey)} }

// derived returns a hook that keeps a field in step with the name.
func derived(field string, of func(name string) string) ent.Hook {
	return func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			if name, ok := m.Field("name"); ok {
				if err := m.SetField(field, of(name.(string))); err != nil {
					return nil, err
				}
			}
			return next.Mutate(ctx, m)
		})
	}
}

// byName orders rows that are loaded along an edge, for which nobody else gives an
// order.
func byName() ent.Interceptor {
	return intercept.TraverseFunc(func(_ context.Context, q intercept.Query) error {
		q.Order(sortByName)
		return nil
	})
}

// linkedByName orders rows that one of the link tables leads to.
func linkedByName(links ...string) ent.Interceptor {
	return intercept.TraverseFunc(func(_ context.Context, q intercept.Query) error {
		q.WhereP(func(s *sql.Selector) { // a condition joins the link table, and comes before this one
			if slices.ContainsFunc(links, func(link string) bool { _, ok := s.JoinedTableView(link); return ok }) {
				sortByName(s)
			}
		})
		return nil
	})
}

func sortByName(s *sql.Selector) {
	if len(s.OrderColumns()) == 0 {
		s.OrderBy(s.C("sort_name"), s.C("id"))
	}
}
