package notify

import (
	"context"
	"errors"
	"fmt"
	"maps"
	mathrand "math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"workforce/ent"
	entMessage "workforce/ent/message"
	"workforce/ent/user"
	"workforce/internal/app/apptest"
	"workforce/internal/message"
)

// equal fails the test unless got is want, in any order.
func equal(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// TestSendAgain fails to send a message: it is tried again after 5 s, and then
// after twice as long each time.
func TestSendAgain(t *testing.T) {
	f := newFixture(t)
	f.sender.err = errors.New("no line")
	m := f.queue(f.user, "123456", time.Hour)
	for nth, wait := range []time.Duration{5 * time.Second, 10 * time.Second, 20 * time.Second, 40 * time.Second} {
		f.send()
		m = f.message(m.ID)
		if m.Status != entMessage.StatusQueued || m.Attempts != nth+1 || !m.DueAt.Equal(f.Now().Add(wait)) {
			t.Fatalf("after try %d: %v, due %v, want due after %v", nth+1, m, m.DueAt.Sub(f.Now()), wait)
		}
		f.Advance(wait - time.Microsecond)
		f.send()
		if n := len(f.sender.texts()); n != nth+1 {
			t.Fatalf("%d tries before try %d is due", n, nth+2)
		}
		f.Advance(time.Microsecond)
	}
	f.sender.err = nil
	f.send()
	m = f.message(m.ID)
	if m.Status != entMessage.StatusSent || !m.SentAt.Equal(f.Now()) || !m.DueAt.Equal(m.ExpiresAt) || m.SealedText == nil {
		t.Errorf("once it was sent: %v, due %v", m, m.DueAt)
	}
	f.Advance(time.Minute)
	f.send()
	if n := len(f.sender.texts()); n != 5 {
		t.Errorf("sent %d times, want 5", n)
	}
}

// TestAddressOfNoServer gives up at once what its mail server never takes, and keeps why.
func TestAddressOfNoServer(t *testing.T) {
	f := newFixture(t)
	f.sender.err = fmt.Errorf("sent: %w", message.ErrNoUTF8)
	m := f.queue(f.user, "123456", time.Hour)
	f.send()
	if m = f.message(m.ID); m.Status != entMessage.StatusFailed || m.Error == nil || *m.Error != noUTF8 || m.SealedText != nil {
		t.Errorf("got %v, error %v", m, m.Error)
	}
}

// TestLease has one instance hang while it sends a message: another sends it
// after 30 s, and what becomes of the first is of no effect.
func TestLease(t *testing.T) {
	f := newFixture(t)
	m := f.queue(f.user, "123456", time.Hour)
	other := f.another()
	asked, hanging := make(chan struct{}), make(chan struct{})
	tries := 0
	f.sender.then = func(*message.Message) error {
		if tries++; tries > 1 {
			return nil
		}
		close(asked)
		<-hanging
		return errors.New("no line")
	}
	var first sync.WaitGroup
	first.Go(func() { f.send() })
	<-asked
	if due := f.message(m.ID).DueAt; !due.Equal(f.Now().Add(30 * time.Second)) {
		t.Errorf("leased until %v, want 30 s", due.Sub(f.Now()))
	}
	f.Advance(30*time.Second - time.Microsecond)
	f.send(other)
	if n := len(f.sender.texts()); n != 1 {
		t.Errorf("sent %d times within the lease", n)
	}
	f.Advance(time.Microsecond)
	f.send(other)
	close(hanging)
	first.Wait()
	if m := f.message(m.ID); m.Status != entMessage.StatusSent || m.Attempts != 2 || !m.DueAt.Equal(m.ExpiresAt) {
		t.Errorf("after both: %v, due %v", m, m.DueAt)
	}
}

// TestInstances sends 40 messages by four instances at once: each is sent once.
func TestInstances(t *testing.T) {
	f := newFixture(t)
	var want []string
	for i := range 40 {
		f.queue(f.User(t, fmt.Sprint("User ", i)), fmt.Sprint(100000+i), time.Hour)
		want = append(want, fmt.Sprint(100000+i))
	}
	f.send(f.service, f.another(), f.another(), f.another())
	var got []string
	for _, t := range f.sender.texts() {
		got = append(got, t[:6])
	}
	equal(t, "sent", got, want...)
}

// TestOrder sends messages to one recipient one after the other, the oldest
// first, and none to a recipient who is being sent one.
func TestOrder(t *testing.T) {
	f := newFixture(t)
	for i := range 5 {
		f.queue(f.user, fmt.Sprint(100000+i), time.Hour)
		f.Advance(time.Second)
	}
	sending := false
	f.sender.then = func(*message.Message) error {
		if sending {
			t.Error("two messages are sent to one recipient at once")
		}
		sending = true
		out := newWorkers(1)
		out.mark(f.user.ID, true)
		if err := f.service.sendDue(f.System(), out); err != nil {
			t.Error(err)
		}
		out.all.Wait()
		sending = false
		return nil
	}
	f.send()
	for i, got := range f.sender.texts() {
		if want := fmt.Sprint(100000 + i); got[:6] != want {
			t.Errorf("message %d is %s, want %s", i, got[:6], want)
		}
	}
	if n := len(f.sender.texts()); n != 5 {
		t.Errorf("sent %d, want 5", n)
	}
}

// TestInTurn has a code, and the one message of another company, wait for few of the many
// that were queued before them.
func TestInTurn(t *testing.T) {
	f := newFixture(t)
	var stranger *ent.User
	f.Change(t, func(ctx context.Context, db *ent.Client) error {
		c := db.Company.Create().SetName("Other").SetTimezone("Asia/Tokyo").SetCreatedAt(f.Now()).SaveX(ctx)
		stranger = db.User.Create().SetCompanyID(c.ID).SetName("Omar").SetEmail("omar@other.test").SetEmailKey("omar@other.test").SetCreatedAt(f.Now()).SaveX(ctx)
		return nil
	})
	for i := range 2 * sendBatch {
		f.queue(f.user, fmt.Sprint(100000+i), time.Hour)
	}
	f.Advance(time.Second)
	f.queue(stranger, "200000", time.Hour)
	f.queue(stranger, "200001", time.Hour)
	c := f.DB.OneTimeCode.Create().SetPurpose("login").SetAccount(make([]byte, 32)).SetDeviceID(1).SetUserID(f.user.ID).
		SetDigest(make([]byte, 32)).SetCreatedAt(f.Now()).SetExpiresAt(f.Now().Add(time.Hour)).SaveX(f.System())
	f.queueCode("300000", c.ID)
	out := newWorkers(1)
	if err := f.service.sendDue(f.System(), out); err != nil {
		t.Fatal(err)
	}
	out.all.Wait()
	var sent []string
	for _, text := range f.sender.texts() {
		sent = append(sent, text[:6])
	}
	if len(sent) != sendBatch || sent[0] != "300000" || sent[1] != "100000" || !slices.Contains(sent, "200000") || !slices.Contains(sent, "200001") {
		t.Errorf("sent %v", sent)
	}
	f.send()
	if n := len(f.sender.texts()); n != 2*sendBatch+3 {
		t.Errorf("sent %d, want %d", n, 2*sendBatch+3)
	}
}

// TestTurns has each of some messages where it belongs.
func TestTurns(t *testing.T) {
	at := time.Date(2026, 3, 2, 1, 0, 0, 0, time.UTC)
	code := 1
	var list []*ent.Message
	add := func(id, company int, codeID *int, after time.Duration) {
		due := at.Add(after)
		list = append(list, &ent.Message{ID: id, CompanyID: company, CodeID: codeID, DueAt: &due})
	}
	add(1, 1, nil, 0)
	add(2, 1, nil, 0)
	add(3, 1, nil, time.Second)
	add(4, 2, nil, time.Minute)
	add(5, 3, nil, 0)
	add(6, 1, &code, time.Minute)
	add(7, 1, &code, 0)
	add(8, 2, &code, time.Hour)
	for range 20 { // whatever their order was
		mathrand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		var got []int
		for _, m := range inTurn(list) {
			got = append(got, m.ID)
		}
		if want := []int{7, 8, 6, 1, 5, 4, 2, 3}; !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}

// TestTurnsOfABatch has 60 companies with a notice each wait behind many of another: as many as
// there is room for are in the first batch, and the others in the second.
func TestTurnsOfABatch(t *testing.T) {
	f := newFixture(t)
	for i := range 3 * sendBatch {
		f.queue(f.user, fmt.Sprint(100000+i), time.Hour)
	}
	f.Advance(time.Second)
	f.Change(t, func(ctx context.Context, db *ent.Client) error {
		for i := range 60 {
			c := db.Company.Create().SetName(fmt.Sprint("Other ", i)).SetTimezone("Asia/Tokyo").SetCreatedAt(f.Now()).SaveX(ctx)
			email := fmt.Sprintf("omar@other%d.test", i)
			db.User.Create().SetCompanyID(c.ID).SetName("Omar").SetEmail(email).SetEmailKey(email).
				SetCreatedAt(f.Now()).ExecX(ctx)
		}
		return nil
	})
	for _, u := range f.DB.User.Query().Where(user.EmailContains("@other")).AllX(f.System()) {
		f.queue(u, "200000", time.Hour)
	}
	due := func() (companies map[int]int) {
		list, err := f.service.due(f.System(), entMessage.StatusEQ(entMessage.StatusQueued))
		if err != nil || len(list) != sendBatch {
			t.Fatalf("%d, %v", len(list), err)
		}
		companies = map[int]int{}
		for _, m := range list {
			companies[m.CompanyID]++
			f.DB.Message.UpdateOneID(m.ID).SetStatus(entMessage.StatusSent).ExecX(f.System())
		}
		return companies
	}
	if first := due(); len(first) != sendBatch || first[f.user.CompanyID] != 1 {
		t.Errorf("the first batch: %v", first)
	}
	if second := due(); len(second) != 12 || second[f.user.CompanyID] != sendBatch-11 {
		t.Errorf("the second batch: %v", second)
	}
}

// TestManyMessages sends more messages than are read at once.
func TestManyMessages(t *testing.T) {
	f := newFixture(t)
	for i := range sendBatch + 5 {
		f.queue(f.user, fmt.Sprint(100000+i), time.Hour)
	}
	f.send()
	if n := len(f.sender.texts()); n != sendBatch+5 {
		t.Errorf("sent %d, want %d", n, sendBatch+5)
	}
}

// TestWorkersAreBounded starts more workers than may run: the next waits.
func TestWorkersAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, release, done, running, started := newWorkers(2), make(chan struct{}), 0, 0, 0
		var mu sync.Mutex
		send := func() {
			mu.Lock()
			running++
			mu.Unlock()
			<-release
			mu.Lock()
			running--
			mu.Unlock()
		}
		go func() {
			for id := range 3 {
				w.start(id, send, func() { mu.Lock(); done++; mu.Unlock() })
				started++
			}
		}()
		synctest.Wait()
		if busy := w.busyUsers(); running != 2 || started != 2 || len(busy) != 2 {
			t.Errorf("%d of %d run, to %v; want 2", running, started, busy)
		}
		release <- struct{}{}
		synctest.Wait()
		if running != 2 || started != 3 || done != 1 {
			t.Errorf("after one: %d of %d run, %d are done", running, started, done)
		}
		close(release)
		w.all.Wait()
		if busy := w.busyUsers(); len(busy) != 0 || done != 3 {
			t.Errorf("after all: busy %v, done %d", busy, done)
		}
	})
	if maxWorkers != 16 {
		t.Errorf("%d workers, want 16", maxWorkers)
	}
}

