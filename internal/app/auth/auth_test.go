package auth

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"sync"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/crypto/argon2"

	"workforce/ent"
	"workforce/ent/auditevent"
	"workforce/ent/device"
	entMessage "workforce/ent/message"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/audit"
	"workforce/internal/app/auth/credential"
	"workforce/internal/app/notify"
	"workforce/internal/app/ratelimit"
	"workforce/internal/message"
	"workforce/internal/password"
	"workforce/internal/sealed"
	"workforce/internal/token"
	"workforce/internal/viewer"
)

// secret is the password of the tests' users.
const secret = "correct horse"

// A world is a company on SQLite and the use cases, with one clock.
type world struct {
	*apptest.World
	auth   *Service
	sealer *sealed.Sealer // of messages
	seen   int            // id of the last audit event that newEvents returned
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := apptest.New(t)
	var key sealed.Key
	sealer := sealed.NewSealer("messages", key)
	outbox := notify.New(sealer)
	outbox.DB, outbox.Now = w.DB, w.Now
	return &world{World: w, sealer: sealer, auth: New(Deps{
		DB: w.DB, Now: w.Now, Keys: sealed.NewRing(key), Hasher: password.NewHasher(apptest.PasswordWork),
		Audit: &audit.Recorder{DB: w.DB, Now: w.Now}, Notify: outbox,
		Profiles: &Profiles{Faces: sealed.NewSealer("faces", key)},
		Limiter:  &ratelimit.Limiter{Limits: maps.Clone(ratelimit.Default), Now: w.Now, Key: sealed.NewRing(key).Derive("rate windows")},
		Country:  "ID", Lifetimes: DefaultLifetimes,
	})}
}

// cheapHash is the PHC string of a password with the least work that is verified.
func cheapHash(password string) string {
	salt, b64 := []byte("somesalt"), base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=8,t=1,p=1$%s$%s", argon2.Version, b64(salt),
		b64(argon2.IDKey([]byte(password), salt, 1, 8, 1, 16)))
}

// person adds an employee whose password is secret, changed by changes.
func (w *world) person(t *testing.T, name string, changes ...func(*ent.UserUpdateOne)) *ent.User {
	t.Helper()
	u := w.User(t, name)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		update := db.User.UpdateOneID(u.ID).SetPasswordHash(cheapHash(secret))
		for _, change := range changes {
			change(update)
		}
		return update.Exec(ctx)
	})
	return w.userOf(u.ID)
}

func phone(number string) func(*ent.UserUpdateOne) {
	return func(u *ent.UserUpdateOne) { u.SetPhone(number) }
}

func prefers(c user.MessageChannel) func(*ent.UserUpdateOne) {
	return func(u *ent.UserUpdateOne) { u.SetMessageChannel(c) }
}

func (w *world) userOf(id int) *ent.User { return w.DB.User.GetX(w.System(), id) }

// request returns the context of a request with tokens, outside of a transaction.
func (w *world) request(t *testing.T, tokens ...string) context.Context {
	t.Helper()
	all := credential.Credentials{}
	ctx := ent.NewContext(context.Background(), w.DB)
	for _, text := range tokens {
		parsed, err := token.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		c := &credential.Credential{Kind: parsed.Kind(), Reason: credential.Invalid, Sent: credential.Parse(parsed.Kind(),
			text)}
		known, err := credential.Read(viewer.System(ctx), w.DB, []credential.Sent{c.Sent})
		if err != nil {
			t.Fatal(err)
		}
		if i := known[c.Sent.Hash]; i != nil {
			c.Identity, c.Reason = i, i.Check(w.Now())
		}
		all[c.Kind] = c
		if c.Kind == token.Access && c.Reason == credential.Valid {
			ctx = viewer.NewContext(ctx, &c.Viewer)
		}
	}
	return credential.NewContext(ctx, &credential.Lookup{Credentials: all})
}

// reasonOf returns why a token is not valid; "" for a valid one.
func (w *world) reasonOf(t *testing.T, text string) credential.Reason {
	t.Helper()
	parsed, err := token.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return credential.From(w.request(t, text), parsed.Kind()).Reason
}

// inTx runs a use case in the transaction that the executor gives it.
func inTx[T any](w *world, ctx context.Context, useCase func(context.Context) (T, error)) (out T, err error) {
	err = w.Try(ctx, func(ctx context.Context, _ *ent.Client) error {
		out, err = useCase(ctx)
		return err
	})
	return out, err
}

// registration reads the input of RegisterDevice from JSON.
func registration(t *testing.T, text string) (in model.RegisterDeviceInput) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &in); err != nil {
		t.Fatal(err)
	}
	return in
}

