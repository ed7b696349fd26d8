package known

import (
	"fmt"
	"testing"
	"time"
)

// A plan is a shift that somebody has: assigned with members of assignShift, else as
// their fallback.
type plan struct{ name, start, end, more, assigned string }

// always is the assignment of every day since the 1st.
const always = `startsOn:"2026-03-01"`

// TestResolution finds the shift of a time: D is the 10th of March.
func TestResolution(t *testing.T) {
	type asked struct{ at, want string }
	tests := []struct {
		name  string
		plans []plan
		asked []asked
	}{
		{"A01 window edges inclusive", []plan{{"S1", "08:00", "12:00", "", always}}, []asked{
			{"2026-03-10 08:45", "S1 10 08:00 to 10 12:00, window 10 07:00 to 10 13:00"}, {"2026-03-10 07:00", "S1 10 08:00 to 10 12:00, window 10 07:00 to 10 13:00"},
			{"2026-03-10 13:00", "S1 10 08:00 to 10 12:00, window 10 07:00 to 10 13:00"}, {"2026-03-10 13:01", ""}, {"2026-03-10 06:59", ""}}},
		{"A02 window values returned", []plan{{"S1", "08:00", "12:00", "", always}}, []asked{
			{"2026-03-10 07:30", "S1 10 08:00 to 10 12:00, window 10 07:00 to 10 13:00"}}},
		{"A03 two shifts a day with end date", []plan{{"S1", "08:00", "12:00", "", `startsOn:"2026-03-10",endsOn:"2026-03-25"`}, {"S2", "12:30", "16:30", "", `startsOn:"2026-03-10",endsOn:"2026-03-25"`}}, []asked{
			{"2026-03-10 08:45", "S1 10 08:00 to 10 12:00, window 10 07:00 to 10 12:00"}, {"2026-03-10 12:45", "S2 10 12:30 to 10 16:30, window 10 12:00 to 10 17:30"}, {"2026-03-26 08:45", ""}}},
		{"A04 default shift", []plan{{"Default", "14:00", "16:00", "", ""}}, []asked{
			{"2026-03-10 14:45", "Default 10 14:00 to 10 16:00, window 10 13:00 to 10 17:00"}}},
		{"A06 night shift both ends", []plan{{"S", "23:00", "01:00", "", always}}, []asked{
			{"2026-03-10 23:00", "S 10 23:00 to 11 01:00, window 10 22:00 to 11 02:00"}, {"2026-03-11 01:30", "S 10 23:00 to 11 01:00, window 10 22:00 to 11 02:00"}}},
		{"A08 other shift yesterday", []plan{{"Yesterday", "07:00", "12:00", "", `startsOn:"2026-03-09",endsOn:"2026-03-09"`}, {"Today", "09:30", "14:00", "", `startsOn:"2026-03-10"`}}, []asked{
			{"2026-03-10 14:01", "Today 10 09:30 to 10 14:00, window 10 08:30 to 10 15:00"},
			{"2026-03-09 07:01", "Yesterday 09 07:00 to 09 12:00, window 09 06:00 to 09 13:00"}, {"2026-03-09 13:00", "Yesterday 09 07:00 to 09 12:00, window 09 06:00 to 09 13:00"}}},
		{"SH-06 dated by its start", []plan{{"Early", "00:30", "08:30", "", always}}, []asked{{"2026-03-09 23:30", "Early 10 00:30 to 10 08:30, window 09 23:30 to 10 09:30"}}},
		{"SH-08 the boundary minute is of the shift that ends", []plan{{"Day", "07:00", "19:00", "", always}, {"Night", "19:00", "07:00", "", always}}, []asked{
			{"2026-03-10 07:00", "Night 09 19:00 to 10 07:00, window 09 19:00 to 10 07:00"}, {"2026-03-10 07:01", "Day 10 07:00 to 10 19:00, window 10 07:00 to 10 19:00"},
			{"2026-03-10 19:00", "Day 10 07:00 to 10 19:00, window 10 07:00 to 10 19:00"}}},
	}
	each(t, func(t *testing.T, c *company) {
		for i, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				who := fmt.Sprint("person", i)
				c.Clock.Set(moment(t, "2026-03-09 05:00"))
				c.person(t, who)
				for _, p := range tt.plans {
					id := c.shift(t, p.name, p.start, p.end, p.more)
					if p.assigned != "" {
						want(t, "assigned", c.assign(t, who, id, p.assigned), "")
					} else {
						c.must(t, "andini", fmt.Sprintf(`mutation{setFallbackShift(input:{userId:"%s",shiftId:"%s"}){id}}`, c.Vars[who], id))
					}
				}
				for _, a := range tt.asked {
					got := ""
					if o := c.resolve(t, who, a.at); o != nil {
						got = o.String()
					}
					want(t, a.at, got, a.want)
				}
			})
		}
	})
}

