// Package setting holds the settings of a company: one table of what each is called,
// what it may be, what it is by default and what it means. Their input, their
// validation, their place in GraphQL and their page come from the table.
package setting

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"workforce/internal/errs"
	"workforce/internal/shift"
	"workforce/internal/textform"
)

// A Kind is what the values of a setting are.
type Kind string

// The kinds.
const (
	Number   Kind = "number"   // a whole one from Min to Max
	Switch   Kind = "switch"   // true or false
	Choice   Kind = "choice"   // block, flag or off
	Country  Kind = "country"  // a code of ISO 3166
	Weekdays Kind = "weekdays" // of ISO, each once: Monday is 1
	Date     Kind = "date"     // local, 2006-01-02
	Zone     Kind = "zone"     // a name of the IANA time zone database
	Language Kind = "language" // id or en
	Names    Kind = "names"    // some of Allow, each once
)

// A Setting is one row of the table.
type Setting struct {
	Name     string
	Kind     Kind
	Min, Max int      // of a number
	Allow    []string // of names
	Default  any      // an int, bool, string, []int or []string; nil where the installation's flag holds
	En, ID   string
	// Policy is set for those that an address and a person may have of their own.
	Policy bool
}

// Values are the settings of one company that differ from their defaults, by name.
// They are shared: nobody changes them.
type Values map[string]any

// A Key is a setting whose values have the type T.
type Key[T any] struct{ *Setting }

// Of returns the setting's value of a company; the zero value for one that has
// neither a value nor a default.
func (k Key[T]) Of(v Values) T {
	if set, ok := v[k.Name].(T); ok {
		return set
	}
	none, _ := k.Default.(T)
	return none
}

// All returns the table.
func All() []*Setting { return slices.Clone(table) }

// Listed returns what a company may set, for its page: the zone and the language, which
// it always has, and the table.
func Listed() []*Setting { return append(slices.Clone(always), table...) }

// Find returns the setting of a name; nil for none.
func Find(name string) *Setting {
	i := slices.IndexFunc(table, func(s *Setting) bool { return s.Name == name })
	if i < 0 {
		return nil
	}
	return table[i]
}

// Check adds a fault on a field for a value that the setting may not have. Null, which
// brings the default back, is always accepted.
func (s *Setting) Check(faults *errs.Faults, field string, value any) {
	switch v := value.(type) {
	case int:
		if s.Kind == Number && (v < s.Min || v > s.Max) {
			faults.Add(field, errs.OutOfRange, errs.Meta{"min": s.Min, "max": s.Max})
		}
	case string:
		if s.Kind == Country && !textform.IsCountry(v) {
			faults.Add(field, errs.BadFormat, errs.Meta{"expected": "ID"})
		}
		if s.Kind == Date && !isDate(v) {
			faults.Add(field, errs.BadFormat, errs.Meta{"expected": "2026-01-31"})
		}
	case []int:
		CheckWeekdays(faults, field, v)
	case []string:
		s.checkNames(faults, field, v)
	}
}

// checkNames adds a fault for names of which one is not allowed, or is listed twice.
func (s *Setting) checkNames(faults *errs.Faults, field string, names []string) {
	for i, name := range names {
		switch {
		case !slices.Contains(s.Allow, name):
			faults.Add(field, errs.NotOneOf, errs.Meta{"allowed": s.Allowed()})
			return
		case slices.Contains(names[:i], name):
			faults.Add(field, errs.Twice, errs.Meta{"value": name})
			return
		}
	}
}

// CheckTogether adds a fault for a changed setting that contradicts another one; v are
// the values after the changes. The prefix stands in front of the names.
func (v Values) CheckTogether(faults *errs.Faults, prefix string, changes map[string]any) {
	if match, doubtful := FaceMatch.Of(v), FaceDoubtful.Of(v); match > doubtful {
		switch {
		case isSet(changes, FaceMatch.Name):
			faults.Add(prefix+FaceMatch.Name, errs.OutOfRange, errs.Meta{"min": FaceMatch.Min, "max": doubtful})
		case isSet(changes, FaceDoubtful.Name):
			faults.Add(prefix+FaceDoubtful.Name, errs.OutOfRange, errs.Meta{"min": match, "max": FaceDoubtful.Max})
		}
	}
	if start, end := SLAStart.Of(v), SLAEnd.Of(v); start >= end {
		switch {
		case isSet(changes, SLAEnd.Name):
			faults.Add(prefix+SLAEnd.Name, errs.OutOfRange, errs.Meta{"min": start + 1, "max": SLAEnd.Max})
		case isSet(changes, SLAStart.Name):
			faults.Add(prefix+SLAStart.Name, errs.OutOfRange, errs.Meta{"min": SLAStart.Min, "max": end - 1})
		}
	}
}