// device registers a device and returns its token and row.
func (w *world) device(t *testing.T, name string) (string, *ent.Device) {
	t.Helper()
	out, err := inTx(w, w.request(t), func(ctx context.Context) (*model.DeviceRegistration, error) {
		return w.auth.RegisterDevice(ctx, registration(t,
			`{"deviceId":"`+name+`","platform":"ios","model":"Phone `+name+`"}`))
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.DeviceToken, w.DB.Device.Query().Where(device.DeviceID(name)).Order(ent.Desc(device.FieldID)).
		FirstX(w.System())
}

// trust records that a user trusts a device.
func (w *world) trust(u *ent.User, d *ent.Device) {
	w.DB.DeviceTrust.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetDeviceID(d.ID).SetTrustedAt(w.Now()).
		ExecX(w.System())
}

func (w *world) login(t *testing.T, deviceToken, name, password string) (*model.Login, error) {
	t.Helper()
	return w.auth.Login(w.request(t, deviceToken), model.LoginInput{Username: name, Password: password})
}

func (w *world) verify(t *testing.T, deviceToken, userToken, code string) error {
	t.Helper()
	_, err := w.auth.Verify(w.request(t, deviceToken, userToken), model.VerifyInput{Otp: code})
	return err
}

func (w *world) accessToken(ctx context.Context) (*model.TokenPair, error) {
	return inTx(w, ctx, w.auth.AccessToken)
}

func (w *world) refresh(t *testing.T, tokens ...string) (*model.TokenPair, error) {
	t.Helper()
	return w.auth.RefreshToken(w.request(t, tokens...))
}

// A signedIn is one sign-in with its tokens and rows.
type signedIn struct {
	user, access, refresh string
	session               *ent.Session
}

// signIn signs a user in on a device, which they trust from then on.
func (w *world) signIn(t *testing.T, u *ent.User, deviceToken string) signedIn {
	t.Helper()
	out, err := w.login(t, deviceToken, u.Email, secret)
	if err != nil {
		t.Fatal(err)
	}
	if !out.Verified {
		if err := w.verify(t, deviceToken, out.UserToken, w.lastCode(t, u)); err != nil {
			t.Fatal(err)
		}
	}
	ctx := w.request(t, deviceToken, out.UserToken)
	pair, err := w.accessToken(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return signedIn{out.UserToken, pair.AccessToken, pair.RefreshToken, w.sessionOf(credential.From(ctx, token.User).
		Session.ID)}
}

func (w *world) sessionOf(id int) *ent.Session { return w.DB.Session.GetX(w.System(), id) }

// lastMessage returns the newest message to a user, and its text; nil for none.
func (w *world) lastMessage(t *testing.T, u *ent.User) (*ent.Message, message.Text) {
	t.Helper()
	m, err := w.DB.Message.Query().Where(entMessage.UserID(u.ID)).Order(ent.Desc(entMessage.FieldID)).First(w.System())
	if ent.IsNotFound(err) {
		return nil, message.Text{}
	}
	if err != nil {
		t.Fatal(err)
	}
	plain, err := w.sealer.Open(*m.SealedText, fmt.Sprint(m.CompanyID), fmt.Sprint(m.UserID))
	if err != nil {
		t.Fatal(err)
	}
	var rendered message.Text
	if err := json.Unmarshal(plain, &rendered); err != nil {
		t.Fatal(err)
	}
	return m, rendered
}

var sixDigits = regexp.MustCompile(`\b\d{6}\b`)

// lastCode returns the code in the newest message to a user.
func (w *world) lastCode(t *testing.T, u *ent.User) string {
	t.Helper()
	_, rendered := w.lastMessage(t, u)
	code := sixDigits.FindString(rendered.Plain)
	if code == "" {
		t.Fatalf("no code in %q", rendered.Plain)
	}
	return code
}

// other returns a code that differs from one.
func other(code string) string {
	if code == "000000" {
		return "000001"
	}
	return "000000"
}

// newEvents returns the audit events since the last call: action, subject, id and
// facts.
func (w *world) newEvents(t *testing.T) []string {
	t.Helper()
	events := []string{}
	for _, e := range w.DB.AuditEvent.Query().Where(auditevent.IDGT(w.seen)).Order(ent.Asc(auditevent.FieldID)).
		AllX(w.System()) {
		if e.CompanyID != w.Company.ID || !e.At.Equal(w.Now()) || e.Before != nil {
			t.Errorf("event %v", e)
		}
		line := fmt.Sprintf("%s %s %d", e.Action, e.SubjectType, e.SubjectID)
		if e.ActorID != nil {
			line += fmt.Sprintf(" by %d", *e.ActorID)
		}
		if e.After != nil {
			line += " " + *e.After
		}
		events, w.seen = append(events, line), e.ID
	}
	return events
}

// wantEvents compares the audit events since the last call.
func (w *world) wantEvents(t *testing.T, want ...string) {
	t.Helper()
	wantEqual(t, "audit", w.newEvents(t), append([]string{}, want...))
}

// wantEqual compares values. Of rows it compares all columns.
func wantEqual[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	columns := cmp.FilterPath(func(p cmp.Path) bool {
		f, ok := p.Last().(cmp.StructField)
		return ok && (f.Name() == "Edges" || unicode.IsLower(rune(f.Name()[0])))
	}, cmp.Ignore())
	if diff := cmp.Diff(want, got, columns); diff != "" {
		t.Errorf("%s: want -, got +\n%s", what, diff)
	}
}

// wantCode compares the code of an error, as apptest.Code has it.
func wantCode(t *testing.T, what string, err error, want string) {
	t.Helper()
	if got := apptest.Code(err); got != want {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// codesOf runs n calls at once and counts the codes of their errors.
func codesOf(n int, call func() error) map[string]int {
	got, mu, group := map[string]int{}, sync.Mutex{}, sync.WaitGroup{}
	for range n {
		group.Go(func() {
			code := apptest.Code(call())
			mu.Lock()
			defer mu.Unlock()
			got[code]++
		})
	}
	group.Wait()
	return got
}

// later is a moment after the world's beginning.
func later(d time.Duration) time.Time { return apptest.Now.Add(d) }

// userFacts is the rest of the line of an event about a user on a device.
func userFacts(u *ent.User, device int) string {
	return fmt.Sprintf(` User %d {"device_id":%d}`, u.ID, device)
}

// sessionFacts is the rest of the line of an event about a session.
func sessionFacts(s *ent.Session) string {
	return fmt.Sprintf(` Session %d by %d {"device_id":%d,"user_id":%d}`, s.ID, s.UserID, s.DeviceID, s.UserID)
}
