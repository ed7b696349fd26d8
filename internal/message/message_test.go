package message

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)

// A taker is a carrier that notes what it was given.
type taker struct {
	took []Message
	err  error
}

func (t *taker) Carry(_ context.Context, m Message) error {
	t.took = append(t.took, m)
	return t.err
}

func TestRouter(t *testing.T) {
	tests := []struct {
		channel            string
		mail, gateway, log bool
		want               string // "" for an error
	}{
		{"email", true, true, true, "mail"},
		{"email", false, true, true, "gateway"},
		{"email", true, false, false, "mail"},
		{"email", false, false, true, "log"},
		{"email", false, false, false, ""},
		{"sms", true, true, true, "gateway"},
		{"sms", true, false, true, "log"},
		{"sms", true, false, false, ""},
		{"whatsapp", true, true, true, "gateway"},
		{"whatsapp", true, false, true, "log"},
		{"", true, false, true, "log"},
		{"", false, false, false, ""},
	}
	for _, tt := range tests {
		var r Router
		takers := map[string]*taker{"mail": {}, "gateway": {}, "log": {}}
		if tt.mail {
			r.Mail = takers["mail"]
		}
		if tt.gateway {
			r.Gateway = takers["gateway"]
		}
		if tt.log {
			r.Log = takers["log"]
		}
		m := Message{ID: "7", Channel: tt.channel}
		if err := r.Carry(t.Context(), m); (err == nil) != (tt.want != "") || r.Carries(tt.channel) != (tt.want != "") {
			t.Errorf("%+v: error %v", tt, err)
		}
		for name, k := range takers {
			if (name == tt.want) != (len(k.took) == 1 && k.took[0] == m) {
				t.Errorf("%+v: %s took %v", tt, name, k.took)
			}
		}
	}
}

func TestRouterTellsWhatFailed(t *testing.T) {
	broken, spare := &taker{err: errors.New("broken")}, &taker{}
	err := Router{Mail: broken, Gateway: spare, Log: spare}.Carry(t.Context(), Message{Channel: "email"})
	if !errors.Is(err, broken.err) || len(spare.took) > 0 {
		t.Errorf("error %v, %d taken by another", err, len(spare.took))
	}
}

func TestZeroCarriersFail(t *testing.T) {
	for _, c := range []Carrier{Log{}, Gateway{}, Mail{}, Router{}, Mail{From: from}, Gateway{URL: "http://127.0.0.1:1"}} {
		if err := c.Carry(t.Context(), sample); err == nil {
			t.Errorf("%T took a message", c)
		}
	}
}

func TestLog(t *testing.T) {
	var out bytes.Buffer
	l := Log{slog.New(slog.NewTextHandler(&out, nil))}
	if err := l.Carry(context.Background(), Message{ID: "7", Channel: "email", To: "budi@demo.test", Text: "kode 123456"}); err != nil {
		t.Fatal(err)
	}
	const want = `msg=message id=7 channel=email to=budi@demo.test text="kode 123456"`
	if line := out.String(); !strings.Contains(line, want) {
		t.Errorf("line %q", line)
	}
}
