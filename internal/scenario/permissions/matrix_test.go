// Package permissions tests who may do what: every operation in every role, through
// both APIs of the whole server.
package permissions

import (
	"cmp"
	"context"
	"encoding/json"
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"workforce/ent"
	"workforce/ent/role"
	"workforce/ent/session"
	"workforce/ent/user"
	"workforce/ent/userrole"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/viewer"
	"workforce/rest"
)

// documents are those of operations that the derived document would only try with
// invalid input. %s is a text that is new each time.
var documents = map[string]string{
	"createUser":        `mutation{createUser(input:{name:"X",email:"%s@x.test"}){id}}`,
	"createRole":        `mutation{createRole(input:{name:"%s",permissions:[]}){id}}`,
	"createBusiness":    `mutation{createBusiness(input:{name:"%s"}){id}}`,
	"createDesignation": `mutation{createDesignation(input:{name:"%s"}){id}}`,
	// Whoever may merge is told that nothing can be merged into itself.
	"mergeBusinesses": `mutation{mergeBusinesses(id:"%s",into:"%s"){id}}`, "mergeDesignations": `mutation{mergeDesignations(id:"%s",into:"%s"){id}}`,
	"createAddress":        `mutation{createAddress(input:{name:"%s",latitude:1,longitude:1}){id}}`,
	"updateDevice":         `mutation{updateDevice(id:"%s",input:{name:"X"}){id}}`,
	"updateRotation":       `mutation{updateRotation(id:"%s",input:{name:"empty",days:[null]}){id}}`,
	"endRotation":          `mutation{endRotation(id:"%s",input:{endsOn:"2031-02-01"}){id}}`,
	"splitShiftAssignment": `mutation{splitShiftAssignment(id:"%s",input:{date:"2031-02-01"}){id}}`,
	"correctTimeEntry":     `mutation{correctTimeEntry(id:"%s",input:{seconds:60,note:"x"}){id}}`,
	"updateTaskComment":    `mutation{updateTaskComment(id:"%s",input:{text:"x"}){id}}`,
	"updateTicketComment":  `mutation{updateTicketComment(id:"%s",input:{text:"x"}){id}}`,
	"createTicketCategory": `mutation{createTicketCategory(input:{name:"%s"}){id}}`,
	"createProject":        `mutation{createProject(input:{name:"%s"}){id}}`,
	"createTaskCategory":   `mutation{createTaskCategory(input:{name:"%s"}){id}}`,
	"createHoliday":        `mutation{createHoliday(input:{name:"%s",date:"2027-01-01"}){id}}`,
	"reportCoordinates":    `mutation{reportCoordinates(input:{points:[{}]}){accepted}}`,
}

// document returns a document with an operation on the row of an id.
func (o operation) document(schema *ast.Schema, id string) string {
	if text, ok := documents[o.Name]; ok {
		return strings.ReplaceAll(text, "%s", id)
	}
	var args []string
	for _, arg := range o.def.Arguments {
		switch {
		case o.effect == get && arg.Name == "id", o.effect == update && arg.Name == o.Access.Argument:
			args = append(args, arg.Name+`:"`+id+`"`)
		case o.effect == about && arg.Name == "userId":
			args = append(args, `userId:"`+id+`"`)
		case o.effect == list && arg.Name == "where" && schema.Types[arg.Type.Name()].Fields.ForName("id") != nil:
			args = append(args, `where:{id:"`+id+`"}`)
		case arg.Type.NonNull && arg.DefaultValue == nil:
			args = append(args, arg.Name+":"+sample(schema, arg.Type))
		}
	}
	text := o.Name
	if len(args) > 0 {
		text += "(" + strings.Join(args, ",") + ")"
	}
	text = "{" + text + o.selection(schema) + "}"
	if o.Write {
		return "mutation" + text
	}
	return text
}

// selection returns what a document selects of an answer: the ids of a list's
// rows, or nothing in particular.
func (o operation) selection(schema *ast.Schema) string {
	def := schema.Types[o.def.Type.Name()]
	switch {
	case def.IsLeafType():
		return ""
	case o.effect != list:
		return "{__typename}"
	case def.Fields.ForName("edges") != nil:
		return "{edges{node{id}}}"
	case def.Fields.ForName("nodes") != nil:
		return "{nodes{id}}"
	}
	return "{id}"
}

// samples are literals of scalars; the others take empty text.
var samples = map[string]string{
	"ID": `"0"`, "Int": "0", "Float": "0", "Boolean": "false",
	"Date": `"2026-03-10"`, "Time": `"2026-03-10T02:00:00Z"`, "Coordinate": "0",
}