func TestExpiry(t *testing.T) {
	tests := []struct {
		name   string
		after  time.Duration // it is tried
		fails  bool
		sent   int
		status entMessage.Status
	}{
		{"before it expires", time.Minute - time.Microsecond, false, 1, entMessage.StatusSent},
		{"when it expires", time.Minute, false, 0, entMessage.StatusFailed},
		{"a next try when it expires", 55 * time.Second, true, 1, entMessage.StatusFailed},
		{"a next try just before", 55*time.Second - time.Microsecond, true, 1, entMessage.StatusQueued},
	}
	for _, tt := range tests {
		f := newFixture(t)
		if tt.fails {
			f.sender.err = errors.New("no line")
		}
		m := f.queue(f.user, "123456", time.Minute)
		f.Advance(tt.after)
		f.send()
		m = f.message(m.ID)
		if n := len(f.sender.texts()); n != tt.sent || m.Status != tt.status {
			t.Errorf("%s: tried %d times, %s; want %d, %s", tt.name, n, m.Status, tt.sent, tt.status)
		}
		if ended := m.Status == entMessage.StatusFailed; ended != (m.SealedText == nil) || ended != (m.DueAt == nil) {
			t.Errorf("%s: %s, text kept: %v, due %v", tt.name, m.Status, m.SealedText != nil, m.DueAt)
		}
	}
}

