package alarms

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"workforce/internal/apitest"
	"workforce/internal/app/job"
	"workforce/internal/app/live"
	"workforce/internal/certificate/certtest"
	"workforce/internal/database"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/testdb"
)

// causes brings each alarm about: it returns the metrics before and after.
var causes = map[string]func(t *testing.T) (before, after string){
	"WorkforceDown":               down,
	"WorkforceErrors":             errorsAnswered,
	"WorkforceSlow":               slow,
	"WorkforceConnectionsUsedUp":  connectionsUsedUp,
	"WorkforceMessagesLate":       messagesLate,
	"WorkforceMessagesWaiting":    messagesWaiting,
	"WorkforceMessagesFailed":     messagesFailed,
	"WorkforceJobsLate":           jobsLate,
	"WorkforceJobsFailed":         jobsFailed,
	"WorkforcePasswordsGuessed":   passwordsGuessed,
	"WorkforceClockInsRefused":    clockInsRefused,
	"WorkforceOperationsFail":     operationsFail,
	"WorkforceNobodySignsIn":      passwordsGuessed,
	"WorkforceNobodyClocksIn":     clockInsRefused,
	"WorkforceCommitsSlow":        commitsSlow,
	"WorkforceStatementsSlow":     statementsSlow,
	"WorkforceVersionsDiffer":     versionsDiffer,
	"WorkforceOverloaded":         overloaded,
	"WorkforceOperationsWait":     operationsWait,
	"WorkforceWritesHang":         writesHang,
	"WorkforceCacheUseless":       cacheUseless,
	"WorkforceStreamsNearLimit":   streamsNearLimit,
	"WorkforceStreamsMiss":        streamsMiss,
	"WorkforceBackupOld":          backupOld,
	"WorkforceClockWrong":         clockWrong,
	"WorkforceMemory":             memory,
	"WorkforceCertificateExpires": certificateExpires,
}

// TestAlarms causes each alarm of the file once.
func TestAlarms(t *testing.T) {
	if out, err := promtool(t, "check", "rules", rules); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(rules)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range regexp.MustCompile(`- alert: (\w+)`).FindAllStringSubmatch(string(text), -1) {
		names = append(names, m[1])
		cause, ok := causes[m[1]]
		if !ok {
			t.Errorf("nothing causes %s", m[1])
			continue
		}
		t.Run(m[1], func(t *testing.T) {
			t.Parallel()
			before, after := cause(t)
			setsOff(t, m[1], before, after)
		})
	}
	manual, err := os.ReadFile("../../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	for name := range causes {
		if !slices.Contains(names, name) || !strings.Contains(string(manual), "`"+name+"`") {
			t.Errorf("there is no alarm %s, or the manual does not have it", name)
		}
	}
}

// TestUnits runs the alarms' unit tests, of which each alarm has one.
func TestUnits(t *testing.T) {
	const units = "../../../deploy/prometheus/workforce.rules_test.yaml"
	if out, err := promtool(t, "test", "rules", units); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(units)
	if err != nil {
		t.Fatal(err)
	}
	for name := range causes {
		if !strings.Contains(string(text), "alertname: "+name+"\n") {
			t.Errorf("%s has no unit test", name)
		}
	}
}

// await scrapes until a line is there. What takes statements is read every 5 s.
func await(t *testing.T, s *harness.Server, line string) (text string) {
	t.Helper()
	wanted := regexp.MustCompile("(?m)^" + line)
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if text = scrape(s); wanted.MatchString(text) {
			return text
		}
		if time.Now().After(deadline) {
			t.Fatalf("no %s in\n%s", line, regexp.MustCompile("(?m)^workforce.*$").FindAllString(text, -1))
		}
	}
}

func down(t *testing.T) (before, after string) {
	return scrape(harness.New(t, testdb.SQLite(t))), "" // nobody answers
}

func errorsAnswered(t *testing.T) (before, after string) {
	db := testdb.Start(t)
	s := harness.New(t, db.Database(t))
	s.SignIn(t, "budi", "budi@demo.test")
	before = scrape(s)
	db.Stop(t)
	if resp, _ := s.Send(t, "GET", "/attendance/today", "", s.HeaderOf("budi")); resp.StatusCode != 503 {
		t.Fatal(resp.Status)
	}
	after = scrape(s)
	db.Start(t)
	return before, after
}

