package attendance

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/employeeshift"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/setting"
	"workforce/internal/viewer"
)

// attendanceRuleScenarios try what is refused, and in which order.
func attendanceRuleScenarios(t *testing.T, s *harness.Server) {
	for _, name := range []string{"budi", "agus", "siti", "putri", "dimas"} {
		s.SignIn(t, name, name+"@demo.test")
	}
	s.SignIn(t, "neighbour", "admin@tetangga.test")
	s.SaveSites(t, "budi")
	for _, name := range []string{"budi", "agus", "siti", "putri", "dimas", "neighbour"} {
		s.SaveShift(t, name)
	}
	s.Run(t, []apitest.Scenario{
		{Name: "the neighbours' site", Path: "/attendance/allowedLocations", Header: harness.Bearer("neighbour"),
			Want: `[{"addressId":"<digits>","name":"Toko Tetangga","address":"Jalan Penghibur 10, Makassar","latitude":"-5.142870","longitude":"119.407550","radius":100}]`,
			Save: map[string]string{"toko": "/0/addressId"}},
		{Name: "tomorrow's shift", Path: "/graphql", Header: harness.Bearer("budi"),
			Body: apitest.Query(`{ employeeShifts(first: 1, where: {date: "2026-03-11"}) { edges { node { id } } } }`, nil),
			Save: map[string]string{"tomorrow": "/data/employeeShifts/edges/0/node/id"}},
	})
	t.Run("tokens", func(t *testing.T) { attendanceTokens(t, s) })
	t.Run("members", func(t *testing.T) { attendanceMembers(t, s) })
	t.Run("ids", func(t *testing.T) { attendanceIDs(t, s) })
	t.Run("order", func(t *testing.T) { attendanceOrder(t, s) })
	if n := len(s.Attendances(t, "budi@demo.test")); n != 0 {
		t.Errorf("refused clock-ins left %d attendances", n)
	}
	if n := len(faces(t, s, "budi@demo.test")); n != 0 {
		t.Errorf("refused clock-ins registered %d faces", n)
	}
	t.Run("position", func(t *testing.T) { attendancePosition(t, s) })
	t.Run("open", func(t *testing.T) { attendanceOpen(t, s) })
	t.Run("employment", func(t *testing.T) { attendanceEmployment(t, s) })
	t.Run("time", func(t *testing.T) { attendanceTime(t, s) })
	t.Run("faces", func(t *testing.T) { attendanceFaces(t, s) })
}

func attendanceTokens(t *testing.T, s *harness.Server) {
	var scenarios []apitest.Scenario
	for _, path := range []string{"GET /attendance/today", "GET /attendance/shiftToday", "GET /attendance/allowedLocations", "POST /attendance/clockIn", "POST /attendance/clockOut"} {
		method, path, _ := strings.Cut(path, " ")
		none := apitest.Scenario{Name: path + " without a token", Method: method, Path: path}
		if method == "POST" {
			none.Body = `{}`
		}
		other := none
		other.Name, other.Header = path+" with a device's token", map[string]string{"Authorization": "Bearer {{budi.device}}"}
		scenarios = append(scenarios,
			harness.Refused(none, 401, "UNAUTHENTICATED", `{"reason":"missing","token":"access"}`),
			harness.Refused(other, 401, "UNAUTHENTICATED", `{"reason":"missing","token":"access"}`))
	}
	s.Run(t, scenarios)
}

