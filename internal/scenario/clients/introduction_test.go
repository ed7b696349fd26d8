package clients

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"workforce/docs"
	"workforce/internal/app/auth"
	"workforce/internal/app/ratelimit"
	"workforce/internal/blob"
	"workforce/internal/errs"
	"workforce/internal/operation"
	"workforce/internal/password"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/setting"
	"workforce/internal/testdb"
	"workforce/internal/variables"
)

// TestIntroduction holds what the introduction says against the code: figures, codes, operations and links.
func TestIntroduction(t *testing.T) {
	text := docs.Introduction("")
	days := func(d time.Duration) int { return int(d / harness.Day) }
	life, limits, none := auth.DefaultLifetimes, ratelimit.Default, setting.Values{}
	for _, want := range []string{
		fmt.Sprintf("It lives %d minutes.\n- **Access", int(life.User.Minutes())),
		fmt.Sprintf("It lives %d minutes.\n- **Refresh", int(life.Access.Minutes())),
		fmt.Sprintf("It lives %d days without use, and %d days", days(life.Refresh), days(life.Session)),
		fmt.Sprintf("%d new devices, %d codes, %d failed sign-ins, %d calls", limits[ratelimit.Registration],
			limits[ratelimit.Code], limits[ratelimit.Failure], limits[ratelimit.Encryption]),
		fmt.Sprintf("%d hours ago and %d s ahead", setting.OfflineHours.Of(none), setting.AheadSeconds.Of(none)),
		fmt.Sprintf("%d MiB in any 24 hours", setting.UploadMegabytes.Of(none)),
		fmt.Sprintf("%d levels deep", variables.MaxDepth),
		fmt.Sprintf("takes %d s at most", int(operation.Timeout.Seconds())),
		fmt.Sprintf("hold for %d hours", int(blob.Life.Hours())-1),
		fmt.Sprintf("after the fourth %d s of waiting", int(password.Delay(4).Seconds())),
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q", want)
		}
	}
	known := []string{"UTF", "POST", "GET", "PUT", "DELETE"}
	for _, code := range errs.Codes() {
		known = append(known, code.String())
	}
	for _, m := range regexp.MustCompile("`([A-Z][A-Z_]+)`").FindAllStringSubmatch(text, -1) {
		if !slices.Contains(known, m[1]) {
			t.Errorf("there is no code %s", m[1])
		}
	}
	ids := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^## (.*)$`).FindAllStringSubmatch(text, -1) {
		ids["description/"+strings.ReplaceAll(strings.ToLower(m[1]), " ", "-")] = true
	}
	for _, m := range regexp.MustCompile(`\]\(#([^)]*)\)`).FindAllStringSubmatch(text, -1) {
		if !ids[m[1]] {
			t.Errorf("no heading %s", m[1])
		}
	}
	wantOperations(t, text)
}

// wantOperations fails the test for an operation that openapi.json does not have, which has REST alone.
func wantOperations(t *testing.T, text string) {
	t.Helper()
	written, err := server.OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Info  struct{ Description string }
		Paths map[string]map[string]any
	}
	if err := json.Unmarshal(written, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Info.Description != text {
		t.Error("openapi.json has another description")
	}
	named := regexp.MustCompile("`(GET|POST|PUT|DELETE) (/[^` ]*)`").FindAllStringSubmatch(text, -1)
	for _, m := range named {
		if !strings.HasPrefix(m[2], "/graphql") && doc.Paths[m[2]][strings.ToLower(m[1])] == nil {
			t.Errorf("there is no %s %s", m[1], m[2])
		}
	}
	if len(named) < 10 {
		t.Errorf("it names %d operations", len(named))
	}
}

// TestIntroductionsError compares the example of an error with one.
func TestIntroductionsError(t *testing.T) {
	s := harness.New(t, testdb.SQLite(t))
	s.SignIn(t, "budi", budi)
	s.SaveSites(t, "budi")
	s.SaveShift(t, "budi")
	_, block, _ := strings.Cut(docs.Introduction("http://wf.test/"), "```json\n")
	block, _, _ = strings.Cut(block, "```")
	request := harness.Under(harness.ClockIn("budi", "latitude", `"-6.203705"`), "the-id")
	request.Header["X-Language"] = "en"
	got, err := s.Attempt(request)
	if err != nil {
		t.Fatal(err)
	}
	var want, body map[string]any
	if err := json.Unmarshal([]byte(block), &want); err != nil {
		t.Fatalf("%v: %s", err, block)
	}
	if err := json.Unmarshal([]byte(got.Body), &body); err != nil {
		t.Fatalf("%v: %s", err, got.Body)
	}
	want["requestId"] = "the-id"
	if diff := cmp.Diff(want, body); diff != "" {
		t.Errorf("the introduction has another error (-) than the server (+):\n%s", diff)
	}
}

// chromium returns the path of the browser; .ci/need knows the same names.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	missing(t, "chromium is missing; install it (Debian: apt-get install chromium)")
	return ""
}

// TestDocs reads the introduction at /docs, wide and narrow, light and dark: axe finds nothing in it,
// nothing scrolls sideways, and its links lead to its headings. SCREENSHOTS=DIR keeps pictures.
func TestDocs(t *testing.T) {
	browser, folder := chromium(t), install(t)
	s := harness.New(t, testdb.SQLite(t))
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", "docs.mjs", browser, u.String(), os.Getenv("SCREENSHOTS"))
	cmd.Dir, cmd.Stderr = folder, os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	looks := 0
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if fault, ok := strings.CutPrefix(lines.Text(), "fault "); ok {
			t.Error(fault)
		} else {
			looks++
		}
	}
	if err := cmd.Wait(); err != nil || looks != 4 {
		t.Errorf("%d of 4 looks, %v", looks, err)
	}
}
