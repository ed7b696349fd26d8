package attendance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
)

// TestFacesAreSealedAtRest looks for a coordinate in all files of a database.
func TestFacesAreSealedAtRest(t *testing.T) {
	folder := t.TempDir()
	s := harness.New(t, "sqlite:"+filepath.Join(folder, "test.db"))
	s.SignIn(t, "budi", "budi@demo.test")
	s.SaveSites(t, "budi")
	s.SaveShift(t, "budi")
	s.Run(t, []apitest.Scenario{harness.Under(harness.ClockIn("budi", "faceLandmark", harness.Landmarks(1)), "one")})
	if len(faces(t, s, "budi@demo.test")) != 1 {
		t.Fatal("no face was registered")
	}
	const literal = "01234567890123456"
	if !strings.Contains(harness.Landmarks(1), literal) {
		t.Fatalf("no landmark has %s", literal)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, f := range files {
		content, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(content), literal) {
			t.Errorf("%s holds a landmark in clear", filepath.Base(f))
		}
	}
	if strings.Contains(s.Log.Lines(), literal) {
		t.Error("the log holds a landmark")
	}
}
