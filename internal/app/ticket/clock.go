package ticket

import (
	"context"
	"time"

	"workforce/ent"
	"workforce/ent/address"
	"workforce/ent/holiday"
	entTicket "workforce/ent/ticket"
	"workforce/ent/tickethold"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/calendar"
	"workforce/internal/errs"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/sla"
	"workforce/internal/viewer"
)

// maxReason is how many characters the reason of a hold has at most.
const maxReason = 250

// applyStatus sets the members that follow from another status of a ticket: when it was answered,
// resolved and closed. A ticket that is done is not on hold. When it is opened again, the time in
// which it was done becomes a hold.
func (s *Service) applyStatus(ctx context.Context, before, after *ent.Ticket) error {
	now, moved := s.Now(), before.Status != after.Status
	if moved && after.Status != entTicket.StatusOpen && answers(ctx, after) && after.RespondedAt == nil {
		after.RespondedAt = &now
	}
	restart := before.Priority != after.Priority
	if moved && isDone(after.Status) && before.HeldAt != nil {
		if err := s.endHold(ctx, after); err != nil {
			return err
		}
		restart = true
	}
	switch {
	case moved && isDone(after.Status) && after.ResolvedAt == nil:
		after.ResolvedAt = &now
	case moved && isDone(before.Status) && !isDone(after.Status):
		err := newHold(ctx, after).SetKind(tickethold.KindResolved).SetStartedAt(*before.ResolvedAt).SetEndedAt(now).
			Exec(viewer.System(ctx))
		if err != nil {
			return err
		}
		after.ResolvedAt, restart = nil, true
	}
	if after.ClosedAt = before.ClosedAt; after.Status != entTicket.StatusClosed {
		after.ClosedAt = nil
	} else if moved {
		after.ClosedAt = &now
	}
	return s.schedule(ctx, after, restart)
}

// answers reports whether a comment or a status of the viewer answers a ticket: they are not its
// requester, or they are its assignee.
func answers(ctx context.Context, t *ent.Ticket) bool {
	me := viewer.From(ctx).UserID
	return t.RequesterID != me || t.AssigneeID != nil && *t.AssigneeID == me
}

// schedule sets when the next alert of a ticket is due. With restart it first sets again until when the
// ticket is to be answered and resolved.
func (s *Service) schedule(ctx context.Context, t *ent.Ticket, restart bool) error {
	settings, now := viewer.From(ctx).Settings, s.Now()
	if restart {
		if err := s.setDue(ctx, t); err != nil {
			return err
		}
	}
	warn := time.Duration(setting.SLAWarn.Of(settings)) * time.Minute
	response, resolution := clocks(t)
	if restart {
		response, resolution = response.Reset(now, warn), resolution.Reset(now, warn)
	}
	t.ResponseTold, t.ResolutionTold = int(response.Told), int(resolution.Told)
	t.AlertAt = sla.First(warn, response, resolution)
	return nil
}

// clocks returns the clocks of a ticket's response and resolution.
func clocks(t *ent.Ticket) (response, resolution sla.Clock) {
	response.Told, resolution.Told = sla.Level(t.ResponseTold), sla.Level(t.ResolutionTold)
	if !isDone(t.Status) {
		resolution.Due = t.ResolveBy
	}
	if !isDone(t.Status) && t.RespondedAt == nil {
		response.Due = t.RespondBy
	}
	return response, resolution
}

// setDue sets until when a ticket is to be answered and resolved.
func (s *Service) setDue(ctx context.Context, t *ent.Ticket) error {
	h, err := hours(ctx, t)
	if err != nil {
		return err
	}
	held, err := ent.FromContext(ctx).TicketHold.Query().Where(tickethold.TicketID(t.ID)).All(viewer.System(ctx))
	if err != nil {
		return err
	}
	holds := make([]sla.Span, len(held))
	for i, hold := range held {
		holds[i] = sla.Span{From: hold.StartedAt, To: input.Value(hold.EndedAt)}
	}
	target := sla.TargetOf(viewer.From(ctx).Settings, string(t.Priority))
	t.RespondBy, t.ResolveBy = nil, nil
	if at, ok := h.Due(t.CreatedAt, target.Response); ok {
		t.RespondBy = &at
	}
	if at, ok := h.Due(t.CreatedAt, target.Resolution, holds...); ok {
		t.ResolveBy = &at
	}
	return nil
}

