package attendance

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/facegallery"
	"workforce/ent/facetemplate"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/tx"
	"workforce/internal/database"
	"workforce/internal/face"
	"workforce/internal/scalar"
	"workforce/internal/sealed"
	"workforce/internal/setting"
	"workforce/internal/viewer"
)

// capture returns another capture of the oval, with noise of a part of its width.
func capture(part float64, seed uint64) []face.Point {
	random, points := rand.New(rand.NewPCG(seed, 1)), oval(0)
	for i := range points {
		points[i].X += 0.3 * part * random.NormFloat64()
		points[i].Y += 0.3 * part * random.NormFloat64()
		points[i].Z += 0.3 * part * random.NormFloat64()
	}
	return points
}

// stranger returns the face of somebody else.
func stranger() []face.Point {
	points := oval(0)
	for i := range points {
		points[i].X += 0.06 * math.Sin(float64(3*i))
		points[i].Y += 0.06 * math.Cos(float64(5*i))
	}
	return points
}

// flat returns points without depth.
func flat(points []face.Point) []face.Point {
	for i := range points {
		points[i].Z = 0
	}
	return points
}

// faceEvent returns a good event of somebody who registered the oval yesterday.
func faceEvent(landmarks []face.Point) *event {
	e := goodEvent()
	e.landmarks, e.hasFace = landmarks, true
	e.stored = storedFace{version: 3, lastVersion: 3, gallery: face.NewGallery(face.Normalize(oval(0)), apptest.Now.AddDate(0, 0, -1))}
	return e
}

// TestFacePolicies judges each face by each policy, in a clock-in and in a clock-out.
func TestFacePolicies(t *testing.T) {
	sent := func(e *event) { e.stored.replayed = true }
	none := func(*event) {}
	for _, tt := range []struct {
		name    string
		points  []face.Point
		change  func(*event)
		verdict face.Verdict
		blocked string
		flags   string
		kept    bool
	}{
		{"a match", capture(0.012, 1), none, face.Match, "", "", true},
		{"doubtful", capture(0.022, 2), none, face.Doubtful, "", "face_doubtful", true},
		{"a stranger", stranger(), none, face.Mismatch, "FACE_MISMATCH faceLandmark", "face_mismatch", false},
		{"another number of points", oval(0)[:23], none, face.Mismatch, "FACE_MISMATCH faceLandmark", "face_mismatch", false},
		{"the same shape again", oval(0.05), none, face.Match, "FACE_REPLAYED faceLandmark", "face_replayed", false},
		{"with slight noise", capture(0.002, 3), none, face.Match, "FACE_REPLAYED faceLandmark", "face_replayed", false},
		{"sent before", capture(0.012, 1), sent, face.Match, "FACE_REPLAYED faceLandmark", "face_replayed", false},
		{"a stranger's, sent before", stranger(), sent, face.Mismatch, "FACE_REPLAYED faceLandmark", "face_replayed face_mismatch", false},
		{"a match without depth", flat(capture(0.012, 4)), none, face.Match, "", "face_flat", true},
	} {
		for _, policy := range []string{setting.Block, setting.Flag, setting.Off} {
			for _, judge := range []func(*event) (decision, error){(*event).in, (*event).out} {
				e := faceEvent(tt.points)
				e.me.Settings = setting.Values{"face": policy}
				tt.change(e)
				d, err := judge(e)
				code, flags := apptest.Code(err), strings.Join(d.flags, " ")
				wantCode, wantFlags := "", tt.flags
				switch {
				case policy == setting.Block && tt.blocked != "":
					wantCode, wantFlags = tt.blocked, flags
				case policy == setting.Off:
					wantFlags = ""
				}
				if code != wantCode || flags != wantFlags {
					t.Errorf("%s, %s: %q with flags %q, want %q with %q", tt.name, policy, code, flags, wantCode, wantFlags)
				}
				if code == "" && (d.compared.verdict != tt.verdict || d.compared.policy != policy || d.compared.accepted != tt.kept) {
					t.Errorf("%s, %s: %+v, want %s, kept %v", tt.name, policy, d.compared, tt.verdict, tt.kept)
				}
			}
		}
	}
}

