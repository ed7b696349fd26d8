package faceenrolment

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/facegallery"
	"workforce/ent/facereset"
	"workforce/ent/facetemplate"
	entMessage "workforce/ent/message"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/servicetest"
	"workforce/internal/app/auth"
	"workforce/internal/app/input"
	"workforce/internal/app/ratelimit"
	"workforce/internal/app/tx"
	"workforce/internal/sealed"
	"workforce/internal/viewer"
)

// A world is a company in which Mia manages Budi and Ani, but not Tono.
type world struct {
	*apptest.World
	*Service
	mia, budi, ani, tono, ada, olga *ent.User
	unit                            int
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{World: apptest.New(t)}
	s, key := servicetest.New(t, w.World), sealed.Key{}
	codes := auth.New(auth.Deps{DB: w.DB, Now: w.World.Now, Keys: sealed.NewRing(key), Notify: s.Notify, Audit: s.Audit,
		Limiter: &ratelimit.Limiter{Limits: ratelimit.Default, Now: w.World.Now, Key: sealed.NewRing(key).Derive("rate windows")}})
	w.Service = &Service{Now: w.World.Now, Notify: s.Notify, Organization: s.Organization, Codes: codes.FaceCodes}
	w.mia, w.ada, w.olga = w.User(t, "Mia", viewer.Manager), w.User(t, "Ada", viewer.Admin), w.User(t, "Olga", viewer.Owner)
	w.budi, w.ani, w.tono = w.User(t, "Budi"), w.User(t, "Ani"), w.User(t, "Tono")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		b, err := db.Business.Create().SetCompanyID(w.Company.ID).SetName("Gudang").SetManagerID(w.mia.ID).Save(ctx)
		if err != nil {
			return err
		}
		w.unit = b.ID
		return db.User.Update().Where(user.IDIn(w.mia.ID, w.budi.ID, w.ani.ID, w.olga.ID)).SetBusinessID(b.ID).Exec(ctx)
	})
	for _, u := range []*ent.User{w.mia, w.budi, w.tono, w.ada, w.olga} {
		w.register(t, u)
	}
	return w
}

// register gives a user a face.
func (w *world) register(t *testing.T, u *ent.User) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		err := db.FaceTemplate.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetVersion(1).SetPoints(68).SetSealed("x").SetCreatedAt(apptest.Now).Exec(ctx)
		if err != nil {
			return err
		}
		return db.FaceGallery.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetVersion(1).SetSealed("y").Exec(ctx)
	})
}

// as returns the context of a user.
func (w *world) as(u *ent.User) context.Context {
	for role, who := range map[string]*ent.User{viewer.Manager: w.mia, viewer.Admin: w.ada, viewer.Owner: w.olga} {
		if who == u {
			return w.As(u, role, w.unit)
		}
	}
	return w.As(u, viewer.Employee)
}

// face formats what is stored of a user's face.
func (w *world) face(u *ent.User) string {
	t := w.DB.FaceTemplate.Query().Where(facetemplate.UserID(u.ID)).OnlyX(w.System())
	g := w.DB.FaceGallery.Query().Where(facegallery.UserID(u.ID)).OnlyX(w.System())
	return fmt.Sprint(t.InForce != nil, t.ReplacedAt != nil, g.Version, g.Sealed != nil)
}

// told returns the kinds of the messages to a user, other than codes.
func (w *world) told(u *ent.User) string {
	var kinds []string
	for _, m := range w.DB.Message.Query().Where(entMessage.UserID(u.ID), entMessage.KindNEQ("face_code")).Order(ent.Asc("id")).AllX(w.System()) {
		kinds = append(kinds, m.Kind)
	}
	return strings.Join(kinds, " ")
}

const (
	registered = "true false 1 true"
	taken      = "false true 1 false"
)

