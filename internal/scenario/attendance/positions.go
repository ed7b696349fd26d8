package attendance

import (
	"fmt"
	"strings"
	"testing"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
)

// reports returns a document that reports points.
func reports(points ...string) string {
	return "mutation { reportCoordinates(input: {points: [" + strings.Join(points, ", ") + "]}) { accepted dropped { index reason } } }"
}

// reported is its answer; dropped is index reason, index reason.
func reported(accepted int, dropped ...string) string {
	list := make([]string, len(dropped))
	for i, d := range dropped {
		index, reason, _ := strings.Cut(d, " ")
		list[i] = fmt.Sprintf(`{"index":%s,"reason":%q}`, index, reason)
	}
	return fmt.Sprintf(`{"data":{"reportCoordinates":{"accepted":%d,"dropped":[%s]}}}`, accepted, strings.Join(list, ","))
}

// point is a point of the tests' day at Kantor Pusat, metres to the north.
func point(at string, metres float64, more ...string) string {
	return fmt.Sprintf(`{latitude: "%.6f", longitude: 106.816666, recordedAt: %q%s}`, -6.2+metres/111_195, at, strings.Join(more, ""))
}

// batch reports empty points.
func batch(name string, points int, want string) apitest.Scenario {
	return apitest.Scenario{Name: name, Path: "/graphql", Header: harness.Bearer("budi"), Want: want, Body: apitest.Query(
		`mutation($p: [CoordinatePointInput]!) { reportCoordinates(input: {points: $p}) { accepted } }`, map[string]any{"p": make([]struct{}, points)})}
}

