package connection_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/dialect/sql/sqlgraph"
	"entgo.io/ent/schema/field"
	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/vektah/gqlparser/v2/ast"

	"workforce/ent"
	"workforce/ent/migrate"
	_ "workforce/ent/runtime"
	"workforce/graph"
	"workforce/graph/connection"
	"workforce/graph/generated"
	"workforce/graph/model"
	"workforce/internal/app/people"
	"workforce/internal/app/project"
	"workforce/internal/app/timeentry"
	"workforce/internal/database"
	"workforce/internal/passwordkey"
	"workforce/internal/setting"
	"workforce/internal/sqlplan"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }

// TestPlans holds plans against gqlgen: documents at random, over rows at random,
// seen by people of every role, have the same answer to the byte; hardly any in another order.
func TestPlans(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		seed := rand.Uint64()
		t.Logf("seed %d", seed)
		w := world{T: t, Rand: rand.New(rand.NewPCG(seed, 1)), client: openPlanned(t, url)}
		w.fill()
		r := &graph.Resolver{People: &people.Service{}, Projects: &project.Service{Now: noon}, Entries: &timeentry.Service{Now: noon}}
		byField, planned, used := executor.New(r.Schema()), executor.New(r.Schema()), 0
		c := connection.Compiler(r.Schema().Schema(), plainLink, noon)
		for _, exec := range []*executor.Executor{byField, planned} {
			exec.AroundRootFields(connection.AroundRootFields)
			exec.AroundFields(connection.HideDetails)
		}
		planned.AroundFields(func(ctx context.Context, next graphql.Resolver) (any, error) {
			res, err := c.AroundFields(ctx, next)
			if _, ok := res.(*sqlplan.Plan); ok {
				used++
			}
			return res, err
		})
		for _, exec := range []*executor.Executor{byField, planned} {
			exec.AroundFields(connection.Links(plainLink))
		}
		planned.SetQueryCache(lru.New[*ast.QueryDocument](100))
		const documents = 400
		reordered := 0 // a list within a row is by id in plans, and by field in the order of any index
		for range documents {
			text := document{Rand: w.Rand, schema: r.Schema().Schema()}.write()
			for _, yes := range []bool{true, true, false} { // the second finds the document and its plan kept
				ctx := w.somebody()
				want, got := run(ctx, byField, text, yes), run(ctx, planned, text, yes)
				if got != want && sameBytes(got, want) {
					reordered++
				} else if got != want {
					t.Fatalf("%s\nas %+v\nplanned:  %s\nby field: %s", text, viewer.From(ctx), got, want)
				}
			}
		}
		if used < documents {
			t.Errorf("%d of 3 times %d documents had a plan", used, documents)
		}
		if reordered > documents/50 {
			t.Errorf("%d of 3 times %d documents had an answer in another order", reordered, documents)
		}
	})
}

// sameBytes reports whether two texts differ in the order of their bytes alone.
func sameBytes(a, b string) bool {
	first, second := []byte(a), []byte(b)
	slices.Sort(first)
	slices.Sort(second)
	return bytes.Equal(first, second)
}

// valued are root fields that return plain values.
var valued = []string{"attendanceToday", "shiftToday", "allowedLocations", "profile", "tokenInfo", "roleList", "company", "encryptionKeys"}

// TestPlainValues holds what is written of Go values at once against gqlgen:
// values at random, selected at random, have the same answer to the byte.
func TestPlainValues(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	w := world{T: t, Rand: rand.New(rand.NewPCG(seed, 2))}
	stub := &valuedResolver{}
	schema := generated.NewExecutableSchema(generated.Config{Resolvers: stub})
	byField, planned, used := executor.New(schema), executor.New(schema), 0
	c := connection.Compiler(schema.Schema(), plainLink, noon)
	planned.AroundFields(func(ctx context.Context, next graphql.Resolver) (any, error) {
		res, err := c.AroundFields(ctx, next)
		if _, ok := res.(*sqlplan.Plan); ok {
			used++
		}
		return res, err
	})
	for _, exec := range []*executor.Executor{byField, planned} {
		exec.AroundFields(connection.Links(plainLink))
	}
	const documents = 2000
	for range documents {
		stub.valuedQuery = valuedQuery{}
		w.randomize(reflect.ValueOf(&stub.valuedQuery).Elem())
		text := document{Rand: w.Rand, schema: schema.Schema(), only: valued}.write()
		if want, got := run(t.Context(), byField, text, true), run(t.Context(), planned, text, true); got != want {
			t.Fatalf("%s\nat once:  %s\nby field: %s", text, got, want)
		}
	}
	if used < documents/2 {
		t.Errorf("%d of %d documents were answered at once", used, documents)
	}
}

