package entgql

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	generator "entgo.io/contrib/entgql"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/schema"
)

// TestAnnotations holds that the generator reads of each annotation what its own would say.
func TestAnnotations(t *testing.T) {
	for name, pair := range map[string][2]schema.Annotation{
		"order field":             {OrderField("NAME"), generator.OrderField("NAME")},
		"other names":             {MapsTo("a", "b"), generator.MapsTo("a", "b")},
		"type":                    {Type("Int"), generator.Type("Int")},
		"connection":              {RelayConnection(), generator.RelayConnection()},
		"collection":              {QueryField(), generator.QueryField()},
		"collection with a name":  {QueryField("people"), generator.QueryField("people")},
		"skip all":                {Skip(SkipAll), generator.Skip(generator.SkipAll)},
		"skip type and filters":   {Skip(SkipType, SkipWhereInput), generator.Skip(generator.SkipType, generator.SkipWhereInput)},
		"skip orders and filters": {Skip(SkipWhereInput, SkipOrderField), generator.Skip(generator.SkipWhereInput, generator.SkipOrderField)},
		"merged": {
			Type("A").Merge(MapsTo("x")).(Annotation).Merge(OrderField("O")).(Annotation).Merge(Skip(SkipType)).(Annotation).Merge(RelayConnection()).(Annotation).
				Merge(QueryField("q")).(Annotation).Merge(Skip(SkipWhereInput)),
			generator.Type("A").Merge(generator.MapsTo("x")).(generator.Annotation).Merge(generator.OrderField("O")).(generator.Annotation).
				Merge(generator.Skip(generator.SkipType)).(generator.Annotation).Merge(generator.RelayConnection()).(generator.Annotation).
				Merge(generator.QueryField("q")).(generator.Annotation).Merge(generator.Skip(generator.SkipWhereInput)),
		},
		"the later is kept": {
			Type("A").Merge(Type("B")).(Annotation).Merge(MapsTo("x")).(Annotation).Merge(MapsTo("y")),
			generator.Type("A").Merge(generator.Type("B")).(generator.Annotation).Merge(generator.MapsTo("x")).(generator.Annotation).Merge(generator.MapsTo("y")),
		},
		"nothing to skip is named": {Skip(), generator.Skip()},
		"a name is kept": {
			QueryField("people").Merge(QueryField()),
			generator.QueryField("people").Merge(generator.QueryField()),
		},
		"another's": {Type("A").Merge(nil), generator.Type("A").Merge(nil)},
	} {
		if pair[0].Name() != pair[1].Name() {
			t.Errorf("%s: the name is %s, want %s", name, pair[0].Name(), pair[1].Name())
		}
		if got, want := members(t, pair[0]), members(t, pair[1]); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func members(t *testing.T, a schema.Annotation) (m map[string]any) {
	t.Helper()
	text, err := json.Marshal(a)
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestCursors holds that cursors are written, read and compared as the generator's.
func TestCursors(t *testing.T) {
	at := time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)
	for _, value := range []any{nil, "Budi", 7, 2.5, true, at} {
		c, want := Cursor[int]{ID: 3, Value: value}, generator.Cursor[int]{ID: 3, Value: value}
		var got, wanted bytes.Buffer
		c.MarshalGQL(&got)
		want.MarshalGQL(&wanted)
		if got.String() != wanted.String() {
			t.Errorf("%v is written %s, want %s", value, &got, &wanted)
		}
		text := string(bytes.Trim(got.Bytes(), `"`))
		var back Cursor[int]
		var wantBack generator.Cursor[int]
		if err := wantBack.UnmarshalGQL(text); err != nil {
			t.Fatal(err)
		}
		if err := back.UnmarshalGQL(text); err != nil || back.ID != 3 || fmt.Sprint(back.Value) != fmt.Sprint(wantBack.Value) {
			t.Errorf("%s is read as %v, %v", text, back, err)
		}
		for _, direction := range []OrderDirection{OrderDirectionAsc, OrderDirectionDesc} {
			other := generator.OrderDirection(direction)
			for name, same := range map[string]bool{
				"after":  query(CursorsPredicate(&c, nil, "id", "name", direction)) == query(generator.CursorsPredicate(&want, nil, "id", "name", other)),
				"before": query(CursorsPredicate(nil, &c, "id", "name", direction)) == query(generator.CursorsPredicate(nil, &want, "id", "name", other)),
				"both":   query(CursorsPredicate(&c, &back, "id", "name", direction)) == query(generator.CursorsPredicate(&want, &wantBack, "id", "name", other)),
			} {
				if !same {
					t.Errorf("%v %s %s: the conditions differ: %s", value, direction, name, query(CursorsPredicate(&c, nil, "id", "name", direction)))
				}
			}
		}
	}
	var c Cursor[int]
	for _, bad := range []any{3, "", "!", "gqF"} {
		if err := c.UnmarshalGQL(bad); err == nil {
			t.Errorf("%v is read", bad)
		}
	}
}

// query writes conditions on a list that is also ordered by what a join added.
func query(conditions []func(*sql.Selector)) (texts string) {
	for _, joined := range []bool{false, true} {
		s := sql.Dialect(dialect.MySQL).Select("id").From(sql.Table("people"))
		if joined {
			s.AppendSelectAs("t.name", "name")
		}
		for _, condition := range conditions {
			condition(s)
		}
		text, args := s.Query()
		texts += fmt.Sprintln(text, args)
	}
	return texts
}

// TestDirections reads and writes the enum.
func TestDirections(t *testing.T) {
	for text, reverse := range map[string]OrderDirection{"ASC": OrderDirectionDesc, "DESC": OrderDirectionAsc} {
		var o OrderDirection
		var written bytes.Buffer
		if err := o.UnmarshalGQL(text); err != nil || o.Reverse() != reverse {
			t.Errorf("%s is read as %s, %v", text, o, err)
		}
		o.MarshalGQL(&written)
		if written.String() != `"`+text+`"` {
			t.Errorf("%s is written %s", text, &written)
		}
		if desc := sql.NewOrderTermOptions(o.OrderTermOption()).Desc; desc != (text == "DESC") {
			t.Errorf("%s orders descending: %t", text, desc)
		}
	}
	for _, bad := range []any{"UP", 1, nil} {
		if err := new(OrderDirection).UnmarshalGQL(bad); err == nil {
			t.Errorf("%v is read", bad)
		}
	}
}
