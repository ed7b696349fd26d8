package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/ent/entgql"
	"workforce/internal/geofence"
	"workforce/internal/setting"
	"workforce/internal/viewer"
)

// Address is a work site: where a company's people clock in and out.
type Address struct{ ent.Schema }

// Mixin of the Address.
func (Address) Mixin() []ent.Mixin {
	return []ent.Mixin{Named{}, Owned{Access: viewer.Access{Resource: "organization", Directory: true}}, Audited{Name: "address"}}
}

// Fields of the Address.
func (Address) Fields() []ent.Field {
	return []ent.Field{
		field.String("address").MaxLen(500).Comment("postal address"),
		field.Float("latitude").Min(-90).Max(90).Annotations(entgql.Type("Coordinate"), unfiltered()).Comment("degrees, WGS 84"),
		field.Float("longitude").Min(-180).Max(180).Annotations(entgql.Type("Coordinate"), unfiltered()).Comment("degrees, WGS 84"),
		field.Int("radius").Optional().Nillable().Min(25).Max(50_000).Annotations(unfiltered()).
			Comment("metres around the position within which one is at the site; null means no limit"),
		field.String("timezone").Optional().Nillable().MaxLen(64).Comment("IANA name; null means the company's"),
		field.JSON("points", []geofence.Point{}).Optional().SchemaType(text).Annotations(hidden()).
			Comment("further positions of the site, of which the nearest counts"),
		field.JSON("policies", setting.Policies{}).Optional().SchemaType(text).Annotations(hidden()).
			Comment("those that differ from the company's, by name"),
		field.Ints("weekly_offs").Optional().SchemaType(text).Annotations(unfiltered(), inherited()).
			Comment("days of the week on which nobody works there, by ISO; null means the company's, [] none"),
		field.Bool("active").Default(true).Comment("false for one that is archived: nobody clocks in there any more"),
		field.Enum("geofence_in").Values("block", "flag", "off").Default("block").Annotations(hidden()).
			Comment("read by the release before alone"),
		field.Enum("geofence_out").Values("block", "flag", "off").Default("flag").Annotations(hidden()).
			Comment("read by the release before alone"),
		field.Int("business_id").Optional().Nillable().Annotations(hidden()),
	}
}

// Edges of the Address.
func (Address) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("business", Business.Type).Field("business_id").Unique().Annotations(unfiltered(), entsql.OnDelete(entsql.NoAction)).
			Comment("the business that the site belongs to; null for one of the whole company"),
	}
}

// Indexes of the Address.
func (Address) Indexes() []ent.Index {
	return []ent.Index{index.Fields("company_id", "sort_name").Unique(), index.Fields("business_id")}
}

// Annotations of the Address.
func (Address) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField()}
}
