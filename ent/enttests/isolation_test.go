package enttests

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/dialect/sql/schema"

	"workforce/ent"
	"workforce/ent/migrate"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// TestSeeds holds the other tests to their word: there are rows of everything.
func TestSeeds(t *testing.T) {
	client := connect(t, testdb.SQLite(t))
	twoCompanies(t, client)
	for _, e := range entities(t, client) {
		for _, company := range []int{ours, theirs} {
			rows := e.rows(t, e.seeded(company)...)
			if len(rows) != len(e.seeded(company)) {
				t.Errorf("%s: %d rows of %d, want %d", e.name, len(rows), company, len(e.seeded(company)))
			}
			for _, f := range e.fields() {
				if v := rows[0].Elem().FieldByName(f); v.IsZero() && v.Kind() != reflect.Bool && f != "DeletedAt" && f != "CopyOfID" {
					t.Errorf("%s.%s is empty", e.name, f)
				}
			}
		}
	}
}

// TestReads proves that no way to read gives the owner of a company, who may all
// there is to allow, anything of another; and that it gives nobody anything.
func TestReads(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		client := connect(t, url)
		twoCompanies(t, client)
		for _, e := range entities(t, client) {
			t.Run(e.name, func(t *testing.T) {
				reads(t, as(t, ours, ours, viewer.Owner), client, e, mark(theirs), isTheirs)
				for _, ctx := range nobodies(t) {
					reads(t, ctx, client, e, "~", isAnybodys)
				}
			})
		}
	})
}

// nobodies are contexts in which no one of a company looks.
func nobodies(t *testing.T) []context.Context {
	all := viewer.Permissions(viewer.Owner)
	return []context.Context{
		t.Context(),
		viewer.NewContext(t.Context(), &viewer.Viewer{}),
		viewer.NewContext(t.Context(), &viewer.Viewer{UserID: ours, Permissions: all, Businesses: []int{ours}}),
	}
}

// reads reads an entity in every way there is and fails where something of
// others shows.
func reads(t *testing.T, ctx context.Context, client *ent.Client, e entity, mark string, isOthers func(int) bool) {
	t.Helper()
	check := func(way string, v any, err error) {
		t.Helper()
		nothing := err != nil && strings.Contains(err.Error(), "converting NULL to int")
		if err != nil && !nothing && !refused(err) {
			t.Errorf("%s: %v", way, err)
		}
		if got := found(v, mark, isOthers); err == nil && got != nil {
			t.Errorf("%s: shows %v", way, got)
		}
	}
	everything(t, ctx, e, check)
	for _, id := range append(e.seeded(theirs), e.seeded(ours)...) {
		if isOthers(id) {
			single(t, ctx, e, id, check)
		}
	}
	for _, row := range e.rows(t, append(e.seeded(theirs), e.seeded(ours)...)...) {
		for _, edge := range methods(row.Interface(), "Query") {
			neighbours(t, ctx, row, edge, check)
		}
	}
}

// everything reads all rows of an entity.
func everything(t *testing.T, ctx context.Context, e entity, check func(string, any, error)) {
	t.Helper()
	run := func(way string, q any, method string, args ...any) {
		t.Helper()
		v, err := call(q, method, append([]any{ctx}, args...)...)
		check(way, v, err)
	}
	derive := func(method string, args ...any) any {
		q, _ := call(e.query(t), method, args...)
		return q
	}
	run("All", e.query(t), "All")
	run("IDs", e.query(t), "IDs")
	run("First", e.query(t), "First")
	run("smallest", derive("Aggregate", ent.Min("id")), "Ints")
	run("select id", derive("Select", "id"), "Ints")
	run("group by id", derive("GroupBy", "id"), "Ints")
	for _, c := range e.table.Columns {
		if c.Type.String() == "string" {
			run("select "+c.Name, derive("Select", c.Name), "Strings")
			run("group by "+c.Name, derive("GroupBy", c.Name), "Strings")
		}
	}
	for offset := range 2 * seeds {
		q := e.query(t)
		page := narrow(t, q.Interface())
		page.Order(sql.OrderByField("id").ToFunc())
		page.Limit(1)
		page.Offset(offset)
		run("page", q, "All")
	}
	if has(e.query(t).Interface(), "Paginate") {
		run("Paginate", e.query(t), "Paginate", nil, nil, nil, nil)
	}
	with := e.query(t)
	for _, edge := range methods(with.Interface(), "With") {
		var name []any
		if strings.HasPrefix(edge, "WithNamed") {
			name = []any{"alias"}
		}
		call(with, edge, name...)
		run(edge, derive(edge, name...), "All")
	}
	run("with all edges", with, "All")
	for _, edge := range methods(with.Interface(), "Query") {
		run(edge, derive(edge), "All")
		run(edge+" ids", derive(edge), "IDs")
	}
}