// TestAssigning gives people shifts that overlap.
func TestAssigning(t *testing.T) {
	type given struct{ shift, days, want string }
	const today, d = `startsOn:"2026-03-10",endsOn:"2026-03-10"`, `startsOn:"2026-03-10"`
	tests := []struct {
		name    string
		several bool // the company's setting severalShifts
		given   []given
	}{
		{"A09 same-day second shift needs the setting", false, []given{{"08:00 12:00", today, ""}, {"13:00 16:00", today, "CONFLICT"}}},
		{"A09 with the setting", true, []given{{"08:00 12:00", today, ""}, {"13:00 16:00", today, ""}}},
		{"A10 overlap by time slots", true, []given{{"08:00 12:00", d, ""}, {"11:00 15:00", d, "CONFLICT"}, {"12:00 16:00", d, ""}, {"15:00 19:00", d, "CONFLICT"}}},
		{"A11 ongoing blocks fixed period", true, []given{{"08:00 12:00", d, ""}, {"08:00 12:00", `startsOn:"2026-03-20",endsOn:"2026-03-25"`, "CONFLICT"}}},
		{"SH-12 22–02 vs 21–23", true, []given{{"22:00 02:00", d, ""}, {"21:00 23:00", d, "CONFLICT"}, {"20:00 01:00", d, "CONFLICT"}}},
		{"SH-12 01–02 vs 01:30–03", true, []given{{"01:00 02:00", d, ""}, {"01:30 03:00", d, "CONFLICT"}}},
		{"SH-12 21–23 vs 22–03", true, []given{{"21:00 23:00", d, ""}, {"22:00 03:00", d, "CONFLICT"}}},
		{"SH-12 20–01 with 15–20 and 01–05", true, []given{{"20:00 01:00", d, ""}, {"15:00 20:00", d, ""}, {"01:00 05:00", d, ""}, {"21:00 02:00", d, "CONFLICT"}}},
	}
	each(t, func(t *testing.T, c *company) {
		for i, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				who := fmt.Sprint("person", i)
				c.person(t, who)
				setting := fmt.Sprintf(`mutation{updateCompany(input:{settings:{severalShifts:%v}}){id}}`, tt.several)
				c.must(t, "andini", setting)
				for j, g := range tt.given {
					id := c.shift(t, fmt.Sprint(tt.name, j), g.shift[:5], g.shift[6:], "")
					want(t, g.shift, c.assign(t, who, id, g.days), g.want)
				}
				c.must(t, "andini", `mutation{updateCompany(input:{settings:{severalShifts:true}}){id}}`)
			})
		}
	})
}

