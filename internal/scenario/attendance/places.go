package attendance

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
)

// asked is a GraphQL request of somebody, in English.
func asked(name, who, document, want string) apitest.Scenario {
	return apitest.Scenario{Name: name, Path: "/graphql", Header: harness.Bearer(who, "X-Language", "en"), Body: apitest.Query(document, nil), Want: want}
}

// denied is the answer of a GraphQL request that failed, with the field of each fault.
func denied(path, code string, fields ...string) string {
	faults := []string{}
	for _, f := range fields {
		faults = append(faults, fmt.Sprintf(`{"field":%q,"code":%q,"detail":"/.+/"}`, f, code))
	}
	return fmt.Sprintf(`{"errors":[{"message":"/.+/","path":[%q],"locations":"<any>","extensions":{"code":%q,"errors":[%s],"meta":"<any>","requestId":"<any>"}}],"data":null}`,
		path, code, strings.Join(faults, ","))
}

// placeScenarios allow people to clock in at some work sites alone, CL-15.
func placeScenarios(t *testing.T, s *harness.Server) {
	for _, name := range []string{"budi", "agus", "manager", "admin"} {
		s.SignIn(t, name, name+"@demo.test")
	}
	s.SignIn(t, "neighbour", "admin@tetangga.test")
	s.SaveSites(t, "budi")
	s.SaveShift(t, "budi")
	s.SaveShift(t, "agus")
	set := func(members, sites string) string {
		return `mutation { setAllowedAddresses(input: {` + members + `, addressIds: [` + sites + `]}) { name } }`
	}
	saved := func(names string) string { return `{"data":{"setAllowedAddresses":[` + names + `]}}` }
	s.Run(t, []apitest.Scenario{
		{Name: "who they are", Path: "/graphql", Header: harness.Bearer("budi"), Body: apitest.Query(`{ viewer { id business { id } designations { id } } }`, nil),
			Save: map[string]string{"budi.id": "/data/viewer/id", "budi.title": "/data/viewer/designations/0/id", "budi.unit": "/data/viewer/business/id"}},
		{Name: "the neighbours' site", Path: "/attendance/allowedLocations", Header: harness.Bearer("neighbour"), Save: map[string]string{"toko": "/0/addressId"}},
		{Name: "their shift", Path: "/graphql", Header: harness.Bearer("budi"), Body: apitest.Query(`{ employeeShift(id: {{budi.shift}}) { shift { id } } }`, nil),
			Save: map[string]string{"budi.works": "/data/employeeShift/shift/id"}},
		asked("an employee", "budi", set("userId: {{budi.id}}", ""), denied("setAllowedAddresses", "FORBIDDEN")),
		asked("a manager", "manager", set("userId: {{budi.id}}", ""), denied("setAllowedAddresses", "FORBIDDEN")),
		asked("of nobody", "admin", set("userId: null", "{{pusat}}"), denied("setAllowedAddresses", "VALIDATION_FAILED", "userId")),
		asked("of two", "admin", set("userId: {{budi.id}}, businessId: 1", "{{pusat}}"), denied("setAllowedAddresses", "VALIDATION_FAILED", "businessId")),
		asked("of somebody who is not there", "admin", set("userId: 999999", "{{pusat}}"), denied("setAllowedAddresses", "NOT_FOUND", "userId")),
		asked("another company's site", "admin", set("userId: {{budi.id}}", "{{pusat}}, {{toko}}"), denied("setAllowedAddresses", "NOT_FOUND", "addressIds")),
		asked("another company's person", "neighbour", set("userId: {{budi.id}}", "{{toko}}"), denied("setAllowedAddresses", "NOT_FOUND", "userId")),
		asked("101 sites", "admin", set("userId: {{budi.id}}", strings.Repeat("{{pusat}},", 101)), denied("setAllowedAddresses", "VALIDATION_FAILED", "addressIds")),
		asked("of a person", "admin", set("userId: {{budi.id}}", "{{pusat}}, {{bandung}}, {{pusat}}"), saved(`{"name":"Kantor Bandung"},{"name":"Kantor Pusat"}`)),
		asked("the same again", "admin", set("userId: {{budi.id}}", "{{bandung}}, {{pusat}}"), saved(`{"name":"Kantor Bandung"},{"name":"Kantor Pusat"}`)),
		asked("what is stored", "admin", `{ allowedPlaces { totalCount edges { node { of user { name } business { id } address { name } } } } }`,
			`{"data":{"allowedPlaces":{"totalCount":2,"edges":[{"node":{"of":"user","user":{"name":"Budi Santoso"},"business":null,"address":{"name":"Kantor Pusat"}}},{"node":{"of":"user","user":{"name":"Budi Santoso"},"business":null,"address":{"name":"Kantor Bandung"}}}]}}}`),
		asked("to an employee", "budi", `{ allowedPlaces { totalCount } }`, `{"data":{"allowedPlaces":{"totalCount":0}}}`),
		asked("one less", "admin", set("userId: {{budi.id}}", "{{bandung}}"), saved(`{"name":"Kantor Bandung"}`)),
		harness.Named(harness.Refused(harness.ClockIn("budi"), 422, "LOCATION_NOT_ALLOWED", `{}`, "addressId"), "in at another site"),
		harness.Named(harness.Refused(harness.ClockIn("budi", harness.Far...), 422, "LOCATION_NOT_ALLOWED", `{}`, "addressId"), "in at another site, far away"),
		{Name: "what is allowed", Path: "/attendance/allowedLocations", Header: harness.Bearer("budi"),
			Want: `[{"addressId":"{{bandung}}","name":"Kantor Bandung","address":"Jalan Asia Afrika 8, Bandung","latitude":"-6.921151","longitude":"107.607301","radius":150}]`},
		asked("a site of a set is not deleted", "admin", `mutation { deleteAddress(id: {{bandung}}) { deleted } }`, denied("deleteAddress", "CONFLICT")),
		asked("of the shift too", "admin", set("shiftId: {{budi.works}}", "{{cikarang}}"), saved(`{"name":"Gudang Cikarang"}`)),
		asked("of a designation", "admin", set("designationId: {{budi.title}}", "{{pusat}}"), saved(`{"name":"Kantor Pusat"}`)),
		asked("of a business", "admin", set("businessId: {{budi.unit}}", "{{cikarang}}"), saved(`{"name":"Gudang Cikarang"}`)),
		{Name: "all that is allowed", Path: "/attendance/allowedLocations", Header: harness.Bearer("budi"), Want: `[
			{"addressId":"{{cikarang}}","name":"Gudang Cikarang","address":"<any>","latitude":"<any>","longitude":"<any>","radius":250},
			{"addressId":"{{bandung}}","name":"Kantor Bandung","address":"<any>","latitude":"<any>","longitude":"<any>","radius":150},
			{"addressId":"{{pusat}}","name":"Kantor Pusat","address":"<any>","latitude":"<any>","longitude":"<any>","radius":100}]`},
		harness.Named(harness.ClockIn("budi"), "in where the designation may"),
		asked("no more sets", "admin", set("designationId: {{budi.title}}", ""), saved("")),
	})
	s.Pass(t, "budi", "admin")
	s.Run(t, []apitest.Scenario{
		harness.Named(harness.Refused(harness.ClockOut("budi", "addressId", `"{{toko}}"`), 404, "NOT_FOUND", `{}`, "addressId"), "out at another company's site"),
		harness.Named(harness.ClockOut("budi"), "out where they clocked in, though it is allowed no more"),
	})
	s.Pass(t, "budi", "admin")
	here := []string{"latitude", `"-6.921151"`, "longitude", `"107.607301"`} // in Bandung
	s.Run(t, []apitest.Scenario{
		harness.Named(harness.Refused(harness.ClockIn("budi", here...), 422, "LOCATION_NOT_ALLOWED", `{}`, "addressId"), "in, but for another site"),
		asked("the nearest counts", "admin", `mutation { updateCompany(input: {settings: {nearestAddress: true}}) { settings { nearestAddress } } }`,
			`{"data":{"updateCompany":{"settings":{"nearestAddress":true}}}}`),
		harness.Named(harness.Refused(harness.ClockIn("budi", harness.Far...), 422, "LOCATION_NOT_ALLOWED", `{}`, "addressId"), "in far from all"),
		harness.Named(harness.ClockIn("budi", here...), "in at the site that they are at"),
		asked("where that was", "budi", `{ attendanceToday { entries { addressId clockOutAt } } }`,
			`{"data":{"attendanceToday":{"entries":[{"addressId":"{{pusat}}","clockOutAt":"<any>"},{"addressId":"{{bandung}}","clockOutAt":null}]}}}`),
	})
}