// attendanceMembers send members that are missing or wrong.
func attendanceMembers(t *testing.T, s *harness.Server) {
	invalid := func(name, body string, fields ...string) apitest.Scenario {
		return harness.Refused(apitest.Scenario{Name: name, Path: "/attendance/clockIn", Header: harness.Bearer("budi"), Body: body}, 422, "VALIDATION_FAILED", `{}`, fields...)
	}
	note := func(n int) string { return strconv.Quote(strings.Repeat("é", n)) }
	scenarios := []apitest.Scenario{
		invalid("nothing at all", `{}`, "addressId", "latitude", "longitude", "employeeShiftId"),
		invalid("nulls", `{"addressId":null,"employeeShiftId":null,"latitude":null,"longitude":null}`, "addressId", "latitude", "longitude", "employeeShiftId"),
		invalid("all faults at once", `{"latitude":"north","longitude":"181","accuracy":-1,"note":`+note(251)+`}`,
			"addressId", "latitude", "longitude", "accuracy", "note", "employeeShiftId"),
		invalid("several wrong types", harness.ClockBody("budi", "addressId", `{}`, "employeeShiftId", `true`, "mocked", `"perhaps"`, "accuracy", `"near"`, "recordedAt", `"today"`, "note", `[]`),
			"addressId", "employeeShiftId", "accuracy", "mocked", "note", "recordedAt"),
		invalid("an instant that is none, and faults of the rules", harness.ClockBody("budi", "recordedAt", `"2026-13-10"`, "latitude", `"north"`, "accuracy", `-1`, "note", note(251)),
			"recordedAt"),
		harness.Named(harness.Refused(harness.ClockOut("budi", "recordedAt", `"2026-13-10"`, "accuracy", `-1`), 422, "VALIDATION_FAILED", `{}`, "recordedAt"), "a clock-out with both"),
		invalid("a wrong type, and members missing", `{"mocked":"perhaps","latitude":1}`, "mocked", "addressId", "employeeShiftId", "longitude"),
		invalid("no shift though there is one today", harness.ClockBody("budi", "employeeShiftId", ""), "employeeShiftId"),
		invalid("a face that is no list", harness.ClockBody("budi", "faceLandmark", `"smile"`), "faceLandmark"),
		invalid("a face without numbers", harness.ClockBody("budi", "faceLandmark", `[{"y":0.1},{"x":"left","y":0.1}]`), "faceLandmark[0].x", "faceLandmark[1].x"),
		harness.Refused(apitest.Scenario{Name: "no JSON", Path: "/attendance/clockIn", Header: harness.Bearer("budi"), Body: `{"latitude":NaN}`}, 400, "BAD_REQUEST", `{}`),
		harness.Refused(apitest.Scenario{Name: "no object", Path: "/attendance/clockIn", Header: harness.Bearer("budi"), Body: `[]`}, 400, "BAD_REQUEST", `{}`),
		harness.Refused(apitest.Scenario{Name: "clock-out with nothing", Path: "/attendance/clockOut", Header: harness.Bearer("budi"), Body: `{}`},
			422, "VALIDATION_FAILED", `{}`, "employeeShiftId", "latitude", "longitude"),
		harness.Named(harness.Refused(harness.ClockOut("budi", "note", note(251), "accuracy", `"1e308"`), 422, "VALIDATION_FAILED", `{}`, "accuracy", "note"), "clock-out with a long note and no accuracy"),
		invalid("accuracy of more than 100 km", harness.ClockBody("budi", "accuracy", `100000.1`), "accuracy"),
		invalid("accuracy 1e308", harness.ClockBody("budi", "accuracy", `1e308`), "accuracy"),
		invalid("accuracy 1e309", harness.ClockBody("budi", "accuracy", `1e309`), "accuracy"),
		invalid("recorded before the year 1000", harness.ClockBody("budi", "recordedAt", `"0001-01-01T00:00:00+07:00"`), "recordedAt"),
	}
	for _, text := range []string{
		"", " ", "north", "NaN", "-Inf", "Infinity", "1e309", "1e1", "0x1p3", "６.2", "1_0", "6,2", "90.000001", "-91", "-6." + strings.Repeat("1", 30),
	} {
		scenarios = append(scenarios,
			invalid("latitude "+text, harness.ClockBody("budi", "latitude", strconv.Quote(text)), "latitude"))
	}
	for _, raw := range []string{"1e309", "-91", "90.5", "0." + strings.Repeat("1", 30), "true", "[]", "{}"} {
		scenarios = append(scenarios, invalid("latitude as "+raw, harness.ClockBody("budi", "latitude", raw), "latitude"))
	}
	for _, zero := range []string{`"0"`, `"0.000000"`, `0`, `-0.0`, `"-0"`} {
		scenarios = append(scenarios, invalid("0,0 as "+zero, harness.ClockBody("budi", "latitude", zero, "longitude", zero), "latitude", "longitude"))
	}
	scenarios = append(scenarios, tooManyPoints()...)
	s.Run(t, append(scenarios, invalidByGraphQL(), apitest.Scenario{
		Name: "in Indonesian", Path: "/attendance/clockIn", Header: harness.Bearer("budi", "X-Language", "id"), Body: harness.ClockBody("budi", "latitude", ""), Status: 422,
		Want: `{"type":"http://wf.test/errors/VALIDATION_FAILED","code":"VALIDATION_FAILED","title":"Masukan tidak valid","status":422,"detail":"Sebagian data yang dikirim kurang atau salah; lihat errors.","requestId":"<any>",
			"errors":[{"field":"latitude","code":"VALIDATION_FAILED","detail":"Wajib diisi."}],"meta":{}}`,
		WantHeader: map[string]string{"Content-Language": "id"},
	}))
}

