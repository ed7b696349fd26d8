// Package definition reads and writes files that describe a company: its settings, organization, shifts
// and roles. A file is YAML or JSON; every element of it keeps the line where it stands.
package definition

import (
	"slices"

	"workforce/internal/setting"
)

// The sections of a file, in the order in which they are applied: each names only what stands before it.
const (
	Company      = "company"
	Roles        = "roles"
	Designations = "designations"
	Businesses   = "businesses"
	Sites        = "sites"
	Shifts       = "shifts"
	Rotations    = "rotations"
	LeaveTypes   = "leaveTypes"
	Holidays     = "holidays"
	Assignments  = "assignments"
)

// A Kind is what the values of a member are.
type Kind int

// The kinds. A member may be null only where its Field says so.
const (
	Text     Kind = iota // string
	Date                 // string, YYYY-MM-DD
	Integer              // int
	Number               // float64
	Boolean              // bool
	Integers             // []int
	Texts                // []string
	Gaps                 // []string of which some may be null, which is ""
	Object               // map[string]any
	Objects              // []map[string]any
)

// A Field is a member of an element.
type Field struct {
	Name     string
	Kind     Kind
	Required bool
	Null     bool     // may be null
	Allow    []string // texts that are accepted; nil for all
	Min, Max int      // of an integer of the JSON Schema; both 0 for none
	Of       []Field  // members of an object, or of each of a list
	Default  any      // what a new element has without it; nil for none, or where others decide
	Doc      string
}

// A Section is one member of a file.
type Section struct {
	Name   string
	Doc    string
	Fields []Field // of each element
	Single bool    // it is one object, and no list of them
}

// Field returns the field of a name; nil for none.
func (s *Section) Field(name string) *Field { return find(s.Fields, name) }

