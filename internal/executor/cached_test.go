package executor

import (
	"context"
	"fmt"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"workforce/ent"
	"workforce/internal/viewer"
)

// TestCache answers a query of the directory again until the company's directory
// changes.
func TestCache(t *testing.T) {
	f := newFixture(t)
	f.Responses = NewResponseCache(1 << 20)
	const roles = `{ roles { totalCount } }`
	ask := func(text, role string, nobody bool) string {
		t.Helper()
		ctx := f.as(f.user, role, text, nil)
		if nobody {
			ctx = viewer.NewContext(ctx, &viewer.Viewer{})
		}
		resp := f.cache(ctx, func(context.Context) graphql.ResponseHandler {
			return graphql.OneShot(f.respond(ctx, func(context.Context) (string, error) { return fmt.Sprint(f.ran), nil }))
		})(ctx)
		return string(resp.Data)
	}
	steps := []struct {
		name, text, role string
		nobody           bool
		want             string
	}{
		{"first", roles, viewer.Owner, false, "1"},
		{"again", roles, viewer.Owner, false, "1"},
		{"other permissions", roles, viewer.Employee, false, "2"},
		{"first once more", roles, viewer.Owner, false, "1"},
		{"not of the directory", `{ profile { name } }`, viewer.Owner, false, "3"},
		{"not of the directory, again", `{ profile { name } }`, viewer.Owner, false, "4"},
		{"nobody", roles, viewer.Owner, true, "5"},
		{"nobody again", roles, viewer.Owner, true, "6"},
	}
	for _, s := range steps {
		if got := ask(s.text, s.role, s.nobody); got != s.want {
			t.Errorf("%s: load %s, want %s", s.name, got, s.want)
		}
	}
	f.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.Designation.Create().SetCompanyID(f.Company.ID).SetName("Kasir").Exec(ctx)
	})
	if got := ask(roles, viewer.Owner, false); got != "7" {
		t.Errorf("after a change of the directory: load %s, want 7", got)
	}
	f.Responses = nil
	if got := ask(roles, viewer.Owner, false) + ask(roles, viewer.Owner, false); got != "89" {
		t.Errorf("without a cache: loads %s, want 89", got)
	}
}
