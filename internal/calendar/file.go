package calendar

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"slices"

	"workforce/internal/errs"
	"workforce/internal/shift"
	"workforce/internal/textform"
)

// The bounds of a calendar file.
const (
	MaxFile   = 1 << 20 // bytes
	maxLine   = 10_000  // bytes, without folds
	maxEvents = 2_000
	maxDates  = 5_000 // of all events, recurrences among them
	maxDays   = 31    // of one event
	maxUID    = 255   // bytes
	firstYear = 1900
	lastYear  = 9000
)

// A File is what a calendar file has, in its order.
type File struct {
	Events  []Event
	LeftOut []LeftOut
}

// An Event is one date of an all-day event of a calendar file.
type Event struct {
	Number int    // of the event in the file, from 1
	Line   int    // of the file, where the event begins
	UID    string // at most 255 bytes; "" for none
	Name   string
	Date   shift.Date
}

// A LeftOut is an event that is not read, and why.
type LeftOut struct {
	Number int // of the event in the file, from 1
	Line   int // of the file, from 1
	Name   string
	Fault  errs.Fault // its field is such as events.3.dtstart
}

// ReadFile reads the all-day events of an iCalendar file (RFC 5545), a date each, as the programs
// of that format show them. Those that recur have their dates from the first day of a year until
// the last of the next. Cancelled ones are no events. An event that cannot be read, or that is no
// day without work, such as one with a time, is left out. It fails with PAYLOAD_TOO_LARGE, with
// VALIDATION_FAILED on file where the file as a whole cannot be read, or with the error of ctx.
func ReadFile(ctx context.Context, r io.Reader, year int) (*File, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxFile+1))
	if err != nil {
		return nil, err
	}
	if len(text) > MaxFile {
		return nil, errs.New(errs.PayloadTooLarge, errs.Meta{"max": MaxFile})
	}
	text = bytes.TrimPrefix(text, []byte("\uFEFF")) // the byte order mark of some programs
	switch {
	case len(bytes.TrimSpace(text)) == 0:
		return nil, errs.Because("file", errs.EmptyFile, nil)
	case textform.IsPage(text):
		return nil, errs.Because("file", errs.WebPage, nil)
	}
	components, err := readComponents(text)
	if err != nil {
		return nil, err
	}
	read := &reader{year: year, changed: map[string]shift.Date{}}
	for i, c := range components {
		if e := read.event(ctx, i+1, c); e != nil {
			read.events = append(read.events, e)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return read.file(), nil
}

// LeaveOut adds an event that is left out for its name.
func (f *File) LeaveOut(e Event, reason errs.Reason, meta errs.Meta) {
	fault := errs.Fault{Field: field(e.Number, "summary"), Code: errs.Invalid, Reason: reason, Meta: meta}
	f.LeftOut = append(f.LeftOut, LeftOut{e.Number, e.Line, e.Name, fault})
	f.sort()
}

// sort sorts what is left out in the order of the file.
func (f *File) sort() {
	slices.SortStableFunc(f.LeftOut, func(a, b LeftOut) int { return cmp.Compare(a.Number, b.Number) })
}

// A Place is where the event of a fault is in a file, from 1, with its name.
type Place struct {
	Event int    `json:"event"`
	Line  int    `json:"line"`
	Name  string `json:"name"`
}

// Faults returns the faults of all events that are left out, as one error; nil for none. Its meta
// has leftOut, a Place for each.
func (f *File) Faults() error {
	if len(f.LeftOut) == 0 {
		return nil
	}
	var faults errs.Faults
	var places []Place
	for _, l := range f.LeftOut {
		faults = append(faults, l.Fault)
		places = append(places, Place{l.Number, l.Line, l.Name})
	}
	all := errs.As(faults.Err())
	all.Meta = errs.Meta{"leftOut": places}
	return all
}
