package faults

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// What a request asks for.
const (
	clockIn  = "clock-in"
	clockOut = "clock-out"
	newRole  = "role"
	newUser  = "user" // with a password, which is hashed outside of the transaction
)

// A request is one write. It is sent until it is acknowledged, under one key.
type request struct {
	key  string // of X-Req-Id or Idempotency-Key; its row bears it as note or name
	kind string
	who  string    // e-mail address
	at   time.Time // when the event was, by the phone; zero for roles and users
}

// An answer is what one attempt to send a request brought.
type answer struct {
	status int
	body   string
	err    error // none came
}

// acknowledged reports whether the request was carried out, now or earlier.
func (a answer) acknowledged() bool { return a.err == nil && a.status == 200 }

// unknown reports whether the answer leaves open what became of the request.
func (a answer) unknown() bool {
	return a.err != nil || a.status == 503 || a.status == 409 && strings.Contains(a.body, "IDEMPOTENCY_IN_PROGRESS")
}

func (a answer) String() string {
	if a.err != nil {
		return a.err.Error()
	}
	return fmt.Sprintf("%d %.300s", a.status, a.body)
}

// A row is the effect of a request, as the database has it.
type row = request

// A ledger has every request with all its answers.
type ledger struct {
	mu      sync.Mutex
	entries map[string]*entry
	stale   []string // reads that lacked what was acknowledged before
	reads   int      // of what was acknowledged, that were answered
}

type entry struct {
	request
	answers []answer
}

func newLedger() *ledger { return &ledger{entries: map[string]*entry{}} }

// begin notes a request before it is first sent.
func (l *ledger) begin(r request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries[r.key] = &entry{request: r}
}

// record notes an answer.
func (l *ledger) record(r request, a answer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.entries[r.key]
	e.answers = append(e.answers, a)
}

// read notes a read of what was acknowledged; wrong is empty where it was right.
func (l *ledger) read(wrong string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reads++
	if wrong != "" {
		l.stale = append(l.stale, wrong)
	}
}

// acknowledged counts the requests that were.
func (l *ledger) acknowledged() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, e := range l.entries {
		if slices.ContainsFunc(e.answers, answer.acknowledged) {
			n++
		}
	}
	return n
}

// problems compares all that was answered with the rows that are there, and returns
// what does not agree, sorted.
func (l *ledger) problems(rows []row) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var found []string
	say := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	kept := map[string][]row{}
	for _, r := range rows {
		kept[r.key] = append(kept[r.key], r)
		if l.entries[r.key] == nil {
			say("unasked: the row %+v", r)
		}
	}
	for _, e := range l.entries {
		rows := kept[e.key]
		if len(rows) > 1 {
			say("doubled: %s has %d rows", e, len(rows))
		}
		for _, r := range rows {
			if r.kind != e.kind || r.who != e.who || !r.at.Equal(e.at) {
				say("altered: %s has the row %+v", e, r)
			}
		}
		e.compare(len(rows) > 0, say)
	}
	for _, s := range l.stale {
		say("stale: %s", s)
	}
	slices.Sort(found)
	return found
}

// compare looks at the answers of one request, of which there is a row or not.
func (e *entry) compare(kept bool, say func(string, ...any)) {
	i := slices.IndexFunc(e.answers, answer.acknowledged)
	for n, a := range e.answers {
		switch {
		case a.unknown():
		case !a.acknowledged():
			say("failed: %s, attempt %d of %d: %s", e, n+1, len(e.answers), a)
		case a.body != e.answers[i].body:
			say("answered otherwise: %s, %s, then %s", e, e.answers[i], a)
		}
	}
	if i >= 0 && !kept {
		say("lost: %s was acknowledged and has no row", e)
	}
	if last := len(e.answers) - 1; i < 0 && last >= 0 {
		say("never acknowledged: %s, %d attempts, the last %s", e, len(e.answers), e.answers[last])
	}
	if i < 0 && kept && !slices.ContainsFunc(e.answers, answer.unknown) {
		say("refused, yet kept: %s", e)
	}
}

func (e *entry) String() string {
	return fmt.Sprintf("%s of %s (%s)", e.kind, e.who, e.key)
}
