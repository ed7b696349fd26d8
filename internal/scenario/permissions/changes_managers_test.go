package permissions

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/shiftswap"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// aboutBudi are entities whose rows are about budi, by who sees and decides about them: the
// collection of each, and what decides about a row, "" for nothing.
var aboutBudi = map[string]map[string][2]string{
	"requests": {
		"Leave": {"leaves", "decideLeave"}, "Correction": {"corrections", "decideCorrection"},
		"TimeWeek": {"timeWeeks", "decideWeek"}, "FaceReset": {"faceResets", "decideFaceReset"},
	},
	"records": {
		"Attendance": {"attendances"}, "OvertimeApproval": {"overtimeApprovals"}, "TimeEntry": {"timeEntries"},
		"Report": {"reports"}, "ReportSchedule": {"reportSchedules"}, "ShiftAssignment": {"shiftAssignments"},
		"EmployeeShift": {"employeeShifts"}, "Position": {"coordinates"}, "PlannedDay": {"plannedDays"},
		"RotationAssignment": {"rotationAssignments"}, "FallbackShift": {"fallbackShifts"},
		"ShiftResult": {"shiftResults"}, "Exemption": {"exemptions"},
	},
	"private": {"Message": {"messages"}, "Session": {"sessions"}, "Device": {"devices"}},
	"devices": {"DeviceApproval": {"deviceApprovals", "decideDevice"}},
	"swaps":   {"ShiftSwap": {"shiftSwaps", "decideShiftSwap"}},
}

// relations are what people see of budi and decide, by what they are to him: who reads for the
// team decides about devices (DV-03), who approves for it about all requests (RG-07, RO-08, FA-08,
// SH-27). Nobody decides about their own, and of an owner only owners do: others watch. A
// colleague sees the swap with them.
var relations = map[string]string{
	"owns":     "requests decide, records see, private see, devices decide, swaps decide, person see",
	"approves": "requests decide, records see, devices decide, swaps decide, person see",
	"reads":    "requests see, records see, devices decide, swaps see, person see",
	"watches":  "requests see, records see, devices see, swaps see, person see",
	"self":     "requests see, records see, private see, devices see, swaps see, person see",
	"swaps":    "swaps see",
}

// managerSteps are who comes to lead budi, and what they may as such.
var managerSteps = []step{
	{"as it is", "andini", `{__typename}`, "", "andini owns, ratna approves, siti reads, budi self, agus swaps"},
	{"another leads the team", "andini",
		managed("asep"), "",
		"andini owns, ratna approves, asep approves, budi self, agus swaps"},
	{"and leads it no more", "andini",
		managed("siti"), "",
		"andini owns, ratna approves, siti reads, budi self, agus swaps"},
	{"he works in Bandung", "andini", moved("bandung"), "", "andini owns, asep approves, budi self, agus swaps"},
	{"and in Jakarta again", "andini",
		moved("operations"), "",
		"andini owns, ratna approves, siti reads, budi self, agus swaps"},
	{"a colleague leads without a role", "andini",
		managed("agus"), "",
		"andini owns, ratna approves, budi self, agus swaps"},
	{"as a supervisor", "andini",
		roleOf("agus", viewer.Supervisor), "",
		"andini owns, ratna approves, budi self, agus reads"},
	{"as a manager", "andini",
		roleOf("agus", viewer.Manager), "",
		"andini owns, ratna approves, budi self, agus approves"},
	{"he leads the team", "andini", managed("budi"), "", "andini owns, ratna approves, budi self, agus swaps"},
	{"as a manager himself", "andini",
		roleOf("budi", viewer.Manager), "",
		"andini owns, ratna approves, budi self, agus swaps"},
	{"he is an owner", "andini", roleOf("budi", viewer.Owner), "", "andini owns, ratna watches, budi self, agus swaps"},
	{"and an employee again", "andini",
		roleOf("budi", viewer.Employee), "",
		"andini owns, ratna approves, budi self, agus swaps"},
	{"his manager is a supervisor", "andini",
		roleOf("ratna", viewer.Supervisor), "",
		"andini owns, ratna reads, budi self, agus swaps"},
	{"his manager is an employee", "andini", roleOf("ratna", viewer.Employee), "", "andini owns, budi self, agus swaps"},
}