func TestReset(t *testing.T) {
	for _, tt := range []struct {
		name string
		by   func(*world) *ent.User
		of   func(*world) *ent.User
		want string
	}{
		{"the manager", func(w *world) *ent.User { return w.mia }, func(w *world) *ent.User { return w.budi }, ""},
		{"an admin", func(w *world) *ent.User { return w.ada }, func(w *world) *ent.User { return w.tono }, ""},
		{"an owner, of an admin", func(w *world) *ent.User { return w.olga }, func(w *world) *ent.User { return w.ada }, ""},
		{"the manager, of another team", func(w *world) *ent.User { return w.mia }, func(w *world) *ent.User { return w.tono }, "FORBIDDEN"},
		{"their own", func(w *world) *ent.User { return w.mia }, func(w *world) *ent.User { return w.mia }, "FORBIDDEN"},
		{"an admin's own", func(w *world) *ent.User { return w.ada }, func(w *world) *ent.User { return w.ada }, "FORBIDDEN"},
		{"a colleague", func(w *world) *ent.User { return w.ani }, func(w *world) *ent.User { return w.budi }, "FORBIDDEN"},
		{"the manager, of an owner", func(w *world) *ent.User { return w.mia }, func(w *world) *ent.User { return w.olga }, "FORBIDDEN"},
		{"an admin, of an owner", func(w *world) *ent.User { return w.ada }, func(w *world) *ent.User { return w.olga }, "FORBIDDEN"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			by, of := tt.by(w), tt.of(w)
			var reset bool
			err := w.Try(w.as(by), func(ctx context.Context, _ *ent.Client) (err error) {
				reset, err = w.Reset(ctx, of.ID, nil)
				return err
			})
			if got := apptest.Code(err); got != tt.want {
				t.Fatalf("got %q, want %q", got, tt.want)
			}
			want, told := registered, ""
			if tt.want == "" {
				want, told = taken, "face_reset"
			}
			if got := w.face(of); got != want || reset != (tt.want == "") || w.told(of) != told {
				t.Errorf("reset %v, face %s, told %q; want %s", reset, got, w.told(of), want)
			}
		})
	}
}

// TestResetOfWhatIsNotThere resets the face of nobody, and of people without a face or a
// gallery.
func TestResetOfWhatIsNotThere(t *testing.T) {
	w := newWorld(t)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		_, err := db.FaceGallery.Delete().Where(facegallery.UserID(w.tono.ID)).Exec(ctx)
		return err
	})
	for _, tt := range []struct {
		id    int
		reset bool
		want  string
	}{{999, false, "NOT_FOUND userId"}, {w.ani.ID, false, ""}, {w.tono.ID, true, ""}, {w.tono.ID, false, ""}} {
		var reset bool
		err := w.Try(w.as(w.ada), func(ctx context.Context, _ *ent.Client) (err error) {
			reset, err = w.Reset(ctx, tt.id, &model.ResetFaceInput{Note: input.Given(new("new glasses"))})
			return err
		})
		if reset != tt.reset || apptest.Code(err) != tt.want {
			t.Errorf("user %d: reset %v, %v; want %v, %q", tt.id, reset, err, tt.reset, tt.want)
		}
	}
	if got := w.face(w.tono); got != taken {
		t.Errorf("face %s, want %s", got, taken)
	}
	err := w.Try(w.as(w.ada), func(ctx context.Context, _ *ent.Client) error {
		_, err := w.Reset(ctx, w.budi.ID, &model.ResetFaceInput{Note: input.Given(new(strings.Repeat("x", 251)))})
		return err
	})
	if got := apptest.Code(err); got != "VALIDATION_FAILED note too_long" || w.face(w.budi) != registered {
		t.Errorf("a long note: %q", got)
	}
}

// code has a code sent to somebody, a while after the one before.
func (w *world) code(u *ent.User) (code string, err error) {
	w.World.Advance(2 * time.Minute)
	err = w.Try(w.as(u), func(ctx context.Context, _ *ent.Client) error {
		_, err := w.Codes.Send(ctx)
		return err
	})
	if err != nil {
		return "", err
	}
	m := w.DB.Message.Query().Where(entMessage.UserID(u.ID), entMessage.Kind("face_code")).Order(ent.Desc("id")).FirstX(w.System())
	text, err := w.Notify.Sealer.Open(*m.SealedText, strconv.Itoa(m.CompanyID), strconv.Itoa(m.UserID))
	if err != nil {
		return "", err
	}
	return regexp.MustCompile(`[0-9]{6}`).FindString(string(text)), nil
}

// ask asks for a reset with a code of its own.
func (w *world) ask(u *ent.User, reason string) (*ent.FaceReset, error) {
	code, err := w.code(u)
	if err != nil {
		return nil, err
	}
	return w.askWith(u, reason, code)
}

// askWith asks for a reset with a code.
func (w *world) askWith(u *ent.User, reason, code string) (r *ent.FaceReset, err error) {
	ctx, deferred := tx.WithDeferred(w.as(u))
	for {
		err = w.Try(ctx, func(ctx context.Context, _ *ent.Client) (err error) {
			r, err = w.Request(ctx, model.RequestFaceResetInput{Reason: reason, Otp: code})
			return err
		})
		if !deferred.Run(ctx) {
			return r, err
		}
	}
}

