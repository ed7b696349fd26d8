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
	ctx = system(ent.NewContext(ctx, r.DB))
	return r.inTx(ctx, func(ctx context.Context) error { return r.noteReport(ctx, id, status, textOf(in["error"])) })
}

// noteReport moves a message on to a status that was reported, if that is
// further than it is.
func (r *Resolver) noteReport(ctx context.Context, id int, reported carry.Status, cause string) error {
	if reported != carry.Failed {
		if err := r.noteSent(ctx, id); err != nil {
			return err
		}
	}
	update := ent.FromContext(ctx).Message.Update().Where(message.ID(id), message.StatusIn(before(reported)...)).
		SetStatus(message.Status(reported)).ClearSealedText()
	if cause = clip(cause); reported == carry.Failed && cause != "" {
		update.SetError(cause)
	}
	return update.Exec(ctx)
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