// isSet reports whether a setting is among changes.
func isSet(changes map[string]any, name string) bool {
	_, ok := changes[name]
	return ok
}

// isDate reports whether text is a date.
func isDate(text string) bool {
	_, err := shift.ParseDate(text)
	return err == nil
}

// CheckWeekdays adds a fault for days that are no days of ISO's week, or are listed
// twice.
func CheckWeekdays(faults *errs.Faults, field string, days []int) {
	seen := map[int]bool{}
	for _, day := range days {
		switch {
		case day < 1 || day > 7:
			faults.Add(field, errs.NotOneOf, errs.Meta{"allowed": "1, 2, 3, 4, 5, 6, 7"})
			return
		case seen[day]:
			faults.Add(field, errs.Twice, errs.Meta{"value": day})
			return
		}
		seen[day] = true
	}
}

// With returns the values with others in the place of their own. Null, and what is the
// default, are left out.
func (v Values) With(changes map[string]any) Values {
	out := Values{}
	for _, s := range table {
		value, changed := changes[s.Name]
		if !changed {
			value = v[s.Name]
		}
		if value != nil && !reflect.DeepEqual(value, s.Default) {
			out[s.Name] = value
		}
	}
	return out
}

// Get returns the value of a setting by its name; nil where the installation's flag
// holds.
func (v Values) Get(s *Setting) any {
	if set, ok := v[s.Name]; ok {
		return set
	}
	return s.Default
}

// UnmarshalJSON reads stored values. What this release does not know, or not with this
// type, is left out.
func (v *Values) UnmarshalJSON(text []byte) error {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		return err
	}
	*v = Values{}
	for _, s := range table {
		if value := s.read(raw[s.Name]); value != nil {
			(*v)[s.Name] = value
		}
	}
	return nil
}

// read returns the value that was stored; nil for none.
func (s *Setting) read(text json.RawMessage) any {
	switch s.Kind {
	case Number:
		return readAs[int](text)
	case Switch:
		return readAs[bool](text)
	case Weekdays:
		return readAs[[]int](text)
	case Choice, Country, Date:
		return readAs[string](text)
	case Names:
		return readAs[[]string](text)
	}
	return nil // zone and language are columns of their own
}

func readAs[T any](text json.RawMessage) any {
	if len(text) == 0 || string(text) == "null" {
		return nil
	}
	var value T
	if json.Unmarshal(text, &value) != nil {
		return nil
	}
	return value
}

// Type returns the type of the setting in GraphQL, as it is answered.
func (s *Setting) Type() string {
	name := map[Kind]string{
		Number: "Int", Switch: "Boolean", Choice: "PolicyAction", Country: "String", Weekdays: "[Int!]", Date: "Date",
		Names: "[String!]",
	}[s.Kind]
	if s.Default == nil {
		return name
	}
	return name + "!"
}

// InputType returns the type of the setting in GraphQL, as it is set.
func (s *Setting) InputType() string { return strings.TrimSuffix(s.Type(), "!") }

// Allowed says what the setting may be, for its page.
func (s *Setting) Allowed() string {
	switch s.Kind {
	case Number:
		return fmt.Sprintf("%d–%d", s.Min, s.Max)
	case Switch:
		return "true, false"
	case Choice:
		return Block + ", " + Flag + ", " + Off
	case Weekdays:
		return "1–7"
	case Zone:
		return "IANA time zone"
	case Language:
		return "id, en"
	case Date:
		return "YYYY-MM-DD"
	case Names:
		return strings.Join(s.Allow, ", ")
	default:
		return "ISO 3166"
	}
}

// Standard says what the setting is by default, for its page.
func (s *Setting) Standard() string {
	switch {
	case s.Default == nil:
		return "–"
	case s.Kind == Weekdays || s.Kind == Names:
		return strings.ReplaceAll(fmt.Sprint(s.Default), " ", ", ")
	}
	return fmt.Sprint(s.Default)
}