// TestFaceLimits moves each limit of a company to where it decides otherwise.
func TestFaceLimits(t *testing.T) {
	for _, tt := range []struct {
		name   string
		values setting.Values
		points []face.Point
		want   string
	}{
		{"a narrower match", setting.Values{"faceMatch": 20}, capture(0.012, 1), "doubtful face_doubtful"},
		{"a wider match", setting.Values{"faceMatch": 300}, capture(0.022, 2), "match "},
		{"narrower doubt", setting.Values{"faceMatch": 20, "faceDoubtful": 30}, capture(0.012, 1), "mismatch face_mismatch"},
		{"wider doubt", setting.Values{"faceDoubtful": 1000}, stranger(), "doubtful face_doubtful"},
		{"wider replays", setting.Values{"faceReplay": 100}, capture(0.012, 1), "match face_replayed"},
		{"replays of the same numbers alone", setting.Values{"faceReplay": 0}, oval(0.05), "match "},
	} {
		e := faceEvent(tt.points)
		e.me.Settings = tt.values
		d, err := e.in()
		if got := string(d.compared.verdict) + " " + strings.Join(d.flags, " "); got != tt.want || err != nil {
			t.Errorf("%s: %q, %v; want %q", tt.name, got, err, tt.want)
		}
	}
}

