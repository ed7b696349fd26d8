// Package faceenrolment lets people register their face anew: they ask, or are told to, and
// somebody who approves attendances of theirs takes the registered face out of force. The
// next clock-in with a face registers another one.
package faceenrolment

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql/sqlgraph"

	"workforce/ent"
	"workforce/ent/clockstate"
	"workforce/ent/facegallery"
	"workforce/ent/facereset"
	"workforce/ent/facetemplate"
	"workforce/ent/predicate"
	"workforce/ent/role"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/auth"
	"workforce/internal/app/auth/credential"
	"workforce/internal/app/input"
	"workforce/internal/app/notify"
	"workforce/internal/app/organization"
	"workforce/internal/app/policysql"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/viewer"
)

// maxText is how long a reason or a note may be.
const maxText = 250 // characters

// A Service resets registered faces. Its methods are safe for concurrent use.
type Service struct {
	Now          func() time.Time // UTC, to the microsecond
	Notify       *notify.Service
	Organization *organization.Service
	Codes        *auth.FaceCodes // of those who ask
}

// Request asks that the viewer's face be registered anew, with a one-time code, and tells
// the nearest of their managers who may decide. CONFLICT where no face is registered, or another request waits.
func (s *Service) Request(ctx context.Context, in model.RequestFaceResetInput) (*ent.FaceReset, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	var faults errs.Faults
	reason := input.Required(&faults, "reason", &in.Reason, maxText)
	code, wrong := auth.ReadCode(in.Otp)
	if err := append(faults, wrong...).Err(); err != nil {
		return nil, err
	}
	db := ent.FromContext(ctx)
	registered, err := db.FaceTemplate.Query().Where(facetemplate.UserID(me.UserID), facetemplate.InForce(1)).Exist(ctx)
	if err == nil && !registered {
		err = errs.Conflicts(errs.NoFace, "", nil)
	}
	if err != nil {
		return nil, err
	}
	if err := s.Codes.Use(ctx, code); err != nil {
		return nil, err
	}
	r, err := db.FaceReset.Create().SetCompanyID(me.CompanyID).SetUserID(me.UserID).
		SetReason(reason).SetRequestedAt(s.Now()).Save(ctx)
	if sqlgraph.IsUniqueConstraintError(err) { // another one waits
		err = errs.Conflicts(errs.AlreadyRequested, "", nil)
	}
	if err != nil {
		return nil, err
	}
	return r, s.tellApprover(ctx, me.UserID)
}

// tellApprover tells the nearest of a person's managers who approves attendances that they
// asked; nobody where there is none.
func (s *Service) tellApprover(ctx context.Context, userID int) error {
	managers, err := s.Organization.Managers(ctx)
	if err != nil {
		return err
	}
	ctx = viewer.System(ctx)
	u, err := ent.FromContext(ctx).User.Get(ctx, userID)
	if err != nil {
		return err
	}
	for id := range managers.Chain(u) {
		m, err := ent.FromContext(ctx).User.Query().Where(user.ID(id)).WithRoles().Only(ctx)
		if err != nil {
			return err
		}
		may := viewer.Viewer{Permissions: credential.Permissions(m.Edges.Roles)}
		if may.Scope("attendance", "approve") >= viewer.Team {
			return s.Notify.NotifyAbout(ctx, m, message.FaceResetRequested, message.Facts{}, u)
		}
	}
	return nil
}

// Decide approves or rejects a request that waits, and tells the person. CONFLICT for one
// that was decided already.
func (s *Service) Decide(ctx context.Context, id int, in model.DecideFaceResetInput) error {
	note, err := noteOf(in.Note.Value())
	if err != nil {
		return err
	}
	r, err := ent.FromContext(ctx).FaceReset.Get(ctx, id)
	if err != nil {
		return err
	}
	u, err := resettable(ctx, r.UserID)
	if err != nil {
		return err
	}
	status := facereset.StatusRejected
	if in.Approve {
		status = facereset.StatusApproved
	}
	decided, err := s.close(ctx, u.ID, status, note, facereset.ID(id))
	switch {
	case err != nil:
		return err
	case decided == 0:
		return errs.Conflicts(errs.NotPending, "", nil)
	case !in.Approve:
		return s.Notify.Notify(ctx, u, message.FaceResetRejected, message.Facts{})
	}
	_, err = s.reset(ctx, u)
	return err
}

