package timesheet

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/internal/shift"
)

var jakarta = time.FixedZone("Asia/Jakarta", 7*3600)

func days(list ...shift.Date) []shift.Date { return list }

func TestFree(t *testing.T) {
	const d = shift.Date("2026-03-11")
	whole, half, other := Leave{Dates: days(d)}, Leave{Dates: days("2026-03-10", d), Half: true}, Leave{Dates: days("2026-03-12")}
	hours, home := Leave{Dates: days(d), From: "08:00", To: "10:00"}, Leave{Dates: days(d), WorkFromHome: true}
	night := Leave{Dates: days(d), From: "23:00", To: "01:00"}
	for _, tt := range []struct {
		about    string
		approved []Leave
		part     Part
		home     bool
		times    string
	}{
		{"nothing", nil, None, false, ""},
		{"another date", []Leave{other}, None, false, ""},
		{"a whole day", []Leave{whole, other}, Whole, false, ""},
		{"half", []Leave{half}, Half, false, ""},
		{"two halves", []Leave{half, half}, Whole, false, ""},
		{"more than a day", []Leave{half, whole}, Whole, false, ""},
		{"hours", []Leave{hours, half}, Half, false, "11 01:00-03:00"},
		{"hours of the next date", []Leave{{Dates: days("2026-03-12"), From: "02:00", To: "04:00"}}, None, false, "11 19:00-21:00"},
		{"over the midnight before", []Leave{{Dates: days("2026-03-10"), From: "23:00", To: "01:00"}}, None, false, "10 16:00-18:00"},
		{"hours in two days", []Leave{{Dates: days("2026-03-13"), From: "02:00", To: "04:00"}}, None, false, ""},
		{"over midnight", []Leave{night}, None, false, "11 16:00-18:00"},
		{"at home", []Leave{home}, None, true, ""},
	} {
		var off Off
		FreeByLeave(&off, tt.approved, d, jakarta)
		times := ""
		for _, i := range off.LeaveTimes {
			times += i.Start.UTC().Format("02 15:04") + i.End.UTC().Format("-15:04")
		}
		if off.Leave != tt.part || off.WorkFromHome != tt.home || times != tt.times {
			t.Errorf("%s: %+v %s", tt.about, off, times)
		}
	}
}

func TestClash(t *testing.T) {
	whole, half := Leave{Dates: days("2026-03-10", "2026-03-11")}, Leave{Dates: days("2026-03-11"), Half: true}
	morning, late := Leave{Dates: days("2026-03-11"), From: "08:00", To: "10:00"}, Leave{Dates: days("2026-03-11"), From: "10:00", To: "11:00"}
	early := Leave{Dates: days("2026-03-11"), From: "09:59", To: "10:30"}
	other := Leave{Dates: days("2026-03-13")}
	for _, tt := range []struct {
		about  string
		l      Leave
		others []Leave
		want   shift.Date
	}{
		{"nothing else", whole, nil, ""},
		{"another date", whole, []Leave{other}, ""},
		{"a whole day twice", whole, []Leave{whole}, "2026-03-10"},
		{"half of a day that is whole", half, []Leave{whole}, "2026-03-11"},
		{"a whole day over half of one", whole, []Leave{half}, "2026-03-11"},
		{"the other half", half, []Leave{half}, ""},
		{"a third half", half, []Leave{half, half}, "2026-03-11"},
		{"hours of half a day", morning, []Leave{half}, "2026-03-11"},
		{"half of a day with hours", half, []Leave{morning}, "2026-03-11"},
		{"hours that touch", morning, []Leave{late}, ""},
		{"hours that overlap", late, []Leave{morning, early}, "2026-03-11"},
		{"hours of a whole day", early, []Leave{whole}, "2026-03-11"},
	} {
		got, found := tt.l.Clash(tt.others, jakarta)
		if got != tt.want || found != (tt.want != "") {
			t.Errorf("%s: %q %v, want %q", tt.about, got, found, tt.want)
		}
	}
}

func TestMinutes(t *testing.T) {
	all := days("2025-12-31", "2026-01-01", "2026-01-02")
	for _, tt := range []struct {
		l    Leave
		want string // of 2025 and 2026
	}{
		{Leave{Dates: all}, "480 960"},
		{Leave{Dates: all, Half: true}, "240 480"},
		{Leave{Dates: all, From: "08:00", To: "10:15"}, "135 270"},
		{Leave{Dates: all, From: "23:30", To: "00:15"}, "45 90"},
		{Leave{Dates: days("2026-01-01"), From: "08:00", To: "08:00"}, "0 1440"},
		{Leave{}, "0 0"},
	} {
		if got := fmt.Sprint(tt.l.Minutes(2025, 480), tt.l.Minutes(2026, 480)); got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.l, got, tt.want)
		}
	}
	if got := fmt.Sprint(Leave{Dates: all}.Years(), Leave{}.Years()); got != "[2025 2026] []" {
		t.Errorf("years %s", got)
	}
}

// TestRecount counts dates anew: of a period alone, and beside others.
func TestRecount(t *testing.T) {
	asked := Period{"2026-12-28", "2026-12-31"}
	free := func(dates ...shift.Date) func(shift.Date) bool {
		return func(d shift.Date) bool { return slices.Contains(dates, d) }
	}
	of := func(dates ...shift.Date) Leave { return Leave{Dates: dates} }
	all := of("2026-12-28", "2026-12-29", "2026-12-30", "2026-12-31")
	for name, tt := range map[string]struct {
		leave  Leave
		anew   Period
		free   func(shift.Date) bool
		others []Leave
		want   string
	}{
		"nothing changed":        {all, asked, free(), nil, "28 29 30 31"},
		"a holiday":              {all, asked, free("2026-12-30"), nil, "28 29 31"},
		"before the period":      {all, Period{"2026-12-31", "2026-12-31"}, free("2026-12-30"), nil, "28 29 30 31"},
		"after the period":       {all, Period{"2026-12-28", "2026-12-29"}, free("2026-12-30"), nil, "28 29 30 31"},
		"a holiday less":         {of("2026-12-28"), asked, free("2026-12-30"), nil, "28 29 31"},
		"other leave takes it":   {of("2026-12-28"), asked, free("2026-12-30"), []Leave{of("2026-12-29")}, "28 31"},
		"a half beside a half":   {Leave{Half: true}, asked, free(), []Leave{{Half: true, Dates: all.Dates[:1]}}, "28 29 30 31"},
		"what it has is its own": {all, asked, free(), []Leave{of("2026-12-29")}, "28 29 30 31"},
		"no date is left":        {all, asked, func(shift.Date) bool { return true }, nil, ""},
	} {
		var got []string
		for _, d := range tt.leave.Recount(asked, tt.anew, tt.free, tt.others, time.UTC) {
			got = append(got, string(d[8:]))
		}
		if text := strings.Join(got, " "); text != tt.want {
			t.Errorf("%s: %s, want %s", name, text, tt.want)
		}
	}
}
