package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/ent/entgql"
	"workforce/internal/setting"
)

// Company is one customer of the service. Nothing of it is seen by another.
type Company struct{ ent.Schema }

// Mixin of the Company.
func (Company) Mixin() []ent.Mixin { return []ent.Mixin{InDirectory{}, Audited{Name: "company"}} }

// Fields of the Company.
func (Company) Fields() []ent.Field {
	return []ent.Field{
		field.Int("version").Default(1).Annotations(unfiltered()).
			Comment("counts the changes of what updateCompany sets; an update may say which it is based on"),
		field.String("name").NotEmpty().MaxRuneLen(100),
		field.String("logo").Default("images/company.png").MaxLen(2000).Annotations(entgql.Type("FileLink")).
			Comment("the logo: a relative path, or a link that is signed for 86,400 s"),
		field.Int("logo_file_id").Optional().Nillable().Annotations(hidden(), unaudited(), storedFile()).
			Comment("the file of the logo; null for a logo that is not in the store"),
		field.String("timezone").MaxLen(64).Annotations(credential()).
			Comment("IANA name; where shift and address name none, days run in this zone"),
		field.String("locale").Default("id").MaxLen(16).Annotations(credential()).
			Comment("language of people who name none: id or en"),
		field.JSON("settings", setting.Values{}).Optional().SchemaType(text).Annotations(hidden(), credential()).
			Comment("those that differ from their defaults, by name"),
		field.Time("created_at").Immutable().SchemaType(instant).Annotations(hidden()),
	}
}

// Policy of the Company: its own people read it.
func (Company) Policy() ent.Policy { return ownCompanyPolicy() }

// Indexes of the Company.
func (Company) Indexes() []ent.Index { return []ent.Index{index.Fields("logo_file_id")} }

// Annotations of the Company.
func (Company) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.Skip(entgql.SkipWhereInput)}
}
