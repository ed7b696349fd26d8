package auth

import (
	"context"
	"testing"

	"workforce/ent"
	"workforce/internal/setting"
)

// set gives the company settings.
func (w *world) set(t *testing.T, v setting.Values) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.Company.UpdateOneID(w.Company.ID).SetSettings(v).Exec(ctx)
	})
}

// TestLifetimesOfCompany ends sessions when the company says, where it says so.
func TestLifetimesOfCompany(t *testing.T) {
	const day = 24 * 60 * 60
	w := newWorld(t)
	expires := func(s signedIn) int {
		return int(w.tokensOf(s.session, s.session.Generation)[1].ExpiresAt.Sub(w.Now()).Seconds())
	}
	u := w.person(t, "Budi")
	d, _ := w.device(t, "a")
	old := w.signIn(t, u, d)
	w.set(t, setting.Values{"refreshIdleDays": 2, "sessionDays": 5})
	pair, err := w.refresh(t, old.refresh)
	if err != nil || pair.RefreshExpiresIn != 2*day {
		t.Errorf("a session from before: %+v %v, want two days", pair, err)
	}
	s := w.signIn(t, u, d)
	if got := w.sessionOf(s.session.ID).EndsAt; expires(s) != 2*day || !got.Equal(w.Now().AddDate(0, 0, 5)) {
		t.Errorf("a session ends at %v, its pair in %d s", got, expires(s))
	}
	w.set(t, setting.Values{"refreshIdleDays": 9, "sessionDays": 5})
	if s = w.signIn(t, u, d); expires(s) != 5*day {
		t.Errorf("a pair outlives its session: %d s", expires(s))
	}
}

// TestSingleSession ends the other sessions of a person at the first pair of a new one.
func TestSingleSession(t *testing.T) {
	for _, single := range []bool{false, true} {
		w := newWorld(t)
		u, other := w.person(t, "Budi"), w.person(t, "Siti")
		a, _ := w.device(t, "a")
		b, _ := w.device(t, "b")
		if single {
			w.set(t, setting.Values{"singleSession": true})
		}
		theirs, first := w.signIn(t, other, a), w.signIn(t, u, a)
		second := w.signIn(t, u, b)
		if _, err := w.refresh(t, first.refresh); (err != nil) != single {
			t.Errorf("single %v: the older session: %v", single, err)
		}
		for _, s := range []signedIn{theirs, second} {
			if _, err := w.refresh(t, s.refresh); err != nil {
				t.Errorf("single %v: a session that stays: %v", single, err)
			}
		}
	}
}
