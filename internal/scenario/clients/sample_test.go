package clients

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"workforce/internal/apitest"
	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
)

const (
	budi     = "budi@demo.test"
	clockIn  = "/attendance/clockIn"
	clockOut = "/attendance/clockOut"
	refresh  = "/authorize/refresh-token"
)

// otherApp is the command of an app in another language that does what testdata/node/app.mjs does.
var otherApp = flag.String("app", "", "command of the app to try, such as: java -cp … workforce.AppKt")

// install returns a folder with the programs of testdata/node. It needs the registry of npm, or its cache.
func install(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(filepath.Join("testdata", "node"))); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		missing(t, fmt.Sprintf("%v (Debian: as root .ci/need node)\n%s", err, out))
	}
	return folder
}

// build compiles the sample as strictly as the compiler does, and returns the command of the app that
// uses it.
func build(t *testing.T) []string {
	t.Helper()
	if *otherApp != "" {
		return strings.Fields(*otherApp)
	}
	folder := install(t)
	sample, err := os.ReadFile("../../../docs/clients/workforce.ts")
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "workforce.ts"), sample, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	compile := exec.Command("node", "node_modules/typescript/bin/tsc")
	compile.Dir = folder
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return []string{"node", filepath.Join(folder, "app.mjs")}
}

// A world is a server with an employee of the demo, and the network to it.
type world struct {
	*testing.T
	s       *harness.Server
	net     *network
	program []string
	folder  string // of what the app keeps
	codes   int    // that were sent to the employee
	want    []string
}

// newWorld starts a server at ten past midnight, so that a long day fits into one occurrence.
func newWorld(t *testing.T, database string, program []string) *world {
	t.Helper()
	s := harness.New(t, database)
	s.Clock.Set(harness.Jakarta(0, 10, 0))
	s.SignIn(t, "budi", budi)
	s.SaveSites(t, "budi")
	s.SaveShift(t, "budi")
	w := &world{T: t, s: s, net: newNetwork(t, s.URL), program: program, folder: t.TempDir(), codes: 1}
	s.Clock.Advance(2 * time.Minute) // another code may be sent
	return w
}

// An app is a process of the client.
type app struct {
	*world
	cmd *exec.Cmd
	in  io.Writer

	mu      sync.Mutex
	last    int
	waiting map[int]chan answer
}

// An answer is what a call gave, or the name of its fault.
type answer struct {
	fault string
	value json.RawMessage
}

// open starts the app on what an earlier one kept.
func (w *world) open() *app {
	w.Helper()
	a := &app{world: w, waiting: map[int]chan answer{}}
	a.cmd = exec.CommandContext(w.Context(), w.program[0], append(w.program[1:], w.net.URL, w.folder)...)
	a.cmd.Stderr = os.Stderr
	in, err := a.cmd.StdinPipe()
	if err != nil {
		w.Fatal(err)
	}
	out, err := a.cmd.StdoutPipe()
	if err == nil {
		err = a.cmd.Start()
	}
	if err != nil {
		w.Fatal(err)
	}
	a.in = in
	go a.hear(out)
	w.Cleanup(a.kill)
	return a
}

func (a *app) hear(out io.Reader) {
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var id int
		var got answer
		if err := json.Unmarshal(lines.Bytes(), &[]any{&id, &got.fault, &got.value}); err != nil {
			a.Errorf("%v: %s", err, lines.Bytes())
			return
		}
		a.mu.Lock()
		a.waiting[id] <- got
		a.mu.Unlock()
	}
}

// kill ends the process as the system ends an app, without a word.
func (a *app) kill() {
	_ = a.cmd.Process.Kill() // it may be gone
	_ = a.cmd.Wait()
}

// start makes a call, and returns what receives its answer.
func (a *app) start(method string, args ...any) chan answer {
	a.Helper()
	a.mu.Lock()
	a.last++
	id, got := a.last, make(chan answer, 1)
	a.waiting[id] = got
	a.mu.Unlock()
	line, err := json.Marshal(append([]any{id, method}, args...))
	if err == nil {
		_, err = a.in.Write(append(line, '\n'))
	}
	if err != nil {
		a.Fatal(err)
	}
	return got
}

