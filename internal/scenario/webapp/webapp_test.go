// Package webapp uses the web app in Chromium, on whole servers.
package webapp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"workforce/ent/auditevent"
	entLeave "workforce/ent/leave"
	"workforce/ent/leavetype"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/app/audit"
	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }

const (
	manager  = "manager@demo.test"
	employee = "budi@demo.test"
)

// browserPath returns the path of the browser; .ci/need knows the same names. Without one the test is
// skipped, and fails in CI.
func browserPath(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	missing(t, "chromium is missing; install it (Debian: apt-get install chromium)")
	return ""
}

func missing(t testing.TB, why string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(why)
	}
	t.Skip("NOT TESTED IN A BROWSER: ", why)
}

// install returns a folder with the program that uses the app. It needs the registry of npm, or its
// cache.
func install(t testing.TB) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(filepath.Join("testdata", "browser"))); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		missing(t, fmt.Sprintf("%v (Debian: as root .ci/need node)\n%s", err, out))
	}
	return folder
}

// full skips a test of a screen that takes minutes, but where WEB_FULL is set.
func full(t *testing.T) {
	t.Helper()
	if os.Getenv("WEB_FULL") == "" {
		t.Skip("tried by make web-full")
	}
}

// newServer starts a server with the demo for a browser at localhost.
func newServer(t *testing.T) *harness.Server {
	t.Helper()
	return harness.New(t, testdb.SQLite(t), atLocalhost)
}

func atLocalhost(c *server.Config) { c.PublicURL = "http://localhost" }

// use runs a program that uses the app as the manager. Each line that it writes is a question that
// is answered, by its first word, a fault, or a note; it ends with done.
func use(t *testing.T, s *harness.Server, program string, answers map[string]func(string) string) {
	t.Helper()
	useAs(t, s, manager, program, nil, answers)
}

// useAs runs a program as somebody; told is what it is told besides, as JSON.
func useAs(
	t testing.TB, s *harness.Server, email, program string, told any, answers map[string]func(string) string,
) {
	t.Helper()
	chromium, folder := browserPath(t), install(t)
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	answers["code"] = func(text string) string {
		nth, err := strconv.Atoi(text)
		if err != nil {
			t.Error(err)
		}
		return s.Log.Code(t, email, nth)
	}
	more, err := json.Marshal(told)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", filepath.Join(folder, program), chromium, u.Port(),
		s.Clock.Now().Format(time.RFC3339), email, demo.Password, os.Getenv("SCREENSHOTS"), string(more))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	done := false
	for lines := bufio.NewScanner(out); lines.Scan(); {
		what, text, _ := strings.Cut(lines.Text(), " ")
		switch {
		case answers[what] != nil:
			fmt.Fprintln(in, answers[what](text))
		case what == "fault":
			t.Error(text)
		case what == "done":
			done = true
		default:
			t.Log(lines.Text())
		}
	}
	if err := cmd.Wait(); err != nil || !done {
		t.Errorf("the program ended early: %v", err)
	}
}

// TestToday signs a manager in with a code, and shows Today: its counts are those of the API, and it
// follows who clocks in.
func TestToday(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.SignIn(t, "budi", "budi@demo.test")
	s.SignIn(t, "admin", "admin@demo.test")
	use(t, s, "today.mjs", map[string]func(string) string{
		"wait": func(string) string { s.Clock.Advance(2 * time.Minute); return "" }, // another code may be sent
		"looked": func(string) string {
			looks := s.Store.Ent.AuditEvent.Query().Where(auditevent.Action(audit.CoordinatesRead))
			return strconv.Itoa(looks.CountX(viewer.System(t.Context())))
		},
		"counts": func(text string) string { wantCounts(t, s, text); return "" },
		"clock": func(string) string {
			s.SaveSites(t, "budi")
			s.SaveShift(t, "budi")
			s.Must(t, []apitest.Scenario{harness.ClockIn("budi", "accuracy", "40", "mocked", "true")})
			return ""
		},
	})
}

