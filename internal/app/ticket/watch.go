package ticket

import (
	"context"
	"time"

	"workforce/ent"
	entTicket "workforce/ent/ticket"
	"workforce/internal/app/job"
	"workforce/internal/app/policysql"
	"workforce/internal/message"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/sla"
	"workforce/internal/viewer"
)

const (
	watchEvery = time.Minute
	watchBatch = 100 // tickets that one statement looks up
)

// AlertJob is the periodic job that tells of tickets that are due soon, or overdue.
func (s *Service) AlertJob() job.Kind {
	return job.Kind{Name: "tickets", Every: watchEvery, Run: func(ctx context.Context, r *job.Run) error {
		for after := 0; ; {
			due, err := s.DB.Ticket.Query().Where(entTicket.AlertAtLTE(s.Now()), entTicket.IDGT(after)).
				Order(ent.Asc(entTicket.FieldID)).Limit(watchBatch).IDs(ctx)
			if err != nil || len(due) == 0 {
				return err
			}
			for _, id := range due {
				after = id
				if err := r.Commit(ctx, func(ctx context.Context) error { return s.alert(ctx, id) }); err != nil {
					return err
				}
			}
		}
	}}
}

// alert sends the alerts of a ticket that are due, in a transaction. The instance that writes a level
// sends its alert, so that each is sent once.
func (s *Service) alert(ctx context.Context, id int) error {
	db, now := ent.FromContext(ctx).Ticket, s.Now()
	t, err := db.Query().Where(entTicket.ID(id), entTicket.AlertAtLTE(now)).Only(ctx)
	if err != nil {
		return policysql.IgnoreNotFound(err)
	}
	company, err := ent.FromContext(ctx).Company.Get(ctx, t.CompanyID)
	if err != nil {
		return err
	}
	warn := time.Duration(setting.SLAWarn.Of(company.Settings)) * time.Minute
	zone := shift.ZoneNamed(company.Timezone)
	wasResponse, wasResolution := clocks(t)
	response, resolution := wasResponse, wasResolution
	response.Told = max(response.Told, response.Level(now, warn))
	resolution.Told = max(resolution.Told, resolution.Level(now, warn))
	update := db.Update().Where(
		entTicket.ID(id), entTicket.AlertAt(*t.AlertAt),
		entTicket.ResponseTold(int(wasResponse.Told)), entTicket.ResolutionTold(int(wasResolution.Told)),
	).SetResponseTold(int(response.Told)).SetResolutionTold(int(resolution.Told))
	if next := sla.First(warn, response, resolution); next != nil {
		update.SetAlertAt(*next)
	} else {
		update.ClearAlertAt()
	}
	n, err := update.Save(ctx)
	if err != nil || n == 0 { // it was changed meanwhile, or another instance told
		return err
	}
	if response.Told > wasResponse.Told {
		if err := s.warn(ctx, t, zone, response, message.TicketResponseSoon, message.TicketResponseOver); err != nil {
			return err
		}
	}
	if resolution.Told > wasResolution.Told {
		return s.warn(ctx, t, zone, resolution, message.TicketResolutionSoon, message.TicketResolutionOver)
	}
	return nil
}

// warn tells the assignee of a ticket, and once it is overdue their nearest manager too. For a
// ticket without assignee it tells the requester's nearest manager.
func (s *Service) warn(
	ctx context.Context, t *ent.Ticket, zone *time.Location, c sla.Clock, soon, over message.Kind,
) error {
	kind, helper := soon, t.RequesterID
	var people []int
	if t.AssigneeID != nil {
		helper, people = *t.AssigneeID, []int{*t.AssigneeID}
	}
	if c.Told == sla.Over {
		kind = over
	}
	if c.Told == sla.Over || t.AssigneeID == nil {
		u, err := ent.FromContext(ctx).User.Get(ctx, helper)
		if err != nil {
			return err
		}
		managers, err := s.Managers(viewer.NewContext(ctx, &viewer.Viewer{CompanyID: t.CompanyID}))
		if err != nil {
			return err
		}
		for nearest := range managers.Chain(u) {
			people = append(people, nearest)
			break
		}
	}
	active, err := activePeople(ctx, people)
	if err != nil {
		return err
	}
	facts := message.Facts{Title: title(t), Event: c.Due.In(zone)}
	for _, u := range active {
		if err := s.Notify.Notify(ctx, u, kind, facts); err != nil {
			return err
		}
	}
	return nil
}
