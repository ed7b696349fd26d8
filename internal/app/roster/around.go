package roster

import (
	"context"

	entLeave "workforce/ent/leave"
	"workforce/graph/model"
	"workforce/internal/app/policysql"
	"workforce/internal/app/worktime"
	"workforce/internal/timesheet"
)

// holidaysAt returns the holidays of a period at an address.
func holidaysAt(off *worktime.DaysOff, site int, p timesheet.Period) []*model.RosterHoliday {
	list := []*model.RosterHoliday{}
	for _, h := range off.Holidays(p, site) {
		list = append(list, &model.RosterHoliday{Date: string(h.Date), Name: h.Name, Half: h.Half})
	}
	return list
}

// leavesOf returns the leave of people that has a date of a period, by its first date: what waits
// or was approved, of those whose leave the viewer reads.
func (s *Service) leavesOf(
	ctx context.Context, company int, ids []int, p timesheet.Period,
) (map[int][]*model.RosterLeave, error) {
	q, leaves := policysql.New(ctx), map[int][]*model.RosterLeave{}
	q.Add(`SELECT l.user_id, l.id, t.name, l.starts_on, l.ends_on, l.half, l.from_time, l.to_time,
  l.work_from_home, l.state
FROM leaves l JOIN leave_types t ON t.id = l.leave_type_id
WHERE l.company_id = ? AND (l.state = 'approved' OR l.state = 'pending' AND l.expires_at > ?)
  AND l.starts_on BETWEEN ? AND ? AND l.ends_on >= ? AND `,
		company, s.Plans.Now(), string(p.From.AddDays(1-worktime.LongestLeave)), string(p.To), string(p.From))
	q.In("l.user_id", ids)
	q.Add(" AND ")
	q.WherePolicy(entLeave.Policy, entLeave.Table, "l")
	q.Add(" ORDER BY l.starts_on, l.id")
	return leaves, q.Each(func(scan policysql.Scan) error {
		user, l := 0, &model.RosterLeave{}
		err := scan(&user, &l.LeaveID, &l.Name, &l.StartsOn, &l.EndsOn, &l.Half, &l.FromTime, &l.ToTime,
			&l.WorkFromHome, &l.State)
		leaves[user] = append(leaves[user], l)
		return err
	})
}
