package results

import (
	"context"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/employeeshift"
	entExemption "workforce/ent/exemption"
	"workforce/ent/user"
	"workforce/internal/app/audit"
	"workforce/internal/app/job"
	"workforce/internal/app/scheduling"
	"workforce/internal/app/worktime"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

const (
	// recheck is after how long an open attendance is looked at again at the latest: a
	// changed setting, holiday or leave counts from then on.
	recheck = time.Hour
	// The reminders that were sent, as bits of Attendance.reminders.
	afterEnd = 1
	atCap    = 2
)

// closing is the periodic job that reminds people to clock out, and closes forgotten
// attendances. What it has done is marked in the attendances themselves.
func (s *Service) closing() job.Kind {
	return job.Kind{Name: "forgotten_attendances", Every: time.Minute, Run: s.closeDue}
}

func (s *Service) closeDue(ctx context.Context, r *job.Run) error {
	now, last := s.Now(), 0
	for {
		list, err := ent.FromContext(ctx).Attendance.Query().
			Where(entAttendance.OpenMarker(1), entAttendance.Or(entAttendance.CheckAtIsNil(), entAttendance.CheckAtLTE(now)), entAttendance.IDGT(last)).
			Order(ent.Asc(entAttendance.FieldID)).Limit(batch).Select(entAttendance.FieldCompanyID, entAttendance.FieldUserID).All(ctx)
		if err != nil || len(list) == 0 {
			return err
		}
		last = list[len(list)-1].ID
		companies := map[int]map[int][]int{}
		for _, a := range list {
			if companies[a.CompanyID] == nil {
				companies[a.CompanyID] = map[int][]int{}
			}
			companies[a.CompanyID][a.UserID] = []int{a.UserID}
		}
		for company, by := range companies {
			err := each(ctx, s, r, "forgotten_attendances", by, func(ctx context.Context, users []int) error {
				return s.check(ctx, company, users, now)
			})
			if err != nil {
				return err
			}
		}
	}
}

// check reminds people of a company who are clocked in, or closes their attendances, as
// far as that is due, in the transaction of ctx. It locks their rows.
func (s *Service) check(ctx context.Context, company int, users []int, now time.Time) error {
	if err := scheduling.Lock(ctx, company, users); err != nil {
		return err
	}
	list, err := s.openOf(ctx, company, users)
	if err != nil || len(list) == 0 {
		return err
	}
	next := map[state][]int{}
	for _, a := range list {
		if !now.Before(a.closing.Due) {
			at, rule := a.end(now)
			if err := s.Close(ctx, a.user, a.Attendance, at, rule); err != nil {
				return err
			}
			continue
		}
		to, err := s.remind(ctx, a, now)
		if err != nil {
			return err
		}
		next[to] = append(next[to], a.ID)
	}
	for to, ids := range next {
		err := ent.FromContext(ctx).Attendance.Update().Where(entAttendance.IDIn(ids...), entAttendance.OpenMarker(1)).
			SetCheckAt(to.at).SetReminders(to.reminders).Exec(ctx)
		if err != nil {
			return err
		}
	}
	return nil
}

// A state is when an open attendance is due again, and which reminders were sent.
type state struct {
	at        time.Time
	reminders int8
}

// An open is an attendance that nobody has closed, and when a rule does.
type open struct {
	*ent.Attendance
	user          *ent.User
	closing       timesheet.Closing
	afterEnd, cap time.Time // of reminders; zero for never
	next          time.Time // the clock-in after it, which was recorded earlier; zero for none
}

// end returns when and by which rule an attendance is closed, no later than latest.
func (a *open) end(latest time.Time) (time.Time, entAttendance.ClosingRule) {
	at, rule := a.closing.At, entAttendance.ClosingRule(a.closing.Reason)
	if a.next.After(a.ClockedInAt) && a.next.Before(latest) {
		latest = a.next
	}
	if latest.Before(at) && latest.After(a.ClockedInAt) {
		return latest, entAttendance.ClosingRuleClockIn
	}
	return at, rule
}

// openOf reads the open attendances of people, and finds when each is closed. Their rows
// are locked.
func (s *Service) openOf(ctx context.Context, company int, users []int) ([]*open, error) {
	db := ent.FromContext(ctx)
	list, err := db.Attendance.Query().Where(entAttendance.CompanyID(company), entAttendance.UserIDIn(users...), entAttendance.OpenMarker(1)).
		Order(ent.Asc(entAttendance.FieldUserID)).All(ctx)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	c, err := db.Company.Get(ctx, company)
	if err != nil {
		return nil, err
	}
	first, from := list[0].ClockedInAt, timesheet.Period{From: shift.Date(list[0].WorkDate), To: shift.Date(list[0].WorkDate)}
	ids := make([]int, len(list))
	for i, a := range list {
		if a.ClockedInAt.Before(first) {
			first = a.ClockedInAt
		}
		from.From, from.To = min(from.From, shift.Date(a.WorkDate)), max(from.To, shift.Date(a.WorkDate))
		ids[i] = a.UserID
	}
	people, err := db.User.Query().Where(user.CompanyID(company), user.IDIn(ids...)).All(ctx)
	if err != nil {
		return nil, err
	}
	who, byID := make([]worktime.Employee, len(people)), make(map[int]*ent.User, len(people))
	for i, u := range people {
		who[i], byID[u.ID] = worktime.NewEmployee(u), u
	}
	d, err := load(ctx, c, who, from)
	if err != nil {
		return nil, err
	}
	exempt, err := exempted(ctx, ids)
	if err != nil {
		return nil, err
	}
	later, err := db.Attendance.Query().
		Where(entAttendance.CompanyID(company), entAttendance.UserIDIn(ids...), entAttendance.OpenMarkerIsNil(), entAttendance.ClockedInAtGT(first)).
		Select(entAttendance.FieldUserID, entAttendance.FieldClockedInAt).Order(ent.Desc(entAttendance.FieldClockedInAt)).All(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]*open, 0, len(list))
	for _, a := range list {
		p, w := d.work(a)
		if w == nil {
			continue
		}
		off := p.OffFor(w)
		off.WeeklyOff = false // a shift is planned
		free, found := exempt[a.UserID] >= a.WorkDate, &open{Attendance: a, user: byID[p.ID]}
		found.closing, _ = w.Close(w.Entries, off, d.policy, free)
		found.afterEnd, found.cap = w.Reminders(a.ClockedInAt, off, d.policy)
		for _, b := range later {
			if b.UserID == a.UserID && b.ClockedInAt.After(a.ClockedInAt) {
				found.next = b.ClockedInAt
			}
		}
		out = append(out, found)
	}
	return out, nil
}

