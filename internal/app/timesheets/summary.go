package timesheets

import (
	"context"
	"slices"
	"time"

	"workforce/ent"
	"workforce/ent/address"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/app/organization"
	"workforce/internal/app/worktime"
	"workforce/internal/errs"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// A Team says whose day is wanted. Without a business it is that of everybody whose
// attendance the viewer reads.
type Team struct {
	Date       *string // nil for today
	BusinessID *int
	AddressID  *int                       // of the first attendance of the date; nil for all
	Group      *model.AttendanceGroupName // nil for all
	Page       Page
}

// Summary returns where the active people of a team are on a date. NOT_FOUND on businessId and
// addressId.
func (s *Service) Summary(ctx context.Context, team Team) (*model.AttendanceSummary, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	var faults errs.Faults
	offset, limit := team.Page.read(&faults)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	now := s.Now()
	d, err := team.date(me, now)
	if err != nil {
		return nil, err
	}
	day := timesheet.Period{From: d, To: d}
	q, err := all(ctx, me, team.BusinessID)
	if err != nil {
		return nil, err
	}
	if team.AddressID != nil {
		found, err := ent.FromContext(ctx).Address.Query().Where(address.ID(*team.AddressID)).Exist(ctx)
		if err := input.Referenced("addressId", found, err); err != nil {
			return nil, err
		}
	}
	users, err := list(ctx, q.Where(organization.Active))
	if err != nil {
		return nil, err
	}
	people, err := worktime.ReadPeople(ctx, worktime.Company{ID: me.CompanyID, Settings: me.Settings}, users, day)
	if err != nil {
		return nil, err
	}
	if team.AddressID != nil {
		people = slices.DeleteFunc(people, func(p *worktime.Person) bool { return p.SiteOn(d) != *team.AddressID })
	}
	out := newSummary(d, len(people), team.Group)
	page, policy := pager{groups: out.Groups, offset: offset, limit: limit}, timesheet.PolicyOf(me.Settings)
	var shown shown
	for _, p := range people {
		shown = shownOn(p, d, policy, now, shown.works[:0])
		page.add(shown.group, p, shown)
		if shown.day.Late > 0 {
			page.add(model.AttendanceGroupNameLate, p, shown)
		}
	}
	return out, nil
}

// date returns the date that is asked for.
func (t Team) date(me *viewer.Viewer, now time.Time) (shift.Date, error) {
	if t.Date != nil {
		return shift.Date(*t.Date), nil
	}
	zone, err := shift.Zone(me.Timezone)
	return timesheet.DateOf(now, zone), err
}

// newSummary returns a summary without people.
func newSummary(d shift.Date, people int, only *model.AttendanceGroupName) *model.AttendanceSummary {
	out := &model.AttendanceSummary{Date: string(d), TotalCount: people}
	for _, name := range model.AllAttendanceGroupName {
		if only == nil || *only == name {
			out.Groups = append(out.Groups, &model.AttendanceGroup{Name: name, People: []*model.AttendanceGroupPerson{}})
		}
	}
	return out
}

// A pager counts people, and lists those of one page of each group.
type pager struct {
	groups        []*model.AttendanceGroup
	offset, limit int
}

func (p pager) add(name model.AttendanceGroupName, of *worktime.Person, s shown) {
	for _, g := range p.groups {
		if g.Name != name {
			continue
		}
		if g.Count++; g.Count > p.offset && len(g.People) < p.limit {
			g.People = append(g.People, s.model(of))
		}
	}
}

// A shown is what a summary shows of somebody on a date.
type shown struct {
	group model.AttendanceGroupName
	day   timesheet.Day
	works []timesheet.Record // of the date, by start
}

// shownOn returns where somebody is on a date. The works of somebody else are used again.
func shownOn(p *worktime.Person, d shift.Date, policy timesheet.Policy, now time.Time, again []timesheet.Record) shown {
	s := shown{works: p.Expected(again)}
	s.day = timesheet.DayOf(d, s.works, p.Off(d), policy, now)
	s.group = s.where(now)
	return s
}

// where returns the group of somebody.
func (s shown) where(now time.Time) model.AttendanceGroupName {
	entered, due := false, false
	for _, w := range s.works {
		for _, e := range w.Entries {
			if entered = true; e.Out.IsZero() {
				return model.AttendanceGroupNameIn
			}
		}
		if latest, ok := w.Latest(w.Off); ok && len(w.Entries) == 0 {
			due = due || now.After(latest)
		}
	}
	switch s.day.Status {
	case timesheet.Absent:
		return model.AttendanceGroupNameAbsent
	case timesheet.OnLeave:
		return model.AttendanceGroupNameOnLeave
	case timesheet.Holiday, timesheet.WeeklyOff:
		return model.AttendanceGroupNameOff
	}
	switch {
	case entered:
		return model.AttendanceGroupNameDone
	case s.day.Status == timesheet.WorkFromHome:
		return model.AttendanceGroupNameWorkFromHome
	case len(s.works) == 0:
		return model.AttendanceGroupNameOff
	case due:
		return model.AttendanceGroupNameMissing
	}
	return model.AttendanceGroupNameNotDue
}

// model returns somebody as the summary lists them, the times in the zones of the shifts.
func (s shown) model(p *worktime.Person) *model.AttendanceGroupPerson {
	out := &model.AttendanceGroupPerson{
		UserID: p.ID, Name: p.Name, Image: p.Image, Status: model.DayStatus(s.day.Status),
		LateSeconds: seconds(s.day.Late), EarlySeconds: seconds(s.day.Early),
	}
	if site := p.SiteOn(s.day.Date); site != 0 {
		out.AddressID = &site
	}
	var first, last time.Time
	open := false
	for i, w := range s.works {
		if i == 0 {
			out.StartAt = new(w.Start.In(w.Zone))
		}
		if end := w.End.In(w.Zone); out.EndAt == nil || end.After(*out.EndAt) {
			out.EndAt = &end
		}
		for _, e := range w.Entries {
			if first.IsZero() || e.In.Before(first) {
				first = e.In.In(w.Zone)
			}
			if e.Out.After(last) {
				last = e.Out.In(w.Zone)
			}
			open = open || e.Out.IsZero()
		}
	}
	if !first.IsZero() {
		out.ClockInAt = &first
	}
	if !open && !last.IsZero() {
		out.ClockOutAt = &last
	}
	return out
}
