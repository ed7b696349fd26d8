package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"workforce/ent"
	entFile "workforce/ent/file"
	entMessage "workforce/ent/message"
	entSetting "workforce/ent/setting"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/app/notify"
	"workforce/internal/app/secretkey"
	"workforce/internal/app/tx"
	"workforce/internal/blob"
	"workforce/internal/message"
	"workforce/internal/scenario/harness"
	"workforce/internal/sealed"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// secretCommand runs key rotate-secret and returns what it prints.
func secretCommand(t *testing.T, database string, more ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	args := append([]string{"key", "rotate-secret", "--database", database,
		"--secret-key-file", harness.KeyFile(t, database)}, more...)
	err := run(t.Context(), args, streams{strings.NewReader(""), &out, &out})
	return out.String(), err
}

// A trio are three servers on one database, with one key file.
type trio struct {
	database string
	all      []*harness.Server
}

func (three *trio) look(t *testing.T) {
	t.Helper()
	for _, s := range three.all {
		if err := s.Services.Secret.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// advance moves the clocks on.
func (three *trio) advance(d time.Duration) {
	for _, s := range three.all {
		s.Clock.Advance(d)
	}
}

// phase returns how far the command says the rotation is.
func (three *trio) phase(t *testing.T) string {
	t.Helper()
	text, err := secretCommand(t, three.database, "--status", "--json")
	var told struct {
		Phase     string
		RowsLeft  int
		Instances []any
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), &told)
	}
	if err != nil || len(told.Instances) != len(three.all) {
		t.Fatalf("%d instances in %s, %v", len(told.Instances), text, err)
	}
	return fmt.Sprintf("%s %v", told.Phase, told.RowsLeft > 0)
}

// load asks all servers until stop is called, which tells how many answers there were. Each
// must be right.
func (three *trio) load(t *testing.T, header map[string]string) (stop func() int) {
	ctx, end := context.WithCancel(t.Context())
	var running sync.WaitGroup
	var mu sync.Mutex
	answers := 0
	for i, s := range three.all {
		running.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				head := maps.Clone(header)
				head["Content-Type"], head["X-Req-Id"] = "application/json", fmt.Sprintf("load-%d-%d", i, n)
				body := fmt.Sprintf(`{"query":"mutation{createDesignation(input:{name:\"Load %d %d\"}){id}}"}`, i, n)
				got, err := s.Ask("POST", "/graphql", head, body)
				if err != nil || got.Status != 200 || strings.Contains(got.Body, "errors") {
					t.Errorf("under load: %d %s, %v", got.Status, got.Body, err)
					return
				}
				again, err := three.all[(i+1)%3].Ask("POST", "/graphql", head, body)
				if err != nil || again != got {
					t.Errorf("the same request on another server: %v, %v; want %v", again, err, got)
					return
				}
				mu.Lock()
				answers++
				mu.Unlock()
			}
		})
	}
	return func() int { end(); running.Wait(); return answers }
}

