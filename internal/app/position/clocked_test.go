package position

import (
	"context"
	"fmt"
	"testing"
	"time"

	"workforce/ent"
	"workforce/graph/model"
	"workforce/internal/request"
	"workforce/internal/setting"
	"workforce/internal/viewer"
)

// textOf returns a position as text; "-" for none.
func textOf(p *model.AttendancePosition) string {
	switch {
	case p == nil:
		return "-"
	case p.Accuracy == nil:
		return fmt.Sprint(p.Latitude.Degrees, p.Longitude.Degrees, " -")
	}
	return fmt.Sprint(p.Latitude.Degrees, p.Longitude.Degrees, *p.Accuracy)
}

// TestSight looks at the positions of clock events of two people, as people of each role.
func TestSight(t *testing.T) {
	w := newWorld(t)
	manager, other := w.User(t, "Ratna", viewer.Manager), w.User(t, "Other")
	var business int
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		b := db.Business.Create().SetCompanyID(w.Company.ID).SetName("Team").SetManagerID(manager.ID).SaveX(ctx)
		business = b.ID
		return db.User.UpdateOneID(w.user.ID).SetBusinessID(b.ID).Exec(ctx)
	})
	of := func(u *ent.User, change ...func(*ent.Attendance)) *ent.Attendance {
		a := &ent.Attendance{
			UserID: u.ID, ClockedInAt: w.Now().Add(-time.Hour), ClockedInLatitude: -6.2, ClockedInLongitude: 106.8,
			ClockedInAccuracy: new(12.5), ClockedInDistance: new(3), ClockedOutAt: new(w.Now()),
			ClockedOutLatitude: new(-6.3), ClockedOutLongitude: new(106.9), ClockedOutDistance: new(4),
		}
		for _, c := range change {
			c(a)
		}
		return a
	}
	const both = "-6.2 106.8 12.5, -6.3 106.9 -"
	budi := of(w.user)
	tests := []struct {
		name   string
		viewer context.Context
		of     *ent.Attendance
		want   string
		looks  int
	}{
		{"one's own", w.As(w.user, viewer.Employee), budi, both, 0},
		{"another's", w.As(other, viewer.Employee), budi, "-, -", 0},
		{"of the team", w.As(manager, viewer.Manager, business), budi, both, 1},
		{"of another team", w.As(manager, viewer.Manager, business), of(other), "-, -", 0},
		{"without a team", w.As(manager, viewer.Manager), budi, "-, -", 0},
		{"of the company", w.As(other, viewer.Admin), budi, both, 1},
		{"without the permission", w.As(w.user, "nobody"), budi, "-, -", 0},
		{"while it is open", w.As(other, viewer.Admin), of(w.user, func(a *ent.Attendance) {
			a.ClockedOutAt, a.ClockedOutLatitude, a.ClockedOutLongitude, a.ClockedOutDistance = nil, nil, nil, nil
		}), "-6.2 106.8 12.5, -", 1},
		{"what nobody clocked", w.As(other, viewer.Admin), of(w.user, func(a *ent.Attendance) {
			a.ClockedInDistance, a.ClockedOutDistance = nil, nil
		}), "-, -", 0},
		{"as old as they are kept", w.As(other, viewer.Admin), of(w.user, func(a *ent.Attendance) {
			a.ClockedInAt, a.ClockedOutAt = w.Now().AddDate(0, 0, -90), new(w.Now().AddDate(0, 0, -90).Add(-time.Microsecond))
		}), "-6.2 106.8 12.5, -", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			info := &request.Info{}
			ctx := request.NewContext(ent.NewContext(tt.viewer, w.DB), info)
			sight, err := w.Sight(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if got := textOf(sight.ClockIn(ctx, tt.of)) + ", " + textOf(sight.ClockOut(ctx, tt.of)); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if looks := info.Looks.Take(); len(looks) != tt.looks {
				t.Errorf("looks at %v, want %d", looks, tt.looks)
			}
		})
	}
	ctx := w.As(other, viewer.Admin)
	viewer.From(ctx).Settings = setting.Values{setting.CoordinateDays.Name: 30}
	if sight, err := w.Sight(ctx); err != nil || sight.reads(w.user.ID, w.Now().AddDate(0, 0, -31)) {
		t.Errorf("after 30 days: shown, %v", err)
	}
}
