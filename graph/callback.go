package graph

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"workforce/ent"
	"workforce/ent/message"
	"workforce/internal/errs"
	"workforce/internal/graphqlhttp"
	carry "workforce/internal/message"
	"workforce/internal/request"
)

const (
	maxReport = 1 << 20 // bytes of what the gateway sends
	maxCause  = 500     // bytes that are kept of an error
)

// Callback returns what answers the messaging gateway's reports. They are signed
// with secret; where that is empty, all are UNAUTHENTICATED.
func (r *Resolver) Callback(secret string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		ctx, cancel := context.WithTimeout(req.Context(), graphqlhttp.DefaultTimeout)
		defer cancel()
		body, err := readSigned(w, req, func(signature string, body []byte) error {
			return carry.Verify([]string{secret}, signature, body, r.Now())
		})
		if err == nil {
			err = r.report(ctx, body)
		}
		var known *errs.Error
		if err != nil && !errors.As(err, &known) {
			err = r.classify(ctx, err)
		}
		if err != nil {
			request.Fail(w, req, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "private, no-cache")
		_, _ = w.Write([]byte(`{"received":true}`)) // the gateway may be gone
	})
}

// readSigned returns a body whose signature is right: it is looked at as bytes
// before it is as anything else.
func readSigned(w http.ResponseWriter, req *http.Request, verify func(signature string, body []byte) error) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxReport))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, &errs.Error{Code: errs.PayloadTooLarge, Meta: errs.Meta{"limit": large.Limit}, Err: err}
	case err != nil:
		return nil, &errs.Error{Code: errs.BadRequest, Err: err}
	}
	if err := verify(strings.Join(req.Header.Values(carry.SignatureHeader), ","), body); err != nil {
		return nil, err
	}
	kind := req.Header.Get("Content-Type")
	if media, _, err := mime.ParseMediaType(kind); kind != "" && (err != nil || media != "application/json") {
		return nil, errs.New(errs.UnsupportedMediaType, nil)
	}
	return body, nil
}

// report takes note of what the gateway says became of a message. A message that
// is not known is none of its business, and no error.
func (r *Resolver) report(ctx context.Context, body []byte) error {
	var in map[string]json.RawMessage
	if err := json.Unmarshal(body, &in); err != nil || in == nil {
		return &errs.Error{Code: errs.BadRequest, Err: err}
	}
	status, err := carry.ParseReported(textOf(in["status"]))
	if err != nil {
		return err
	}
	id, ok := messageID(in["id"])
	if !ok {
		return nil
	}
	said := reported{status: status, cause: clip(textOf(in["error"]))}
	said.at, _ = time.Parse(time.RFC3339, textOf(in["at"])) // what is no time tells nothing
	ctx = system(ent.NewContext(ctx, r.DB))
	return r.inTx(ctx, func(ctx context.Context) error {
		m, err := ent.FromContext(ctx).Message.Get(ctx, id)
		if err != nil {
			return ignoreNotFound(err)
		}
		return r.noteReport(ctx, m, said)
	})
}

// reported is what the gateway says of a message.
type reported struct {
	status carry.Status
	cause  string    // of a failure, on one line
	at     time.Time // when it came to be; zero if it was not said
}

// noteReport moves a message on to a status that was reported, if that is
// further than it is.
func (r *Resolver) noteReport(ctx context.Context, m *ent.Message, said reported) error {
	switch {
	case said.status == carry.Failed && carry.Stopped(said.cause):
		return r.noteStop(ctx, m, said.cause)
	case said.status == carry.Failed:
		return r.noteFailed(ctx, m, said)
	case said.status == carry.Sent:
		return r.noteSent(ctx, m, message.AttemptsGT(0))
	}
	if err := r.noteSent(ctx, m); err != nil {
		return err
	}
	return reportable(ctx, m, said).SetStatus(message.Status(said.status)).ClearSealedText().ClearDueAt().Exec(ctx)
}

// reportable is the update of a message that a report leads on from where it is.
func reportable(ctx context.Context, m *ent.Message, said reported) *ent.MessageUpdate {
	update := ent.FromContext(ctx).Message.Update().Where(message.ID(m.ID), message.StatusIn(before(said.status)...))
	if said.status == carry.Failed && said.cause != "" {
		update.SetError(said.cause)
	}
	return update
}

const (
	failureRetry = 5 * time.Minute // times the number of failures
	maxFailures  = 3               // of which the last is final
)

// noteFailed counts a failure, one for each time that a carrier was tried, and
// has the message sent again while it has something to tell. A report that is
// from before the last failure was counted is late, and tells nothing new.
func (r *Resolver) noteFailed(ctx context.Context, m *ent.Message, said reported) error {
	now := r.Now()
	if m.FailedAt != nil && !said.at.IsZero() && said.at.Before(m.FailedAt.Add(failureRetry/2)) { // half is for clocks that differ
		return nil
	}
	failure := func() *ent.MessageUpdate {
		return reportable(ctx, m, said).Where(message.AttemptsGT(0)).AddFailures(1).SetFailedAt(now)
	}
	for nth := 1; nth < maxFailures; nth++ {
		again := now.Add(failureRetry * time.Duration(nth))
		if !again.Before(m.ExpiresAt) {
			break
		}
		n, err := failure().Where(message.Failures(nth-1), message.SealedTextNotNil()).
			SetStatus(message.StatusQueued).SetDueAt(again).SetAttempts(0).Save(ctx)
		if err != nil || n > 0 {
			return err
		}
	}
	return failure().SetStatus(message.StatusFailed).ClearSealedText().ClearDueAt().Exec(ctx)
}

// noteStop notes that somebody wants nothing more by the channel of a message.
// One that did not arrive goes out by the next.
func (r *Resolver) noteStop(ctx context.Context, m *ent.Message, cause string) error {
	if err := stop(ctx, m.UserID, m.Channel, m.Destination); err != nil {
		return err
	}
	n, err := reportable(ctx, m, reported{status: carry.Failed, cause: cause}).
		SetStatus(message.StatusFailed).ClearSealedText().ClearDueAt().Save(ctx)
	now := r.Now()
	if err != nil || n == 0 || m.SealedText == nil || !now.Before(m.ExpiresAt) {
		return err
	}
	u, err := ent.FromContext(ctx).User.Get(ctx, m.UserID)
	if err != nil {
		return err
	}
	channel, to := reach(u, m.Channel)
	if channel == m.Channel && to == m.Destination { // there is no other
		return nil
	}
	return r.enqueue(ctx, ent.FromContext(ctx).Message.Create().SetCompanyID(m.CompanyID).SetUserID(m.UserID).
		SetKind(m.Kind).SetChannel(channel).SetDestination(to).SetSealedText(*m.SealedText).
		SetCreatedAt(now).SetDueAt(now).SetExpiresAt(m.ExpiresAt))
}

// before lists the statuses from which a report leads on.
func before(reported carry.Status) (from []message.Status) {
	for _, s := range []carry.Status{carry.Queued, carry.Sent, carry.Delivered, carry.Read, carry.Failed} {
		if _, changed := carry.Next(s, reported); changed {
			from = append(from, message.Status(s))
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

// clip returns the text of an error as it is kept: on one line, and no longer
// than the column.
func clip(text string) string {
	text = strings.TrimSpace(strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c
	}, text))
	if len(text) <= maxCause {
		return text
	}
	end := maxCause
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}