// TestWorkedShifts works shifts of which others are near.
func TestWorkedShifts(t *testing.T) {
	tests := []struct {
		name string
		run  func(t *testing.T, c *company)
	}{
		{"A05 assigned beats default", func(t *testing.T, c *company) {
			c.must(t, "andini", fmt.Sprintf(`mutation{setFallbackShift(input:{userId:"%s",shiftId:"%s"}){id}}`, c.Vars["a05"], c.shift(t, "Default", "08:00", "12:00", "")))
			want(t, "assigned", c.assign(t, "a05", c.shift(t, "Other", "08:00", "12:00", ""), always), "")
			c.Vars["a05.shift"] = c.resolve(t, "a05", "2026-03-10 08:00").EmployeeShiftID
			want(t, "in", c.clock(t, "in", "a05", "2026-03-10 08:00"), "")
			want(t, "out", c.clock(t, "out", "a05", "2026-03-10 10:00"), "")
			var data struct {
				EmployeeShifts struct {
					Edges []struct {
						Node struct {
							Name        string
							Attendances []struct{ ID string }
						}
					}
				}
			}
			c.say(t, "andini", fmt.Sprintf(`{employeeShifts(where:{date:"2026-03-10",hasUserWith:[{id:"%s"}]}){edges{node{name attendances{id}}}}}`, c.Vars["a05"]), &data)
			if e := data.EmployeeShifts.Edges; len(e) != 1 || e[0].Node.Name != "Other" || len(e[0].Node.Attendances) != 1 {
				t.Errorf("occurrences %+v, want the assigned one alone, with its attendance", e)
			}
		}},
		{"A07 after-margin crosses midnight", func(t *testing.T, c *company) {
			want(t, "assigned", c.assign(t, "a07", c.shift(t, "S", "15:00", "23:00", ",closesAfterMinutes:120"), always), "")
			o := c.resolve(t, "a07", "2026-03-10 14:00")
			want(t, "the window", o.String(), "S 10 15:00 to 10 23:00, window 10 14:00 to 11 01:00")
			c.Vars["a07.shift"] = o.EmployeeShiftID
			want(t, "in", c.clock(t, "in", "a07", "2026-03-10 14:00"), "")
			want(t, "out", c.clock(t, "out", "a07", "2026-03-11 01:00"), "")
			want(t, "kept", c.kept(t, "a07", "Asia/Jakarta"), "03-10 14:00 to 01:00")
		}},
		{"A12 calendar event for night shift", func(t *testing.T, c *company) {
			want(t, "assigned", c.assign(t, "a12", c.shift(t, "S", "08:00", "02:00", ""), `startsOn:"2026-03-10",endsOn:"2026-03-10"`), "")
			var data struct {
				Roster struct {
					People []struct {
						Name   string
						Shifts []struct {
							Date           string
							StartAt, EndAt time.Time
						}
					}
				}
			}
			c.say(t, "andini", `{roster(week:"2026-03-10",limit:1000){people{name shifts{date startAt endAt}}}}`, &data)
			for _, p := range data.Roster.People {
				if p.Name == "a12" {
					want(t, "the event", fmt.Sprint(len(p.Shifts), " ", p.Shifts[0].Date, p.Shifts[0].StartAt.In(jakarta).Format(" 02 15:04"), p.Shifts[0].EndAt.In(jakarta).Format(" 02 15:04")), "1 2026-03-10 10 08:00 11 02:00")
					return
				}
			}
			t.Error("not in the roster")
		}},
		{"A14 shift request obeys overlap", func(t *testing.T, c *company) {
			want(t, "assigned", c.assign(t, "a14", c.shift(t, "S1", "08:00", "12:00", ""), `startsOn:"2026-03-11",endsOn:"2026-03-11"`), "")
			want(t, "assigned", c.assign(t, "a14", c.shift(t, "S2", "16:00", "20:00", ""), `startsOn:"2026-03-11",endsOn:"2026-03-11"`), "")
			c.Clock.Set(moment(t, "2026-03-11 05:00"))
			var data struct{ ShiftToday []occurrence }
			c.say(t, "a14", `{shiftToday{employeeShiftId name}}`, &data)
			request := func(wanted string) string {
				id := c.must(t, "a14", fmt.Sprintf(`mutation{requestShiftSwap(input:{employeeShiftId:"%s",shiftId:"%s"}){id}}`, data.ShiftToday[1].EmployeeShiftID, wanted))
				code := c.say(t, "andini", fmt.Sprintf(`mutation{decideShiftSwap(id:"%s",input:{approve:true}){id}}`, id), nil)
				if code != "" {
					c.say(t, "a14", fmt.Sprintf(`mutation{cancelShiftSwap(id:"%s"){id}}`, id), nil)
				}
				return code
			}
			want(t, "overlapping", request(c.shift(t, "Over", "11:00", "15:00", "")), "CONFLICT")
			want(t, "not overlapping", request(c.shift(t, "Beside", "12:00", "16:00", "")), "")
		}},
		{"U7 out in the window of the next day's shift", func(t *testing.T, c *company) {
			want(t, "assigned", c.assign(t, "u7", c.shift(t, "Night", "22:00", "06:00", ""), `startsOn:"2026-03-10",endsOn:"2026-03-10"`), "")
			want(t, "assigned", c.assign(t, "u7", c.shift(t, "Day", "09:00", "17:00", ""), `startsOn:"2026-03-11"`), "")
			c.Vars["u7.shift"] = c.resolve(t, "u7", "2026-03-10 21:50").EmployeeShiftID
			want(t, "in", c.clock(t, "in", "u7", "2026-03-10 21:50"), "")
			c.Clock.Set(moment(t, "2026-03-11 08:30"))
			want(t, "the window that is open", c.resolve(t, "u7", "2026-03-11 08:30").Name, "Day")
			want(t, "out", c.clock(t, "out", "u7", "2026-03-11 08:30"), "")
			want(t, "kept", c.kept(t, "u7", "Asia/Jakarta"), "03-10 21:50 to 08:30")
		}},
		{"U8 Berlin, clocks forward", func(t *testing.T, c *company) { berlin(t, c, "u8a", "2026-03-28", "2026-03-29", "+01:00", "+02:00", 7) }},
		{"U8 Berlin, clocks back", func(t *testing.T, c *company) { berlin(t, c, "u8b", "2026-10-24", "2026-10-25", "+02:00", "+01:00", 9) }},
	}
	people := []string{"a05", "a07", "a12", "a14", "u7", "u8a", "u8b"}
	each(t, func(t *testing.T, c *company) {
		c.Clock.Set(moment(t, "2026-03-09 05:00"))
		for _, who := range people[:5] {
			c.person(t, who)
		}
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				c.Clock.Set(moment(t, "2026-03-10 05:00"))
				tt.run(t, c)
			})
		}
	})
}