// positionScenarios report positions, and look at them.
func positionScenarios(t *testing.T, s *harness.Server) {
	for _, name := range []string{"budi", "agus", "manager", "admin"} {
		s.SignIn(t, name, name+"@demo.test")
		s.Vars[name+".id"] = harness.PersonID(t, s, name+"@demo.test")
	}
	s.SignIn(t, "neighbour", "admin@tetangga.test")
	s.SaveSites(t, "budi")
	s.SaveShift(t, "budi")
	consent := func(granted bool) string {
		return fmt.Sprintf(`mutation { setCoordinateConsent(input: {granted: %v}) { id coordinateConsentAt } }`, granted)
	}
	consented := func(at string) string {
		return `{"data":{"setCoordinateConsent":{"id":"{{budi.id}}","coordinateConsentAt":` + at + `}}}`
	}
	t.Run("reports", func(t *testing.T) {
		s.Run(t, []apitest.Scenario{
			{Name: "without a token", Path: "/graphql", Body: apitest.Query(reports("{}"), nil),
				Want: `{"errors":[{"message":"/.+/","path":["reportCoordinates"],"extensions":{"code":"UNAUTHENTICATED","errors":[],"meta":{"reason":"missing","token":"access"},"requestId":"<any>"}}],"data":null}`},
			asked("no points", "budi", reports(), denied("reportCoordinates", "VALIDATION_FAILED", "points")),
			batch("501 points", 501, denied("reportCoordinates", "VALIDATION_FAILED", "points")),
			batch("500 points that cannot be read", 500, `{"data":{"reportCoordinates":{"accepted":0}}}`),
			asked("without consent", "budi", reports(point(stamp(9, 0, 0), 0)), reported(0, "0 no_consent")),
			asked("consent", "budi", consent(true), consented(`"2026-03-10T02:00:00Z"`)),
			asked("off duty", "budi", reports(point(stamp(9, 0, 0), 0)), reported(0, "0 off_duty")),
			harness.ClockIn("budi", "accuracy", "10"),
		})
		s.MoveTo(t, harness.Jakarta(9, 40, 0), "budi", "manager", "admin", "neighbour", "agus")
		s.Run(t, []apitest.Scenario{
			asked("consent again changes nothing", "budi", consent(true), consented(`"2026-03-10T02:00:00Z"`)),
			asked("of every kind", "budi", reports(
				point(stamp(9, 1, 0), 5, ", accuracy: 5"), // still, near the clock-in
				point(stamp(9, 10, 0), 500, ", accuracy: 5"),
				point(stamp(9, 11, 0), 9000, ", accuracy: 5"),      // impossible
				point(stamp(9, 12, 0), 900, `, accuracy: "150.1"`), // inaccurate
				`{latitude: 0, longitude: "0", recordedAt: "`+stamp(9, 13, 0)+`"}`,
				`{latitude: "91", longitude: "0", recordedAt: "`+stamp(9, 14, 0)+`"}`,
				`{latitude: "north", longitude: "0", recordedAt: "`+stamp(9, 15, 0)+`"}`,
				`{latitude: 1, recordedAt: "`+stamp(9, 16, 0)+`"}`,
				`{latitude: [1], longitude: {a: 1}, recordedAt: true}`, `null`, `{}`,
				`{latitude: 1, longitude: 1, recordedAt: "yesterday"}`,
				point(stamp(9, 42, 0), 500),  // 120 s ahead
				point(stamp(9, 42, 1), 500),  // 121 s
				point(stamp(8, 59, 59), 500), // before the clock-in
				point("2026-03-07T02:39:59Z", 0),
			), reported(7, "6 unreadable", "7 unreadable", "8 unreadable", "9 unreadable", "10 unreadable", "11 unreadable",
				"13 ahead", "14 off_duty", "15 too_old")),
			{Name: "members of any type in variables", Path: "/graphql", Header: harness.Bearer("budi"), Body: apitest.Query(
				`mutation($p: [CoordinatePointInput]!) { reportCoordinates(input: {points: $p}) { accepted dropped { index reason } } }`,
				map[string]any{"p": []any{7, nil, "x", []any{}, true, map[string]any{"latitude": true, "longitude": []any{}, "recordedAt": map[string]any{}},
					map[string]any{"latitude": "1e400", "longitude": 1, "recordedAt": stamp(9, 20, 0)},
					map[string]any{"latitude": -6.2, "longitude": "106.816666", "accuracy": 3, "recordedAt": stamp(9, 30, 0)}}}),
				Want: reported(1, "0 unreadable", "1 unreadable", "2 unreadable", "3 unreadable", "4 unreadable", "5 unreadable", "6 unreadable")},
			asked("once more", "budi", reports(point(stamp(9, 10, 0), 500), point(stamp(9, 10, 0), 700)), reported(2)),
			asked("revoked", "budi", consent(false), consented("null")),
			asked("at once", "budi", reports(point(stamp(9, 35, 0), 0)), reported(0, "0 no_consent")),
			asked("what is kept", "budi", `{ coordinates(orderBy: {field: RECORDED_AT}) { totalCount edges { node { source hidden } } } }`,
				`{"data":{"coordinates":{"totalCount":9,"edges":[{"node":{"source":"clock_in","hidden":null}},{"node":{"source":"report","hidden":"still"}},
				{"node":{"source":"report","hidden":null}},{"node":{"source":"report","hidden":"impossible"}},{"node":{"source":"report","hidden":"inaccurate"}},
				{"node":{"source":"report","hidden":"invalid"}},{"node":{"source":"report","hidden":"invalid"}},{"node":{"source":"report","hidden":null}},
				{"node":{"source":"report","hidden":null}}]}}}`),
		})
	})
	t.Run("history", func(t *testing.T) { historyScenarios(t, s) })
	t.Run("reads", func(t *testing.T) { readScenarios(t, s) })
}