// A valuedResolver resolves some root fields to what it is given.
type valuedResolver struct {
	generated.ResolverRoot
	valuedQuery
}

func (r *valuedResolver) Query() generated.QueryResolver { return r.valuedQuery }

// Company resolves what the company's field of that name cannot: its settings.
func (r *valuedResolver) Company() generated.CompanyResolver { return valuedCompany{} }

type valuedCompany struct{}

func (valuedCompany) Settings(context.Context, *ent.Company) (*model.CompanySettings, error) {
	return setting.Answer[model.CompanySettings](setting.Values(nil).Get), nil
}

func (valuedCompany) ConcernedLeaves(context.Context, *ent.Company) ([]*ent.Leave, error) {
	return nil, nil
}

type valuedQuery struct {
	generated.QueryResolver
	Today     *model.AttendanceToday
	Coming    []*model.ShiftToday
	Locations []*model.AllowedLocation
	Me        *model.Profile
	Token     *model.TokenInfo
	List      []*model.RoleEntry
	Mine      *ent.Company
	Keys      *passwordkey.JWKS
}

func (q valuedQuery) AttendanceToday(context.Context) (*model.AttendanceToday, error) {
	return q.Today, nil
}
func (q valuedQuery) ShiftToday(context.Context) ([]*model.ShiftToday, error)   { return q.Coming, nil }
func (q valuedQuery) Profile(context.Context) (*model.Profile, error)           { return q.Me, nil }
func (q valuedQuery) TokenInfo(context.Context) (*model.TokenInfo, error)       { return q.Token, nil }
func (q valuedQuery) RoleList(context.Context) ([]*model.RoleEntry, error)      { return q.List, nil }
func (q valuedQuery) Company(context.Context) (*ent.Company, error)             { return q.Mine, nil }
func (q valuedQuery) EncryptionKeys(context.Context) (*passwordkey.JWKS, error) { return q.Keys, nil }
func (q valuedQuery) AllowedLocations(context.Context) ([]*model.AllowedLocation, error) {
	return q.Locations, nil
}

// randomize fills a Go value at random, as far as it can be set. Few pointers are
// nil that must not be.
func (w world) randomize(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if w.IntN(20) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			w.randomize(v.Elem())
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), w.IntN(4), 4))
		for i := range v.Len() {
			w.randomize(v.Index(i))
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.UnixMicro(w.Int64N(2e15)).In(time.FixedZone("", w.IntN(100)*900-43200))))
			return
		}
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() && v.Type().Field(i).Name != "Edges" {
				w.randomize(f)
			}
		}
	case reflect.String:
		v.SetString(w.text(60))
	case reflect.Int:
		v.SetInt(w.Int64N(1e6) - 1000)
	case reflect.Float64:
		v.SetFloat(pick(w.Rand, 0, 1, 1e21, 1e-7, -0.5, w.NormFloat64(), math.Inf(1), math.MaxFloat64))
	case reflect.Bool:
		v.SetBool(w.IntN(2) == 0)
	}
}

// TestPlanStandsBack gives selections that are gqlgen's to answer, beside the
// same without what makes them so.
func TestPlanStandsBack(t *testing.T) {
	w := world{T: t, Rand: rand.New(rand.NewPCG(1, 1)), client: openPlanned(t, testdb.SQLite(t))}
	w.fill()
	r := &graph.Resolver{People: &people.Service{}, Projects: &project.Service{Now: noon}, Entries: &timeentry.Service{Now: noon}}
	exec, used := executor.New(r.Schema()), false
	c := connection.Compiler(r.Schema().Schema(), plainLink, noon)
	exec.AroundFields(func(ctx context.Context, next graphql.Resolver) (any, error) {
		res, err := c.AroundFields(ctx, next)
		if _, ok := res.(*sqlplan.Plan); ok {
			used = true
		}
		return res, err
	})
	for _, tt := range []struct {
		about, text string
		want        bool
	}{
		{"columns and edges", "{ roles(first: 3) { edges { node { name } } } }", true},
		{"a field with a resolver", "{ roles(first: 3) { edges { node { name permissions } } } }", false},
		{"a field with a resolver behind an edge", "{ employees { nodes { roles { permissions } } } }", false},
		{"skip and include", "query($yes: Boolean!) { roles(first: 3) { edges @include(if: $yes) { node { id @skip(if: $yes) name } } } }", true},
		{"a fragment", "{ employees { nodes { ...F } } } fragment F on User { name ... on Node { id } }", true},
		{"a deferred fragment", "{ employees { nodes { id ... @defer { name } } } }", false},
		{"a deferred list", "{ employees { totalCount ... @defer { nodes { id } } } }", false},
		{"one object", "{ company { name } }", true},
		{"one object and what lies behind it", "{ viewer { name roles { name } } }", false},
	} {
		used = false
		if answer := run(w.somebody(), exec, tt.text, true); strings.HasPrefix(answer, "refused") {
			t.Errorf("%s: %s", tt.about, answer)
		}
		if used != tt.want {
			t.Errorf("%s: planned %v, want %v", tt.about, used, tt.want)
		}
	}
}

