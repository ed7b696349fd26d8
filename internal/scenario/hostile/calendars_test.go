package hostile

import "strings"

// endless are rules that a naive search follows for ever, or for very long.
var endless = map[string]string{
	"30 February":              "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
	"31 in short months":       "FREQ=MONTHLY;BYMONTH=4,6,9,11;BYMONTHDAY=31",
	"never again":              "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;INTERVAL=999999999",
	"a first Monday the 8th":   "FREQ=MONTHLY;BYDAY=1MO;BYMONTHDAY=8",
	"each day for ever":        "FREQ=DAILY",
	"each day a billion times": "FREQ=DAILY;COUNT=999999999",
	"a billion years apart":    "FREQ=YEARLY;INTERVAL=999999999;COUNT=999999999",
	"the 366th of four years":  "FREQ=YEARLY;INTERVAL=3;BYYEARDAY=366;BYDAY=TU",
	"week 53 and a January":    "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6",
	"a position that is not":   "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=366",
	"all positions":            "FREQ=YEARLY;BYDAY=" + days(53) + ";BYSETPOS=" + numbers(366),
	"all months and days":      "FREQ=YEARLY;BYMONTH=" + numbers(12) + ";BYMONTHDAY=" + numbers(31) + ";BYYEARDAY=" + numbers(366),
	"a long list":              "FREQ=YEARLY;BYYEARDAY=" + strings.Repeat("1,", 50_000) + "1",
	"many parts":               "FREQ=DAILY" + strings.Repeat(";INTERVAL=1", 20_000),
	"the end of time":          "FREQ=DAILY;UNTIL=99991231;INTERVAL=1",
	"each second":              "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
}

// numbers lists 1 to n.
func numbers(n int) string {
	return strings.TrimSuffix(numbered(n+1, "%d,"), ",")[2:]
}

// days lists the Mondays of n weeks of a year.
func days(n int) string {
	return strings.TrimSuffix(numbered(n+1, "%dMO,"), ",")[4:]
}

// calendars are files of holidays, and rules of tasks, that are costly to follow.
func calendars() (out []hostile) {
	const operations = `{"query":"mutation($input:ImportHolidaysInput!){importHolidays(input:$input){added{name}}}","variables":{"input":{"file":null,"dryRun":true}}}`
	calendar := func(text string) string { return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + text + "END:VCALENDAR\r\n" }
	event := func(name, lines string) string {
		return "BEGIN:VEVENT\r\nUID:" + name + "\r\nSUMMARY:" + name + "\r\nDTSTART;VALUE=DATE:20260102\r\n" + lines + "END:VEVENT\r\n"
	}
	for name, text := range map[string]string{
		"9,000 events":            calendar(strings.Repeat(event("a", ""), 9_000)),
		"8,500 names":             calendar(numbered(8_500, event("a%d", ""))),
		"6,000 rules":             calendar(numbered(6_000, event("a%d", "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30\r\n"))),
		"100,000 dates of a rule": calendar(event("a", "RDATE;VALUE=DATE:"+strings.Repeat("20260103,", 100_000)+"20260104\r\n")),
		"30,000 dates left out":   calendar(event("a", "RRULE:FREQ=YEARLY\r\n"+strings.Repeat("EXDATE;VALUE=DATE:20270102\r\n", 30_000))),
		"many rules of an event":  calendar(event("a", strings.Repeat("RRULE:FREQ=YEARLY\r\n", 50_000))),
		"a line of a megabyte":    calendar(event("a", "DESCRIPTION:"+strings.Repeat("a", 1_000_000)+"\r\n")),
		"a folded line":           calendar(event("a", "DESCRIPTION:"+strings.Repeat("a\r\n ", 250_000)+"\r\n")),
		"deep components":         "BEGIN:VCALENDAR\r\n" + strings.Repeat("BEGIN:VEVENT\r\n", 70_000),
		"many zones":              calendar(strings.Repeat("BEGIN:VTIMEZONE\r\nTZID:a\r\nEND:VTIMEZONE\r\n", 22_000)),
		"many parameters":         calendar(event("a", "DESCRIPTION"+strings.Repeat(";X=Y", 250_000)+":a\r\n")),
		"quoted-printable":        calendar(event("a", "DESCRIPTION;ENCODING=QUOTED-PRINTABLE:"+strings.Repeat("=\r\n", 300_000)+"\r\n")),
		"a duration of ages":      calendar(event("a", "DURATION:P999999999999W\r\n")),
		"a span of ages":          calendar(event("a", "DTEND;VALUE=DATE:99991231\r\n")),
		"empty lines":             strings.Repeat("\r\n", 500_000),
		"versions of an event":    calendar(strings.Repeat(event("a", "RECURRENCE-ID;VALUE=DATE:20260102\r\nSEQUENCE:2147483647\r\n"), 6_000)),
	} {
		out = append(out, twice("calendar: "+name, withFile(operations, text))...)
	}
	for name, rule := range endless {
		out = append(out, twice("calendar: a rule, "+name, withFile(operations, calendar(event("a", "RRULE:"+rule+"\r\n"))))...)
		out = append(out, twice("task: "+name, query("mutation($r:String){saveTask(input:{title:\"t\",recurrence:$r}){id}}", `{"r":"`+rule+`"}`))...)
	}
	return out
}
