// Package message renders messages and sends them: by a mail server, by a messaging gateway over
// HTTP, or to the log where there is neither. It also reads the reports of the gateway.
package message

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// A Message is one text to one address.
type Message struct {
	ID        string
	Channel   string // email, sms or whatsapp
	To        string
	Subject   string // of a mail
	Text      string
	HTML      string    // the text again, for mail; may be empty
	CreatedAt time.Time // the same each time the message is carried
}

// A Carrier takes messages on their way. An error means that it did not, and
// that it may be asked again.
type Carrier interface {
	Carry(ctx context.Context, m Message) error
}

// A Log writes messages to the log, a line each.
type Log struct {
	Log      *slog.Logger
	ShowText bool // for demonstrations only: the text may hold a code
}

// Carry implements Carrier. It fails only where there is no log.
func (l Log) Carry(ctx context.Context, m Message) error {
	if l.Log == nil {
		return errors.New("no log for messages")
	}
	attrs := []any{"id", m.ID, "channel", m.Channel, "to", m.To}
	if l.ShowText {
		attrs = append(attrs, "text", m.Text)
	}
	l.Log.InfoContext(ctx, "message", attrs...)
	return nil
}

// A Router hands each message to the carrier of its channel. A carrier that is
// nil is passed over for the next.
type Router struct {
	Mail    Carrier // e-mail
	Gateway Carrier // text messages, and e-mail without Mail
	Log     Carrier // everything that is left
}

// Carry implements Carrier. With no carrier for the channel, it fails.
func (r Router) Carry(ctx context.Context, m Message) error {
	switch {
	case m.Channel == "email" && r.Mail != nil:
		return r.Mail.Carry(ctx, m)
	case r.Gateway != nil:
		return r.Gateway.Carry(ctx, m)
	case r.Log != nil:
		return r.Log.Carry(ctx, m)
	}
	return fmt.Errorf("nothing carries messages by %q", m.Channel)
}
