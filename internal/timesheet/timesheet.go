// Package timesheet is the one engine of working time: presence, breaks, expected hours,
// lateness, overtime, days, rounding, and when forgotten attendances end. Every interval is
// half-open, every duration comes from instants alone, and nothing depends on a clock or
// on the zone of the machine.
//
// Work goes through four steps. Union makes presence of worked intervals, Count of an
// Occurrence leaves out breaks, Split parts what is left at local midnight, and Sum adds it
// up. Sheet does all of that for a period. No step loses or repeats a second.
package timesheet