// single looks for one row of others in every way.
func single(t *testing.T, ctx context.Context, e entity, id int, check func(string, any, error)) {
	t.Helper()
	for _, method := range []string{"First", "FirstID", "Only", "OnlyID", "All"} {
		v, err := call(e.query(t, hasID(id)), method, ctx)
		check(method, v, err)
	}
	if v, err := call(e.Value, "Get", ctx, id); err == nil || !refused(err) {
		t.Errorf("Get(%d) = %v, %v", id, v, err)
	}
	if n, err := call(e.query(t, hasID(id)), "Count", ctx); err == nil && n != 0 {
		t.Errorf("Count of %d = %v", id, n)
	}
	if there, err := call(e.query(t, hasID(id)), "Exist", ctx); err == nil && there != false {
		t.Errorf("%d exists", id)
	}
}

// neighbours follows an edge of a row that the server itself has loaded.
func neighbours(t *testing.T, ctx context.Context, row reflect.Value, edge string, check func(string, any, error)) {
	t.Helper()
	way := fmt.Sprintf("%d.%s", row.Elem().FieldByName("ID").Int(), edge)
	for _, method := range []string{"All", "IDs"} {
		q, _ := call(row, edge)
		v, err := call(q, method, ctx)
		check(way, v, err)
	}
}

// TestWrites proves that no way to write lets the owner of a company, or nobody,
// change anything of another, or make anything in it.
func TestWrites(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		client := connect(t, url)
		twoCompanies(t, client)
		before := snapshot(t, client)
		for _, e := range entities(t, client) {
			t.Run(e.name, func(t *testing.T) {
				for _, ctx := range append(nobodies(t), as(t, ours, ours, viewer.Owner)) {
					attempt(t, client, func(tx *ent.Tx) {
						for name, write := range attacks(t, e) {
							if err := write(ctx, e.within(tx)); err == nil || !refused(err) {
								t.Errorf("%s: got %v, want it refused", name, err)
							}
						}
						if snapshot(t, tx.Client()) != before {
							t.Error("one of the refused writes changed what is theirs")
						}
					})
				}
			})
		}
	})
}

// An attack is a write that must be refused. The entity is that of a
// transaction.
type attack = func(ctx context.Context, e entity) error

// attacks returns all single writes on what is theirs.
func attacks(t *testing.T, e entity) map[string]attack {
	stolen := e.rows(t, e.seeded(theirs)...)
	all := map[string]attack{
		"create": func(ctx context.Context, e entity) error {
			return save(ctx, inCompany(e, e.copied(stolen[0]), theirs))
		},
		"create in bulk": func(ctx context.Context, e entity) error {
			bulk, _ := call(e.Value, "CreateBulk", e.copied(stolen[0]), inCompany(e, e.copied(stolen[0]), theirs))
			return save(ctx, bulk)
		},
	}
	for _, row := range stolen {
		for _, one := range []struct {
			way      string
			key      any
			suffix   string
			settable string
		}{
			{"idle", int(row.Elem().FieldByName("ID").Int()), "ID", ""},
			{"by id", int(row.Elem().FieldByName("ID").Int()), "ID", e.settable(t)},
			{"idle row", row.Interface(), "", ""},
			{"by row", row.Interface(), "", e.settable(t)},
		} {
			name := fmt.Sprintf("%s %d", one.way, row.Elem().FieldByName("ID").Int())
			all["update "+name] = func(ctx context.Context, e entity) error {
				update, _ := call(e.Value, "UpdateOne"+one.suffix, one.key)
				if one.settable != "" {
					set(update, e.rows(t, ours)[0], one.settable)
				}
				return save(ctx, update)
			}
			all["delete "+name] = func(ctx context.Context, e entity) error {
				remove, _ := call(e.Value, "DeleteOne"+one.suffix, one.key)
				_, err := call(remove, "Exec", ctx)
				return err
			}
		}
	}
	return all
}

// inCompany puts a create in a company, where the entity has one.
func inCompany(e entity, create any, company int) any {
	if has(create, "SetCompanyID") {
		call(create, "SetCompanyID", company)
	}
	return create
}

// save runs a builder.
func save(ctx context.Context, builder any) error {
	_, err := call(builder, "Save", ctx)
	return err
}

