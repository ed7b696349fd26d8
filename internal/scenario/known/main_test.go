// Package known repeats, on the whole server, cases that other systems publish or that
// none has, by their ids: A01 to A66, A92, and U1 to U9.
package known

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/address"
	"workforce/ent/employeeshift"
	"workforce/ent/predicate"
	"workforce/ent/user"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
)

// A company is a server with an owner, andini. People are made for one case each.
type company struct{ *harness.Server }

// each runs a test on a server of its own. Access tokens live long: clocks are set to
// and fro.
func each(t *testing.T, test func(t *testing.T, c *company)) {
	harness.OnSQLite(t, func(t *testing.T, s *harness.Server) {
		c := &company{s}
		c.SignIn(t, "andini", "admin@demo.test")
		c.SignIn(t, "ratna", "manager@demo.test")
		c.SaveSites(t, "andini")
		test(t, c)
	}, func(s *server.Config) { s.AccessLife = 29 * harness.Day })
}

// moment reads a time as 2006-01-02 15:04, in Jakarta unless it has an offset.
func moment(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.ParseInLocation("2006-01-02 15:04", text, harness.Morning.Location())
	if err != nil {
		at, err = time.Parse("2006-01-02 15:04 -07:00", text)
	}
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// say asks for a document, and returns the code of its error or "".
func (c *company) say(t *testing.T, who, document string, into any) string {
	t.Helper()
	a := c.AskGraphQL(t, c.HeaderOf(who), document, nil)
	if code := a.Code(); code != "" {
		return code
	}
	if into != nil {
		if err := json.Unmarshal(a.Data, into); err != nil {
			t.Fatal(err, string(a.Data))
		}
	}
	return ""
}

// must asks for a document that has one field, and returns the id of its object.
func (c *company) must(t *testing.T, who, document string) string {
	t.Helper()
	var data map[string]*struct{ ID string }
	if code := c.say(t, who, document, &data); code != "" {
		t.Fatalf("%s: %s", document, code)
	}
	for _, made := range data {
		if made != nil {
			return made.ID
		}
	}
	return ""
}

// person makes somebody who signs in under a name.
func (c *company) person(t *testing.T, name string) {
	t.Helper()
	c.Vars[name] = c.must(t, "andini", fmt.Sprintf(`mutation{createUser(input:{name:%q,email:"%s@demo.test",password:"demo-password"}){id}}`, name, name))
	c.SignIn(t, name, name+"@demo.test")
}

// shift makes a shift, with more members beside its times.
func (c *company) shift(t *testing.T, name, start, end, more string) string {
	t.Helper()
	return c.must(t, "andini", fmt.Sprintf(`mutation{createShift(input:{name:%q,startTime:%q,endTime:%q%s}){id}}`, name, start, end, more))
}

// assign gives somebody a shift, and returns the code of the refusal or "".
func (c *company) assign(t *testing.T, who, shift, more string) string {
	t.Helper()
	return c.say(t, "andini", fmt.Sprintf(`mutation{assignShift(input:{userId:"%s",shiftId:"%s",%s}){id}}`, c.Vars[who], shift, more), nil)
}

// An occurrence is one of shiftToday.
type occurrence struct {
	EmployeeShiftID, Name, Date               string
	StartAt, EndAt, ClockInFrom, ClockInUntil time.Time
}

func (o occurrence) String() string {
	at := func(t time.Time) string { return t.In(jakarta).Format("02 15:04") }
	return fmt.Sprintf("%s %s to %s, window %s to %s", o.Name, at(o.StartAt), at(o.EndAt), at(o.ClockInFrom), at(o.ClockInUntil))
}

// resolve returns the first occurrence whose window is open at a time; nil for none.
func (c *company) resolve(t *testing.T, who, at string) *occurrence {
	t.Helper()
	now := moment(t, at)
	c.Clock.Set(now)
	var data struct{ ShiftToday []occurrence }
	if code := c.say(t, who, `{shiftToday{employeeShiftId name date startAt endAt clockInFrom clockInUntil}}`, &data); code != "" {
		t.Fatal(code)
	}
	for _, o := range data.ShiftToday {
		if !now.Before(o.ClockInFrom) && now.Before(o.ClockInUntil.Add(time.Minute)) {
			return &o
		}
	}
	return nil
}

// clock sends a clock event of somebody at a time, with members changed as ClockBody has
// it, and returns the code of the refusal or "".
func (c *company) clock(t *testing.T, event, who, at string, change ...string) string {
	t.Helper()
	if at != "" {
		c.Clock.Set(moment(t, at))
	}
	request := harness.ClockIn(who, change...)
	if event == "out" {
		request = harness.ClockOut(who, change...)
	}
	o, err := c.Attempt(request)
	if err != nil {
		t.Fatal(err)
	}
	var problem struct{ Code string }
	if err := json.Unmarshal([]byte(o.Body), &problem); err != nil || o.Status >= 500 {
		t.Fatal(o, err)
	}
	if o.Status == 200 && o.Body != `{"clockedIn":true}` && o.Body != `{"clockedOut":true}` {
		t.Errorf("answer %s", o.Body)
	}
	return problem.Code
}

// kept lists somebody's attendances, each as its date and times in a zone, as stored.
func (c *company) kept(t *testing.T, who, zone string) string {
	t.Helper()
	var data struct {
		Attendances struct {
			Edges []struct {
				Node struct {
					WorkDate                  string
					ClockedInAt, ClockedOutAt *time.Time
				}
			}
		}
	}
	code := c.say(t, "andini", fmt.Sprintf(`{attendances(first:50,where:{hasUserWith:[{id:"%s"}]},orderBy:{field:CLOCKED_IN_AT,direction:ASC}){edges{node{workDate clockedInAt clockedOutAt}}}}`, c.Vars[who]), &data)
	if code != "" {
		t.Fatal(code)
	}
	there, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range data.Attendances.Edges {
		text := e.Node.WorkDate[5:] + " " + e.Node.ClockedInAt.In(there).Format("15:04") + " to "
		if out := e.Node.ClockedOutAt; out == nil {
			text += "open"
		} else {
			text += out.In(there).Format("15:04")
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

// jakarta is the zone of the companies; instants of GraphQL are UTC.
var jakarta = time.FixedZone("WIB", 7*3600)

func want(t *testing.T, about, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %q, want %q", about, got, want)
	}
}

// userNamed matches somebody of the first company by what stands before the @.
func userNamed(who string) predicate.User { return user.Email(who + "@demo.test") }

// addressOfOthers matches the work sites of other companies.
func addressOfOthers(company int) predicate.Address { return address.CompanyIDNEQ(company) }

// shiftOfOthers matches the occurrences of colleagues.
func shiftOfOthers(u *ent.User) predicate.EmployeeShift {
	return employeeshift.And(employeeshift.CompanyID(u.CompanyID), employeeshift.UserIDNEQ(u.ID))
}

// float reads a number.
func float(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
