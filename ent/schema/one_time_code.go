package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// OneTimeCode is a code that was sent to somebody, for one purpose on one
// device. A row whose user is null answers for an account that does not exist,
// so that asking for a code tells nobody whether it does.
type OneTimeCode struct{ ent.Schema }

// Mixin of the OneTimeCode.
func (OneTimeCode) Mixin() []ent.Mixin { return []ent.Mixin{Internal{}} }

// Fields of the OneTimeCode.
func (OneTimeCode) Fields() []ent.Field {
	return []ent.Field{
		field.Enum("purpose").Values("login", "reset", "first", "face").Immutable().
			Comment("face is for a request to register a face anew; first is for the first sign-in of an owner, on any device: device_id is 0"),
		field.Bytes("account").Immutable().SchemaType(digest).Comment("keyed digest of the name that was typed"),
		field.Int("user_id").Optional().Nillable().Immutable(),
		field.Int("device_id").Immutable(),
		field.String("request_id").Optional().Nillable().Unique().Immutable().MaxLen(15).
			SchemaType(map[string]string{dialect.MySQL: "char(15)"}).Comment("what names a reset to the app"),
		field.Bytes("digest").Immutable().SchemaType(digest).Comment("keyed digest of the code"),
		field.Int("attempts").Default(0).Comment("tries so far"),
		field.Time("created_at").Immutable().SchemaType(instant),
		field.Time("expires_at").Immutable().SchemaType(instant),
		field.Time("used_at").Optional().Nillable().SchemaType(instant),
		field.Int8("live").Optional().Nillable().Default(1).Comment("null once used or replaced: one code is live per typed name, purpose and device"),
		field.Time("voided_at").Optional().Nillable().SchemaType(instant).Comment("when a newer code took its place; one that is live is still tried, as a wrong one"),
	}
}

// Indexes of the OneTimeCode.
func (OneTimeCode) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("account", "purpose", "device_id", "live").Unique(),
		index.Fields("account", "created_at"),
		index.Fields("user_id", "purpose", "device_id"),
		index.Fields("expires_at"),
	}
}

// Annotations of the OneTimeCode.
func (OneTimeCode) Annotations() []schema.Annotation {
	return []schema.Annotation{cleaned("created_at", "expires_at"), erased("user_id"), unexported()}
}
