package plan

import (
	"context"
	"io"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"
)

// Append appends a value as JSON.
type Append[T any] func(to []byte, v T) []byte

// A Shape tells how values of a Go type become objects of a GraphQL type, as far
// as that is more than gqlgen's visit of field after field is worth: it then
// writes the same bytes. None of its fields can fail.
type Shape[T any] struct {
	Type    string
	Fields  map[string]Append[T]
	Objects map[string]Objects[T] // fields that are objects, or lists of them
}

// Objects compiles the selection of a field that is an object. It reports false
// where gqlgen must answer.
type Objects[T any] func(oc *graphql.OperationContext, f graphql.CollectedField) (Append[T], bool)

// compile compiles a selection.
func (s Shape[T]) compile(oc *graphql.OperationContext, f graphql.CollectedField) (Append[T], bool) {
	if !plain(f) {
		return nil, false
	}
	selected := graphql.CollectFields(oc, f.Selections, []string{s.Type})
	keys, parts := make([]string, len(selected)), make([]Append[T], len(selected))
	for i, f := range selected {
		keys[i], parts[i] = key(i == 0, f.Alias), s.Fields[f.Name]
		if f.Name == "__typename" {
			parts[i] = func(to []byte, _ T) []byte { return AppendString(to, s.Type) }
		}
		if object := s.Objects[f.Name]; object != nil {
			var ok bool
			if parts[i], ok = object(oc, f); !ok {
				return nil, false
			}
		}
		if parts[i] == nil || !plain(f) {
			return nil, false
		}
	}
	end := closing(len(selected))
	return func(to []byte, v T) []byte {
		for i, part := range parts {
			to = part(append(to, keys[i]...), v)
		}
		return append(to, end...)
	}, true
}

// One returns the Objects of a field that holds an object, or null where of
// returns nil.
func One[T, E any](s Shape[*E], of func(T) *E) Objects[T] {
	return func(oc *graphql.OperationContext, f graphql.CollectedField) (Append[T], bool) {
		object, ok := s.compile(oc, f)
		return func(to []byte, v T) []byte {
			if e := of(v); e != nil {
				return object(to, e)
			}
			return append(to, "null"...)
		}, ok
	}
}

// List returns the Objects of a field that holds a list of objects.
func List[T, E any](s Shape[E], of func(T) []E) Objects[T] {
	return func(oc *graphql.OperationContext, f graphql.CollectedField) (Append[T], bool) {
		object, ok := s.compile(oc, f)
		return func(to []byte, v T) []byte { return list(to, object, of(v)) }, ok
	}
}

func list[T any](to []byte, object Append[T], all []T) []byte {
	to = append(to, '[')
	for i, v := range all {
		if i > 0 {
			to = append(to, ',')
		}
		to = object(to, v)
	}
	return append(to, ']')
}

// Answer answers the field of ctx with a value, as its selection asks for it. It
// returns nil where gqlgen must answer.
func (s Shape[T]) Answer(ctx context.Context, v T) graphql.Marshaler {
	object, ok := s.compile(graphql.GetOperationContext(ctx), graphql.GetFieldContext(ctx).Field)
	if !ok {
		return nil
	}
	return written(object(nil, v))
}

// AnswerList is Answer for a field that holds a list.
func (s Shape[T]) AnswerList(ctx context.Context, all []T) graphql.Marshaler {
	object, ok := s.compile(graphql.GetOperationContext(ctx), graphql.GetFieldContext(ctx).Field)
	if !ok {
		return nil
	}
	return written(list(nil, object, all))
}

// written is an answer.
type written []byte

// MarshalGQL implements graphql.Marshaler.
func (b written) MarshalGQL(w io.Writer) { _, _ = w.Write(b) } // a write to a buffer

// Text is the Append of a text.
func Text[T any, S ~string](of func(T) S) Append[T] {
	return func(to []byte, v T) []byte { return AppendString(to, string(of(v))) }
}

// OptionalText is the Append of a text that may be nil.
func OptionalText[T any](of func(T) *string) Append[T] {
	return func(to []byte, v T) []byte {
		if text := of(v); text != nil {
			return AppendString(to, *text)
		}
		return append(to, "null"...)
	}
}

// Int is the Append of a whole number.
func Int[T any](of func(T) int) Append[T] {
	return func(to []byte, v T) []byte { return strconv.AppendInt(to, int64(of(v)), 10) }
}

// ID is the Append of an id.
func ID[T any](of func(T) int) Append[T] {
	return func(to []byte, v T) []byte {
		return append(strconv.AppendInt(append(to, '"'), int64(of(v)), 10), '"')
	}
}

// Float is the Append of a finite number, as fmt's %g writes it.
func Float[T any](of func(T) float64) Append[T] {
	return func(to []byte, v T) []byte { return strconv.AppendFloat(to, of(v), 'g', -1, 64) }
}

// Bool is the Append of a truth value.
func Bool[T any](of func(T) bool) Append[T] {
	return func(to []byte, v T) []byte { return strconv.AppendBool(to, of(v)) }
}

// OptionalBool is the Append of a truth value that may be nil.
func OptionalBool[T any](of func(T) *bool) Append[T] {
	return func(to []byte, v T) []byte {
		if b := of(v); b != nil {
			return strconv.AppendBool(to, *b)
		}
		return append(to, "null"...)
	}
}

// Instant is the Append of an instant, in its own zone, to the second.
func Instant[T any](of func(T) time.Time) Append[T] {
	return func(to []byte, v T) []byte { return append(of(v).AppendFormat(append(to, '"'), time.RFC3339), '"') }
}

// OptionalInstant is the Append of an instant that may be nil.
func OptionalInstant[T any](of func(T) *time.Time) Append[T] {
	return func(to []byte, v T) []byte {
		if t := of(v); t != nil {
			return append(t.AppendFormat(append(to, '"'), time.RFC3339), '"')
		}
		return append(to, "null"...)
	}
}