// reviewScenarios decide about flagged events, and show what they were judged by.
func reviewScenarios(t *testing.T, s *harness.Server) {
	for _, name := range []string{"agus", "siti", "manager", "admin"} {
		s.SignIn(t, name, name+"@demo.test")
	}
	s.SignIn(t, "neighbour", "admin@tetangga.test")
	s.SaveSites(t, "agus")
	s.SaveShift(t, "agus")
	const queue = `{ attendances(where: {clockedInAtGTE: "2026-03-10T02:00:00Z",
		or: [{clockedInReview: pending}, {clockedOutReview: pending}]}) { totalCount edges { node { id } } } }`
	waiting := func(n int) string {
		return fmt.Sprintf(`{"data":{"attendances":{"totalCount":%d,"edges":"<any>"}}}`, n)
	}
	review := func(input string) string {
		return `mutation { reviewAttendance(id: {{one}}, input: {` + input + `}) { clockedInReview clockedInReviewNote clockedInReviewer { name } clockedOutReview } }`
	}
	decided := func(in, note, by, out string) string {
		return fmt.Sprintf(`{"data":{"reviewAttendance":{"clockedInReview":%q,"clockedInReviewNote":%s,"clockedInReviewer":%s,"clockedOutReview":%q}}}`, in, note, by, out)
	}
	s.Run(t, []apitest.Scenario{
		asked("nothing waits", "manager", queue, waiting(0)),
		harness.ClockIn("agus", "mocked", "true", "accuracy", "12.5", "sentAt", `"`+stamp(8, 59, 30)+`"`),
		{Name: "one waits", Path: "/graphql", Header: harness.Bearer("manager"), Body: apitest.Query(queue, nil),
			Want: waiting(1), Save: map[string]string{"one": "/data/attendances/edges/0/node/id"}},
		asked("for the neighbours nothing", "neighbour", queue, waiting(0)),
		asked("what it was judged by", "manager", `{ attendance(id: {{one}}) { clockedInVerdict {
			geofence { policy verdict distanceMeters radiusMeters } accuracy { policy meters limitMeters } mock { policy mocked } speed { policy kmh limitKmh }
			device { policy shared } face { policy verdict matched distance version matchLimit doubtfulLimit replayLimit } time { source skewSeconds recordedAt unpaired { at } } exempt flags } clockedOutVerdict { flags } } }`,
			`{"data":{"attendance":{"clockedInVerdict":{"geofence":{"policy":"block","verdict":"inside","distanceMeters":0,"radiusMeters":100},
			"accuracy":{"policy":"flag","meters":12.5,"limitMeters":150},"mock":{"policy":"flag","mocked":true},"speed":{"policy":"flag","kmh":"<any>","limitKmh":300},
			"device":{"policy":"flag","shared":false},"face":{"policy":"flag","verdict":"none","matched":null,"distance":null,"version":null,"matchLimit":null,"doubtfulLimit":null,"replayLimit":null},
			"time":{"source":"app","skewSeconds":-30,"recordedAt":null,"unpaired":[]},"exempt":[],"flags":["mock"]},"clockedOutVerdict":null}}}`),
		asked("by the employee", "agus", review("accept: true"), denied("reviewAttendance", "FORBIDDEN")),
		asked("by a neighbour", "neighbour", review("accept: true"), denied("reviewAttendance", "NOT_FOUND")),
		asked("a long note", "manager", review(`accept: true, note: "`+strings.Repeat("é", 251)+`"`), denied("reviewAttendance", "VALIDATION_FAILED", "note")),
		asked("the end that is not there", "manager", review("end: out, accept: true"), denied("reviewAttendance", "CONFLICT")),
		asked("rejected", "manager", review(`end: in, accept: false, note: "Not at the site"`), decided("rejected", `"Not at the site"`, `{"name":"Ratna Wijayanti"}`, "none")),
		asked("once more", "admin", review("accept: true"), denied("reviewAttendance", "CONFLICT")),
		asked("nothing waits any more", "manager", queue, waiting(0)),
		asked("recorded", "admin", `{ auditEvents(where: {action: "attendance.reviewed"}) { edges { node { subjectType after } } } }`,
			`{"data":{"auditEvents":{"edges":[{"node":{"subjectType":"Attendance","after":"{\"end\":\"in\",\"review\":\"rejected\"}"}}]}}}`),
	})
	harness.WantNotices(t, s, "in_rejected", "agus@demo.test", 1)
	s.Pass(t, "agus", "manager", "admin")
	s.Run(t, []apitest.Scenario{
		harness.ClockOut("agus", harness.Far...),
		asked("the clock-out waits", "manager", queue, waiting(1)),
		asked("accepted", "manager", review("accept: true"), decided("rejected", `"Not at the site"`, `{"name":"Ratna Wijayanti"}`, "accepted")),
	})
	t.Run("exemptions", func(t *testing.T) { exemptionScenarios(t, s) })
	t.Run("speed", func(t *testing.T) { speedScenarios(t, s) })
}

