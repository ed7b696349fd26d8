package approval

import (
	"testing"

	"workforce/ent"
	"workforce/internal/app/apptest"
	"workforce/internal/errs"
	"workforce/internal/period"
	"workforce/internal/setting"
	"workforce/internal/viewer"
)

func TestCheck(t *testing.T) {
	theirs, others := &ent.User{ID: 2, BusinessID: new(7)}, &ent.User{ID: 3, BusinessID: new(8)}
	team := []string{"correction.approve.team"}
	for _, tt := range []struct {
		about string
		v     viewer.Viewer
		u     *ent.User
		power period.LockPower
		want  string
	}{
		{"one's own", viewer.Viewer{UserID: 1}, nil, period.NoPower, "CONFLICT startsOn"},
		{"a manager, for somebody of the team", viewer.Viewer{UserID: 1, Permissions: team, Businesses: []int{7}}, theirs, period.GracePower, ""},
		{"a manager, for another", viewer.Viewer{UserID: 1, Permissions: team, Businesses: []int{7}}, others, period.NoPower, "CONFLICT startsOn"},
		{"a manager, for themselves", viewer.Viewer{UserID: 2, Permissions: team, Businesses: []int{7}}, theirs, period.NoPower, "CONFLICT startsOn"},
		{"who writes the company", viewer.Viewer{UserID: 1, Permissions: []string{"company.write.all"}}, nil, period.FullPower, ""},
		{"an owner", viewer.Viewer{UserID: 1, Owner: true}, nil, period.FullPower, ""},
	} {
		v := tt.v
		if got := PowerOver(&v, "correction", tt.u); got != tt.power {
			t.Errorf("%s: power %v, want %v", tt.about, got, tt.power)
		}
		if err := CheckLock(viewer.NewContext(t.Context(), &v), "correction", tt.u, "2026-03-03", "startsOn", "2026-02-01"); err != nil {
			t.Errorf("%s: %v without a lock", tt.about, err)
		}
		v.Settings = setting.Values{"lockAfterDays": 2, "lockGraceDays": 3}
		err := CheckLock(viewer.NewContext(t.Context(), &v), "correction", tt.u, "2026-03-03", "startsOn", "2026-03-01", "2026-02-01")
		if got := apptest.Code(err); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.about, got, tt.want)
		}
		if err != nil && (errs.As(err).Meta["lockedFrom"] != "2026-02-01" || errs.As(err).Meta["lockedUntil"] != "2026-02-28") {
			t.Errorf("%s: %v", tt.about, errs.As(err).Meta)
		}
	}
	ctx := viewer.NewContext(t.Context(), &viewer.Viewer{UserID: 1, Settings: setting.Values{"lockAfterDays": 2}})
	if got := apptest.Code(CheckLock(ctx, "correction", nil, "2026-03-03", "", "2026-02-01")); got != "CONFLICT" {
		t.Errorf("without a field: %q", got)
	}
}
