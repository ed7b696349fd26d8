package notify

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"workforce/ent"
	entMessage "workforce/ent/message"
	"workforce/internal/app/policysql"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
	"workforce/internal/jsonscan"
	"workforce/internal/message"
	"workforce/internal/viewer"
)

// maxCause is how many bytes of a reported error are stored.
const maxCause = 500

// Report records what the messaging gateway reports of a message: a JSON object
// with id, status, error and at. A message that is not known is no error.
func (s *Service) Report(ctx context.Context, body []byte) (err error) {
	defer errs.Step(&err, "notify: record a delivery report")
	var in map[string]json.RawMessage
	if err := json.Unmarshal(body, &in); err != nil || in == nil || !jsonscan.IsText(body) {
		return &errs.Error{Code: errs.BadRequest, Err: err}
	}
	report, err := readReport(in)
	if err != nil {
		return err
	}
	id, ok := messageID(in["id"])
	if !ok {
		s.logUnknown(ctx, 0, report)
		return nil
	}
	ctx = viewer.System(ent.NewContext(ctx, s.DB))
	return tx.Run(ctx, s.DB, func(ctx context.Context) error {
		m, err := ent.FromContext(ctx).Message.Get(ctx, id)
		if err != nil {
			if ent.IsNotFound(err) {
				s.logUnknown(ctx, id, report)
			}
			return policysql.IgnoreNotFound(err)
		}
		return s.recordReport(ctx, m, report)
	})
}

// logUnknown logs a report of a message that is not known: its id if that is well
// formed, and nothing else of what was sent.
func (s *Service) logUnknown(ctx context.Context, id int, r report) {
	s.Log.WarnContext(ctx, "delivery report for an unknown message", "id", id, "status", string(r.status))
}

// readReport returns what a report says besides the message's id, or all faults of its
// members.
func readReport(in map[string]json.RawMessage) (report, error) {
	var faults errs.Faults
	status, err := message.ParseReported(textOf(in["status"]))
	if err != nil {
		faults = errs.As(err).Faults
	}
	var instant time.Time
	if at := in["at"]; len(at) > 0 && string(at) != "null" && string(at) != `""` {
		if instant, err = time.Parse(time.RFC3339, textOf(at)); err != nil {
			faults.Add("at", errs.BadFormat, errs.Meta{"expected": "2026-03-10T09:00:00+07:00"})
		}
	}
	return report{status: status, cause: clip(textOf(in["error"])), at: instant}, faults.Err()
}

// A report is what the gateway reports of a message.
type report struct {
	status message.Status
	cause  string    // of a failure, on one line
	at     time.Time // when it came to be; zero if it was not said
}

// recordReport moves a message to the reported status, if that follows its
// present one.
func (s *Service) recordReport(ctx context.Context, m *ent.Message, r report) error {
	switch {
	case r.status == message.Failed && message.Stopped(r.cause):
		return s.recordStop(ctx, m, r.cause)
	case r.status == message.Failed:
		return s.recordFailed(ctx, m, r)
	case r.status == message.Sent:
		return s.recordSent(ctx, m, entMessage.AttemptsGT(0))
	}
	if err := s.recordSent(ctx, m); err != nil {
		return err
	}
	return transition(ctx, m, r).SetStatus(entMessage.Status(r.status)).ClearSealedText().ClearDueAt().Exec(ctx)
}

// transition returns the update of a message to a status that follows its present
// one.
func transition(ctx context.Context, m *ent.Message, r report) *ent.MessageUpdate {
	update := ent.FromContext(ctx).Message.Update().Where(entMessage.ID(m.ID), entMessage.StatusIn(statusesBefore(r.status)...))
	if r.status == message.Failed && r.cause != "" {
		update.SetError(r.cause)
	}
	return update
}

const (
	failureRetry = 5 * time.Minute // times the number of failures
	maxFailures  = 3               // of which the last is final
)

// recordFailed counts a failure, one for each time that the message was sent, and
// queues the message again unless it expires before. A report from before the
// last counted failure is late, and ignored.
func (s *Service) recordFailed(ctx context.Context, m *ent.Message, r report) error {
	now := s.Now()
	if m.FailedAt != nil && !r.at.IsZero() && r.at.Before(m.FailedAt.Add(failureRetry/2)) { // half, since clocks differ
		return nil
	}
	failure := func() *ent.MessageUpdate {
		return transition(ctx, m, r).Where(entMessage.AttemptsGT(0)).AddFailures(1).SetFailedAt(now)
	}
	for nth := 1; nth < maxFailures; nth++ {
		again := now.Add(failureRetry * time.Duration(nth))
		if !again.Before(m.ExpiresAt) {
			break
		}
		n, err := failure().Where(entMessage.Failures(nth-1), entMessage.SealedTextNotNil()).
			SetStatus(entMessage.StatusQueued).SetDueAt(again).SetAttempts(0).Save(ctx)
		if err != nil || n > 0 {
			return err
		}
	}
	return s.keepFailed(failure().SetStatus(entMessage.StatusFailed), m).Exec(ctx)
}

// recordStop records that the recipient stopped the channel of a message. A
// message that did not arrive is sent by their next channel.
func (s *Service) recordStop(ctx context.Context, m *ent.Message, cause string) error {
	if err := stop(ctx, m.UserID, m.Channel, m.Destination); err != nil {
		return err
	}
	n, err := transition(ctx, m, report{status: message.Failed, cause: cause}).
		SetStatus(entMessage.StatusFailed).ClearSealedText().ClearDueAt().Save(ctx)
	now := s.Now()
	if err != nil || n == 0 || m.SealedText == nil || !now.Before(m.ExpiresAt) {
		return err
	}
	u, err := ent.FromContext(ctx).User.Get(ctx, m.UserID)
	if err != nil {
		return err
	}
	channel, to := Reach(u, m.Channel)
	if channel == m.Channel && to == m.Destination { // there is no other
		return nil
	}
	return s.enqueue(ctx, ent.FromContext(ctx).Message.Create().SetCompanyID(m.CompanyID).SetUserID(m.UserID).
		SetKind(m.Kind).SetNillableAboutID(m.AboutID).SetChannel(channel).SetDestination(to).SetSealedText(*m.SealedText).
		SetCreatedAt(now).SetDueAt(now).SetExpiresAt(m.ExpiresAt).SetNillableCodeID(m.CodeID))
}

// statusesBefore lists the statuses that a reported one may follow.
func statusesBefore(reported message.Status) (from []entMessage.Status) {
	for _, status := range []message.Status{message.Queued, message.Sent, message.Delivered, message.Read, message.Failed} {
		if _, changed := message.Next(status, reported); changed {
			from = append(from, entMessage.Status(status))
		}
	}
	return from
}

// messageID reads the id of a message, written as text or as a number.
func messageID(raw json.RawMessage) (int, bool) {
	text := textOf(raw)
	n, err := strconv.ParseInt(text, 10, 32)
	return int(n), err == nil && n > 0 && strconv.FormatInt(n, 10) == text
}

// textOf returns a member that is text, or a number as it is written; "" for
// anything else.
func textOf(raw json.RawMessage) string {
	var text string
	var number json.Number
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	if json.Unmarshal(raw, &number) == nil {
		return number.String()
	}
	return ""
}

// clip returns an error's text on one line and no longer than the column.
func clip(cause string) string {
	cause = strings.TrimSpace(strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c
	}, cause))
	if len(cause) <= maxCause {
		return cause
	}
	end := maxCause
	for !utf8.RuneStart(cause[end]) {
		end--
	}
	return cause[:end]
}
