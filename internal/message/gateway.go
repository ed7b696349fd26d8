package message

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// A Gateway posts messages to a messaging gateway as signed JSON.
type Gateway struct {
	URL         string
	Secret      string
	CallbackURL string // where the gateway reports what became of a message
	Now         func() time.Time
	Client      *http.Client
}

// posted is what the gateway is sent of a message.
type posted struct {
	ID          string `json:"id"`
	Channel     string `json:"channel"`
	To          string `json:"to"`
	Text        string `json:"text"`
	CallbackURL string `json:"callbackUrl"`
}

// Carry implements Carrier. Any answer but 2xx is an error, a redirect too: what
// was signed for one address is sent to no other.
func (g Gateway) Carry(ctx context.Context, m Message) error {
	if g.URL == "" || g.Secret == "" || g.Now == nil || g.Client == nil {
		return errors.New("messaging gateway: not configured")
	}
	body, err := json.Marshal(posted{m.ID, m.Channel, m.To, m.Text, g.CallbackURL})
	if err != nil {
		return err
	}
	status, err := g.post(ctx, body)
	switch {
	case err != nil:
		return fmt.Errorf("messaging gateway: %w", err)
	case status/100 != 2:
		return fmt.Errorf("messaging gateway: answered %d", status)
	}
	return nil
}

// post sends body, signed, and returns the status of the answer. No error of it or of do
// quotes the URL, which may hold a key.
func (g Gateway) post(ctx context.Context, body []byte) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, g.URL, bytes.NewReader(body))
	if err != nil {
		return 0, errors.New("the URL cannot be used")
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(SignatureHeader, Sign(g.Secret, g.Now(), body))
	return g.do(req)
}

// do sends a request and returns the status of the answer.
func (g Gateway) do(req *http.Request) (int, error) {
	client := *g.Client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	resp, err := client.Do(req)
	var quoting *url.Error
	if errors.As(err, &quoting) {
		return 0, quoting.Err
	}
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<20)) // so that the connection is used again
	return resp.StatusCode, nil
}

// Check asks whether something answers at the gateway's URL, and sends it no message. It returns the
// status of the answer: a gateway that takes POST alone says 405 or 404. No error quotes the URL.
func (g Gateway) Check(ctx context.Context) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, g.URL, nil)
	if err != nil {
		return 0, errors.New("the URL cannot be used")
	}
	return g.do(req)
}