// exemptionScenarios exempt somebody from a rule, GE-12.
func exemptionScenarios(t *testing.T, s *harness.Server) {
	s.Pass(t, "agus", "manager", "admin")
	create := func(user, rule, until string) string {
		return `mutation { createExemption(input: {userId: ` + user + `, rule: ` + rule + `, endsOn: "` + until + `", note: "Driver"}) { id rule endsOn note user { id } } }`
	}
	s.Run(t, []apitest.Scenario{
		{Name: "who they are", Path: "/graphql", Header: harness.Bearer("agus"), Body: apitest.Query(`{ viewer { id } }`, nil), Save: map[string]string{"agus.id": "/data/viewer/id"}},
		{Name: "who leads", Path: "/graphql", Header: harness.Bearer("manager"), Body: apitest.Query(`{ viewer { id } }`, nil), Save: map[string]string{"manager.id": "/data/viewer/id"}},
		harness.Named(harness.Refused(harness.ClockIn("agus", harness.Far...), 422, "OUTSIDE_ALLOWED_LOCATION", `{"distanceMeters":4217,"radiusMeters":100}`, "latitude"), "far away"),
		asked("by an employee", "agus", create("{{agus.id}}", "geofence", "2026-03-10"), denied("createExemption", "FORBIDDEN")),
		asked("of oneself", "manager", create("{{manager.id}}", "geofence", "2026-03-10"), denied("createExemption", "FORBIDDEN")),
		asked("by a neighbour", "neighbour", create("{{agus.id}}", "geofence", "2026-03-10"), denied("createExemption", "NOT_FOUND", "userId")),
		asked("until yesterday", "manager", create("{{agus.id}}", "geofence", "2026-03-09"), denied("createExemption", "VALIDATION_FAILED", "endsOn")),
		{Name: "until today", Path: "/graphql", Header: harness.Bearer("manager"), Body: apitest.Query(create("{{agus.id}}", "geofence", "2026-03-10"), nil),
			Want: `{"data":{"createExemption":{"id":"<digits>","rule":"geofence","endsOn":"2026-03-10","note":"Driver","user":{"id":"{{agus.id}}"}}}}`,
			Save: map[string]string{"exemption": "/data/createExemption/id"}},
		asked("twice", "manager", create("{{agus.id}}", "geofence", "2026-03-11"), denied("createExemption", "VALIDATION_FAILED", "rule")),
		asked("one's own", "agus", `{ exemption(id: {{exemption}}) { rule } exemptions { totalCount } }`, `{"data":{"exemption":{"rule":"geofence"},"exemptions":{"totalCount":1}}}`),
		asked("a neighbour's", "neighbour", `{ exemptions { totalCount } }`, `{"data":{"exemptions":{"totalCount":0}}}`),
		harness.Named(harness.ClockIn("agus", harness.Far...), "far away, exempt"),
		asked("by the employee", "agus", `mutation { updateExemption(id: {{exemption}}, input: {endsOn: "2027-01-01"}) { id } }`, denied("updateExemption", "FORBIDDEN")),
		asked("longer", "manager", `mutation { updateExemption(id: {{exemption}}, input: {endsOn: "2027-01-01", note: null}) { endsOn note } }`,
			`{"data":{"updateExemption":{"endsOn":"2027-01-01","note":null}}}`),
		asked("ended by the employee", "agus", `mutation { deleteExemption(id: {{exemption}}) { deleted } }`, denied("deleteExemption", "FORBIDDEN")),
		asked("ended", "manager", `mutation { deleteExemption(id: {{exemption}}) { deleted } }`, `{"data":{"deleteExemption":{"deleted":true}}}`),
		asked("ended twice", "manager", `mutation { deleteExemption(id: {{exemption}}) { deleted } }`, denied("deleteExemption", "NOT_FOUND")),
		asked("recorded", "admin", `{ auditEvents(where: {actionHasPrefix: "exemption."}) { totalCount } }`, `{"data":{"auditEvents":{"totalCount":3}}}`),
	})
	rows := s.Attendances(t, "agus@demo.test")
	if last := rows[len(rows)-1]; last.ClockedInGeofence != "off" || len(last.ClockedInFlags) > 0 || fmt.Sprint(last.ClockedInVerdict.Exempt) != "[geofence]" {
		t.Errorf("kept %s %v, exempt from %v", last.ClockedInGeofence, last.ClockedInFlags, last.ClockedInVerdict.Exempt)
	}
}

