package schema

import (
	"slices"
	"strings"

	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"workforce/ent/entgql"
	"workforce/internal/verdict"
	"workforce/internal/viewer"
)

// Attendance is one worked interval of one employee, opened by clock-in and closed by
// clock-out. A user has at most one open: open_marker is null once closed.
//
// Each end keeps the instant, the wall time there, its offset and zone, where
// it came from, and the verdicts on it.
type Attendance struct{ ent.Schema }

// Mixin of the Attendance.
func (Attendance) Mixin() []ent.Mixin {
	return []ent.Mixin{Owned{Access: viewer.Access{Resource: "attendance", Owner: "user_id"}}}
}

// Fields of the Attendance.
func (Attendance) Fields() []ent.Field {
	fields := []ent.Field{
		field.Int("user_id").Immutable().Annotations(hidden()),
		field.Int("employee_shift_id").Immutable().Annotations(hidden()),
		field.Int("address_id").Annotations(hidden()),
		field.String("work_date").Immutable().MaxLen(10).SchemaType(date).
			Annotations(entgql.Type("Date"), entgql.OrderField("WORK_DATE")).
			Comment("local date of the shift's start"),
		field.Int8("open_marker").Optional().Nillable().Default(1).Annotations(hidden()),
		field.Bool("needs_confirmation").Default(false).Comment("closed by rule, and not yet confirmed"),
		field.Bool("auto_closed").Default(false).Comment("nobody clocked out: a rule closed it"),
		field.Enum("closing_rule").Values("hours", "shift_end", "cap", "clock_in").Optional().Nillable().Annotations(unfiltered()).
			Comment("what closed it: the expected hours and the tolerance, the end of the shift, the longest duration, or the next clock-in; " +
				"null where somebody clocked out"),
		field.Time("check_at").Optional().Nillable().SchemaType(instant).Annotations(hidden()).
			Comment("while it is open: when it is due for a reminder or to be closed; null before that was found out"),
		field.Int8("reminders").Default(0).Annotations(hidden()).Comment("reminders that were sent: 1 after the end of the shift, 2 at the longest duration"),
		field.Bool("face_matched").Optional().Nillable().Annotations(unfiltered()).
			Comment("whether the face of the clock-in matched; null when nothing was compared"),
	}
	fields = append(fields, append(faced("face", "clock-in"), faced("clocked_out_face", "clock-out")...)...)
	return slices.Concat(fields, clocked("clocked_in", true), reviewed("clocked_in"), clocked("clocked_out", false), reviewed("clocked_out"))
}

// faced returns the fields of the face that came with one end of a worked interval.
func faced(face, end string) []ent.Field {
	return []ent.Field{
		field.Enum(face+"_verdict").Values("none", "registered", "provisional", "unchecked", "match", "doubtful", "mismatch").Default("none").
			Annotations(unfiltered()).
			Comment("what became of the face that came with the " + end + "; unchecked in those of earlier releases"),
		field.Float(face+"_distance").Optional().Nillable().Annotations(unfiltered(), personal()).
			Comment("of the " + end + "'s face from the registered one: 0 for the same shape, at most 1; null when nothing was measured"),
		field.Int(face + "_version").Optional().Nillable().Annotations(unfiltered()).
			Comment("of the registered face that the " + end + "'s was compared with, or that it became"),
		field.Enum(face+"_policy").Values("block", "flag", "off").Optional().Nillable().Annotations(unfiltered()).
			Comment("by which the " + end + "'s face was judged; null without a face"),
		field.Bytes(face+"_digest").Optional().Nillable().SchemaType(digest).Annotations(hidden(), personal()).
			Comment("keyed digest of the landmarks, to recognize a replay"),
	}
}

