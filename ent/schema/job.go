package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// Job is work that the server does by itself. A periodic job has one row, which is
// queued again for its next due time; a queued job has a row of its own, which ends
// as done, failed or cancelled.
type Job struct{ ent.Schema }

// Mixin of the Job.
func (Job) Mixin() []ent.Mixin { return []ent.Mixin{Internal{}} }

// Fields of the Job.
func (Job) Fields() []ent.Field {
	return []ent.Field{
		field.String("kind").Immutable().MaxLen(64).Comment("what it does, such as cleaning"),
		field.String("name").Optional().Nillable().Unique().MaxLen(191).
			Comment("the kind of a periodic job, the key of a queued one; null once that has ended"),
		field.Int("company_id").Default(0).Immutable().Comment("whose work it is; 0 for the server's own"),
		field.Int("created_by").Optional().Nillable().Immutable().Comment("user who asked for it"),
		field.String("payload").Optional().Nillable().Immutable().Sensitive().SchemaType(long).Comment("what it works on, JSON of at most 64 KiB"),
		field.String("trace").Optional().Nillable().Immutable().MaxLen(55).
			Comment("traceparent of the work that asked for it; null without tracing"),
		field.Enum("state").Values("queued", "running", "done", "failed", "cancelled").Default("queued"),
		field.Time("due_at").SchemaType(instant).Comment("when it was to run; of a periodic job the time on its grid"),
		field.Time("run_at").SchemaType(instant).Comment("not run before; later than due_at after a failure"),
		field.Int("attempts").Default(0).Comment("runs that began, since it was due"),
		field.String("lease_owner").Optional().Nillable().MaxLen(32).Comment("instance that runs it"),
		field.Time("lease_until").Optional().Nillable().SchemaType(instant).
			Comment("by the clock of the database; after this another instance may run it"),
		field.Bool("cancel").Default(false).Comment("whoever runs it is to stop"),
		field.Int("progress").Default(0).Comment("units of work that are done"),
		field.Int("total").Default(0).Comment("units of work in all; 0 while that is not known"),
		field.String("error_code").Optional().Nillable().MaxLen(64).Comment("of the last failure, until a run succeeds"),
		field.Time("created_at").Immutable().SchemaType(instant),
		field.Time("started_at").Optional().Nillable().SchemaType(instant).Comment("when it was last begun"),
		field.Time("finished_at").Optional().Nillable().SchemaType(instant).Comment("when a queued job ended"),
	}
}

// Indexes of the Job: of those that are due, of the last start of a company, and of
// those to delete.
func (Job) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("state", "company_id", "run_at"),
		index.Fields("company_id", "started_at"),
		index.Fields("finished_at"),
	}
}

// Annotations of the Job: it is deleted a week after its end.
func (Job) Annotations() []schema.Annotation {
	return []schema.Annotation{Facts{CleanedBy: []string{"finished_at"}, CleanedAfter: 7 * 24}, mentions("created_by")}
}
