package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/internal/viewer"
)

// WidgetToken has pages of one origin show one widget about one person, as the session or the API key
// that made it may, and no longer than that. Only its hash is stored.
type WidgetToken struct{ ent.Schema }

// Mixin of the WidgetToken.
func (WidgetToken) Mixin() []ent.Mixin { return []ent.Mixin{Owned{Access: viewer.Access{}}} }

// Fields of the WidgetToken.
func (WidgetToken) Fields() []ent.Field {
	return []ent.Field{
		field.Int("session_id").Optional().Nillable().Immutable().Comment("that made it, or"),
		field.Int("api_key_id").Optional().Nillable().Immutable().Comment("that did"),
		field.Int("person_id").Immutable().Comment("whom the widget is about"),
		field.Enum("widget").Values("timesheet", "tasks", "ticket").Immutable(),
		field.String("origin").Immutable().MaxLen(300).Comment("of the pages, such as https://intranet.example.com"),
		field.Bytes("hash").Unique().Immutable().SchemaType(digest),
		field.Time("issued_at").Immutable().SchemaType(instant),
		field.Time("expires_at").Immutable().SchemaType(instant),
	}
}

// Edges of the WidgetToken.
func (WidgetToken) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("session", Session.Type).Field("session_id").Unique().Immutable().Annotations(entsql.OnDelete(entsql.NoAction)),
		edge.To("api_key", APIKey.Type).Field("api_key_id").Unique().Immutable().Annotations(entsql.OnDelete(entsql.NoAction)),
	}
}

// Indexes of the WidgetToken.
func (WidgetToken) Indexes() []ent.Index { return []ent.Index{index.Fields("expires_at")} }

// Annotations of the WidgetToken.
func (WidgetToken) Annotations() []schema.Annotation {
	return []schema.Annotation{
		hidden(), cleaned("expires_at"), erasedWith("Session", "session_id"), mentions("person_id"), unexported(),
	}
}