// TestUnreadableText gives up a message whose text another key sealed.
// TestUnserved keeps messages of channels without a carrier until there is one, or until they
// expire, and says so.
func TestUnserved(t *testing.T) {
	f := newFixture(t)
	mail := f.queue(f.user, "111111", time.Hour)
	f.service.Unserved = []entMessage.Channel{entMessage.ChannelEmail}
	wait := func() {
		t.Helper()
		f.send()
		m := f.message(mail.ID)
		if m.Status != entMessage.StatusQueued || m.Attempts != 0 || m.Error == nil || *m.Error != noCarrier {
			t.Errorf("kept as %v", m)
		}
	}
	wait()
	f.Advance(time.Minute)
	wait()
	equal(t, "without a carrier", f.sender.texts())
	f.service.Unserved = []entMessage.Channel{entMessage.ChannelSms}
	f.send()
	if m := f.message(mail.ID); m.Status != entMessage.StatusSent || m.Error != nil || len(f.sender.texts()) != 1 {
		t.Errorf("with a carrier: %v", m)
	}
	late := f.queue(f.user, "222222", time.Hour)
	f.service.Unserved = []entMessage.Channel{entMessage.ChannelEmail}
	f.Advance(time.Hour)
	f.send()
	if m := f.message(late.ID); m.Status != entMessage.StatusFailed || m.SealedText != nil || len(f.sender.texts()) != 1 {
		t.Errorf("expired: %v", m)
	}
}

