package schema

import (
	"context"

	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/privacy"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/ent/entgql"
	"workforce/internal/audittrail"
	"workforce/internal/viewer"
)

// AuditEvent says who did what, when and from where. It is never changed.
type AuditEvent struct{ ent.Schema }

// Mixin of the AuditEvent.
func (AuditEvent) Mixin() []ent.Mixin {
	return []ent.Mixin{Owned{Access: viewer.Access{Resource: "audit", ReadOnly: true, People: true}}}
}

// Fields of the AuditEvent.
func (AuditEvent) Fields() []ent.Field {
	return []ent.Field{
		field.Int("actor_id").Optional().Nillable().Immutable().Annotations(hidden()),
		field.Int("api_key_id").Optional().Nillable().Immutable().Annotations(entgql.MapsTo("apiKeyId"), entgql.Type("ID")).
			Comment("the API key that did it in the actor's name; null for people"),
		field.String("action").Immutable().MaxLen(64).
			Comment("what was done, such as login.succeeded, password.reset, role.updated"),
		field.String("subject_type").Immutable().MaxLen(64).Comment("entity that it was done to, such as User"),
		field.Int("subject_id").Immutable().Annotations(entgql.MapsTo("subjectId"), entgql.Type("ID")).Comment("its id; 0 where it has none"),
		field.Time("at").Immutable().SchemaType(instant).Annotations(entgql.OrderField("AT")),
		field.String("address").Immutable().MaxLen(64).Annotations(personal()).Comment("network address of the request; empty for the server itself"),
		field.String("request_id").Immutable().MaxLen(128).Annotations(entgql.MapsTo("requestId"), personal()).Comment("X-Req-Id; empty for the server itself"),
		field.String("before").Optional().Nillable().Immutable().SchemaType(map[string]string{dialect.MySQL: "mediumtext"}).Annotations(unfiltered()).
			Comment("what was changed, as it was, JSON without secrets"),
		field.String("after").Optional().Nillable().Immutable().SchemaType(map[string]string{dialect.MySQL: "mediumtext"}).Annotations(unfiltered()).
			Comment("what was changed, as it became, JSON without secrets"),
	}
}

// Edges of the AuditEvent.
func (AuditEvent) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("actor", User.Type).Field("actor_id").Unique().Immutable().Annotations(entsql.OnDelete(entsql.NoAction)).
			Comment("who did it; null for the server itself, and for somebody who was not signed in"),
	}
}

// Indexes of the AuditEvent.
func (AuditEvent) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("company_id", "at"),
		index.Fields("company_id", "subject_type", "subject_id"),
	}
}

// Hooks of the AuditEvent keep it from being changed, by whomever. A system job deletes
// what is older than its company keeps (audit.WithExpiry).
func (AuditEvent) Hooks() []ent.Hook {
	return []ent.Hook{func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			if !m.Op().Is(ent.OpCreate) && !(m.Op().Is(ent.OpDelete) && viewer.From(ctx).IsSystem() && audittrail.Expires(ctx)) {
				return nil, privacy.Denyf("audit events are only added")
			}
			return next.Mutate(ctx, m)
		})
	}}
}

// Annotations of the AuditEvent.
func (AuditEvent) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField(), about("actor_id")}
}
