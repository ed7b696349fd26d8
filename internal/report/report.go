// Package report is the model of a report, a table with totals and a chart, and writes it as
// CSV. The packages workbook and pdf below it write the other formats. A writer takes one row
// at a time, so that a report of any length needs little memory.
package report

import (
	"fmt"
	"strconv"
	"time"

	"workforce/internal/shift"
)

// A Type says what the values of a column are.
type Type int

// The types of columns.
const (
	Text     Type = iota
	Date          // a local date
	Instant       // a point in time, shown in the zone of the report
	Duration      // whole seconds
	Number        // a whole number
)

// A Value is one cell. The zero value is an empty one.
type Value struct {
	text   string
	number int64 // seconds of a duration
	at     time.Time
	typ    Type
	filled bool
}

// Of returns a cell of text. Empty text is an empty cell.
func Of(text string) Value { return Value{text: text, filled: text != ""} }

// On returns the cell of a local date; empty for "".
func On(d shift.Date) Value { return Value{text: string(d), typ: Date, filled: d != ""} }

// At returns the cell of an instant, to the second; empty for the zero time.
func At(at time.Time) Value { return Value{at: at, typ: Instant, filled: !at.IsZero()} }

// Seconds returns the cell of a duration.
func Seconds(n int) Value { return Value{number: int64(n), typ: Duration, filled: true} }

// Count returns the cell of a number.
func Count(n int) Value { return Value{number: int64(n), typ: Number, filled: true} }

// Type returns what the value is.
func (v Value) Type() Type { return v.typ }

// IsEmpty reports whether the cell is empty.
func (v Value) IsEmpty() bool { return !v.filled }

// Int returns the seconds of a duration, or a number.
func (v Value) Int() int { return int(v.number) }

// Time returns a date as midnight UTC, and an instant.
func (v Value) Time() time.Time {
	if v.typ != Date {
		return v.at
	}
	return shift.Date(v.text).In(time.UTC)
}

// In returns the text of a cell as people read it, with instants in a zone.
func (v Value) In(zone *time.Location) string {
	switch {
	case !v.filled:
		return ""
	case v.typ == Instant:
		return v.at.In(zone).Format("2006-01-02 15:04:05")
	case v.typ == Duration:
		return clock(v.number)
	case v.typ == Number:
		return strconv.FormatInt(v.number, 10)
	}
	return v.text
}

// clock writes seconds as hours, minutes and seconds.
func clock(seconds int64) string {
	sign := ""
	if seconds < 0 {
		sign, seconds = "-", -seconds
	}
	return fmt.Sprintf("%s%d:%02d:%02d", sign, seconds/3600, seconds/60%60, seconds%60)
}

// A Column is one of a table.
type Column struct {
	Title string
	Type  Type
	Width int // characters that are shown

	// Signed durations may be below zero, which spreadsheets do not show as a time: a workbook has
	// them as text, and all of them as decimal hours in a column at the end.
	Signed bool
}

// A Line is a fact about a report, or one of its totals.
type Line struct {
	Label string
	Value Value
}

// A Chart is bars with a label each.
type Chart struct {
	Title string
	Type  Type // of the values: Duration or Number
	Bars  []Line
}

// A Head is what is known of a report before its rows.
type Head struct {
	Title   string
	Company string
	Logo    []byte // PNG or JPEG; nil for none
	Zone    *time.Location
	Facts   []Line // the period and the like
	Columns []Column
	Words   Words
}

// Words are what the writers say by themselves.
type Words struct {
	Language string // id or en
	Totals   string
	Hours    string // the title of decimal hours, with {title} of the durations
	Page     string // with {current} and {total}
	Empty    string // of a table without rows
	Missing  string // with {characters}, which no font has
}

// A Summary is what is known once all rows are written.
type Summary struct {
	Totals []Line
	Chart  Chart
}

// A Writer writes a report. Close ends it, and leaves what it was written to open.
type Writer interface {
	Row(cells []Value) error
	Close(Summary) error
}