// work returns the work of an attendance and its person; nil for none.
func (d *days) work(a *ent.Attendance) (*worktime.Person, *worktime.Work) {
	for _, p := range d.people {
		if p.ID != a.UserID {
			continue
		}
		for i := range p.Works {
			if p.Works[i].ID == a.EmployeeShiftID {
				return p, &p.Works[i]
			}
		}
	}
	return nil, nil
}

// exempted returns the last date on which each person is exempt from being closed by rule.
func exempted(ctx context.Context, users []int) (map[int]string, error) {
	list, err := ent.FromContext(ctx).Exemption.Query().
		Where(entExemption.UserIDIn(users...), entExemption.RuleEQ(entExemption.RuleAutoClose)).All(ctx)
	until := map[int]string{}
	for _, x := range list {
		until[x.UserID] = x.EndsOn
	}
	return until, err
}

// remind sends the reminders that are due, each once, and returns when the attendance is
// due again.
func (s *Service) remind(ctx context.Context, a *open, now time.Time) (state, error) {
	to := state{now.Add(recheck), a.Reminders}
	soonest := func(at time.Time) {
		if at.Before(to.at) {
			to.at = at
		}
	}
	send := false
	for _, r := range []struct {
		at  time.Time
		bit int8
	}{{a.afterEnd, afterEnd}, {a.cap, atCap}} {
		switch {
		case r.at.IsZero() || a.Reminders&r.bit != 0:
		case now.Before(r.at):
			soonest(r.at)
		default:
			send, to.reminders = true, to.reminders|r.bit
		}
	}
	soonest(a.closing.Due)
	to.at = to.at.Add(time.Minute - time.Microsecond).Truncate(time.Minute) // the job runs each minute: few values, few updates
	if !send || !a.user.Active {
		return to, nil
	}
	return to, s.Notify.Notify(ctx, a.user, message.StillClockedIn, message.Facts{Event: a.ClockedInAt.In(shift.ZoneNamed(a.ClockedInZone))})
}