// TestBulkWrites proves that updates and deletes without a condition touch the
// viewer's own company alone, and nothing when nobody looks.
func TestBulkWrites(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		client := connect(t, url)
		twoCompanies(t, client)
		before := snapshot(t, client)
		for _, e := range entities(t, client) {
			t.Run(e.name, func(t *testing.T) {
				ctx := as(t, ours, ours, viewer.Owner)
				want := len(e.deletable(t))
				for _, ids := range [][]int{nil, e.seeded(theirs)} {
					attempt(t, client, func(tx *ent.Tx) {
						updated, err := call(e.within(tx).update(t, ids), "Save", ctx)
						if ids != nil && err == nil && updated != 0 || err != nil && !refused(err) {
							t.Errorf("update of %v changed %v: %v", ids, updated, err)
						}
						deleted, err := call(e.within(tx).remove(ids), "Exec", ctx)
						if ids != nil && err == nil && deleted != 0 || err != nil && !refused(err) {
							t.Errorf("delete of %v changed %v: %v", ids, deleted, err)
						}
						if ids == nil && err == nil && deleted != want {
							t.Errorf("deleted %v, want %d", deleted, want)
						}
						if snapshot(t, tx.Client()) != before {
							t.Errorf("%v: changed what is theirs", ids)
						}
					})
				}
				for _, ctx := range nobodies(t) {
					if n, err := call(e.update(t, nil), "Save", ctx); err == nil || !refused(err) {
						t.Errorf("nobody's update changed %v: %v", n, err)
					}
					if n, err := call(e.remove(nil), "Exec", ctx); err == nil || !refused(err) {
						t.Errorf("nobody's delete changed %v: %v", n, err)
					}
				}
			})
		}
	})
}

// deletable returns the ids of our rows that our owner may delete.
func (e entity) deletable(t *testing.T) []int {
	t.Helper()
	switch {
	case e.private():
		return []int{ours}
	case !strings.Contains(e.rights()[owner], "d"):
		return nil
	case ent.Facts[e.name].Access != nil && strings.HasSuffix(ent.Facts[e.name].Access.Shared(), "_id"): // the last is of a task or ticket of theirs
		return e.seeded(ours)[:seeds-1]
	}
	return e.seeded(ours)
}

// private reports whether only the person whom a row is about has it.
func (e entity) private() bool { return e.rights()[own] != "-" && e.rights()[owner] == "-" }

// update returns an update of the rows of some ids, nil for all.
func (e entity) update(t *testing.T, ids []int) any {
	t.Helper()
	update, _ := call(e.Value, "Update")
	if ids != nil {
		where(update, ids)
	}
	if f := e.settable(t); f != "" {
		set(update, e.rows(t, e.seeded(ours)[len(e.seeded(ours))-1])[0], f)
	}
	return update
}

// remove returns a delete of the rows of some ids, nil for all.
func (e entity) remove(ids []int) any {
	remove, _ := call(e.Value, "Delete")
	if ids != nil {
		where(remove, ids)
	}
	return remove
}

// where narrows an update or delete to some ids.
func where(builder any, ids []int) {
	f := reflect.ValueOf(builder).MethodByName("Where")
	predicate := reflect.ValueOf(hasID(ids...)).Convert(f.Type().In(0).Elem())
	f.Call([]reflect.Value{predicate})
}

// TestCreates proves that what the owner of a company makes is of that company,
// and about nobody of another.
func TestCreates(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		client := connect(t, url)
		twoCompanies(t, client)
		ctx := as(t, ours, ours, viewer.Owner)
		for _, e := range entities(t, client) {
			t.Run(e.name, func(t *testing.T) {
				row := e.rows(t, ours)[0]
				may := strings.Contains(e.rights()[owner], "c") || e.private()
				attempt(t, client, func(tx *ent.Tx) {
					e := e.within(tx)
					if !e.nested() { // a copy needs its parent
						call(e.remove(nil), "Exec", system(t))
					}
					create := e.copied(row)
					if e.name == ent.TypeTicket { // one number is one ticket
						call(create, "SetNumber", ours)
					}
					made, err := call(create, "Save", ctx)
					if (err == nil) != may {
						t.Fatalf("error %v, want one: %v", err, !may)
					}
					if err != nil {
						return
					}
					if id := reflect.ValueOf(made).Elem().FieldByName("CompanyID").Int(); id != ours {
						t.Errorf("made in company %d", id)
					}
				})
				if !may || !e.owned() {
					return
				}
				attempt(t, client, func(tx *ent.Tx) {
					e := e.within(tx)
					call(e.remove(nil), "Exec", system(t))
					create := e.copied(row)
					call(create, "SetUserID", theirs)
					if err := save(ctx, create); err == nil || !refused(err) {
						t.Errorf("made about one of them: %v", err)
					}
				})
			})
		}
	})
}

