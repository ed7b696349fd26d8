package harness

import (
	"encoding/json"
	"strings"
	"testing"

	"workforce/ent"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/viewer"
)

// Grant gives somebody a role of their own besides the ones they have.
func (s *Server) Grant(t *testing.T, email string, permissions ...string) {
	t.Helper()
	ctx, db := viewer.System(t.Context()), s.Store.Ent
	u, err := db.User.Query().Where(user.EmailKey(email)).Only(ctx)
	if err != nil {
		t.Fatal(err)
	}
	Rewrite(t, ctx, db, func(db *ent.Client) {
		r := db.Role.Create().SetCompanyID(u.CompanyID).SetName("of " + u.Name).SetCustomPermissions(permissions).SaveX(ctx)
		db.UserRole.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetRoleID(r.ID).ExecX(ctx)
	})
}

// Says asks in somebody's name and compares the data of the answer, or the code
// of its error.
func (s *Server) Says(t *testing.T, who, document, want string) {
	t.Helper()
	for name, value := range s.Vars {
		document, want = strings.ReplaceAll(document, "{{"+name+"}}", value), strings.ReplaceAll(want, "{{"+name+"}}", value)
	}
	a := s.AskGraphQL(t, s.HeaderOf(who), document, nil)
	got := string(a.Data)
	if a.Code() != "" {
		got = a.Code()
	}
	if !strings.HasPrefix(want, "{") {
		if got != want {
			t.Errorf("%s: %s\ngot  %s\nwant %s", who, document, a.Text, want)
		}
		return
	}
	if err := apitest.Match(want, []byte(got)); err != nil {
		t.Errorf("%s: %s\n%v\nanswer: %s", who, document, err, a.Text)
	}
}

// SaveIDs keeps the ids of somebody's newest session and of its device, as
// name.session and name.phone.
func (s *Server) SaveIDs(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		var all struct {
			Sessions struct {
				Edges []struct {
					Node struct {
						ID     string
						Device struct{ ID string }
					}
				}
			}
		}
		a := s.AskGraphQL(t, s.HeaderOf(name), `query($me: ID!) {
			sessions(last: 1, where: {hasUserWith: {id: $me}}) { edges { node { id device { id } } } }
		}`, map[string]any{"me": s.Me(t, name)})
		if err := json.Unmarshal(a.Data, &all); err != nil || len(all.Sessions.Edges) != 1 {
			t.Fatalf("%s: %s", name, a.Text)
		}
		node := all.Sessions.Edges[0].Node
		s.Vars[name+".session"], s.Vars[name+".phone"] = node.ID, node.Device.ID
	}
}

// Me returns the id of somebody who is signed in.
func (s *Server) Me(t *testing.T, name string) string {
	t.Helper()
	var me struct{ Viewer struct{ ID string } }
	a := s.AskGraphQL(t, s.HeaderOf(name), `{ viewer { id } }`, nil)
	if err := json.Unmarshal(a.Data, &me); err != nil || me.Viewer.ID == "" {
		t.Fatalf("%s: %s", name, a.Text)
	}
	return me.Viewer.ID
}
