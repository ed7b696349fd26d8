package leave

import (
	"context"
	"slices"

	"workforce/ent"
	entLeave "workforce/ent/leave"
	"workforce/ent/predicate"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/worktime"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// What bounds an answer of who is away.
const (
	maxAwayDays = 62
	maxAway     = 500
)

// Away returns who of a team is on approved leave on dates of a period, by first date and name:
// the viewer's team without a person, else the business of that person, without them. It is read
// as the system: colleagues see that somebody is away, and neither the leave nor why.
func (s *Service) Away(ctx context.Context, from, to string, userID *int) ([]*model.Away, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	var faults errs.Faults
	if last := string(shift.Date(from).AddDays(maxAwayDays - 1)); from > to {
		faults.Add("from", errs.OutOfRange, errs.Meta{"min": "0001-01-01", "max": to})
	} else if to > last {
		faults.Add("to", errs.OutOfRange, errs.Meta{"min": from, "max": last})
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	team, err := teamOf(ctx, me, userID)
	if err != nil {
		return nil, err
	}
	earliest := string(shift.Date(from).AddDays(1 - worktime.LongestLeave))
	list, err := ent.FromContext(ctx).Leave.Query().
		Where(entLeave.CompanyID(me.CompanyID), entLeave.StateEQ(entLeave.StateApproved), entLeave.WorkFromHome(false),
			entLeave.StartsOnGTE(earliest), entLeave.StartsOnLTE(to), entLeave.EndsOnGTE(from), entLeave.HasUserWith(team...)).
		Order(entLeave.ByStartsOn(), entLeave.ByUserField(user.FieldSortName), entLeave.ByID()).WithUser().Limit(maxAway).
		All(viewer.System(ctx))
	away := []*model.Away{}
	for _, l := range list {
		if slices.ContainsFunc(l.Dates, func(d string) bool { return from <= d && d <= to }) {
			away = append(away, &model.Away{UserID: l.UserID, Name: l.Edges.User.Name, From: l.StartsOn, To: l.EndsOn})
		}
	}
	return away, err
}

// teamOf returns what matches the active people of a team, as Away has it. NOT_FOUND on userId.
func teamOf(ctx context.Context, me *viewer.Viewer, userID *int) ([]predicate.User, error) {
	of, businesses := me.UserID, slices.Clone(me.Businesses)
	if userID != nil && *userID != me.UserID {
		if _, err := readable(ctx, me, *userID); err != nil {
			return nil, err
		}
		of, businesses = *userID, nil
	}
	u, err := ent.FromContext(ctx).User.Query().Where(user.ID(of)).Only(viewer.System(ctx))
	if err != nil {
		return nil, err
	}
	if u.BusinessID != nil {
		businesses = append(businesses, *u.BusinessID)
	}
	return []predicate.User{user.Active(true), user.IDNEQ(of), database.OneOf(user.FieldBusinessID, businesses)}, nil
}