// locked has nobody write to a SQLite file while f runs.
func locked(t *testing.T, url string, f func()) {
	t.Helper()
	db, err := database.Open(url, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	conn, err := db.Writer.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	f()
	if _, err := conn.ExecContext(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
}

// ticket makes a ticket, under an Idempotency-Key.
func ticket(t *testing.T, s *harness.Server, subject string) {
	h := s.HeaderOf("admin")
	h["Idempotency-Key"] = subject
	document := fmt.Sprintf(`mutation{createTicket(input:{subject:%q}){number}}`, subject)
	resp, text := s.Send(t, "POST", "/graphql", apitest.Query(document, nil), h)
	if !strings.Contains(string(text), `{"data":`) {
		t.Errorf("%s %s", resp.Status, text)
	}
}

func slow(t *testing.T) (before, after string) {
	url := testdb.SQLite(t)
	s := harness.New(t, url)
	s.SignIn(t, "admin", "admin@demo.test")
	before = scrape(s)
	var asked sync.WaitGroup
	locked(t, url, func() {
		asked.Go(func() { ticket(t, s, "late") })
		time.Sleep(1500 * time.Millisecond)
	})
	asked.Wait()
	return before, scrape(s)
}

func connectionsUsedUp(t *testing.T) (before, after string) {
	s := harness.New(t, testdb.MySQL(t))
	s.SignIn(t, "budi", "budi@demo.test")
	before = scrape(s)
	db := s.Store.DB.Reader
	most := db.Stats().MaxOpenConnections
	db.SetMaxOpenConns(1)
	defer db.SetMaxOpenConns(most)
	var asked sync.WaitGroup
	for range 8 {
		asked.Go(func() {
			for range 40 {
				s.Send(t, "GET", "/attendance/today", "", s.HeaderOf("budi"))
			}
		})
	}
	asked.Wait()
	return before, scrape(s)
}

// mute has messages go to a mail server that is not there.
func mute(c *server.Config) {
	c.SMTPURL, c.MailFrom = "smtp://127.0.0.1:1?tls=none", "Workforce <no-reply@wf.test>"
}

// invite queues so many messages, on a server without a mail server.
func invite(t *testing.T, people int) (s *harness.Server, before string) {
	t.Helper()
	url := testdb.SQLite(t)
	heard := harness.New(t, url)
	heard.SignIn(t, "admin", "admin@demo.test")
	heard.Rest()
	s = harness.New(t, url, mute)
	s.Vars = heard.Vars
	before = scrape(s)
	for i := range people {
		s.Says(t, "admin", fmt.Sprintf(`mutation{createUser(input:{name:"New",email:"new%d@demo.test"}){name}}`, i),
			`{"createUser":{"name":"New"}}`)
	}
	return s, before
}

func messagesLate(t *testing.T) (before, after string) {
	s, before := invite(t, 1)
	s.Clock.Advance(2 * time.Minute)
	return before, await(t, s, `workforce_messages_oldest_queued_seconds 12\d`)
}

func messagesWaiting(t *testing.T) (before, after string) {
	s, before := invite(t, 101)
	return before, await(t, s, `workforce_messages{status="queued"} 101`)
}

func messagesFailed(t *testing.T) (before, after string) {
	s, before := invite(t, 1)
	s.Clock.Advance(10 * 24 * time.Hour)
	return before, await(t, s, `workforce_messages{status="failed"} 1`)
}

// ask has the admin ask for a report, which a job makes.
func ask(t *testing.T, s *harness.Server) {
	t.Helper()
	s.Says(t, "admin",
		`mutation{generateReport(input:{kind:attendance,format:csv,from:"2026-03-02",to:"2026-03-02"}){kind}}`,
		`{"generateReport":{"kind":"attendance"}}`)
}

func jobsLate(t *testing.T) (before, after string) {
	s := harness.New(t, testdb.SQLite(t))
	s.SignIn(t, "admin", "admin@demo.test")
	s.Rest()
	before = scrape(s)
	ask(t, s)
	s.Clock.Advance(6 * time.Minute)
	return before, await(t, s, `workforce_jobs_oldest_due_seconds 3\d\d`)
}

func jobsFailed(t *testing.T) (before, after string) {
	s := harness.New(t, testdb.SQLite(t))
	s.SignIn(t, "admin", "admin@demo.test")
	before = scrape(s)
	failing := func(context.Context, *job.Run) error { return fmt.Errorf("the disk is full") }
	s.Services.Jobs.Add(job.Kind{Name: "report", Run: failing})
	ask(t, s)
	return before, await(t, s, `workforce_jobs{kind="report",state="failed"} 1`)
}

func passwordsGuessed(t *testing.T) (before, after string) {
	s := harness.New(t, testdb.SQLite(t))
	s.SignIn(t, "budi", "budi@demo.test")
	before = scrape(s)
	for i := range 25 {
		s.Send(t, "POST", "/user/login", fmt.Sprintf(`{"username":"guess%d@demo.test","password":"guess"}`, i),
			map[string]string{"X-Device-Token": s.Vars["budi.device"]})
	}
	return before, scrape(s)
}

func clockInsRefused(t *testing.T) (before, after string) {
	s := harness.New(t, testdb.SQLite(t))
	s.SignIn(t, "budi", "budi@demo.test")
	before = scrape(s)
	for range 25 {
		s.Send(t, "POST", "/attendance/clockIn", `{"addressId":"999999999"}`, s.HeaderOf("budi"))
	}
	return before, scrape(s)
}

// fill takes all room of a lane, until the test ends.
func fill(t *testing.T, s *harness.Server) {
	t.Helper()
	lane := s.Executor.Lanes.Queries
	for lane.Waiting() == 0 {
		go func() {
			if leave, err := lane.Enter(t.Context()); err == nil {
				<-t.Context().Done()
				leave()
			}
		}()
		time.Sleep(time.Millisecond)
	}
}

func operationsWait(t *testing.T) (before, after string) {
	s := harness.New(t, testdb.SQLite(t))
	before = scrape(s)
	fill(t, s)
	return before, scrape(s)
}

func overloaded(t *testing.T) (before, after string) {
	s := harness.New(t, testdb.SQLite(t))
	s.SignIn(t, "admin", "admin@demo.test")
	before = scrape(s)
	s.Executor.Lanes.Queries.Wait = 100 * time.Millisecond
	fill(t, s)
	resp, text := s.Send(t, "POST", "/graphql", `{"query":"{users{totalCount}}"}`, s.HeaderOf("admin"))
	if !strings.Contains(string(text), "UNAVAILABLE") {
		t.Errorf("%s %s", resp.Status, text)
	}
	return before, scrape(s)
}

func operationsFail(t *testing.T) (before, after string) {
	s := harness.New(t, testdb.SQLite(t))
	s.SignIn(t, "budi", "budi@demo.test")
	before = scrape(s)
	if _, err := s.Store.DB.Writer.ExecContext(t.Context(), "ALTER TABLE designations RENAME TO lost"); err != nil {
		t.Fatal(err)
	}
	if resp, text := s.Get(t, "budi", "/user?search=Andini"); resp.StatusCode != 500 {
		t.Errorf("%s %s", resp.Status, text)
	}
	return before, scrape(s)
}

// aside has a database of MariaDB do something by a connection beside the server's, while tickets are made,
// and undo it after a while.
func aside(t *testing.T, tickets int, while time.Duration, do, undo []string) (before, after string) {
	t.Helper()
	s := harness.New(t, testdb.MySQL(t))
	s.SignIn(t, "admin", "admin@demo.test")
	before = scrape(s)
	conn, err := s.Store.DB.Writer.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	run := func(statements []string) {
		for _, statement := range statements {
			if _, err := conn.ExecContext(t.Context(), statement); err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
		}
	}
	run(do)
	var asked sync.WaitGroup
	for i := range tickets {
		asked.Go(func() { ticket(t, s, fmt.Sprint("waits-", i)) })
	}
	if while == 0 {
		after = await(t, s, fmt.Sprint("workforce_idempotency_claims_in_progress ", tickets))
	}
	time.Sleep(while)
	run(undo)
	asked.Wait()
	if while > 0 {
		after = scrape(s)
	}
	return before, after
}

var lockTickets, unlockTickets = []string{"LOCK TABLES tickets WRITE"}, []string{"UNLOCK TABLES"}

func writesHang(t *testing.T) (before, after string) {
	return aside(t, runtime.GOMAXPROCS(0)+1, 0, lockTickets, unlockTickets)
}

func statementsSlow(t *testing.T) (before, after string) {
	return aside(t, 1, time.Second, lockTickets, unlockTickets)
}

func commitsSlow(t *testing.T) (before, after string) {
	return aside(t, 1, time.Second, []string{
		"BACKUP STAGE START", "BACKUP STAGE FLUSH", "BACKUP STAGE BLOCK_DDL", "BACKUP STAGE BLOCK_COMMIT",
	}, []string{"BACKUP STAGE END"})
}

func versionsDiffer(t *testing.T) (before, after string) {
	on := func(version string) string {
		return scrape(harness.New(t, testdb.SQLite(t), func(c *server.Config) { c.Version = version }))
	}
	before = on("1.0.0")
	return before, before + on("1.1.0")
}

func cacheUseless(t *testing.T) (before, after string) {
	s := harness.New(t, testdb.SQLite(t))
	s.SignIn(t, "admin", "admin@demo.test")
	before = scrape(s)
	for i := range 40 {
		s.Send(t, "GET", fmt.Sprintf("/user?search=nobody%d", i), "", s.HeaderOf("admin"))
	}
	return before, scrape(s)
}

// A listener counts nothing.
type listener struct{}

func (listener) Deliver(live.Delivery) {}
func (listener) End(live.Cause)        {}

// listen opens so many connections for subscriptions, of strangers.
func listen(t *testing.T, s *harness.Server, n int) (all []*live.Connection) {
	t.Helper()
	for i := range n {
		c, err := s.Services.Live.Connect(fmt.Sprint("192.0.2.", i), listener{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		all = append(all, c)
	}
	return all
}

func streamsNearLimit(t *testing.T) (before, after string) {
	s := harness.New(t, testdb.SQLite(t))
	s.Services.Live.Most = 20
	listen(t, s, 10)
	before = scrape(s)
	listen(t, s, 9)
	return before, scrape(s)
}

func streamsMiss(t *testing.T) (before, after string) {
	s := harness.New(t, testdb.SQLite(t))
	before = scrape(s)
	for _, c := range listen(t, s, 10) {
		c.Overflow()
	}
	return before, scrape(s)
}

func backupOld(t *testing.T) (before, after string) {
	s := harness.New(t, testdb.SQLite(t), func(c *server.Config) {
		c.BackupTo, c.BackupEvery, c.BackupKeep = t.TempDir(), 24*time.Hour, 2
	})
	before = await(t, s, `workforce_backup_age_seconds \d`)
	s.Rest()
	s.Clock.Advance(49 * time.Hour)
	return before, await(t, s, `workforce_backup_age_seconds 1\d{5}`)
}

func certificateExpires(t *testing.T) (before, after string) {
	dir, now := t.TempDir(), time.Now()
	cert, key := certtest.Files(t, dir, now.Add(-time.Hour), now.AddDate(0, 0, 60), "wf.test")
	s := harness.New(t, testdb.SQLite(t), func(c *server.Config) { c.TLSCert, c.TLSKey = cert, key })
	before = scrape(s)
	certtest.Files(t, dir, now.Add(-time.Hour), now.Add(3*24*time.Hour), "wf.test")
	return before, await(t, s, `workforce_tls_certificate_expires_seconds 259\d\d\d`)
}

func clockWrong(t *testing.T) (before, after string) {
	url := testdb.MySQL(t)
	on := func(ahead time.Duration) *harness.Server {
		return harness.New(t, url, func(c *server.Config) {
			c.Now, c.Clock = nil, nil
			c.Machine = func() time.Time { return time.Now().Add(ahead) }
		})
	}
	return scrape(on(0)), scrape(on(-10 * time.Minute))
}

func memory(t *testing.T) (before, after string) {
	s := harness.New(t, testdb.SQLite(t))
	before = scrape(s)
	held := make([]byte, 64<<20)
	for i := range held {
		held[i] = 1
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(32 << 20))
	after = scrape(s)
	runtime.KeepAlive(held)
	return before, after
}
