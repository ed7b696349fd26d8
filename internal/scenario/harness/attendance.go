package harness

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/viewer"
)

// Pass moves the clock on, beyond what counts as a double tap.
func (s *Server) Pass(t *testing.T, names ...string) {
	t.Helper()
	s.MoveTo(t, s.Clock.Now().Add(5*time.Minute), names...)
}

// An Outcome is what a request got.
type Outcome struct {
	Status   int
	Body     string
	Replayed bool
}

// Storm sends requests all at once and returns how often each answer came.
func (s *Server) Storm(t *testing.T, requests []apitest.Scenario) map[Outcome]int {
	t.Helper()
	var mu sync.Mutex
	answers := map[Outcome]int{}
	start := make(chan struct{})
	var running sync.WaitGroup
	for _, r := range requests {
		running.Go(func() {
			<-start
			a, err := s.Attempt(r)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			answers[a]++
		})
	}
	close(start)
	running.Wait()
	return answers
}

// Attempt sends the request of a scenario, a POST unless it names a method.
func (s *Server) Attempt(r apitest.Scenario) (Outcome, error) {
	req, err := http.NewRequest(cmp.Or(r.Method, http.MethodPost), s.URL+r.Path, strings.NewReader(filled(s, r.Body)))
	if err != nil {
		return Outcome{}, err
	}
	if r.Body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range r.Header {
		req.Header.Set(name, filled(s, value))
	}
	resp, err := s.HTTP.Do(req)
	if err != nil {
		return Outcome{}, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return Outcome{resp.StatusCode, strings.TrimSpace(string(body)), resp.Header.Get("Idempotent-Replayed") != ""}, err
}

// filled puts saved values into text.
func filled(s *Server, text string) string {
	for name, value := range s.Vars {
		text = strings.ReplaceAll(text, "{{"+name+"}}", value)
	}
	return text
}

// Far is a position some 4 km from Kantor Pusat, which members put into a body.
var Far = []string{"latitude", `"-6.230000"`, "longitude", `"106.840000"`}

const ClockInMutation = `mutation In($input: ClockInInput!) { clockIn(input: $input) { clockedIn } }`

// Bearer is the Authorization of somebody who signed in under a name, with more
// headers beside it: name, value, name, value.
func Bearer(name string, more ...string) map[string]string {
	h := map[string]string{"Authorization": "Bearer {{" + name + ".access}}"}
	for i := 0; i < len(more); i += 2 {
		h[more[i]] = more[i+1]
	}
	return h
}

// Jakarta is a time of the tests' day in Jakarta, hours beyond 24 on the next.
func Jakarta(hour, minute, second int) time.Time {
	return time.Date(2026, 3, 10, hour, minute, second, 0, Morning.Location())
}

// MoveTo moves the clock to a time and gives those who signed in fresh tokens.
func (s *Server) MoveTo(t *testing.T, to time.Time, names ...string) {
	t.Helper()
	s.Clock.Set(to)
	for _, name := range names {
		s.Run(t, []apitest.Scenario{{
			Name: name + " at " + to.Format("15:04:05"), Path: "/authorize/refresh-token",
			Header: map[string]string{"x-Refresh-Token": "{{" + name + ".refresh}}"},
			Save:   map[string]string{name + ".access": "/accessToken", name + ".refresh": "/refreshToken"},
		}})
	}
}

// SaveSites keeps the ids of the demo's work sites: {{pusat}}, {{bandung}} and
// {{cikarang}}.
func (s *Server) SaveSites(t *testing.T, name string) {
	t.Helper()
	s.Run(t, []apitest.Scenario{{
		Name: "sites", Path: "/attendance/allowedLocations", Header: Bearer(name),
		Want: `[
			{"addressId":"<digits>","name":"Gudang Cikarang","address":"Kawasan Industri Jababeka, Cikarang","latitude":"-6.284913","longitude":"107.170641","radius":250},
			{"addressId":"<digits>","name":"Kantor Bandung","address":"Jalan Asia Afrika 8, Bandung","latitude":"-6.921151","longitude":"107.607301","radius":150},
			{"addressId":"<digits>","name":"Kantor Pusat","address":"Jalan M.H. Thamrin 1, Jakarta Pusat","latitude":"-6.200000","longitude":"106.816666","radius":100}]`,
		Save: map[string]string{"cikarang": "/0/addressId", "bandung": "/1/addressId", "pusat": "/2/addressId"},
	}})
}

// SaveShift keeps the id of somebody's first occurrence of today: {{name.shift}}.
func (s *Server) SaveShift(t *testing.T, name string) {
	t.Helper()
	s.Run(t, []apitest.Scenario{{
		Name: name + "'s shift", Path: "/attendance/shiftToday", Header: Bearer(name),
		Save: map[string]string{name + ".shift": "/0/employeeShiftId"},
	}})
}

// ClockBody is the body of a clock event at Kantor Pusat for somebody's shift of
// the day, with members changed or added: name, JSON, name, JSON. The JSON ""
// leaves a member out.
func ClockBody(name string, change ...string) string {
	members := [][2]string{
		{"addressId", `"{{pusat}}"`}, {"employeeShiftId", `"{{` + name + `.shift}}"`},
		{"latitude", `"-6.200000"`}, {"longitude", `"106.816666"`},
	}
	for i := 0; i < len(change); i += 2 {
		at := -1
		for j, m := range members {
			if m[0] == change[i] {
				at = j
			}
		}
		if at < 0 {
			members = append(members, [2]string{change[i], change[i+1]})
		} else {
			members[at][1] = change[i+1]
		}
	}
	var parts []string
	for _, m := range members {
		if m[1] != "" {
			parts = append(parts, fmt.Sprintf("%q:%s", m[0], m[1]))
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// ClockIn is a clock-in that succeeds.
func ClockIn(name string, change ...string) apitest.Scenario {
	return apitest.Scenario{
		Name: name + " clocks in", Path: "/attendance/clockIn", Header: Bearer(name), Body: ClockBody(name, change...),
		Want: `{"clockedIn":true}`, WantHeader: map[string]string{"Idempotent-Replayed": ""},
	}
}

// ClockOut is a clock-out that succeeds.
func ClockOut(name string, change ...string) apitest.Scenario {
	return apitest.Scenario{
		Name: name + " clocks out", Path: "/attendance/clockOut", Header: Bearer(name),
		Body: ClockBody(name, append([]string{"addressId", ""}, change...)...),
		Want: `{"clockedOut":true}`, WantHeader: map[string]string{"Idempotent-Replayed": ""},
	}
}

// Named gives a scenario another name.
func Named(s apitest.Scenario, name string) apitest.Scenario {
	s.Name = name
	return s
}

// Under gives a scenario an X-Req-Id.
func Under(s apitest.Scenario, id string) apitest.Scenario {
	s.Header["X-Req-Id"] = id
	return s
}

// Replayed makes a scenario want the outcome of an earlier request.
func Replayed(s apitest.Scenario) apitest.Scenario {
	s.WantHeader = map[string]string{"Idempotent-Replayed": "true"}
	return s
}

// Refused makes a scenario want a refusal: its status, code, the members named
// in its errors, and its meta.
func Refused(s apitest.Scenario, status int, code, meta string, fields ...string) apitest.Scenario {
	s.Status, s.Want = status, problem(status, code, meta, fields...)
	return s
}

// problem is the body of a refusal, worded anyhow.
func problem(status int, code, meta string, fields ...string) string {
	faults := make([]string, len(fields))
	for i, f := range fields {
		faults[i] = fmt.Sprintf(`{"field":%q,"code":%q,"detail":"/.+/"}`, f, code)
	}
	return fmt.Sprintf(`{"type":"http://wf.test/errors/%s","code":%[1]q,"title":"/.+/","status":%d,"detail":"/.+/","requestId":"/.+/","errors":[%s],"meta":%s}`,
		code, status, strings.Join(faults, ","), meta)
}

// Attendances returns somebody's attendances that began on the tests' day or
// later, the earliest first, from the database.
func (s *Server) Attendances(t *testing.T, email string) []*ent.Attendance {
	t.Helper()
	rows, err := s.Store.Ent.Attendance.Query().
		Where(entAttendance.HasUserWith(user.Email(email)), entAttendance.WorkDateGTE("2026-03-09"), entAttendance.ClockedInAtGTE(Jakarta(0, 0, 0).UTC())).
		WithEmployeeShift().Order(ent.Asc(entAttendance.FieldClockedInAt)).All(viewer.System(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// Landmarks is a usable face of 40 points, JSON, another for each seed.
func Landmarks(seed int) string {
	type point struct {
		X          float64 `json:"x"`
		Y          float64 `json:"y"`
		Z          float64 `json:"z"`
		Visibility float64 `json:"visibility"`
	}
	points := make([]point, 40)
	for i := range points {
		points[i] = point{X: 0.25 + float64(i%8)/16 + float64(seed)/1009, Y: 0.2 + float64(i/8)/9 + float64(seed)/2003, Z: float64(i%5)/70 - 0.01234567890123456}
	}
	text, err := json.Marshal(points)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// Face is a usable face of 68 points, JSON: that of a person, as one of their captures
// shows it.
func Face(person, capture int) string {
	own, noise := rand.New(rand.NewPCG(uint64(person), 1)), rand.New(rand.NewPCG(uint64(person), uint64(1000+capture)))
	points := make([]map[string]float64, 68)
	for i := range points {
		part, angle := float64(i+1)/68, 2.399963*float64(i)
		around := func(v float64) float64 { return v + 0.02*own.NormFloat64() + 0.002*noise.NormFloat64() }
		points[i] = map[string]float64{
			"x": around(0.5 + 0.15*math.Sqrt(part)*math.Cos(angle)), "y": around(0.5 + 0.2*math.Sqrt(part)*math.Sin(angle)), "z": around(-0.1 * (1 - part)),
		}
	}
	text, err := json.Marshal(points)
	if err != nil {
		panic(err)
	}
	return string(text)
}
