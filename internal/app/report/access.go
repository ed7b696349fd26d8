package report

import (
	"context"
	"encoding/json"

	"workforce/ent"
	entReport "workforce/ent/report"
	"workforce/ent/role"
	"workforce/ent/user"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/period"
	"workforce/internal/scalar"
	"workforce/internal/viewer"
)

// resources are what kinds of reports show.
var resources = map[entReport.Kind]string{
	entReport.KindTask: "task", entReport.KindAttendance: "attendance", entReport.KindTimesheet: "attendance", entReport.KindOvertime: "attendance",
	entReport.KindLeave: "leave", entReport.KindTicket: "ticket",
}

// scopeOf returns of whom a viewer reads what a kind of report shows.
func scopeOf(v *viewer.Viewer, kind entReport.Kind) viewer.Scope {
	return v.Scope(resources[kind], "read")
}

// isReadable reports whether a viewer reads what a kind of report shows of a person.
func isReadable(ctx context.Context, me *viewer.Viewer, kind entReport.Kind, id int) (bool, error) {
	some := user.ID(me.UserID)
	switch scopeOf(me, kind) {
	case viewer.All:
		some = user.IDGT(0)
	case viewer.Team:
		some = user.Or(some, database.OneOf(user.FieldBusinessID, me.Businesses))
	}
	return ent.FromContext(ctx).User.Query().Where(user.ID(id), some).Exist(viewer.NewContext(ctx, me))
}

// mayChange returns FORBIDDEN for somebody whose reports, and their schedules, a viewer does
// not change: outside the scope of their report.write, and for an owner unless the viewer is
// one.
func mayChange(ctx context.Context, me *viewer.Viewer, id int) error {
	if id == me.UserID {
		return nil
	}
	ctx = viewer.System(ctx)
	u, err := ent.FromContext(ctx).User.Query().Where(user.ID(id), user.CompanyID(me.CompanyID)).Only(ctx)
	if err != nil {
		return err
	}
	if !me.Reaches(me.Scope("report", "write"), u.ID, u.BusinessID) {
		return errs.New(errs.Forbidden, nil)
	}
	if me.Owner {
		return nil
	}
	owner, err := ent.FromContext(ctx).User.Query().Where(user.ID(id), user.HasRolesWith(role.Builtin(viewer.Owner))).Exist(ctx)
	if err == nil && owner {
		err = errs.New(errs.Forbidden, nil)
	}
	return err
}

// A reach says of whom somebody read what a report shows, when it was made. Of tasks it shows the
// time that is booked on them too.
type reach struct {
	Scope      viewer.Scope
	Time       viewer.Scope `json:",omitempty"`
	Businesses []int        `json:",omitempty"`
}

func reachOf(v *viewer.Viewer, kind entReport.Kind) reach {
	r := reach{Scope: scopeOf(v, kind)}
	if kind == entReport.KindTask {
		r.Time = v.Scope("time", "read")
	}
	if r.Scope == viewer.Team || r.Time == viewer.Team {
		r.Businesses = v.Businesses
	}
	return r
}

// includes reports whether reach r includes every row of the reach that a report was made with.
func (r reach) includes(made reach) bool {
	return r.Scope > viewer.None && r.coversScope(made, r.Scope, made.Scope) && r.coversScope(made, r.Time, made.Time)
}

// coversScope reports whether scope have of reach r includes scope had of another reach.
func (r reach) coversScope(made reach, have, had viewer.Scope) bool {
	if have == viewer.All || had < viewer.Team {
		return have >= had
	}
	if have < had {
		return false
	}
	mine := map[int]bool{}
	for _, id := range r.Businesses {
		mine[id] = true
	}
	for _, id := range made.Businesses {
		if !mine[id] {
			return false
		}
	}
	return true
}

// mayGet reports whether a viewer gets the file of a report: its owner, as long as they read
// all that it shows.
func mayGet(v *viewer.Viewer, r *ent.Report) bool {
	if v.UserID == 0 || v.UserID != r.UserID {
		return false
	}
	var made reach
	if r.Reach != nil && json.Unmarshal([]byte(*r.Reach), &made) != nil {
		return false
	}
	return reachOf(v, r.Kind).includes(made)
}

// boundOf returns one end of a period; nil for none.
func boundOf(sent *scalar.DateOrTime) *period.Bound {
	if sent == nil {
		return nil
	}
	return &sent.Bound
}
