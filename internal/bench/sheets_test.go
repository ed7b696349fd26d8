package bench

import (
	"encoding/json"
	"time"

	"workforce/internal/shift"
)

// The documents of managers and payroll: the month of 1,000 people by day, and where 1,000
// people are now.
const (
	monthQuery = `query Month($from: DateOrTime, $to: DateOrTime) {
  timesheet(from: $from, to: $to, limit: 1000) {
    from to totalCount
    people {
      userId name
      total { workedSeconds expectedSeconds balanceSeconds overtimeSeconds nightSeconds lateDays earlyDays absentDays }
      parts { from status workedSeconds closedSeconds expectedSeconds lateSeconds earlySeconds overtimeSeconds nightSeconds }
    }
  }
}`
	summaryQuery = `query Summary {
  attendanceSummary(limit: 50) {
    date totalCount
    groups { name count people { userId name image status startAt endAt clockInAt clockOutAt lateSeconds } }
  }
}`
)

// monthOf returns the body that asks for a month that is over, and whose absences are known.
func monthOf(now time.Time, zone string) string {
	to := shift.DateOf(now, handZone(zone)).AddDays(-5)
	body, _ := json.Marshal(map[string]any{ // text
		"operationName": "Month", "query": monthQuery, "variables": map[string]any{"from": to.AddDays(-30), "to": to},
	})
	return string(body)
}
