package graph

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/ent"
	"workforce/ent/auditevent"
	"workforce/graph/identity"
	"workforce/internal/audit"
	"workforce/internal/errs"
	"workforce/internal/request"
	"workforce/internal/token"
	"workforce/internal/viewer"
)

// What the audit says was done, beside the changes of rows that the entities
// themselves put down.
const (
	loginSucceeded   = "login.succeeded"
	loginFailed      = "login.failed"
	loginThrottled   = "login.throttled"
	loginVerified    = "login.verified"
	codeFailed       = "code.failed"
	codeExhausted    = "code.exhausted"
	passwordReset    = "password.reset"
	passwordChanged  = "password.changed"
	refreshReused    = "refresh.reused"
	loggedOut        = "session.ended"
	sessionRevoked   = "session.revoked"
	deviceRotated    = "device.rotated"
	deviceRevoked    = "device.revoked"
	permissionDenied = "permission.denied"
)

// An event is something that was done to a row of a company, for the audit. Its
// facts hold no secrets.
type event struct {
	action  string
	company int
	kind    string // of the row
	id      int
	facts   map[string]any // what became; nil for nothing
	by      int            // who did it where no token says so; 0 for nobody known
}

// trail puts what the request does down to it and to whoever its tokens name.
func (r *Resolver) trail(ctx context.Context, all claims) context.Context {
	info := request.From(ctx)
	t := audit.Trail{Address: info.Addr.WithZone("").String(), RequestID: info.ID, Now: r.Now}
	for _, kind := range []token.Kind{token.Access, token.Refresh, token.User} {
		if c := all[kind]; t.ActorID == 0 && c != nil && c.known() && (c.reason == valid || c.reason == expired) {
			t.ActorID = c.Session.UserID
		}
	}
	return audit.NewContext(ctx, t)
}

// note puts events down: in the transaction of what they tell, or in one of
// their own where there is none.
func (r *Resolver) note(ctx context.Context, events ...event) error {
	if ent.TxFromContext(ctx) == nil {
		return r.inTx(ctx, func(ctx context.Context) error { return r.note(ctx, events...) })
	}
	trail, _ := audit.From(ctx)
	db, at := ent.FromContext(ctx), r.Now()
	rows := make([]*ent.AuditEventCreate, len(events))
	for i, e := range events {
		actor := trail.Actor()
		if actor == nil && e.by != 0 {
			actor = &e.by
		}
		rows[i] = db.AuditEvent.Create().SetCompanyID(e.company).SetNillableActorID(actor).
			SetAction(e.action).SetSubjectType(e.kind).SetSubjectID(e.id).SetAt(at).
			SetAddress(trail.Address).SetRequestID(trail.RequestID)
		if e.facts != nil {
			text, err := json.Marshal(e.facts)
			if err != nil {
				return err
			}
			rows[i].SetAfter(string(text))
		}
	}
	return db.AuditEvent.CreateBulk(rows...).Exec(system(ctx))
}

// noteOnce puts an event down that can come in floods: at most once a minute.
func (r *Resolver) noteOnce(ctx context.Context, e event) error {
	recent, err := ent.FromContext(ctx).AuditEvent.Query().Where(
		auditevent.CompanyID(e.company), auditevent.SubjectType(e.kind), auditevent.SubjectID(e.id),
		auditevent.Action(e.action), auditevent.AtGT(r.Now().Add(-time.Minute))).Exist(ctx)
	if err != nil || recent {
		return err
	}
	return r.note(ctx, e)
}

// ofUser is an event about a user's account, and the device that it came from.
func ofUser(action string, u *ent.User, device int) event {
	return event{
		action: action, company: u.CompanyID, kind: ent.TypeUser, id: u.ID, facts: map[string]any{"device_id": device},
	}
}

// ofSession is an event about a session.
func ofSession(action string, s identity.Session) event {
	return event{
		action: action, company: s.CompanyID, kind: ent.TypeSession, id: s.ID, by: s.UserID,
		facts: map[string]any{"user_id": s.UserID, "device_id": s.DeviceID},
	}
}

// noteDenied puts down that a caller was refused a write which they lack the
// permission for. It runs outside of the write's transaction, which is undone.
func (r *Resolver) noteDenied(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	op, me := graphql.GetOperationContext(ctx).Operation, viewer.From(ctx)
	if op.Operation != ast.Mutation || me.UserID == 0 {
		return next(ctx)
	}
	handle := next(ctx)
	return func(inner context.Context) *graphql.Response {
		resp := handle(inner)
		if resp == nil || !slices.ContainsFunc(resp.Errors, isForbidden) {
			return resp
		}
		var fields []string
		for _, f := range rootFields(op.SelectionSet) {
			fields = append(fields, f.Name)
		}
		err := r.note(ctx, event{
			action: permissionDenied, company: me.CompanyID, kind: ent.TypeUser, id: me.UserID,
			facts: map[string]any{"mutations": fields},
		})
		if err != nil {
			r.Log.ErrorContext(ctx, "audit", "error", err)
		}
		return resp
	}
}

func isForbidden(e *gqlerror.Error) bool { return errs.Is(e, errs.Forbidden) }
