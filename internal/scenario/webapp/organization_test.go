package webapp

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"workforce/ent/address"
	"workforce/ent/allowedplace"
	"workforce/ent/business"
	"workforce/ent/employeeshift"
	"workforce/ent/holiday"
	"workforce/ent/user"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

const owner = "admin@demo.test"

// TestOrganization changes the tree, the sites and the holidays of a company.
func TestOrganization(t *testing.T) {
	full(t)
	t.Parallel()
	s := newServer(t)
	ctx, db := viewer.System(t.Context()), s.Store.Ent
	useAs(t, s, owner, "organization.mjs", nil, map[string]func(string) string{
		"business": func(text string) string { // its name, that of the one above it and of its manager
			of := strings.Split(text, " | ")
			b := db.Business.Query().Where(business.Name(of[0])).WithParent().WithManager().OnlyX(ctx)
			if b.Edges.Parent.Name != of[1] || b.Edges.Manager.Name != of[2] {
				t.Errorf("%s is below %s with %s, want %v", b.Name, b.Edges.Parent.Name, b.Edges.Manager.Name, of)
			}
			return ""
		},
		"site": func(text string) string {
			a := db.Address.Query().Where(address.Name("Gedung Sate")).OnlyX(ctx)
			if got := fmt.Sprintf("%s %.6f %.6f %d", a.Name, a.Latitude, a.Longitude, *a.Radius); got != text {
				t.Errorf("site %s, want %s", got, text)
			}
			return ""
		},
		"rules": func(text string) string {
			a := db.Address.Query().Where(address.Name("Gedung Sate")).OnlyX(ctx)
			if got := fmt.Sprint(a.Name, " ", map[string]string(a.Policies)); got != text {
				t.Errorf("rules %s, want %s", got, text)
			}
			return ""
		},
		"allowed": func(text string) string {
			place := db.AllowedPlace.Query().Where(allowedplace.HasBusinessWith(business.Name("Layanan Pelanggan"))).
				WithAddress().WithBusiness().OnlyX(ctx)
			if got := place.Edges.Business.Name + " " + place.Edges.Address.Name; got != text {
				t.Errorf("allowed %s, want %s", got, text)
			}
			return ""
		},
		"holiday": func(text string) string {
			name := text[:strings.LastIndex(text[:strings.LastIndex(text, " ")], " ")]
			h := db.Holiday.Query().Where(holiday.Name(name)).OnlyX(ctx)
			if got := fmt.Sprintf("%s %s %t", h.Name, h.Date, h.Half); got != text {
				t.Errorf("holiday %s, want %s", got, text)
			}
			return ""
		},
		"no": func(text string) string {
			kind, name, _ := strings.Cut(text, " ")
			count := db.Business.Query().Where(business.Name(name)).CountX
			if kind == "holiday" {
				count = db.Holiday.Query().Where(holiday.Name(name)).CountX
			}
			if n := count(ctx); n != 0 {
				t.Errorf("%d of %s", n, text)
			}
			return ""
		},
	})
}

// TestSettings changes settings of a company, and brings their defaults back.
func TestSettings(t *testing.T) {
	full(t)
	t.Parallel()
	s := newServer(t)
	ctx := viewer.System(t.Context())
	of := func() (c struct{ Name, Timezone, Settings string }) {
		db := s.Store.Ent
		row := db.Company.GetX(ctx, db.User.Query().Where(user.Email(owner)).OnlyX(ctx).CompanyID)
		delete(row.Settings, "lockAfterDays") // which the demo has set
		text, err := json.Marshal(row.Settings)
		if err != nil {
			t.Error(err)
		}
		c.Name, c.Timezone, c.Settings = row.Name, row.Timezone, string(text)
		return c
	}
	useAs(t, s, owner, "settings.mjs", nil, map[string]func(string) string{
		"settings": func(text string) string {
			if got := of().Settings; got != text {
				t.Errorf("settings %s, want %s", got, text)
			}
			return ""
		},
		"company": func(text string) string {
			if c := of(); c.Name+" | "+c.Timezone != text {
				t.Errorf("company %s, %s, want %s", c.Name, c.Timezone, text)
			}
			return ""
		},
	})
}

// TestKeys makes an API key, uses it and revokes it.
func TestKeys(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	var key string
	use := func(want int) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/user", nil)
		if err != nil {
			t.Error(err)
			return
		}
		r.Header.Set("Authorization", "Bearer "+key)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Error(err)
			return
		}
		defer answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("the key is answered %d, want %d", answer.StatusCode, want)
		}
	}
	useAs(t, s, owner, "keys.mjs", nil, map[string]func(string) string{
		"use":    func(text string) string { key = text; use(http.StatusOK); return "" },
		"unused": func(string) string { use(http.StatusUnauthorized); return "" },
	})
}

// TestFirstSteps founds a company and goes from nothing to an invited employee with a shift of today, who
// opens the address of the QR code on a phone, sets a password and clocks in.
func TestFirstSteps(t *testing.T) {
	t.Parallel()
	for name, database := range map[string]func(testing.TB) string{"sqlite": testdb.SQLite, "mysql": testdb.MySQL} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			codes := make(chan string, 10) // that were sent to the employee
			gateway := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				var sent struct{ To, Text string }
				if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
					t.Error(err)
				}
				if code, _, _ := strings.Cut(sent.Text, " "); sent.To == "dewi@contoh.id" && len(code) == 6 {
					codes <- code
				}
			}))
			t.Cleanup(gateway.Close)
			s := harness.New(t, database(t), atLocalhost, func(c *server.Config) {
				c.Demo, c.Clock, c.SMSURL, c.SMSSecret = false, nil, gateway.URL, "between the gateway and us"
			})
			useAs(t, s, "sri@contoh.id", "start.mjs", map[string]string{"path": s.SetupPath}, map[string]func(string) string{
				"built": func(string) string { wantBuilt(t, s); return "" },
				"sent":  func(string) string { return <-codes },
				"later": func(string) string { s.Clock.Advance(2 * time.Minute); return "" }, // another code may be sent
				"in":    func(string) string { wantIn(t, s); return "" },
			})
		})
	}
}

// wantIn looks for the first clock-in of a company.
func wantIn(t *testing.T, s *harness.Server) {
	t.Helper()
	a := s.Store.Ent.Attendance.Query().WithUser().WithAddress().OnlyX(viewer.System(t.Context()))
	got := fmt.Sprint(a.Edges.User.Name, " at ", a.Edges.Address.Name, " ", a.ClockedInLocal, " ", a.ClockedInGeofence)
	if want := "Dewi Lestari at Kantor 2026-03-10T09:02:00 inside"; got != want {
		t.Errorf("clocked in: %s, want %s", got, want)
	}
}

// wantBuilt looks at what the first steps of a company end in.
func wantBuilt(t *testing.T, s *harness.Server) {
	t.Helper()
	ctx, db := viewer.System(t.Context()), s.Store.Ent
	site, dewi := db.Address.Query().OnlyX(ctx), user.Email("dewi@contoh.id")
	if site.Name != "Kantor" || *site.Radius != 100 {
		t.Errorf("site %v", site)
	}
	today := db.EmployeeShift.Query().Where(employeeshift.HasUserWith(dewi)).
		Order(employeeshift.ByDate()).WithShift().FirstX(ctx)
	if got := today.Date + " " + today.Edges.Shift.StartTime; got != "2026-03-10 09:00" {
		t.Errorf("the first shift is %s", got)
	}
	harness.WantNotices(t, s, "invited", "dewi@contoh.id", 1)
}
