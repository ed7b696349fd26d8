package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Facts are the columns of a row that may be told, by name, as JSON.
type Facts map[string]json.RawMessage

// FactsOf returns those of a row, a pointer to a struct whose json tags name the
// columns and leave secrets out ("-"). The id, bytes and excluded columns are left
// out too. No row (nil) has none.
func FactsOf(row any, excluded []string) (Facts, error) {
	facts := Facts{}
	v := reflect.ValueOf(row)
	if !v.IsValid() {
		return facts, nil
	}
	for f, value := range v.Elem().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		bytes := f.Type == reflect.TypeFor[[]byte]()
		if !f.IsExported() || name == "" || name == "-" || bytes || name == "id" || name == "edges" || slices.Contains(excluded, name) {
			continue
		}
		text, err := json.Marshal(value.Interface())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		facts[name] = text
	}
	return facts, nil
}

// Changed returns what differs between two states of a row, as JSON objects: of
// a new row all there is, of one that is gone all there was. Both are nil where
// nothing differs; the one of no row is.
func Changed(before, after any, excluded []string) (was, is *string, err error) {
	old, err := FactsOf(before, excluded)
	if err != nil {
		return nil, nil, err
	}
	now, err := FactsOf(after, excluded)
	if err != nil {
		return nil, nil, err
	}
	for name, value := range old {
		if bytes.Equal(value, now[name]) {
			delete(old, name)
			delete(now, name)
		}
	}
	if was, err = object(old); err != nil {
		return nil, nil, err
	}
	is, err = object(now)
	return was, is, err
}

func object(f Facts) (*string, error) {
	if len(f) == 0 {
		return nil, nil
	}
	text, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	s := string(text)
	return &s, nil
}