// TestKeptPlans asks for selections that share a place in a document, and differ
// by a variable or an operation: what is kept of one is not the answer to another.
func TestKeptPlans(t *testing.T) {
	w := world{T: t, Rand: rand.New(rand.NewPCG(1, 1)), client: openPlanned(t, testdb.SQLite(t))}
	w.fill()
	r := &graph.Resolver{People: &people.Service{}, Projects: &project.Service{Now: noon}, Entries: &timeentry.Service{Now: noon}}
	byField, planned := executor.New(r.Schema()), executor.New(r.Schema())
	planned.AroundFields(connection.Compiler(r.Schema().Schema(), plainLink, noon).AroundFields)
	planned.SetQueryCache(lru.New[*ast.QueryDocument](10))
	for _, text := range []string{
		"query($yes: Boolean!) { employees { totalCount } employees @skip(if: $yes) { nodes { id } } }",
		"query($yes: Boolean!) { company { name } company @skip(if: $yes) { timezone } }",
		"query($yes: Boolean!) { employees { nodes { id } } ...F @include(if: $yes) } fragment F on Query { employees { nodes { name } } }",
		"query($yes: Boolean!) { employees { ...F @skip(if: $yes) totalCount } } fragment F on EmployeeList { nodes { id } }",
	} {
		for _, yes := range []bool{true, false, true, false} {
			ctx := w.somebody()
			if want, got := run(ctx, byField, text, yes), run(ctx, planned, text, yes); got != want {
				t.Errorf("%s with %v\nplanned:  %s\nby field: %s", text, yes, got, want)
			}
		}
	}
	const two = "fragment F on Query { employees { totalCount } } query A { ...F } query B { ...F employees { nodes { id } } }"
	for _, name := range []string{"A", "B", "A", "B"} {
		ctx := w.somebody()
		if want, got := operation(ctx, byField, two, name, nil), operation(ctx, planned, two, name, nil); got != want {
			t.Errorf("%s\nplanned:  %s\nby field: %s", name, got, want)
		}
	}
}

// openPlanned opens a database whose rows plans can read. Its tables have no
// foreign keys, so that links may lead nowhere.
func openPlanned(t *testing.T, url string) *ent.Client {
	t.Helper()
	db, err := database.Open(url, nil)
	if err != nil {
		t.Fatal(err)
	}
	client := ent.NewClient(ent.Driver(db.Driver()))
	t.Cleanup(func() { client.Close() })
	if err := migrate.Create(t.Context(), db.Driver(), schema.WithForeignKeys(false)); err != nil {
		t.Fatal(err)
	}
	return client
}

// run returns the answer to a document, as text. yes is its variable.
func run(ctx context.Context, exec *executor.Executor, text string, yes bool) string {
	return operation(ctx, exec, text, "", map[string]any{"yes": yes})
}

// operation is run for one operation of a document.
func operation(ctx context.Context, exec *executor.Executor, text, name string, variables map[string]any) string {
	ctx = graphql.StartOperationTrace(ctx)
	oc, list := exec.CreateOperationContext(ctx, &graphql.RawParams{Query: text, OperationName: name, Variables: variables})
	if len(list) > 0 {
		return "refused: " + list.Error() + "\n" + text
	}
	next, ctx := exec.DispatchOperation(ctx, oc)
	resp := next(ctx)
	var faults []string // fields run at once, so that their errors have no order
	for _, e := range resp.Errors {
		faults = append(faults, e.Error())
	}
	slices.Sort(faults)
	return string(resp.Data) + strings.Join(faults, "\n")
}

// A world is a database filled at random.
type world struct {
	*testing.T
	*rand.Rand
	client *ent.Client
}

const (
	companies = 2
	rowsEach  = 40 // of a company, in each table
)

// ids are the first of a company's: far apart, as in a database that many share.
func ids(company int) int { return company * 100_000 }