// clocked returns the fields of one end of a worked interval. Those of the end that is
// always there are required. A correction changes its time; what was measured there never
// changes.
func clocked(end string, required bool) []ent.Field {
	at := field.Time(end + "_at").SchemaType(instant).Annotations(entgql.OrderField(strings.ToUpper(end) + "_AT"))
	local := field.String(end + "_local").MaxLen(19).Comment("wall time there, without offset").Annotations(unfiltered())
	offset := field.Int(end + "_offset").Comment("seconds east of UTC").Annotations(unfiltered())
	zone := field.String(end + "_zone").MaxLen(64).Comment("IANA name").Annotations(unfiltered())
	received := field.Time(end + "_received_at").SchemaType(instant).Annotations(hidden()).Comment("when the server heard of it")
	latitude := field.Float(end+"_latitude").Annotations(hidden(), personal()).Comment("degrees, WGS 84")
	longitude := field.Float(end+"_longitude").Annotations(hidden(), personal()).Comment("degrees, WGS 84")
	source := field.Enum(end+"_source").Values("app", "offline", "auto", "correction").
		Comment("where the time comes from").Annotations(unfiltered())
	geofence := field.Enum(end+"_geofence").Values("inside", "outside", "unlimited", "off").
		Comment("where the position lay against the work site").Annotations(unfiltered())
	if required {
		zone, received, geofence = zone.Immutable(), received.Immutable(), geofence.Immutable()
		latitude, longitude = latitude.Immutable(), longitude.Immutable()
	} else {
		at, local, offset, zone, received = at.Optional().Nillable(), local.Optional().Nillable(), offset.Optional().Nillable(), zone.Optional().Nillable(), received.Optional().Nillable()
		latitude, longitude, source, geofence = latitude.Optional().Nillable(), longitude.Optional().Nillable(), source.Optional().Nillable(), geofence.Optional().Nillable()
	}
	return []ent.Field{
		at, local, offset, zone, received, latitude, longitude, source, geofence,
		field.Time(end + "_recorded_at").Optional().Nillable().SchemaType(instant).Annotations(hidden()).
			Comment("when the phone says it was"),
		field.Float(end+"_accuracy").Optional().Nillable().Annotations(hidden(), personal()).Comment("metres, as the phone says"),
		field.Bool(end+"_mocked").Optional().Nillable().Annotations(hidden(), personal()).Comment("the phone says the position is made up"),
		field.Int(end+"_distance").Optional().Nillable().Annotations(unfiltered(), personal()).Comment("metres from the work site"),
		field.String(end+"_note").Optional().Nillable().MaxLen(1000).Annotations(unfiltered(), personal()),
		field.Strings(end + "_flags").Optional().SchemaType(map[string]string{dialect.MySQL: "text", dialect.SQLite: "text"}).
			Annotations(unfiltered()).Comment("what was noticed: outside, low_accuracy, mock, speed, offline, holiday, clock_skew, clock_untrusted, unpaired, no_face, shared_device, " +
			"other_shift, other_site, on_leave, face_flat, face_implausible, face_replayed, face_doubtful, face_mismatch"),
		field.Int(end+"_device_id").Optional().Nillable().Annotations(hidden(), personal()),
		field.JSON(end+"_verdict", verdict.Judged{}).Optional().SchemaType(text).Annotations(hidden(), personal()).
			Comment("what the event was judged by"),
	}
}

// reviewed returns the fields of the review of one end: flagged ones wait for it.
func reviewed(end string) []ent.Field {
	return []ent.Field{
		field.Enum(end+"_review").Values("none", "pending", "accepted", "rejected").Default("none").
			Comment("pending while flags of the event wait for a decision"),
		field.Int(end + "_reviewer_id").Optional().Nillable().Annotations(hidden()),
		field.Time(end + "_reviewed_at").Optional().Nillable().SchemaType(instant).Annotations(unfiltered()),
		field.String(end+"_review_note").Optional().Nillable().MaxLen(1000).Annotations(unfiltered(), personal()),
	}
}

// Edges of the Attendance.
func (Attendance) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable(),
		edge.To("employee_shift", EmployeeShift.Type).Field("employee_shift_id").Unique().Required().Immutable().
			Annotations(unfiltered()), // who sees an attendance need not see the shift
		edge.To("address", Address.Type).Field("address_id").Unique().Required(),
		edge.To("clocked_in_reviewer", User.Type).Field("clocked_in_reviewer_id").Unique().
			Annotations(unfiltered(), entsql.OnDelete(entsql.NoAction)).Comment("who decided about the clock-in"),
		edge.To("clocked_out_reviewer", User.Type).Field("clocked_out_reviewer_id").Unique().
			Annotations(unfiltered(), entsql.OnDelete(entsql.NoAction)).Comment("who decided about the clock-out"),
	}
}

// Indexes of the Attendance.
func (Attendance) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("user_id", "open_marker").Unique(),
		index.Fields("employee_shift_id", "user_id", "clocked_in_recorded_at").Unique(),
		index.Fields("open_marker", "check_at"), // what is open, by when it is due
		index.Fields("company_id", "user_id", "work_date"),
		index.Fields("company_id", "user_id", "clocked_out_at"),       // whether a clock event overlaps another attendance
		index.Fields("company_id", "work_date", "needs_confirmation"), // of everybody on a date, and what was forgotten
		index.Fields("company_id", "clocked_in_at"),
		index.Fields("company_id", "clocked_in_review", "clocked_in_at"),  // what waits for a decision
		index.Fields("company_id", "clocked_out_review", "clocked_in_at"), // as well
		index.Fields("company_id", "face_digest"),                         // whether an array of landmarks was sent before
		index.Fields("company_id", "clocked_out_face_digest"),
	}
}

// Interceptors of the Attendance.
func (Attendance) Interceptors() []ent.Interceptor { return edgesOldestFirst() }

// Annotations of the Attendance.
func (Attendance) Annotations() []schema.Annotation {
	return []schema.Annotation{entgql.RelayConnection(), entgql.QueryField(), about("user_id"),
		mentions("clocked_in_reviewer_id"), mentions("clocked_out_reviewer_id")}
}