// historyScenarios list positions by REST.
func historyScenarios(t *testing.T, s *harness.Server) {
	row := func(at, latitude, accuracy, source string) string {
		return fmt.Sprintf(`{"id":"<digits>","userId":"{{budi.id}}","latitude":%q,"longitude":"106.816666","accuracy":%s,"source":%q,"recordedAt":%q}`, latitude, accuracy, source, at)
	}
	first := row("2026-03-10T09:00:00+07:00", "-6.200000", "10", "clock_in")
	second := row("2026-03-10T02:10:00Z", "-6.195503", "5", "report")
	third := row("2026-03-10T02:30:00Z", "-6.200000", "3", "report")
	last := row("2026-03-10T02:42:00Z", "-6.195503", "null", "report")
	all := "[" + first + "," + second + "," + third + "," + last + "]"
	get := func(name, who, query, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Path: "/user/coordinate-history" + query, Header: harness.Bearer(who), Want: want}
	}
	counted := func(r apitest.Scenario, total, link string) apitest.Scenario {
		r.WantHeader = map[string]string{"X-Total-Count": total, "Link": link}
		return r
	}
	refused := func(name, who, query string, status int, code, field string) apitest.Scenario {
		r := harness.Refused(get(name, who, query, ""), status, code, `{}`, field)
		return harness.Named(r, name)
	}
	page := func(n int, rel string) string {
		return fmt.Sprintf(`</user/coordinate-history?limit=2&page=%d>; rel=%q`, n, rel)
	}
	s.Run(t, []apitest.Scenario{
		counted(get("one's own, this week", "budi", "", all), "4", ""),
		counted(get("the first page", "budi", "?limit=2&page=1", "["+first+","+second+"]"), "4", page(1, "first")+", "+page(2, "next")+", "+page(2, "last")),
		counted(get("the second page", "budi", "?limit=2&page=2", "["+third+","+last+"]"), "4", page(1, "first")+", "+page(1, "prev")+", "+page(2, "last")),
		get("past the end", "budi", "?limit=2&page=9", "[]"),
		get("a day", "budi", "?from=2026-03-10&to=2026-03-10", all),
		get("the day before", "budi", "?from=2026-03-09&to=2026-03-09", "[]"),
		get("instants, half-open, a space for a plus", "budi", "?from=2026-03-10T09:10:00+07:00&to=2026-03-10T09:30:00%2B07:00", "["+second+"]"),
		get("equal instants", "budi", "?from=2026-03-10T02:10:00Z&to=2026-03-10T02:10:00Z", "[]"),
		get("empty parameters", "budi", "?userId=&from=&to=", all),
		refused("no date", "budi", "?from=today", 422, "VALIDATION_FAILED", "from"),
		refused("from after to", "budi", "?from=2026-03-11&to=2026-03-10", 422, "VALIDATION_FAILED", "from"),
		refused("32 days", "budi", "?from=2026-03-01&to=2026-04-01", 422, "VALIDATION_FAILED", "to"),
		refused("page without limit", "budi", "?page=1", 422, "VALIDATION_FAILED", "page"),
		refused("limit 0", "budi", "?limit=0", 422, "VALIDATION_FAILED", "limit"),
		refused("a colleague's", "agus", "?userId={{budi.id}}", 404, "NOT_FOUND", "userId"),
		refused("a neighbour's", "neighbour", "?userId={{budi.id}}", 404, "NOT_FOUND", "userId"),
		refused("nobody's", "admin", "?userId=abc", 404, "NOT_FOUND", "userId"),
		get("nothing was looked at by others", "manager", "", "[]"),
		asked("in UTC", "budi", `{ coordinateHistory(limit: 1) { nodes { source recordedAt } } }`,
			`{"data":{"coordinateHistory":{"nodes":[{"source":"clock_in","recordedAt":"2026-03-10T02:00:00Z"}]}}}`),
		asked("in GraphQL", "budi", `{ coordinateHistory(limit: 1) { totalCount nodes { source latitude hidden user { name } } } }`,
			`{"data":{"coordinateHistory":{"totalCount":4,"nodes":[{"source":"clock_in","latitude":"-6.200000","hidden":null,"user":{"name":"Budi Santoso"}}]}}}`),
		asked("summed up", "budi", `{ coordinateSummary(from: "2026-03-10", to: "2026-03-10") { from to positionCount distanceMeters movingSeconds standingSeconds stops { seconds } } }`,
			`{"data":{"coordinateSummary":{"from":"2026-03-09T17:00:00Z","to":"2026-03-10T17:00:00Z","positionCount":4,"distanceMeters":1500,"movingSeconds":2520,"standingSeconds":0,"stops":[]}}}`),
		asked("a period too long to sum up", "budi", `{ coordinateSummary(from: "2026-03-01", to: "2026-04-01") { positionCount } }`, denied("coordinateSummary", "VALIDATION_FAILED", "to")),
		asked("a colleague's, summed up", "agus", `{ coordinateSummary(userId: "{{budi.id}}") { positionCount } }`, denied("coordinateSummary", "NOT_FOUND", "userId")),
		asked("a neighbour's, summed up", "neighbour", `{ coordinateSummary(userId: "{{budi.id}}") { positionCount } }`, denied("coordinateSummary", "NOT_FOUND", "userId")),
		asked("refused in GraphQL", "agus", `{ coordinateHistory(userId: "{{budi.id}}") { totalCount } }`, denied("coordinateHistory", "NOT_FOUND", "userId")),
	})
}

