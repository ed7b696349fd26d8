package graph

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"workforce/ent"
	"workforce/ent/message"
	"workforce/ent/predicate"
	carry "workforce/internal/message"
	"workforce/internal/viewer"
)

// A Carrier takes messages on their way to people.
type Carrier = carry.Carrier

// post words a message and writes it in the transaction of what it tells of.
func (r *Resolver) post(ctx context.Context, l letter) error {
	text, err := r.seal(l)
	if err != nil {
		return err
	}
	now := r.Now()
	return r.enqueue(ctx, ent.FromContext(ctx).Message.Create().SetCompanyID(l.user.CompanyID).SetUserID(l.user.ID).
		SetKind(string(l.kind)).SetChannel(l.channel).SetDestination(l.destination).SetSealedText(text).
		SetCreatedAt(now).SetDueAt(now).SetExpiresAt(l.expires))
}

// enqueue writes a message in a transaction. It leaves once that is committed.
func (r *Resolver) enqueue(ctx context.Context, m *ent.MessageCreate) error {
	if err := m.Exec(ctx); err != nil {
		return err
	}
	ent.TxFromContext(ctx).OnCommit(func(next ent.Committer) ent.Committer {
		return ent.CommitFunc(func(ctx context.Context, tx *ent.Tx) error {
			err := next.Commit(ctx, tx)
			r.wakeOutbox()
			return err
		})
	})
	return nil
}

func (r *Resolver) wakeOutbox() {
	select {
	case r.wake <- struct{}{}:
	default: // it is awake
	}
}

// seal words a letter. Nobody reads the text in the database.
func (r *Resolver) seal(l letter) (string, error) {
	text, err := carry.Render(l.kind, l.language, l.facts)
	if err != nil {
		return "", err
	}
	plain, err := json.Marshal(text)
	if err != nil {
		return "", err
	}
	return r.texts.Seal(plain, strconv.Itoa(l.user.CompanyID), strconv.Itoa(l.user.ID))
}

// unseal returns what a carrier takes of a message that still has its text.
func (r *Resolver) unseal(m *ent.Message) (carry.Message, error) {
	var text carry.Text
	plain, err := r.texts.Open(*m.SealedText, strconv.Itoa(m.CompanyID), strconv.Itoa(m.UserID))
	if err == nil {
		err = json.Unmarshal(plain, &text)
	}
	return carry.Message{
		ID: strconv.Itoa(m.ID), Channel: string(m.Channel), To: m.Destination,
		Subject: text.Subject, Text: text.Plain, HTML: text.HTML, CreatedAt: m.CreatedAt,
	}, err
}

const (
	outboxPoll  = time.Second      // messages that another instance wrote or left
	outboxBatch = 50               // messages looked at in one go
	eraseBatch  = 1000             // texts erased in one go
	outboxLanes = 16               // people whose messages are on their way at once
	sendLease   = 30 * time.Second // after which a message of a dead instance is taken up
	sendRetry   = 5 * time.Second  // doubles with each try
)

// Deliver sends what is in the outbox until ctx ends, then once more what is
// due. A carrier that takes long for one person keeps nobody else waiting. A
// message that no carrier took goes to the log before it is given up. Texts are
// erased when they expire.
func (r *Resolver) Deliver(ctx context.Context) {
	ctx, end := context.WithoutCancel(ctx), ctx.Done()
	ctx = viewer.System(ent.NewContext(ctx, r.DB))
	poll := time.NewTicker(outboxPoll)
	defer poll.Stop()
	out := newLanes(outboxLanes)
	defer out.all.Wait()
	for last := false; ; {
		if err := errors.Join(r.deliverDue(ctx, out), r.eraseExpired(ctx)); err != nil {
			r.Log.WarnContext(ctx, "outbox", "error", err)
		}
		if last {
			return
		}
		select {
		case <-end:
			out.all.Wait() // whoever has one on its way may have another due
			last = true
		case <-r.wake:
		case <-poll.C:
		}
	}
}

