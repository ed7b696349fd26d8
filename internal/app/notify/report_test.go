package notify

import (
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"workforce/ent"
	entMessage "workforce/ent/message"
	"workforce/ent/user"
	"workforce/internal/app/apptest"
)

// report reports a status of a message, with more members.
func (f *fixture) report(id int, status, more string) *ent.Message {
	f.t.Helper()
	body := fmt.Sprintf(`{"id":"%d","status":"%s"%s}`, id, status, more)
	if err := f.service.Report(f.t.Context(), []byte(body)); err != nil {
		f.t.Fatalf("%s: %v", body, err)
	}
	return f.message(id)
}

// in returns a message that was tried once, in a status.
func (f *fixture) in(status entMessage.Status) *ent.Message {
	f.t.Helper()
	m := f.queue(f.user, "123456", time.Hour)
	return f.DB.Message.UpdateOneID(m.ID).SetStatus(status).SetAttempts(1).SetDueAt(m.ExpiresAt).SaveX(f.System())
}

// TestReportedStatus reports each status of a message in each status.
func TestReportedStatus(t *testing.T) {
	f := newFixture(t)
	reported := []string{"sent", "delivered", "read", "failed"}
	for from, want := range map[entMessage.Status][]entMessage.Status{
		"queued":    {"sent", "delivered", "read", "queued"}, // a failure has it sent again
		"sent":      {"sent", "delivered", "read", "queued"},
		"delivered": {"delivered", "delivered", "read", "delivered"},
		"read":      {"read", "read", "read", "read"},
		"failed":    {"failed", "failed", "failed", "failed"},
	} {
		for i, status := range reported {
			m := f.report(f.in(from).ID, status, "")
			if m.Status != want[i] {
				t.Errorf("%s, reported %s: %s, want %s", from, status, m.Status, want[i])
			}
			if arrived := m.Status != from && (m.Status == "delivered" || m.Status == "read"); arrived && (m.SealedText != nil || m.DueAt != nil) {
				t.Errorf("%s, reported %s: the text is kept", from, status)
			}
			if from == "queued" && (m.SentAt == nil) != (status == "failed") {
				t.Errorf("%s, reported %s: sent at %v", from, status, m.SentAt)
			}
		}
	}
}

// TestUnknownReportsAreLogged logs a report of a message that nobody knows, without
// what the gateway said of it.
func TestUnknownReportsAreLogged(t *testing.T) {
	f := newFixture(t)
	var log strings.Builder
	f.service.Log = slog.New(slog.NewTextHandler(&log, nil))
	for body, want := range map[string]string{
		`{"id":"4711","status":"failed","error":"secret","to":"+628111"}`: "id=4711 status=failed",
		`{"id":"+628111","status":"read"}`:                                "id=0 status=read",
		`{"status":"sent"}`:                                               "id=0 status=sent",
	} {
		log.Reset()
		if err := f.service.Report(t.Context(), []byte(body)); err != nil {
			t.Errorf("%s: %v", body, err)
		}
		if got := log.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, want) || strings.Contains(got, "secret") || strings.Contains(got, "628111") {
			t.Errorf("%s: logged %q, want %s", body, got, want)
		}
	}
	log.Reset()
	f.report(f.in("sent").ID, "read", "")
	if log.Len() > 0 {
		t.Errorf("a known one: %s", &log)
	}
}

// TestSentBeforeItIs ignores that a message was sent which waits for its next
// try.
func TestSentBeforeItIs(t *testing.T) {
	f := newFixture(t)
	m := f.queue(f.user, "123456", time.Hour)
	if got := f.report(m.ID, "sent", ""); got.Status != entMessage.StatusQueued {
		t.Errorf("got %s, want queued", got.Status)
	}
	if got := f.report(m.ID, "failed", ""); got.Failures != 0 || got.Status != entMessage.StatusQueued {
		t.Errorf("got %v, want no failure: it was not tried", got)
	}
}

