package message

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

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
	want := `{"id":"7","channel":"sms","to":"+62811123789","text":"123456 adalah kode Anda","callbackUrl":"http://wf.test/messaging-gateway/callback"}`
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

func TestGatewayFollowsNoRedirect(t *testing.T) {
	for _, status := range []int{http.StatusFound, http.StatusTemporaryRedirect} {
		elsewhere := 0
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/elsewhere" {
				elsewhere++
				return
			}
			http.Redirect(w, r, "/elsewhere", status)
		}))
		defer srv.Close()
		g := Gateway{URL: srv.URL, Secret: "s3cret", Now: func() time.Time { return noon }, Client: srv.Client()}
		if err := g.Carry(t.Context(), Message{ID: "7"}); err == nil || elsewhere > 0 {
			t.Errorf("%d: error %v, followed %d times", status, err, elsewhere)
		}
	}
}

func TestGatewayErrorsHideTheURL(t *testing.T) {
	now := func() time.Time { return noon }
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, url := range []string{"http://budi:hunter2@127.0.0.1:1/?key=hunter2", "http://127.0.0.1:%hunter2", "gopher://hunter2"} {
		err := Gateway{URL: url, Secret: "s3cret", Now: now, Client: &http.Client{}}.Carry(ctx, Message{ID: "7"})
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: error %v", url, err)
		}
	}
}

// TestGatewayCheck asks without a message, and tells no part of the URL.
func TestGatewayCheck(t *testing.T) {
	var method string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		method = r.Method + string(body)
		w.WriteHeader(http.StatusMethodNotAllowed)
	}))
	g := Gateway{URL: srv.URL + "/hidden", Client: srv.Client()}
	if status, err := g.Check(t.Context()); status != 405 || err != nil || method != "HEAD" {
		t.Errorf("%d, %v, asked by %s", status, err, method)
	}
	srv.Close()
	if _, err := g.Check(t.Context()); err == nil || strings.Contains(err.Error(), "hidden") {
		t.Errorf("without a gateway: %v", err)
	}
}