// TestCodes asks with codes of all kinds.
func TestCodes(t *testing.T) {
	w := newWorld(t)
	refused := func(name, code, want string) {
		t.Helper()
		if _, err := w.askWith(w.budi, "a beard", code); apptest.Code(err) != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	send := func(u *ent.User) string {
		t.Helper()
		code, err := w.code(u)
		if err != nil || code == "" {
			t.Fatal(err)
		}
		return code
	}
	refused("none", " ", "VALIDATION_FAILED otp required")
	refused("letters", "12345x", "VALIDATION_FAILED otp bad_format")
	refused("none was sent", "012345", "OTP_INVALID otp")
	theirs := send(w.tono)
	refused("somebody else's", theirs, "OTP_INVALID otp")
	first := send(w.budi)
	second := send(w.budi)
	if first != second {
		refused("the one before", first, "OTP_INVALID otp")
	}
	w.World.Advance(10 * time.Minute)
	refused("an old one", second, "OTP_EXPIRED otp")
	right := send(w.budi)
	for range 5 {
		refused("wrong", string('0'+(right[0]-'0'+1)%10)+right[1:], "OTP_INVALID otp")
	}
	refused("right, after five tries", right, "OTP_EXHAUSTED otp")
	right = send(w.budi)
	if err := w.Try(w.as(w.budi), func(ctx context.Context, _ *ent.Client) error { _, err := w.Codes.Send(ctx); return err }); apptest.Code(err) != "RATE_LIMITED" {
		t.Errorf("another at once: %v", err)
	}
	refused("right", right, "")
	refused("used", right, "OTP_INVALID otp")
	for range 2 {
		if _, err := w.code(w.budi); apptest.Code(err) != "" && apptest.Code(err) != "RATE_LIMITED" {
			t.Error(err)
		}
	}
	if _, err := w.code(w.budi); apptest.Code(err) != "RATE_LIMITED" {
		t.Errorf("a sixth that was not used: %v", err)
	}
}

// decide decides a request.
func (w *world) decide(by *ent.User, id int, approve bool) error {
	return w.Try(w.as(by), func(ctx context.Context, _ *ent.Client) error {
		return w.Decide(ctx, id, model.DecideFaceResetInput{Approve: approve, Note: input.Given(new("seen"))})
	})
}

// request formats a request.
func (w *world) request(id int) string {
	r := w.DB.FaceReset.GetX(w.System(), id)
	by, note := 0, ""
	if r.DecidedBy != nil {
		by = *r.DecidedBy
	}
	if r.Note != nil {
		note = *r.Note
	}
	return fmt.Sprint(r.Status, " ", by, " ", note, " ", r.Pending != nil, " ", r.DecidedAt != nil)
}

func TestRequest(t *testing.T) {
	w := newWorld(t)
	for reason, want := range map[string]string{"": "VALIDATION_FAILED reason required", " ": "VALIDATION_FAILED reason required",
		strings.Repeat("x", 251): "VALIDATION_FAILED reason too_long", "a\x00b": "VALIDATION_FAILED reason control_character"} {
		if _, err := w.ask(w.budi, reason); !strings.HasPrefix(apptest.Code(err), strings.TrimSuffix(want, "control_character")) {
			t.Errorf("reason %q: %v, want %s", reason, err, want)
		}
	}
	if _, err := w.ask(w.ani, "no face"); apptest.Conflict(err) != "NO_FACE" {
		t.Errorf("without a face: %v", err)
	}
	r, err := w.ask(w.budi, "a beard")
	if err != nil || r.Reason != "a beard" || w.request(r.ID) != "pending 0  true false" {
		t.Fatalf("%v, %v", r, err)
	}
	if w.told(w.mia) != "face_reset_requested" || w.told(w.budi) != "" {
		t.Errorf("told the manager %q", w.told(w.mia))
	}
	if _, err := w.ask(w.budi, "again"); apptest.Conflict(err) != "ALREADY_REQUESTED" {
		t.Errorf("a second request: %v, want ALREADY_REQUESTED", err)
	}
}

// TestWhoIsTold asks below a unit whose manager does not approve attendances.
func TestWhoIsTold(t *testing.T) {
	w := newWorld(t)
	sam := w.User(t, "Sam", viewer.Supervisor)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		below, err := db.Business.Create().SetCompanyID(w.Company.ID).SetName("Rak").SetManagerID(sam.ID).SetParentID(w.unit).Save(ctx)
		if err != nil {
			return err
		}
		return db.User.UpdateOneID(w.budi.ID).SetBusinessID(below.ID).Exec(ctx)
	})
	if _, err := w.ask(w.budi, "a beard"); err != nil || w.told(sam) != "" || w.told(w.mia) != "face_reset_requested" {
		t.Errorf("%v: Sam is told %q, Mia %q", err, w.told(sam), w.told(w.mia))
	}
	if _, err := w.ask(w.tono, "a beard"); err != nil { // who has no manager
		t.Error(err)
	}
	if _, err := w.ask(w.mia, "a scar"); err != nil || w.told(w.mia) != "face_reset_requested" {
		t.Errorf("%v: Mia is told of herself: %q", err, w.told(w.mia))
	}
}

