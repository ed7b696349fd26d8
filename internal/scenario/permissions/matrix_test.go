package permissions

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"workforce/ent"
	"workforce/ent/address"
	"workforce/ent/attendance"
	"workforce/ent/business"
	"workforce/ent/designation"
	"workforce/ent/device"
	"workforce/ent/employeeshift"
	"workforce/ent/message"
	"workforce/ent/role"
	"workforce/ent/session"
	"workforce/ent/shift"
	"workforce/ent/shiftassignment"
	"workforce/ent/user"
	"workforce/ent/userrole"
	"workforce/internal/app/tx"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/viewer"
)

// A rowMaker finds or makes a row about a user, or of their company.
type rowMaker func(ctx context.Context, db *ent.Client, u *ent.User) (int, error)

// rowMakers make the rows of each type that an operation names or lists; what an
// operation removed is made anew.
var rowMakers = map[string]rowMaker{
	"User": func(_ context.Context, _ *ent.Client, u *ent.User) (int, error) { return u.ID, nil },
	"Attendance": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		return db.Attendance.Query().Where(attendance.UserID(u.ID)).FirstID(ctx)
	},
	"EmployeeShift": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		return db.EmployeeShift.Query().Where(employeeshift.UserID(u.ID)).FirstID(ctx)
	},
	"ShiftAssignment": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		return db.ShiftAssignment.Query().Where(shiftassignment.UserID(u.ID)).FirstID(ctx)
	},
	"Shift": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		return db.Shift.Query().Where(shift.CompanyID(u.CompanyID)).FirstID(ctx)
	},
	"Designation": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		return db.Designation.Query().Where(designation.CompanyID(u.CompanyID)).FirstID(ctx)
	},
	"Address": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		return db.Address.Query().Where(address.CompanyID(u.CompanyID)).FirstID(ctx)
	},
	"Role": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		id, err := db.Role.Query().Where(role.CompanyID(u.CompanyID), role.Name("empty")).FirstID(ctx)
		if !ent.IsNotFound(err) {
			return id, err
		}
		err = tx.With(ctx, db, func(db *ent.Client) error {
			id = db.Role.Create().SetCompanyID(u.CompanyID).SetName("empty").SaveX(ctx).ID
			return nil
		})
		return id, err
	},
	"Business": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		id, err := db.Business.Query().Where(business.CompanyID(u.CompanyID), business.Name("empty")).FirstID(ctx)
		if !ent.IsNotFound(err) {
			return id, err
		}
		err = tx.With(ctx, db, func(db *ent.Client) error {
			id = db.Business.Create().SetCompanyID(u.CompanyID).SetName("empty").SaveX(ctx).ID
			return nil
		})
		return id, err
	},
	"Device": newDevice,
	"Session": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		id, err := newDevice(ctx, db, u)
		if err != nil {
			return 0, err
		}
		s, err := db.Session.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetDeviceID(id).SetFamily(bytesOf(16)).SetCreatedAt(harness.Morning).Save(ctx)
		return s.ID, err
	},
	"Message": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		m, err := db.Message.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetKind("invited").SetChannel(message.ChannelEmail).
			SetDestination(u.Email).SetStatus(message.StatusSent).SetCreatedAt(harness.Morning).SetDueAt(harness.Morning).SetExpiresAt(harness.Morning.Add(time.Hour)).Save(ctx)
		return m.ID, err
	},
	"AuditEvent": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		e, err := db.AuditEvent.Create().SetCompanyID(u.CompanyID).SetAction("test").SetSubjectType("User").SetSubjectID(u.ID).
			SetAt(harness.Morning).SetAddress("").SetRequestID("").Save(ctx)
		return e.ID, err
	},
}

