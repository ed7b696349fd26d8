package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/ent/entgql"
	"workforce/internal/contact"
	"workforce/internal/setting"
	"workforce/internal/viewer"
)

// User is one person of a company: an employee, whatever else they may do.
type User struct{ ent.Schema }

// Mixin of the User: everybody in the company reads the directory.
func (User) Mixin() []ent.Mixin {
	return []ent.Mixin{Named{}, Searched{}, Owned{Access: viewer.Access{Resource: "user", Directory: true, Owner: "id"}}, InDirectory{}, Audited{Name: "user"}}
}

// Interceptors of the User: those of a project, a task, a comment or a ticket come by name.
func (User) Interceptors() []ent.Interceptor {
	return []ent.Interceptor{linkedByName("project_members", "task_assignees", "task_mentions", "ticket_followers")}
}

// Fields of the User.
func (User) Fields() []ent.Field {
	return []ent.Field{
		field.String("email").MaxLen(254).Annotations(personal()).Comment("e-mail address as typed"),
		field.String("email_key").Unique().MaxLen(254).Annotations(hidden(), unaudited(), personal()).
			Comment("e-mail address without case, unique in the installation: textform.EmailKey"),
		field.String("image").Default("images/avatar.png").MaxLen(2000).Annotations(entgql.Type("FileLink"), unfiltered(), personal()).
			Comment("the avatar: a relative path, or a link that is signed for 86,400 s"),
		field.Int("image_file_id").Optional().Nillable().Annotations(hidden(), unaudited(), storedFile(), personal()).
			Comment("the file of the avatar; null for an image that is not in the store"),
		field.String("mobile_number").GoType(contact.Number{}).Annotations(entgql.Type("MobileNumber"), unfiltered(), personal()).
			DefaultFunc(contact.NoNumber).
			Comment("phone number as it was entered"),
		field.String("phone").Optional().Nillable().Unique().MaxLen(20).Annotations(hidden(), personal()).
			Comment("verified number in E.164, unique in the installation"),
		field.String("gender").Optional().Nillable().MaxLen(16).Annotations(personal()).Comment("male or female"),
		field.String("salutation").Optional().Nillable().MaxLen(32).Annotations(personal()),
		field.String("locale").Default("id").MaxLen(16).Annotations(credential()).Comment("language: id or en"),
		field.String("password_hash").Optional().Nillable().Sensitive().MaxLen(255).Annotations(hidden(), personal()).
			Comment("argon2id in PHC form; null until the person chose one"),
		field.Bool("active").Default(true).Annotations(credential(), detail()).Comment("false once the person may not sign in any more"),
		field.Enum("message_channel").Values("email", "sms", "whatsapp").Optional().Nillable().Annotations(unfiltered(), detail(), personal()).
			Comment("how the person likes to be told things; null means e-mail"),
		field.String("stopped_whatsapp").Optional().Nillable().MaxLen(20).Sensitive().Annotations(hidden(), personal(), exported()).
			Comment("phone that takes no WhatsApp messages any more"),
		field.String("stopped_sms").Optional().Nillable().MaxLen(20).Sensitive().Annotations(hidden(), personal(), exported()).
			Comment("phone that takes no SMS any more"),
		field.String("stopped_email").Optional().Nillable().MaxLen(254).Sensitive().Annotations(hidden(), personal(), exported()).
			Comment("e-mail address that takes no mail any more"),
		field.String("joined_on").Optional().Nillable().MaxLen(10).SchemaType(date).
			Annotations(entgql.Type("Date"), unfiltered(), detail(), credential()).Comment("first day of work, local date"),
		field.String("left_on").Optional().Nillable().MaxLen(10).SchemaType(date).
			Annotations(entgql.Type("Date"), unfiltered(), detail(), credential()).Comment("last day of work, local date"),
		field.String("employee_number").Optional().Nillable().MaxLen(64).Annotations(unfiltered(), detail(), personal()).
			Comment("number of the person in the company's own records, unique in the company"),
		field.JSON("policies", setting.Policies{}).Optional().SchemaType(text).Annotations(hidden(), detail(), personal()).
			Comment("those that differ from the address's and the company's, by name"),
		field.Time("coordinate_consent_at").Optional().Nillable().SchemaType(instant).Annotations(unfiltered(), detail(), personal()).
			Comment("when the person allowed positions that their phone reports to be stored; null while they do not"),
		field.Int("business_id").Optional().Nillable().Annotations(hidden()),
		field.Time("created_at").Immutable().SchemaType(instant).Annotations(hidden()),
	}
}

// Edges of the User.
func (User) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("business", Business.Type).Field("business_id").Unique().Annotations(entsql.OnDelete(entsql.NoAction), detail()).
			Comment("the business the person works in"),
		edge.To("designations", Designation.Type).Through("user_designations", UserDesignation.Type).
			Comment("job titles, by name"),
		edge.To("roles", Role.Type).Through("user_roles", UserRole.Type).Annotations(detail()).
			Comment("roles, by name"),
		edge.From("business_history", BusinessPeriod.Type).Ref("user").Annotations(unfiltered(), detail()).
			Comment("the businesses that the person worked in, the oldest first"),
		edge.From("designation_history", DesignationPeriod.Type).Ref("user").Annotations(unfiltered(), detail()).
			Comment("the designations that the person held, the oldest first"),
		edge.From("projects", Project.Type).Ref("members").Through("project_members", ProjectMember.Type).Annotations(hidden()),
		edge.From("tasks", Task.Type).Ref("assignees").Through("task_assignees", TaskAssignee.Type).Annotations(hidden()),
		edge.From("task_comments", TaskComment.Type).Ref("mentions").Through("task_mentions", TaskMention.Type).Annotations(hidden()),
		edge.From("followed_tickets", Ticket.Type).Ref("followers").Through("ticket_followers", TicketFollower.Type).Annotations(hidden()),
	}
}

// Indexes of the User.
func (User) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("company_id", "active", "sort_name"),
		index.Fields("company_id", "business_id"),
		index.Fields("company_id", "employee_number").Unique(),
		index.Fields("image_file_id"),
	}
}

// Annotations of the User.
func (User) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField(), Facts{Details: []string{"manager", "managers"}}, about("id")}
}