// deliverDue starts to send what is due, the oldest first.
func (r *Resolver) deliverDue(ctx context.Context, out *lanes) error {
	due, err := r.DB.Message.Query().
		Where(message.StatusEQ(message.StatusQueued), message.DueAtLTE(r.Now()), message.UserIDNotIn(out.taken()...)).
		Order(ent.Asc(message.FieldDueAt, message.FieldID)).Limit(outboxBatch).All(ctx)
	if err != nil {
		return err
	}
	var users []int
	byUser := map[int][]*ent.Message{}
	for _, m := range due {
		if byUser[m.UserID] == nil {
			users = append(users, m.UserID)
		}
		byUser[m.UserID] = append(byUser[m.UserID], m)
	}
	again := func() {}
	if len(due) == outboxBatch { // there may be more
		again = r.wakeOutbox
	}
	for _, id := range users {
		out.start(id, func() { r.deliverAll(ctx, byUser[id]) }, again)
	}
	return nil
}

func (r *Resolver) deliverAll(ctx context.Context, list []*ent.Message) {
	for _, m := range list {
		if err := r.deliver(ctx, m); err != nil {
			r.Log.WarnContext(ctx, "outbox", "id", m.ID, "error", err)
		}
	}
}

// deliver claims one message, sends it and notes what became of it. Of several
// instances, one claims it.
func (r *Resolver) deliver(ctx context.Context, m *ent.Message) error {
	now := r.Now()
	claim := now.Add(sendLease)
	n, err := r.DB.Message.Update().Where(unsent(m.ID), message.DueAt(*m.DueAt)).SetDueAt(claim).AddAttempts(1).Save(ctx)
	if err != nil || n == 0 {
		return err
	}
	if !now.Before(m.ExpiresAt) {
		return r.giveUp(ctx, m)
	}
	letter, err := r.unseal(m)
	if err != nil { // it will not open later either
		r.Log.ErrorContext(ctx, "message cannot be read", "id", m.ID, "error", err)
		return r.giveUp(ctx, m)
	}
	sendCtx, cancel := context.WithTimeout(ctx, sendLease/2)
	defer cancel()
	if err = r.carrier.Carry(sendCtx, letter); err == nil {
		return r.inTx(ctx, func(ctx context.Context) error { return r.noteSent(ctx, m, message.DueAt(claim)) })
	}
	r.Log.WarnContext(ctx, "message not taken", "id", m.ID, "error", err)
	again := r.Now().Add(sendRetry << min(m.Attempts, 10))
	if !again.Before(m.ExpiresAt) {
		return r.giveUp(ctx, m)
	}
	return r.DB.Message.Update().Where(unsent(m.ID), message.DueAt(claim)).SetDueAt(again).Exec(ctx)
}

// unsent selects a message that no carrier has.
func unsent(id int) predicate.Message {
	return message.And(message.ID(id), message.StatusEQ(message.StatusQueued))
}

// noteSent notes that a carrier has a message, unless that is known or the
// message is not in the state that is asked for. The text is kept until the
// message expires, to be sent again.
func (r *Resolver) noteSent(ctx context.Context, m *ent.Message, state ...predicate.Message) error {
	return ent.FromContext(ctx).Message.Update().Where(unsent(m.ID)).Where(state...).
		SetStatus(message.StatusSent).SetSentAt(r.Now()).SetDueAt(m.ExpiresAt).Exec(ctx)
}

// eraseExpired erases the texts of messages that were sent and of which nothing
// more was heard while they had something to tell.
func (r *Resolver) eraseExpired(ctx context.Context) error {
	expired := message.And(message.StatusEQ(message.StatusSent), message.DueAtLTE(r.Now()))
	ids, err := r.DB.Message.Query().Where(expired).Limit(eraseBatch).IDs(ctx)
	if err != nil || len(ids) == 0 {
		return err
	}
	return r.DB.Message.Update().Where(message.IDIn(ids...), expired).ClearSealedText().ClearDueAt().Exec(ctx)
}

// giveUp notes that a message was not sent while it had something to tell.
func (r *Resolver) giveUp(ctx context.Context, m *ent.Message) error {
	n, err := r.DB.Message.Update().Where(unsent(m.ID)).
		SetStatus(message.StatusFailed).ClearSealedText().ClearDueAt().Save(ctx)
	if n > 0 {
		r.Log.ErrorContext(ctx, "message", "id", m.ID, "channel", m.Channel, "to", m.Destination, "status", "failed")
	}
	return err
}