func newDevice(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
	d, err := db.Device.Create().SetDeviceID("matrix").SetPlatform(device.PlatformWeb).SetTokenHash(bytesOf(32)).SetCreatedAt(harness.Morning).Save(ctx)
	if err != nil {
		return 0, err
	}
	return d.ID, db.DeviceTrust.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetDeviceID(d.ID).SetTrustedAt(harness.Morning).Exec(ctx)
}

func bytesOf(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return b
}

// askings are the documents of operations that are not asked for as their kind
// is. %s is the id of a row, or any text that is new each time.
var askings = map[string]string{
	"employees":         `{employees{nodes{id}}}`,
	"roleList":          `{roleList{id}}`,
	"revokeAllSessions": `mutation{revokeAllSessions(userId:"%s"){id}}`,
	"changePassword":    `mutation{changePassword(input:{oldPassword:"",newPassword:""}){changed}}`,
	"clockIn":           `mutation{clockIn(input:{}){clockedIn}}`,
	"clockOut":          `mutation{clockOut(input:{}){clockedOut}}`,
	"createUser":        `mutation{createUser(input:{name:"X",email:"%s@x.test"}){id}}`,
	"createRole":        `mutation{createRole(input:{name:"%s",permissions:[]}){id}}`,
	"createBusiness":    `mutation{createBusiness(input:{name:"%s"}){id}}`,
}

// asking returns the document that asks for an operation.
func asking(o viewer.Operation, f *ast.FieldDefinition) string {
	if text, ok := askings[o.Field]; ok {
		return text
	}
	switch o.Kind {
	case viewer.List:
		return "{" + o.Field + `(where:{id:"%s"}){edges{node{id}}}}`
	case viewer.One:
		return "{" + o.Field + `(id:"%s"){__typename}}`
	case viewer.Change:
		input := ""
		if f.Arguments.ForName("input") != nil {
			input = ",input:{}"
		}
		return "mutation{" + o.Field + `(id:"%s"` + input + `){__typename}}`
	}
	return "{" + o.Field + "{__typename}}"
}

// rowType names the type of the rows that an operation is about.
func rowType(o viewer.Operation, f *ast.FieldDefinition) string {
	switch {
	case o.Field == "employees", o.Field == "revokeAllSessions":
		return "User"
	case o.Field == "roleList":
		return "Role"
	case strings.HasPrefix(o.Field, "delete"):
		return strings.TrimPrefix(o.Field, "delete")
	}
	return strings.TrimSuffix(f.Type.Name(), "Connection")
}

// became says what an operation did, from the code of its error and its answer.
func became(o viewer.Operation, id, code, answer string) viewer.Outcome {
	switch {
	case code == "VALIDATION_FAILED" && o.Kind < viewer.List: // it was let in
		return viewer.Done
	case code != "":
		return viewer.Outcome(code)
	case o.Kind == viewer.List && !strings.Contains(answer, `"id":"`+id+`"`) && !strings.Contains(answer, `"id":`+id+`,`):
		return viewer.LeftOut
	}
	return viewer.Done
}

// matrixRoles are who stands for each built-in role.
var matrixRoles = map[string]string{
	viewer.Employee: "budi@demo.test", viewer.Supervisor: "siti@demo.test", viewer.Manager: "manager@demo.test",
	viewer.Admin: "maya@demo.test", viewer.Owner: "admin@demo.test",
}

// A permissionTrial tries operations on rows in the name of roles.
type permissionTrial struct {
	*harness.Server
	ctx    context.Context
	fields map[string]*ast.FieldDefinition
	paths  map[string][]string // REST operations by field
}

// TestPermissionMatrix tries every operation, through both APIs and in every
// built-in role, on a row of the caller's own, of their team, of their company
// and of another one.
func TestPermissionMatrix(t *testing.T) {
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		m := permissionTrial{s, viewer.System(t.Context()), rootFieldsOf(server.Schema()), endpointsByField(t)}
		m.promote(t, "maya@demo.test", viewer.Admin)
		m.promote(t, "nur@demo.test", viewer.Owner) // so that no owner is the last
		for role, email := range matrixRoles {
			s.SignIn(t, role, email)
		}
		for _, role := range viewer.Builtin {
			for _, o := range viewer.Operations() {
				if o.Kind != viewer.Open { // where no role decides
					m.try(t, o, role)
				}
			}
		}
	})
}