// hours returns the business hours for a ticket: those of the company, on the calendar and in
// the zone of the one address of the requester's business, else of the company.
func hours(ctx context.Context, t *ent.Ticket) (sla.Hours, error) {
	me, db, sys := viewer.From(ctx), ent.FromContext(ctx), viewer.System(ctx)
	zone, c, place := me.Timezone, calendar.Calendar{WeeklyOffs: setting.WeeklyOffs.Of(me.Settings)}, 0
	u, err := db.User.Get(sys, t.RequesterID)
	if err != nil {
		return sla.Hours{}, err
	}
	if u.BusinessID != nil {
		sites, err := db.Address.Query().Where(address.BusinessID(*u.BusinessID), address.Active(true)).Limit(2).All(sys)
		if err != nil {
			return sla.Hours{}, err
		}
		if len(sites) == 1 {
			c.AddressOffs, place = sites[0].WeeklyOffs, sites[0].ID
			if sites[0].Timezone != nil {
				zone = *sites[0].Timezone
			}
		}
	}
	in := shift.ZoneNamed(zone)
	list, err := db.Holiday.Query().Where(holiday.CompanyID(t.CompanyID), holiday.PlaceIn(0, place),
		holiday.DateGTE(string(shift.DateOf(t.CreatedAt, in)))).All(sys)
	for _, h := range list {
		c.Holidays = append(c.Holidays, calendar.Holiday{Date: shift.Date(h.Date), Half: h.Half, Address: h.Place != 0})
	}
	return sla.HoursOf(me.Settings, in, c), err
}

// Hold stops the clock of a ticket's resolution: CONFLICT for a ticket that is done or on hold.
func (s *Service) Hold(ctx context.Context, id int, in *model.HoldTicketInput) error {
	t, err := s.lock(ctx, id)
	if err != nil {
		return err
	}
	var text *string
	if in != nil {
		text = in.Reason.Value()
	}
	var faults errs.Faults
	reason := input.Line(&faults, "reason", text, maxReason)
	if err := faults.Err(); err != nil {
		return err
	}
	switch {
	case isDone(t.Status):
		return errs.Conflicts(errs.State, "", errs.Meta{"state": string(t.Status)})
	case t.HeldAt != nil:
		return errs.Conflicts(errs.State, "", errs.Meta{"state": "on_hold"})
	}
	after, now := *t, s.Now()
	create := newHold(ctx, t).SetKind(tickethold.KindWaiting).SetStartedAt(now)
	if reason != "" {
		create.SetReason(reason)
	}
	if err := create.Exec(viewer.System(ctx)); err != nil {
		return err
	}
	after.HeldAt = &now
	return s.reschedule(ctx, t, &after)
}

// newHold returns the creation of a hold of a ticket by the viewer.
func newHold(ctx context.Context, t *ent.Ticket) *ent.TicketHoldCreate {
	return ent.FromContext(ctx).TicketHold.Create().SetCompanyID(t.CompanyID).SetTicketID(t.ID).
		SetUserID(viewer.From(ctx).UserID)
}

// Resume restarts the clock of a ticket on hold: CONFLICT for any other.
func (s *Service) Resume(ctx context.Context, id int) error {
	t, err := s.lock(ctx, id)
	if err != nil {
		return err
	}
	if t.HeldAt == nil {
		return errs.Conflicts(errs.State, "", errs.Meta{"state": string(t.Status)})
	}
	after := *t
	if err := s.endHold(ctx, &after); err != nil {
		return err
	}
	return s.reschedule(ctx, t, &after)
}

// endHold ends the hold of a ticket.
func (s *Service) endHold(ctx context.Context, t *ent.Ticket) error {
	t.HeldAt = nil
	return ent.FromContext(ctx).TicketHold.Update().Where(tickethold.TicketID(t.ID), tickethold.EndedAtIsNil()).
		SetEndedAt(s.Now()).Exec(viewer.System(ctx))
}

// reschedule writes a ticket whose holds changed.
func (s *Service) reschedule(ctx context.Context, before, after *ent.Ticket) error {
	if err := s.schedule(ctx, after, true); err != nil {
		return err
	}
	if err := s.save(ctx, before, after); err != nil {
		return err
	}
	return s.publish(ctx, after)
}
