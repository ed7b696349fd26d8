package permissions

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"workforce/ent"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/viewer"
)

// makesMightyKey has an owner make the API key of an input that has all permissions which a key can have.
func (m permissionTrial) makesMightyKey(t *testing.T, name, within string) *viewer.Viewer {
	t.Helper()
	list := []string{viewer.MakesWidgets}
	for _, p := range viewer.Permissions(viewer.Owner) {
		resource, _, _ := strings.Cut(p, ".")
		if !slices.Contains([]string{"audit", "company", "developer", "device", "report", "role", "session"}, resource) {
			list = append(list, p)
		}
	}
	slices.Sort(list)
	a := m.AskGraphQL(t, m.HeaderOf(viewer.Owner), `mutation { createApiKey(input: {name: "mighty", `+within+
		` permissions: ["`+strings.Join(list, `","`)+`"]}) { token } }`, nil)
	var made struct {
		CreateAPIKey struct{ Token string }
	}
	if err := json.Unmarshal(a.Data, &made); err != nil || made.CreateAPIKey.Token == "" {
		t.Fatalf("no key is made: %v, %s", err, a.Text)
	}
	m.Vars[name+".access"] = made.CreateAPIKey.Token
	return &viewer.Viewer{Permissions: list, Key: 1}
}

// TestKeyMatrix tries every operation through both APIs with an API key that has all permissions which a key can
// have: on rows of its company, of another one, and of an owner. What is for people is refused; of owners it
// sees the directory and changes nothing. A key that a business bounds does not reach the rows of others.
func TestKeyMatrix(t *testing.T) {
	all := serverOperations(t)
	harness.OnSQLite(t, func(t *testing.T, s *harness.Server) {
		m := permissionTrial{s, viewer.System(t.Context()), server.Schema(), endpointsByField(t), restDocuments(t)}
		m.promote(t, anotherOwner, viewer.Owner)
		s.SignIn(t, viewer.Owner, "admin@demo.test")
		me := m.makesMightyKey(t, "key", "")
		m.makesMightyKey(t, "bounded", `businessId: "`+strconv.Itoa(*m.user("agus@demo.test").BusinessID)+`",`)
		for _, o := range all {
			if o.effect == public || o.effect == stream {
				continue
			}
			m.tryKey(t, o, me)
			if o.effect == update && o.rows.Owner != "" || o.effect == get && o.rows.Owner != "" && !o.rows.Directory {
				m.refuses(t, o, "key", "of an owner", m.user(anotherOwner))
				m.refuses(t, o, "bounded", "of another business", m.user("cecep@demo.test"))
			}
		}
	})
}

// tryKey tries an operation with a key on the rows of its company, and of another one.
func (m permissionTrial) tryKey(t *testing.T, o operation, me *viewer.Viewer) {
	rows := map[viewer.Scope]*ent.User{viewer.All: m.user("cecep@demo.test")}
	if o.effect.byRow() {
		rows[viewer.None] = m.user("tenri@tetangga.test")
	}
	for scope, u := range rows {
		want := o.outcome(me, scope)
		unlisted := o.Access.Resource != "" && me.Scope(o.Access.Resource, o.Access.Action) == viewer.None
		if o.Access.People || unlisted || onlyOwn[o.Name] && want == done {
			want = forbidden
		}
		m.tryRow(t, o, "key", scope.String(), u, want)
	}
}

// refuses fails the test where an operation is done.
func (m permissionTrial) refuses(t *testing.T, o operation, who, row string, u *ent.User) {
	if got := m.byGraphQL(t, o, who, u); got == done {
		t.Errorf("%s, %s, row %q is done", o.Name, who, row)
	}
	for _, path := range m.paths[o.Name] {
		if strings.HasSuffix(path, "/image") && o.Write {
			continue
		}
		if got := m.byREST(t, o, who, u, path); got == done {
			t.Errorf("%s, %s, row %q is done", path, who, row)
		}
	}
}