// speedScenarios clock out far away a moment later, GE-10.
func speedScenarios(t *testing.T, s *harness.Server) {
	s.Clock.Advance(10 * time.Minute)
	s.MoveTo(t, s.Clock.Now(), "agus", "admin")
	away := []string{"latitude", `"-6.921151"`, "longitude", `"107.607301"`, "accuracy", "10"}
	s.Run(t, []apitest.Scenario{
		asked("blocked", "admin", `mutation { updateCompany(input: {settings: {speed: block}}) { id } }`, `{"data":{"updateCompany":{"id":"<digits>"}}}`),
		harness.Named(harness.Refused(harness.ClockOut("agus", away...), 422, "POSITION_IMPLAUSIBLE", `{"limitKmh":300,"speedKmh":686}`, "latitude"), "in Bandung ten minutes later"),
		asked("flagged", "admin", `mutation { updateCompany(input: {settings: {speed: null}}) { id } }`, `{"data":{"updateCompany":{"id":"<digits>"}}}`),
		harness.Named(harness.ClockOut("agus", away...), "in Bandung, flagged"),
	})
	rows := s.Attendances(t, "agus@demo.test")
	if last := rows[len(rows)-1]; fmt.Sprint(last.ClockedOutFlags) != "[outside speed]" || last.ClockedOutReview != "pending" {
		t.Errorf("kept %v, %s", last.ClockedOutFlags, last.ClockedOutReview)
	}
}