// tooManyPoints send faces of more than 512 points, which is a fault of the member.
func tooManyPoints() (scenarios []apitest.Scenario) {
	points := func(n int) string { return "[" + strings.Repeat(`{"x":0.1,"y":0.2},`, n-1) + `{"x":0.1,"y":0.2}]` }
	count := func(name string, r apitest.Scenario) apitest.Scenario {
		return harness.Named(harness.Refused(r, 422, "FACE_INVALID", `{"reason":"count"}`, "faceLandmark"), name)
	}
	for _, n := range []int{513, 5_000, 20_000} {
		scenarios = append(scenarios,
			count(fmt.Sprintf("in with %d points", n), harness.ClockIn("budi", "faceLandmark", points(n))),
			count(fmt.Sprintf("out with %d points", n), harness.ClockOut("budi", "faceLandmark", points(n))))
	}
	const all = `[{"field":"faceLandmark","code":"FACE_INVALID","detail":"/.+/"},{"field":"recordedAt","code":"VALIDATION_FAILED","detail":"/.+/"}]`
	both := harness.ClockIn("budi", "faceLandmark", points(20_000), "recordedAt", `"today"`, "accuracy", "-1")
	both.Name, both.Status = "too many points and other faults", 422
	both.Want = `{"type":"http://wf.test/errors/VALIDATION_FAILED","code":"VALIDATION_FAILED","title":"/.+/","status":422,"detail":"/.+/","requestId":"/.+/","errors":` + all + `,"meta":{}}`
	byGraphQL := func(name, face, code, errors, meta string) apitest.Scenario {
		return apitest.Scenario{Name: name + " by GraphQL", Path: "/graphql", Header: harness.Bearer("budi"),
			Body: `{"query":` + strconv.Quote(harness.ClockInMutation) + `,"variables":{"input":` + harness.ClockBody("budi", "faceLandmark", face) + `}}`,
			Want: `{"errors":[{"message":"/.+/","extensions":{"code":"` + code + `","errors":` + errors + `,"meta":` + meta + `,"requestId":"<any>"}}]}`}
	}
	const one = `[{"field":"faceLandmark","code":"FACE_INVALID","detail":"/.+/"}]`
	large := byGraphQL("an array of many values", "[["+strings.Repeat("0,", 5_000)+"0]]", "PAYLOAD_TOO_LARGE", "[]", `{"maxDepth":40,"maxValues":5000}`)
	large.Status = 413
	return append(scenarios,
		count("too many points at a site that is unknown", harness.ClockIn("budi", "faceLandmark", points(513), "addressId", `"999999"`)),
		count("too many points at a site of another company", harness.ClockIn("budi", "faceLandmark", points(513), "addressId", `"{{toko}}"`)),
		both,
		byGraphQL("513 points", points(513), "FACE_INVALID", one, `{"reason":"count"}`),
		byGraphQL("10,000 points", points(10_000), "FACE_INVALID", one, `{"reason":"count"}`),
		large)
}

func invalidByGraphQL() apitest.Scenario {
	return apitest.Scenario{
		Name: "by GraphQL", Path: "/graphql", Header: harness.Bearer("budi", "X-Language", "en"), Body: apitest.Query(harness.ClockInMutation, map[string]any{"input": map[string]any{}}),
		Want: `{"errors":[{"message":"Some of what was sent is missing or wrong; see errors.","path":["clockIn"],"locations":[{"line":1,"column":38}],"extensions":{"code":"VALIDATION_FAILED","errors":[
			{"field":"addressId","code":"VALIDATION_FAILED","detail":"This is required."},
			{"field":"latitude","code":"VALIDATION_FAILED","detail":"This is required."},
			{"field":"longitude","code":"VALIDATION_FAILED","detail":"This is required."},
			{"field":"employeeShiftId","code":"VALIDATION_FAILED","detail":"This is required."}],"meta":{},"requestId":"<any>"}}],"data":null}`,
	}
}

