package connection_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql/executor"

	"workforce/ent"
	"workforce/graph"
	"workforce/graph/connection"
	"workforce/internal/app/people"
	"workforce/internal/app/project"
	"workforce/internal/app/timeentry"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// listForm are the fields that the directory shows of a person.
var listForm = []string{"id", "databaseId", "name", "email", "image", "mobileNumber", "gender", "salutation", "locale", "designations"}

// TestDetailsAreWhatTheListFormLacks walks the type User, its filter and its order.
func TestDetailsAreWhatTheListFormLacks(t *testing.T) {
	schema, details := (&graph.Resolver{}).Schema().Schema(), ent.Details[ent.TypeUser]
	for _, f := range schema.Types["User"].Fields {
		detail := slices.Contains(details, f.Name)
		if detail == slices.Contains(listForm, f.Name) {
			t.Errorf("User.%s is in the list form and a detail, or neither", f.Name)
		}
		if detail && f.Type.NonNull && f.Type.Elem == nil {
			t.Errorf("User.%s cannot be null", f.Name)
		}
	}
	for _, f := range schema.Types["UserWhereInput"].Fields {
		about := strings.ToLower(strings.TrimPrefix(f.Name, "has"))
		if known := slices.Concat(listForm, details, []string{"not", "and", "or"}); !slices.ContainsFunc(known, func(name string) bool {
			return strings.HasPrefix(about, strings.ToLower(name))
		}) {
			t.Errorf("the filter of users has %s, which is about neither", f.Name)
		}
	}
	if order := schema.Types["UserOrderField"].EnumValues; len(order) != 1 || order[0].Name != "NAME" {
		t.Errorf("users are ordered by more than their names")
	}
}

// TestHideDetails reads and filters by the details of people, as people who read
// those of nobody else, of their team, and of everybody.
func TestHideDetails(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		w := world{T: t, Rand: rand.New(rand.NewPCG(7, 7)), client: openPlanned(t, url)}
		w.fill()
		r := &graph.Resolver{People: &people.Service{}, Projects: &project.Service{Now: noon}, Entries: &timeentry.Service{Now: noon}}
		exec := executor.New(r.Schema())
		exec.AroundRootFields(connection.AroundRootFields)
		exec.AroundFields(connection.HideDetails)
		exec.AroundFields(connection.Compiler(r.Schema().Schema(), plainLink, noon).AroundFields)
		company := ids(1)
		var team []int
		for i := range rowsEach / 2 {
			team = append(team, company+i)
		}
		as := func(role string) context.Context {
			return viewer.NewContext(ent.NewContext(t.Context(), w.client), &viewer.Viewer{
				CompanyID: company, UserID: company + 3, Permissions: viewer.Permissions(role), Businesses: team,
			})
		}
		const details = "active messageChannel joinedOn leftOn business{id} roles{id}"
		const hidden = `"active":null,"messageChannel":null,"joinedOn":null,"leftOn":null,"business":null,"roles":[]`
		everything := w.nodes(exec, as(viewer.Admin), "users(first:1000)", details)
		for role, reads := range map[string]func(u *ent.User) bool{
			viewer.Employee: func(u *ent.User) bool { return u.ID == company+3 },
			viewer.Supervisor: func(u *ent.User) bool {
				return u.ID == company+3 || u.BusinessID != nil && slices.Contains(team, *u.BusinessID)
			},
			viewer.Admin: func(*ent.User) bool { return true },
		} {
			readable := map[string]bool{}
			for _, u := range w.client.User.Query().AllX(viewer.System(t.Context())) {
				readable[fmt.Sprint(u.ID)] = reads(u)
			}
			seen := w.nodes(exec, as(role), "users(first:1000)", details)
			for id, node := range seen {
				if want := everything[id]; readable[id] && node != want || !readable[id] && !strings.Contains(node, hidden) {
					t.Errorf("%s reads of %s %s, of %s", role, id, node, want)
				}
			}
			for _, condition := range []string{
				"active:true", "activeNEQ:true", "hasBusiness:true", "hasBusiness:false", fmt.Sprintf(`hasBusinessWith:[{id:"%d"}]`, company+1),
				"hasRoles:false", "hasRolesWith:[{builtinIsNil:true}]", "hasRolesWith:[{builtinNotNil:true}]",
			} {
				for text, wanted := range map[string]bool{
					"{" + condition + "}": false, "{not:{" + condition + "}}": true, "{and:[{idGT:\"0\"},{or:[{" + condition + "}]}]}": false,
				} {
					found := w.nodes(exec, as(role), "users(first:1000,where:"+text+")", "name")
					for id := range seen {
						if _, is := found[id]; !readable[id] && is != wanted {
							t.Errorf("%s filters by %s of %s: found %v", role, text, id, is)
						}
					}
				}
			}
			managed := w.nodes(exec, as(role), "businesses(first:1000,where:{hasManagerWith:[{hasRoles:true}]})", "manager{id}")
			for _, node := range managed {
				var b struct{ Manager struct{ ID string } }
				if err := json.Unmarshal([]byte(node), &b); err != nil || b.Manager.ID != "" && !readable[b.Manager.ID] { // none: of another company
					t.Errorf("%s filters businesses by the roles of %s, %v", role, b.Manager.ID, err)
				}
			}
			if n := len(managed); n == 0 && role != viewer.Employee {
				t.Errorf("%s finds no business by its manager", role)
			}
		}
	})
}

// nodes returns the nodes of a connection as JSON, by id.
func (w world) nodes(exec *executor.Executor, ctx context.Context, field, selection string) map[string]string {
	w.Helper()
	var answer struct {
		Data map[string]struct {
			Edges []struct{ Node json.RawMessage }
		}
	}
	text := run(ctx, exec, "query($yes:Boolean!){v:__typename @include(if:$yes) all:"+field+"{edges{node{id "+selection+"}}}}", false)
	if err := json.Unmarshal([]byte(text), &answer.Data); err != nil {
		w.Fatalf("%s: %s: %v", field, text, err)
	}
	all := map[string]string{}
	for _, e := range answer.Data["all"].Edges {
		var node struct{ ID string }
		if err := json.Unmarshal(e.Node, &node); err != nil {
			w.Fatal(err)
		}
		all[node.ID] = string(e.Node)
	}
	return all
}
