package approval_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/internal/app/approval"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/rostertest"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/setting"
	"workforce/internal/viewer"
)

// A world is a tree of three businesses: Pusat, led by sari, above Lobi, which nobody leads, above Dapur,
// led by ani. Each has people; rudi is an owner in Dapur.
type world struct {
	*rostertest.World
	pusat, lobi, dapur          *ent.Business
	sari, ani, budi, joko, rudi *ent.User
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{World: rostertest.New(t)}
	w.sari, w.ani = w.User(t, "Sari", viewer.Manager), w.User(t, "Ani", viewer.Manager)
	w.budi, w.joko, w.rudi = w.User(t, "Budi"), w.User(t, "Joko"), w.User(t, "Rudi", viewer.Owner)
	w.pusat = w.Business(t, "Pusat", nil, w.sari)
	w.lobi = w.Business(t, "Lobi", w.pusat, w.joko)
	w.dapur = w.Business(t, "Dapur", w.lobi, w.ani, w.budi, w.rudi)
	w.lead(t, w.pusat, w.sari)
	w.lead(t, w.dapur, w.ani)
	return w
}

func (w *world) lead(t *testing.T, b *ent.Business, manager *ent.User) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.Business.UpdateOneID(b.ID).SetManagerID(manager.ID).Exec(ctx)
	})
}

// names lists people.
func names(people map[int]*ent.User) string {
	var list []string
	for _, u := range people {
		list = append(list, u.Name)
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

// TestDecided lists about whom somebody decides, of everybody and of somebody who is not there.
func TestDecided(t *testing.T) {
	w := newWorld(t)
	all := []int{w.joko.ID, w.budi.ID, w.ani.ID, w.sari.ID, w.rudi.ID, w.budi.ID, 99999}
	const seen = "Ani Budi Joko Rudi Sari"
	both := []string{"attendance", "time"}
	for _, tt := range []struct {
		name       string
		who        *ent.User
		role       string
		businesses []int
		grant      []string // in place of the role's permissions
		resources  []string
		want       string
	}{
		{"a manager, of two teams", w.sari, viewer.Manager, []int{w.lobi.ID, w.dapur.ID}, nil, both, "Ani Budi Joko"},
		{"a manager, not about herself", w.ani, viewer.Manager, []int{w.dapur.ID}, nil, both, "Budi"},
		{"a manager without a team", w.ani, viewer.Manager, nil, nil, both, ""},
		{"a supervisor", w.ani, viewer.Supervisor, []int{w.dapur.ID}, nil, both, ""},
		{"an administrator, not about an owner", w.Admin, viewer.Admin, nil, nil, both, "Ani Budi Joko Sari"},
		{"an owner, not about himself", w.rudi, viewer.Owner, nil, nil, both, "Ani Budi Joko Sari"},
		{"another owner", w.joko, viewer.Owner, nil, nil, both, "Ani Budi Rudi Sari"},
		{"one resource of two", w.ani, viewer.Manager, []int{w.dapur.ID}, []string{"attendance.approve.team"}, both, ""},
		{"the one resource", w.ani, viewer.Manager, []int{w.dapur.ID}, []string{"attendance.approve.team"}, both[:1], "Budi"},
		{"the smaller of two scopes", w.ani, viewer.Manager, []int{w.dapur.ID},
			[]string{"attendance.approve.all", "time.approve.team"}, both, "Budi"},
		{"one's own alone", w.ani, viewer.Manager, nil, []string{"attendance.approve.own"}, both[:1], ""},
		{"who writes", w.ani, viewer.Manager, []int{w.dapur.ID}, []string{"attendance.write.all"}, both[:1], ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx := w.As(tt.who, tt.role, tt.businesses...)
			if tt.grant != nil {
				viewer.From(ctx).Permissions = tt.grant
			}
			decided, found, err := approval.Decided(ctx, all, tt.resources...)
			if err != nil || names(decided) != tt.want || names(found) != seen {
				t.Errorf("decides about %q of %q, %v, want %q of %q", names(decided), names(found), err, tt.want, seen)
			}
			for _, u := range found {
				want := ""
				if decided[u.ID] == nil {
					want = "FORBIDDEN"
				}
				if one, err := approval.One(ctx, u.ID, tt.resources...); apptest.Code(err) != want || (one != nil) != (want == "") {
					t.Errorf("about %s: %v, %v, want %q", u.Name, one, err, want)
				}
			}
		})
	}
	_, _, err := approval.Decided(ent.NewContext(t.Context(), w.DB), all, both...)
	rostertest.WantCode(t, "nobody", err, string(errs.Unauthenticated))
}

// asked returns who are told by the jobs that wait, and of what.
func (w *world) asked(t *testing.T) (text string) {
	t.Helper()
	for _, j := range w.DB.Job.Query().Order(ent.Asc("id")).AllX(w.System()) {
		text += *j.Payload + "\n"
	}
	w.DB.Job.Delete().ExecX(w.System())
	return text
}

// TestAsk tells the nearest manager alone: never the person, nor a manager who has left.
func TestAsk(t *testing.T) {
	w := newWorld(t)
	ask := func(about string, u, manager *ent.User) {
		t.Helper()
		err := w.Transact(w.As(u, viewer.Employee), func(ctx context.Context) error {
			return w.Desk.Ask(ctx, message.LeaveAsked, u.ID, "2026-03-12")
		})
		want := ""
		if manager != nil {
			const notice = `{"Kind":"leave_asked","Users":[%d],"Date":"2026-03-12","About":%d,"Note":""}`
			want = fmt.Sprintf(notice+"\n", manager.ID, u.ID)
		}
		if got := w.asked(t); got != want || err != nil {
			t.Errorf("%s: told %s, %v, want %s", about, got, err, want)
		}
	}
	ask("led by ani", w.budi, w.ani)
	ask("ani leads herself", w.ani, w.sari)
	ask("no manager of the business", w.joko, w.sari)
	ask("nobody above", w.sari, nil)
	ask("no business", w.Admin, nil)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.User.UpdateOne(w.ani).SetActive(false).Exec(ctx)
	})
	ask("ani has left", w.budi, w.sari)
}

