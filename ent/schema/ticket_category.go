package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/index"

	"workforce/ent/entgql"
	"workforce/internal/viewer"
)

// TicketCategory is a kind of ticket, such as network.
type TicketCategory struct{ ent.Schema }

// Mixin of the TicketCategory.
func (TicketCategory) Mixin() []ent.Mixin {
	return []ent.Mixin{Named{}, Owned{Access: viewer.Access{Resource: "ticket", Directory: true}}, Audited{Name: "ticket_category"}}
}

// Indexes of the TicketCategory.
func (TicketCategory) Indexes() []ent.Index {
	return []ent.Index{index.Fields("company_id", "sort_name").Unique()}
}

// Annotations of the TicketCategory.
func (TicketCategory) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField("ticketCategories")}
}
