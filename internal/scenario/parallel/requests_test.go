package parallel

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	entCorrection "workforce/ent/correction"
	entLeave "workforce/ent/leave"
	"workforce/ent/leavetype"
	entOvertimeApproval "workforce/ent/overtimeapproval"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// requestRaces are races about corrections, leave and overtime.
func requestRaces() []race {
	system := viewer.System(context.Background())
	db := func(s *harness.Server) *ent.Client { return s.Store.Ent }
	mine := user.Email("budi@demo.test")
	// worked saves budi's latest attendance, whose end nobody corrected, and asks to correct it.
	worked := func(t *testing.T, s *harness.Server) {
		a := db(s).Attendance.Query().Where(entAttendance.HasUserWith(mine), entAttendance.ClockedOutSourceEQ(entAttendance.ClockedOutSourceApp)).
			Order(ent.Desc(entAttendance.FieldWorkDate)).FirstX(system)
		s.Vars["worked"], s.Vars["of"] = strconv.Itoa(a.ID), strconv.Itoa(a.EmployeeShiftID)
		s.Vars["end"] = a.ClockedOutAt.Add(60e9).Format("2006-01-02T15:04:05Z")
	}
	ask := `requestCorrection(input: {employeeShiftId: "{{of}}", attendanceId: "{{worked}}", clockOutAt: "{{end}}", reason: "raced"}) { id }`
	asked := func(t *testing.T, s *harness.Server) {
		worked(t, s)
		one := mutation(harness.Bearer("budi"), ask)(0)
		one.Save = map[string]string{"asked": "/data/requestCorrection/id"}
		s.Run(t, []apitest.Scenario{one})
	}
	state := func(s *harness.Server) entCorrection.State {
		id, _ := strconv.Atoi(s.Vars["asked"])
		return db(s).Correction.GetX(system, id).State
	}
	leaveOf := func(date, as string) func(*testing.T, *harness.Server) {
		return func(t *testing.T, s *harness.Server) {
			kind := db(s).LeaveType.Query().Where(leavetype.Name("Sakit")).Order(ent.Asc(leavetype.FieldID)).FirstX(system)
			one := mutation(harness.Bearer("budi"), fmt.Sprintf(`requestLeave(input: {typeId: "%d", startsOn: "%s", endsOn: "%s", reason: "raced"}) { id }`, kind.ID, date, date))(0)
			one.Save = map[string]string{as: "/data/requestLeave/id"}
			s.Run(t, []apitest.Scenario{one})
		}
	}
	return []race{
		{"ask for a correction", worked, 0, func(i int) apitest.Scenario { return distinct(mutation(harness.Bearer("budi"), ask)(i), i) },
			exactly(map[string]int{"": 1, "CONFLICT": 19}, rows("requests", 1, func(s *harness.Server) int {
				n := db(s).Correction.Query().Where(entCorrection.Reason("raced")).CountX(system)
				db(s).Correction.Update().Where(entCorrection.Reason("raced")).SetState(entCorrection.StateCancelled).ExecX(system)
				return n
			}))},
		{"decide about a correction", asked, 0, func(i int) apitest.Scenario {
			return distinct(mutation(harness.Bearer("admin"), fmt.Sprintf(`decideCorrection(id: "{{asked}}", input: {approve: %v}) { id }`, i%2 == 0))(i), i)
		}, exactly(map[string]int{"": 1, "CONFLICT": 19})},
		{"cancel a correction while it is decided", asked, 0, func(i int) apitest.Scenario {
			if i%2 == 0 {
				return distinct(mutation(harness.Bearer("admin"), `decideCorrection(id: "{{asked}}", input: {approve: true}) { id }`)(i), i)
			}
			return distinct(mutation(harness.Bearer("budi"), `cancelCorrection(id: "{{asked}}") { id }`)(i), i)
		}, func(t *testing.T, s *harness.Server, got answers) {
			if n := got.codes()[""]; n < 1 || n > 2 || got.codes()["CONFLICT"] != 20-n {
				t.Errorf("got %v", got.codes())
			}
			id, _ := strconv.Atoi(s.Vars["worked"])
			if a := db(s).Attendance.GetX(system, id); state(s) != entCorrection.StateCancelled || *a.ClockedOutSource != entAttendance.ClockedOutSourceApp {
				t.Errorf("it is %s, and the attendance ends by %s", state(s), *a.ClockedOutSource)
			}
		}},
		{"create a type of leave", nil, 0, mutation(harness.Bearer("admin"), `createLeaveType(input: {name: "Raced", yearlyAllowance: 3}) { id }`),
			exactly(map[string]int{"": 1, "VALIDATION_FAILED": 19}, rows("types", 1, func(s *harness.Server) int {
				s.Vars["raced type"] = strconv.Itoa(db(s).LeaveType.Query().Where(leavetype.Name("Raced")).FirstIDX(system))
				return db(s).LeaveType.Query().Where(leavetype.Name("Raced")).CountX(system)
			}))},
		{"ask for leave of an allowance", nil, 0, func(i int) apitest.Scenario {
			day := fmt.Sprintf("2026-%02d-%02d", 4+i/10, 1+i%10)
			return distinct(mutation(harness.Bearer("budi"), fmt.Sprintf(`requestLeave(input: {typeId: "{{raced type}}", startsOn: "%s", endsOn: "%s", reason: "allowance"}) { id }`, day, day))(i), i)
		}, exactly(map[string]int{"": 3, "CONFLICT": 17}, rows("leaves", 3, func(s *harness.Server) int {
			return db(s).Leave.Query().Where(entLeave.Reason("allowance")).CountX(system)
		}))},
		{"decide about leave", leaveOf("2026-06-01", "decided"), 0, func(i int) apitest.Scenario {
			return distinct(mutation(harness.Bearer("admin"), fmt.Sprintf(`decideLeave(id: "{{decided}}", input: {approve: %v}) { id }`, i%2 == 0))(i), i)
		}, exactly(map[string]int{"": 1, "CONFLICT": 19})},
		manyLeaves(),
		{"cancel leave while it is decided", leaveOf("2026-06-03", "cancelled"), 0, func(i int) apitest.Scenario {
			if i%2 == 0 {
				return distinct(mutation(harness.Bearer("admin"), `decideLeave(id: "{{cancelled}}", input: {approve: true}) { id }`)(i), i)
			}
			return distinct(mutation(harness.Bearer("budi"), `cancelLeave(id: "{{cancelled}}") { id }`)(i), i)
		}, func(t *testing.T, s *harness.Server, got answers) {
			id, _ := strconv.Atoi(s.Vars["cancelled"])
			if n := got.codes()[""]; n < 1 || n > 2 || got.codes()["CONFLICT"] != 20-n || db(s).Leave.GetX(system, id).State != entLeave.StateCancelled {
				t.Errorf("got %v", got.codes())
			}
		}},
		{"add holidays during leave", func(t *testing.T, s *harness.Server) {
			kind := db(s).LeaveType.Query().Where(leavetype.Name("Sakit")).Order(ent.Asc(leavetype.FieldID)).FirstIDX(system)
			in := fmt.Sprintf(`{typeId: "%d", startsOn: "2027-02-01", endsOn: "2027-02-25", reason: "raced"}`, kind)
			one := mutation(harness.Bearer("budi"), `requestLeave(input: `+in+`) { id }`)(0)
			one.Save = map[string]string{"recounted": "/data/requestLeave/id"}
			s.Run(t, []apitest.Scenario{one})
			s.Run(t, []apitest.Scenario{mutation(harness.Bearer("admin"),
				`decideLeave(id: "{{recounted}}", input: {approve: true}) { id }`)(0)})
		}, 0, func(i int) apitest.Scenario {
			in := fmt.Sprintf(`createHoliday(input: {name: "Raced", date: "2027-02-%02d"}) { id }`, i+1)
			return distinct(mutation(harness.Bearer("admin"), in)(i), i)
		}, exactly(map[string]int{"": 20}, rows("days of leave", 5, func(s *harness.Server) int {
			id, _ := strconv.Atoi(s.Vars["recounted"])
			for range 500 { // the jobs of all holidays
				if len(db(s).Leave.GetX(system, id).Dates) == 5 {
					break
				}
				time.Sleep(20 * time.Millisecond)
			}
			return len(db(s).Leave.GetX(system, id).Dates)
		}))},
		{"decide about overtime", worked, 0, func(i int) apitest.Scenario {
			return distinct(mutation(harness.Bearer("admin"), `decideOvertime(input: {items: [{userId: "{{budi.id}}", date: "2026-03-09"}], approve: false}) { code }`)(i), i)
		}, exactly(map[string]int{"": 20}, rows("decisions", 1, func(s *harness.Server) int {
			return db(s).OvertimeApproval.Query().Where(entOvertimeApproval.HasUserWith(mine)).CountX(system)
		}))},
	}
}

