package entgql

import (
	"cmp"

	"entgo.io/ent/schema"
)

// An Annotation tells the generator, which reads it as JSON, what GraphQL makes of an entity,
// field or edge.
type Annotation struct {
	OrderField      string       `json:",omitempty"` // lists can be ordered by the field, under this name
	Unbind          bool         `json:",omitempty"` // the edge has another name in GraphQL
	Mapping         []string     `json:",omitempty"` // those names
	Type            string       `json:",omitempty"` // GraphQL's type
	Skip            SkipMode     `json:",omitempty"`
	RelayConnection bool         `json:",omitempty"` // the entity has connections
	QueryField      *FieldConfig `json:",omitempty"` // Query has a field for it
}

// A FieldConfig names a field of Query; "" is the name that the generator gives it.
type FieldConfig struct {
	Name string `json:",omitempty"`
}

// A SkipMode is a set of what is not generated.
type SkipMode int

// What may be left out. The bits are the generator's.
const (
	SkipType SkipMode = 1 << iota // the type or field
	_
	SkipOrderField // the orders of lists
	SkipWhereInput // the filters of lists
	_
	_

	SkipAll SkipMode = 1<<iota - 1
)

// OrderField has lists ordered by the field under a name, such as CREATED_AT.
func OrderField(name string) Annotation { return Annotation{OrderField: name} }

// MapsTo gives an edge other names.
func MapsTo(names ...string) Annotation { return Annotation{Mapping: names, Unbind: true} }

// Type gives a field a type, or an entity a name.
func Type(name string) Annotation { return Annotation{Type: name} }

// RelayConnection gives an entity connections.
func RelayConnection() Annotation { return Annotation{RelayConnection: true} }

// QueryField gives an entity a collection among the fields of Query, under a name of its own if
// one is given.
func QueryField(name ...string) Annotation {
	field := &FieldConfig{}
	if len(name) > 0 {
		field.Name = name[0]
	}
	return Annotation{QueryField: field}
}

// Skip leaves something out: all of it where none is named.
func Skip(modes ...SkipMode) (a Annotation) {
	if len(modes) == 0 {
		a.Skip = SkipAll
	}
	for _, mode := range modes {
		a.Skip |= mode
	}
	return a
}

// Name implements schema.Annotation: the name that the generator looks for.
func (Annotation) Name() string { return "EntGQL" }

// Merge implements schema.Merger: what other says comes first.
func (a Annotation) Merge(other schema.Annotation) schema.Annotation {
	b, ok := other.(Annotation)
	if !ok {
		return a
	}
	merged := Annotation{
		OrderField: cmp.Or(b.OrderField, a.OrderField), Type: cmp.Or(b.Type, a.Type), QueryField: cmp.Or(b.QueryField, a.QueryField),
		Mapping: a.Mapping, Skip: a.Skip | b.Skip, Unbind: a.Unbind || b.Unbind, RelayConnection: a.RelayConnection || b.RelayConnection,
	}
	if b.Mapping != nil {
		merged.Mapping = b.Mapping
	}
	if a.QueryField != nil && b.QueryField != nil {
		merged.QueryField = &FieldConfig{Name: cmp.Or(b.QueryField.Name, a.QueryField.Name)}
	}
	return merged
}
