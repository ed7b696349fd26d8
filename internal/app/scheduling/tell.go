package scheduling

import (
	"context"
	"slices"

	"workforce/ent"
	"workforce/ent/user"
	"workforce/internal/app/job"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/viewer"
)

// telling is the kind of jobs that tell people of their shifts.
const telling = "tell_shifts"

// A Notice is the payload of such a job.
type Notice struct {
	Kind  message.Kind
	Users []int
	Date  string // of the shift; "" where it is several
	About int    // who asks; 0 for nobody
	Note  string // of who decided; "" for none

	Days       string `json:",omitempty"` // how many dates leave takes
	DaysBefore string `json:",omitempty"` // and took
	Short      string `json:",omitempty"` // the year whose allowance does not suffice; "" for none
}

// facts returns the facts of a message about the notice.
func (n Notice) facts() message.Facts {
	return message.Facts{Date: n.Date, Note: n.Note, Days: n.Days, DaysBefore: n.DaysBefore, Short: n.Short}
}

// Tell queues messages to people in the transaction of ctx.
func (s *Planner) Tell(ctx context.Context, kind message.Kind, n Notice, ids ...int) (err error) {
	defer errs.Step(&err, "scheduling: tell people of changes")
	n.Kind = kind
	for part := range slices.Chunk(ids, batch) {
		n.Users = part
		_, err := s.Jobs.Enqueue(ctx, job.Request{Kind: telling, Company: viewer.From(ctx).CompanyID, Payload: n})
		if err != nil {
			return err
		}
	}
	return nil
}

// telling are the jobs that tell people of their shifts. Each gets one message, however
// often the job runs.
func (s *Planner) telling() job.Kind {
	return job.Kind{Name: telling, Run: func(ctx context.Context, r *job.Run) error {
		var n Notice
		if err := r.Payload(&n); err != nil {
			return err
		}
		return r.Finish(ctx, func(ctx context.Context) error { return s.send(ctx, r.Company, n) })
	}}
}

// send queues the messages of a notice.
func (s *Planner) send(ctx context.Context, company int, n Notice) error {
	ctx = viewer.System(ctx)
	db := ent.FromContext(ctx).User
	var about *ent.User
	if n.About != 0 {
		var err error
		if about, err = db.Get(ctx, n.About); err != nil {
			return err
		}
	}
	users, err := db.Query().Where(user.IDIn(n.Users...), user.CompanyID(company), user.Active(true)).All(ctx)
	if err != nil {
		return err
	}
	for _, u := range users {
		if err := s.Notify.NotifyAbout(ctx, u, n.Kind, n.facts(), about); err != nil {
			return err
		}
	}
	return nil
}
