package privacy

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/user"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// TestExported fills a person with values of their own everywhere, and finds in their
// export all of them that are no secrets; in that of somebody else none, and in that of
// the company those that are no face.
func TestExported(t *testing.T) {
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		ctx := viewer.System(t.Context())
		u, object := fill(t, s)
		secrets := []string{"zx-key", "zxformer", "zxhash"}
		var own, others bytes.Buffer
		if err := s.Services.Privacy.Person(ctx, &own, u.CompanyID, u.ID); err != nil {
			t.Fatal(err)
		}
		budi := s.Store.Ent.User.Query().Where(user.EmailKey("budi@demo.test")).OnlyX(ctx) // they shared a phone
		if err := s.Services.Privacy.Person(ctx, &others, u.CompanyID, budi.ID); err != nil {
			t.Fatal(err)
		}
		during := &writer{first: func() {
			harness.Rewrite(t, ctx, s.Store.Ent, func(db *ent.Client) {
				db.Attendance.Update().Where(entAttendance.UserID(u.ID)).SetClockedOutNote("zx written meanwhile").ExecX(ctx)
			})
		}}
		if err := s.Services.Privacy.Company(ctx, during, u.CompanyID); err != nil {
			t.Fatal(err)
		}
		person, other, company := unzip(t, own.Bytes()), unzip(t, others.Bytes()), unzip(t, during.Bytes())
		for _, mark := range marks(object) {
			secret := slices.Contains(secrets, mark)
			deleted := mark == "zxremoved" // the audit of the company alone has the row
			if strings.Contains(person, mark) == (secret || deleted) || strings.Contains(company, mark) == secret {
				t.Errorf("%q: in the person's export %v, in the company's %v", mark, strings.Contains(person, mark), strings.Contains(company, mark))
			}
			if strings.Contains(other, mark) {
				t.Errorf("%q is in the export of somebody else", mark)
			}
		}
		for _, not := range []string{"$argon2id", "eyJ", "wfa_", "tetangga.test"} {
			if strings.Contains(person+company, not) {
				t.Errorf("%q is in an export", not)
			}
		}
		if strings.Contains(person, "budi@demo.test") || strings.Contains(company, "landmarks") || !strings.Contains(person, `"landmarks":[{"x":`) {
			t.Error("it has what is another's, or faces are not where they belong")
		}
		if strings.Contains(company, "zx written meanwhile") {
			t.Error("the company's export has what was written after its begin")
		}
	})
}

// A writer keeps what is written, and calls first before the first of it.
type writer struct {
	bytes.Buffer
	first func()
}

func (w *writer) Write(p []byte) (int, error) {
	if w.first != nil {
		w.first()
		w.first = nil
	}
	return w.Buffer.Write(p)
}
