package messaging

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"workforce/ent"
	entMessage "workforce/ent/message"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/message"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

const (
	budiMail  = "budi@demo.test"
	budiPhone = "+628401100003"
)

// TestFailedMessages reports that messages did not arrive: they are sent again
// while they have something to tell.
func TestFailedMessages(t *testing.T) {
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		s.Run(t, []apitest.Scenario{harness.Register("a"), harness.Register("b")})
		t.Run("three times", func(t *testing.T) { failedThrice(t, s) })
		t.Run("and arrived after all", func(t *testing.T) { failedAndArrived(t, s) })
		t.Run("codes", func(t *testing.T) { failedCodes(t, s) })
		t.Run("nothing is heard", func(t *testing.T) { nothingHeard(t, s) })
	}, signedCallbacks)
}

// told changes Budi's password, and returns the message that tells him of it
// once it was sent.
func told(t *testing.T, s *harness.Server) *ent.Message {
	t.Helper()
	n := len(s.Log.Messages(budiMail))
	s.Run(t, []apitest.Scenario{harness.Forgot("a", budiMail)})
	s.Run(t, []apitest.Scenario{harness.Reset("a password", "a", "{{a.reset}}", s.Log.Code(t, budiMail, n+1), fmt.Sprint("another-password-", n), 200, "")})
	return newestSent(t, s, "password_changed")
}

// newestSent waits until the newest message of a kind was sent.
func newestSent(t *testing.T, s *harness.Server, kind string) *ent.Message {
	t.Helper()
	first := harness.Must[*ent.Message](t)(s.Store.Ent.Message.Query().Where(entMessage.Kind(kind)).Order(ent.Desc(entMessage.FieldID)).First(viewer.System(t.Context())))
	return sentAgain(t, s, first.ID)
}

// sentAgain waits until a message was sent.
func sentAgain(t *testing.T, s *harness.Server, id int) *ent.Message {
	t.Helper()
	var m *ent.Message
	s.Wait(t, "message "+strconv.Itoa(id), func() bool { m = stored(t, s, id); return isSent(m) })
	return m
}

// fails reports a failure of a message, with more members of the report.
func fails(t *testing.T, s *harness.Server, id int, more string) *ent.Message {
	t.Helper()
	s.Run(t, []apitest.Scenario{report(s, "failed"+more, `{"id":"`+strconv.Itoa(id)+`","status":"failed"`+more+`}`, 200, received)})
	return stored(t, s, id)
}

// wantWaiting fails unless a message waits to be sent again.
func wantWaiting(t *testing.T, s *harness.Server, m *ent.Message, failures int, after time.Duration) {
	t.Helper()
	if m.Status != entMessage.StatusQueued || m.Failures != failures || m.Attempts != 0 || m.SealedText == nil || !m.DueAt.Equal(s.Clock.Now().Add(after)) {
		t.Errorf("%v, due %v; want %d failures and to be sent after %v", m, m.DueAt, failures, after)
	}
}

// wantEnded fails unless nothing is left to be done for a message.
func wantEnded(t *testing.T, m *ent.Message, status entMessage.Status, failures int) {
	t.Helper()
	if m.Status != status || m.Failures != failures || m.SealedText != nil || m.DueAt != nil {
		t.Errorf("%v, text kept: %v, want %s after %d failures", m, m.SealedText != nil, status, failures)
	}
}

// wantKept fails unless a message failed for the third time, and its text is kept until it expires.
func wantKept(t *testing.T, m *ent.Message) {
	t.Helper()
	if m.Status != entMessage.StatusFailed || m.Failures != 3 || m.SealedText == nil || !m.DueAt.Equal(m.ExpiresAt) {
		t.Errorf("%v, text kept: %v, due %v; want it failed, and kept", m, m.SealedText != nil, m.DueAt)
	}
}

