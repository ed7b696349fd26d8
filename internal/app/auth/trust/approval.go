package trust

import (
	"context"
	"slices"
	"strings"
	"time"

	"workforce/ent"
	"workforce/ent/business"
	"workforce/ent/deviceapproval"
	"workforce/ent/role"
	"workforce/ent/session"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/auth/credential"
	"workforce/internal/app/input"
	"workforce/internal/app/policysql"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/setting"
	"workforce/internal/viewer"
)

const (
	approvalLife = 72 * time.Hour // within which an approval is decided
	maxNote      = 250            // characters
	maxApprovers = 20             // who are notified of one approval
)

// Decide approves or refuses that a person trusts another device. FORBIDDEN for
// the viewer's own and for one that they only see, CONFLICT for one that does not wait
// any more.
func (s *Service) Decide(ctx context.Context, id int, in model.DecideDeviceInput) error {
	a, err := decidable(ctx, id)
	if err != nil {
		return err
	}
	var faults errs.Faults
	approve := in.Approve.Value()
	if approve == nil {
		faults.Add("approve", errs.Required, nil)
	}
	note := input.Line(&faults, "note", in.Note.Value(), maxNote)
	if err := faults.Err(); err != nil {
		return err
	}
	status, kind := deviceapproval.StatusRefused, message.DeviceRefused
	if *approve {
		status, kind = deviceapproval.StatusApproved, message.DeviceApproved
	}
	me := viewer.From(ctx)
	ctx = viewer.System(ctx)
	update := ent.FromContext(ctx).DeviceApproval.Update().
		Where(deviceapproval.ID(id), deviceapproval.StatusEQ(deviceapproval.StatusPending), deviceapproval.ExpiresAtGT(s.Now())).
		SetStatus(status).ClearOpenMarker().SetDecidedAt(s.Now()).SetDecidedByID(me.UserID)
	if note != "" {
		update.SetNote(note)
	}
	n, err := update.Save(ctx)
	if err == nil && n == 0 { // decided by somebody else, or expired
		err = errs.Conflicts(errs.NotPending, "", nil)
	}
	if err != nil {
		return err
	}
	if err := s.apply(ctx, a, *approve, me.Settings); err != nil {
		return err
	}
	return s.Notify.Notify(ctx, a.Edges.User, kind, message.Facts{Device: input.Value(a.Model)})
}

// DecideMany approves or refuses many approvals, and answers for each.
func (s *Service) DecideMany(ctx context.Context, in model.DecideDevicesInput) ([]*model.Decided, error) {
	return tx.Each(ctx, in.Ids, in.Note.Value(), func(ctx context.Context, id int) error {
		return s.Decide(ctx, id, model.DecideDeviceInput{Approve: input.Given(&in.Approve), Note: in.Note})
	})
}

// decidable returns an approval that the viewer decides, with its user.
func decidable(ctx context.Context, id int) (*ent.DeviceApproval, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	a, err := ent.FromContext(ctx).DeviceApproval.Query().Where(deviceapproval.ID(id)).Only(ctx)
	if err != nil {
		return nil, err
	}
	ctx = viewer.System(ctx)
	if a.Edges.User, err = ent.FromContext(ctx).User.Get(ctx, a.UserID); err != nil {
		return nil, err
	}
	owner, err := ent.FromContext(ctx).User.Query().Where(user.ID(a.UserID), Owns).Exist(ctx)
	if err != nil {
		return nil, err
	}
	decides := me.Reaches(ent.Facts[ent.TypeDeviceApproval].Access.Decides(me), a.UserID, a.Edges.User.BusinessID)
	if a.UserID == me.UserID || !decides || owner && !me.Owner {
		return nil, errs.New(errs.Forbidden, nil)
	}
	return a, nil
}

// apply makes the user of an approval trust the device, or ends their sign-ins on it.
func (s *Service) apply(ctx context.Context, a *ent.DeviceApproval, approved bool, v setting.Values) error {
	waiting := ent.FromContext(ctx).Session.Update().Where(
		session.UserID(a.UserID), session.DeviceID(a.DeviceID), session.VerifiedAtIsNil(), session.RevokedAtIsNil())
	if !approved {
		return waiting.SetRevokedAt(s.Now()).Exec(ctx)
	}
	if err := waiting.SetVerifiedAt(s.Now()).Exec(ctx); err != nil {
		return err
	}
	return s.Trust(ctx, a.CompanyID, a.UserID, a.DeviceID, v)
}

// Waiting returns the approval of a session's device that waits to be decided; nil for
// none.
func (s *Service) Waiting(ctx context.Context, of credential.Session) (*ent.DeviceApproval, error) {
	a, err := ent.FromContext(ctx).DeviceApproval.Query().Where(
		deviceapproval.UserID(of.UserID), deviceapproval.DeviceID(of.DeviceID),
		deviceapproval.StatusEQ(deviceapproval.StatusPending), deviceapproval.ExpiresAtGT(s.Now())).First(ctx)
	return a, policysql.IgnoreNotFound(err)
}

// ErrWaiting is the refusal of a session whose device waits for an approval.
func ErrWaiting() error {
	return errs.New(errs.VerificationRequired, errs.Meta{"reason": "approval"})
}