func (w world) fill() {
	for _, table := range migrate.Tables {
		for company := range companies {
			for i := range rowsEach {
				w.insert(table, company+1, i)
			}
		}
	}
	// Mentions are seen with the task, which is that of their comment.
	_, err := w.client.ExecContext(w.Context(), "UPDATE task_mentions SET task_id = (SELECT task_id FROM task_comments WHERE id = comment_id)")
	if err != nil {
		w.Fatal(err)
	}
}

// insert writes a row; one that would break a unique index is left out.
func (w world) insert(table *schema.Table, company, i int) {
	var names []string
	var args []any
	for _, c := range table.Columns {
		names, args = append(names, c.Name), append(args, w.value(table, c, company, i))
	}
	holes := strings.TrimSuffix(strings.Repeat("?,", len(args)), ",")
	query := fmt.Sprintf("INSERT INTO %s (`%s`) VALUES (%s)", table.Name, strings.Join(names, "`,`"), holes)
	if _, err := w.client.ExecContext(w.Context(), query, args...); err != nil && !sqlgraph.IsUniqueConstraintError(err) {
		w.Fatalf("%s %d: %v", table.Name, i, err)
	}
}

func (w world) value(table *schema.Table, c *schema.Column, company, i int) any {
	link := slices.ContainsFunc(table.ForeignKeys, func(fk *schema.ForeignKey) bool { return fk.Columns[0] == c })
	switch {
	case c.Name == "id" && table == migrate.CompaniesTable && i == 0, c.Name == "company_id":
		return ids(company)
	case c.Name == "id":
		return ids(company) + i
	case c.Nullable && w.IntN(3) == 0:
		return nil
	case link && w.IntN(200) == 0: // to the other company
		return ids(companies+1-company) + w.IntN(rowsEach)
	case link:
		return ids(company) + w.IntN(rowsEach)
	case c.Name == "mobile_number":
		return pick(w.Rand, "", "62 ", " 0811", "62 0811-1", "1 "+w.text(20))
	case c.Name == "settings", c.Name == "policies":
		return fmt.Sprintf(`{"face":%q}`, pick(w.Rand, setting.Block, setting.Flag, setting.Off))
	case strings.HasSuffix(c.Name, "_verdict") && c.Type == field.TypeJSON:
		return fmt.Sprintf(`{"policies":{"face":"flag"},"speedKmh":%d}`, w.IntN(999))
	case (c.Name == "before" || c.Name == "after") && c.Type == field.TypeJSON:
		return `{}`
	case c.Name == "points" && c.Type == field.TypeJSON:
		return `[{"Lat":1,"Lng":2}]`
	case c.Name == "weekdays", c.Name == "weekly_offs", c.Name == "days", c.Name == "shift_ids":
		return "[1]"
	case c.SchemaType["mysql"] == "char(10)":
		return "2026-03-1" + fmt.Sprint(w.IntN(10))
	}
	return w.any(table, c, i)
}

func (w world) any(table *schema.Table, c *schema.Column, i int) any {
	switch c.Type {
	case field.TypeString:
		return w.text(int(c.Size))
	case field.TypeBytes:
		if c.SchemaType["mysql"] == "binary(16)" {
			return fmt.Appendf(nil, "%016d", w.Int64N(1e15))
		}
		return fmt.Appendf(nil, "%032d", w.Int64())
	case field.TypeJSON:
		list := []string{w.text(30), w.text(30)}
		text, _ := json.Marshal(list[:w.IntN(3)])
		return string(text)
	case field.TypeEnum:
		return pick(w.Rand, c.Enums...)
	case field.TypeInt, field.TypeInt8, field.TypeInt64:
		return w.IntN(100)
	case field.TypeFloat64:
		return w.Float64()*180 - 90
	case field.TypeBool:
		return w.IntN(2) == 0
	case field.TypeTime:
		return time.UnixMicro(1_700_000_000_000_000 + w.Int64N(1e14)).UTC()
	}
	w.Fatalf("no value for %s.%s of type %s", table.Name, c.Name, c.Type)
	return nil
}

