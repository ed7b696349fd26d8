package notify

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"workforce/ent"
	entMessage "workforce/ent/message"
	"workforce/ent/onetimecode"
	"workforce/ent/predicate"
	"workforce/internal/app/audit"
	"workforce/internal/app/input"
	"workforce/internal/app/job"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/sealed"
	"workforce/internal/telemetry"
	"workforce/internal/viewer"
)

// A Sender sends messages to people.
type Sender = message.Carrier

// A Service queues and sends messages. Its methods are safe for concurrent use.
type Service struct {
	DB     *ent.Client
	Log    *slog.Logger
	Tracer *telemetry.Tracer // nil makes no traces
	Now    func() time.Time
	Sealer *sealed.Sealer // of texts
	Sender Sender
	Audit  *audit.Recorder // of what is sent again

	// AppURL is where the web app is, for invitations; "" where that is not known.
	AppURL string

	// Unserved are the channels that have no carrier. Their messages wait for one until they expire.
	Unserved []entMessage.Channel

	wake chan struct{} // has a value while there may be something due
}

// New returns a service that seals texts with sealer. The caller sets the other
// fields.
func New(sealer *sealed.Sealer) *Service {
	return &Service{Sealer: sealer, wake: make(chan struct{}, 1)}
}

// Queue renders a notification and writes it in the transaction of ctx. One that names a
// person says whom, so that their erasure finds it.
func (s *Service) Queue(ctx context.Context, n Notification) (err error) {
	defer errs.Step(&err, "notify: queue a message")
	if n.Facts.Name != "" && n.About == nil {
		return fmt.Errorf("message of kind %q does not say whom it names", n.Kind)
	}
	sealed, err := s.seal(n)
	if err != nil {
		return err
	}
	now := s.Now()
	if n.User == nil {
		return ent.FromContext(ctx).Decoy.Create().SetText(sealed).SetCreatedAt(now).Exec(ctx)
	}
	return s.enqueue(ctx, ent.FromContext(ctx).Message.Create().SetCompanyID(n.User.CompanyID).SetUserID(n.User.ID).
		SetKind(string(n.Kind)).SetChannel(n.Channel).SetDestination(n.Destination).SetSealedText(sealed).
		SetCreatedAt(now).SetDueAt(now).SetExpiresAt(n.Expires).SetNillableCodeID(n.CodeID).SetNillableAboutID(n.About))
}

// enqueue writes a message. It is sent once the transaction is committed.
func (s *Service) enqueue(ctx context.Context, m *ent.MessageCreate) error {
	if err := m.SetNillableTrace(telemetry.Parent(ctx)).Exec(ctx); err != nil {
		return err
	}
	ent.TxFromContext(ctx).OnCommit(func(next ent.Committer) ent.Committer {
		return ent.CommitFunc(func(ctx context.Context, tx *ent.Tx) error {
			err := next.Commit(ctx, tx)
			s.WakeUp()
			return err
		})
	})
	return nil
}

// WakeUp has Run look for due messages at once.
func (s *Service) WakeUp() {
	select {
	case s.wake <- struct{}{}:
	default: // it will look anyway
	}
}

// seal renders a notification and encrypts its text.
func (s *Service) seal(n Notification) (string, error) {
	rendered, err := message.Render(n.Kind, n.Language, n.Facts)
	if err != nil {
		return "", err
	}
	plain, err := json.Marshal(rendered)
	if err != nil {
		return "", err
	}
	var company, user int
	if n.User != nil {
		company, user = n.User.CompanyID, n.User.ID
	}
	return s.Sealer.Seal(plain, strconv.Itoa(company), strconv.Itoa(user))
}

// unseal returns a queued message as a Sender takes it.
func (s *Service) unseal(m *ent.Message) (message.Message, error) {
	var rendered message.Text
	plain, err := s.Sealer.Open(*m.SealedText, strconv.Itoa(m.CompanyID), strconv.Itoa(m.UserID))
	if err == nil {
		err = json.Unmarshal(plain, &rendered)
	}
	return message.Message{
		ID: strconv.Itoa(m.ID), Channel: string(m.Channel), To: m.Destination,
		Subject: rendered.Subject, Text: rendered.Plain, HTML: rendered.HTML, CreatedAt: m.CreatedAt,
	}, err
}

