// Package attendance tests, on the whole server, clocking in and out and the day that is shown.
package attendance

import "workforce/internal/scenario/harness"

// Scenarios are the groups of this package.
var Scenarios = []harness.Group{
	{Name: "attendance day", Run: attendanceDayScenarios},
	{Name: "attendance repeats", Run: attendanceRepeatScenarios},
	{Name: "attendance rules", Run: attendanceRuleScenarios, SQLite: true},
	{Name: "attendance order", Run: attendanceOrderScenarios, SQLite: true},
	{Name: "attendance faces", Run: attendanceFaceScenarios, SQLite: true},
	{Name: "attendance offline", Run: attendanceOfflineScenarios},
	{Name: "attendance places", Run: placeScenarios, SQLite: true},
	{Name: "attendance review", Run: reviewScenarios, SQLite: true},
	{Name: "attendance forgotten", Run: forgottenScenarios},
	{Name: "attendance positions", Run: positionScenarios, SQLite: true},
	{Name: "attendance clock positions", Run: clockedScenarios},
	{Name: "attendance sheets", Run: sheetScenarios},
}