// TestManagerChanges tries requests, records and sums about a person after each change of who
// leads them.
func TestManagerChanges(t *testing.T) {
	harness.OnSQLite(t, func(t *testing.T, s *harness.Server) {
		c := newChanging(t, s)
		c.walk(t, managerSteps, nil, c.relation)
	})
}

// relation says what somebody is to budi, by what they see of him and decide; or that itself,
// where it is none of relations.
func (c changing) relation(t *testing.T, who string) string {
	s, ids, document := map[string]sight{"person": {}}, map[string]string{}, ""
	for class, entities := range aboutBudi {
		s[class] = sight{}
		for entity, fields := range entities {
			ids[entity] = fmt.Sprintf(`"id":"%d"`, c.rowOf(t, entity))
			members := "id"
			if entity == "Correction" {
				members = "id attachment"
			}
			document += fields[0] + `(first:5,where:{` +
				strings.Replace(ids[entity], `"id"`, "id", 1) + `}){totalCount edges{node{` + members + `}}} `
		}
	}
	a := c.ask(t, who, "{"+document+"}")
	var shown map[string]json.RawMessage
	if err := json.Unmarshal(a.Data, &shown); err != nil || a.Code() != "" {
		t.Fatalf("%s asks: %s", who, a.Text)
	}
	for class, entities := range aboutBudi {
		for entity, fields := range entities {
			list := string(shown[fields[0]])
			s[class].add("see", fields[0], strings.Contains(list, ids[entity]))
			s[class].add("see", fields[0]+".totalCount", strings.Contains(list, `"totalCount":1`))
			if entity == "Correction" {
				s[class].add("see", "attachment", strings.Contains(list, "images/foto.png"))
			}
			if fields[1] != "" {
				c.decide(t, s[class], who, entity, fields[1])
			}
		}
	}
	c.personSight(t, s["person"], who)
	var all []string
	for _, class := range []string{"requests", "records", "private", "devices", "swaps", "person"} {
		if words := s[class].words("decide", "see"); words != "" {
			all = append(all, class+" "+words)
		}
	}
	text := strings.Join(all, ", ")
	for name, has := range relations {
		if has == text {
			return name
		}
	}
	return text
}

// rowOf returns the id of a row of an entity that is about budi and waits for a decision, where
// there is one.
func (c changing) rowOf(t *testing.T, entity string) int {
	t.Helper()
	if id := c.rows[entity]; id != 0 {
		return id
	}
	of, u := rowMakers[entity], c.person("budi")
	if of == nil {
		of = operation{entity: entity, rows: *ent.Facts[entity].Access}.firstRow
	}
	id, err := of(c.ctx, c.Store.Ent, u)
	if err != nil {
		t.Fatalf("%s: %v", entity, err)
	}
	switch entity {
	case "Correction":
		c.Store.Ent.Correction.UpdateOneID(id).SetAttachment("images/foto.png").ExecX(c.ctx)
	case "ShiftSwap": // to which agus agreed
		swap := c.Store.Ent.ShiftSwap.GetX(c.ctx, id)
		c.Store.Ent.ShiftSwap.DeleteOneID(id).ExecX(c.ctx)
		id = c.Store.Ent.ShiftSwap.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).
			SetDate(swap.Date).SetShiftID(swap.ShiftID).
			SetColleagueID(c.id(t, "agus")).SetWantedDate(swap.Date).SetWantedShiftID(swap.ShiftID).
			SetState(shiftswap.StateAgreed).
			SetExpiresAt(harness.Morning.AddDate(1, 0, 0)).SetCreatedAt(harness.Morning).SaveX(c.ctx).ID
	}
	c.rows[entity] = id
	return id
}

// decide refuses what a row asks for. Those without a permission to decide are refused before the
// row is looked for.
func (c changing) decide(t *testing.T, s sight, who, entity, field string) {
	t.Helper()
	code := c.ask(t, who, fmt.Sprintf(`mutation{%s(id:"%d",input:{approve:false}){id}}`, field, c.rowOf(t, entity))).Code()
	s.add("decide", field, code == "")
	if code == "" {
		delete(c.rows, entity)
	}
	if code != "FORBIDDEN" || field != "decideFaceReset" {
		s.add("see", field, code != "NOT_FOUND")
	}
}