// queue queues a message to Ratna that is due in an hour.
func queue(t *testing.T, s *harness.Server) {
	t.Helper()
	ctx := viewer.System(t.Context())
	err := tx.Run(ctx, s.Store.Ent, func(ctx context.Context) error {
		db, now := ent.FromContext(ctx), s.Clock.Now()
		u := db.User.Query().Where(user.Email("manager@demo.test")).OnlyX(ctx)
		err := s.Services.Notify.Queue(ctx, notify.Notification{
			Kind: message.PasswordChanged, User: u, Channel: entMessage.ChannelEmail, Destination: u.Email,
			Language: "en", Expires: now.Add(3 * time.Hour), Facts: message.Facts{At: now},
		})
		if err != nil {
			return err
		}
		return db.Message.Update().Where(entMessage.UserID(u.ID), entMessage.StatusEQ(entMessage.StatusQueued)).
			SetDueAt(now.Add(time.Hour)).Exec(ctx)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestRotateSecret replaces the secret key under three servers that are asked all the time:
// nobody is refused, and what was made with the key before holds.
func TestRotateSecret(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		three := &trio{database: database}
		for range 3 {
			s := harness.New(t, database)
			s.Clock.Set(harness.Jakarta(7, 30, 0))
			three.all = append(three.all, s)
		}
		a, b, c := three.all[0], three.all[1], three.all[2]
		three.look(t)
		a.SignIn(t, "budi", "budi@demo.test")
		a.SignIn(t, "andini", "admin@demo.test")
		a.SaveSites(t, "budi")
		a.SaveShift(t, "budi")
		share := func() { maps.Copy(b.Vars, a.Vars); maps.Copy(c.Vars, a.Vars) }
		clockIn := harness.Under(harness.ClockIn("budi", "faceLandmark", harness.Face(1, 1)), "clock-in-1")
		a.Run(t, []apitest.Scenario{clockIn, harness.Register("new"), harness.Forgot("new", "siti@demo.test")})
		queue(t, a)
		link := fileLink(t, a)
		share()
		stop := three.load(t, a.HeaderOf("andini"))
		if text, err := secretCommand(t, database); err != nil || !strings.Contains(text, "--status") {
			t.Fatal(text, err)
		}
		three.look(t) // all read it
		// The answers of these are lost, just before all write with the new key.
		keyed := apitest.Scenario{
			Name: "under a key", Path: "/graphql", Header: harness.Bearer("andini", "Idempotency-Key", `"a-key-of-the-client"`),
			Body: apitest.Query(`mutation{createDesignation(input:{name:"Kepala Gudang"}){id}}`, nil),
			Want: `{"data":{"createDesignation":{"id":"<digits>"}}}`,
		}
		renew := apitest.Scenario{
			Name: "the device's next token", Path: "/device/register", Header: harness.DeviceOf("budi"),
			Body: `{"deviceId":"budi","platform":"android"}`,
			Want: `{"deviceToken":"<token wfd>"}`, Save: map[string]string{"renewed": "/deviceToken"},
		}
		a.Run(t, []apitest.Scenario{keyed, renew, harness.Refresh("refresh", "{{budi.refresh}}", "next")})
		renewed := a.Vars["renewed"]
		three.look(t)
		three.look(t)
		if n := len(c.Services.Secret.Keys.Keys()); n != 2 || three.phase(t) == "spreading true" {
			t.Errorf("%d keys, %s", n, three.phase(t))
		}
		share()
		lost := a.Vars["next.refresh"]
		b.Run(t, []apitest.Scenario{harness.Refresh("refresh again", "{{budi.refresh}}", "again")})
		if b.Vars["again.refresh"] != lost {
			t.Error("the refresh gave another pair")
		}
		c.Run(t, []apitest.Scenario{harness.Refresh("the family goes on", "{{next.refresh}}", "budi")})
		maps.Copy(a.Vars, c.Vars)
		share()
		b.Run(t, []apitest.Scenario{
			harness.Replayed(harness.Named(clockIn, "the same clock-in")), harness.Replayed(keyed), renew,
		})
		if b.Vars["renewed"] != renewed {
			t.Error("the device got another token")
		}
		for three.phase(t) != "ready false" { // the servers' clocks are behind that of the command
			time.Sleep(10 * time.Millisecond)
			three.look(t)
		}
		if n := stop(); n < 10 {
			t.Errorf("only %d answers under load", n)
		}
		three.holds(t, link)
		three.finished(t)
	})
}

// fileLink returns the path and query of a link to a file.
func fileLink(t *testing.T, s *harness.Server) string {
	t.Helper()
	f := s.Store.Ent.File.Query().Order(ent.Asc(entFile.FieldID)).FirstX(viewer.System(t.Context()))
	link, err := s.Blobs.Link(blob.Ref(f.Name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(link, "http://wf.test")
}

// holds checks what was made with the key before: a link, a face, a code and a message.
func (three *trio) holds(t *testing.T, link string) {
	t.Helper()
	b, c := three.all[1], three.all[2]
	three.look(t)
	if resp, _ := b.Send(t, http.MethodGet, link, "", nil); resp.StatusCode != http.StatusOK {
		t.Errorf("the link answers %d", resp.StatusCode)
	}
	if next := fileLink(t, c); strings.Split(next, "Signature=")[0] == link {
		t.Error("the new link is the old one")
	}
	three.advance(2 * time.Minute)
	c.Run(t, []apitest.Scenario{harness.ClockOut("budi", "faceLandmark", harness.Face(1, 2))})
	day := c.Attendances(t, "budi@demo.test")[0]
	if got := fmt.Sprint(day.FaceVerdict, " ", day.ClockedOutFaceVerdict); got != "registered match" {
		t.Errorf("faces %s", got)
	}
	code := three.all[0].Log.Code(t, "siti@demo.test", 1)
	c.Run(t, []apitest.Scenario{
		harness.Reset("the code", "new", "{{new.reset}}", code, "a new password of Siti", 200, ""),
	})
	three.advance(time.Hour)
	for _, s := range three.all {
		s.Services.Notify.WakeUp()
	}
	sent := func() (n int) {
		for _, s := range three.all {
			n += len(s.Log.Notices("manager@demo.test"))
		}
		return n
	}
	c.Wait(t, "the message that was queued before", func() bool { return sent() > 0 })
}

// finished ends the rotation: not before its time.
func (three *trio) finished(t *testing.T) {
	t.Helper()
	s := three.all[0]
	sealedFor := func(d time.Duration) {
		s.Store.Ent.Setting.Update().Where(entSetting.Name("secret-key-sealed")).
			SetValue(time.Now().Add(-d).UTC().Format(time.RFC3339)).ExecX(viewer.System(t.Context()))
	}
	sealedFor(secretkey.Wait - time.Minute)
	text, err := secretCommand(t, three.database, "--finish")
	if err == nil || !strings.Contains(err.Error(), "is needed until") {
		t.Errorf("%s, %v", text, err)
	}
	sealedFor(secretkey.Wait)
	if text, err := secretCommand(t, three.database, "--finish"); err != nil || !strings.Contains(text, "is gone") {
		t.Fatalf("%s, %v", text, err)
	}
	three.look(t)
	keys, err := sealed.Load(harness.KeyFile(t, three.database))
	if err != nil || !slices.Equal(keys, s.Services.Secret.Keys.Keys()) || len(keys) != 1 {
		t.Errorf("%d keys in the file, %v", len(keys), err)
	}
	s.SignIn(t, "after", "manager@demo.test")
	if got := three.phase(t); got != "none false" {
		t.Errorf("phase %s", got)
	}
}
