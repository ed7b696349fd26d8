package faults

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// A backend stands for two servers on one database. It has at most one bug, which
// shows at the tenth request.
type backend struct {
	bug string

	mu       sync.Mutex
	rows     []row
	answered map[string]string // by key
	tenth    string            // its key
	events   int               // since the tenth request, that reads lack
}

// ServeHTTP answers the requests of a load.
func (b *backend) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r.Method == "GET" {
		b.today(w)
		return
	}
	var body struct {
		Note       string
		RecordedAt time.Time
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, err.Error(), 400)
		return
	}
	if len(b.answered) == 9 && b.tenth == "" {
		b.tenth = body.Note
	}
	bug := ""
	if body.Note == b.tenth {
		bug = b.bug
	}
	if stored, ok := b.answered[body.Note]; ok {
		if bug == "replays another answer" {
			stored = `{"clockedIn":false}`
		}
		w.Write([]byte(stored))
		return
	}
	if bug == "poisons a key" {
		http.Error(w, `{"code":"INTERNAL"}`, 500)
		return
	}
	if bug == "hangs up before the effect" {
		b.tenth = "-"
		panic(http.ErrAbortHandler)
	}
	b.write(bug, r.URL.Path, body.Note, body.RecordedAt)
	switch bug {
	case "refuses what it keeps":
		http.Error(w, `{"code":"OUTSIDE_ALLOWED_LOCATION"}`, http.StatusUnprocessableEntity)
		return
	case "hangs up after the effect":
		panic(http.ErrAbortHandler)
	case "fails once":
		b.tenth = "-"
		delete(b.answered, body.Note)
		b.rows = b.rows[:len(b.rows)-1]
		http.Error(w, `{"code":"INTERNAL"}`, 500)
		return
	}
	w.Write([]byte(b.answered[body.Note]))
}

// write stores what a request asks for.
func (b *backend) write(bug, path, key string, at time.Time) {
	name, _, _ := strings.Cut(strings.TrimPrefix(key, "fault-"), "-")
	one := row{key, clockIn, name + "@demo.test", at}
	if strings.HasSuffix(path, "clockOut") {
		one.kind = clockOut
	}
	switch bug {
	case "alters the time":
		one.at = at.Add(time.Millisecond)
	case "gives it to another":
		one.who = "admin@demo.test"
	}
	if bug != "loses a row" {
		b.rows = append(b.rows, one)
	}
	if bug == "doubles a row" {
		b.rows = append(b.rows, one)
	}
	if bug == "reads what was before" {
		b.events = 1
	}
	if bug == "makes a row of its own" {
		b.rows = append(b.rows, row{"nobody's", clockIn, one.who, at})
	}
	b.answered[key] = `{"clockedIn":true}`
}

// today answers as many events as there were.
func (b *backend) today(w http.ResponseWriter) {
	events := len(b.answered) - b.events
	b.events = 0
	list := strings.Repeat(`{"clockOutAt":"x"},`, events/2) + strings.Repeat(`{"clockOutAt":null},`, events%2)
	w.Write([]byte(`{"entries":[` + strings.TrimSuffix(list, ",") + `]}`))
}

// TestLedger plants one bug at a time. The ledger finds each, and nothing where
// there is none.
func TestLedger(t *testing.T) {
	for _, tt := range []struct{ bug, want string }{
		{"none", ""},
		{"hangs up before the effect", ""},
		{"hangs up after the effect", ""},
		{"loses a row", "lost: "},
		{"doubles a row", "doubled: "},
		{"alters the time", "altered: "},
		{"gives it to another", "altered: "},
		{"makes a row of its own", "unasked: "},
		{"replays another answer", "answered otherwise: "},
		{"reads what was before", "stale: "},
		{"fails once", "failed: "},
		{"poisons a key", "never acknowledged: "},
		{"refuses what it keeps", "refused, yet kept: "},
	} {
		t.Run(tt.bug, func(t *testing.T) {
			b := &backend{bug: tt.bug, answered: map[string]string{}}
			server := httptest.NewServer(b)
			defer server.Close()
			p := newPerson("budi@demo.test")
			p.site, p.shift = "1", "1"
			l := &load{ledger: newLedger(), urls: []string{server.URL, server.URL}, clock: time.Now, patience: 20 * time.Millisecond, people: []*person{p}}
			for p.sent < 15 && l.once(p) {
			}
			found := strings.Join(l.problems(b.rows), "\n")
			if tt.want == "" && found != "" || !strings.Contains(found, tt.want) {
				t.Errorf("found %q, want %q", found, tt.want)
			}
		})
	}
}