// attendanceIDs name rows that are not there, or not the caller's.
func attendanceIDs(t *testing.T, s *harness.Server) {
	var scenarios []apitest.Scenario
	missing := func(name, field, value string) {
		face := []string{field, value, "faceLandmark", harness.Landmarks(1)}
		scenarios = append(scenarios,
			harness.Named(harness.Refused(harness.ClockIn("budi", face...), 404, "NOT_FOUND", `{}`, field), "clock in with "+name),
			harness.Named(harness.Refused(harness.ClockOut("budi", face...), 404, "NOT_FOUND", `{}`, field), "clock out with "+name),
			apitest.Scenario{
				Name: name + " by GraphQL", Path: "/graphql", Header: harness.Bearer("budi"),
				Body: `{"query":` + strconv.Quote(harness.ClockInMutation) + `,"variables":{"input":` + harness.ClockBody("budi", face...) + `}}`,
				Want: `{"errors":[{"message":"/.+/","path":["clockIn"],"locations":[{"line":1,"column":38}],"extensions":{"code":"NOT_FOUND","errors":[{"field":"` + field + `","code":"NOT_FOUND","detail":"/.+/"}],"meta":{},"requestId":"<any>"}}],"data":null}`,
			})
	}
	for _, field := range []string{"addressId", "employeeShiftId"} {
		for _, value := range []string{`"abc"`, `""`, `"0"`, `"-1"`, `"4.2"`, `"2147483648"`, `"99999999999999999999"`, `"999999"`, `999999`} {
			missing(field+" "+value, field, value)
		}
	}
	missing("another company's site", "addressId", `"{{toko}}"`)
	missing("another company's shift", "employeeShiftId", `"{{neighbour.shift}}"`)
	missing("a colleague's shift", "employeeShiftId", `"{{agus.shift}}"`)
	s.Run(t, scenarios)
	s.Run(t, []apitest.Scenario{ // even the owner of the company has no other's shift
		harness.Named(harness.Refused(apitest.Scenario{Path: "/attendance/clockIn", Header: harness.Bearer("siti"), Body: harness.ClockBody("agus")}, 404, "NOT_FOUND", `{}`, "employeeShiftId"), "a subordinate's shift"),
	})
}

// A flaw is something wrong with a clock-in.
type flaw struct {
	change []string
	status int
	code   string
	meta   string
	field  string
}

// attendanceOrder sends clock-ins with two flaws: the earlier rule judges.
func attendanceOrder(t *testing.T, s *harness.Server) {
	flaws := []flaw{ // in the order in which a clock-in is judged
		{[]string{"note", strconv.Quote(strings.Repeat("x", 251))}, 422, "VALIDATION_FAILED", `{}`, "note"},
		{[]string{"addressId", `"{{toko}}"`}, 404, "NOT_FOUND", `{}`, "addressId"},
		{[]string{"employeeShiftId", `"{{tomorrow}}"`}, 422, "SHIFT_WINDOW_CLOSED",
			`{"clockInFrom":"2026-03-11T00:00:00+07:00","clockInUntil":"2026-03-11T23:59:00+07:00"}`, "employeeShiftId"},
		{harness.Far, 422, "OUTSIDE_ALLOWED_LOCATION", `{"distanceMeters":"<int>","radiusMeters":100}`, "latitude"},
		{[]string{"faceLandmark", `[{"x":0.1,"y":0.1}]`}, 422, "FACE_INVALID", `{"reason":"count"}`, "faceLandmark"},
	}
	var scenarios []apitest.Scenario
	for i, first := range flaws {
		scenarios = append(scenarios, harness.Named(harness.Refused(harness.ClockIn("budi", first.change...), first.status, first.code, first.meta, first.field), first.code+" alone"))
		for _, second := range flaws[i+1:] {
			both := append(append([]string{}, first.change...), second.change...)
			scenarios = append(scenarios, harness.Named(harness.Refused(harness.ClockIn("budi", both...), first.status, first.code, first.meta, first.field), first.code+" before "+second.code))
		}
	}
	ill := harness.ClockBody("budi", "addressId", `"abc"`, "employeeShiftId", `"abc"`, "latitude", "")
	s.Run(t, append(scenarios, harness.Refused(apitest.Scenario{Name: "members before ill-formed ids", Path: "/attendance/clockIn", Header: harness.Bearer("budi"), Body: ill},
		422, "VALIDATION_FAILED", `{}`, "latitude")))
}

