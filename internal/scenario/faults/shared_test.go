package faults

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"workforce/internal/apitest"
	"workforce/internal/database"
)

// allowance is how many days of leave the sharing people have.
const allowance = 20

// A sharing is people who write the same rows on two servers at once: the counter of the
// company's tickets, the timer and the clock events of one person on two devices, a
// person's allowance of leave, and the reports that two servers make.
type sharing struct {
	devices   [2]*person // of one person, each on a server of its own
	urls      []string
	leaveType string // id of the type of leave with the allowance

	mu       sync.Mutex
	told     map[string][]string // what was acknowledged, by kind
	refusals map[string]int      // by kind and code
}

// refused lists the refusals that are right when others write the same rows. Anything is
// UNAVAILABLE to whom others were faster five times.
var refused = []string{
	"clock ALREADY_CLOCKED_IN", "clock NOT_CLOCKED_IN", // the other device was faster
	"clock CONFLICT",      // within the attendance that the other device closed: the servers' clocks differ a little
	"leave CONFLICT",      // the allowance is used
	"report RATE_LIMITED", // five are being made
}

// share signs one person in on two devices.
func (w *world) share(t *testing.T) *sharing {
	t.Helper()
	s := &sharing{urls: w.urls(), told: map[string][]string{}, refusals: map[string]int{}}
	for i := range s.devices {
		p := newPerson("dewi@demo.test")
		w.signIn(t, p, fmt.Sprint("shared-", i))
		p.chooseShift(t, s.urls[0])
		p.server, s.devices[i] = i, p
	}
	owner := newPerson("admin@demo.test")
	w.signIn(t, owner, "shared-owner")
	_, body := owner.graphql(s.urls[0], fmt.Sprintf(
		`mutation{createLeaveType(input:{name:"Shared",yearlyAllowance:%d}){id}}`, allowance))
	var made struct{ CreateLeaveType struct{ ID string } }
	if err := json.Unmarshal(body, &made); err != nil || made.CreateLeaveType.ID == "" {
		t.Fatalf("a type of leave: %v, %s", err, body)
	}
	s.leaveType = made.CreateLeaveType.ID
	return s
}

// graphql returns the data of an answer, or the code of its error.
func (p *person) graphql(url, query string) (code string, data json.RawMessage) {
	a := p.ask(url, "POST", "/graphql", apitest.Query(query, nil), nil)
	var got struct {
		Data   json.RawMessage
		Errors []struct{ Extensions struct{ Code string } }
	}
	switch err := json.Unmarshal([]byte(a.body), &got); {
	case a.err != nil || err != nil:
		return a.String(), nil
	case len(got.Errors) > 0:
		return got.Errors[0].Extensions.Code, nil
	}
	return "", got.Data
}

// record keeps what one request brought.
func (s *sharing) record(kind, code, told string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if code != "" {
		s.refusals[kind+" "+code]++
		return
	}
	s.told[kind] = append(s.told[kind], told)
}

// run has both devices send requests of all kinds until ctx ends, two of each at once, and
// waits for the answers to all.
func (s *sharing) run(ctx context.Context) {
	var wg sync.WaitGroup
	for _, p := range s.devices {
		for name, send := range map[string]func(*person, int){
			"tickets": s.ticket, "timers": s.timer, "clock": s.clock, "leave": s.leave, "reports": s.report,
		} {
			for worker := range 2 {
				if worker > 0 && name != "tickets" && name != "timers" {
					continue
				}
				wg.Go(func() {
					for n := worker; ctx.Err() == nil; n += 2 {
						send(p, n)
					}
				})
			}
		}
	}
	wg.Wait()
}

func (s *sharing) ticket(p *person, n int) {
	subject := fmt.Sprintf("shared %d-%d", p.server, n)
	code, data := p.graphql(s.urls[p.server], fmt.Sprintf(`mutation{createTicket(input:{subject:%q}){number}}`, subject))
	var made struct{ CreateTicket struct{ Number int } }
	_ = json.Unmarshal(data, &made)
	s.record("ticket", code, fmt.Sprintf("%d %s", made.CreateTicket.Number, subject))
}

