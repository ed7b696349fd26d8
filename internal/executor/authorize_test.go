package executor

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"

	"workforce/ent"
	"workforce/ent/auditevent"
	"workforce/internal/app/apptest"
	"workforce/internal/app/audit"
	"workforce/internal/errs"
	"workforce/internal/request"
	"workforce/internal/viewer"
)

// as returns the context of an operation of a user with a built-in role.
func (f *fixture) as(u *ent.User, role, text string, variables map[string]any) context.Context {
	f.t.Helper()
	doc, err := gqlparser.LoadQueryWithRules(f.schema.Schema(), text, nil)
	if err != nil {
		f.t.Fatalf("%s: %v", text, err)
	}
	ctx := f.As(u, role)
	if role == "" {
		ctx = viewer.NewContext(ctx, &viewer.Viewer{})
	}
	ctx = request.NewContext(ctx, &request.Info{Header: http.Header{}, Reply: http.Header{}})
	return graphql.WithOperationContext(ctx, &graphql.OperationContext{RawQuery: text, Doc: doc, Operation: doc.Operations[0], Variables: variables})
}

// pass is what follows a middleware that lets an operation pass.
func pass(context.Context) graphql.ResponseHandler {
	return graphql.OneShot(&graphql.Response{Data: []byte("passed")})
}

