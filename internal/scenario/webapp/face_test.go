package webapp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/attendance"
	"workforce/ent/facetemplate"
	"workforce/ent/user"
	"workforce/internal/face"
	"workforce/internal/viewer"
)

// script returns the name of a script in the bundle, of which the beginning is known.
func script(t *testing.T, prefix string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join("..", "..", "web", "dist", prefix+"-*.js"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%q in the bundle, want one script %s: %v", found, prefix, err)
	}
	return filepath.Base(found[0])
}

// camera is what face.mjs is told: how it is used, and a browser whose camera shows a file that it writes.
func camera(t *testing.T, use string) map[string]any {
	t.Helper()
	video := filepath.Join(t.TempDir(), "camera.y4m")
	return map[string]any{
		"use": use, "chunk": script(t, "capture"), "video": video, "serviceWorkers": "block",
		"args": []string{"--use-fake-device-for-media-stream", "--use-file-for-fake-video-capture=" + video},
	}
}

// TestFace clocks in and out with faces that are drawn before Chromium's camera: the first is registered,
// another one and one that is sent again are refused, and the same of later matches.
func TestFace(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.SignIn(t, "admin", "admin@demo.test")
	s.SignIn(t, "budi", employee)
	s.SaveSites(t, "budi")
	s.SaveShift(t, "budi")
	s.Clock.Advance(2 * time.Minute) // another code may be sent
	ctx, db := viewer.System(t.Context()), s.Store.Ent
	today := func() *ent.Attendance {
		return db.Attendance.Query().Where(attendance.HasUserWith(user.Email(employee))).
			Order(ent.Desc(attendance.FieldID)).FirstX(ctx)
	}
	told := camera(t, "face")
	told["keyboard"] = true
	told["event"] = map[string]string{
		"addressId": s.Vars["pusat"], "employeeShiftId": s.Vars["budi.shift"],
		"latitude": "-6.200000", "longitude": "106.816666",
	}
	useAs(t, s, employee, "face.mjs", told, map[string]func(string) string{
		"registered": func(string) string {
			if got := today(); got.FaceVerdict != attendance.FaceVerdictRegistered {
				t.Errorf("the clock-in's face is %s", got.FaceVerdict)
			}
			if n := db.FaceTemplate.Query().Where(facetemplate.HasUserWith(user.Email(employee))).CountX(ctx); n != 1 {
				t.Errorf("%d faces are registered", n)
			}
			s.Says(t, "admin",
				`mutation { updateCompany(input: {settings: {face: block, faceMatch: 60, faceDoubtful: 80}}) { id } }`,
				`{"updateCompany":{"id":"<digits>"}}`)
			s.Clock.Advance(20 * time.Minute)
			return ""
		},
		"matched": func(string) string {
			got := today()
			if got.ClockedOutFaceVerdict != attendance.ClockedOutFaceVerdictMatch {
				t.Errorf("the clock-out's face is %s", got.ClockedOutFaceVerdict)
			}
			// Neither near to a replay, below 0.012, nor to what is doubtful, from 0.060 on.
			if d := got.ClockedOutFaceDistance; d == nil || *d < 0.016 || *d > 0.050 {
				t.Errorf("the clock-out's face is %v from the registered one", d)
			} else {
				t.Logf("the clock-out's face is %.4f from the registered one", *d)
			}
			return ""
		},
	})
}

// TestNoCamera goes on without a face where there is no camera, which the clock card remembers.
func TestNoCamera(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.SignIn(t, "budi", employee)
	s.SaveSites(t, "budi")
	s.SaveShift(t, "budi")
	s.Clock.Advance(2 * time.Minute) // another code may be sent
	useAs(t, s, employee, "face.mjs", map[string]any{
		"use": "none", "chunk": script(t, "capture"),
		"args":  []string{"--use-fake-device-for-media-stream=device-count=0"},
		"event": map[string]string{"latitude": "-6.200000", "longitude": "106.816666"},
	}, map[string]func(string) string{
		"later": func(string) string {
			s.Clock.Advance(5 * time.Minute)
			return s.Clock.Now().Format(time.RFC3339)
		},
	})
	ctx := viewer.System(t.Context())
	of := attendance.HasUserWith(user.Email(employee))
	last := s.Store.Ent.Attendance.Query().Where(of).Order(ent.Desc(attendance.FieldID)).FirstX(ctx)
	if last.FaceVerdict != attendance.FaceVerdictNone || last.ClockedOutAt != nil {
		t.Errorf("the last clock-in is %v", last)
	}
}

// TestMeasureFace measures, with WEB_BENCH set, how long the first result of finding a face takes.
func TestMeasureFace(t *testing.T) {
	if os.Getenv("WEB_BENCH") == "" {
		t.Skip("measured by make bench-web")
	}
	useAs(t, newServer(t), manager, "face.mjs", camera(t, "time"), map[string]func(string) string{})
}

// TestFaceCaptures measures how far drawn faces of one person and of two are apart, as browsers find their points.
// docs/faces.md has the figures, and what they do not show.
func TestFaceCaptures(t *testing.T) {
	full(t)
	t.Parallel()
	for varied, most := range map[bool]float64{false: 0.15, true: 0.4} { // equal error rates
		var lines strings.Builder
		told := map[string]any{"worker": script(t, "face-worker"), "people": 12, "captures": 5, "varied": varied}
		useAs(t, newServer(t), manager, "face-captures.mjs", told, map[string]func(string) string{
			"capture": func(text string) string { lines.WriteString(text + "\n"); return "" },
		})
		captures, err := face.ReadCaptures(strings.NewReader(lines.String()))
		if err != nil || len(captures) != 60 {
			t.Fatal(len(captures), err)
		}
		result, err := face.CompareCaptures(captures)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("varied: %t", varied)
		if err := result.Write(t.Output()); err != nil {
			t.Error(err)
		}
		for _, c := range captures {
			if err := face.Check(c.Points); err != nil || len(c.Points) != 468 {
				t.Errorf("%s: %d points: %v", c.Person, len(c.Points), err)
			}
			if doubts := face.Doubts(c.Points); len(doubts) > 0 {
				t.Errorf("%s: %v", c.Person, doubts)
			}
		}
		if _, rate := result.EqualError(); rate > most {
			t.Errorf("equal error rate %.3f, want at most %.3f", rate, most)
		}
	}
}