const (
	sendBatch  = 50               // messages read at once
	purgeBatch = 1000             // texts cleared at once
	maxWorkers = 16               // recipients who are sent messages at once
	sendLease  = 30 * time.Second // after which another instance sends a message
	sendRetry  = 5 * time.Second  // doubles with each try
)

// Run sends queued messages until ctx ends, then once more those that are due.
// Each recipient has a worker, so that a slow one delays nobody else. A message
// that could not be sent before it expires is logged and marked as failed. The
// texts of expired messages are cleared.
func (s *Service) Run(ctx context.Context) {
	until := ctx
	ctx = viewer.System(ent.NewContext(context.WithoutCancel(ctx), s.DB))
	out := newWorkers(maxWorkers)
	defer out.all.Wait()
	round := func() {
		if err := errors.Join(s.sendDue(ctx, out), s.markUnserved(ctx), s.purgeTexts(ctx)); err != nil {
			s.Log.WarnContext(ctx, "outbox", "error", err)
		}
	}
	job.Poll(until, s.wake, round)
	out.all.Wait() // whoever has one on its way may have another due
	round()
}

// noCarrier is the error of a message that waits for a carrier.
const noCarrier = "nothing carries messages of this channel: set --smtp-url for mail, --sms-url for all channels"

// markUnserved says of the messages that wait for a carrier that they do.
func (s *Service) markUnserved(ctx context.Context) error {
	if len(s.Unserved) == 0 {
		return nil
	}
	waiting := entMessage.And(entMessage.StatusEQ(entMessage.StatusQueued), entMessage.ChannelIn(s.Unserved...),
		entMessage.Or(entMessage.ErrorIsNil(), entMessage.ErrorNEQ(noCarrier)))
	ids, err := s.DB.Message.Query().Where(waiting).Limit(purgeBatch).IDs(ctx)
	if err != nil || len(ids) == 0 {
		return err
	}
	return s.DB.Message.Update().Where(entMessage.IDIn(ids...), waiting).SetError(noCarrier).Exec(ctx)
}

// sendDue starts to send messages that are due on channels with a carrier, in turn, and those
// that have expired.
func (s *Service) sendDue(ctx context.Context, out *workers) error {
	due, err := s.due(ctx, entMessage.StatusEQ(entMessage.StatusQueued), entMessage.DueAtLTE(s.Now()),
		entMessage.Or(entMessage.Not(entMessage.ChannelIn(s.Unserved...)), entMessage.ExpiresAtLTE(s.Now())),
		entMessage.Not(entMessage.UserIDIn(out.busyUsers()...)))
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
	if len(due) == sendBatch { // there may be more
		again = s.WakeUp
	}
	for _, id := range users {
		out.start(id, func() { s.sendAll(ctx, byUser[id]) }, again)
	}
	return nil
}

func (s *Service) sendAll(ctx context.Context, list []*ent.Message) {
	for _, m := range list {
		s.sendTraced(ctx, m)
	}
}

// sendTraced sends one message within the trace of the work that wrote it.
func (s *Service) sendTraced(ctx context.Context, m *ent.Message) {
	ctx, span := s.Tracer.Resume(ctx, input.Value(m.Trace), "message "+m.Kind)
	defer span.End()
	span.Set("workforce.message.kind", m.Kind)
	span.Set("workforce.message.channel", string(m.Channel))
	span.SetInt("workforce.message.id", m.ID)
	if err := s.send(ctx, m); err != nil {
		span.Fail(errs.CodeOf(err).String())
		s.Log.WarnContext(ctx, "outbox", "id", m.ID, "error", err)
	}
}

// send sends one message and records the outcome. The message is leased first, so
// that one instance sends it.
func (s *Service) send(ctx context.Context, m *ent.Message) error {
	now := s.Now()
	lease := now.Add(sendLease)
	n, err := s.DB.Message.Update().Where(unsent(m.ID), entMessage.DueAt(*m.DueAt)).SetDueAt(lease).AddAttempts(1).Save(ctx)
	if err != nil || n == 0 {
		return err
	}
	if !now.Before(m.ExpiresAt) {
		return s.giveUp(ctx, m, "")
	}
	if void, err := s.isVoid(ctx, m); err != nil || void {
		return cmp.Or(err, s.drop(ctx, m))
	}
	out, err := s.unseal(m)
	if err != nil { // it will not open later either
		s.Log.ErrorContext(ctx, "message cannot be read", "id", m.ID, "error", err)
		return s.giveUp(ctx, m, "")
	}
	sendCtx, cancel := context.WithTimeout(ctx, sendLease/2)
	defer cancel()
	if err = s.carry(sendCtx, out); err == nil {
		return tx.Run(ctx, s.DB, func(ctx context.Context) error { return s.recordSent(ctx, m, entMessage.DueAt(lease)) })
	}
	s.Log.WarnContext(ctx, "message not taken", "id", m.ID, "error", err)
	if errors.Is(err, message.ErrNoUTF8) {
		return s.giveUp(ctx, m, noUTF8)
	}
	again := s.Now().Add(sendRetry << min(m.Attempts, 10))
	if !again.Before(m.ExpiresAt) {
		return s.giveUp(ctx, m, "")
	}
	return s.DB.Message.Update().Where(unsent(m.ID), entMessage.DueAt(lease)).SetDueAt(again).Exec(ctx)
}

