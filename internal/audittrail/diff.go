package audittrail

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// A fact is a column of a row that may be told.
type fact struct {
	name  string
	field int // index in the struct
}

// facts are the facts of a struct, in the order of their names, by its type.
var facts sync.Map // []fact by reflect.Type

// factsOf returns the facts of a struct whose json tags name the columns and leave secrets
// out ("-"). The id and bytes are left out too.
func factsOf(t reflect.Type) []fact {
	if known, ok := facts.Load(t); ok {
		return known.([]fact)
	}
	var list []fact
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		bytes := f.Type == reflect.TypeFor[[]byte]()
		if f.IsExported() && name != "" && name != "-" && !bytes && name != "id" && name != "edges" {
			list = append(list, fact{name, i})
		}
	}
	slices.SortFunc(list, func(a, b fact) int { return strings.Compare(a.name, b.name) })
	facts.Store(t, list)
	return list
}

// Changed returns what differs between two states of a row, as JSON objects without the
// excluded columns: of a new row all there is, of one that is gone all there was. Both are
// nil where nothing differs; the one of no row is. A row is a pointer to a struct; nil for no row.
func Changed(before, after any, excluded []string) (was, is *string, err error) {
	old, now := reflect.Indirect(reflect.ValueOf(before)), reflect.Indirect(reflect.ValueOf(after))
	some := old
	if !some.IsValid() {
		some = now
	}
	if !some.IsValid() {
		return nil, nil, nil
	}
	var texts [2][]byte
	for _, f := range factsOf(some.Type()) {
		if slices.Contains(excluded, f.name) {
			continue
		}
		var values [2][]byte
		for i, row := range []reflect.Value{old, now} {
			if !row.IsValid() {
				continue
			}
			if values[i], err = json.Marshal(row.Field(f.field).Interface()); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", f.name, err)
			}
		}
		if bytes.Equal(values[0], values[1]) {
			continue
		}
		for i, value := range values {
			if value != nil {
				texts[i] = append(append(append(append(texts[i], `,"`...), f.name...), `":`...), value...)
			}
		}
	}
	return object(texts[0]), object(texts[1]), nil
}

// object returns members, each after a comma, as a JSON object; nil for none.
func object(members []byte) *string {
	if len(members) == 0 {
		return nil
	}
	return new("{" + string(members[1:]) + "}")
}
