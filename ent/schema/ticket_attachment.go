package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/ent/entgql"
)

// TicketAttachment is a file of a ticket: a picture, or a file of a type that the company allows.
type TicketAttachment struct{ ent.Schema }

// Mixin of the TicketAttachment.
func (TicketAttachment) Mixin() []ent.Mixin {
	return []ent.Mixin{TicketPart{}, Audited{Name: "ticket_attachment"}}
}

// Fields of the TicketAttachment.
func (TicketAttachment) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable().Annotations(hidden()),
		field.String("name").Immutable().MaxRuneLen(200).Comment("of the file, as it was uploaded"),
		field.String("url").Immutable().MaxLen(2000).Annotations(hidden(), unaudited()).
			Comment("of the object in the file store"),
		field.Int("file_id").Optional().Nillable().Annotations(hidden(), unaudited(), storedFile()),
		field.String("content_type").Immutable().MaxLen(100).Comment("media type, by its content"),
		field.Int("size").Immutable().Comment("bytes"),
		field.Time("created_at").Immutable().SchemaType(instant),
	}
}

// Edges of the TicketAttachment.
func (TicketAttachment) Edges() []ent.Edge {
	return []ent.Edge{edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable().Comment("who uploaded it")}
}

// Indexes of the TicketAttachment.
func (TicketAttachment) Indexes() []ent.Index {
	return []ent.Index{index.Fields("ticket_id", "file_id").Unique(), index.Fields("file_id"), index.Fields("user_id")}
}

// Interceptors of the TicketAttachment.
func (TicketAttachment) Interceptors() []ent.Interceptor { return oldestFirst() }

// Annotations of the TicketAttachment.
func (TicketAttachment) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.Skip(entgql.SkipWhereInput), about("user_id")}
}