// carry hands a message to its carrier.
func (s *Service) carry(ctx context.Context, m message.Message) error {
	ctx, span := telemetry.Start(ctx, telemetry.Client, "carry")
	defer span.End()
	err := s.Sender.Carry(ctx, m)
	if err != nil {
		span.Fail("not taken")
	}
	return err
}

// isVoid reports whether a message carries a one-time code that is of no use any
// more: it was used, or another one took its place.
func (s *Service) isVoid(ctx context.Context, m *ent.Message) (bool, error) {
	if m.CodeID == nil {
		return false, nil
	}
	valid, err := s.DB.OneTimeCode.Query().
		Where(onetimecode.ID(*m.CodeID), onetimecode.LiveNotNil(), onetimecode.VoidedAtIsNil()).Exist(ctx)
	return !valid, err
}

// voidCode is the error of a message that was not sent since its code is void.
const voidCode = "the code is void"

// drop marks a message with a void code as failed.
func (s *Service) drop(ctx context.Context, m *ent.Message) error {
	s.Log.InfoContext(ctx, "message dropped", "id", m.ID, "reason", voidCode)
	return s.DB.Message.Update().Where(unsent(m.ID)).
		SetStatus(entMessage.StatusFailed).SetError(voidCode).ClearSealedText().ClearDueAt().Exec(ctx)
}

// unsent matches a message that was not sent.
func unsent(id int) predicate.Message {
	return entMessage.And(entMessage.ID(id), entMessage.StatusEQ(entMessage.StatusQueued))
}

// recordSent marks a queued message in the given state as sent. The text is kept
// until the message expires, to be sent again.
func (s *Service) recordSent(ctx context.Context, m *ent.Message, state ...predicate.Message) error {
	update := ent.FromContext(ctx).Message.Update().Where(unsent(m.ID)).Where(state...).
		SetStatus(entMessage.StatusSent).SetSentAt(s.Now()).SetDueAt(m.ExpiresAt)
	if m.Error != nil && *m.Error == noCarrier {
		update.ClearError()
	}
	return update.Exec(ctx)
}

// purgeTexts clears the text of expired messages that were sent and had no later
// delivery report, and of those that failed.
func (s *Service) purgeTexts(ctx context.Context) error {
	ended := entMessage.StatusIn(entMessage.StatusSent, entMessage.StatusFailed)
	expired := entMessage.And(ended, entMessage.DueAtLTE(s.Now()))
	ids, err := s.DB.Message.Query().Where(expired).Limit(purgeBatch).IDs(ctx)
	if err != nil || len(ids) == 0 {
		return err
	}
	return s.DB.Message.Update().Where(entMessage.IDIn(ids...), expired).ClearSealedText().ClearDueAt().Exec(ctx)
}

// noUTF8 is the error of a message whose address the mail server cannot take.
const noUTF8 = "the mail server takes no address with letters beyond ASCII before the @"

// giveUp marks a message as failed that was not sent before it expired, or never will be for a
// reason.
func (s *Service) giveUp(ctx context.Context, m *ent.Message, reason string) error {
	update := s.DB.Message.Update().Where(unsent(m.ID)).SetStatus(entMessage.StatusFailed)
	if reason != "" {
		s.keepFailed(update.SetError(reason), m)
	} else {
		update.ClearSealedText().ClearDueAt()
	}
	n, err := update.Save(ctx)
	if n > 0 {
		s.Log.ErrorContext(ctx, "message", "id", m.ID, "channel", m.Channel, "to", m.Destination, "status", "failed")
	}
	return err
}
