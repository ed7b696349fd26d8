package message

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)

func TestGatewaySignsWhatItSends(t *testing.T) {
	var got, signature string
	status := http.StatusAccepted
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got, signature = string(body), r.Header.Get("X-Signature")
		w.WriteHeader(status)
	}))
	defer srv.Close()
	g := Gateway{
		URL: srv.URL, Secret: "s3cret", CallbackURL: "http://wf.test/messaging-gateway/callback",
		Now: func() time.Time { return noon }, Client: srv.Client(),
	}
	m := Message{ID: "7", Channel: "sms", To: "+62811123789", Text: "123456 adalah kode Anda"}
	if err := g.Carry(context.Background(), m); err != nil {
		t.Fatal(err)
	}
	want := `{"callbackUrl":"http://wf.test/messaging-gateway/callback","channel":"sms","id":"7","text":"123456 adalah kode Anda","to":"+62811123789"}`
	if got != want {
		t.Errorf("body\ngot  %s\nwant %s", got, want)
	}
	if want := Sign("s3cret", noon, []byte(want)); signature != want {
		t.Errorf("X-Signature = %q, want %q", signature, want)
	}
	status = http.StatusBadGateway
	if err := g.Carry(context.Background(), m); err == nil {
		t.Error("502 was taken for success")
	}
}

func TestSign(t *testing.T) {
	// printf '1773144000.{}' | openssl dgst -sha256 -hmac key
	want := "t=1773144000,v1=" + "d63b0a3e0d618f93d54ff0dcfc83746e49a0ac9afe7527220b994d282c0aca63"
	if got := Sign("key", noon, []byte("{}")); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestLogShowsTextOnlyWhenTold(t *testing.T) {
	for _, show := range []bool{false, true} {
		var out bytes.Buffer
		l := Log{Log: slog.New(slog.NewTextHandler(&out, nil)), ShowText: show}
		if err := l.Carry(context.Background(), Message{ID: "7", Channel: "email", To: "budi@demo.test", Text: "kode 123456"}); err != nil {
			t.Fatal(err)
		}
		line := out.String()
		if !strings.Contains(line, "msg=message id=7 channel=email to=budi@demo.test") {
			t.Errorf("line %q", line)
		}
		if strings.Contains(line, "123456") != show {
			t.Errorf("ShowText %v: line %q", show, line)
		}
	}
}