// berlin works a night from 22:00 to 06:00 over a change of clocks, in which somebody
// comes 10 minutes late and leaves 20 minutes early by the wall clock.
func berlin(t *testing.T, c *company, who, first, second, before, after string, hours int) {
	c.Clock.Set(moment(t, first+" 12:00 "+before))
	c.SignIn(t, "andini", "admin@demo.test")
	c.person(t, who)
	id := c.shift(t, who, "22:00", "06:00", `,timezone:"Europe/Berlin",lateGraceMinutes:0,earlyGraceMinutes:0`)
	want(t, "assigned", c.assign(t, who, id, fmt.Sprintf(`startsOn:%q`, first)), "")
	o := c.resolve(t, who, first+" 22:10 "+before)
	if o == nil || o.EndAt.Sub(o.StartAt) != time.Duration(hours)*time.Hour {
		t.Fatalf("%v, want a night of %d hours", o, hours)
	}
	c.Vars[who+".shift"] = o.EmployeeShiftID
	want(t, "in", c.clock(t, "in", who, first+" 22:10 "+before), "")
	want(t, "out", c.clock(t, "out", who, second+" 05:40 "+after), "")
	var data struct {
		TimesheetWidget struct{ WorkedSeconds int }
		AttendanceToday struct{ LateSeconds, EarlySeconds int }
	}
	var day struct {
		EmployeeShift struct {
			Attendances []struct{ WorkDate string }
		}
	}
	c.say(t, "andini", fmt.Sprintf(`{employeeShift(id:"%s"){attendances{workDate}}}`, o.EmployeeShiftID), &day)
	if a := day.EmployeeShift.Attendances; len(a) != 1 || a[0].WorkDate != first {
		t.Errorf("attendances %+v, want one of %s", a, first)
	}
	c.say(t, who, fmt.Sprintf(`{timesheetWidget(from:%q,to:%q){workedSeconds}}`, first, second), &data)
	c.Clock.Set(moment(t, first+" 23:00 "+before)) // when that is the day
	c.say(t, who, `{attendanceToday{lateSeconds earlySeconds}}`, &data)
	if sum, got := data.TimesheetWidget.WorkedSeconds, data.AttendanceToday; sum != hours*3600-1800 || got.LateSeconds != 600 || got.EarlySeconds != 1200 {
		t.Errorf("worked %d s, late %d s, early %d s; want %d h less 30 min, 10 and 20 min", sum, got.LateSeconds, got.EarlySeconds, hours)
	}
}