// try tries one operation in one role.
func (m permissionTrial) try(t *testing.T, o viewer.Operation, role string) {
	rows := map[viewer.Scope]*ent.User{viewer.Own: m.user(matrixRoles[role])}
	if o.Kind >= viewer.List {
		rows[viewer.Team], rows[viewer.All], rows[viewer.None] = m.user("agus@demo.test"), m.user("cecep@demo.test"), m.user("tenri@tetangga.test")
	}
	me := &viewer.Viewer{Permissions: viewer.Permissions(role)}
	for scope, u := range rows {
		want := o.Outcome(me, scope)
		if got := m.byGraphQL(t, o, role, u); got != want {
			t.Errorf("%s, %s, row %q: %s, want %s", o.Field, role, scope, got, want)
		}
		for _, path := range m.paths[o.Field] {
			if got := m.byREST(t, o, role, u, path); got != want {
				t.Errorf("%s, %s, row %q: %s, want %s", path, role, scope, got, want)
			}
		}
	}
}

func (m permissionTrial) byGraphQL(t *testing.T, o viewer.Operation, role string, u *ent.User) viewer.Outcome {
	defer m.comeBack(t, o, u)
	id, text := m.row(t, o, u), asking(o, m.fields[o.Field])
	if strings.Contains(text, "%s") {
		text = fmt.Sprintf(text, id)
	}
	a := m.AskGraphQL(t, m.HeaderOf(role), text, nil)
	return became(o, id, a.Code(), a.Text)
}

// byREST sends no members besides the id in the path.
func (m permissionTrial) byREST(t *testing.T, o viewer.Operation, role string, u *ent.User, endpoint string) viewer.Outcome {
	defer m.comeBack(t, o, u)
	id, body := m.row(t, o, u), ""
	method, path, _ := strings.Cut(endpoint, " ")
	if method == "POST" || method == "PUT" {
		body = "{}"
	}
	resp, text := m.Send(t, method, strings.ReplaceAll(path, "{id}", id), body, m.HeaderOf(role))
	var problem struct{ Code string }
	if resp.StatusCode != 200 {
		if err := json.Unmarshal(text, &problem); err != nil {
			t.Fatalf("%s: %d %s", endpoint, resp.StatusCode, text)
		}
	}
	return became(o, id, problem.Code, string(text))
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

// comeBack undoes that an operation deactivated a user or signed them out.
func (m permissionTrial) comeBack(t *testing.T, o viewer.Operation, u *ent.User) {
	if o.Kind == viewer.Change {
		harness.Rewrite(t, m.ctx, m.Store.Ent, func(db *ent.Client) { db.User.UpdateOneID(u.ID).SetActive(true).ExecX(m.ctx) })
		m.Store.Ent.Session.Update().Where(session.UserID(u.ID)).ClearRevokedAt().ExecX(m.ctx)
	}
}

// row returns the id of a row for an operation: of the type it is about, or any
// new text where it names none.
func (m permissionTrial) row(t *testing.T, o viewer.Operation, u *ent.User) string {
	t.Helper()
	if o.Kind < viewer.List {
		return fmt.Sprintf("new%x", bytesOf(8))
	}
	typ := rowType(o, m.fields[o.Field])
	if rowMakers[typ] == nil {
		t.Fatalf("no rows of %s for %s: rowMakers must make them", typ, o.Field)
	}
	id, err := rowMakers[typ](m.ctx, m.Store.Ent, u)
	if err != nil {
		t.Fatalf("a row of %s for %s: %v", typ, o.Field, err)
	}
	return strconv.Itoa(id)
}