func TestUnreadableText(t *testing.T) {
	f := newFixture(t)
	m := f.queue(f.user, "123456", time.Hour)
	f.DB.Message.UpdateOneID(m.ID).SetSealedText("sealed").ExecX(f.System())
	f.send()
	if m := f.message(m.ID); m.Status != entMessage.StatusFailed || m.SealedText != nil || len(f.sender.texts()) != 0 {
		t.Errorf("got %v, sent %d", m, len(f.sender.texts()))
	}
}

func TestTextsArePurged(t *testing.T) {
	f := newFixture(t)
	m := f.queue(f.user, "123456", time.Hour)
	f.send()
	f.Set(m.ExpiresAt.Add(-time.Microsecond))
	f.send()
	if f.message(m.ID).SealedText == nil {
		t.Error("the text is cleared before the message expires")
	}
	f.Set(m.ExpiresAt)
	f.send()
	if m := f.message(m.ID); m.SealedText != nil || m.DueAt != nil || m.Status != entMessage.StatusSent {
		t.Errorf("once it expired: %v, due %v", m, m.DueAt)
	}
}

// TestRun sends when it is woken, and at least once a second; at its end it sends
// what is due.
func TestRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.sender.then = func(*message.Message) error { return nil }
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { f.service.Run(ctx) })
		start := time.Now()
		f.queue(f.user, "100001", time.Hour)
		synctest.Wait()
		if n := len(f.sender.texts()); n != 1 || time.Since(start) != 0 {
			t.Errorf("sent %d after %v, want one at once", n, time.Since(start))
		}
		writeOnly(t, f, f.another(), "100002")
		synctest.Wait()
		if n := len(f.sender.texts()); n != 1 {
			t.Errorf("sent %d before the next round", n)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if n := len(f.sender.texts()); n != 2 {
			t.Errorf("sent %d after another instance wrote one, want 2", n)
		}
		writeOnly(t, f, f.another(), "100003")
		stop()
		running.Wait()
		if n := len(f.sender.texts()); n != 3 {
			t.Errorf("sent %d at the end, want 3", n)
		}
	})
}