// TestTell tells the requester what became of a request.
func TestTell(t *testing.T) {
	w := newWorld(t)
	err := w.Transact(w.As(w.ani, viewer.Manager), func(ctx context.Context) error {
		return w.Desk.Tell(ctx, message.LeaveRefused, w.budi.ID, "2026-03-12", "terlalu banyak")
	})
	const notice = `{"Kind":"leave_refused","Users":[%d],"Date":"2026-03-12","About":0,"Note":"terlalu banyak"}`
	want := fmt.Sprintf(notice+"\n", w.budi.ID)
	if got := w.asked(t); got != want || err != nil {
		t.Errorf("told %s, %v, want %s", got, err, want)
	}
}

// TestPast says for how long requests are decided, and what they are then.
func TestPast(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(w.budi, viewer.Employee)
	for days, settings := range map[int]setting.Values{14: nil, 3: {"requestDays": 3}} {
		viewer.From(ctx).Settings = settings
		if got, want := w.Desk.ExpiresAt(ctx), apptest.Now.AddDate(0, 0, days); !got.Equal(want) {
			t.Errorf("with %v until %v, want %v", settings, got, want)
		}
	}
	const microsecond = time.Microsecond
	for _, tt := range []struct {
		state string
		left  time.Duration
		want  any // the state of the conflict; nil without one
	}{
		{"pending", microsecond, nil}, {"pending", 0, "expired"}, {"pending", -microsecond, "expired"},
		{"approved", microsecond, "approved"}, {"approved", -microsecond, "approved"}, {"cancelled", 0, "cancelled"},
	} {
		err := w.Desk.Past(tt.state, apptest.Now.Add(tt.left))
		var got any
		if err != nil {
			got = errs.As(err).Meta["state"]
		}
		if got != tt.want || err != nil && errs.CodeOf(err) != errs.Conflict {
			t.Errorf("%s with %v left: %v, want %v", tt.state, tt.left, err, tt.want)
		}
	}
}
