package approval

import (
	"context"
	"slices"

	entgo "entgo.io/ent"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	entCorrection "workforce/ent/correction"
	"workforce/ent/deviceapproval"
	"workforce/ent/facereset"
	entLeave "workforce/ent/leave"
	"workforce/ent/shiftresult"
	"workforce/ent/shiftswap"
	"workforce/ent/timeweek"
	"workforce/graph/model"
	"workforce/internal/app/policysql"
	"workforce/internal/errs"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// A waiting is a kind of request that waits for decisions.
type waiting struct {
	name   string // as the model has it
	table  string
	policy func() entgo.Policy // ent sets it when the program starts
	scope  func(*viewer.Viewer) viewer.Scope
	where  string // of the table's alias w, beside company and person
	args   func(*counting) []any
	by     string // the columns of which each row counts once, where more than one may be equal
	also   string // of those of others, which wait for a viewer of any scope; its argument is their id
}

// A counting is what the conditions of kinds ask about the viewer.
type counting struct {
	me   *viewer.Viewer
	desk *Desk
}

func (c *counting) now() []any { return []any{c.desk.Plans.Now()} }

// overtimeDates returns the first and the last date whose overtime waits.
func (c *counting) overtimeDates() []any {
	today := c.desk.Plans.Today(shift.ZoneNamed(c.me.Timezone))
	return []any{string(today.AddDays(-setting.RequestDays.Of(c.me.Settings))), string(today)}
}

func none(*counting) []any { return nil }

// may returns the scope in which somebody approves rows of all resources.
func may(resources ...string) func(*viewer.Viewer) viewer.Scope {
	return func(v *viewer.Viewer) viewer.Scope {
		s := viewer.All
		for _, r := range resources {
			s = min(s, v.Scope(r, "approve"))
		}
		return s
	}
}

// changes is the scope in which somebody assigns shifts, and trusts that in which they decide about
// devices.
func changes(v *viewer.Viewer) viewer.Scope { return v.Scope("shift", "write") }
func trusts(v *viewer.Viewer) viewer.Scope {
	return ent.Facts[ent.TypeDeviceApproval].Access.Decides(v)
}

// The policies of tables that several kinds read.
func attendances() entgo.Policy { return entAttendance.Policy }

// undecided are the results with overtime that nobody decided about: of a date several, where several
// shifts have some.
const undecided = `w.date BETWEEN ? AND ? AND w.overtime_seconds > 0 AND w.status <> 'needs_confirmation'
	AND NOT EXISTS (SELECT 1 FROM overtime_approvals decided WHERE decided.user_id = w.user_id AND decided.date = w.date)`

// earliest are the first of these of each date. Counting distinct dates takes a third of the time.
const earliest = ` AND NOT EXISTS (SELECT 1 FROM shift_results earlier
		WHERE earlier.company_id = w.company_id AND earlier.user_id = w.user_id AND earlier.date = w.date
			AND earlier.overtime_seconds > 0 AND earlier.status <> 'needs_confirmation' AND earlier.id < w.id)`

// agreed are the swaps of people whose shifts can be changed.
const agreed = `w.state = 'agreed' AND w.expires_at > ?
	AND EXISTS (SELECT 1 FROM users asking WHERE asking.id = w.user_id AND asking.active)`

// kinds are all that waits. Each is found by an index on company and state.
var kinds = []waiting{
	{
		name: "clockEvents", table: entAttendance.Table, policy: attendances, scope: may("attendance"),
		where: "w.clocked_in_review = 'pending'", args: none,
	},
	{
		name: "clockEvents", table: entAttendance.Table, policy: attendances, scope: may("attendance"),
		where: "w.clocked_out_review = 'pending'", args: none,
	},
	{
		name: "corrections", table: entCorrection.Table, policy: func() entgo.Policy { return entCorrection.Policy },
		scope: may("correction"), where: "w.state = 'pending' AND w.expires_at > ?", args: (*counting).now,
	},
	{
		name: "leaves", table: entLeave.Table, policy: func() entgo.Policy { return entLeave.Policy },
		scope: may("leave"), where: "w.state = 'pending' AND w.expires_at > ?", args: (*counting).now,
	},
	{
		name: "overtime", table: shiftresult.Table, policy: func() entgo.Policy { return shiftresult.Policy },
		scope: may("attendance", "time"), where: undecided, args: (*counting).overtimeDates, by: "w.user_id, w.date",
	},
	{
		name: "weeks", table: timeweek.Table, policy: func() entgo.Policy { return timeweek.Policy },
		scope: may("time"), where: "w.state = 'submitted'", args: none,
	},
	{
		name: "swaps", table: shiftswap.Table, policy: func() entgo.Policy { return shiftswap.Policy }, scope: changes,
		where: agreed, also: "w.state = 'asked' AND w.expires_at > ? AND w.colleague_id = ?", args: (*counting).now,
	},
	{
		name: "devices", table: deviceapproval.Table, policy: func() entgo.Policy { return deviceapproval.Policy },
		scope: trusts, where: "w.status = 'pending' AND w.expires_at > ?", args: (*counting).now,
	},
	{
		name: "faceResets", table: facereset.Table, policy: func() entgo.Policy { return facereset.Policy },
		scope: may("attendance"), where: "w.pending = 1", args: none,
	},
}

// Inbox counts what waits for the viewer's decision, in one statement.
func (d *Desk) Inbox(ctx context.Context) (*model.InboxCount, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	c, q := &counting{me, d}, policysql.New(ctx)
	parts := 0
	count := func(k waiting) {
		if parts++; parts > 1 {
			q.Add(" UNION ALL ")
		}
		from := k.table + " w"
		if k.by != "" {
			from = "(SELECT DISTINCT " + k.by + " FROM " + from
		}
		q.Add("SELECT '" + k.name + "', COUNT(*) FROM " + from + " WHERE ")
		q.Add("w.company_id = ? AND w.user_id <> ? AND ", me.CompanyID, me.UserID)
		q.WherePolicy(k.policy(), k.table, "w")
	}
	for _, k := range kinds {
		if scope := k.scope(me); scope >= viewer.Team {
			count(k)
			q.Add(" AND "+k.where, k.args(c)...)
			within(q, me, scope)
			if k.by != "" {
				q.Add(") once")
			}
		}
		if k.also != "" {
			count(k)
			q.Add(" AND "+k.also, append(k.args(c), me.UserID)...)
		}
	}
	out := &model.InboxCount{}
	members := map[string]*int{
		"clockEvents": &out.ClockEvents, "corrections": &out.Corrections, "leaves": &out.Leaves,
		"overtime": &out.Overtime, "weeks": &out.Weeks, "swaps": &out.Swaps,
		"devices": &out.Devices, "faceResets": &out.FaceResets,
	}
	return out, q.Each(func(scan policysql.Scan) error {
		var name string
		var n int
		err := scan(&name, &n)
		if err == nil {
			*members[name] += n
			out.Total += n
		}
		return err
	})
}

// mostOvertime is how many dates are listed at most, usualOvertime how many without a number.
const (
	mostOvertime  = 1000
	usualOvertime = 50
)

// OvertimeWaiting returns the results with the overtime that Inbox counts, the earliest first.
// VALIDATION_FAILED on limit.
func (d *Desk) OvertimeWaiting(ctx context.Context, limit *int) ([]*ent.ShiftResult, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	n, faults := usualOvertime, errs.Faults{}
	if limit != nil {
		n = *limit
	}
	if n < 1 || n > mostOvertime {
		faults.Add("limit", errs.OutOfRange, errs.Meta{"min": 1, "max": mostOvertime})
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	k := kinds[slices.IndexFunc(kinds, func(k waiting) bool { return k.table == shiftresult.Table })]
	scope := k.scope(me)
	if scope < viewer.Team {
		return nil, nil
	}
	c, q := &counting{me, d}, policysql.New(ctx)
	q.Add("SELECT w.id FROM "+k.table+" w WHERE w.company_id = ? AND w.user_id <> ? AND ", me.CompanyID, me.UserID)
	q.WherePolicy(k.policy(), k.table, "w")
	q.Add(" AND "+k.where+earliest, k.args(c)...)
	within(q, me, scope)
	q.Add(" ORDER BY w.date, w.id LIMIT ?", n)
	var ids []int
	if err := q.Each(func(scan policysql.Scan) error {
		var id int
		err := scan(&id)
		ids = append(ids, id)
		return err
	}); err != nil || len(ids) == 0 {
		return nil, err
	}
	return ent.FromContext(ctx).ShiftResult.Query().Where(shiftresult.IDIn(ids...)).
		Order(shiftresult.ByDate(), shiftresult.ByID()).All(ctx)
}

// within appends the condition that a viewer decides about the person of a row, as Decided has it:
// in the scope, and no owner unless the viewer is one.
func within(q *policysql.Query, me *viewer.Viewer, scope viewer.Scope) {
	if scope == viewer.Team {
		q.Add(" AND w.user_id IN (SELECT team.id FROM users team WHERE team.company_id = ? AND ", me.CompanyID)
		q.In("team.business_id", me.Businesses)
		q.Add(")")
	}
	if !me.Owner {
		q.Add(` AND w.user_id NOT IN (SELECT grants.user_id FROM user_roles grants
			JOIN roles owning ON owning.id = grants.role_id
			WHERE owning.company_id = ? AND owning.builtin = 'owner')`, me.CompanyID)
	}
}

// Watched is Inbox for those who listen, and reports whether the viewer decides about others.
func (d *Desk) Watched(ctx context.Context) (count any, decides bool, err error) {
	me := viewer.From(ctx)
	for _, k := range kinds {
		decides = decides || k.scope(me) >= viewer.Team
	}
	n, err := d.Inbox(ctx)
	return n, decides || err == nil && n.Total > 0, err
}