// TestInbox decides about what waits for a manager: one by a click, many after a question, by keys
// alone, and what somebody else has decided meanwhile.
func TestInbox(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.SignIn(t, "admin", "admin@demo.test")
	ctx, db := viewer.System(t.Context()), s.Store.Ent
	budi := db.User.Query().Where(user.Email("budi@demo.test")).OnlyX(ctx)
	kind := db.LeaveType.Query().Where(leavetype.CompanyID(budi.CompanyID)).FirstX(ctx)
	leaves := map[string]int{}
	ask := func(nth string) string {
		n, err := strconv.Atoi(nth)
		if err != nil {
			t.Error(err)
		}
		now := s.Clock.Now().Add(time.Duration(n) * time.Second)
		date := s.Clock.Now().AddDate(0, 0, 30+n).Format(time.DateOnly)
		leaves[nth] = db.Leave.Create().SetCompanyID(budi.CompanyID).SetUserID(budi.ID).SetLeaveTypeID(kind.ID).
			SetStartsOn(date).SetEndsOn(date).SetDates([]string{date}).SetReason("leave " + nth).SetCreatedAt(now).
			SetExpiresAt(now.Add(harness.Day)).SetState(entLeave.StatePending).SaveX(ctx).ID
		return ""
	}
	for _, nth := range []string{"0", "1", "2"} {
		ask(nth)
	}
	db.FaceReset.Create().SetCompanyID(budi.CompanyID).SetUserID(budi.ID).SetReason("a new beard").
		SetRequestedAt(s.Clock.Now()).SaveX(ctx)
	signIn := sync.OnceFunc(func() { s.SignIn(t, "manager", manager) })
	use(t, s, "inbox.mjs", map[string]func(string) string{
		"leave": ask,
		"total": func(string) string {
			signIn()
			var of struct{ InboxCount struct{ Total int } }
			s.GraphQL(t, s.HeaderOf("manager"), `{ inboxCount { total } }`, nil, &of)
			return strconv.Itoa(of.InboxCount.Total)
		},
		"state": func(text string) string {
			of := strings.Fields(text) // leave, its number and what it is to be
			if l := db.Leave.GetX(ctx, leaves[of[1]]); string(l.State) != of[2] {
				t.Errorf("leave %s is %s, want %s", of[1], l.State, of[2])
			}
			return ""
		},
		"decide": func(text string) string {
			id := leaves[strings.Fields(text)[1]]
			s.Says(t, "admin", fmt.Sprintf(`mutation { decideLeave(id: "%d", input: {approve: false}) { state } }`, id),
				`{"decideLeave":{"state":"refused"}}`)
			return ""
		},
	})
}

// wantCounts compares the counts that a manager sees, as JSON, with those of the API.
func wantCounts(t *testing.T, s *harness.Server, text string) {
	t.Helper()
	s.SignIn(t, "manager", manager)
	answer := s.AskGraphQL(t, s.HeaderOf("manager"), `{ attendanceSummary(limit: 1) { groups { name count } } }`, nil)
	var of struct {
		AttendanceSummary struct {
			Groups []struct {
				Name  string
				Count int
			}
		}
	}
	var got map[string]int
	for from, to := range map[string]any{string(answer.Data): &of, text: &got} {
		if err := json.Unmarshal([]byte(from), to); err != nil {
			t.Errorf("%s: %v", from, err)
		}
	}
	names, want := map[string]string{"in": "In", "late": "Late", "missing": "Missing", "on_leave": "On leave", "not_due": "Not due"}, map[string]int{}
	for _, g := range of.AttendanceSummary.Groups {
		if name, ok := names[g.Name]; ok {
			want[name] = g.Count
		}
	}
	if len(want) != len(names) || !maps.Equal(got, want) {
		t.Errorf("counts %v, want %v", got, want)
	}
}
