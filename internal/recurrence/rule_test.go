package recurrence

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct{ rule, want string }{
		{"FREQ=DAILY", "taken"},
		{" rrule:freq=weekly;byday=mo ", "taken"},
		{"FREQ=WEEKLY;BYDAY=MO,TU,MO;BYSETPOS=2,2,2,-1", "taken"},
		{"FREQ=MONTHLY;BYMONTHDAY=+1,-31", "taken"},
		{"FREQ=MONTHLY;BYDAY=5FR,-5FR", "taken"},
		{"FREQ=YEARLY;BYDAY=53MO,-53MO", "taken"},
		{"FREQ=YEARLY;BYMONTH=1,12;BYWEEKNO=53;BYDAY=MO", "taken"},
		{"FREQ=YEARLY;BYYEARDAY=366,-366;BYSETPOS=1", "taken"},
		{"FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "taken"},
		{"FREQ=DAILY;COUNT=1", "taken"},
		{"FREQ=DAILY;UNTIL=20260312", "taken"},
		{"FREQ=DAILY;UNTIL=20260312T235959", "taken"},
		{"FREQ=DAILY;UNTIL=20260312T235959Z", "taken"},
		{"INTERVAL=2;FREQ=DAILY;WKST=SU", "taken"},

		{"", "unreadable"},
		{"DAILY", "unreadable"},
		{"FREQ", "unreadable"},
		{"FREQ=", "unreadable"},
		{"FREQ=HOURLY", "unreadable"},
		{"BYDAY=MO", "unreadable"},
		{"FREQ=DAILY;", "unreadable"},
		{"FREQ=DAILY;X=1", "unreadable"},
		{"FREQ=DAILY;BYHOUR=9", "unreadable"},
		{"FREQ=DAILY;BYEASTER=1", "unreadable"},
		{"FREQ=DAILY;DTSTART=20200101", "unreadable"},
		{"DTSTART:20260310T000000Z\nRRULE:FREQ=DAILY", "unreadable"},
		{"FREQ=DAILY;INTERVAL=x", "unreadable"},
		{"FREQ=DAILY;COUNT=99999999999999999999", "unreadable"},
		{"FREQ=DAILY;INTERVAL=1000000000", "unreadable"},
		{"FREQ=DAILY;UNTIL=20260230", "unreadable"},
		{"FREQ=DAILY;UNTIL=2026031", "unreadable"},
		{"FREQ=DAILY;WKST=1MO", "unreadable"},
		{"FREQ=WEEKLY;BYDAY=XX", "unreadable"},
		{"FREQ=WEEKLY;BYDAY=", "unreadable"},
		{"FREQ=WEEKLY;BYDAY=MO,", "unreadable"},
		{"FREQ=MONTHLY;BYDAY=0MO", "unreadable"},
		{"FREQ=YEARLY;BYDAY=54MO", "unreadable"},
		{"FREQ=MONTHLY;BYMONTHDAY=0", "unreadable"},
		{"FREQ=MONTHLY;BYMONTHDAY=32", "unreadable"},
		{"FREQ=MONTHLY;BYMONTHDAY=-32", "unreadable"},
		{"FREQ=YEARLY;BYMONTH=13", "unreadable"},
		{"FREQ=YEARLY;BYMONTH=-1", "unreadable"},
		{"FREQ=YEARLY;BYWEEKNO=54", "unreadable"},
		{"FREQ=YEARLY;BYYEARDAY=367", "unreadable"},
		{"FREQ=YEARLY;BYDAY=MO;BYSETPOS=0", "unreadable"},
		{"FREQ=YEARLY;BYDAY=MO;BYSETPOS=-367", "unreadable"},

		{"FREQ=DAILY;FREQ=DAILY", "forbidden"},
		{"FREQ=DAILY;COUNT=0", "forbidden"},
		{"FREQ=DAILY;COUNT=-1", "forbidden"},
		{"FREQ=DAILY;INTERVAL=0", "forbidden"},
		{"FREQ=DAILY;COUNT=2;UNTIL=20260312", "forbidden"},
		{"FREQ=MONTHLY;BYWEEKNO=2", "forbidden"},
		{"FREQ=YEARLY;BYWEEKNO=2;BYDAY=1MO", "forbidden"},
		{"FREQ=MONTHLY;BYYEARDAY=2", "forbidden"},
		{"FREQ=WEEKLY;BYMONTHDAY=2", "forbidden"},
		{"FREQ=WEEKLY;BYDAY=1MO", "forbidden"},
		{"FREQ=DAILY;BYDAY=1MO", "forbidden"},
		{"FREQ=MONTHLY;BYDAY=6MO", "forbidden"},
		{"FREQ=MONTHLY;BYDAY=-6MO", "forbidden"},
		{"FREQ=YEARLY;BYMONTH=1;BYDAY=6MO", "forbidden"},
		{"FREQ=MONTHLY;BYSETPOS=1", "forbidden"},
		{"FREQ=DAILY;BYMONTH=1;BYSETPOS=2", "forbidden"},
		{"FREQ=WEEKLY;BYDAY=MO;BYSETPOS=-8", "forbidden"},
		{"FREQ=MONTHLY;BYDAY=MO;BYSETPOS=32", "forbidden"},
		{"FREQ=DAILY;BYSETPOS=" + strings.Repeat("2,", 234) + "2", "forbidden"},
	} {
		got := "taken"
		if r, err := Parse(tt.rule); errors.Is(err, ErrRule) {
			got = "unreadable"
		} else if errors.Is(r.Check(), ErrRule) {
			got = "forbidden"
		}
		if got != tt.want {
			t.Errorf("%.60q is %s, want %s", tt.rule, got, tt.want)
		}
	}
}