// readScenarios look at the positions of others, which is recorded.
func readScenarios(t *testing.T, s *harness.Server) {
	reads := func(who string) string {
		return `{ coordinateReads(userId: "{{` + who + `}}", limit: 10) { totalCount nodes { reader { name } at } } }`
	}
	read := func(names ...string) string {
		nodes := make([]string, len(names))
		for i, name := range names {
			nodes[i] = fmt.Sprintf(`{"reader":{"name":%q},"at":"2026-03-10T02:40:00Z"}`, name)
		}
		return fmt.Sprintf(`{"data":{"coordinateReads":{"totalCount":%d,"nodes":[%s]}}}`, len(names), strings.Join(nodes, ","))
	}
	s.Run(t, []apitest.Scenario{
		asked("nobody looked", "budi", reads("budi.id"), read()),
		{Name: "by the manager", Path: "/user/coordinate-history?userId={{budi.id}}&limit=1", Header: harness.Bearer("manager"), Want: `"<any>"`,
			WantHeader: map[string]string{"X-Total-Count": "4"}},
		asked("it is told", "budi", reads("budi.id"), read("Ratna Wijayanti")),
		asked("by the admin, in the collection", "admin", `{ coordinates(where: {hasUserWith: {id: "{{budi.id}}"}}, first: 3) { edges { node { latitude } } } }`,
			`{"data":{"coordinates":{"edges":"<any>"}}}`),
		asked("the latest first", "budi", `{ coordinateReads(limit: 10) { totalCount nodes { reader { name } } } }`,
			`{"data":{"coordinateReads":{"totalCount":2,"nodes":[{"reader":{"name":"Andini Kusumawardhani"}},{"reader":{"name":"Ratna Wijayanti"}}]}}}`),
		asked("a page", "budi", `{ coordinateReads(limit: 1, page: 2) { totalCount nodes { at } } }`,
			`{"data":{"coordinateReads":{"totalCount":2,"nodes":[{"at":"2026-03-10T02:40:00Z"}]}}}`),
		asked("the manager too", "manager", reads("budi.id"), read("Andini Kusumawardhani", "Ratna Wijayanti")),
		asked("a colleague", "agus", reads("budi.id"), denied("coordinateReads", "NOT_FOUND", "userId")),
		asked("a neighbour", "neighbour", reads("budi.id"), denied("coordinateReads", "NOT_FOUND", "userId")),
		asked("one's own is not told", "manager", `{ coordinateReads { totalCount } }`, `{"data":{"coordinateReads":{"totalCount":0}}}`),
		asked("in the audit", "admin", `{ auditEvents(where: {action: "coordinates.read"}) { edges { node { subjectType subjectId actor { name } } } } }`,
			`{"data":{"auditEvents":{"edges":[{"node":{"subjectType":"User","subjectId":"{{budi.id}}","actor":{"name":"Ratna Wijayanti"}}},
			{"node":{"subjectType":"User","subjectId":"{{budi.id}}","actor":{"name":"Andini Kusumawardhani"}}}]}}}`),
	})
	s.Pass(t, "budi")
	s.Run(t, []apitest.Scenario{
		harness.ClockOut("budi"),
		asked("where they clocked out", "budi", `{ coordinates(where: {source: clock_out}) { edges { node { recordedAt latitude } } } }`,
			`{"data":{"coordinates":{"edges":[{"node":{"recordedAt":"2026-03-10T02:45:00Z","latitude":"-6.200000"}}]}}}`),
	})
	if log := s.Log.Lines(); strings.Contains(log, "106.816666") || strings.Contains(log, "-6.195503") {
		t.Error("a position is in the log")
	}
}
