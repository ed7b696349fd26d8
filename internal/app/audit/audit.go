// Package audit records what was done, beside the changes of rows that the
// entities record themselves.
package audit

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"workforce/ent"
	"workforce/ent/auditevent"
	"workforce/ent/predicate"
	"workforce/internal/app/tx"
	"workforce/internal/audittrail"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// The actions that are recorded.
const (
	LoginSucceeded    = "login.succeeded"
	LoginFailed       = "login.failed"
	LoginThrottled    = "login.throttled"
	LoginVerified     = "login.verified"
	CodeFailed        = "code.failed"
	CodeExhausted     = "code.exhausted"
	PasswordForgot    = "password.forgotten"
	PasswordReset     = "password.reset"
	PasswordChanged   = "password.changed"
	RecoveryMade      = "password.link_made" // by the operator
	RefreshReused     = "refresh.reused"
	LoggedOut         = "session.ended"
	SessionRevoked    = "session.revoked"
	DeviceRegistered  = "device.registered"
	DeviceRotated     = "device.rotated"
	DeviceRevoked     = "device.revoked"
	KeyRotated        = "password_key.rotated"
	SecretKeyRotated  = "secret_key.rotated"
	SecretKeyFinished = "secret_key.finished"
	PermissionDenied  = "permission.denied"
	ClockInRefused    = "clock_in.refused"
	WidgetTokenMade   = "widget_token.created"
	UserErased        = "user.erased"
	UserExported      = "user.exported"
	CompanyExported   = "company.exported"
	CompanyRestored   = "company.restored"           // from a backup, by the operator
	DefinitionApplied = "company.definition_applied" // a file that describes it
	EventReviewed     = "attendance.reviewed"
	CoordinatesRead   = "coordinates.read"
	UserInvited       = "user.invited" // again
	MessageRepeated   = "message.repeated"

	PasswordRecovered = "password.recovered"

	AttendanceCorrected = "attendance.corrected"
	CorrectionReverted  = "attendance.correction_reverted"
	AttendanceClosed    = "attendance.closed" // by a rule
	AttendanceConfirmed = "attendance.confirmed"
	ResultsRecomputed   = "shift_results.recomputed"
)

// An Event is an action on a row of a company. Its facts hold no secrets.
type Event struct {
	Action  string
	Company int
	Subject string // entity of the row, such as ent.TypeUser
	ID      int    // of the row
	Facts   map[string]any
	Actor   int // who did it where no token tells; 0 for nobody known
}

// A Recorder writes events.
type Recorder struct {
	DB  *ent.Client
	Now func() time.Time
	Log *slog.Logger
}

// Record writes events: in the transaction of ctx, or in one of its own where
// there is none.
func (r *Recorder) Record(ctx context.Context, events ...Event) (err error) {
	defer errs.Step(&err, "audit: record an event")
	if ent.TxFromContext(ctx) == nil {
		return tx.Run(ctx, r.DB, func(ctx context.Context) error { return r.Record(ctx, events...) })
	}
	trail, _ := audittrail.From(ctx)
	db, at := ent.FromContext(ctx), r.Now()
	rows := make([]*ent.AuditEventCreate, len(events))
	for i, e := range events {
		actor := trail.Actor()
		if actor == nil && e.Actor != 0 {
			actor = &e.Actor
		}
		rows[i] = db.AuditEvent.Create().SetCompanyID(e.Company).SetNillableActorID(actor).SetNillableAPIKeyID(trail.Key()).
			SetAction(e.Action).SetSubjectType(e.Subject).SetSubjectID(e.ID).SetAt(at).
			SetAddress(trail.Address).SetRequestID(trail.RequestID)
		if e.Facts != nil {
			text, err := json.Marshal(e.Facts)
			if err != nil {
				return err
			}
			rows[i].SetAfter(string(text))
		}
	}
	return db.AuditEvent.CreateBulk(rows...).Exec(viewer.System(ctx))
}

// RecordRefused writes an event of a refusal when the transaction of ctx, which the
// refusal ends, has been rolled back: at most once a minute for the same action and
// facts on the same row.
func (r *Recorder) RecordRefused(ctx context.Context, e Event) {
	r.AfterRollback(ctx, func(ctx context.Context) error {
		text, err := json.Marshal(e.Facts)
		if err != nil {
			return err
		}
		return r.recordUnless(ctx, e, auditevent.After(string(text)))
	})
}

// AfterRollback runs a step, as a system job outside of a transaction, when that of ctx,
// which a refusal ends, has been rolled back. A failure is logged: the refusal is the
// answer.
func (r *Recorder) AfterRollback(ctx context.Context, step func(context.Context) error) {
	system := ent.NewContext(ent.NewTxContext(viewer.System(ctx), nil), r.DB)
	ent.TxFromContext(ctx).OnRollback(func(next ent.Rollbacker) ent.Rollbacker {
		return ent.RollbackFunc(func(ctx context.Context, tx *ent.Tx) error {
			failed := next.Rollback(ctx, tx)
			if err := step(system); err != nil {
				r.Log.ErrorContext(system, "after a refusal", "error", err)
			}
			return failed
		})
	})
}

// recordUnless writes an event unless one of the same action on the same row, to
// which the predicates apply, is less than a minute old.
func (r *Recorder) recordUnless(ctx context.Context, e Event, same ...predicate.AuditEvent) error {
	recent, err := ent.FromContext(ctx).AuditEvent.Query().Where(
		auditevent.CompanyID(e.Company), auditevent.SubjectType(e.Subject), auditevent.SubjectID(e.ID),
		auditevent.Action(e.Action), auditevent.AtGT(r.Now().Add(-time.Minute))).Where(same...).Exist(ctx)
	if err != nil || recent {
		return err
	}
	return r.Record(ctx, e)
}