// TestFailures counts failures of a message: the first two have it sent again
// after 5 and 10 minutes, the third is final.
func TestFailures(t *testing.T) {
	f := newFixture(t)
	m := f.queue(f.user, "123456", time.Hour)
	for nth, wait := range []time.Duration{5 * time.Minute, 10 * time.Minute} {
		f.send()
		at := `,"at":"` + f.Now().Format(time.RFC3339) + `","error":"no such subscriber"`
		for _, more := range []string{at, at, ""} {
			m = f.report(m.ID, "failed", more)
			if m.Status != entMessage.StatusQueued || m.Failures != nth+1 || m.Attempts != 0 || !m.DueAt.Equal(f.Now().Add(wait)) || *m.Error != "no such subscriber" {
				t.Fatalf("failure %d: %v, due after %v; want it again after %v", nth+1, m, m.DueAt.Sub(f.Now()), wait)
			}
		}
		f.Advance(wait)
		f.send()
		if late := f.report(m.ID, "failed", at); late.Status != entMessage.StatusSent || late.Failures != nth+1 {
			t.Errorf("a late report of failure %d: %v", nth+1, late)
		}
	}
	if m = f.report(m.ID, "failed", ""); m.Status != entMessage.StatusFailed || m.Failures != 3 || m.SealedText != nil || m.DueAt != nil {
		t.Errorf("failure 3: %v, due %v; want the end", m, m.DueAt)
	}
	if n := len(f.sender.texts()); n != 3 {
		t.Errorf("sent %d times, want 3", n)
	}
}

// TestLateFailure tells a report of the last counted failure from one of the
// next by the reported time: 2.5 minutes later at least, since clocks differ.
func TestLateFailure(t *testing.T) {
	f := newFixture(t)
	for _, tt := range []struct {
		after time.Duration
		want  int
	}{{150*time.Second - time.Millisecond, 1}, {150 * time.Second, 2}} {
		m := f.in(entMessage.StatusSent)
		f.report(m.ID, "failed", "")
		f.DB.Message.UpdateOneID(m.ID).SetStatus(entMessage.StatusSent).SetAttempts(1).ExecX(f.System())
		at := f.Now().Add(tt.after).Format(time.RFC3339Nano)
		if got := f.report(m.ID, "failed", `,"at":"`+at+`"`); got.Failures != tt.want {
			t.Errorf("reported of %v later: %d failures, want %d", tt.after, got.Failures, tt.want)
		}
	}
}

// TestFailureNearExpiry ends a message that would be sent again only when it has
// expired.
func TestFailureNearExpiry(t *testing.T) {
	for _, tt := range []struct {
		left time.Duration
		want entMessage.Status
	}{{5 * time.Minute, entMessage.StatusFailed}, {5*time.Minute + time.Second, entMessage.StatusQueued}} {
		f := newFixture(t)
		m := f.queue(f.user, "123456", tt.left)
		f.send()
		if got := f.report(m.ID, "failed", ""); got.Status != tt.want || got.Failures != 1 {
			t.Errorf("%v before it expires: %v, want %s", tt.left, got, tt.want)
		}
	}
}

