package webapp

import (
	"testing"

	"workforce/ent/devicetrust"
	"workforce/ent/user"
	"workforce/internal/viewer"
)

// TestRecover sets a password by an operator's link: what is void or weak is told, and the browser
// is trusted then.
func TestRecover(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	void := s.NewRecovery(t, employee)
	told := map[string]string{"void": void, "link": s.NewRecovery(t, employee)}
	useAs(t, s, employee, "recover.mjs", told, map[string]func(string) string{
		"used": func(string) string {
			ctx := viewer.System(t.Context())
			id := s.Store.Ent.User.Query().Where(user.EmailKey(employee)).OnlyIDX(ctx)
			if n := s.Store.Ent.DeviceTrust.Query().Where(devicetrust.UserID(id)).CountX(ctx); n != 1 {
				t.Errorf("%d devices are trusted", n)
			}
			return ""
		},
		"another": func(string) string { return s.NewRecovery(t, employee) },
	})
}
