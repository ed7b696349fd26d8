// Package message renders messages and sends them: by a mail server, by a messaging gateway over
// HTTP, or, for demonstrations, to the log. It also reads the reports of the gateway.
package message

import (
	"cmp"
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

// A Log writes messages to the log, a line each. It is for demonstrations only: a text may hold a code.
type Log struct{ Log *slog.Logger }

// Carry implements Carrier. It fails only where there is no log.
func (l Log) Carry(ctx context.Context, m Message) error {
	if l.Log == nil {
		return errors.New("no log for messages")
	}
	l.Log.InfoContext(ctx, "message", "id", m.ID, "channel", m.Channel, "to", m.To, "text", m.Text)
	return nil
}

// A Router hands each message to the carrier of its channel. A carrier that is
// nil is passed over for the next.
type Router struct {
	Mail    Carrier // e-mail
	Gateway Carrier // text messages, and e-mail without Mail
	Log     Carrier // everything that is left; nil but for demonstrations
}

// Carry implements Carrier. With no carrier for the channel, it fails.
func (r Router) Carry(ctx context.Context, m Message) error {
	if c := r.of(m.Channel); c != nil {
		return c.Carry(ctx, m)
	}
	return fmt.Errorf("nothing carries messages by %q", m.Channel)
}

// Carries reports whether there is a carrier for a channel.
func (r Router) Carries(channel string) bool { return r.of(channel) != nil }

// of returns the carrier of a channel; nil for none.
func (r Router) of(channel string) Carrier {
	if channel == "email" && r.Mail != nil {
		return r.Mail
	}
	return cmp.Or(r.Gateway, r.Log)
}
