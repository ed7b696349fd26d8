package webapp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/user"
	"workforce/internal/scenario/harness"
	"workforce/internal/verdict"
	"workforce/internal/viewer"
)

// TestPhoneOffline clocks in and out on a phone whose line, tabs, browser, session and clock fail: with
// WEB_FULL 500 times, else as often as each fault needs.
func TestPhoneOffline(t *testing.T) {
	t.Parallel()
	p := newPhone(t)
	told := map[string]any{
		"queue": "/app/" + chunk(t, "queue", ".js"), "other": "admin@demo.test", "count": 1,
		"event": map[string]any{
			"employeeShiftId": p.s.Vars["budi.shift"], "addressId": p.s.Vars["pusat"], "latitude": -6.2, "longitude": 106.816666,
			"accuracy": 10, "shift": "Fleksibel", "site": "Kantor Pusat",
		},
	}
	if os.Getenv("WEB_FULL") != "" {
		told["count"] = 500
	}
	useAs(t, p.s, employee, "phone-offline.mjs", told, map[string]func(string) string{
		"pass": func(seconds string) string {
			p.s.Clock.Advance(time.Duration(p.number(seconds)) * time.Second)
			return ""
		},
		"line": func(text string) string {
			how, n, _ := strings.Cut(text, " ")
			p.line.set(how, p.number("0"+n))
			return ""
		},
		"held":    func(string) string { <-p.line.held; return "" },
		"version": func(string) string { return p.line.nextVersion() },
		"end":     p.endSessions,
		"next": func(who string) string {
			p.codes[who]++
			return p.s.Log.Code(t, who, p.codes[who])
		},
		"taken": p.waitFor,
		"rows":  p.want,
	})
}

// A phone is that of an employee whose line to the server is flawed.
type phone struct {
	t     *testing.T
	s     *harness.Server
	line  *flawed
	from  time.Time
	codes map[string]int // that were used, by address
}

func newPhone(t *testing.T) *phone {
	t.Helper()
	s := newServer(t)
	s.Clock.Set(harness.Jakarta(0, 10, 0)) // so that a long day fits into one occurrence
	ctx := viewer.System(t.Context())
	harness.Rewrite(t, ctx, s.Store.Ent, func(db *ent.Client) { db.User.Update().SetLocale("en").ExecX(ctx) })
	s.SignIn(t, "budi", employee)
	s.SaveSites(t, "budi")
	s.SaveShift(t, "budi")
	s.Clock.Advance(2 * time.Minute) // another code may be sent
	p := &phone{t: t, s: s, line: newFlawed(t, s.URL, s.Clock.Now), from: s.Clock.Now()}
	p.codes = map[string]int{employee: 1}
	s.URL = p.line.URL
	return p
}

// chunk returns the name of the file of the app whose name begins with some text.
func chunk(t *testing.T, name, extension string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join("..", "..", "web", "dist", name+"-*"+extension))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	return filepath.Base(found[0])
}

func (p *phone) number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		p.t.Error(err)
	}
	return n
}

// rows returns the person's attendances since the test began, the oldest first.
func (p *phone) rows(email string) []*ent.Attendance {
	return p.s.Store.Ent.Attendance.Query().
		Where(entAttendance.HasUserWith(user.Email(email)), entAttendance.ClockedInAtGTE(p.from)).
		Order(ent.Asc(entAttendance.FieldClockedInAt, entAttendance.FieldID)).AllX(viewer.System(p.t.Context()))
}

// endSessions ends the sessions of the person.
func (p *phone) endSessions(string) string {
	ctx, now := viewer.System(p.t.Context()), p.s.Clock.Now()
	harness.Rewrite(p.t, ctx, p.s.Store.Ent, func(db *ent.Client) {
		for _, session := range db.Session.Query().AllX(ctx) {
			session.Update().SetRevokedAt(now).ExecX(ctx)
		}
	})
	return ""
}

// waitFor waits until the database has so many clock events of the person.
func (p *phone) waitFor(text string) string {
	want, end := p.number(text), time.Now().Add(20*time.Second)
	for {
		got := 0
		for _, a := range p.rows(employee) {
			if got++; a.ClockedOutAt != nil {
				got++
			}
		}
		if got == want {
			return ""
		}
		if time.Now().After(end) {
			p.t.Errorf("%d clock events, want %d", got, want)
			return ""
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// want compares what the phone recorded, as JSON, with the rows of the database.
func (p *phone) want(text string) string {
	var recorded []struct {
		Kind, Source string
		At           time.Time
		Wrong        bool // the phone's clock is
	}
	if err := json.Unmarshal([]byte(text), &recorded); err != nil {
		p.t.Fatal(err)
	}
	var want, got []string
	for _, e := range recorded {
		flags := []string{}
		if e.Source == "offline" {
			flags = append(flags, verdict.Offline)
		}
		if e.Wrong {
			flags = []string{"wrong"}
		}
		want = append(want, fmt.Sprint(e.Kind, " ", e.At.UTC().Format(time.RFC3339Nano), " ", e.Source, " ", flags))
	}
	add := func(kind string, at time.Time, source string, flags []string) {
		if n := len(got); n < len(recorded) && recorded[n].Wrong {
			flags = []string{"wrong"}
		}
		got = append(got, fmt.Sprint(kind, " ", at.UTC().Format(time.RFC3339Nano), " ", source, " ", flags))
	}
	for _, a := range p.rows(employee) {
		add("in", a.ClockedInAt, string(a.ClockedInSource), a.ClockedInFlags)
		if a.ClockedOutAt != nil {
			add("out", *a.ClockedOutAt, string(*a.ClockedOutSource), a.ClockedOutFlags)
		}
	}
	for i := range max(len(want), len(got)) {
		if i >= len(want) || i >= len(got) || want[i] != got[i] {
			p.t.Errorf("event %d of %d differs from %d rows:\n%s", i, len(want), len(got), diff(want, got, i))
			break
		}
	}
	if n := len(p.rows("admin@demo.test")); n > 0 {
		p.t.Errorf("another person has %d attendances", n)
	}
	p.t.Logf("%d events are in the database", len(got))
	return ""
}

// diff shows what was wanted and got from a place on.
func diff(want, got []string, from int) string {
	of := func(all []string) string { return strings.Join(all[min(from, len(all)):min(from+3, len(all))], "\n") }
	return "want\n" + of(want) + "\ngot\n" + of(got)
}
