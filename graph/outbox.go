package graph

import (
	"context"
	"strconv"
	"time"

	"workforce/ent"
	"workforce/ent/message"
	carry "workforce/internal/message"
	"workforce/internal/viewer"
)

// A Carrier takes messages on their way to people.
type Carrier = carry.Carrier

// A letter is a message to be written.
type letter struct {
	kind        string // what it tells, such as login_code
	user        *ent.User
	channel     message.Channel
	destination string
	text        string
	expires     time.Time // after which it tells nothing any more
}

// post writes a message in the transaction of what it tells of. It leaves once
// that is committed.
func (r *Resolver) post(ctx context.Context, l letter) error {
	text, err := r.texts.Seal([]byte(l.text), strconv.Itoa(l.user.CompanyID), strconv.Itoa(l.user.ID))
	if err != nil {
		return err
	}
	now := r.Now()
	err = ent.FromContext(ctx).Message.Create().SetCompanyID(l.user.CompanyID).SetUserID(l.user.ID).
		SetKind(l.kind).SetChannel(l.channel).SetDestination(l.destination).SetSealedText(text).
		SetCreatedAt(now).SetDueAt(now).SetExpiresAt(l.expires).Exec(ctx)
	if err != nil {
		return err
	}
	ent.TxFromContext(ctx).OnCommit(func(next ent.Committer) ent.Committer {
		return ent.CommitFunc(func(ctx context.Context, tx *ent.Tx) error {
			err := next.Commit(ctx, tx)
			select {
			case r.wake <- struct{}{}:
			default: // it is awake
			}
			return err
		})
	})
	return nil
}

const (
	outboxPoll  = time.Second      // messages that another instance wrote or left
	outboxBatch = 50               // messages looked at in one go
	sendLease   = 30 * time.Second // after which a message of a dead instance is taken up
	sendRetry   = 5 * time.Second  // doubles with each try
)

// Deliver sends what is in the outbox until ctx ends, then once more what is
// due. A message that no carrier took goes to the log before it is given up.
func (r *Resolver) Deliver(ctx context.Context) {
	ctx, end := context.WithoutCancel(ctx), ctx.Done()
	ctx = viewer.System(ent.NewContext(ctx, r.DB))
	poll := time.NewTicker(outboxPoll)
	defer poll.Stop()
	for last := false; ; {
		if err := r.deliverDue(ctx); err != nil {
			r.Log.WarnContext(ctx, "outbox", "error", err)
		}
		if last {
			return
		}
		select {
		case <-end:
			last = true
		case <-r.wake:
		case <-poll.C:
		}
	}
}

func (r *Resolver) deliverDue(ctx context.Context) error {
	due, err := r.DB.Message.Query().
		Where(message.StatusEQ(message.StatusQueued), message.DueAtLTE(r.Now())).
		Order(ent.Asc(message.FieldDueAt)).Limit(outboxBatch).All(ctx)
	if err != nil {
		return err
	}
	for _, m := range due {
		if err := r.deliver(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// deliver claims one message, sends it and notes what became of it. Of several
// instances, one claims it.
func (r *Resolver) deliver(ctx context.Context, m *ent.Message) error {
	now := r.Now()
	n, err := r.DB.Message.Update().
		Where(message.ID(m.ID), message.StatusEQ(message.StatusQueued), message.DueAt(m.DueAt)).
		SetDueAt(now.Add(sendLease)).AddAttempts(1).Save(ctx)
	if err != nil || n == 0 {
		return err
	}
	if !now.Before(m.ExpiresAt) {
		return r.giveUp(ctx, m)
	}
	text, err := r.texts.Open(*m.SealedText, strconv.Itoa(m.CompanyID), strconv.Itoa(m.UserID))
	if err != nil {
		return err
	}
	sendCtx, cancel := context.WithTimeout(ctx, sendLease/2)
	defer cancel()
	err = r.carrier.Carry(sendCtx, carry.Message{ID: strconv.Itoa(m.ID), Channel: string(m.Channel), To: m.Destination, Text: string(text)})
	if err == nil {
		return m.Update().SetStatus(message.StatusSent).SetSentAt(r.Now()).ClearSealedText().Exec(ctx)
	}
	r.Log.WarnContext(ctx, "message not taken", "id", m.ID, "error", err)
	again := r.Now().Add(sendRetry << min(m.Attempts, 10))
	if !again.Before(m.ExpiresAt) {
		return r.giveUp(ctx, m)
	}
	return m.Update().SetDueAt(again).Exec(ctx)
}

// giveUp notes that a message was not sent while it had something to tell.
func (r *Resolver) giveUp(ctx context.Context, m *ent.Message) error {
	r.Log.ErrorContext(ctx, "message", "id", m.ID, "channel", m.Channel, "to", m.Destination, "status", "failed")
	return m.Update().SetStatus(message.StatusFailed).ClearSealedText().Exec(ctx)
}
