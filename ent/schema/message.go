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

// Message is one text to one person, written in the transaction of what it
// tells of and sent after it. Its text is sealed, and gone once it has arrived or
// expired, and that of a code once it failed.
type Message struct{ ent.Schema }

// Mixin of the Message.
func (Message) Mixin() []ent.Mixin {
	return []ent.Mixin{Owned{Access: viewer.Access{Resource: "message", Owner: "user_id", ReadOnly: true}}}
}

// Fields of the Message.
func (Message) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable().Annotations(hidden()),
		field.String("kind").Immutable().MaxLen(32).Comment("what it tells, such as login_code"),
		field.Enum("channel").Values("email", "sms", "whatsapp").Immutable(),
		field.String("destination").Immutable().MaxLen(254).Sensitive().Annotations(hidden(), exported()),
		field.String("sealed_text").Optional().Nillable().Sensitive().SchemaType(long).Annotations(hidden()).
			Comment("subject, text and HTML as JSON, sealed; null once it has arrived or expired, and of a code that failed"),
		field.Enum("status").Values("queued", "sent", "delivered", "read", "failed").Default("queued").Comment("queued until a carrier took it; the gateway reports the rest"),
		field.Int("attempts").Default(0).Annotations(unfiltered()).Comment("tries to hand it to a carrier, since the last failure that the gateway reported"),
		field.Int("failures").Default(0).Annotations(unfiltered()).Comment("failures that the gateway reported; the third is final"),
		field.Time("failed_at").Optional().Nillable().SchemaType(instant).Annotations(hidden()).Comment("when the last of them was reported"),
		field.Time("created_at").Immutable().SchemaType(instant).Annotations(entgql.OrderField("CREATED_AT")),
		field.Time("due_at").Optional().Nillable().SchemaType(instant).Annotations(hidden()).
			Comment("when it may be sent, or claimed again, or its text goes; null once nothing is left to do"),
		field.Time("expires_at").Immutable().SchemaType(instant).Comment("after this it is not sent any more"),
		field.Time("sent_at").Optional().Nillable().SchemaType(instant),
		field.Int("code_id").Optional().Nillable().Immutable().Annotations(hidden()).Comment("one-time code that it carries; a void one is not sent"),
		field.Int("about_id").Optional().Nillable().Immutable().Annotations(hidden()).Comment("person whom the text names, other than the one who gets it"),
		field.String("trace").Optional().Nillable().Immutable().MaxLen(55).Annotations(hidden()).
			Comment("traceparent of the work that wrote it; null without tracing"),
		field.String("error").Optional().Nillable().MaxLen(500).Annotations(unfiltered()).Comment("what the gateway said of the last failure"),
	}
}

// Edges of the Message.
func (Message) Edges() []ent.Edge {
	return []ent.Edge{edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable()}
}

// Indexes of the Message.
func (Message) Indexes() []ent.Index {
	return []ent.Index{index.Fields("status", "due_at"), index.Fields("company_id", "created_at"), index.Fields("about_id")}
}

// Annotations of the Message.
func (Message) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField(), erased("user_id"), mentions("about_id")}
}
