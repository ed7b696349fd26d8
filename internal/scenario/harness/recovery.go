package harness

import (
	"context"
	"testing"

	"workforce/ent"
	"workforce/ent/user"
	"workforce/internal/app/audit"
	"workforce/internal/app/auth"
	"workforce/internal/app/tx"
	"workforce/internal/viewer"
)

// NewRecovery makes a link for somebody as the operator's command does, and returns its token.
func (s *Server) NewRecovery(t *testing.T, email string) string {
	t.Helper()
	var made auth.Recovery
	err := tx.Run(viewer.System(t.Context()), s.Store.Ent, func(ctx context.Context) error {
		u, err := ent.FromContext(ctx).User.Query().Where(user.EmailKey(email)).Only(ctx)
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