// TestAuthorize tries each kind of @access.
func TestAuthorize(t *testing.T) {
	f := newFixture(t)
	budi, siti := f.User(t, "Budi Employee"), f.User(t, "Siti")
	var stranger *ent.User
	f.Change(t, func(ctx context.Context, db *ent.Client) error {
		c, err := db.Company.Create().SetName("Other").SetTimezone("Asia/Jakarta").SetLocale("id").SetCreatedAt(apptest.Now).Save(ctx)
		if err != nil {
			return err
		}
		stranger, err = db.User.Create().SetCompanyID(c.ID).SetName("Tono").SetEmail("t@other.test").SetEmailKey("t@other.test").SetCreatedAt(apptest.Now).Save(ctx)
		return err
	})
	revoke := `mutation { revokeAllSessions(userId: %d) { id } }`
	tests := []struct{ name, role, text, want string }{
		{"public, nobody", "", `mutation { logout { loggedOut } }`, ""},
		{"about oneself", viewer.Employee, `{ profile { name } }`, ""},
		{"a read without the permission", viewer.Employee, `{ auditEvents { totalCount } }`, ""}, // the policies show no rows
		{"a write within the scope", viewer.Employee, `mutation { clockOut(input: {employeeShiftId: "1", latitude: "0", longitude: "0"}) { clockedOut } }`, ""},
		{"a write without the permission", viewer.Employee, `mutation { createRole(input: {name: "x", permissions: []}) { id } }`, "FORBIDDEN"},
		{"a write with it", viewer.Admin, `mutation { createRole(input: {name: "x", permissions: []}) { id } }`, ""},
		{"a visible row", viewer.Employee, fmt.Sprintf(`mutation { deleteUser(id: %d) { deleted } }`, siti.ID), "FORBIDDEN"},
		{"an invisible row", viewer.Employee, fmt.Sprintf(`mutation { deleteUser(id: %d) { deleted } }`, stranger.ID), "NOT_FOUND"},
		{"no row", viewer.Employee, `mutation { deleteUser(id: 99999) { deleted } }`, "NOT_FOUND"},
		{"an invisible row, with the permission", viewer.Admin, fmt.Sprintf(`mutation { deleteUser(id: %d) { deleted } }`, stranger.ID), ""}, // the resolver finds none
		{"no id", viewer.Employee, `mutation { deleteUser(id: "x") { deleted } }`, "NOT_FOUND"},
		{"another argument, within the scope", viewer.Employee, fmt.Sprintf(revoke, siti.ID), ""},
		{"a visible row, deleted under an alias", viewer.Employee, fmt.Sprintf(`mutation { gone: deleteUser(id: %d) { deleted } }`, siti.ID), "FORBIDDEN"},
		{"left out", viewer.Employee, `mutation { createRole(input: {name: "x", permissions: []}) @skip(if: true) { id } __typename }`, ""},
		{"one of two", viewer.Employee, `mutation { logout { loggedOut } createRole(input: {name: "x", permissions: []}) { id } }`, "FORBIDDEN"},
		{"in a fragment", viewer.Employee, `mutation { ...F } fragment F on Mutation { createRole(input: {name: "x", permissions: []}) { id } }`, "FORBIDDEN"},
	}
	for _, tt := range tests {
		ctx := f.as(budi, tt.role, tt.text, nil)
		got := outcomeOf(f.authorize(ctx, pass)(ctx), http.Header{})
		if got.code != tt.want || (got.data == "passed") != (tt.want == "") {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestOtherArgument names the row by another argument than id: an invisible one is
// a fault of that argument.
func TestOtherArgument(t *testing.T) {
	f := newFixture(t)
	budi, siti := f.User(t, "Budi Employee"), f.User(t, "Siti")
	field := f.Fields["revokeAllSessions"]
	wider := *field
	wider.Access.Scope = viewer.All
	f.Fields["revokeAllSessions"] = &wider
	for id, want := range map[any]string{fmt.Sprint(siti.ID): "FORBIDDEN", "99999": "NOT_FOUND userId", true: ""} { // the field says what is wrong with true
		ctx := f.as(budi, viewer.Employee, `mutation($id: ID!) { revokeAllSessions(userId: $id) { id } }`, map[string]any{"id": id})
		got := ""
		if list := f.authorize(ctx, pass)(ctx).Errors; len(list) > 0 {
			got = apptest.Code(list[0])
		}
		if got != want {
			t.Errorf("user %v: %q, want %q", id, got, want)
		}
	}
}

// TestDenials names each refused field by its path, and runs none.
func TestDenials(t *testing.T) {
	f := newFixture(t)
	ctx := f.as(f.User(t, "Siti"), viewer.Employee, `mutation { a: createRole(input: {name: "x", permissions: []}) { id } b: deleteRole(id: 99999) { deleted } }`, nil)
	got := outcomeOf(f.authorize(ctx, func(context.Context) graphql.ResponseHandler { t.Error("it runs"); return nil })(ctx), http.Header{})
	if len(got.errors) != 2 || got.errors[0].Path.String() != "a" || got.errors[1].Path.String() != "b" || errs.CodeOf(got.errors[1]) != errs.NotFound {
		t.Errorf("got %v", got.errors)
	}
}

// TestRecordDenied records mutations that were refused, and nothing else.
func TestRecordDenied(t *testing.T) {
	f := newFixture(t)
	var log strings.Builder
	f.Log = slog.New(slog.NewTextHandler(&log, nil))
	tests := []struct {
		name, role, text string
		err              error
		want             int
	}{
		{"refused", viewer.Employee, deletion, errs.New(errs.Forbidden, nil), 1},
		{"another error", viewer.Employee, deletion, errs.New(errs.NotFound, nil), 0},
		{"no error", viewer.Employee, deletion, nil, 0},
		{"a query", viewer.Employee, `{ profile { name } }`, errs.New(errs.Forbidden, nil), 0},
		{"nobody", "", deletion, errs.New(errs.Forbidden, nil), 0},
	}
	for _, tt := range tests {
		ctx := f.as(f.user, tt.role, tt.text, nil)
		denied := f.DB.AuditEvent.Query().Where(auditevent.Action(audit.PermissionDenied))
		before := denied.Clone().CountX(f.System())
		f.recordDenied(ctx, func(context.Context) graphql.ResponseHandler {
			return func(ctx context.Context) *graphql.Response {
				return f.respond(ctx, func(context.Context) (string, error) { return "", tt.err })
			}
		})(ctx)
		if n := denied.CountX(f.System()) - before; n != tt.want {
			t.Errorf("%s: %d events, want %d", tt.name, n, tt.want)
		}
	}
	if log.Len() > 0 {
		t.Errorf("log:\n%s", &log)
	}
	e := f.DB.AuditEvent.Query().Where(auditevent.Action(audit.PermissionDenied)).OnlyX(f.System())
	if e.SubjectType != "Role" || e.SubjectID != 1 || e.CompanyID != f.Company.ID || *e.After != `{"mutations":["deleteRole"]}` {
		t.Errorf("got %v, %s", e, *e.After)
	}
}
