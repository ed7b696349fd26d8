package job

import (
	"context"
	"testing"
	"time"

	"workforce/ent"
	"workforce/internal/app/apptest"
	"workforce/internal/setting"
)

// TestDeleteOld keeps audit events, messages and positions as long as their company says.
func TestDeleteOld(t *testing.T) {
	for _, tt := range []struct {
		settings                    setting.Values
		events, messages, positions int
	}{
		{nil, 1004, 3, 3},
		{setting.Values{"auditDays": 30}, 2, 3, 3},
		{setting.Values{"messageDays": 7}, 1004, 2, 3},
		{setting.Values{"coordinateDays": 31}, 1004, 3, 1},
		{setting.Values{"auditDays": 30, "messageDays": 30, "coordinateDays": 30}, 2, 2, 1},
	} {
		w := apptest.New(t)
		u := w.User(t, "Budi")
		day := 24 * time.Hour
		w.Change(t, func(ctx context.Context, db *ent.Client) error {
			db.Company.UpdateOneID(w.Company.ID).SetSettings(tt.settings).ExecX(ctx)
			other, err := db.Company.Create().SetName("Other").SetTimezone("UTC").SetCreatedAt(apptest.Now).Save(ctx) // which keeps everything
			if err != nil {
				return err
			}
			db.AuditEvent.Create().SetCompanyID(other.ID).SetAction("x").SetSubjectType("User").SetSubjectID(1).SetAt(apptest.Now.Add(-31 * day)).
				SetAddress("").SetRequestID("").ExecX(ctx)
			for _, age := range []time.Duration{30 * day, 31*day + time.Second, 90 * day, 90*day + time.Second} {
				db.Position.Create().SetCompanyID(w.Company.ID).SetUserID(u.ID).SetRecordedAt(apptest.Now.Add(-age)).SetReceivedAt(apptest.Now).
					SetLatitude(1).SetLongitude(1).SetSource("report").ExecX(ctx)
			}
			for i, age := range []time.Duration{7*day - time.Second, 7 * day, 31 * day} {
				db.Message.Create().SetCompanyID(w.Company.ID).SetUserID(u.ID).SetKind("invited").SetChannel("email").SetDestination("x").
					SetCreatedAt(apptest.Now.Add(-age)).SetExpiresAt(apptest.Now).ExecX(ctx)
				if i > 0 { // in a batch of many
					continue
				}
				for n := range 1003 {
					at := apptest.Now.Add(-31 * day)
					if n == 0 {
						at = apptest.Now.Add(-30 * day)
					}
					db.AuditEvent.Create().SetCompanyID(w.Company.ID).SetAction("x").SetSubjectType("User").SetSubjectID(1).SetAt(at).
						SetAddress("").SetRequestID("").ExecX(ctx)
				}
			}
			return nil
		})
		if err := deleteOld(w.System(), w.DB, apptest.Now); err != nil {
			t.Fatal(err)
		}
		events, messages := w.DB.AuditEvent.Query().CountX(w.System()), w.DB.Message.Query().CountX(w.System())
		positions := w.DB.Position.Query().CountX(w.System())
		if events != tt.events || messages != tt.messages || positions != tt.positions {
			t.Errorf("%v: %d events, %d messages and %d positions are left, want %d, %d and %d", tt.settings, events, messages, positions,
				tt.events, tt.messages, tt.positions)
		}
	}
}
