package known

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/facetemplate"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// works makes somebody who works all day, in a zone, and keeps the shift of today.
func (c *company) works(t *testing.T, who, zone, at string) {
	t.Helper()
	c.Clock.Set(moment(t, at))
	c.SignIn(t, "andini", "admin@demo.test")
	c.person(t, who)
	id := c.shift(t, who, "00:00", "23:59", fmt.Sprintf(`,timezone:%q,opensBeforeMinutes:0,closesAfterMinutes:0`, zone))
	want(t, "assigned", c.assign(t, who, id, `startsOn:"2020-01-01"`), "")
	c.Vars[who+".shift"] = c.ShiftToday(t, who)
}

// entries reads somebody's attendances.
func (c *company) entries(t *testing.T, who string) []*ent.Attendance {
	t.Helper()
	rows, err := c.Store.Ent.Attendance.Query().Where(entAttendance.HasUserWith(userNamed(who))).Order(ent.Asc(entAttendance.FieldID)).All(viewer.System(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// faces counts somebody's registered faces.
func (c *company) faces(t *testing.T, who string) int {
	t.Helper()
	return c.Store.Ent.FaceTemplate.Query().Where(facetemplate.HasUserWith(userNamed(who))).CountX(viewer.System(t.Context()))
}

// TestPositions clocks in near and far from sites.
func TestPositions(t *testing.T) {
	tests := []struct {
		name     string
		lat, lng string // of the site
		radius   int
		policy   string
		at       [2]string // of the phone; none for ""
		code     string
		distance int // stored to the metre; a refusal tells it rounded up
		flagged  bool
	}{
		{"A33 inside 500 m", "24", "72", 500, "block", [2]string{"24.001", "72.001"}, "", 151, false},
		{"A33 outside 500 m", "24", "72", 500, "block", [2]string{"24.01", "72.01"}, "OUTSIDE_ALLOWED_LOCATION", 1507, false},
		{"A34 inside 2000 m", "25", "75", 2000, "block", [2]string{"25.01", "75.01"}, "", 1501, false},
		{"A34 outside 2000 m", "25", "75", 2000, "block", [2]string{"25.1", "75.1"}, "OUTSIDE_ALLOWED_LOCATION", 15005, false},
		{"A35 missing coordinates", "24", "72", 500, "off", [2]string{"", ""}, "VALIDATION_FAILED", 0, false},
		{"A36 inside 100 m", "55.75414", "37.6204", 100, "block", [2]string{"55.75477", "37.62025"}, "", 71, false},
		{"A36 outside 100 m", "55.75414", "37.6204", 100, "block", [2]string{"55.75545", "37.61921"}, "OUTSIDE_ALLOWED_LOCATION", 164, false},
		{"A37 distance sanity", "0.000001", "0", 50_000, "block", [2]string{"0.05", "0.05"}, "", 7863, false},
		{"A38 flag policy, inside", "19.0760", "72.8777", 5000, "flag", [2]string{"19.0959", "72.8776"}, "", 2213, false},
		{"A39 flag policy, outside", "19.0760", "72.8777", 5000, "flag", [2]string{"23.1931904", "72.6007808"}, "", 458_710, true},
	}
	each(t, func(t *testing.T, c *company) {
		for i, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				who := fmt.Sprint("person", i)
				c.works(t, who, "Asia/Jakarta", "2026-03-10 10:00")
				site := c.must(t, "andini", fmt.Sprintf(`mutation{createAddress(input:{name:%q,latitude:"%s",longitude:"%s",radius:%d,policies:{geofenceIn:%s}}){id}}`,
					tt.name, tt.lat, tt.lng, tt.radius, tt.policy))
				change := []string{"addressId", `"` + site + `"`, "latitude", "", "longitude", ""}
				if tt.at[0] != "" {
					change = append(change[:2], "latitude", `"`+tt.at[0]+`"`, "longitude", `"`+tt.at[1]+`"`)
				}
				o, err := c.Attempt(harness.ClockIn(who, change...))
				if err != nil {
					t.Fatal(err)
				}
				var problem struct {
					Code string
					Meta struct{ DistanceMeters, RadiusMeters int }
				}
				if err := json.Unmarshal([]byte(o.Body), &problem); err != nil {
					t.Fatal(err)
				}
				want(t, "answer", problem.Code, tt.code)
				rows := c.entries(t, who)
				switch {
				case tt.code != "" && len(rows) != 0:
					t.Errorf("kept %d attendances", len(rows))
				case tt.code == "OUTSIDE_ALLOWED_LOCATION" && (problem.Meta.DistanceMeters != tt.distance || problem.Meta.RadiusMeters != tt.radius):
					t.Errorf("told %+v, want %d m of %d m", problem.Meta, tt.distance, tt.radius)
				case tt.code == "" && (len(rows) != 1 || *rows[0].ClockedInDistance != tt.distance || strings.Contains(fmt.Sprint(rows[0].ClockedInFlags), "outside") != tt.flagged):
					t.Errorf("kept %v, want one of %d m, flagged %v", rows, tt.distance, tt.flagged)
				case tt.code == "" && fmt.Sprintf("%.6f", rows[0].ClockedInLatitude) != fmt.Sprintf("%.6f", float(t, tt.at[0])):
					t.Errorf("kept latitude %v, want %s", rows[0].ClockedInLatitude, tt.at[0])
				}
			})
		}
	})
}

