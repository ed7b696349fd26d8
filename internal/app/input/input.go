// Package input checks and applies the members that the inputs of mutations have
// in common.
package input

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"entgo.io/ent/dialect/sql"
	"github.com/99designs/gqlgen/graphql"

	"workforce/internal/errs"
	"workforce/internal/textform"
	"workforce/internal/viewer"
)

const (
	maxName   = 100  // characters of the name of anything
	maxIDs    = 100  // of a list
	maxSearch = 1000 // characters; SQLite takes patterns of 50,000 bytes
	MaxWords  = 20   // words of a search
)

// An Omittable is a member that may be absent, null or given.
type Omittable[T any] = graphql.Omittable[T]

// Given returns a member with a value.
func Given[T any](v T) Omittable[T] { return graphql.OmittableOf(v) }

// DropNull makes null the same as absent.
func DropNull[T any](o Omittable[*T]) Omittable[*T] {
	if o.Value() == nil {
		return Omittable[*T]{}
	}
	return o
}

// DropNullList makes a list that is null the same as an absent one.
func DropNullList[T any](o Omittable[[]T]) Omittable[[]T] {
	if o.Value() == nil {
		return Omittable[[]T]{}
	}
	return o
}

// Referenced returns err, or NOT_FOUND on a field that names a row which the
// viewer does not see.
func Referenced(field string, found bool, err error) error {
	if err == nil && !found {
		return errs.Field(errs.NotFound, field, nil)
	}
	return err
}

// Renamed returns the id that an argument has under its name, or under the one that it had before.
// VALIDATION_FAILED on its name where neither is given, or both and they differ.
func Renamed(name string, id *int, before string, old *int) (int, error) {
	switch {
	case id != nil && old != nil && *id != *old:
		return 0, errs.Because(name, errs.Excludes, errs.Meta{"other": before})
	case id != nil:
		return *id, nil
	case old != nil:
		return *old, nil
	}
	return 0, errs.Because(name, errs.Required, nil)
}

// Name returns the name of something: Required text of at most 100 characters.
func Name(faults *errs.Faults, field string, name *string) string {
	return Required(faults, field, name, maxName)
}

// Required returns text as Line does, and adds a fault where it is missing or shows nothing.
func Required(faults *errs.Faults, field string, text *string, max int) string {
	line := Line(faults, field, text, max)
	if line == "" {
		faults.Add(field, errs.Required, nil)
	}
	return line
}

// Line returns text that is one line, in Unicode's composed form and without space around it;
// "" for nil and for text that shows nothing. It adds a fault for more than max characters, and
// for control characters.
func Line(faults *errs.Faults, field string, text *string, max int) string {
	trimmed := textform.Line(Value(text))
	switch {
	case utf8.RuneCountInString(trimmed) > max:
		faults.Add(field, errs.TooLong, errs.Meta{"max": max})
	case !textform.IsPlain(trimmed):
		faults.Add(field, errs.NotPlain, nil)
	}
	return shown(trimmed)
}

// Text returns text of several lines without space around it; "" for nil and for text that shows
// nothing. It adds a fault for more characters than max, and for control characters other than
// line breaks and tabs.
func Text(faults *errs.Faults, field string, text *string, max int) string {
	trimmed := strings.TrimSpace(strings.ReplaceAll(Value(text), "\r\n", "\n"))
	switch n := utf8.RuneCountInString(trimmed); {
	case n > max:
		faults.Add(field, errs.TooLong, errs.Meta{"max": max})
	case strings.ContainsFunc(trimmed, func(c rune) bool { return unicode.IsControl(c) && c != '\n' && c != '\t' }):
		faults.Add(field, errs.NotPlain, nil)
	}
	return shown(trimmed)
}

// shown returns text of which a reader sees something, "" for any other.
func shown(text string) string {
	if textform.Shows(text) {
		return text
	}
	return ""
}

// Search returns the condition that a column of keys (textform.SearchKey) has each word of a text,
// whole or as a part; what a sign joins, such as O'Brien, is one word. Blank text is no search,
// other text without a word finds nothing.
// VALIDATION_FAILED on field for more than 1,000 characters or 20 words.
func Search(field, text, column string) (func(*sql.Selector), error) {
	var words []string
	for _, word := range strings.Fields(text) {
		if key := textform.SearchKey(word); key != "" {
			words = append(words, key)
		}
	}
	switch {
	case utf8.RuneCountInString(text) > maxSearch:
		return nil, errs.Because(field, errs.TooLong, errs.Meta{"max": maxSearch})
	case len(words) > MaxWords:
		return nil, errs.Because(field, errs.TooMany, errs.Meta{"max": MaxWords})
	case len(words) == 0 && textform.Shows(text):
		return func(s *sql.Selector) { s.Where(sql.False()) }, nil
	}
	return func(s *sql.Selector) {
		var all []*sql.Predicate
		for _, word := range words {
			all = append(all, sql.Contains(s.C(column), word))
		}
		if len(all) > 0 {
			s.Where(sql.And(all...))
		}
	}, nil
}

// Person returns the id of a person whom a field names, the viewer's where it names none. API keys must name one.
func Person(me *viewer.Viewer, field string, named *int) (int, error) {
	switch {
	case named != nil:
		return *named, nil
	case me.Key != 0:
		return 0, errs.Because(field, errs.Required, nil)
	}
	return me.UserID, nil
}

// IDs returns the ids of a list in order, each once, and adds a fault for more than
// 100.
func IDs(faults *errs.Faults, field string, list Omittable[[]int]) []int {
	if len(list.Value()) > maxIDs {
		faults.Add(field, errs.TooMany, errs.Meta{"max": maxIDs})
	}
	return Distinct(list.Value())
}

// OneOf adds a fault for text that is none of those allowed, and for null unless
// nullable.
func OneOf(faults *errs.Faults, field string, text Omittable[*string], nullable bool, allowed ...string) {
	v, given := text.ValueOK()
	switch {
	case !given, v == nil && nullable:
	case v == nil:
		faults.Add(field, errs.Required, nil)
	case !slices.Contains(allowed, *v):
		faults.Add(field, errs.NotOneOf, errs.Meta{"allowed": strings.Join(allowed, ", ")})
	}
}

// Set sets a member that is given, or clears it where it is null.
func Set[T any](o Omittable[*T], set func(T), clear func()) {
	switch v, given := o.ValueOK(); {
	case !given:
	case v != nil:
		set(*v)
	case clear != nil:
		clear()
	}
}

// Value returns what p points to, the zero value for nil.
func Value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// Distinct returns ids in order, each once.
func Distinct(ids []int) []int {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	return slices.Compact(ids)
}

// NameTaken returns err, or a fault on name where err is that of a unique key.
func NameTaken(err error, isConstraint func(error) bool) error {
	if isConstraint(err) {
		return errs.Because("name", errs.AlreadyTaken, nil)
	}
	return err
}
