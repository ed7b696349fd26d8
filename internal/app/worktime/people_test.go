package worktime

import (
	"context"
	"fmt"
	"testing"

	"workforce/ent"
	"workforce/internal/app/apptest"
	"workforce/internal/viewer"
)

// TestNamed names people within each scope of somebody with a business.
func TestNamed(t *testing.T) {
	w := apptest.New(t)
	me, colleague, other := w.User(t, "Me"), w.User(t, "Colleague"), w.User(t, "Other")
	business := 0
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		b, err := db.Business.Create().SetCompanyID(w.Company.ID).SetName("Ops").Save(ctx)
		if err != nil {
			return err
		}
		business = b.ID
		return db.User.UpdateOneID(colleague.ID).SetBusinessID(b.ID).Exec(ctx)
	})
	ctx := w.As(me, viewer.Manager, business)
	for _, tt := range []struct {
		name  string
		scope viewer.Scope
		ids   []int
		want  string
	}{
		{"oneself", viewer.Own, []int{me.ID, me.ID}, "1 "},
		{"a colleague", viewer.Own, []int{me.ID, colleague.ID}, "1 NOT_FOUND userIds"},
		{"the team and oneself", viewer.Team, []int{colleague.ID, me.ID}, "2 "},
		{"somebody of another team", viewer.Team, []int{colleague.ID, other.ID}, "1 NOT_FOUND userIds"},
		{"all", viewer.All, []int{other.ID, colleague.ID, me.ID, other.ID}, "3 "},
		{"nobody", viewer.All, []int{4711}, "0 NOT_FOUND userIds"},
	} {
		q, err := Named(ctx, viewer.From(ctx), tt.scope, "userIds", tt.ids)
		if got := fmt.Sprint(q.CountX(ctx), " ", apptest.Code(err)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