// end waits for the answer of a call, which must be a fault of a name, or "ok".
func (a *app) end(got chan answer, want string) json.RawMessage {
	a.Helper()
	select {
	case r := <-got:
		if r.fault != want {
			a.Fatalf("%s %s, want %s", r.fault, r.value, want)
		}
		return r.value
	case <-time.After(time.Minute):
		a.Fatal("no answer after a minute")
		return nil
	}
}

func (a *app) does(method string, args ...any) json.RawMessage {
	a.Helper()
	return a.end(a.start(method, args...), "ok")
}

func (a *app) fails(want, method string, args ...any) json.RawMessage {
	a.Helper()
	return a.end(a.start(method, args...), want)
}

// insists makes a call again where it fails, as a person presses a button again.
func (a *app) insists(method string, args ...any) {
	a.Helper()
	if got := <-a.start(method, args...); got.fault == "ApiError" {
		a.does(method, args...)
	} else if got.fault != "ok" {
		a.Fatalf("%s %s", got.fault, got.value)
	}
}

// signIn signs somebody in with a code.
func (a *app) signIn(email, password string, nth int) {
	a.Helper()
	if got := string(a.does("signIn", email, password)); got != `"code"` {
		a.Fatalf("signing in: %s, want a code", got)
	}
	a.does("verify", a.s.Log.Code(a, email, nth))
}

// signedIn opens an app in which the employee is signed in.
func (w *world) signedIn() *app {
	w.Helper()
	a := w.open()
	w.codes++
	a.signIn(budi, demo.Password, w.codes)
	return a
}

// A waiting event is one that the app keeps.
type waiting struct {
	ID, Kind   string
	RecordedAt time.Time
	Refused    *struct{ Code, Detail string }
}

// clock has the app keep a clock event at Kantor Pusat.
func (a *app) clock(kind string) (kept waiting) {
	a.Helper()
	at := map[string]any{
		"kind": kind, "employeeShiftId": a.s.Vars["budi.shift"], "addressId": a.s.Vars["pusat"],
		"latitude": "-6.200000", "longitude": "106.816666", "accuracy": 10,
	}
	if err := json.Unmarshal(a.does("clock", at), &kept); err != nil {
		a.Fatal(err)
	}
	return kept
}

// left returns what the app keeps of who is signed in.
func (a *app) left() (all []waiting) {
	a.Helper()
	if err := json.Unmarshal(a.does("waiting"), &all); err != nil {
		a.Fatal(err)
	}
	return all
}

// pass lets time go by, for the server and for apps.
func (w *world) pass(d time.Duration, apps ...*app) {
	w.Helper()
	w.s.Clock.Advance(d)
	for _, a := range apps {
		a.does("pass", d.Seconds())
	}
}

// now has the app clock while there is a network: the server's time counts.
func (a *app) now(kind string) {
	a.Helper()
	a.clock(kind)
	a.want = append(a.want, fmt.Sprint(kind, " app ", a.s.Clock.Now().UTC().Format(time.RFC3339Nano)))
}

// offline has the app clock at a time that is sent more than three minutes later: it counts.
func (a *app) offline(kind string) {
	a.Helper()
	at := a.clock(kind).RecordedAt
	a.want = append(a.want, fmt.Sprint(kind, " offline ", at.UTC().Format(time.RFC3339Nano)))
}

// wantRows compares the rows of the employee with what the app recorded: each once, in order, at its time.
func (w *world) wantRows() {
	w.Helper()
	var got []string
	add := func(kind, source string, at time.Time) {
		got = append(got, fmt.Sprint(kind, " ", source, " ", at.UTC().Format(time.RFC3339Nano)))
	}
	for _, row := range w.s.Attendances(w.T, budi) {
		add("in", string(row.ClockedInSource), row.ClockedInAt)
		if row.ClockedOutAt != nil {
			add("out", string(*row.ClockedOutSource), *row.ClockedOutAt)
		}
	}
	if !slices.Equal(got, w.want) {
		w.Errorf("rows\n%q\nwant\n%q", got, w.want)
	}
}

// wantSent is wantRows where nothing is left in the app.
func (a *app) wantSent() {
	a.Helper()
	if left := a.left(); len(left) > 0 {
		a.Errorf("%+v are left", left)
	}
	a.wantRows()
}

