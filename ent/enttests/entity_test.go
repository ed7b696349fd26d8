package enttests

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/privacy"

	"workforce/ent"
	"workforce/ent/intercept"
	"workforce/ent/migrate"
	"workforce/internal/errs"
)

// An entity is the client of one, such as client.User, reached by reflection so
// that no entity can be forgotten.
type entity struct {
	reflect.Value
	name  string
	table *schema.Table
}

// entities returns every entity that client knows.
func entities(t *testing.T, client *ent.Client) []entity {
	t.Helper()
	var all []entity
	for f, v := range reflect.ValueOf(client).Elem().Fields() {
		if f.IsExported() && v.MethodByName("UpdateOneID").IsValid() {
			e := entity{Value: v, name: f.Name}
			e.table = e.findTable(t)
			all = append(all, e)
		}
	}
	if len(all) != len(migrate.Tables) {
		t.Fatalf("%d entities, %d tables", len(all), len(migrate.Tables))
	}
	return all
}

// within returns the entity as a transaction sees it.
func (e entity) within(tx *ent.Tx) entity {
	e.Value = reflect.ValueOf(tx.Client()).Elem().FieldByName(e.name)
	return e
}

// findTable asks a query for the table that it reads.
func (e entity) findTable(t *testing.T) *schema.Table {
	t.Helper()
	var name string
	q := e.query(t, func(s *sql.Selector) { name = s.TableName() })
	if _, err := call(q, "Count", system(t)); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(migrate.Tables, func(t *schema.Table) bool { return t.Name == name })
	return migrate.Tables[i]
}

// query returns a query for the rows that match all of where.
func (e entity) query(t *testing.T, where ...func(*sql.Selector)) reflect.Value {
	t.Helper()
	q, _ := call(e.Value, "Query")
	narrow(t, q).WhereP(where...)
	return reflect.ValueOf(q)
}

// narrow returns what all queries have in common.
func narrow(t *testing.T, q any) intercept.Query {
	t.Helper()
	common, err := intercept.NewQuery(q.(ent.Query))
	if err != nil {
		t.Fatal(err)
	}
	return common
}

// rows loads rows as the server itself.
func (e entity) rows(t *testing.T, ids ...int) []reflect.Value {
	t.Helper()
	all, err := call(e.query(t, hasID(ids...)), "All", system(t))
	if err != nil {
		t.Fatal(err)
	}
	var rows []reflect.Value
	for _, row := range reflect.ValueOf(all).Seq2() {
		rows = append(rows, row)
	}
	return rows
}

// hasID matches the rows of some ids.
func hasID(ids ...int) func(*sql.Selector) {
	return func(s *sql.Selector) { s.Where(sql.InInts(s.C("id"), ids...)) }
}

// seeded returns the ids of a company's rows.
func (e entity) seeded(company int) []int {
	ids := []int{company}
	for i := 1; i < seeds && e.table != migrate.CompaniesTable; i++ {
		ids = append(ids, company+i)
	}
	return ids
}

// settable returns a field that an update may set to anything, or "" when there
// is none.
func (e entity) settable(t *testing.T) string {
	t.Helper()
	update, _ := call(e.Value, "Update")
	for _, f := range e.fields() {
		if f != "Name" && f != "SortName" && f != "Code" && !e.unique(f) && reflect.ValueOf(update).MethodByName("Set"+f).IsValid() {
			return f
		}
	}
	return ""
}

// fields names the fields of the entity's rows, but for the id.
func (e entity) fields() []string {
	var names []string
	for f := range e.rowType().Fields() {
		if f.IsExported() && f.Name != "ID" && f.Name != "Edges" {
			names = append(names, f.Name)
		}
	}
	return names
}

// rowType is the struct of a row, such as ent.User.
func (e entity) rowType() reflect.Type {
	m, _ := e.Type().MethodByName("Get")
	return m.Type.Out(0).Elem()
}