// TestGalleryOfSomebodyElse opens no gallery of another user, company or version.
func TestGalleryOfSomebodyElse(t *testing.T) {
	w := newWorld(t)
	plain, err := face.NewGallery(face.Normalize(oval(0)), apptest.Now).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	me := viewer.Viewer{UserID: 1, CompanyID: 2}
	sealedGallery, err := w.Faces.Seal(plain, galleryBinding(&me, 3)...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.openGallery(&me, sealedFace{Version: 3, Gallery: sealedGallery}); err != nil {
		t.Errorf("one's own: %v", err)
	}
	for name, change := range map[string]func(me *viewer.Viewer, row *sealedFace){
		"another user":    func(me *viewer.Viewer, _ *sealedFace) { me.UserID++ },
		"another company": func(me *viewer.Viewer, _ *sealedFace) { me.CompanyID++ },
		"another version": func(_ *viewer.Viewer, row *sealedFace) { row.Version++ },
		"an altered byte": func(_ *viewer.Viewer, row *sealedFace) { row.Gallery = altered(row.Gallery, 200) },
		"a template":      func(_ *viewer.Viewer, row *sealedFace) { row.Template = row.Gallery },
	} {
		me, row := me, sealedFace{Version: 3, Gallery: sealedGallery}
		change(&me, &row)
		if _, err := w.openGallery(&me, row); !errors.Is(err, sealed.ErrOpen) {
			t.Errorf("%s: %v, want one that cannot be opened", name, err)
		}
	}
}

// altered returns a text of base64 with another character at i.
func altered(text string, i int) string {
	other := "x"
	if text[i] == 'x' {
		other = "y"
	}
	return text[:i] + other + text[i+1:]
}

// inAndOut clocks in with a face, and out an hour later with another, nil for none.
func (w *world) inAndOut(t *testing.T, in, out []face.Point) *ent.Attendance {
	t.Helper()
	opened, err := w.clockIn(func(i *model.ClockInInput) { i.FaceLandmark = sent(in) })
	if err != nil {
		t.Fatal(err)
	}
	w.Advance(time.Hour)
	if err := w.clockOut(func(o *model.ClockOutInput) { o.FaceLandmark = sent(out) }); err != nil {
		t.Fatal(err)
	}
	w.Advance(10 * time.Minute)
	return w.DB.Attendance.GetX(w.System(), opened)
}

// judged formats what is stored of the faces of an attendance.
func judged(a *ent.Attendance) string {
	end := func(verdict any, distance *float64, version *int, policy any, digest *[]byte) string {
		return fmt.Sprintf("%v %v v%d %v %v", verdict, distance != nil, value(version), policy, len(value(digest)) > 0)
	}
	matched := "null"
	if a.FaceMatched != nil {
		matched = fmt.Sprint(*a.FaceMatched)
	}
	return end(a.FaceVerdict, a.FaceDistance, a.FaceVersion, value(a.FacePolicy), a.FaceDigest) + " " + matched + fmt.Sprint(a.ClockedInFlags) + " | " +
		end(a.ClockedOutFaceVerdict, a.ClockedOutFaceDistance, a.ClockedOutFaceVersion, value(a.ClockedOutFacePolicy), a.ClockedOutFaceDigest) + fmt.Sprint(a.ClockedOutFlags)
}

// value returns what p points to, the zero value for nil.
func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

func TestStoredVerdicts(t *testing.T) {
	w := newWorld(t)
	for _, tt := range []struct {
		name    string
		in, out []face.Point
		want    string
	}{
		{"first, out without", capture(0.01, 1), nil, "registered false v1 flag true null[] | none false v0  false[]"},
		{"both match", capture(0.01, 2), capture(0.01, 3), "match true v1 flag true true[] | match true v1 flag true[]"},
		{"a stranger, then sent again", stranger(), capture(0.01, 3), "mismatch true v1 flag true false[face_mismatch] | match true v1 flag true[face_replayed]"},
		{"another count", capture(0.01, 4)[:22], stranger(), "mismatch false v1 flag true false[face_mismatch] | mismatch true v1 flag true[face_replayed face_mismatch]"},
		{"doubtful", capture(0.022, 5), nil, "doubtful true v1 flag true false[face_doubtful] | none false v0  false[]"},
		{"none", nil, nil, "none false v0  false null[no_face] | none false v0  false[]"},
	} {
		if got := judged(w.inAndOut(t, tt.in, tt.out)); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
	if n := w.DB.FaceTemplate.Query().CountX(w.System()); n != 1 {
		t.Errorf("%d faces, want 1", n)
	}
}

// TestColleaguesFace sends the array of a colleague.
func TestColleaguesFace(t *testing.T) {
	w := newWorld(t)
	budi := w.user
	w.inAndOut(t, capture(0.01, 1), capture(0.01, 2))
	w.user = w.User(t, "Citra")
	w.today = w.occurrence(t, w.assign(t, w.user, w.assignment.Edges.Shift), "2026-03-11")
	if got := judged(w.inAndOut(t, capture(0.01, 2), nil)); !strings.HasPrefix(got, "provisional") || !strings.Contains(got, flagFaceReplayed) {
		t.Errorf("judged %s, want a provisional face that was sent before", got)
	}
	w.Change(t, func(ctx context.Context, db *ent.Client) error { // put one's gallery in the place of the other's
		theirs := db.FaceGallery.Query().Where(facegallery.UserID(budi.ID)).OnlyX(w.System())
		return db.FaceGallery.Update().Where(facegallery.UserID(w.user.ID)).SetSealed(*theirs.Sealed).Exec(w.System())
	})
	_, err := w.clockIn(func(i *model.ClockInInput) { i.FaceLandmark = sent(capture(0.01, 9)) })
	if !errors.Is(err, sealed.ErrOpen) {
		t.Errorf("with the gallery of a colleague: %v, want one that cannot be opened", err)
	}
}

// gallery returns the user's gallery as it is stored.
func (w *world) gallery() string {
	g := w.DB.FaceGallery.Query().Where(facegallery.UserID(w.user.ID)).AllX(w.System())
	if len(g) != 1 {
		return fmt.Sprint(len(g), " galleries")
	}
	return fmt.Sprint("v", g[0].Version, " ", *g[0].Sealed)
}

// TestRefusedFacesLeaveNothing refuses events whose face would register or be taken in.
func TestRefusedFacesLeaveNothing(t *testing.T) {
	w := newWorld(t)
	with := func(points []face.Point) in { return func(i *model.ClockInInput) { i.FaceLandmark = sent(points) } }
	block := func() {
		w.Change(t, func(ctx context.Context, db *ent.Client) error {
			return db.User.UpdateOneID(w.user.ID).SetPolicies(map[string]string{"face": "block"}).Exec(ctx)
		})
	}
	clock := func(want string, change ...in) {
		t.Helper()
		_, err := w.clockIn(change...)
		wantCode(t, "in", err, want)
	}
	far := func(i *model.ClockInInput) { c := center; c.Degrees = -6.3; i.Latitude = given(c) }
	clock("OUTSIDE_ALLOWED_LOCATION latitude", with(capture(0.01, 1)), far)
	if got := w.gallery(); got != "0 galleries" || w.DB.FaceTemplate.Query().CountX(w.System()) != 0 {
		t.Errorf("a refused clock-in left %s", got)
	}
	w.inAndOut(t, capture(0.01, 1), nil)
	before := w.gallery()
	block()
	clock("OUTSIDE_ALLOWED_LOCATION latitude", with(capture(0.01, 2)), far)
	clock("FACE_MISMATCH faceLandmark", with(stranger()))
	clock("FACE_MISMATCH faceLandmark", with(capture(0.01, 2)[:20]))
	clock("FACE_REPLAYED faceLandmark", with(capture(0.01, 1)))
	clock("FACE_REQUIRED faceLandmark")
	if w.gallery() != before {
		t.Error("a refused clock-in changed the gallery")
	}
	clock("", with(capture(0.01, 2)))
	if w.gallery() == before {
		t.Error("an accepted clock-in did not change the gallery")
	}
	w.Advance(time.Hour)
	err := w.clockOut(func(o *model.ClockOutInput) { o.FaceLandmark = sent(stranger()) })
	wantCode(t, "out with a stranger's face", err, "FACE_MISMATCH faceLandmark")
	wantCode(t, "out without a face", w.clockOut(), "")
}

// TestFaceOfEarlierRelease compares with a template that has no gallery yet.
func TestFaceOfEarlierRelease(t *testing.T) {
	w := newWorld(t)
	w.inAndOut(t, capture(0.01, 1), nil)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		_, err := db.FaceGallery.Delete().Exec(ctx)
		return err
	})
	if got := judged(w.inAndOut(t, capture(0.01, 2), capture(0.01, 3))); !strings.HasPrefix(got, "match true v1") || !strings.Contains(got, "| match true v1 flag true[]") {
		t.Errorf("judged %s, want matches", got)
	}
	if got := w.gallery(); !strings.HasPrefix(got, "v1 ") {
		t.Errorf("kept %s, want a gallery of version 1", got)
	}
}