// The faults, by name.
var faults = []struct {
	name string
	try  func(*world)
}{
	{"lost answers of signing in", lostSignIn},
	{"lost answers of clock events", lostAnswers},
	{"servers that ask to wait", later429},
	{"an access token that expires", expired},
	{"a lost answer of a refresh", lostRefresh},
	{"airplane mode", airplane},
	{"a killed app", killed},
	{"a password changed elsewhere", changedPassword},
	{"a sign-in in another tab meanwhile", signedInMeanwhile},
	{"another person in another tab meanwhile", otherPersonMeanwhile},
	{"two tabs at once", twoTabs},
	{"a refused event", refused},
}

// TestSample breaks what a client depends on: afterwards the server has each clock event once.
func TestSample(t *testing.T) {
	program := build(t)
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			f.try(newWorld(t, testdb.SQLite(t), program))
		})
	}
	if *otherApp == "" { // workforce.ts alone is for dashboards
		t.Run("graphql", func(t *testing.T) {
			t.Parallel()
			graphQL(newWorld(t, testdb.SQLite(t), program))
		})
	}
	t.Run("mariadb", func(t *testing.T) {
		t.Parallel()
		badDay(newWorld(t, testdb.MySQL(t), program))
	})
}

func lostSignIn(w *world) {
	a := w.open()
	for _, path := range []string{"/device/register", "/user/login"} {
		w.net.next(path, after)
		a.insists("signIn", budi, demo.Password)
	}
	w.net.next("/authorize/verify", after)
	w.net.next("/authorize/access-token", after, during)
	w.net.next("/user/token-info", after)
	a.insists("verify", w.s.Log.Code(w.T, budi, 2))
	a.now("in")
	a.does("sendUntilDone")
	a.wantSent()
	if got := string(a.does("signIn", budi, demo.Password)); got != `"signed in"` {
		w.Errorf("again on a trusted device: %s", got)
	}
}

func lostAnswers(w *world) {
	a := w.signedIn()
	for i, flaws := range [][]flaw{{after}, {during}, {before, after}, {portal, after}} {
		kind, path := "in", clockIn
		if i%2 == 1 {
			kind, path = "out", clockOut
		}
		w.net.next(path, flaws...)
		a.now(kind)
		a.does("sendUntilDone")
		w.pass(5*time.Minute, a)
	}
	a.wantSent()
	sent := w.net.sent(clockIn)
	if len(sent) != 5 || sent[0].key == "" || sent[0] == sent[1] ||
		sent[0].key != sent[1].key || sent[0].body != sent[1].body {
		w.Errorf("a repeated request is another one: %+v", sent)
	}
}

func later429(w *world) {
	a := w.signedIn()
	w.net.next(clockIn, limited, gateway, busy)
	a.now("in")
	a.does("sendUntilDone")
	a.wantSent()
	sent := w.net.sent(clockIn)
	if len(sent) != 4 {
		w.Fatalf("sent %d times, want 4", len(sent))
	}
	for i, least := range []time.Duration{later, 500 * time.Millisecond, later} {
		if waited := sent[i+1].at.Sub(sent[i].at) * 4; waited < least { // pauses are shorter in app.mjs
			w.Errorf("after refusal %d it waited %v, want %v", i+1, waited, least)
		}
	}
}

func expired(w *world) {
	a := w.signedIn()
	for _, kind := range []string{"in", "out", "in", "out"} {
		a.now(kind)
		a.does("send")
		w.pass(20*time.Minute, a)
	}
	var parallel []chan answer
	for range 5 {
		parallel = append(parallel, a.start("profile"))
	}
	for _, p := range parallel {
		a.end(p, "ok")
	}
	a.wantSent()
	if n := len(w.net.sent(refresh)); n != 4 {
		w.Errorf("refreshed %d times, want 4", n)
	}
}