// failedThrice has a message fail, sent again after 5 and 10 minutes, until that
// is final. What is reported twice or late counts once.
func failedThrice(t *testing.T, s *harness.Server) {
	before := len(s.Log.Notices(budiMail))
	m := told(t, s)
	for nth := 1; nth <= 2; nth++ {
		at := s.Clock.Now().Format(time.RFC3339Nano)
		wait := time.Duration(nth) * 5 * time.Minute
		wantWaiting(t, s, fails(t, s, m.ID, `,"error":"no such subscriber","at":"`+at+`"`), nth, wait)
		wantWaiting(t, s, fails(t, s, m.ID, `,"error":"twice"`), nth, wait)
		s.Run(t, []apitest.Scenario{report(s, "late", `{"id":"`+strconv.Itoa(m.ID)+`","status":"sent"}`, 200, received)})
		wantWaiting(t, s, stored(t, s, m.ID), nth, wait)
		s.Clock.Advance(wait)
		if again := sentAgain(t, s, m.ID); again.Attempts != 1 || again.Failures != nth || *again.Error != "no such subscriber" {
			t.Errorf("sent again as %v", again)
		}
		if got := s.Log.Notices(budiMail); len(got) != before+nth+1 || got[before] != got[before+nth] {
			t.Errorf("%d were sent: %q", len(got)-before, got)
		}
		if late := fails(t, s, m.ID, `,"at":"`+at+`"`); !isSent(late) || late.Failures != nth {
			t.Errorf("a late report of failure %d made it %v", nth, late)
		}
	}
	wantKept(t, fails(t, s, m.ID, ""))
	s.Run(t, []apitest.Scenario{report(s, "late", `{"id":"`+strconv.Itoa(m.ID)+`","status":"delivered"}`, 200, received)})
	wantKept(t, fails(t, s, m.ID, ""))
}

func failedAndArrived(t *testing.T, s *harness.Server) {
	m := told(t, s)
	wantWaiting(t, s, fails(t, s, m.ID, `,"at":"0000-01-01T00:00:00Z"`), 1, 5*time.Minute)
	s.Run(t, []apitest.Scenario{report(s, "after all", `{"id":"`+strconv.Itoa(m.ID)+`","status":"delivered"}`, 200, received)})
	wantEnded(t, stored(t, s, m.ID), entMessage.StatusDelivered, 1)
	wantEnded(t, fails(t, s, m.ID, ""), entMessage.StatusDelivered, 1)
}

// failedCodes are sent again only while they are good.
func failedCodes(t *testing.T, s *harness.Server) {
	s.Clock.Advance(harness.Day)
	s.Run(t, []apitest.Scenario{harness.Forgot("a", budiPhone), harness.Forgot("b", budiMail)})
	text, mail := sent(t, s, budiPhone, isSent), sent(t, s, budiMail, isSent)
	wantEnded(t, fails(t, s, text.ID, ""), entMessage.StatusFailed, 1)
	s.Clock.Advance(5*time.Minute - time.Second)
	wantWaiting(t, s, fails(t, s, mail.ID, ""), 1, 5*time.Minute)
	s.Clock.Advance(5 * time.Minute)
	again := sentAgain(t, s, mail.ID)
	if left := again.ExpiresAt.Sub(s.Clock.Now()); left != time.Second {
		t.Errorf("sent again %v before it expired", left)
	}
	wantEnded(t, fails(t, s, mail.ID, ""), entMessage.StatusFailed, 2)

	s.Clock.Advance(time.Minute)
	s.Run(t, []apitest.Scenario{harness.Forgot("b", budiMail)})
	mail = sent(t, s, budiMail, isSent)
	s.Clock.Advance(5 * time.Minute)
	wantEnded(t, fails(t, s, mail.ID, ""), entMessage.StatusFailed, 1)
}

// nothingHeard of messages ends with their time.
func nothingHeard(t *testing.T, s *harness.Server) {
	s.Clock.Advance(harness.Day)
	m := told(t, s)
	s.Run(t, []apitest.Scenario{harness.Forgot("a", budiPhone)})
	code := sent(t, s, budiPhone, isSent)
	for _, of := range []*ent.Message{code, m} {
		if of.SealedText == nil || !of.DueAt.Equal(of.ExpiresAt) {
			t.Errorf("while it is good: %v", of)
		}
		s.Clock.Set(of.ExpiresAt)
		s.Wait(t, "the text to be cleared", func() bool { return stored(t, s, of.ID).SealedText == nil })
		wantEnded(t, stored(t, s, of.ID), entMessage.StatusSent, 0)
		wantEnded(t, fails(t, s, of.ID, ""), entMessage.StatusFailed, 1)
	}
}

