package timeentry

import (
	"context"
	"strconv"

	"entgo.io/ent/dialect/sql/sqlgraph"

	"workforce/ent"
	entTimeEntry "workforce/ent/timeentry"
	"workforce/ent/timeweek"
	"workforce/graph/model"
	"workforce/internal/app/approval"
	"workforce/internal/app/input"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// SubmitWeek submits a week of the viewer, and returns its id.
func (s *Service) SubmitWeek(ctx context.Context, in model.SubmitWeekInput) (int, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return 0, err
	}
	var faults errs.Faults
	note := input.Line(&faults, "note", in.Note.Value(), tx.MaxNote)
	if err := faults.Err(); err != nil {
		return 0, err
	}
	c, err := s.begin(ctx, me, me.UserID, nil)
	if err != nil {
		return 0, err
	}
	p := timesheet.Week(shift.Date(in.Date), setting.FirstWeekday.Of(me.Settings))
	if p.From > c.today() {
		return 0, errs.Because("date", errs.OutOfRange, errs.Meta{"min": "1000-01-01", "max": string(c.today())})
	}
	w, err := c.lockedWeek(ctx, p)
	if err != nil {
		return 0, err
	}
	if w != nil {
		return 0, errs.Conflicts(errs.AlreadyRequested, "", errs.Meta{"state": string(w.State)})
	}
	for _, e := range c.running {
		if shift.Date(e.Date) <= p.To {
			return 0, errs.Conflicts(errs.TimerRunning, "", errs.Meta{"runningTimer": strconv.Itoa(e.ID)})
		}
	}
	seconds, err := booked(ctx, c, p)
	if err != nil {
		return 0, err
	}
	id, err := submit(ctx, c, p, seconds, note)
	if err != nil {
		return 0, err
	}
	return id, s.Desk.Ask(ctx, message.WeekAsked, me.UserID, string(p.From))
}

// booked returns the seconds that the person booked in a period, without running timers.
func booked(ctx context.Context, c *change, p timesheet.Period) (int, error) {
	list, err := ent.FromContext(ctx).TimeEntry.Query().
		Where(entTimeEntry.CompanyID(c.me.CompanyID), entTimeEntry.UserID(c.user), entTimeEntry.DateLTE(string(p.To)), entTimeEntry.LastDateGTE(string(p.From)), entTimeEntry.SlotIsNil()).
		Select(entTimeEntry.FieldDate, entTimeEntry.FieldLastDate, entTimeEntry.FieldSeconds, entTimeEntry.FieldTimezone, entTimeEntry.FieldStartedAt, entTimeEntry.FieldEndedAt).All(viewer.System(ctx))
	sum := 0
	for _, e := range list {
		if e.Date == e.LastDate {
			sum += e.Seconds
			continue
		}
		for d, n := range SpanOf(e).Days(shift.ZoneNamed(e.Timezone), timesheet.Rounding{}, c.now) {
			if p.Contains(d) {
				sum += n
			}
		}
	}
	return sum, err
}

// submit writes a week that waits for a decision: a new one, or that which was rejected.
func submit(ctx context.Context, c *change, p timesheet.Period, seconds int, note string) (int, error) {
	ctx = viewer.System(ctx)
	db := ent.FromContext(ctx).TimeWeek
	var said *string
	if note != "" {
		said = &note
	}
	rejected, err := db.Query().Where(timeweek.UserID(c.user), timeweek.StartsOn(string(p.From))).Only(ctx)
	if ent.IsNotFound(err) {
		w, err := db.Create().SetCompanyID(c.me.CompanyID).SetUserID(c.user).SetStartsOn(string(p.From)).SetEndsOn(string(p.To)).
			SetSeconds(seconds).SetNillableNote(said).SetSubmittedAt(c.now).Save(ctx)
		if sqlgraph.IsUniqueConstraintError(err) {
			err = errs.Conflicts(errs.AlreadyRequested, "", errs.Meta{"state": string(timeweek.StateSubmitted)})
		}
		if err != nil {
			return 0, err
		}
		return w.ID, nil
	}
	if err != nil {
		return 0, err
	}
	return rejected.ID, db.UpdateOneID(rejected.ID).SetState(timeweek.StateSubmitted).SetSeconds(seconds).ClearNote().SetNillableNote(said).
		SetSubmittedAt(c.now).ClearDecidedBy().ClearDecidedAt().ClearDecisionNote().Exec(ctx)
}

// DecideWeek approves or rejects a submitted week.
func (s *Service) DecideWeek(ctx context.Context, id int, in model.DecideInput) error {
	me, err := viewer.Require(ctx)
	if err != nil {
		return err
	}
	var faults errs.Faults
	note := input.Line(&faults, "note", in.Note.Value(), tx.MaxNote)
	if err := faults.Err(); err != nil {
		return err
	}
	w, err := ent.FromContext(ctx).TimeWeek.Query().Where(timeweek.ID(id)).Only(ctx)
	if err != nil {
		return err
	}
	u, err := approval.One(ctx, w.UserID, resource)
	if err != nil {
		return err
	}
	c, err := s.begin(ctx, me, w.UserID, u)
	if err != nil {
		return err
	}
	state, kind := timeweek.StateRejected, message.WeekRejected
	if in.Approve {
		state, kind = timeweek.StateApproved, message.WeekApproved
	}
	update := ent.FromContext(ctx).TimeWeek.Update().Where(timeweek.ID(id), timeweek.StateEQ(timeweek.StateSubmitted)).
		SetState(state).SetDecidedBy(me.UserID).SetDecidedAt(c.now)
	if note != "" {
		update.SetDecisionNote(note)
	}
	n, err := update.Save(viewer.System(ctx))
	if err != nil {
		return err
	}
	if n == 0 {
		w, err := ent.FromContext(ctx).TimeWeek.Get(ctx, id)
		if err != nil {
			return err
		}
		return errs.Conflicts(errs.NotPending, "", errs.Meta{"state": string(w.State)})
	}
	return s.Desk.Tell(ctx, kind, w.UserID, w.StartsOn, note)
}

// DecideWeeks approves or rejects many submitted weeks, and answers for each.
func (s *Service) DecideWeeks(ctx context.Context, in model.DecideWeeksInput) ([]*model.Decided, error) {
	return tx.Each(ctx, in.Ids, in.Note.Value(), func(ctx context.Context, id int) error {
		return s.DecideWeek(ctx, id, model.DecideInput{Approve: in.Approve, Note: in.Note})
	})
}