// graphQL asks with an expired token, and for what there is not: errors have the status 200 there.
func graphQL(w *world) {
	a := w.signedIn()
	var sent struct{ Channel, Destination string }
	if err := json.Unmarshal(a.does("verification"), &sent); err != nil || sent.Destination != "b***@demo.test" {
		w.Errorf("the code went to %+v, %v", sent, err)
	}
	w.pass(20*time.Minute, a)
	const document = "query($first: Int) { viewer { email } tasks(first: $first) { totalCount } }"
	var data struct{ Viewer struct{ Email string } }
	got := a.does("graphql", document, map[string]any{"first": 1})
	if err := json.Unmarshal(got, &data); err != nil || data.Viewer.Email != budi {
		w.Errorf("data %s, %v", got, err)
	}
	if n := len(w.net.sent(refresh)); n != 1 {
		w.Errorf("refreshed %d times, want 1", n)
	}
	w.wantFault(a.fails("ApiError", "graphql", "{ nosuch }"), 200, "BAD_REQUEST", "")
	a.does("speak", "id")
	message := w.wantFault(a.fails("ApiError", "call", "POST", clockIn, "{}"), 422, "VALIDATION_FAILED", "latitude")
	if !strings.HasPrefix(message, "Sebagian data") {
		w.Errorf("the error says %q, want Indonesian", message)
	}
	w.s.MoveTo(w.T, w.s.Clock.Now(), "budi")
	w.s.Must(w.T, []apitest.Scenario{changePassword})
	a.fails("SignInNeeded", "graphql", document)
}

// wantFault compares an ApiError, which has a field among its errors unless that is "", and returns its message.
func (w *world) wantFault(text json.RawMessage, status int, code, field string) string {
	w.Helper()
	var got struct {
		Status                   int
		Code, RequestID, Message string
		Errors                   []struct{ Field string }
	}
	if err := json.Unmarshal(text, &got); err != nil || got.Status != status || got.Code != code || got.RequestID == "" {
		w.Errorf("%s, %v; want %d %s", text, err, status, code)
	}
	if field != "" && !slices.Contains(got.Errors, struct{ Field string }{field}) {
		w.Errorf("%s has nothing about %s", text, field)
	}
	return got.Message
}

func lostRefresh(w *world) {
	a := w.signedIn()
	w.pass(20*time.Minute, a)
	w.net.next(refresh, after, during, gateway)
	a.now("in")
	a.does("send")
	w.pass(20*time.Minute, a)
	a.now("out")
	a.does("send")
	a.wantSent()
	if n := len(w.net.sent(refresh)); n != 5 {
		w.Errorf("refreshed %d times, want 5", n)
	}
}

func airplane(w *world) {
	a := w.signedIn()
	w.net.set(false)
	for _, kind := range []string{"in", "out", "in", "out"} {
		a.offline(kind)
		a.fails("ApiError", "send")
		w.pass(time.Hour, a)
	}
	if n := len(a.left()); n != 4 {
		w.Errorf("%d events wait, want 4", n)
	}
	w.pass(harness.Day, a) // they are yesterday's then
	w.net.set(true)
	a.does("sendUntilDone")
	a.wantSent()
}

func killed(w *world) {
	a := w.signedIn()
	w.net.set(false)
	for _, kind := range []string{"in", "out"} {
		a.offline(kind)
		w.pass(30*time.Minute, a)
	}
	sending := a.start("sendUntilDone")
	a.kill()
	w.net.set(true)
	select {
	case got := <-sending:
		w.Errorf("it was sent: %v", got)
	default:
	}
	a = w.openLater(time.Hour)
	w.net.next(clockIn, keep)
	a.start("sendUntilDone")
	<-w.net.kept // the server has it, the app does not know
	a.kill()
	a = w.openLater(time.Hour)
	a.does("sendUntilDone")
	a.wantSent()
	if n := len(w.net.sent(clockIn)); n < 2 {
		w.Errorf("it was sent %d times, want 2 or more", n)
	}
}

// openLater opens the app with its clock so far ahead.
func (w *world) openLater(ahead time.Duration) *app {
	w.Helper()
	a := w.open()
	a.does("pass", ahead.Seconds())
	return a
}

const newPassword = "kopi-tubruk-77"

// changePassword is what the employee does on another phone: other sessions end.
var changePassword = apitest.Scenario{
	Name: "another phone", Method: "PUT", Path: "/user/change-password", Header: harness.Bearer("budi"),
	Body:   `{"oldPassword":"` + demo.Password + `","newPassword":"` + newPassword + `"}`,
	Status: 200, Want: `{"changed":true}`,
}