// TestFailedBeforeTaken reports a failure before the gateway has answered that
// it took the message: it is one all the same.
func TestFailedBeforeTaken(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		var s *harness.Server
		asked, started := make(chan string, 10), make(chan struct{})
		carrier := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			<-started
			var m map[string]string
			if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
				t.Error(err)
			}
			body := `{"id":"` + m["id"] + `","status":"failed"}`
			got, err := s.Ask("POST", message.CallbackPath, harness.Head("X-Signature", message.Sign(GatewaySecret, s.Clock.Now(), []byte(body))), body)
			if err != nil || got.Status != 200 {
				t.Errorf("answered %v, %v", got, err)
			}
			asked <- m["id"]
		}))
		t.Cleanup(carrier.Close)
		s = harness.New(t, database, func(s *server.Config) { s.SMSURL, s.SMSSecret = carrier.URL, GatewaySecret })
		close(started)
		s.Run(t, []apitest.Scenario{harness.Register("a"), harness.Forgot("a", budiMail)})
		id := harness.Must[int](t)(strconv.Atoi(harness.Get(t, asked, "a message")))
		wantWaiting(t, s, stored(t, s, id), 1, 5*time.Minute)
		s.Clock.Advance(5 * time.Minute)
		if again := harness.Get(t, asked, "the message again"); again != strconv.Itoa(id) {
			t.Errorf("message %s came, want %d", again, id)
		}
		wantEnded(t, stored(t, s, id), entMessage.StatusFailed, 2)
	})
}

// TestStoppedChannels has people want nothing more by a channel: they are told
// by the next.
func TestStoppedChannels(t *testing.T) {
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		s.Run(t, []apitest.Scenario{harness.Register("a"), harness.Register("b")})
		prefer(t, s, budiMail, user.MessageChannelSms)
		t.Run("one by one", func(t *testing.T) { stopOneByOne(t, s) })
		t.Run("codes", func(t *testing.T) { codesPastStops(t, s) })
		t.Run("another number", func(t *testing.T) { stopsOfAnotherNumber(t, s) })
		t.Run("at once", func(t *testing.T) { stopsAtOnce(t, s) })
	}, signedCallbacks)
}

// stopOneByOne stops a channel after the other, from a message that goes on to
// the next.
func stopOneByOne(t *testing.T, s *harness.Server) {
	m := told(t, s)
	for _, tt := range []struct {
		word string
		next entMessage.Channel
		to   string
	}{{"STOP", "whatsapp", budiPhone}, {"opted out", "email", budiMail}} {
		n := len(s.Log.Notices(tt.to))
		wantEnded(t, fails(t, s, m.ID, `,"error":"`+tt.word+`"`), entMessage.StatusFailed, 0)
		newest(t, s, "password_changed", tt.next, tt.to)
		next := newestSent(t, s, "password_changed")
		if next.ID == m.ID || !next.ExpiresAt.Equal(m.ExpiresAt) {
			t.Errorf("%v came of %v", next, m)
		}
		if got := nthNotice(t, s, tt.to, n+1); got != nthNotice(t, s, budiPhone, 1) {
			t.Errorf("%s tells %q", tt.next, got)
		}
		wantEnded(t, fails(t, s, m.ID, `,"error":"stop"`), entMessage.StatusFailed, 0) // again, and of no effect
		newest(t, s, "password_changed", tt.next, tt.to)
		m = next
	}
	told(t, s)
	newest(t, s, "password_changed", "email", budiMail)
}