// TestReasons says of each part what is wrong, and what is allowed.
func TestReasons(t *testing.T) {
	for rule, want := range map[string]string{
		"":                                      "not_one_of map[allowed:" + partNames + " part:]",
		"FREQ=DAILY;" + strings.Repeat("X", 30): "not_one_of map[allowed:" + partNames + " part:" + strings.Repeat("X", 20) + "]",
		"BYDAY=MO":                              "not_one_of map[allowed:DAILY, WEEKLY, MONTHLY, YEARLY part:FREQ]",
		"FREQ=HOURLY":                           "not_one_of map[allowed:DAILY, WEEKLY, MONTHLY, YEARLY part:FREQ]",
		"FREQ=DAILY;FREQ=DAILY":                 "twice map[part:FREQ value:FREQ]",
		"FREQ=DAILY;INTERVAL=0":                 "not_one_of map[allowed:1…1000 part:INTERVAL]",
		"FREQ=DAILY;INTERVAL=1001":              "not_one_of map[allowed:1…1000 part:INTERVAL]",
		"FREQ=DAILY;COUNT=x":                    "not_one_of map[allowed:1…999999999 part:COUNT]",
		"FREQ=DAILY;UNTIL=1":                    "bad_format map[expected:20261231 part:UNTIL]",
		"FREQ=DAILY;WKST=X":                     "not_one_of map[allowed:MO, TU, WE, TH, FR, SA, SU part:WKST]",
		"FREQ=DAILY;BYDAY=X":                    "not_one_of map[allowed:MO, TU, WE, TH, FR, SA, SU, 1MO…53MO, -53MO…-1MO part:BYDAY]",
		"FREQ=DAILY;BYDAY=1MO":                  "not_one_of map[allowed:MO, TU, WE, TH, FR, SA, SU part:BYDAY]",
		"FREQ=DAILY;BYMONTH=-1":                 "not_one_of map[allowed:1…12 part:BYMONTH]",
		"FREQ=DAILY;BYMONTHDAY=32":              "not_one_of map[allowed:1…31, -31…-1 part:BYMONTHDAY]",
		"FREQ=DAILY;COUNT=2;UNTIL=20261231":     "excludes map[other:UNTIL part:COUNT]",
		"FREQ=MONTHLY;BYWEEKNO=1":               "needs map[other:FREQ=YEARLY part:BYWEEKNO]",
		"FREQ=YEARLY;BYWEEKNO=1;BYDAY=1MO":      "excludes map[other:BYDAY=1MO part:BYWEEKNO]",
		"FREQ=MONTHLY;BYYEARDAY=1":              "needs map[other:FREQ=YEARLY part:BYYEARDAY]",
		"FREQ=WEEKLY;BYMONTHDAY=1":              "excludes map[other:FREQ=WEEKLY part:BYMONTHDAY]",
		"FREQ=DAILY;BYSETPOS=1":                 "needs map[other:BYDAY, BYMONTHDAY, BYYEARDAY, BYWEEKNO, BYMONTH part:BYSETPOS]",
		"FREQ=DAILY;BYMONTH=1;BYSETPOS=2":       "not_one_of map[allowed:1, -1 part:BYSETPOS]",
		"FREQ=WEEKLY;BYDAY=MO;BYSETPOS=8":       "not_one_of map[allowed:1…7, -7…-1 part:BYSETPOS]",
	} {
		r, err := Parse(rule)
		if err == nil {
			err = r.Check()
		}
		part, ok := errors.AsType[*PartError](err)
		if !ok || fmt.Sprint(part.Reason, " ", part.Meta) != want {
			t.Errorf("%s: %v, want %s", rule, err, want)
		}
	}
}