// attendanceOpen goes through what another clock-in is while one is open.
func attendanceOpen(t *testing.T, s *harness.Server) {
	since := `{"employeeShiftId":"{{budi.shift}}","since":"2026-03-10T09:00:00+07:00"}`
	other := []string{"employeeShiftId", `"{{tomorrow}}"`}
	face := []string{"faceLandmark", `[{"x":0.1,"y":0.1}]`}
	s.Run(t, []apitest.Scenario{
		harness.Named(harness.Refused(harness.ClockOut("budi"), 409, "NOT_CLOCKED_IN", `{}`), "out before in"),
		harness.ClockIn("budi"),
		harness.Named(harness.ClockIn("budi"), "the same again is a repeat"),
		harness.Named(harness.ClockIn("budi", append(face, harness.Far...)...), "a repeat is judged no further"),
		harness.Named(harness.Refused(harness.ClockIn("budi", "addressId", `"{{toko}}"`), 404, "NOT_FOUND", `{}`, "addressId"), "a missing site is no repeat"),
		harness.Named(harness.Refused(harness.ClockIn("budi", "latitude", `"x"`), 422, "VALIDATION_FAILED", `{}`, "latitude"), "nor is what cannot be read"),
		harness.Named(harness.Refused(harness.ClockIn("budi", other...), 409, "ALREADY_CLOCKED_IN", since), "another shift, though its window is closed"),
		harness.Named(harness.Refused(harness.ClockIn("budi", append(other, harness.Far...)...), 409, "ALREADY_CLOCKED_IN", since), "another shift, though far away"),
		harness.Named(harness.Refused(harness.ClockIn("budi", append(other, face...)...), 409, "ALREADY_CLOCKED_IN", since), "another shift, though without a face"),
	})
	s.Clock.Advance(120 * time.Second)
	s.Run(t, []apitest.Scenario{harness.Named(harness.ClockIn("budi"), "a repeat after 120 seconds")})
	s.Clock.Advance(time.Microsecond)
	already := `{"type":"http://wf.test/errors/ALREADY_CLOCKED_IN","code":"ALREADY_CLOCKED_IN","title":%q,"status":409,"detail":%q,"requestId":"<any>","errors":[],"meta":` + since + `}`
	id, en := harness.ClockIn("budi"), harness.ClockIn("budi")
	id.Header, en.Header = harness.Bearer("budi", "X-Language", "id"), harness.Bearer("budi", "X-Language", "en")
	id.Status, en.Status = 409, 409
	id.Want = fmt.Sprintf(already, "Sudah absen masuk", "Anda sudah absen masuk sejak 10 Mar 09.00 WIB.")
	en.Want = fmt.Sprintf(already, "Already clocked in", "You have been clocked in since 10 Mar 09:00 WIB.")
	s.Run(t, []apitest.Scenario{harness.Named(id, "no repeat later"), harness.Named(en, "no repeat later, in English")})
	s.Clock.Advance(time.Minute)
	s.Run(t, []apitest.Scenario{
		harness.ClockOut("budi", append([]string{"note", strconv.Quote(strings.Repeat("é", 250))}, harness.Far...)...),
		harness.Named(harness.ClockOut("budi"), "the same again is a repeat"),
	})
	s.Clock.Advance(120 * time.Second)
	s.Run(t, []apitest.Scenario{harness.Named(harness.ClockOut("budi"), "a repeat after 120 seconds")})
	s.Clock.Advance(time.Microsecond)
	none := func(lang, title, detail string) apitest.Scenario {
		r := harness.ClockOut("budi")
		r.Name, r.Header, r.Status = "no repeat later, in "+lang, harness.Bearer("budi", "X-Language", lang), 409
		r.Want = harness.ProblemBody(409, "NOT_CLOCKED_IN", title, detail, `[]`, `{}`)
		return r
	}
	s.Run(t, []apitest.Scenario{
		none("en", "Nothing to clock out of", "No open attendance matches this clock-out."),
		none("id", "Tidak ada absen untuk ditutup", "Tidak ada absen masuk terbuka yang cocok dengan absen keluar ini."),
	})
	rows := s.Attendances(t, "budi@demo.test")
	if len(rows) != 1 || fmt.Sprint(rows[0].ClockedInFlags, rows[0].ClockedOutFlags) != "[] [outside]" {
		t.Errorf("got %v, want one attendance whose clock-out is flagged as outside", rows)
	}
}

