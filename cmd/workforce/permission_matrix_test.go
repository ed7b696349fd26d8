package main

import (
	"context"
	"crypto/rand"
	"fmt"
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
		r, err := db.Role.Create().SetCompanyID(u.CompanyID).SetName("empty").Save(ctx)
		return r.ID, err
	},
	"Business": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		id, err := db.Business.Query().Where(business.CompanyID(u.CompanyID), business.Name("empty")).FirstID(ctx)
		if !ent.IsNotFound(err) {
			return id, err
		}
		b, err := db.Business.Create().SetCompanyID(u.CompanyID).SetName("empty").Save(ctx)
		return b.ID, err
	},
	"Device": newDevice,
	"Session": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		id, err := newDevice(ctx, db, u)
		if err != nil {
			return 0, err
		}
		s, err := db.Session.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetDeviceID(id).SetFamily(bytesOf(16)).SetCreatedAt(morning).Save(ctx)
		return s.ID, err
	},
	"Message": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		m, err := db.Message.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetKind("invited").SetChannel(message.ChannelEmail).
			SetDestination(u.Email).SetStatus(message.StatusSent).SetCreatedAt(morning).SetDueAt(morning).SetExpiresAt(morning.Add(time.Hour)).Save(ctx)
		return m.ID, err
	},
	"AuditEvent": func(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
		e, err := db.AuditEvent.Create().SetCompanyID(u.CompanyID).SetAction("test").SetSubjectType("User").SetSubjectID(u.ID).
			SetAt(morning).SetAddress("").SetRequestID("").Save(ctx)
		return e.ID, err
	},
}

func newDevice(ctx context.Context, db *ent.Client, u *ent.User) (int, error) {
	d, err := db.Device.Create().SetDeviceID("matrix").SetPlatform(device.PlatformWeb).SetTokenHash(bytesOf(32)).SetCreatedAt(morning).Save(ctx)
	if err != nil {
		return 0, err
	}
	return d.ID, db.DeviceTrust.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetDeviceID(d.ID).SetTrustedAt(morning).Exec(ctx)
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

// became says what an operation did, from its answer.
func became(o viewer.Operation, id string, a gqlAnswer) viewer.Outcome {
	switch code := a.code(); {
	case code == "VALIDATION_FAILED" && o.Kind == viewer.Self: // it was let in
		return viewer.Done
	case code != "":
		return viewer.Outcome(code)
	case o.Kind == viewer.List && !strings.Contains(a.text, `"id":"`+id+`"`):
		return viewer.LeftOut
	}
	return viewer.Done
}

// matrixRoles are who stands for each built-in role.
var matrixRoles = map[string]string{
	viewer.Employee: "budi@demo.test", viewer.Supervisor: "siti@demo.test", viewer.Manager: "manager@demo.test",
	viewer.Admin: "maya@demo.test", viewer.Owner: "admin@demo.test",
}

// TestPermissionMatrix tries every operation in every built-in role on a row of
// the caller's own, of their team, of their company and of another one.
func TestPermissionMatrix(t *testing.T) {
	eachServer(t, func(t *testing.T, s *testServer) {
		ctx, db, fields := viewer.System(t.Context()), s.store.ent, rootFieldsOf(schemaOnly())
		find := func(email string) *ent.User {
			return db.User.Query().Where(user.EmailKey(email)).OnlyX(ctx)
		}
		promote(ctx, db, find("maya@demo.test"), viewer.Admin)
		promote(ctx, db, find("nur@demo.test"), viewer.Owner) // so that no owner is the last
		others := map[viewer.Scope]*ent.User{viewer.Team: find("agus@demo.test"), viewer.All: find("cecep@demo.test"), viewer.None: find("tenri@tetangga.test")}
		for r, email := range matrixRoles {
			s.SignIn(t, r, email)
		}
		for _, r := range viewer.Builtin {
			me := &viewer.Viewer{Permissions: viewer.Permissions(r)}
			for _, o := range viewer.Operations() {
				if o.Kind == viewer.Open {
					continue // no role decides
				}
				rows := map[viewer.Scope]*ent.User{viewer.Own: find(matrixRoles[r])}
				if o.Kind >= viewer.List {
					for scope, u := range others {
						rows[scope] = u
					}
				}
				for scope, u := range rows {
					id := s.row(t, ctx, o, fields[o.Field], u)
					text := asking(o, fields[o.Field])
					if strings.Contains(text, "%s") {
						text = fmt.Sprintf(text, id)
					}
					got := became(o, id, s.graphql(t, s.header(r), text, nil))
					if want := o.Outcome(me, scope); got != want {
						t.Errorf("%s, %s, row %q: %s, want %s", o.Field, r, scope, got, want)
					}
					if o.Kind == viewer.Change {
						comeBack(ctx, db, u)
					}
				}
			}
		}
	})
}

// promote gives a user one role in place of those they have.
func promote(ctx context.Context, db *ent.Client, u *ent.User, builtin string) {
	id := db.Role.Query().Where(role.CompanyID(u.CompanyID), role.Builtin(builtin)).OnlyIDX(ctx)
	db.UserRole.Delete().Where(userrole.UserID(u.ID)).ExecX(ctx)
	db.UserRole.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetRoleID(id).ExecX(ctx)
}

// comeBack undoes that a user was deactivated, and signed out.
func comeBack(ctx context.Context, db *ent.Client, u *ent.User) {
	db.User.UpdateOneID(u.ID).SetActive(true).ExecX(ctx)
	db.Session.Update().Where(session.UserID(u.ID)).ClearRevokedAt().ExecX(ctx)
}

// row returns the id of a row for an operation: of the type it is about, or any
// new text where it names none.
func (s *testServer) row(t *testing.T, ctx context.Context, o viewer.Operation, f *ast.FieldDefinition, u *ent.User) string {
	t.Helper()
	if o.Kind < viewer.List {
		return fmt.Sprintf("new%x", bytesOf(8))
	}
	typ := rowType(o, f)
	if rowMakers[typ] == nil {
		t.Fatalf("no rows of %s for %s: rowMakers must make them", typ, o.Field)
	}
	id, err := rowMakers[typ](ctx, s.store.ent, u)
	if err != nil {
		t.Fatalf("a row of %s for %s: %v", typ, o.Field, err)
	}
	return idText(id)
}