// codesPastStops go by what is left. Who forgot the password is not told which
// that is.
func codesPastStops(t *testing.T, s *harness.Server) {
	s.Clock.Advance(harness.Day)
	n := len(s.Log.Messages(budiMail))
	asked := func(number, want string) apitest.Scenario {
		return apitest.Scenario{Name: "forgot " + number, Path: "/user/forgot-password", Header: harness.DeviceOf("a"), Body: `{"username":"` + number + `"}`, Want: want}
	}
	s.Run(t, []apitest.Scenario{
		asked(budiPhone, `{"id":"<digits 15>","channel":"sms","destination":"+62***003","expiresIn":300}`),
		asked("+628401199003", `{"id":"<digits 15>","channel":"sms","destination":"+62***003","expiresIn":300}`), // nobody's
	})
	newest(t, s, "reset_code", "email", budiMail)
	s.Log.Code(t, budiMail, n+1)
	password := fmt.Sprint("another-password-", n-1)
	s.Run(t, []apitest.Scenario{{Name: "signs in by number", Path: "/user/login", Header: harness.DeviceOf("b"), Body: `{"username":"` + budiPhone + `","password":"` + password + `"}`,
		Want: harness.Unverified("email", "b***@demo.test", 300, `"<any>"`), Save: map[string]string{"b.user": "/userToken"}}})
	newest(t, s, "login_code", "email", budiMail)
	s.Run(t, []apitest.Scenario{harness.Verify("the code in the mail", "b", s.Log.Code(t, budiMail, n+2), 200, `{"verified":true}`)})

	s.Clock.Advance(time.Minute)
	m := sent(t, s, budiMail, isSent)
	s.Run(t, []apitest.Scenario{report(s, "read", `{"id":"`+strconv.Itoa(m.ID)+`","status":"read"}`, 200, received)})
	wantEnded(t, fails(t, s, m.ID, `,"error":"unsubscribed"`), entMessage.StatusRead, 0)
	newest(t, s, "login_code", "email", budiMail) // it was read: nothing goes out again
	s.Run(t, []apitest.Scenario{harness.Forgot("b", budiPhone)})
	newest(t, s, "reset_code", "sms", budiPhone) // nothing is left: it goes as asked for
	m = sent(t, s, budiPhone, isSent)
	wantEnded(t, fails(t, s, m.ID, `,"error":"stopped"`), entMessage.StatusFailed, 0)
	newest(t, s, "reset_code", "sms", budiPhone) // and to nowhere else
}

// stopsOfAnotherNumber bind nobody who has a new one.
func stopsOfAnotherNumber(t *testing.T, s *harness.Server) {
	s.Clock.Advance(harness.Day)
	const number = "+628401199999"
	old := newestSent(t, s, "password_changed")
	ctx := viewer.System(t.Context())
	harness.Rewrite(t, ctx, s.Store.Ent, func(db *ent.Client) {
		db.User.Update().Where(user.EmailKey(budiMail)).SetPhone(number).ExecX(ctx)
	})
	s.Run(t, []apitest.Scenario{harness.Forgot("a", number)})
	newest(t, s, "reset_code", "sms", number)
	stopped := harness.Must[*ent.Message](t)(s.Store.Ent.Message.Query().Where(entMessage.Destination(budiPhone)).First(viewer.System(t.Context())))
	fails(t, s, stopped.ID, `,"error":"stop"`) // of the old number
	s.Clock.Advance(time.Minute)
	s.Run(t, []apitest.Scenario{harness.Forgot("a", number)})
	newest(t, s, "reset_code", "sms", number)
	wantEnded(t, fails(t, s, old.ID, `,"error":"stop"`), entMessage.StatusFailed, 0)
	newest(t, s, "password_changed", "whatsapp", number) // the first that is left
}

// stopsAtOnce are one stop.
func stopsAtOnce(t *testing.T, s *harness.Server) {
	m := newestSent(t, s, "password_changed")
	n := harness.Must[int](t)(s.Store.Ent.Message.Query().Count(viewer.System(t.Context())))
	reportAtOnce(t, s, `{"id":"`+strconv.Itoa(m.ID)+`","status":"failed","error":"stop"}`)
	newest(t, s, "password_changed", "sms", m.Destination)
	if got := harness.Must[int](t)(s.Store.Ent.Message.Query().Count(viewer.System(t.Context()))); got != n+1 {
		t.Errorf("100 stops made %d messages", got-n)
	}
}
