package webapp

import (
	"os"
	"path/filepath"
	"testing"

	"workforce/ent/user"
	"workforce/internal/app/scheduling"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// planDay gives everybody the shifts that are planned for today, as a job of the server does.
func planDay(t *testing.T, s *harness.Server) {
	t.Helper()
	ctx := viewer.System(t.Context())
	planner := &scheduling.Planner{DB: s.Store.Ent, Now: s.Clock.Now}
	for _, u := range s.Store.Ent.User.Query().Where(user.Active(true)).AllX(ctx) {
		if err := planner.Ensure(ctx, u.CompanyID, u.ID); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPictures makes, with WEB_PICTURES set to a folder, the pictures of the README in it.
func TestPictures(t *testing.T) {
	folder := os.Getenv("WEB_PICTURES")
	if folder == "" {
		t.Skip("made by make pictures")
	}
	told := map[string]string{"folder": folder}
	s := newServer(t)
	planDay(t, s)
	useAs(t, s, manager, "pictures.mjs", told, map[string]func(string) string{})
	for _, name := range []string{"today.png", "roster.png"} {
		if made, err := os.Stat(filepath.Join(folder, name)); err != nil || made.Size() < 10_000 {
			t.Errorf("%s is not made: %v", name, err)
		}
	}
}
