package webapp

import (
	"context"
	"testing"

	"workforce/ent"
	"workforce/ent/devicetrust"
	"workforce/ent/user"
	"workforce/internal/app/audit"
	"workforce/internal/app/auth"
	"workforce/internal/app/tx"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// TestRecover sets a password by an operator's link: what is void or weak is told, and the browser
// is trusted then.
func TestRecover(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	void := newRecovery(t, s)
	told := map[string]string{"void": void, "link": newRecovery(t, s)}
	useAs(t, s, employee, "recover.mjs", told, map[string]func(string) string{
		"used": func(string) string {
			ctx := viewer.System(t.Context())
			id := s.Store.Ent.User.Query().Where(user.EmailKey(employee)).OnlyIDX(ctx)
			if n := s.Store.Ent.DeviceTrust.Query().Where(devicetrust.UserID(id)).CountX(ctx); n != 1 {
				t.Errorf("%d devices are trusted", n)
			}
			return ""
		},
		"another": func(string) string { return newRecovery(t, s) },
	})
}

// newRecovery makes a link for the employee as the operator's command does, and returns its token.
func newRecovery(t *testing.T, s *harness.Server) string {
	t.Helper()
	var made auth.Recovery
	err := tx.Run(viewer.System(t.Context()), s.Store.Ent, func(ctx context.Context) error {
		u, err := ent.FromContext(ctx).User.Query().Where(user.EmailKey(employee)).Only(ctx)
		if err != nil {
			return err
		}
		made, err = auth.NewRecovery(ctx, &audit.Recorder{DB: s.Store.Ent, Now: s.Clock.Now}, u)
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return made.Token
}
