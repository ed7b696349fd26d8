package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// TaskWord is one of the words of a task's title and description, by which it is found.
type TaskWord struct{ ent.Schema }

// Mixin of the TaskWord.
func (TaskWord) Mixin() []ent.Mixin { return []ent.Mixin{Internal{}} }

// Fields of the TaskWord.
func (TaskWord) Fields() []ent.Field {
	return []ent.Field{
		field.Int("company_id").Immutable(),
		field.Int("task_id").Immutable(),
		field.String("word").Immutable().MaxLen(160).Comment("folded, as attachment.Words returns it: its byte order is the same on every database"),
	}
}

// Indexes of the TaskWord.
func (TaskWord) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("task_id", "word").Unique(),
		index.Fields("company_id", "word", "task_id"),
	}
}