// writeOnly queues a message by an instance that sends none.
func writeOnly(t *testing.T, f *fixture, by *Service, code string) {
	t.Helper()
	f.Change(t, func(ctx context.Context, _ *ent.Client) error {
		return by.Queue(ctx, Notification{
			Kind: message.LoginCode, User: f.user, Channel: entMessage.ChannelEmail, Destination: f.user.Email, Language: "en",
			Facts: message.Facts{Code: code, Minutes: 5}, Expires: apptest.Now.Add(time.Hour),
		})
	})
}

// TestVoidCodes sends the codes that are still good, and no others: neither at first
// nor after a failure.
func TestVoidCodes(t *testing.T) {
	f := newFixture(t)
	states := map[string]func(*ent.OneTimeCodeUpdateOne){
		"100001": func(c *ent.OneTimeCodeUpdateOne) { c.SetAttempts(1) },
		"100002": func(c *ent.OneTimeCodeUpdateOne) { c.ClearLive().SetVoidedAt(f.Now()) },
		"100003": func(c *ent.OneTimeCodeUpdateOne) { c.SetVoidedAt(f.Now()) },
		"100004": func(c *ent.OneTimeCodeUpdateOne) { c.ClearLive().SetUsedAt(f.Now()) },
	}
	ids := map[string]int{}
	for i, code := range slices.Sorted(maps.Keys(states)) {
		c := f.DB.OneTimeCode.Create().SetPurpose("login").SetAccount(make([]byte, 32)).SetDeviceID(i).SetUserID(f.user.ID).
			SetDigest(make([]byte, 32)).SetCreatedAt(f.Now()).SetExpiresAt(f.Now().Add(time.Hour)).SaveX(f.System())
		m := f.queueCode(code, c.ID)
		ids[code] = m.ID
		update := c.Update()
		states[code](update)
		update.ExecX(f.System())
	}
	f.send()
	if got := f.sender.texts(); len(got) != 1 || got[0][:6] != "100001" {
		t.Errorf("sent %q, want the first code alone", got)
	}
	for code, id := range ids {
		m := f.message(id)
		if dropped := m.Status == entMessage.StatusFailed && m.SealedText == nil && m.DueAt == nil && m.Error != nil; dropped == (code == "100001") {
			t.Errorf("%s: %v", code, m)
		}
	}
}

// queueCode queues the message of a one-time code.
func (f *fixture) queueCode(code string, id int) *ent.Message {
	f.t.Helper()
	f.Change(f.t, func(ctx context.Context, _ *ent.Client) error {
		return f.service.Queue(ctx, Notification{
			Kind: message.LoginCode, User: f.user, Channel: entMessage.ChannelEmail, Destination: f.user.Email, Language: "en",
			Facts: message.Facts{Code: code, Minutes: 5}, Expires: f.Now().Add(time.Hour), CodeID: &id,
		})
	})
	return f.last()
}

// TestDecoy writes a notification to nobody beside the messages.
func TestDecoy(t *testing.T) {
	f := newFixture(t)
	f.Change(f.t, func(ctx context.Context, _ *ent.Client) error {
		return f.service.Queue(ctx, Notification{Kind: message.ResetCode, Language: "en", Facts: message.Facts{Code: "123456", Minutes: 5}, Expires: f.Now()})
	})
	real := f.queue(f.user, "123456", time.Hour)
	d := f.DB.Decoy.Query().OnlyX(f.System())
	if n := f.DB.Message.Query().CountX(f.System()); n != 1 || len(d.Text) < len(*real.SealedText)/2 || !d.CreatedAt.Equal(f.Now()) {
		t.Errorf("%d messages, a decoy of %d characters; want one, and about %d", n, len(d.Text), len(*real.SealedText))
	}
}
