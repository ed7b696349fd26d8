package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// TicketWord is one of the words of a ticket's number, subject and description, by which
// it is found.
type TicketWord struct{ ent.Schema }

// Mixin of the TicketWord.
func (TicketWord) Mixin() []ent.Mixin { return []ent.Mixin{Internal{}} }

// Fields of the TicketWord.
func (TicketWord) Fields() []ent.Field {
	return []ent.Field{
		field.Int("company_id").Immutable(),
		field.Int("ticket_id").Immutable(),
		field.String("word").Immutable().MaxLen(160).Comment("folded, as attachment.Words returns it: its byte order is the same on every database"),
	}
}

// Indexes of the TicketWord.
func (TicketWord) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("ticket_id", "word").Unique(),
		index.Fields("company_id", "word", "ticket_id"),
	}
}

// TicketCounter holds the last number of a company's tickets and, under the negative id of the
// company, how many of them were merged.
type TicketCounter struct{ ent.Schema }

// Mixin of the TicketCounter.
func (TicketCounter) Mixin() []ent.Mixin { return []ent.Mixin{Internal{}} }

// Fields of the TicketCounter.
func (TicketCounter) Fields() []ent.Field {
	return []ent.Field{
		field.Int("id").Annotations(entsql.Annotation{Incremental: new(bool)}).Comment("that of the company"),
		field.Int("last").Comment("number of the company's last ticket; its transaction holds the row, so that no number is lost"),
	}
}
