package organization

import (
	"strings"
	"testing"
	"time"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
)

// zoneChange changes the company's zone: what is past stays as it was recorded, what is
// to come follows, and a night that goes on in the new zone.
func zoneChange(t *testing.T, s *harness.Server) {
	for name, email := range map[string]string{"andini": "admin@demo.test", "budi": "budi@demo.test"} {
		s.SignIn(t, name, email)
	}
	s.SaveSites(t, "budi")
	s.SaveShift(t, "budi")
	s.Run(t, []apitest.Scenario{harness.ClockIn("budi")})
	s.MoveTo(t, s.Clock.Now().Add(8*time.Hour), "andini", "budi")
	s.Run(t, []apitest.Scenario{harness.ClockOut("budi")})
	s.MoveTo(t, s.Clock.Now().Add(24*time.Hour), "andini", "budi")
	const past = `{attendances(where:{workDateGTE:"2026-03-09"},orderBy:{field:CLOCKED_IN_AT,direction:ASC}){edges{node{id workDate clockedInAt clockedInLocal clockedInOffset clockedInZone clockedOutAt clockedOutLocal clockedOutZone}}}` +
		` employeeShifts(where:{dateGTE:"2026-03-08",dateLTE:"2026-03-09"},orderBy:{field:DATE,direction:ASC}){edges{node{id date startAt endAt clockInFrom clockInUntil timezone}}}` +
		` user(id:"` + `%s` + `"){businessHistory{name from until} designationHistory{name from until}} holidays{edges{node{name date}}}}`
	query := strings.Replace(past, "%s", harness.PersonID(t, s, "budi@demo.test"), 1)
	read := func() string { return s.AskGraphQL(t, s.HeaderOf("andini"), query, nil).Text }
	before := read()
	if !strings.Contains(before, `"clockedInLocal":"2026-03-10T09:00:00"`) || !strings.Contains(before, `"clockedInZone":"Asia/Jakarta"`) || strings.Contains(before, `"errors"`) {
		t.Fatalf("before: %.1000s", before)
	}
	for _, zone := range []string{"America/Los_Angeles", "Pacific/Kiritimati", "Asia/Jakarta"} {
		s.GraphQL(t, s.HeaderOf("andini"), `mutation($zone:String!){updateCompany(input:{timezone:$zone}){timezone}}`, map[string]any{"zone": zone}, nil)
		if after := read(); after != before {
			t.Errorf("in %s the past is\n%s\nwant\n%s", zone, after, before)
		}
		s.AskGraphQL(t, s.HeaderOf("budi"), `{attendanceToday{timezone}}`, nil) // which makes the occurrences
		s.Run(t, []apitest.Scenario{harness.Asks("what is to come in "+zone, "andini",
			`{employeeShifts(where:{dateGTE:"2026-03-13",hasUserWith:[{emailHasPrefix:"budi@"}]},first:1,orderBy:{field:DATE,direction:ASC}){edges{node{timezone}}}}`,
			`{"employeeShifts":{"edges":[{"node":{"timezone":"`+zone+`"}}]}}`)})
	}
}