// TestPunches sends clock events one after the other; "" asks for no outcome.
func TestPunches(t *testing.T) {
	type punch struct {
		event, at, recorded string // when it is sent and, where it is not "", when it was recorded
		want                string
	}
	const kolkata = "Asia/Kolkata"
	tests := []struct {
		name, zone, start string
		punches           []punch
		kept              string
	}{
		{"A42 server tolerance", kolkata, "2021-12-27 08:40 +05:30", []punch{{"in", "2021-12-27 08:44 +05:30", "2021-12-27T08:42:00+05:30", ""}}, "12-27 08:44 to open"},
		{"A43 already in", kolkata, "2026-03-10 08:00 +05:30", []punch{{"in", "2026-03-10 09:00 +05:30", "", ""}, {"in", "2026-03-10 10:00 +05:30", "", "ALREADY_CLOCKED_IN"}}, "03-10 09:00 to open"},
		{"A44 punch-in inside a closed record", kolkata, "2026-03-10 14:00 +05:30", []punch{{"in", "2026-03-10 14:55 +05:30", "", ""}, {"out", "2026-03-10 15:00 +05:30", "", ""},
			{"in", "2026-03-10 15:10 +05:30", "2026-03-10T14:58:00+05:30", "CONFLICT"}}, "03-10 14:55 to 15:00"},
		{"A45 punch-out simple", kolkata, "2022-01-24 09:00 +05:30", []punch{{"in", "2022-01-24 09:30 +05:30", "", ""}, {"out", "2022-01-24 17:29 +05:30", "", ""}}, "01-24 09:30 to 17:29"},
		{"A46 out before in", kolkata, "2026-03-10 14:00 +05:30", []punch{{"in", "2026-03-10 14:53 +05:30", "", ""}, {"out", "2026-03-10 15:00 +05:30", "2026-03-10T14:30:00+05:30", "NOT_CLOCKED_IN"}}, "03-10 14:53 to open"},
		{"A47 not in", kolkata, "2026-03-10 14:00 +05:30", []punch{{"out", "2026-03-10 14:53 +05:30", "", "NOT_CLOCKED_IN"}}, ""},
		{"A52 overlap refused", "Asia/Jakarta", "2026-03-10 07:00", []punch{{"in", "2026-03-10 07:30", "", ""}, {"out", "2026-03-10 09:00", "", ""},
			{"in", "2026-03-10 09:30", "2026-03-10T08:30:00+07:00", "CONFLICT"}}, "03-10 07:30 to 09:00"},
		{"A53 second open refused", "Asia/Jakarta", "2026-03-10 09:00", []punch{{"in", "2026-03-10 10:00", "", ""}, {"in", "2026-03-10 11:00", "", "ALREADY_CLOCKED_IN"}}, "03-10 10:00 to open"},
		{"U9 offline in and out in reverse order", "Asia/Jakarta", "2026-03-10 11:00", []punch{{"out", "2026-03-10 12:00", "2026-03-10T10:30:00+07:00", "NOT_CLOCKED_IN"},
			{"in", "2026-03-10 12:00", "2026-03-10T09:00:00+07:00", ""}, {"out", "2026-03-10 12:01", "2026-03-10T10:30:00+07:00", ""}}, "03-10 09:00 to 10:30"},
		{"U9 older than 72 hours", "Asia/Jakarta", "2026-03-10 11:00", []punch{{"in", "2026-03-10 12:00", "2026-03-07T11:59:59+07:00", "RECORDED_AT_OUT_OF_RANGE"}}, ""},
		{"U9 three minutes in the future", "Asia/Jakarta", "2026-03-10 11:00", []punch{{"in", "2026-03-10 12:00", "2026-03-10T12:03:00+07:00", "RECORDED_AT_OUT_OF_RANGE"}}, ""},
	}
	each(t, func(t *testing.T, c *company) {
		for i, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				who := fmt.Sprint("person", i)
				c.works(t, who, tt.zone, tt.start)
				for _, p := range tt.punches {
					var change []string
					if p.recorded != "" {
						change = []string{"recordedAt", `"` + p.recorded + `"`}
					}
					want(t, p.event+" at "+p.at, c.clock(t, p.event, who, p.at, change...), p.want)
				}
				want(t, "kept", c.kept(t, who, tt.zone), tt.kept)
				if strings.HasPrefix(tt.name, "A42") {
					if a := c.entries(t, who)[0]; a.ClockedInRecordedAt.UTC().Format("15:04Z") != "03:12Z" || a.ClockedInAt.UTC().Format("15:04Z") != "03:14Z" {
						t.Errorf("kept %v with the claim %v, want 03:14Z with 03:12Z", a.ClockedInAt, a.ClockedInRecordedAt)
					}
				}
				if strings.HasPrefix(tt.name, "A45") {
					want(t, "in UTC", c.entries(t, who)[0].ClockedOutAt.UTC().Format("15:04Z"), "11:59Z")
				}
			})
		}
	})
}