// personSight says what somebody sees of budi beside his rows.
func (c changing) personSight(t *testing.T, s sight, who string) {
	t.Helper()
	c.byGraphQL(t, s, who, `{user(id:"{{budi}}"){joinedOn business{name}}}`, texts{"see": {`"joinedOn":"`, `"name"`}})
	c.byGraphQL(t, s, who, `{coordinateHistory(userId:"{{budi}}"){totalCount}}`, texts{"see": {"totalCount"}})
	c.byGraphQL(t, s, who, `{timesheet(userIds:["{{budi}}"],limit:1){totalCount}}`, texts{"see": {`"totalCount":1`}})
	c.byGraphQL(t, s, who, `{timeTotals(userIds:["{{budi}}"]){seconds}}`, texts{"see": {"seconds"}})
	c.byREST(t, s, who, texts{"see": {"["}}, "/user/coordinate-history?userId={{budi}}", "/tasks?userId={{budi}}")
	c.byREST(t, s, who, texts{"see": {"days"}}, "/widget/timesheet?userId={{budi}}")
}

// reportSteps are whom asep leads, of whose work a report of his was made (RE-01).
var reportSteps = []step{
	{"made", "andini", `{__typename}`, "", "andini see, asep see file"},
	{"he leads fewer", "andini", managed("siti"), "", "andini see, asep see"},
	{"and more again", "andini", managed("asep"), "", "andini see, asep see file"},
	{"he works in Jakarta", "andini",
		`mutation{updateUser(id:"{{asep}}",input:{businessId:"{{operations}}"}){id}}`, "",
		"andini see, ratna see, asep see file"},
	{"as an employee", "andini", roleOf("asep", viewer.Employee), "", "andini see, ratna see, asep see"},
	{"who reads all attendance", "andini", roleOf("asep", "all"), "", "andini see, ratna see, asep see file"},
}

// TestReportChanges tries a report, and the link to its file, after each change of what its owner
// reads.
func TestReportChanges(t *testing.T) {
	harness.OnSQLite(t, func(t *testing.T, s *harness.Server) {
		c := newChanging(t, s)
		s.Vars["role.all"] = c.do(t, "andini",
			`mutation{createRole(input:{name:"Semua",permissions:["attendance.read.all","report.read.own"]}){id}}`)
		c.do(t, "andini", managed("asep"))
		s.Vars["report"] = c.do(t, "asep", `mutation{generateReport(input:{kind:attendance,format:csv}){id}}`)
		for c.Store.Ent.Report.GetX(c.ctx, c.id(t, "report")).FinishedAt == nil {
			time.Sleep(5 * time.Millisecond)
		}
		c.walk(t, reportSteps, nil, func(t *testing.T, who string) string {
			s := sight{}
			c.byGraphQL(t, s, who, `{report(id:"{{report}}"){status url}}`, texts{"see": {`"done"`}, "file": {`"url":"`}})
			c.byGraphQL(t, s, who, `{reports(first:50){edges{node{id url}}}}`,
				texts{"see": {`"id":"{{report}}"`}, "file": {`"id":"{{report}}","url":"`}})
			resp, _ := c.Get(t, who, c.filled("/task/report/{{report}}/download"))
			s.add("see", "download", resp.StatusCode != http.StatusNotFound)
			s.add("file", "download", resp.StatusCode == http.StatusOK)
			return s.words("see", "file")
		})
	})
}

// TestAboutBudi fails for an entity whose rows are about one person and that nobody tries.
func TestAboutBudi(t *testing.T) {
	tried := map[string]bool{"Task": true, "Ticket": true, "User": true, "DeviceTrust": true} // the last is no collection
	for _, entities := range aboutBudi {
		for entity := range entities {
			tried[entity] = true
		}
	}
	for entity, facts := range ent.Facts {
		if a := facts.Access; a != nil && a.Owner != "" && !a.Private && !a.Directory && !tried[entity] {
			t.Errorf("%s is about somebody: add it to aboutBudi", entity)
		}
	}
}