// sample returns a literal of a type with as little in it as the type allows.
func sample(schema *ast.Schema, t *ast.Type) string {
	def := schema.Types[t.Name()]
	switch {
	case t.Elem != nil:
		return "[]"
	case def.Kind == ast.Enum:
		return def.EnumValues[0].Name
	case def.Kind != ast.InputObject:
		return cmp.Or(samples[def.Name], `""`)
	}
	var members []string
	for _, f := range def.Fields {
		if f.Type.NonNull && f.DefaultValue == nil {
			members = append(members, f.Name+":"+sample(schema, f.Type))
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

// outcomeOf returns what an operation did, from the code of its error and its
// answer.
func outcomeOf(o operation, id, code, answer string) outcome {
	switch {
	case (code == "VALIDATION_FAILED" || code == "NOT_FOUND") && !o.effect.byRow(): // it was let in
		return done
	case code == "NOT_FOUND" && strings.Contains(answer, `"field":"imageId"`), code == "VALIDATION_FAILED" && (o.Name == "saveTaskImages" || o.Name == "saveActivityImages"): // so was this
		return done
	case o.Access.Resource == "time" && (code == "CONFLICT" || code == "NO_RUNNING_TIMER"): // and this: the week is locked, or the entry is not, or none runs
		return done
	case code == "CONFLICT" && o.Name == "resumeTicket": // and this: the ticket is not on hold
		return done
	case code == "CONFLICT" && (o.Name == "inviteUser" || o.Name == "sendMessageAgain"): // and this: they have a password, and it is a code
		return done
	case code == "REPORT_NOT_READY": // and this: the file is not there
		return done
	case code == "CYCLE": // and this
		return done
	case code == "CONFLICT" && o.Access.Action == "approve": // and this: nothing waits for a decision
		return done
	case code != "":
		return outcome(code)
	case o.effect == list && !strings.Contains(answer, `"id":"`+id+`"`) && !strings.Contains(answer, `"id":`+id+`,`):
		return leftOut
	}
	return done
}

// onlyOwn says which operations everybody does for themselves alone.
var onlyOwn = map[string]bool{"updateTaskComment": true, "updateTicketComment": true, "restartTimer": true}

// ownersAlone says which REST operations are for the owner of a row alone, besides what its
// operation says of who sees the row. A report shows what its owner reads, and others may not.
var ownersAlone = map[string]bool{"GET /task/report/{id}/download": true}

// neverOwn says which operations nobody does for themselves.
var neverOwn = map[string]bool{"resetFace": true, "decideFaceReset": true}

// matrixRoles are who stands for each built-in role.
var matrixRoles = map[string]string{
	viewer.Employee: "budi@demo.test", viewer.Supervisor: "siti@demo.test", viewer.Manager: "manager@demo.test",
	viewer.Admin: "maya@demo.test", viewer.Owner: "admin@demo.test",
}

// anotherOwner is an owner besides the one of matrixRoles.
const anotherOwner = "nur@demo.test"

// ownersScope is within which scope that owner is for each role: the manager leads them.
var ownersScope = map[string]viewer.Scope{
	viewer.Employee: viewer.All, viewer.Supervisor: viewer.All, viewer.Manager: viewer.Team, viewer.Admin: viewer.All, viewer.Owner: viewer.All,
}

// A permissionTrial tries operations on rows in the name of roles.
type permissionTrial struct {
	*harness.Server
	ctx       context.Context
	schema    *ast.Schema
	paths     map[string][]string                 // REST operations by field
	documents map[string]*ast.OperationDefinition // by REST operation
}

// TestPermissionMatrix tries every operation, through both APIs and in every
// built-in role, on a row of the caller's own, of their team, of their company
// and of another one, and on one about an owner.
func TestPermissionMatrix(t *testing.T) {
	all := serverOperations(t)
	harness.OnSQLite(t, func(t *testing.T, s *harness.Server) {
		m := permissionTrial{s, viewer.System(t.Context()), server.Schema(), endpointsByField(t), restDocuments(t)}
		m.promote(t, "maya@demo.test", viewer.Admin)
		m.promote(t, anotherOwner, viewer.Owner) // so that no owner is the last
		for role, email := range matrixRoles {
			s.SignIn(t, role, email)
		}
		for _, role := range viewer.Builtin {
			for _, o := range all {
				if o.effect != public {
					m.try(t, o, role)
				}
			}
		}
	})
}

// try tries one operation in one role.
func (m permissionTrial) try(t *testing.T, o operation, role string) {
	if o.effect == stream {
		return
	}
	rows := map[viewer.Scope]*ent.User{viewer.Own: m.user(matrixRoles[role])}
	if o.effect.byRow() {
		rows[viewer.Team], rows[viewer.All], rows[viewer.None] = m.user("agus@demo.test"), m.user("cecep@demo.test"), m.user("tenri@tetangga.test")
	}
	me := &viewer.Viewer{Permissions: viewer.Permissions(role)}
	for scope, u := range rows {
		want := o.outcome(me, scope)
		if (scope == viewer.Own && neverOwn[o.Name] || scope != viewer.Own && onlyOwn[o.Name]) && want == done {
			want = forbidden
		}
		m.tryRow(t, o, role, scope.String(), u, want)
	}
	if o.effect == update && o.rows.Owner != "" {
		want := o.outcome(me, ownersScope[role])
		if (role != viewer.Owner || onlyOwn[o.Name]) && want == done {
			want = forbidden
		}
		m.tryRow(t, o, role, "of an owner", m.user(anotherOwner), want)
	}
}

// tryRow tries one operation on a row through both APIs.
func (m permissionTrial) tryRow(t *testing.T, o operation, role, row string, u *ent.User, want outcome) {
	if got := m.byGraphQL(t, o, role, u); got != want {
		t.Errorf("%s, %s, row %q: %s, want %s", o.Name, role, row, got, want)
	}
	for _, path := range m.paths[o.Name] {
		if strings.HasSuffix(path, "/image") && o.Write { // takes a form: internal/scenario/tasks sends one
			continue
		}
		want := want
		if ownersAlone[path] && row != viewer.Own.String() && want == done {
			want = forbidden
		}
		if got := m.byREST(t, o, role, u, path); got != want {
			t.Errorf("%s, %s, row %q: %s, want %s", path, role, row, got, want)
		}
	}
}

func (m permissionTrial) byGraphQL(t *testing.T, o operation, role string, u *ent.User) outcome {
	defer m.restore(t, o, u)
	id := m.row(t, o, u)
	a := m.AskGraphQL(t, m.HeaderOf(role), o.document(m.schema, id), nil)
	return outcomeOf(o, id, a.Code(), a.Text)
}

var pathVariable = regexp.MustCompile(`\{\w+\}`)

// byREST sends the id in the path, and samples of the required members.
func (m permissionTrial) byREST(t *testing.T, o operation, role string, u *ent.User, endpoint string) outcome {
	defer m.restore(t, o, u)
	id, body := m.row(t, o, u), ""
	method, path, _ := strings.Cut(endpoint, " ")
	if o.effect == about {
		path += "?userId=" + id
	}
	if method != "GET" && method != "DELETE" {
		body = m.sampleBody(t, endpoint, path)
	}
	resp, text := m.Send(t, method, pathVariable.ReplaceAllString(path, id), body, m.HeaderOf(role))
	var problem struct{ Code string }
	if resp.StatusCode != 200 {
		if err := json.Unmarshal(text, &problem); err != nil {
			t.Fatalf("%s: %d %s", endpoint, resp.StatusCode, text)
		}
	}
	return outcomeOf(o, id, problem.Code, string(text))
}

// restDocuments returns the document of each REST operation, with all directives.
func restDocuments(t *testing.T) map[string]*ast.OperationDefinition {
	t.Helper()
	api, err := server.LoadAPI("")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*ast.OperationDefinition{}
	for _, e := range api.Endpoints() {
		text, err := fs.ReadFile(rest.Operations(), e.File)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := parser.ParseQuery(&ast.Source{Input: string(text)})
		if err != nil {
			t.Fatal(err)
		}
		all[e.Method+" "+e.Path] = doc.Operations[0]
	}
	return all
}

// sampleBody returns samples of the variables that an endpoint requires in its
// body.
func (m permissionTrial) sampleBody(t *testing.T, endpoint, path string) string {
	t.Helper()
	members := map[string]any{}
	for _, v := range m.documents[endpoint].VariableDefinitions {
		if !v.Type.NonNull || v.DefaultValue != nil || strings.Contains(path, "{"+v.Variable+"}") {
			continue
		}
		name := v.Variable
		if param := v.Directives.ForName("param"); param != nil {
			name = param.Arguments.ForName("name").Value.Raw
		}
		doc, err := parser.ParseQuery(&ast.Source{Input: "{f(a:" + sample(m.schema, v.Type) + ")}"})
		if err != nil {
			t.Fatal(err)
		}
		if members[name], err = doc.Operations[0].SelectionSet[0].(*ast.Field).Arguments[0].Value.Value(nil); err != nil {
			t.Fatal(err)
		}
	}
	return harness.JSON(t, members)
}

// user returns the user with an address.
func (m permissionTrial) user(email string) *ent.User {
	return m.Store.Ent.User.Query().Where(user.EmailKey(email)).OnlyX(m.ctx)
}

// promote gives a user one role in place of those they have.
func (m permissionTrial) promote(t *testing.T, email, builtin string) {
	u, db := m.user(email), m.Store.Ent
	id := db.Role.Query().Where(role.CompanyID(u.CompanyID), role.Builtin(builtin)).OnlyIDX(m.ctx)
	harness.Rewrite(t, m.ctx, db, func(db *ent.Client) {
		db.UserRole.Delete().Where(userrole.UserID(u.ID)).ExecX(m.ctx)
		db.UserRole.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetRoleID(id).ExecX(m.ctx)
	})
}

// restore undoes that an operation deactivated a user or signed them out.
func (m permissionTrial) restore(t *testing.T, o operation, u *ent.User) {
	if o.effect == update {
		harness.Rewrite(t, m.ctx, m.Store.Ent, func(db *ent.Client) { db.User.UpdateOneID(u.ID).SetActive(true).ExecX(m.ctx) })
		m.Store.Ent.Session.Update().Where(session.UserID(u.ID)).ClearRevokedAt().ExecX(m.ctx)
	}
}
