package credential

import (
	"cmp"
	"context"
	"time"

	"workforce/ent"
	"workforce/ent/user"
	"workforce/internal/errs"
	"workforce/internal/shift"
	"workforce/internal/tree"
	"workforce/internal/viewer"
)

// Holder returns a person of a company as they are now, with what they may: for jobs that do
// what somebody asked for. FORBIDDEN for who is not active, or not employed at an instant.
func Holder(ctx context.Context, userID int, now time.Time) (*viewer.Viewer, error) {
	ctx = viewer.System(ctx)
	db := ent.FromContext(ctx)
	u, err := db.User.Query().Where(user.ID(userID), user.Active(true)).WithRoles().Only(ctx)
	if ent.IsNotFound(err) {
		return nil, errs.New(errs.Forbidden, nil)
	}
	if err != nil {
		return nil, err
	}
	c, err := db.Company.Get(ctx, u.CompanyID)
	if err != nil {
		return nil, err
	}
	zone, err := shift.Zone(c.Timezone)
	if err != nil {
		return nil, err
	}
	if !shift.EmploymentBetween(u.JoinedOn, u.LeftOn, zone).Contains(now) {
		return nil, errs.New(errs.Forbidden, nil)
	}
	v := &viewer.Viewer{
		UserID: u.ID, CompanyID: c.ID, Locale: cmp.Or(u.Locale, c.Locale), Timezone: c.Timezone, Settings: c.Settings,
		Permissions: Permissions(u.Edges.Roles),
	}
	for _, r := range u.Edges.Roles {
		v.Owner = v.Owner || r.Builtin != nil && *r.Builtin == viewer.Owner
	}
	businesses, err := managed(ctx, userID)
	v.Businesses = teamOf(businesses, v.Permissions)
	return v, err
}

// managed returns the businesses that a person manages, and all below them.
func managed(ctx context.Context, userID int) (ids []int, err error) {
	rows, err := ent.FromContext(ctx).QueryContext(ctx, `SELECT team.id FROM (`+
		tree.Below("businesses", `SELECT m.id, m.id FROM businesses m WHERE m.manager_id = ?`)+`) team`, userID)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // Err tells more
	seen := map[int]bool{}
	for rows.Next() {
		var id int
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		if !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids, rows.Err()
}