// attendancePosition tries positions against the fences.
func attendancePosition(t *testing.T, s *harness.Server) {
	outside := func(lang, title, detail string) apitest.Scenario {
		r := harness.ClockIn("agus", harness.Far...)
		r.Header = harness.Bearer("agus", "X-Language", lang)
		r.Name, r.Status = "outside, in "+lang, 422
		r.Want = fmt.Sprintf(`{"type":"http://wf.test/errors/OUTSIDE_ALLOWED_LOCATION","code":"OUTSIDE_ALLOWED_LOCATION","title":%q,"status":422,"detail":%q,"requestId":"<any>",
			"errors":[{"field":"latitude","code":"OUTSIDE_ALLOWED_LOCATION","detail":%[2]q}],"meta":{"distanceMeters":4217,"radiusMeters":100}}`, title, detail)
		return r
	}
	s.Run(t, []apitest.Scenario{
		outside("id", "Di luar lokasi", "Anda berada 4217 m dari Kantor Pusat; batasnya 100 m."),
		outside("en", "Outside the work site", "You are 4217 m from Kantor Pusat; the limit is 100 m."),
		{Name: "outside, by GraphQL", Path: "/graphql", Header: harness.Bearer("agus", "X-Language", "id"),
			Body: `{"query":` + strconv.Quote(harness.ClockInMutation) + `,"variables":{"input":` + harness.ClockBody("agus", harness.Far...) + `}}`,
			Want: `{"errors":[{"message":"Anda berada 4217 m dari Kantor Pusat; batasnya 100 m.","path":["clockIn"],"locations":[{"line":1,"column":38}],"extensions":{"code":"OUTSIDE_ALLOWED_LOCATION",
				"errors":[{"field":"latitude","code":"OUTSIDE_ALLOWED_LOCATION","detail":"Anda berada 4217 m dari Kantor Pusat; batasnya 100 m."}],"meta":{"distanceMeters":4217,"radiusMeters":100},"requestId":"<any>"}}],"data":null}`},
		harness.Named(harness.Refused(harness.ClockIn("agus", "latitude", `"-6.199100"`), 422, "OUTSIDE_ALLOWED_LOCATION", `{"distanceMeters":101,"radiusMeters":100}`, "latitude"), "100.07 m away"),
		harness.Named(harness.Refused(harness.ClockIn("agus", "latitude", `"89.999999"`, "longitude", `"180"`), 422, "OUTSIDE_ALLOWED_LOCATION", `{"distanceMeters":"<int>","radiusMeters":100}`, "latitude"), "at the pole"),
		harness.Named(harness.ClockIn("agus", "addressId", `{{pusat}}`, "latitude", `-6.1991014`, "longitude", `106.816666`, "accuracy", `"150.5"`, "mocked", `"true"`), "99.9 m away, as numbers, mocked and inaccurate"),
	})
	row := s.Attendances(t, "agus@demo.test")[0]
	if got, want := fmt.Sprintf("%s %d %v", row.ClockedInGeofence, *row.ClockedInDistance, row.ClockedInFlags), "inside 100 [low_accuracy mock]"; got != want {
		t.Errorf("kept %s, want %s", got, want)
	}

	pusat, err := strconv.Atoi(s.Vars["pusat"])
	if err != nil {
		t.Fatal(err)
	}
	site := s.Store.Ent.Address.UpdateOneID(pusat)
	ctx := viewer.System(t.Context())
	s.Clock.Advance(time.Second)
	if err := site.SetPolicies(setting.Policies{"geofenceIn": setting.Flag, "geofenceOut": setting.Block}).Exec(ctx); err != nil {
		t.Fatal(err)
	}
	s.Run(t, []apitest.Scenario{
		harness.Named(harness.ClockIn("siti", harness.Far...), "outside where that is only flagged"),
		harness.Named(harness.Refused(harness.ClockOut("agus", harness.Far...), 422, "OUTSIDE_ALLOWED_LOCATION", `{"distanceMeters":4217,"radiusMeters":100}`, "latitude"), "out where outside is refused"),
	})
	if got := s.Attendances(t, "siti@demo.test")[0]; fmt.Sprintf("%s %v", got.ClockedInGeofence, got.ClockedInFlags) != "outside [outside]" {
		t.Errorf("kept %v %v, want outside [outside]", got.ClockedInGeofence, got.ClockedInFlags)
	}
	s.Clock.Advance(-time.Second)
	restore := s.Store.Ent.Address.UpdateOneID(pusat).ClearPolicies()
	if err := restore.Exec(ctx); err != nil {
		t.Fatal(err)
	}
}

// attendanceEmployment tries people before their first and after their last day,
// and on days without a shift.
func attendanceEmployment(t *testing.T, s *harness.Server) {
	ctx := viewer.System(t.Context())
	putri := s.Store.Ent.User.Query().Where(user.Email("putri@demo.test")).OnlyX(ctx)
	employ := func(joined, left string) {
		harness.Rewrite(t, ctx, s.Store.Ent, func(db *ent.Client) {
			update := db.User.UpdateOne(putri).SetJoinedOn(joined).ClearLeftOn()
			if left != "" {
				update.SetLeftOn(left)
			}
			update.ExecX(ctx)
		})
	}
	revoked := func(name string) {
		t.Helper()
		s.Run(t, []apitest.Scenario{harness.Named(harness.Refused(harness.ClockIn("putri"), 401, "UNAUTHENTICATED", `{"reason":"revoked","token":"access"}`), name)})
	}
	employ("2026-03-11", "")
	revoked("before the first day")
	employ("2026-03-01", "2026-03-09")
	revoked("after the last day")
	employ("2026-03-10", "")
	before := s.Store.Ent.EmployeeShift.Query().Where(employeeshift.UserID(putri.ID), employeeshift.Date("2026-03-09")).OnlyX(ctx)
	s.Run(t, []apitest.Scenario{harness.Named(harness.Refused(harness.ClockIn("putri",
		"employeeShiftId", strconv.Itoa(before.ID), "recordedAt", strconv.Quote(before.ClockInFrom.Format(time.RFC3339))), 403, "FORBIDDEN", `{}`),
		"on the first day, for a shift of the day before")})
	employ("2026-03-01", "2026-03-10")
	s.Run(t, []apitest.Scenario{harness.Named(harness.ClockIn("putri"), "on the last day")})
}