func find(fields []Field, name string) *Field {
	i := slices.IndexFunc(fields, func(f Field) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &fields[i]
}

// Sections returns the table of sections, in the order in which they are applied. Nobody changes it.
func Sections() []Section { return sections }

// SectionOf returns the section of a name; nil for none.
func SectionOf(name string) *Section {
	i := slices.IndexFunc(sections, func(s Section) bool { return s.Name == name })
	if i < 0 {
		return nil
	}
	return &sections[i]
}

func name(doc string) Field { return Field{Name: "name", Kind: Text, Required: true, Doc: doc} }

func parent(of string) Field {
	return Field{Name: "parent", Null: true, Doc: "Path of the " + of + " above it, as in A / B; " +
		"a backslash before a slash makes it part of a name."}
}

func active() Field {
	return Field{Name: "active", Kind: Boolean, Default: true, Doc: "False archives it."}
}

var position = []Field{
	{Name: "latitude", Kind: Number, Required: true, Doc: "Degrees, WGS 84."},
	{Name: "longitude", Kind: Number, Required: true, Doc: "Degrees, WGS 84."},
}

var sections = []Section{
	{Name: Company, Doc: "The company itself.", Single: true, Fields: []Field{
		{Name: "settings", Kind: Object, Of: settings(false),
			Doc: "Settings of the company; null brings the default back."},
	}},
	{Name: Roles, Doc: "Roles that are not built in.", Fields: []Field{
		name("1 to 100 characters, not those of a built-in role."),
		{Name: "permissions", Kind: Texts, Required: true, Doc: "As resource.action.scope."},
	}},
	{Name: Designations, Doc: "What people hold, as a tree.", Fields: []Field{
		name("1 to 100 characters."), parent("designation"),
		{Name: "description", Null: true, Doc: "At most 400 characters, in one line."},
	}},
	{Name: Businesses, Doc: "Where people work, as a tree.", Fields: []Field{
		name("1 to 100 characters."), parent("business"),
		{Name: "manager", Null: true, Doc: "E-mail address of an active person, whose team are the people in it and below."},
	}},
	{Name: Sites, Doc: "Work sites.", Fields: append(append([]Field{
		name("1 to 100 characters."),
		{Name: "address", Default: "", Doc: "Postal address, at most 500 characters."},
	}, position...),
		Field{Name: "radius", Kind: Integer, Null: true, Min: 25, Max: 50_000, Doc: "Metres; null means no limit."},
		Field{Name: "timezone", Null: true, Doc: "IANA name; null means the company's."},
		Field{Name: "points", Kind: Objects, Of: position,
			Doc: "Further positions of the site, at most 20: the nearest one counts."},
		Field{Name: "weeklyOffs", Kind: Integers, Null: true, Min: 1, Max: 7,
			Doc: "ISO weekdays on which nobody works there; null means the company's."},
		Field{Name: "business", Null: true, Doc: "Path of the business that it belongs to; null for the whole company."},
		Field{Name: "policies", Kind: Object, Of: settings(true),
			Doc: "Those that differ from the company's; null removes one."},
		active(),
	)},
	{Name: Shifts, Doc: "Working times.", Fields: []Field{
		name("1 to 100 characters."),
		{Name: "startTime", Required: true, Doc: "Wall time, HH:MM."},
		{Name: "endTime", Required: true, Doc: "Wall time, HH:MM; earlier than the start means the next day."},
		{Name: "timezone", Null: true, Doc: "IANA name; without one, that of the person's work site, else the company's."},
		minutes("opensBeforeMinutes",
			"Minutes before the start from which one may clock in; 60 by default, or what is left of 24 hours.", nil),
		minutes("closesAfterMinutes",
			"Minutes after the end until which one may clock in; 60 by default, or what is left of 24 hours.", nil),
		grace("lateGraceMinutes", "Minutes after the start that are not late; null means never judged."),
		grace("earlyGraceMinutes", "Minutes before the end that are not early; null means never judged."),
		minutes("halfDayBelowMinutes", "Worked minutes below which a day is half; 0 is off.", 0),
		minutes("absentBelowMinutes", "Worked minutes below which a day is absent; 0 is off.", 0),
		{Name: "breaks", Kind: Objects, Doc: "At most 10, within the shift, none over another.", Of: []Field{
			{Name: "start", Required: true, Doc: "Wall time, HH:MM."}, {Name: "end", Required: true, Doc: "Wall time, HH:MM."},
		}},
		minutes("breakMinutes", "Minutes of break that count as taken after breakAfterMinutes of work; 0 is none.", 0),
		minutes("breakAfterMinutes", "Minutes of work after which breakMinutes are deducted.", 0),
		{Name: "workingHours", Allow: []string{"first_last", "every_valid_pair"}, Default: "first_last",
			Doc: "How entries of a day add up."},
		{Name: "colour", Null: true, Doc: "#RRGGBB, for rosters."},
		active(),
	}},
	{Name: Rotations, Doc: "Sequences of shifts.", Fields: []Field{
		name("1 to 100 characters."),
		{Name: "days", Kind: Gaps, Required: true,
			Doc: "The name of the shift of each day, 1 to 56 of them; null is a day off."},
	}},
	{Name: LeaveTypes, Doc: "Types of leave.", Fields: []Field{
		name("1 to 100 characters."),
		{Name: "paid", Kind: Boolean, Default: true, Doc: "Whether the company pays for it."},
		{Name: "unit", Allow: []string{"day", "half_day", "hour"}, Default: "half_day",
			Doc: "The shortest leave of the type."},
		{Name: "yearlyAllowance", Kind: Number, Null: true,
			Doc: "Days a calendar year, 0 to 366 by halves; null is no limit."},
		{Name: "workFromHome", Kind: Boolean, Default: false, Doc: "People work on its days, at home."},
		active(),
	}},
	{Name: Holidays, Doc: "Days on which nobody works.", Fields: []Field{
		name("1 to 100 characters."),
		{Name: "date", Kind: Date, Required: true, Doc: "Local date."},
		{Name: "half", Kind: Boolean, Default: false, Doc: "Half of the day is worked."},
		{Name: "site", Null: true, Doc: "Name of the one work site where it holds; without it, the whole company."},
	}},
	{Name: Assignments, Doc: "Which shift, rotation or roles people have.", Fields: []Field{
		{Name: "email", Required: true, Doc: "E-mail address of an active person."},
		{Name: "shift", Doc: "Name of the shift; this, rotation or roles."},
		{Name: "rotation", Doc: "Name of the rotation; this, shift or roles."},
		{Name: "roles", Kind: Texts, Doc: "Names of all roles that the person is to have, at most 100, none the " +
			"owner's; alone beside the address of somebody who is no owner, and once for a person."},
		{Name: "startsOn", Kind: Date, Doc: "Of a shift or a rotation, which need it: first local date."},
		{Name: "endsOn", Kind: Date, Null: true,
			Doc: "Of a shift or a rotation: last local date; without one it goes on."},
		{Name: "weekdays", Kind: Integers, Min: 1, Max: 7,
			Doc: "Of a shift: ISO weekdays, 1 is Monday; every day when absent."},
		{Name: "everyWeeks", Kind: Integer, Min: 1, Max: 8, Default: 1,
			Doc: "Of a shift: every how many weeks, counted from the week of startsOn."},
		{Name: "firstDay", Kind: Integer, Min: 1, Max: 56, Default: 1,
			Doc: "Of a rotation: the day of the sequence that falls on startsOn."},
	}},
}

func minutes(name, doc string, standard any) Field {
	return Field{Name: name, Kind: Integer, Min: 0, Max: 1439, Default: standard, Doc: doc}
}

func grace(name, doc string) Field {
	f := minutes(name, doc, 0)
	f.Null = true
	return f
}

// settings returns the fields of the settings of a company, or of the policies of a work site.
func settings(policies bool) (fields []Field) {
	for _, s := range setting.All() {
		if policies && !s.Policy {
			continue
		}
		f := Field{Name: s.Name, Null: true, Doc: s.En, Default: s.Default}
		switch s.Kind {
		case setting.Number:
			f.Kind, f.Min, f.Max = Integer, s.Min, s.Max
		case setting.Switch:
			f.Kind = Boolean
		case setting.Choice:
			f.Allow = []string{setting.Block, setting.Flag, setting.Off}
		case setting.Weekdays:
			f.Kind, f.Min, f.Max = Integers, 1, 7
		case setting.Date:
			f.Kind = Date
		case setting.Names:
			f.Kind, f.Allow = Texts, s.Allow
		}
		if policies {
			f.Default = nil
		}
		fields = append(fields, f)
	}
	return fields
}