// Request asks those who may approve that the user of a session trusts its device. It
// reports false where none is needed: the company wants none, the user trusts no device
// yet or this one, or nobody else could approve it.
func (s *Service) Request(ctx context.Context, of credential.Session, v setting.Values) (bool, error) {
	if !setting.DeviceApproval.Of(v) {
		return false, nil
	}
	others, err := trustsAnother(ctx, of)
	if err != nil || !others {
		return false, err
	}
	db := ent.FromContext(ctx)
	u, err := db.User.Get(ctx, of.UserID)
	if err != nil {
		return false, err
	}
	approvers, err := approversOf(ctx, u)
	if err != nil || len(approvers) == 0 {
		return false, err
	}
	d, err := db.Device.Get(ctx, of.DeviceID)
	if err != nil {
		return false, err
	}
	now := s.Now()
	err = db.DeviceApproval.Update().Where(deviceapproval.UserID(u.ID), deviceapproval.DeviceID(d.ID),
		deviceapproval.StatusEQ(deviceapproval.StatusPending), deviceapproval.ExpiresAtLTE(now)).
		SetStatus(deviceapproval.StatusExpired).ClearOpenMarker().Exec(ctx)
	if err != nil {
		return false, err
	}
	err = db.DeviceApproval.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetDeviceID(d.ID).
		SetPlatform(string(d.Platform)).SetNillableModel(d.Model).SetRequestedAt(now).SetExpiresAt(now.Add(approvalLife)).Exec(ctx)
	if ent.IsConstraintError(err) { // another request asked meanwhile
		return true, nil
	}
	if err != nil {
		return false, err
	}
	for _, to := range approvers {
		if err := s.Notify.NotifyAbout(ctx, to, message.DeviceRequested, message.Facts{Device: input.Value(d.Model)}, u); err != nil {
			return false, err
		}
	}
	return true, s.NotifyNew(ctx, of)
}

// approversOf returns whom an approval of a user's device is asked of: their managers,
// the nearest first, else those who may change all people or devices; for an owner the
// other owners. Nobody approves their own.
func approversOf(ctx context.Context, u *ent.User) ([]*ent.User, error) {
	db := ent.FromContext(ctx)
	owner, err := db.User.Query().Where(user.ID(u.ID), Owns).Exist(ctx)
	if err != nil {
		return nil, err
	}
	if !owner {
		if managers, err := managersOf(ctx, u); err != nil || len(managers) > 0 {
			return managers, err
		}
	}
	roles, err := db.Role.Query().Where(role.CompanyID(u.CompanyID)).All(ctx)
	if err != nil {
		return nil, err
	}
	var ids []int
	for _, r := range roles {
		if owner && (r.Builtin == nil || *r.Builtin != viewer.Owner) {
			continue
		}
		if decidesAll(credential.Permissions([]*ent.Role{r})) {
			ids = append(ids, r.ID)
		}
	}
	return db.User.Query().Where(user.CompanyID(u.CompanyID), user.Active(true), user.IDNEQ(u.ID), user.HasRolesWith(role.IDIn(ids...))).
		Order(ent.Asc(user.FieldID)).Limit(maxApprovers).All(ctx)
}

// decides reports whether permissions let a manager decide for the people of their team.
func decides(permissions []string) bool {
	return decidesAll(permissions) || slices.ContainsFunc(permissions, func(p string) bool { return strings.HasSuffix(p, "."+viewer.Team.String()) })
}

// decidesAll reports whether permissions let somebody decide for everybody.
func decidesAll(permissions []string) bool {
	return slices.Contains(permissions, "device.write.all") || slices.Contains(permissions, "user.write.all")
}

// managersOf returns the active managers of a user's business and of those above it who
// may do anything for their team, the nearest first, without the user.
func managersOf(ctx context.Context, u *ent.User) (chain []*ent.User, err error) {
	if u.BusinessID == nil {
		return nil, nil
	}
	all, err := ent.FromContext(ctx).Business.Query().Where(business.CompanyID(u.CompanyID)).
		Select(business.FieldID, business.FieldParentID, business.FieldManagerID).All(ctx)
	units := make(map[int]*ent.Business, len(all))
	for _, b := range all {
		units[b.ID] = b
	}
	var ids []int // of managers, the nearest first
	known := map[int]bool{u.ID: true}
	for b := units[*u.BusinessID]; b != nil; b = units[input.Value(b.ParentID)] {
		delete(units, b.ID) // nobody walks in a circle
		if b.ManagerID != nil && !known[*b.ManagerID] {
			known[*b.ManagerID] = true
			ids = append(ids, *b.ManagerID)
		}
	}
	for part := range slices.Chunk(ids, managersRead) {
		if err != nil || len(chain) == maxApprovers {
			break
		}
		var managers []*ent.User
		managers, err = ent.FromContext(ctx).User.Query().Where(user.IDIn(part...), user.Active(true)).WithRoles().All(ctx)
		slices.SortFunc(managers, func(a, b *ent.User) int { return slices.Index(part, a.ID) - slices.Index(part, b.ID) })
		for _, m := range managers {
			if len(chain) < maxApprovers && decides(credential.Permissions(m.Edges.Roles)) {
				chain = append(chain, m)
			}
		}
	}
	return chain, err
}

// managersRead is how many managers one statement reads.
const managersRead = 100