// attendanceTime tries times that phones recorded.
func attendanceTime(t *testing.T, s *harness.Server) {
	s.MoveTo(t, harness.Jakarta(9, 10, 0), "budi", "siti")
	at := func(d time.Duration) []string {
		return []string{"recordedAt", strconv.Quote(s.Clock.Now().Add(d).In(harness.Morning.Location()).Format(time.RFC3339Nano))}
	}
	limits := `{"earliest":"2026-03-07T09:10:00+07:00","latest":"2026-03-10T09:12:00+07:00"}`
	s.Run(t, []apitest.Scenario{
		harness.Named(harness.Refused(harness.ClockIn("budi", at(-72*time.Hour-time.Microsecond)...), 422, "RECORDED_AT_OUT_OF_RANGE", limits, "recordedAt"), "more than 72 hours ago"),
		harness.Named(harness.Refused(harness.ClockIn("budi", at(-72*time.Hour)...), 422, "SHIFT_WINDOW_CLOSED", `{"clockInFrom":"2026-03-10T00:00:00+07:00","clockInUntil":"2026-03-10T23:59:00+07:00"}`, "employeeShiftId"), "72 hours ago, outside of the window"),
		harness.Named(harness.Refused(harness.ClockIn("budi", at(120*time.Second+time.Microsecond)...), 422, "RECORDED_AT_OUT_OF_RANGE", limits, "recordedAt"), "more than 120 seconds ahead"),
		harness.Named(harness.Refused(harness.ClockIn("budi", at(-8*time.Minute)...), 409, "CONFLICT", `{"conflict":"OVERLAP"}`, "recordedAt"), "within a closed stay"),
		harness.Named(harness.ClockIn("budi", at(-180*time.Second)...), "180 seconds ago is the phone's time"),
		harness.Named(harness.ClockIn("budi", at(-180*time.Second)...), "the same recording is a repeat"),
		harness.Named(harness.Refused(harness.ClockOut("budi", at(-181*time.Second)...), 409, "NOT_CLOCKED_IN", `{"employeeShiftId":"{{budi.shift}}","since":"2026-03-10T09:07:00+07:00"}`), "out before its in"),
		harness.Named(harness.ClockOut("budi", at(120*time.Second)...), "120 seconds ahead is the server's time"),
		harness.Named(harness.ClockOut("budi", at(120*time.Second)...), "the same recording of a clock-out is a repeat"),
		harness.Named(harness.ClockIn("budi", at(-180*time.Second)...), "the same recording is a repeat after the clock-out"),
	})
	s.Run(t, []apitest.Scenario{
		harness.Named(harness.Refused(harness.ClockOut("budi", at(-72*time.Hour-time.Microsecond)...), 422, "RECORDED_AT_OUT_OF_RANGE", limits, "recordedAt"), "out more than 72 hours ago, with nothing open"),
		harness.Named(harness.Refused(harness.ClockOut("budi", at(-72*time.Hour)...), 409, "NOT_CLOCKED_IN", `{}`), "out 72 hours ago, with nothing open"),
	})
	rows := s.Attendances(t, "budi@demo.test")
	last := rows[len(rows)-1]
	if len(rows) != 2 || !last.ClockedInAt.Equal(harness.Jakarta(9, 7, 0)) || last.ClockedInSource != "offline" || fmt.Sprint(last.ClockedInFlags) != "[offline]" ||
		!last.ClockedOutAt.Equal(harness.Jakarta(9, 10, 0)) || *last.ClockedOutSource != "app" {
		t.Errorf("kept %v, want the phone's time in and the server's out", last)
	}
	s.Clock.Advance(time.Minute)
	s.Run(t, []apitest.Scenario{
		harness.Named(harness.ClockIn("budi", at(-180*time.Second+time.Microsecond)...), "less than 180 seconds ago is the server's time"),
		harness.Named(harness.Refused(harness.ClockOut("budi", at(0)...), 409, "NOT_CLOCKED_IN", `{"employeeShiftId":"{{budi.shift}}","since":"2026-03-10T09:11:00+07:00"}`), "no stay is empty"),
	})
	s.Clock.Advance(time.Second)
	s.Run(t, []apitest.Scenario{harness.ClockOut("budi", at(0)...)})
	rows = s.Attendances(t, "budi@demo.test")
	if last := rows[len(rows)-1]; !last.ClockedInAt.Equal(harness.Jakarta(9, 11, 0)) || last.ClockedInSource != "app" || last.ClockedInRecordedAt == nil {
		t.Errorf("kept %v, want the server's time and the phone's claim", last)
	}
}