func TestDecide(t *testing.T) {
	w := newWorld(t)
	r, err := w.ask(w.budi, "a beard")
	if err != nil {
		t.Fatal(err)
	}
	for _, by := range []*ent.User{w.budi} {
		if got := apptest.Code(w.decide(by, r.ID, true)); got != "FORBIDDEN" {
			t.Errorf("%s decides: %q, want FORBIDDEN", by.Name, got)
		}
	}
	if err := w.decide(w.tono, r.ID, true); !ent.IsNotFound(err) {
		t.Errorf("Tono decides: %v, want not found", err)
	}
	if err := w.decide(w.mia, r.ID, false); err != nil || w.face(w.budi) != registered || w.told(w.budi) != "face_reset_rejected" {
		t.Errorf("rejected: %v, face %s, told %q", err, w.face(w.budi), w.told(w.budi))
	}
	if got, want := w.request(r.ID), fmt.Sprint("rejected ", w.mia.ID, " seen false true"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := apptest.Conflict(w.decide(w.ada, r.ID, true)); got != "NOT_PENDING" || w.face(w.budi) != registered {
		t.Errorf("decided again: %q", got)
	}
	if r, err = w.ask(w.budi, "a beard still"); err != nil {
		t.Fatal(err)
	}
	if err := w.decide(w.mia, r.ID, true); err != nil || w.face(w.budi) != taken || w.told(w.budi) != "face_reset_rejected face_reset" {
		t.Errorf("approved: %v, face %s, told %q", err, w.face(w.budi), w.told(w.budi))
	}
}

// TestResetApprovesRequest resets the face of somebody whose request waits.
func TestResetApprovesRequest(t *testing.T) {
	w := newWorld(t)
	r, err := w.ask(w.budi, "a beard")
	if err != nil {
		t.Fatal(err)
	}
	err = w.Try(w.as(w.ada), func(ctx context.Context, _ *ent.Client) error {
		_, err := w.Reset(ctx, w.budi.ID, nil)
		return err
	})
	if got, want := w.request(r.ID), fmt.Sprint("approved ", w.ada.ID, "  false true"); err != nil || got != want {
		t.Errorf("%v, %s, want %s", err, got, want)
	}
}

// TestCleaning erases a face 30 days after it was reset, and never one in force.
func TestCleaning(t *testing.T) {
	w := newWorld(t)
	if err := w.Try(w.as(w.ada), func(ctx context.Context, _ *ent.Client) error { _, err := w.Reset(ctx, w.budi.ID, nil); return err }); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		after time.Duration
		left  int
	}{{30*24*time.Hour - time.Minute, 5}, {30*24*time.Hour + time.Minute, 4}, {1000 * 24 * time.Hour, 4}} {
		if err := ent.Clean(w.System(), w.DB, apptest.Now.Add(tt.after)); err != nil {
			t.Fatal(err)
		}
		if n := w.DB.FaceTemplate.Query().CountX(w.System()); n != tt.left {
			t.Errorf("%v later: %d faces, want %d", tt.after, n, tt.left)
		}
	}
}

// TestDecidedAtOnce asks and decides many times at once: one request waits, and is decided
// once.
func TestDecidedAtOnce(t *testing.T) {
	w := newWorld(t)
	code, err := w.code(w.budi)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() { _, _ = w.askWith(w.budi, "a beard", code) })
	}
	wg.Wait()
	r := w.DB.FaceReset.Query().Where(facereset.UserID(w.budi.ID)).OnlyX(w.System())
	for range 20 {
		wg.Go(func() { _ = w.decide(w.mia, r.ID, true) })
	}
	wg.Wait()
	if w.told(w.budi) != "face_reset" || w.face(w.budi) != taken {
		t.Errorf("told %q, face %s; want one reset", w.told(w.budi), w.face(w.budi))
	}
}
