package calendar

import (
	"testing"

	"workforce/internal/shift"
)

func TestDay(t *testing.T) {
	const friday, saturday, sunday = shift.Date("2026-03-13"), shift.Date("2026-03-14"), shift.Date("2026-03-15")
	whole, half := Holiday{Name: "whole", Date: friday}, Holiday{Name: "half", Date: friday, Half: true}
	site, siteHalf := Holiday{Name: "site", Date: friday, Address: true}, Holiday{Name: "site half", Date: friday, Half: true, Address: true}
	tests := []struct {
		name    string
		c       Calendar
		date    shift.Date
		holiday string
		off     bool
		free    bool
	}{
		{"nothing", Calendar{}, friday, "", false, false},
		{"a holiday", Calendar{Holidays: []Holiday{whole}}, friday, "whole", false, true},
		{"of another date", Calendar{Holidays: []Holiday{whole}}, saturday, "", false, false},
		{"half", Calendar{Holidays: []Holiday{half}}, friday, "half", false, false},
		{"a whole one before a half", Calendar{Holidays: []Holiday{half, whole}}, friday, "whole", false, true},
		{"in the other order", Calendar{Holidays: []Holiday{whole, half}}, friday, "whole", false, true},
		{"the address's before the company's", Calendar{Holidays: []Holiday{whole, siteHalf}}, friday, "site half", false, false},
		{"the address's first", Calendar{Holidays: []Holiday{siteHalf, whole}}, friday, "site half", false, false},
		{"the address's whole one", Calendar{Holidays: []Holiday{half, siteHalf, site}}, friday, "site", false, true},
		{"a weekly off", Calendar{WeeklyOffs: []int{6, 7}}, sunday, "", true, false},
		{"another day", Calendar{WeeklyOffs: []int{6, 7}}, friday, "", false, false},
		{"the address's own", Calendar{WeeklyOffs: []int{6, 7}, AddressOffs: []int{5}}, friday, "", true, false},
		{"in place of the company's", Calendar{WeeklyOffs: []int{6, 7}, AddressOffs: []int{5}}, sunday, "", false, false},
		{"an address that is never off", Calendar{WeeklyOffs: []int{6, 7}, AddressOffs: []int{}}, sunday, "", false, false},
		{"a holiday on a weekly off", Calendar{Holidays: []Holiday{whole}, WeeklyOffs: []int{5}}, friday, "whole", true, true},
	}
	for _, tt := range tests {
		day := tt.c.Day(tt.date)
		name := ""
		if day.Holiday != nil {
			name = day.Holiday.Name
		}
		if name != tt.holiday || day.WeeklyOff != tt.off || day.Free() != tt.free {
			t.Errorf("%s: holiday %q, off %v, free %v; want %q, %v, %v", tt.name, name, day.WeeklyOff, day.Free(), tt.holiday, tt.off, tt.free)
		}
	}
}