// unique reports whether the column of a field is part of a unique key.
func (e entity) unique(name string) bool {
	is := func(c *schema.Column) bool {
		return strings.EqualFold(strings.ReplaceAll(c.Name, "_", ""), name)
	}
	return slices.ContainsFunc(e.table.Columns, func(c *schema.Column) bool { return c.Unique && is(c) }) ||
		slices.ContainsFunc(e.table.Indexes, func(i *schema.Index) bool { return i.Unique && slices.ContainsFunc(i.Columns, is) })
}

// set gives a builder the fields of a row. Null ones are left out.
func set(builder any, row reflect.Value, fields ...string) {
	for _, name := range fields {
		v := row.Elem().FieldByName(name)
		if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		if v.IsValid() && (v.Kind() != reflect.Slice || !v.IsNil()) {
			reflect.ValueOf(builder).MethodByName("Set" + name).Call([]reflect.Value{v})
		}
	}
}

// copied returns a create of all that a row holds, but for its company.
func (e entity) copied(row reflect.Value) any {
	create, _ := call(e.Value, "Create")
	set(create, row, slices.DeleteFunc(e.fields(), func(f string) bool { return f == "CompanyID" })...)
	return create
}

// has reports whether v has a method.
func has(v any, method string) bool { return reflect.ValueOf(v).MethodByName(method).IsValid() }

// methods names v's methods that begin with prefix and go on with a capital, but
// for the one that takes SQL.
func methods(v any, prefix string) []string {
	var names []string
	for m := range reflect.TypeOf(v).Methods() {
		rest, ok := strings.CutPrefix(m.Name, prefix)
		if ok && rest != "" && rest != "Context" && strings.ToUpper(rest[:1]) == rest[:1] {
			names = append(names, m.Name)
		}
	}
	return names
}

// call calls a method of v, a reflect.Value or any other, and returns its first
// result and its error. A nil argument stands for the zero value.
func call(v any, method string, args ...any) (any, error) {
	f, ok := v.(reflect.Value)
	if !ok {
		f = reflect.ValueOf(v)
	}
	f = f.MethodByName(method)
	in := make([]reflect.Value, len(args))
	for i, arg := range args {
		in[i] = reflect.ValueOf(arg)
		if arg == nil {
			in[i] = reflect.Zero(f.Type().In(i))
		}
	}
	out := f.Call(in)
	last := out[len(out)-1].Interface()
	if err, ok := last.(error); ok {
		return nil, err
	}
	return out[0].Interface(), nil
}

// refused reports whether an error says no more than that there is nothing, or
// that it is not allowed.
func refused(err error) bool {
	return ent.IsNotFound(err) || errors.Is(err, privacy.Deny) || errs.Is(err, errs.Forbidden)
}

// found lists what of others is anywhere in v: rows and ids that isOthers tells,
// and texts with their mark.
func found(v any, mark string, isOthers func(id int) bool) []string {
	var all []string
	var walk func(reflect.Value, string)
	walk = func(v reflect.Value, path string) {
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
			if !v.IsNil() {
				walk(v.Elem(), path)
			}
		case reflect.Struct:
			for f, field := range v.Fields() {
				isLink := field.Kind() == reflect.Int || f.Type == reflect.TypeFor[*int]() // of the row itself
				if f.IsExported() && (f.Name == "ID" || !isLink) {
					walk(field, path+"."+f.Name)
				}
			}
		case reflect.Slice:
			if text, ok := v.Interface().([]byte); ok && strings.Contains(string(text), mark) {
				all = append(all, fmt.Sprintf("%s = %q", path, text))
			}
			for i, element := range v.Seq2() {
				walk(element, fmt.Sprintf("%s[%v]", path, i))
			}
		case reflect.String:
			if strings.Contains(v.String(), mark) {
				all = append(all, fmt.Sprintf("%s = %q", path, v.String()))
			}
		case reflect.Int:
			if isOthers(int(v.Int())) {
				all = append(all, fmt.Sprintf("%s = %d", path, v.Int()))
			}
		}
	}
	walk(reflect.ValueOf(v), "")
	return all
}

// attempt runs try in a transaction that is rolled back afterwards.
func attempt(t *testing.T, client *ent.Client, try func(tx *ent.Tx)) {
	t.Helper()
	tx, err := client.Tx(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := tx.Rollback(); err != nil {
			t.Error(err)
		}
	}()
	try(tx)
}
