package setting

import (
	"reflect"
	"strings"
)

// Given returns the members of an input that were given, by name: a struct whose
// members may be absent, null or a value, as graphql.Omittable has them.
func Given(input any) map[string]any {
	given := map[string]any{}
	for f, member := range reflect.ValueOf(input).Fields() {
		if member.Interface().(interface{ IsSet() bool }).IsSet() {
			given[nameOf(f)] = plain(member.MethodByName("Value").Call(nil)[0])
		}
	}
	return given
}

// plain returns a value as Values have it; nil for null.
func plain(v reflect.Value) any {
	if v.IsNil() {
		return nil
	}
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() == reflect.String {
		return v.String()
	}
	return v.Interface()
}

// Answer returns a struct with a member for each setting, by name. A member whose value
// is nil stays zero.
func Answer[T any](value func(*Setting) any) *T {
	to := new(T)
	for f, member := range reflect.ValueOf(to).Elem().Fields() {
		v := reflect.ValueOf(value(Find(nameOf(f))))
		switch {
		case !v.IsValid():
		case member.Kind() == reflect.Pointer:
			member.Set(reflect.New(member.Type().Elem()))
			member.Elem().Set(v.Convert(member.Type().Elem()))
		default:
			member.Set(v.Convert(member.Type()))
		}
	}
	return to
}

// nameOf returns the name of a member on the wire.
func nameOf(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}