// attendanceFaces goes through what becomes of faces.
func attendanceFaces(t *testing.T, s *harness.Server) {
	s.MoveTo(t, harness.Jakarta(9, 20, 0), "budi", "dimas")
	same, line := strings.Repeat(`,{"x":0.5,"y":0.5}`, 20)[1:], ""
	for i := range 20 {
		line += fmt.Sprintf(`,{"x":%g,"y":%g,"z":%g}`, 0.1+float64(i)/40, 0.1+float64(i)/40, float64(i)/100)
	}
	many := strings.TrimSuffix(strings.Repeat(strings.Trim(harness.Landmarks(1), "[]")+",", 13), ",")
	scenarios := []apitest.Scenario{}
	for _, c := range []struct{ name, face, reason string }{
		{"two points", `[{"x":0.1,"y":0.2},{"x":0.2,"y":0.1}]`, "count"},
		{"more than 512 points", "[" + many + "]", "count"},
		{"all the same", "[" + same + "]", "identical"},
		{"on one line", "[" + line[1:] + "]", "collinear"},
		{"out of frame", strings.Replace(harness.Landmarks(1), `"x":0.25`, `"x":1.51`, 1), "out_of_frame"},
		{"too near", strings.Replace(harness.Landmarks(1), `"z":-0.0123`, `"z":-1.0123`, 1), "out_of_frame"},
	} {
		scenarios = append(scenarios, harness.Named(harness.Refused(harness.ClockIn("budi", "faceLandmark", c.face), 422, "FACE_INVALID", `{"reason":"`+c.reason+`"}`, "faceLandmark"), c.name))
	}
	s.Run(t, append(scenarios,
		harness.Named(harness.Refused(harness.ClockIn("budi", "faceLandmark", strings.Replace(harness.Landmarks(1), `"x":0.25`, `"x":1e309`, 1)), 422, "VALIDATION_FAILED", `{}`, "faceLandmark[0].x"), "infinite"),
		harness.Named(harness.Refused(harness.ClockIn("budi", append([]string{"faceLandmark", harness.Landmarks(1)}, harness.Far...)...), 422, "OUTSIDE_ALLOWED_LOCATION", `{"distanceMeters":4217,"radiusMeters":100}`, "latitude"), "a good face far away"),
	))
	if n := len(faces(t, s, "budi@demo.test")); n != 0 {
		t.Fatalf("refused clock-ins registered %d faces", n)
	}
	profile := func(face string) apitest.Scenario {
		return apitest.Scenario{Name: "profile", Path: "/user/profile", Header: harness.Bearer("budi"),
			Want: `{"name":"Budi Santoso","email":"budi@demo.test","image":"images/avatar.png","mobileNumber":"<any>","gender":"male","salutaion":null,"locale":"id","designations":"<any>","faceLandmark":` + face + `}`}
	}
	first := profile(harness.Landmarks(1))
	first.Want = strings.NewReplacer(`"mobileNumber":"<any>"`, `"mobileNumber":{"country_code":62,"number":"08401100003"}`,
		`"designations":"<any>"`, `"designations":[{"id":"<digits>","name":"Staf Operasional"}]`).Replace(first.Want)
	s.Run(t, []apitest.Scenario{harness.ClockIn("budi", "faceLandmark", harness.Landmarks(1)), first})
	s.Clock.Advance(time.Minute)
	s.Run(t, []apitest.Scenario{
		harness.ClockOut("budi", "faceLandmark", harness.Landmarks(2)),
		harness.Named(harness.ClockIn("budi", "faceLandmark", harness.Landmarks(2)), "in with another face"),
		harness.Named(first, "the first face stays"),
	})
	if got := faces(t, s, "budi@demo.test"); len(got) != 1 || got[0].Provisional || got[0].Points != 40 || strings.Contains(got[0].Sealed, "0.25") {
		t.Errorf("kept %v, want one sealed face", got)
	}
	s.MoveTo(t, harness.Jakarta(21, 0, 0))
	s.SignIn(t, "dimas", "dimas@demo.test")
	s.Run(t, []apitest.Scenario{harness.Named(harness.ClockIn("dimas", "faceLandmark", harness.Landmarks(3), "mocked", "true"), "in flagged")})
	if got := faces(t, s, "dimas@demo.test"); len(got) != 1 || !got[0].Provisional {
		t.Errorf("kept %v, want a provisional face", got)
	}
}