func (s *sharing) timer(p *person, n int) {
	code, data := p.graphql(s.urls[p.server], fmt.Sprintf(
		`mutation{startTimer(input:{title:"shared %d-%d"}){id}}`, p.server, n%5))
	var made struct{ StartTimer struct{ ID string } }
	_ = json.Unmarshal(data, &made)
	s.record("timer", code, made.StartTimer.ID)
}

func (s *sharing) clock(p *person, n int) {
	path := [...]string{"/attendance/clockIn", "/attendance/clockOut"}[n/2%2]
	note := fmt.Sprintf("shared %d-%d", p.server, n)
	a := p.ask(s.urls[p.server], "POST", path, fmt.Sprintf(
		`{"addressId":%q,"employeeShiftId":%q,"latitude":"-6.2","longitude":"106.816666","note":%q}`,
		p.site, p.shift, note), nil)
	var problem struct{ Code string }
	_ = json.Unmarshal([]byte(a.body), &problem)
	if problem.Code == "" && !a.acknowledged() {
		problem.Code = a.String()
	}
	s.record("clock", problem.Code, note)
}

func (s *sharing) leave(p *person, n int) {
	day := time.Date(2026, 4, 1+n/2+100*p.server, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
	if n/2 >= 90 {
		time.Sleep(time.Second) // no day is left
		return
	}
	code, data := p.graphql(s.urls[p.server], fmt.Sprintf(
		`mutation{requestLeave(input:{typeId:%q,startsOn:%q,endsOn:%q,reason:"shared",includeHolidays:true}){id}}`,
		s.leaveType, day, day))
	var made struct{ RequestLeave struct{ ID string } }
	_ = json.Unmarshal(data, &made)
	s.record("leave", code, made.RequestLeave.ID)
}

func (s *sharing) report(p *person, n int) {
	day := time.Date(2026, 1, 1+n/2%30, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
	code, data := p.graphql(s.urls[p.server], fmt.Sprintf(
		`mutation{generateReport(input:{kind:%s,format:csv,from:%q,to:%q}){id}}`,
		[...]string{"attendance", "task"}[p.server], day, day))
	var made struct{ GenerateReport struct{ ID string } }
	_ = json.Unmarshal(data, &made)
	s.record("report", code, made.GenerateReport.ID)
	time.Sleep(200 * time.Millisecond)
}

// check compares what was acknowledged with the rows of a database.
func (s *sharing) check(t *testing.T, url string) {
	t.Helper()
	db, err := database.Open(url, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	read := func(query string) (all []string) {
		rows, err := db.Reader.QueryContext(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var one string
			if err := rows.Scan(&one); err != nil {
				t.Fatal(err)
			}
			all = append(all, one)
		}
		if rows.Err() != nil {
			t.Fatal(rows.Err())
		}
		return all
	}
	mine := "user_id = (SELECT id FROM users WHERE email = 'dewi@demo.test')"
	for refusal, n := range s.refusals {
		if !slices.Contains(refused, refusal) && !strings.HasSuffix(refusal, " UNAVAILABLE") {
			t.Errorf("%d refusals: %s", n, refusal)
		}
	}
	same := func(kind string, rows, told []string) {
		slices.Sort(rows)
		told = slices.Sorted(slices.Values(told))
		if !slices.Equal(rows, told) {
			t.Errorf("%s: %d rows, %d acknowledged; of the one alone %v, of the other alone %v", kind, len(rows), len(told),
				without(rows, told), without(told, rows))
		}
	}
	tickets := read("SELECT CONCAT(number, ' ', subject) FROM tickets WHERE subject LIKE 'shared %'")
	same("tickets", tickets, s.told["ticket"])
	company := "(SELECT company_id FROM users WHERE email = 'dewi@demo.test')" // each node gives other ids
	numbers := read("SELECT number FROM tickets WHERE company_id = " + company)
	last := read("SELECT last FROM ticket_counters WHERE id = " + company)
	if len(last) != 1 || last[0] != fmt.Sprint(len(numbers)) {
		t.Errorf("%d tickets, the counter is at %v", len(numbers), last)
	}
	timers := read("SELECT e.id FROM time_entries e JOIN tasks t ON t.id = e.task_id" +
		" WHERE t.title LIKE 'shared %' AND e." + mine)
	same("timers", timers, s.told["timer"])
	running := read("SELECT id FROM time_entries WHERE ended_at IS NULL AND " + mine)
	if len(running) > 1 { // none where clocking out was last: it stops the timer
		t.Errorf("timers %v run, want one at most", running)
	}
	// The same event within two minutes is acknowledged too, and keeps no note.
	events := read("SELECT clocked_in_note FROM attendances WHERE clocked_in_note LIKE 'shared %' AND " + mine +
		" UNION ALL SELECT clocked_out_note FROM attendances WHERE clocked_out_note LIKE 'shared %' AND " + mine)
	if refusedYetKept := without(events, s.told["clock"]); len(events) == 0 || len(refusedYetKept) > 0 {
		t.Errorf("%d clock events, of which %v were refused", len(events), refusedYetKept)
	}
	if over := read("SELECT a.id FROM attendances a JOIN attendances b ON b.user_id = a.user_id AND b.id > a.id" +
		" AND b.clocked_in_at < COALESCE(a.clocked_out_at, '2999-01-01')" +
		" AND a.clocked_in_at < COALESCE(b.clocked_out_at, '2999-01-01')" +
		" WHERE a." + mine); len(over) > 0 {
		t.Errorf("attendances %v overlap others", over)
	}
	if open := read("SELECT id FROM attendances WHERE clocked_out_at IS NULL AND " + mine); len(open) > 1 {
		t.Errorf("attendances %v are open", open)
	}
	same("leave", read("SELECT id FROM leaves WHERE reason = 'shared'"), s.told["leave"])
	if n := len(s.told["leave"]); n > allowance {
		t.Errorf("%d days of leave, of %d", n, allowance)
	}
	made := read("SELECT id FROM reports WHERE status = 'done' AND file_id IS NOT NULL")
	for _, id := range without(s.told["report"], made) {
		t.Errorf("report %s was not made", id)
	}
	t.Logf("acknowledged %v, refused %v", s.counts(), s.refusals)
}

// counts returns how many of each kind were acknowledged.
func (s *sharing) counts() string {
	var all []string
	for _, kind := range slices.Sorted(maps.Keys(s.told)) {
		all = append(all, fmt.Sprintf("%s %d", kind, len(s.told[kind])))
	}
	return strings.Join(all, ", ")
}

// without returns the first texts that others are not among, at most ten.
func without(all, others []string) []string {
	var left []string
	for _, one := range all {
		if !slices.Contains(others, one) && len(left) < 10 {
			left = append(left, one)
		}
	}
	return left
}

// sharedRows has people write the same rows on both servers for a while.
func sharedRows(t *testing.T, w *world, url string) {
	t.Helper()
	s := w.share(t)
	ctx, stop := context.WithTimeout(t.Context(), max(4*time.Second, *long/4))
	defer stop()
	s.run(ctx)
	s.settle(t, url)
	s.check(t, url)
}

// settle waits until no report is being made.
func (s *sharing) settle(t *testing.T, url string) {
	t.Helper()
	db, err := database.Open(url, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	left := 1
	for deadline := time.Now().Add(limit); left > 0 && time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if err := db.Reader.QueryRow("SELECT COUNT(*) FROM reports WHERE finished_at IS NULL").Scan(&left); err != nil {
			t.Fatal(err)
		}
	}
	if left > 0 {
		t.Errorf("%d reports are not made", left)
	}
}