// TestManagedOnly is A54: of two people a manager lists the one whom they manage.
func TestManagedOnly(t *testing.T) {
	each(t, func(t *testing.T, c *company) {
		for _, who := range []string{"managed", "other"} {
			c.works(t, who, "Asia/Jakarta", "2026-03-10 10:00")
			want(t, who, c.clock(t, "in", who, ""), "")
		}
		ratna := c.Store.Ent.User.Query().Where(userNamed("manager")).OnlyX(viewer.System(t.Context()))
		c.must(t, "andini", fmt.Sprintf(`mutation{updateUser(id:"%s",input:{businessId:"%d"}){id}}`, c.Vars["managed"], *ratna.BusinessID))
		for who, total := range map[string]string{"managed": "1", "other": "0"} {
			c.Says(t, "ratna", fmt.Sprintf(`{attendances(where:{hasUserWith:[{id:"%s"}]}){totalCount}}`, c.Vars[who]), `{"attendances":{"totalCount":`+total+`}}`)
		}
	})
}

// TestUnpublished are cases that no other system tests, U1 to U6.
func TestUnpublished(t *testing.T) {
	face := func(person, capture int) []string {
		return []string{"faceLandmark", harness.Face(person, capture)}
	}
	flags := func(t *testing.T, c *company, who string, nth int) string {
		t.Helper()
		a := c.entries(t, who)[nth]
		return fmt.Sprint(a.FaceVerdict, " ", a.ClockedInFlags)
	}
	// again clocks out and in once more, an hour later each, with a face
	again := func(t *testing.T, c *company, who string, hour int, change ...string) string {
		t.Helper()
		want(t, "out", c.clock(t, "out", who, fmt.Sprintf("2026-03-10 %02d:00", hour)), "")
		return c.clock(t, "in", who, fmt.Sprintf("2026-03-10 %02d:30", hour), change...)
	}
	tests := []struct {
		name string
		run  func(t *testing.T, c *company, who string)
	}{
		{"U1 sent twice with one X-Req-Id", func(t *testing.T, c *company, who string) {
			for _, replayed := range []bool{false, true} {
				o, err := c.Attempt(harness.Under(harness.ClockIn(who), "lost-answer"))
				if err != nil || o.Status != 200 || o.Body != `{"clockedIn":true}` || o.Replayed != replayed {
					t.Errorf("%+v %v, want true, replayed %v", o, err, replayed)
				}
			}
			want(t, "kept", c.kept(t, who, "Asia/Jakarta"), "03-10 10:00 to open")
		}},
		{"U2 20 parallel clock-ins", func(t *testing.T, c *company, who string) {
			var all []apitest.Scenario
			for i := range 20 {
				all = append(all, harness.Under(harness.ClockIn(who), fmt.Sprint("parallel-", i)))
			}
			for o, n := range c.Storm(t, all) {
				if o.Status != 200 || o.Body != `{"clockedIn":true}` {
					t.Errorf("%d answers %+v", n, o)
				}
			}
			want(t, "kept", c.kept(t, who, "Asia/Jakarta"), "03-10 10:00 to open")
		}},
		{"U3 a constant X-Req-Id", func(t *testing.T, c *company, who string) {
			for i, event := range []string{"in", "out", "in", "out"} {
				c.Clock.Set(moment(t, fmt.Sprintf("2026-03-10 %d:00", 10+i)))
				request := harness.ClockIn(who, "note", fmt.Sprintf(`"%d"`, i))
				if event == "out" {
					request = harness.ClockOut(who, "note", fmt.Sprintf(`"%d"`, i))
				}
				o, err := c.Attempt(harness.Under(request, "constant"))
				if err != nil || o.Status != 200 || o.Replayed {
					t.Errorf("%s %d: %+v %v", event, i, o, err)
				}
			}
			want(t, "kept", c.kept(t, who, "Asia/Jakarta"), "03-10 10:00 to 11:00, 03-10 12:00 to 13:00")
		}},
		{"U4 the first clock-in registers, the second verifies", func(t *testing.T, c *company, who string) {
			want(t, "first", c.clock(t, "in", who, "", face(11, 1)...), "")
			want(t, "second", again(t, c, who, 11, face(11, 2)...), "")
			want(t, "the first", flags(t, c, who, 0), "registered []")
			want(t, "the second", flags(t, c, who, 1), "match []")
		}},
		{"U4 replayed bit for bit", func(t *testing.T, c *company, who string) {
			want(t, "first", c.clock(t, "in", who, "", face(12, 1)...), "")
			want(t, "again", again(t, c, who, 11, face(12, 1)...), "")
			want(t, "the second", flags(t, c, who, 1), "match [face_replayed]")
		}},
		{"U4 another user's face", func(t *testing.T, c *company, who string) {
			want(t, "first", c.clock(t, "in", who, "", face(13, 1)...), "")
			want(t, "another's", again(t, c, who, 11, face(14, 1)...), "")
			want(t, "the second", flags(t, c, who, 1), "mismatch [face_mismatch]")
		}},
		{"U4 another count", func(t *testing.T, c *company, who string) {
			want(t, "first", c.clock(t, "in", who, "", face(15, 1)...), "")
			want(t, "another count", again(t, c, who, 11, "faceLandmark", harness.Landmarks(1)), "")
			want(t, "the second", flags(t, c, who, 1), "mismatch [face_mismatch]")
		}},
		{"U4 not a number, infinite", func(t *testing.T, c *company, who string) {
			for _, x := range []string{`"NaN"`, `"Infinity"`, "1e999"} {
				points := strings.Replace(harness.Face(16, 1), `"x":`, `"x":`+x+`,"was":`, 1)
				o, err := c.Attempt(harness.ClockIn(who, "faceLandmark", points))
				if err != nil || o.Status != 422 {
					t.Errorf("%s: %+v %v", x, o, err)
				}
			}
			want(t, "kept", c.kept(t, who, "Asia/Jakarta"), "")
			if n := c.faces(t, who); n != 0 {
				t.Errorf("%d faces", n)
			}
		}},
		{"U5 two first faces in parallel", func(t *testing.T, c *company, who string) {
			var all []apitest.Scenario
			for i := range 20 {
				all = append(all, harness.Under(harness.ClockIn(who, face(20+i%2, 1)...), fmt.Sprint("faces-", i)))
			}
			for o, n := range c.Storm(t, all) {
				if o.Status >= 500 {
					t.Errorf("%d answers %+v", n, o)
				}
			}
			if n := c.faces(t, who); n != 1 || len(c.entries(t, who)) != 1 {
				t.Errorf("%d faces and %d attendances, want one each", n, len(c.entries(t, who)))
			}
		}},
		{"U6 what is another's", func(t *testing.T, c *company, who string) {
			ctx := viewer.System(t.Context())
			mine := c.Store.Ent.User.Query().Where(userNamed(who)).OnlyX(ctx)
			theirs := c.Store.Ent.Address.Query().Where(addressOfOthers(mine.CompanyID)).FirstX(ctx)
			other := c.Store.Ent.EmployeeShift.Query().Where(shiftOfOthers(mine)).FirstX(ctx)
			for _, change := range [][]string{{"addressId", fmt.Sprintf(`"%d"`, theirs.ID)}, {"employeeShiftId", fmt.Sprintf(`"%d"`, other.ID)}} {
				want(t, change[0], c.clock(t, "in", who, "", append(change, face(17, 1)...)...), "NOT_FOUND")
			}
			if n := c.faces(t, who) + len(c.entries(t, who)); n != 0 {
				t.Errorf("%d faces and attendances", n)
			}
		}},
	}
	each(t, func(t *testing.T, c *company) {
		for i, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				who := fmt.Sprint("person", i)
				c.works(t, who, "Asia/Jakarta", "2026-03-10 10:00")
				tt.run(t, c, who)
			})
		}
	})
}