func changedPassword(w *world) {
	a := w.signedIn()
	w.net.set(false)
	a.offline("in")
	w.pass(10*time.Minute, a)
	a.offline("out")
	w.pass(10*time.Minute, a)
	w.net.set(true)
	w.s.MoveTo(w.T, w.s.Clock.Now(), "budi")
	w.s.Must(w.T, []apitest.Scenario{changePassword})
	a.fails("SignInNeeded", "sendUntilDone")
	a.fails("SignInNeeded", "profile")
	if n := len(a.left()); n != 2 {
		w.Errorf("%d events wait, want 2", n)
	}
	a.fails("ApiError", "signIn", budi, demo.Password)
	a.signIn("admin@demo.test", demo.Password, 1)
	a.does("sendUntilDone")
	if left, rows := a.left(), w.s.Attendances(w.T, budi); len(left)+len(rows) > 0 {
		w.Errorf("somebody else has %v, and %v was sent", left, rows)
	}
	w.pass(time.Minute, a)
	if got := string(a.does("signIn", budi, newPassword)); got != `"signed in"` {
		w.Errorf("on a trusted device: %s", got)
	}
	a.does("sendUntilDone")
	a.wantSent()
}

// signedInMeanwhile ends a session whose refresh is refused late, after somebody signed in in another tab.
func signedInMeanwhile(w *world) {
	a, b := w.signedIn(), w.open()
	w.pass(20*time.Minute, a, b)
	w.s.MoveTo(w.T, w.s.Clock.Now(), "budi")
	w.s.Must(w.T, []apitest.Scenario{changePassword})
	w.net.next(refresh, keep)
	late := b.start("profile")
	<-w.net.kept
	if got := string(a.does("signIn", budi, newPassword)); got != `"signed in"` {
		w.Errorf("on a trusted device: %s", got)
	}
	close(w.net.free)
	b.end(late, "ok")
	a.now("in")
	a.does("send")
	a.wantSent()
}

// otherPersonMeanwhile signs somebody else in in another tab while a clock event waits for a refresh.
func otherPersonMeanwhile(w *world) {
	a, b := w.signedIn(), w.open()
	w.pass(20*time.Minute, a, b)
	a.offline("in")
	w.net.next(refresh, keep)
	late := a.start("send")
	<-w.net.kept
	b.signIn("admin@demo.test", demo.Password, 1)
	close(w.net.free)
	a.end(late, "SignInNeeded")
	w.pass(5*time.Minute, a, b)
	if got := string(b.does("signIn", budi, demo.Password)); got != `"signed in"` {
		w.Errorf("on a trusted device: %s", got)
	}
	b.does("send")
	b.wantSent()
}

func twoTabs(w *world) {
	a := w.signedIn()
	b := w.open()
	for i, kind := range []string{"in", "out", "in", "out"} {
		w.pass(20*time.Minute, a, b)
		if i == 2 {
			w.net.next(refresh, after, after)
		}
		a.now(kind)
		one, two := a.start("sendUntilDone"), b.start("sendUntilDone")
		a.end(one, "ok")
		a.end(two, "ok")
		a.does("profile")
		b.does("profile")
	}
	a.wantSent()
	b.wantSent()
}

func refused(w *world) {
	a := w.signedIn()
	w.net.set(false)
	a.clock("out") // without a clock-in
	w.pass(10*time.Minute, a)
	a.offline("in")
	w.pass(10*time.Minute, a)
	w.net.set(true)
	a.does("sendUntilDone")
	left := a.left()
	if len(left) != 1 || left[0].Refused == nil || left[0].Refused.Code != "NOT_CLOCKED_IN" ||
		left[0].Refused.Detail == "" {
		w.Fatalf("%+v are left, want one that was refused", left)
	}
	a.does("seen", left[0].ID)
	a.wantSent()
}

func badDay(w *world) {
	a := w.signedIn()
	w.net.set(false)
	for _, kind := range []string{"in", "out", "in"} {
		a.offline(kind)
		w.pass(time.Hour, a)
	}
	a.kill()
	w.net.set(true)
	a, b := w.openLater(3*time.Hour), w.openLater(3*time.Hour)
	w.net.next(refresh, after)
	w.net.next(clockIn, after, gateway, during)
	w.net.next(clockOut, before, after)
	one, two := a.start("sendUntilDone"), b.start("sendUntilDone")
	a.end(one, "ok")
	a.end(two, "ok")
	a.now("out")
	a.does("send")
	a.wantSent()
}
