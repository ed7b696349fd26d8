package input

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"time"

	"workforce/ent"
	"workforce/internal/errs"
	"workforce/internal/geofence"
)

// A Difference is the members of an input in which a change and what is stored differ, by name: yours
// are the values of the change, theirs those that are stored, as clients see them. Its zero value is none.
type Difference struct{ yours, theirs errs.Meta }

// DifferenceOf returns what a mutation of one row would change. names are the names of the members, by
// column: columns without one are left out.
func DifferenceOf(ctx context.Context, m ent.Mutation, names map[string]string) (*Difference, error) {
	d := &Difference{}
	for _, column := range slices.Concat(m.Fields(), m.ClearedFields()) {
		name, shown := names[column]
		if !shown {
			continue
		}
		stored, err := m.OldField(ctx, column)
		if err != nil {
			return nil, err
		}
		value, set := m.Field(column)
		if !set { // it is cleared
			value = nil
		}
		d.Add(name, wireValue(value), wireValue(stored))
	}
	return d, nil
}

// Add adds a member, unless both values are the same.
func (d *Difference) Add(name string, yours, theirs any) {
	if reflect.DeepEqual(yours, theirs) {
		return
	}
	if d.yours == nil {
		d.yours, d.theirs = errs.Meta{}, errs.Meta{}
	}
	d.yours[name], d.theirs[name] = yours, theirs
}

// AddIDs adds a member that is a list of ids, of which the order says nothing; nil is null.
func (d *Difference) AddIDs(name string, yours, theirs []int) {
	d.Add(name, wireIDs(yours), wireIDs(theirs))
}

// AddMembers adds a member whose own members differ.
func (d *Difference) AddMembers(name string, of Difference) {
	if len(of.yours) > 0 {
		d.Add(name, of.yours, of.theirs)
	}
}

// Conflict returns VERSION_CONFLICT with the values that differ as yours and theirs, and other facts.
func (d *Difference) Conflict(facts errs.Meta) error {
	meta := errs.Meta{"yours": errs.Meta{}, "theirs": errs.Meta{}}
	if len(d.yours) > 0 {
		meta["yours"], meta["theirs"] = d.yours, d.theirs
	}
	maps.Copy(meta, facts)
	return errs.New(errs.VersionConflict, meta)
}

// CheckVersion returns VERSION_CONFLICT for a change that says that it is based on another version than
// the stored one, with both and with what compare returns.
func CheckVersion(sent Omittable[*int], stored int, compare func() (*Difference, error)) error {
	version := sent.Value()
	if version == nil || *version == stored {
		return nil
	}
	d, err := compare()
	if err != nil {
		return err
	}
	return d.Conflict(errs.Meta{"version": *version, "currentVersion": stored})
}

// wireValue returns the value of a column as clients see it; nil for null.
func wireValue(value any) any {
	v := reflect.ValueOf(value)
	if !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return nil
	}
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	switch value := v.Interface().(type) {
	case time.Time:
		return value.UTC().Format(time.RFC3339)
	case int:
		return strconv.Itoa(value)
	case float64:
		return geofence.FormatDegrees(value)
	default:
		return fmt.Sprint(value)
	}
}

// wireIDs returns ids as clients see them, in order; nil for nil.
func wireIDs(ids []int) any {
	if ids == nil {
		return nil
	}
	list := make([]string, len(ids))
	for i, id := range slices.Sorted(slices.Values(ids)) {
		list[i] = strconv.Itoa(id)
	}
	return list
}