// manyLeaves decides about five leaves at once, in requests that name them in different orders: each is
// decided once.
func manyLeaves() race {
	const many = 5
	ids := func(from int) (list []string) {
		for i := range many {
			list = append(list, strconv.Quote("{{many"+strconv.Itoa((from+i)%many)+"}}"))
		}
		return list
	}
	prepare := func(t *testing.T, s *harness.Server) {
		sick := s.Store.Ent.LeaveType.Query().Where(leavetype.Name("Sakit")).Order(ent.Asc(leavetype.FieldID))
		kind := sick.FirstIDX(viewer.System(t.Context()))
		for i := range many {
			input := fmt.Sprintf(`typeId: "%d", startsOn: "2027-03-%02d", endsOn: "2027-03-%02d", reason: "many"`, kind, 1+i, 1+i)
			one := mutation(harness.Bearer("budi"), `requestLeave(input: {`+input+`}) { id }`)(0)
			one.Save = map[string]string{"many" + strconv.Itoa(i): "/data/requestLeave/id"}
			s.Run(t, []apitest.Scenario{one})
		}
	}
	return race{"decide about many leaves", prepare, 0, func(i int) apitest.Scenario {
		input := fmt.Sprintf(`ids: [%s], approve: %v`, strings.Join(ids(i), ","), i%2 == 0)
		return distinct(mutation(harness.Bearer("admin"), `decideLeaves(input: {`+input+`}) { id code }`)(i), i)
	}, func(t *testing.T, s *harness.Server, got answers) {
		decided, conflicts := map[string]int{}, 0
		for o, n := range got {
			var answer struct {
				Data struct{ DecideLeaves []struct{ ID, Code string } }
			}
			if err := json.Unmarshal([]byte(o.Body), &answer); err != nil || len(answer.Data.DecideLeaves) != many {
				t.Errorf("%s, %v", o.Body, err)
			}
			for _, d := range answer.Data.DecideLeaves {
				switch d.Code {
				case "":
					decided[d.ID] += n
				case "CONFLICT":
					conflicts += n
				}
			}
		}
		for i := range many {
			if id := s.Vars["many"+strconv.Itoa(i)]; decided[id] != 1 || conflicts != 19*many {
				t.Errorf("leave %s was decided %d times, with %d conflicts", id, decided[id], conflicts)
			}
		}
	}}
}