// TestVersionsOfFaces registers another face once the first is out of force and erased:
// its version is none that there was.
func TestVersionsOfFaces(t *testing.T) {
	w := newWorld(t)
	w.inAndOut(t, capture(0.01, 1), nil)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		if _, err := db.FaceTemplate.Delete().Where(facetemplate.UserID(w.user.ID)).Exec(ctx); err != nil {
			return err
		}
		return db.FaceGallery.Update().ClearSealed().Exec(ctx)
	})
	if got := judged(w.inAndOut(t, stranger(), nil)); !strings.HasPrefix(got, "registered false v2") {
		t.Errorf("judged %s, want version 2", got)
	}
	if got := w.gallery(); !strings.HasPrefix(got, "v2 ") {
		t.Errorf("kept %s, want a gallery of version 2", got)
	}
}

// TestStatementsOfFaces counts the statements of a clock-in: five without a face, and two more with a
// known one, which is read and taken in.
func TestStatementsOfFaces(t *testing.T) {
	w := newWorld(t)
	w.inAndOut(t, capture(0.01, 1), nil)
	count := func(points []face.Point) int32 {
		t.Helper()
		var n atomic.Int32
		input := model.ClockInInput{AddressID: given(w.site.ID), EmployeeShiftID: given(w.today.ID), FaceLandmark: sent(points),
			Latitude: given(center), Longitude: given(scalar.Coordinate{Degrees: centerLng, Valid: true})}
		err := tx.Run(database.CountStatements(w.on(w.user, 7), &n), w.DB, func(ctx context.Context) error {
			_, err := w.ClockIn(ctx, input)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		w.Advance(time.Hour)
		if err := w.clockOut(); err != nil {
			t.Fatal(err)
		}
		w.Advance(10 * time.Minute)
		return n.Load()
	}
	without := count(nil)
	if with := count(capture(0.01, 2)); without != 5 || with != 7 {
		t.Errorf("%d statements with a face, %d without", with, without)
	}
}