// DecideMany approves or rejects many requests, and answers for each.
func (s *Service) DecideMany(ctx context.Context, in model.DecideFaceResetsInput) ([]*model.Decided, error) {
	return tx.Each(ctx, in.Ids, in.Note.Value(), func(ctx context.Context, id int) error {
		return s.Decide(ctx, id, model.DecideFaceResetInput{Approve: in.Approve, Note: in.Note})
	})
}

// Reset takes a person's registered face out of force, approves a request of theirs that
// waits, and tells them. It reports whether there was a face.
func (s *Service) Reset(ctx context.Context, userID int, in *model.ResetFaceInput) (bool, error) {
	if in == nil {
		in = &model.ResetFaceInput{}
	}
	note, err := noteOf(in.Note.Value())
	if err != nil {
		return false, err
	}
	u, err := resettable(ctx, userID)
	if err != nil {
		return false, err
	}
	if _, err := s.close(ctx, u.ID, facereset.StatusApproved, note); err != nil {
		return false, err
	}
	return s.reset(ctx, u)
}

// noteOf reads a note; nil for none.
func noteOf(text *string) (*string, error) {
	var faults errs.Faults
	note := input.Line(&faults, "note", text, maxText)
	if note == "" {
		return nil, faults.Err()
	}
	return &note, faults.Err()
}

// resettable returns a person whose face the viewer may reset. NOT_FOUND on userId for
// one whom they do not see; FORBIDDEN for themselves, outside the scope of their
// attendance.approve, and for an owner unless the viewer is one.
func resettable(ctx context.Context, id int) (*ent.User, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	u, err := ent.FromContext(ctx).User.Query().Where(user.ID(id)).Only(ctx)
	if err := input.Referenced("userId", !ent.IsNotFound(err), policysql.IgnoreNotFound(err)); err != nil {
		return nil, err
	}
	if u.ID == me.UserID || !me.Reaches(me.Scope("attendance", "approve"), u.ID, u.BusinessID) {
		return nil, errs.New(errs.Forbidden, nil)
	}
	if me.Owner {
		return u, nil
	}
	owner, err := ent.FromContext(ctx).User.Query().Where(user.ID(id), user.HasRolesWith(role.Builtin(viewer.Owner))).Exist(ctx)
	if err == nil && owner {
		err = errs.New(errs.Forbidden, nil)
	}
	return u, err
}

// close decides the requests of a person that wait and fit, and returns how many.
func (s *Service) close(ctx context.Context, userID int, status facereset.Status, note *string, which ...predicate.FaceReset) (int, error) {
	return ent.FromContext(ctx).FaceReset.Update().Where(append(which, facereset.UserID(userID), facereset.Pending(1))...).
		ClearPending().SetStatus(status).SetNillableNote(note).SetDecidedAt(s.Now()).SetDecidedBy(viewer.From(ctx).UserID).
		Save(viewer.System(ctx))
}

// reset takes the registered face out of force, in the turn of the person's clock events:
// it is kept sealed until the cleaning erases it, the captures are erased at once.
func (s *Service) reset(ctx context.Context, u *ent.User) (bool, error) {
	ctx = viewer.System(ctx)
	db := ent.FromContext(ctx)
	if err := db.ClockState.Update().Where(clockstate.UserID(u.ID)).AddEvents(1).Exec(ctx); err != nil {
		return false, err
	}
	t, err := db.FaceTemplate.Query().Where(facetemplate.UserID(u.ID), facetemplate.InForce(1)).Only(ctx)
	if err != nil {
		return false, policysql.IgnoreNotFound(err)
	}
	if err := db.FaceTemplate.UpdateOne(t).ClearInForce().SetReplacedAt(s.Now()).Exec(ctx); err != nil {
		return false, err
	}
	n, err := db.FaceGallery.Update().Where(facegallery.UserID(u.ID)).SetVersion(t.Version).ClearSealed().Save(ctx)
	if err == nil && n == 0 { // a release without galleries registered the face
		err = db.FaceGallery.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetVersion(t.Version).Exec(ctx)
	}
	if err != nil {
		return false, err
	}
	return true, s.Notify.Notify(ctx, u, message.FaceReset, message.Facts{})
}