// TestFailuresAtOnce reports one failure many times at once: it counts once.
func TestFailuresAtOnce(t *testing.T) {
	f := newFixture(t)
	m := f.queue(f.user, "123456", time.Hour)
	f.send()
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if err := f.service.Report(t.Context(), fmt.Appendf(nil, `{"id":%d,"status":"failed"}`, m.ID)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if m := f.message(m.ID); m.Failures != 1 || m.Status != entMessage.StatusQueued {
		t.Errorf("after 20 reports: %v, want one failure", m)
	}
}

// TestStop stops one channel after the other: the message goes on by the next,
// and the last has none.
func TestStop(t *testing.T) {
	f := newFixture(t)
	f.change(func(u *ent.UserUpdateOne) { u.SetPhone(phone) })
	m := f.queue(f.user, "123456", time.Hour)
	f.DB.Message.UpdateOneID(m.ID).ExecX(f.System())
	for _, tt := range []struct {
		word string
		next entMessage.Channel
		to   string
	}{{"STOP", "whatsapp", phone}, {"opted out", "sms", phone}} {
		f.send()
		if got := f.report(m.ID, "failed", `,"error":"`+tt.word+`"`); got.Status != entMessage.StatusFailed || got.SealedText != nil || got.Failures != 0 {
			t.Errorf("stopped: %v", got)
		}
		next := f.last()
		if next.ID == m.ID || next.Channel != tt.next || next.Destination != tt.to || !next.ExpiresAt.Equal(m.ExpiresAt) || next.Status != entMessage.StatusQueued {
			t.Errorf("after %s: %v to %s, want %s", tt.word, next, next.Destination, tt.next)
		}
		f.report(m.ID, "failed", `,"error":"stop"`)
		if again := f.last(); again.ID != next.ID {
			t.Errorf("a second stop made %v", again)
		}
		m = next
	}
	f.send()
	f.report(m.ID, "failed", `,"error":"unsubscribed"`)
	if last := f.last(); last.ID != m.ID {
		t.Errorf("no channel is left, but %v was queued", last)
	}
	equal(t, "sent", f.sender.texts()[1:], f.sender.texts()[0], f.sender.texts()[0])
	u := f.DB.User.GetX(f.System(), f.user.ID)
	if *u.StoppedEmail != u.Email || *u.StoppedWhatsapp != phone || *u.StoppedSms != phone {
		t.Errorf("stopped are %v, %v, %v", *u.StoppedEmail, *u.StoppedWhatsapp, *u.StoppedSms)
	}
}

// TestStopOfFormerAddress binds nobody who has another address by now.
func TestStopOfFormerAddress(t *testing.T) {
	f := newFixture(t)
	m := f.queue(f.user, "123456", time.Hour)
	f.send()
	f.change(func(u *ent.UserUpdateOne) { u.SetEmail("new@acme.test") })
	f.report(m.ID, "failed", `,"error":"stop"`)
	if next := f.last(); next.ID == m.ID || next.Destination != "new@acme.test" {
		t.Errorf("got %v to %s, want it at the new address", next, next.Destination)
	}
	if n := f.DB.User.Query().Where(user.StoppedEmailNotNil()).CountX(f.System()); n != 0 {
		t.Error("the new address is stopped")
	}
}

// TestStopAfterExpiry sends nothing anew that has expired, or that was read.
func TestStopAfterExpiry(t *testing.T) {
	f := newFixture(t)
	f.change(func(u *ent.UserUpdateOne) { u.SetPhone(phone) })
	read := f.report(f.in(entMessage.StatusSent).ID, "read", "")
	if got := f.report(read.ID, "failed", `,"error":"stop"`); got.Status != entMessage.StatusRead || f.last().ID != read.ID {
		t.Errorf("a stop of what was read: %v", got)
	}
	old := f.in(entMessage.StatusSent)
	f.Set(old.ExpiresAt)
	f.report(old.ID, "failed", `,"error":"stop"`)
	if f.last().ID != old.ID {
		t.Error("an expired message was sent by the next channel")
	}
}

func TestReportErrors(t *testing.T) {
	f := newFixture(t)
	m := f.in(entMessage.StatusSent)
	for body, want := range map[string]string{
		`{"id":"2147483647","status":"read"}`: "", `{"id":"x","status":"read"}`: "", `{"status":"read"}`: "", `{"id":"0","status":"read"}`: "",
		`{"id":"0` + fmt.Sprint(m.ID) + `","status":"read"}`: "",
		`{"id":"1","status":"queued"}`:                       "VALIDATION_FAILED status not_one_of",
		`{"id":"1"}`:                                         "VALIDATION_FAILED status not_one_of",
		`[]`:                                                 "BAD_REQUEST", `null`: "BAD_REQUEST", `{`: "BAD_REQUEST",
	} {
		if got := apptest.Code(f.service.Report(t.Context(), []byte(body))); got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
	if got := f.message(m.ID); got.Status != entMessage.StatusSent {
		t.Errorf("reports of other messages made it %s", got.Status)
	}
}

func TestCause(t *testing.T) {
	for in, want := range map[string]string{
		" two\n\tlines\x00 ":            "two  lines",
		strings.Repeat("é", 600):        strings.Repeat("é", 250),
		"x" + strings.Repeat("é", 600):  "x" + strings.Repeat("é", 249),
		strings.Repeat("x", maxCause):   strings.Repeat("x", maxCause),
		strings.Repeat("x", maxCause+1): strings.Repeat("x", maxCause),
	} {
		if got := clip(in); got != want {
			t.Errorf("clip(%.20q) = %d bytes %.20q, want %d", in, len(got), got, len(want))
		}
	}
}