// text is of at most so many bytes, and of every kind.
func (w world) text(most int) string {
	if most == 0 {
		most = 60
	}
	text := fmt.Sprint(w.IntN(1000))
	for range w.IntN(12) {
		more := pick(w.Rand, "a", "Z", " ", "é", "ß", "日本", "👩🏽‍🚀", "\"", "\\", "/", "<b>&", "\n", "\t", "\r", "\x01", "\x1f", "\x7f", "\u2028", "İ")
		if len(text)+len(more) > min(most, 60) {
			break
		}
		text += more
	}
	return text
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

// somebody returns a context in which one of a company looks.
func (w world) somebody() context.Context {
	company := ids(1 + w.IntN(companies))
	return viewer.NewContext(ent.NewContext(w.Context(), w.client), &viewer.Viewer{
		CompanyID: company, UserID: company + w.IntN(rowsEach), DeviceID: company,
		Permissions: viewer.Permissions(pick(w.Rand, "owner", "admin", "manager", "supervisor", "employee")),
		Businesses:  []int{company, company + 1, company + 2},
	})
}

// A document is a query at random.
type document struct {
	*rand.Rand
	schema *ast.Schema
	only   []string // root fields; all lists where there are none
}

func (d document) write() string {
	var lists []*ast.FieldDefinition
	for _, f := range d.schema.Query.Fields {
		if strings.HasSuffix(f.Type.NamedType, "Connection") || f.Name == "employees" || slices.Contains(d.only, f.Name) {
			lists = append(lists, f)
		}
	}
	if d.only != nil {
		lists = slices.DeleteFunc(lists, func(f *ast.FieldDefinition) bool { return !slices.Contains(d.only, f.Name) })
	}
	g := &generator{document: d}
	f := pick(d.Rand, lists...)
	args := d.arguments(f)
	text := "query($yes: Boolean!) { " + f.Name + args + " {" + g.selection(d.schema.Types[f.Type.Name()], 4) + "} v: __typename @include(if: $yes) }"
	return text + strings.Join(g.fragments, "")
}

func (d document) arguments(f *ast.FieldDefinition) string {
	if len(f.Arguments) == 0 {
		return ""
	}
	if f.Name == "employees" {
		return pick(d.Rand, "", "(limit: 7)", "(limit: 5, page: 3)", `(search: "a")`, "(limit: 3, page: 500)")
	}
	args := pick(d.Rand, "first: 0", "first: 3", "first: 1000", "last: 4", "last: 0", "first: 20")
	order := f.Arguments.ForName("orderBy")
	switch {
	case order != nil && d.IntN(2) == 0:
		fields := d.schema.Types[order.Type.NamedType].Fields.ForName("field")
		by := pick(d.Rand, d.schema.Types[fields.Type.NamedType].EnumValues...)
		args += fmt.Sprintf(", orderBy: {field: %s, direction: %s}", by.Name, pick(d.Rand, "ASC", "DESC"))
	case d.IntN(2) == 0:
		var cursor strings.Builder
		ent.Cursor{ID: ids(1+d.IntN(companies)) + d.IntN(rowsEach)}.MarshalGQL(&cursor)
		args += pick(d.Rand, ", after: ", ", before: ") + cursor.String()
	}
	return "(" + args + ")"
}

// A generator writes selections. Every alias is new.
type generator struct {
	document
	aliases   int
	fragments []string
}

func (g *generator) selection(def *ast.Definition, depth int) string {
	var text strings.Builder
	for range 1 + g.IntN(5) {
		text.WriteString(g.one(def, depth))
	}
	if text.Len() == 0 || strings.TrimSpace(text.String()) == "" {
		return " __typename"
	}
	return text.String()
}

func (g *generator) one(def *ast.Definition, depth int) string {
	condition := pick(g.Rand, "", "on "+def.Name, "@include(if: $yes)", "@skip(if: true)")
	if slices.Contains(def.Interfaces, "Node") && g.IntN(3) == 0 {
		return " ... on Node { " + g.alias() + "id }"
	}
	switch g.IntN(12) {
	case 0:
		return " " + g.alias() + "__typename"
	case 1:
		return " ... " + condition + " {" + g.selection(def, depth-1) + "}"
	case 2:
		name := fmt.Sprint("F", len(g.fragments))
		at := len(g.fragments)
		g.fragments = append(g.fragments, "") // its place, for those within it
		g.fragments[at] = " fragment " + name + " on " + def.Name + " {" + g.selection(def, depth-1) + "}"
		return " ..." + name
	}
	f := pick(g.Rand, def.Fields...)
	target := g.schema.Types[f.Type.Name()]
	if strings.HasPrefix(f.Name, "__") || len(f.Arguments) > 0 {
		return ""
	}
	if target.Kind != ast.Object {
		return " " + g.alias() + f.Name + pick(g.Rand, "", "", "", " @skip(if: false)")
	}
	if depth <= 0 {
		return ""
	}
	return " " + g.alias() + f.Name + " {" + g.selection(target, depth-1) + "}"
}

func (g *generator) alias() string {
	if g.IntN(3) > 0 {
		return ""
	}
	g.aliases++
	return fmt.Sprintf("a%d: ", g.aliases)
}

// plainLink marks links.
func plainLink(text string) (string, error) { return "link of " + text, nil }

// noon is the clock of all resolvers.
func noon() time.Time { return time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC) }