// CloseForgotten closes the open attendance of a person whose rows are locked, since they
// clock in again, in the transaction of ctx: when the rule says, and no later than latest.
func (s *Service) CloseForgotten(ctx context.Context, company, userID int, latest time.Time) (err error) {
	defer errs.Step(&err, "results: close forgotten attendances")
	ctx = viewer.System(ctx)
	list, err := s.openOf(ctx, company, []int{userID})
	if err == nil && len(list) != 1 {
		err = errs.New(errs.NotFound, nil)
	}
	if err != nil {
		return err
	}
	at, rule := list[0].end(latest)
	return s.Close(ctx, list[0].user, list[0].Attendance, at, rule)
}

// Close closes an open attendance by rule, to be confirmed by the employee, who is told.
// The audit has why.
func (s *Service) Close(
	ctx context.Context, u *ent.User, a *ent.Attendance, at time.Time, rule entAttendance.ClosingRule,
) (err error) {
	defer errs.Step(&err, "results: close an attendance")
	zone := shift.ZoneNamed(a.ClockedInZone)
	local, offset := shift.Wall(at, zone)
	n, err := ent.FromContext(ctx).Attendance.Update().Where(entAttendance.ID(a.ID), entAttendance.OpenMarker(1)).ClearOpenMarker().ClearCheckAt().
		SetNeedsConfirmation(true).SetAutoClosed(true).SetClosingRule(rule).
		SetClockedOutAt(at).SetClockedOutReceivedAt(s.Now()).SetClockedOutSource(entAttendance.ClockedOutSourceAuto).
		SetClockedOutLocal(local).SetClockedOutOffset(offset).SetClockedOutZone(a.ClockedInZone).Save(ctx)
	if err != nil || n == 0 {
		return err
	}
	s.Live.AttendanceChanged(ctx, a.CompanyID, a.ID, a.UserID)
	s.countClosed(ctx)
	err = s.Audit.Record(ctx, audit.Event{
		Action: audit.AttendanceClosed, Company: a.CompanyID, Subject: ent.TypeAttendance, ID: a.ID,
		Facts: map[string]any{"rule": rule, "at": at},
	})
	if err != nil || !u.Active {
		return err
	}
	return s.Notify.Notify(ctx, u, message.AttendanceClosed, message.Facts{Event: at.In(zone)})
}

// countClosed calls Closed after the commit of the transaction of ctx.
func (s *Service) countClosed(ctx context.Context) {
	if tx := ent.TxFromContext(ctx); tx != nil && s.Closed != nil {
		tx.OnCommit(func(next ent.Committer) ent.Committer {
			return ent.CommitFunc(func(ctx context.Context, tx *ent.Tx) error {
				err := next.Commit(ctx, tx)
				if err == nil {
					s.Closed()
				}
				return err
			})
		})
	}
}

// ResultOf finds the result of the occurrence of an attendance anew, where it has one.
func (s *Service) ResultOf(ctx context.Context, a *ent.Attendance) (err error) {
	defer errs.Step(&err, "results: find a result")
	evaluated, err := ent.FromContext(ctx).EmployeeShift.Query().
		Where(employeeshift.ID(a.EmployeeShiftID), employeeshift.EvaluatedAtNotNil()).Exist(viewer.System(ctx))
	if err == nil && evaluated {
		_, err = s.Recompute(ctx, a.CompanyID, a.EmployeeShiftID)
	}
	return err
}
