// Package message hands messages to what carries them to people: a messaging
// gateway over HTTP, or the log where there is none.
package message

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"time"
)

// A Message is one text to one address.
type Message struct {
	ID      string
	Channel string // email, sms or whatsapp
	To      string
	Text    string
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

// Carry implements Carrier. It never fails.
func (l Log) Carry(ctx context.Context, m Message) error {
	attrs := []any{"id", m.ID, "channel", m.Channel, "to", m.To}
	if l.ShowText {
		attrs = append(attrs, "text", m.Text)
	}
	l.Log.InfoContext(ctx, "message", attrs...)
	return nil
}

// A Gateway posts messages to a messaging gateway as signed JSON.
type Gateway struct {
	URL         string
	Secret      string
	CallbackURL string // where the gateway reports what became of a message
	Now         func() time.Time
	Client      *http.Client
}

// Carry implements Carrier. Any answer but 2xx is an error.
func (g Gateway) Carry(ctx context.Context, m Message) error {
	body, err := json.Marshal(map[string]string{
		"id": m.ID, "channel": m.Channel, "to": m.To, "text": m.Text, "callbackUrl": g.CallbackURL,
	})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, g.URL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Signature", Sign(g.Secret, g.Now(), body))
	resp, err := g.Client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<20)) // so that the connection is used again
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("messaging gateway answered %s", resp.Status)
	}
	return nil
}

// Sign returns the X-Signature of a body sent at t: t=<unix seconds>,v1=<hex
// HMAC-SHA256 of "<t>.<body>" under secret>.
func Sign(secret string, t time.Time, body []byte) string {
	at := strconv.FormatInt(t.Unix(), 10)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(at + "."))
	mac.Write(body)
	return "t=" + at + ",v1=" + hex.EncodeToString(mac.Sum(nil))
}