// TestReferences proves that nobody makes a row that refers to one of another
// company.
func TestReferences(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		client := connect(t, url)
		twoCompanies(t, client)
		ctx := as(t, ours, ours, viewer.Owner)
		tried := 0
		for _, e := range entities(t, client) {
			row := e.rows(t, ours)[0]
			for _, setter := range e.references() {
				tried++
				attempt(t, client, func(tx *ent.Tx) {
					create := e.within(tx).copied(row)
					call(create, setter, theirs)
					if err := save(ctx, create); err == nil || !refused(err) {
						t.Errorf("%s.%s: got %v, want it refused", e.name, setter, err)
					}
				})
				update, _ := call(e.Value, "UpdateOneID", ours)
				if !has(update, setter) {
					continue
				}
				attempt(t, client, func(tx *ent.Tx) {
					update, _ := call(e.within(tx).Value, "UpdateOneID", ours)
					call(update, setter, theirs)
					if err := save(ctx, update); err == nil || !refused(err) {
						t.Errorf("update with %s.%s: got %v, want it refused", e.name, setter, err)
					}
				})
			}
		}
		if tried < 10 {
			t.Errorf("only %d references tried", tried)
		}
	})
}

// references names the setters of a create that link it to other rows.
func (e entity) references() []string {
	var setters []string
	for _, fk := range e.table.ForeignKeys {
		name := "Set"
		for word := range strings.SplitSeq(strings.TrimSuffix(fk.Columns[0].Name, "_id"), "_") {
			if word == "api" {
				word = "API"
			}
			name += strings.ToUpper(word[:1]) + word[1:]
		}
		setters = append(setters, name+"ID")
	}
	return setters
}

// nested reports whether rows link to rows of the same entity.
func (e entity) nested() bool {
	return slices.ContainsFunc(e.table.ForeignKeys, func(fk *schema.ForeignKey) bool { return fk.RefTable == e.table })
}

// owned reports whether rows are about one user.
func (e entity) owned() bool {
	access := ent.Facts[e.name].Access
	return access != nil && access.Owner == "user_id"
}

// TestNeverMoves proves that no update moves a row to another company or, where
// it is about somebody, to another person.
func TestNeverMoves(t *testing.T) {
	client := connect(t, testdb.SQLite(t))
	twoCompanies(t, client)
	for _, e := range entities(t, client) {
		update, _ := call(e.Value, "Update")
		one, _ := call(e.Value, "UpdateOneID", ours)
		for _, setter := range []string{"SetCompanyID", "SetCompany", "ClearCompany", "SetUserID", "SetUser"} {
			if has(update, setter) || has(one, setter) {
				t.Errorf("%s.%s", e.name, setter)
			}
		}
		if e.table == migrate.CompaniesTable || !has(inCompany(e, update, ours), "Mutation") {
			continue
		}
		m, _ := call(one, "Mutation")
		if err := m.(ent.Mutation).SetField("company_id", theirs); err != nil {
			continue // it has none
		}
		call(one, "Save", as(t, ours, ours, viewer.Owner))
		if got := e.rows(t, ours)[0].Elem().FieldByName("CompanyID").Int(); got != ours {
			t.Errorf("%s moved to company %d", e.name, got)
		}
	}
}

// TestLinks proves that a viewer links rows only from the end that holds the
// link: from the other end it would change rows unseen.
func TestLinks(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		client := connect(t, url)
		twoCompanies(t, client)
		before := snapshot(t, client)
		ctx := as(t, ours, ours, viewer.Owner)
		tried := 0
		for _, e := range entities(t, client) {
			builder, _ := call(e.Value, "UpdateOneID", ours)
			for _, method := range append(methods(builder, "Add"), methods(builder, "Remove")...) {
				if !strings.HasSuffix(method, "IDs") {
					continue
				}
				tried++
				attempt(t, client, func(tx *ent.Tx) {
					e := e.within(tx)
					update, _ := call(e.Value, "UpdateOneID", ours)
					call(update, method, theirs, theirs+1, theirs+2)
					if err := save(ctx, update); err == nil || !refused(err) {
						t.Errorf("%s.%s: got %v, want it refused", e.name, method, err)
					}
					if strings.HasPrefix(method, "Add") {
						create := e.copied(e.rows(t, ours)[0])
						call(create, method, theirs)
						if err := save(ctx, create); err == nil || !refused(err) {
							t.Errorf("create with %s.%s: got %v, want it refused", e.name, method, err)
						}
					}
					if snapshot(t, tx.Client()) != before {
						t.Errorf("%s.%s changed what is theirs", e.name, method)
					}
				})
			}
		}
		if tried == 0 {
			t.Error("no links from the other end")
		}
	})
}
