package hostile

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// A hostile is a request that is made to cost much.
type hostile struct {
	name string
	text string // as it is sent
	open bool   // the client never ends it, and does not wait for an answer
	half bool   // the server waits for the rest until its time is over

	token bool // it is sent with valid tokens
}

// authorization stands for the headers with tokens in a request's text.
const authorization = "X-Tokens: all\r\n"

// twice returns a request without and with a token.
func twice(name, text string) []hostile {
	return []hostile{
		{name: name, text: strings.ReplaceAll(text, authorization, "")},
		{name: name + ", signed in", text: text, token: true},
	}
}

// sent is a request with a body, "" for none, and further header lines.
func sent(method, target, body string, header ...string) string {
	text := method + " " + target + " HTTP/1.1\r\nHost: wf.test\r\n" + authorization
	for _, line := range header {
		text += line + "\r\n"
	}
	if body != "" {
		text += fmt.Sprintf("Content-Length: %d\r\n", len(body))
	}
	return text + "\r\n" + body
}

const asJSON = "Content-Type: application/json"

// post is a POST of JSON.
func post(target, body string) string { return sent("POST", target, body, asJSON) }

// query is a request to /graphql; variables are JSON, or "".
func query(document, variables string) string {
	quoted, _ := json.Marshal(document) // of text never fails
	if variables == "" {
		variables = "null"
	}
	return post("/graphql", `{"query":`+string(quoted)+`,"variables":`+variables+`}`)
}

// list is a JSON array of n values.
func list(n int, value string) string {
	return "[" + strings.TrimSuffix(strings.Repeat(value+",", n), ",") + "]"
}

// nested is a value inside n brackets.
func nested(n int, open, value, closing string) string {
	return strings.Repeat(open, n) + value + strings.Repeat(closing, n)
}

func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// all lists every request, by name.
func all() (requests []hostile) {
	for _, group := range [][]hostile{bodies(), variableBombs(), filters(), costs(), cursors(), documents(), headers(), targets(), transfers(), uploads(), tables(), calendars()} {
		requests = append(requests, group...)
	}
	for i, r := range requests {
		name := strings.TrimSuffix(r.name, ", signed in")
		requests[i].half = name == "transfer: a chunk of 2^63" || name == "transfer: a length of 2^63" || name == "upload: a file without an end"
	}
	slices.SortFunc(requests, func(a, b hostile) int { return strings.Compare(a.name, b.name) })
	return requests
}

// writes are the paths that take a JSON body, and a member of each.
var writes = map[string]string{
	"POST /attendance/clockIn": "faceLandmark", "POST /attendance/clockOut": "faceLandmark", "POST /device/register": "deviceId",
	"POST /user/login": "username", "POST /authorize/verify": "otp", "POST /user/reset-password": "password",
	"PUT /user/change-password": "newPassword", "POST /user/forgot-password": "username", "POST /encrypt": "value",
	"POST /messaging-gateway/callback": "id",
}

// bodies are JSON bodies that are large, deep or malformed.
func bodies() (out []hostile) {
	const most = 1 << 20
	for operation, member := range writes {
		method, path, _ := strings.Cut(operation, " ")
		in := func(value string) string { return `{"` + member + `":` + value + `}` }
		for name, body := range map[string]string{
			"numbers":           in(list(500_000, "0")),
			"empty objects":     in(list(340_000, "{}")),
			"nulls":             in(list(200_000, "null")),
			"texts":             in(list(340_000, `""`)),
			"faulty points":     in(list(19_000, `{"x":"a"}`)),
			"points":            in(list(512, `{"x":0.1,"y":0.2,"z":0.3}`)),
			"too many points":   in(list(6000, `{"x":0.1,"y":0.2,"z":0.3}`)),
			"deep arrays":       in(nested(200_000, "[", "", "]")),
			"deep objects":      in(nested(150_000, `{"a":`, "1", "}")),
			"open arrays":       in(strings.Repeat("[", 500_000)),
			"39 deep":           in(nested(39, "[", "1", "]")),
			"a long text":       in(`"` + strings.Repeat("a", most-100) + `"`),
			"escapes":           in(`"` + strings.Repeat(`\u0061`, most/6-20) + `"`),
			"lone surrogates":   in(`"` + strings.Repeat(`\ud800`, most/6-20) + `"`),
			"a long number":     in(strings.Repeat("9", most-100)),
			"a long fraction":   in("0." + strings.Repeat("9", most-100)),
			"an exponent":       in("1e" + strings.Repeat("9", 100_000)),
			"many members":      "{" + strings.TrimSuffix(numbered(19_000, `"m%d":0,`), ",") + "}",
			"one member often":  "{" + strings.TrimSuffix(strings.Repeat(`"`+member+`":"a",`, 19_000), ",") + "}",
			"a long name":       `{"` + strings.Repeat("n", most-100) + `":1}`,
			"white space":       strings.Repeat(" \n", most/2-100) + in("1"),
			"too large":         in(`"` + strings.Repeat("a", 2*most) + `"`),
			"not UTF-8":         in("\"" + strings.Repeat("\xff\xfe", 100_000) + "\""),
			"NUL":               in(`"` + strings.Repeat(`\u0000`, 100_000) + `"`),
			"an open text":      `{"` + strings.Repeat(`\"`, most/2-10),
			"an array":          list(300_000, "[]"),
			"combining letters": in(`"` + strings.Repeat("é\u0301", 170_000) + `"`),
		} {
			out = append(out, twice(operation+": "+name, sent(method, path, body, asJSON))...)
		}
	}
	return out
}

// variableBombs are variables of GraphQL.
func variableBombs() (out []hostile) {
	const (
		users = "query($w:UserWhereInput){users(where:$w){totalCount}}"
		clock = "mutation($i:ClockInInput!){clockIn(input:$i){clockedIn}}"
	)
	for name, text := range map[string]string{
		"not, 2,000 deep":      query(users, `{"w":`+nested(2000, `{"not":`, `{"id":"1"}`, "}")+"}"),
		"not, 20,000 deep":     query(users, `{"w":`+nested(20_000, `{"not":`, `{"id":"1"}`, "}")+"}"),
		"not, 37 deep":         query(users, `{"w":`+nested(37, `{"not":`, `{"id":"1"}`, "}")+"}"),
		"and, 18 deep":         query(users, `{"w":`+nested(18, `{"and":[`, `{"id":"1"}`, "]}")+"}"),
		"or of empty":          query(users, `{"w":{"or":`+list(40_000, "{}")+"}}"),
		"5,000 ids":            query(users, `{"w":{"idIn":`+list(4990, `"1"`)+"}}"),
		"5,000 names":          query(users, `{"w":{"nameIn":`+list(4990, `"somebody"`)+"}}"),
		"30 uses of 4,900 ids": query("query($w:UserWhereInput){"+numbered(30, "a%d:users(where:$w){totalCount} ")+"}", `{"w":{"idIn":`+list(4900, `"1"`)+"}}"),
		"fields of 4,900 ids":  query("query($w:UserWhereInput){"+strings.Repeat("users(where:$w){totalCount} ", 30)+"}", `{"w":{"idNotIn":`+list(4900, `"1"`)+"}}"),
		"unknown members":      query(users, `{"w":{`+strings.TrimSuffix(numbered(4900, `"x%d":1,`), ",")+"}}"),
		"faulty lists":         query(users, `{"w":{"idIn":`+list(4900, "{}")+"}}"),
		"faulty enums":         query("query($o:UserOrder){users(orderBy:$o){totalCount}}", `{"o":{"field":`+strings.Repeat("[", 30)+strings.Repeat("]", 30)+"}}"),
		"points":               query(clock, `{"i":{"faceLandmark":`+list(1600, `{"x":1,"y":2}`)+"}}"),
		"too many points":      query(clock, `{"i":{"faceLandmark":`+list(80_000, "{}")+"}}"),
		"one point often":      query(clock, `{"i":{"faceLandmark":`+list(4990, "null")+"}}"),
		"a long text":          query(clock, `{"i":{"note":"`+strings.Repeat("x", 250_000)+`"}}`),
		"unused variables":     query("{company{name}}", `{"x":`+nested(30_000, "[", "", "]")+"}"),
		"many unused":          query("{company{name}}", "{"+strings.TrimSuffix(numbered(20_000, `"x%d":1,`), ",")+"}"),
		"declared and absent":  query("query("+numbered(240, "$v%d:Int ")+"){company{name}}", ""),
		"declared and used":    query("query("+numbered(120, "$v%d:Int ")+"){"+numbered(30, "a%d:users(first:$v0){totalCount} ")+"}", ""),
		"a default":            query(`query($w:UserWhereInput={not:`+nested(30, "{not:", `{id:"1"}`, "}")+"}){users(where:$w){totalCount}}", ""),
	} {
		out = append(out, twice("variables: "+name, text)...)
	}
	return out
}

// collections are connections with a filter, with an edge and a text of it.
var collections = map[string]struct{ edge, text, fields string }{
	"users": {"hasManager", "name", "id name designations{id}"}, "businesses": {"hasParent", "name", "id name"}, "designations": {"", "name", "id name"},
	"attendances": {"hasUser", "", "id user{name}"}, "employeeShifts": {"hasUser", "", "id user{name}"}, "roles": {"", "name", "id permissions"},
	"addresses": {"", "name", "id name"}, "shifts": {"", "name", "id name"}, "shiftAssignments": {"", "", "id"}, "sessions": {"hasUser", "", "id"},
	"devices": {"", "deviceId", "id"}, "messages": {"hasUser", "", "id"}, "auditEvents": {"", "action", "id"},
}

// filters are where arguments.
func filters() (out []hostile) {
	for name, c := range collections {
		typ := strings.ToUpper(name[:1]) + strings.TrimSuffix(name[1:], "s") + "WhereInput"
		typ = strings.Replace(typ, "BusinesseWhere", "BusinessWhere", 1)
		typ = strings.Replace(typ, "AddresseWhere", "AddressWhere", 1)
		document := "query($w:" + typ + "){" + name + "(first:1000,where:$w){totalCount edges{node{" + c.fields + "}}}}"
		ask := func(what, where string) {
			out = append(out, hostile{name: name + ": " + what, text: query(document, `{"w":`+where+"}"), token: true})
		}
		ask("200 ids", `{"or":`+list(200, `{"idNEQ":"0"}`)+"}")
		ask("1,000 ids", `{"or":`+list(1000, `{"id":"1"}`)+"}")
		ask("a tree of 2^12", tree(12))
		ask("a tree of 2^7", tree(7))
		ask("empty", `{"and":[{}]}`)
		ask("not empty", `{"not":{}}`)
		if c.text != "" {
			ask("patterns", `{"or":`+list(199, `{"`+c.text+`Contains":"%_%_%_%"}`)+"}")
			ask("folded patterns", `{"or":`+list(199, `{"`+c.text+`ContainsFold":"aaaaaaaaaaaaaaaab"}`)+"}")
			ask("a long pattern", `{"`+c.text+`Contains":"`+strings.Repeat("a", 60_000)+`"}`)
			ask("long patterns", `{"or":`+list(200, `{"`+c.text+`HasSuffix":"`+strings.Repeat("_", 1000)+`"}`)+"}")
		}
		if c.edge != "" {
			with := c.edge + "With"
			ask("200 edges", `{"or":`+list(199, `{"`+c.edge+`":true}`)+"}")
			ask("1,000 edges", `{"or":`+list(1000, `{"`+with+`":[{"id":"1"}]}`)+"}")
			ask("180 edges with names", `{"or":`+list(90, `{"`+with+`":[{"nameContains":"a"}],"not":{"`+with+`":[{"nameContains":"b"}]}}`)+"}")
		}
	}
	for _, where := range []string{
		nested(5, `{"hasManagerWith":[`, `{"id":"1"}`, "]}"), nested(5, `{"hasBusinessWith":[{"hasManagerWith":[`, `{"id":"1"}`, "]}]}"),
		nested(18, `{"hasManagerWith":[`, `{"id":"1"}`, "]}"), nested(2, `{"hasBusinessWith":[{"hasUsersWith":[`, `{"nameContains":"a"}`, "]}]}"),
		nested(2, `{"hasDesignationsWith":[{"hasUsersWith":[`, `{"nameContains":"a"}`, "]}]}"),
		nested(2, `{"hasRolesWith":[{"hasUsersWith":[`, `{"nameContains":"a"}`, "]}]}"), `{"hasRolesWith":[{}]}`, `{"leftOnIsNil":false}`,
		`{"or":` + list(40, nested(2, `{"hasDesignationsWith":[{"hasUsersWith":[`, `{"nameContains":"a"}`, "]}]}")) + "}",
		`{"or":` + list(40, nested(1, `{"hasBusinessWith":[{"hasManagerWith":[{"hasDesignationsWith":[`, `{"nameContains":"a"}`, "]}]}]}")) + "}",
	} {
		out = append(out, hostile{name: "users: " + where[:min(len(where), 60)], token: true,
			text: query("query($w:UserWhereInput){users(where:$w){totalCount edges{node{id}}}}", `{"w":`+where+"}")})
	}
	return out
}

// tree is an and of ors of ands, with 2^n conditions.
func tree(n int) string {
	if n == 0 {
		return `{"id":"1"}`
	}
	below := tree(n - 1)
	return `{"` + []string{"and", "or"}[n%2] + `":[` + below + "," + below + "]}"
}

// costs are selections whose answers are large.
func costs() (out []hostile) {
	for name, document := range map[string]string{
		"30 lists of everybody":      "{" + numbered(30, "a%d:employees{nodes{id name designations{name} business{name manager{name}}}} ") + "}",
		"everybody twice":            "{a:employees{nodes{id name}} b:employees{nodes{id name}}}",
		"everybody":                  "{employees{nodes{id name email image gender salutation locale}}}",
		"everybody and a number":     "{employees{nodes{id name email mobileNumber{number}}}}",
		"a page of 1,000":            "{employees(limit:1000){totalCount nodes{id name email designations{id name} mobileNumber{number countryCode}}}}",
		"18 pages of 1,000":          "{" + numbered(18, "a%d:employees(limit:1000){nodes{id name email}} ") + "}",
		"9 pages with businesses":    "{" + numbered(9, "a%d:employees(limit:1000){nodes{id name business{name}}} ") + "}",
		"roles of 1,000":             "{employees(limit:1000){nodes{id roles{id name permissions}}}}",
		"permissions of 1,700 roles": "{employees(limit:850){nodes{roles{permissions} again:roles{permissions}}}}",
		"aliases of a field":         "{users(first:1000){edges{node{" + numbered(320, "a%d:name ") + "}}}}",
		"aliases beside a resolver":  "{users(first:1000){edges{node{roles{permissions} " + numbered(310, "a%d:name ") + "}}}}",
		"long aliases":               "{users(first:1000){edges{node{" + numbered(310, strings.Repeat("a", 700)+"%d:name ") + "}}}}",
		"long aliases and a field":   "{users(first:1000){edges{node{roles{permissions} " + numbered(310, strings.Repeat("a", 700)+"%d:name ") + "}}}}",
		"long aliases of everybody":  "{employees{nodes{" + numbered(310, strings.Repeat("a", 700)+"%d:name ") + "}}}",
		"typenames":                  "{users(first:1000){edges{node{" + numbered(320, "a%d:__typename ") + "}}}}",
		"edges of 1,000":             "{users(first:1000){edges{node{" + numbered(9, "a%d:business{name} ") + "}}}}",
		"5 edges deep":               "{users(first:1000){edges{node{business{manager{business{manager{business{manager{name}}}}}}}}}}",
		"designations of 900":        "{users(first:900){edges{node{designations{name} roles{name}}}}}",
		"cursors":                    "{" + numbered(9, "a%d:users(first:1000){edges{cursor node{id}}} ") + "}",
		"30 counts":                  "{" + numbered(30, "a%d:users{totalCount} ") + "}",
		"30 counts of everything":    "{" + numbered(15, "a%d:auditEvents{totalCount} b%[1]d:employeeShifts{totalCount} ") + "}",
		"shifts of 1,000":            "{employeeShifts(first:1000){edges{node{id date name user{name email} shift{name} attendances{id}}}}}",
		"facts of 1,000":             "{auditEvents(first:1000){edges{node{id action before after}}}}",
		"structures":                 "{businesses(first:1000){edges{node{name children{name} parent{name}}}}}",
		"children of children":       "{businesses(first:180){edges{node{children{children{name}}}}}}",
		"20 lists of roles":          "{" + numbered(20, "a%d:roleList{id name permissions userCount} ") + "}",
		"2 lists of roles":           "{" + numbered(2, "a%d:roleList{id name permissions userCount} ") + "}",
		"2 lists of places":          "{" + numbered(2, "a%d:allowedLocations{addressId name address latitude longitude} ") + "}",
		"30 days":                    "{" + numbered(30, "a%d:attendanceToday{date entries{id}} ") + "}",
		"30 viewers":                 "{" + numbered(30, "a%d:viewer{name designations{name} roles{name permissions}} ") + "}",
		"30 profiles":                "{" + numbered(30, "a%d:profile{name designations{name} faceLandmark{x y z}} ") + "}",
		"30 users":                   "{" + numbered(30, `a%d:user(id:"%[1]d"){name designations{name} roles{permissions}} `) + "}",
		"30 keys":                    "{" + numbered(30, "a%d:encryptionKeys{keys{n}} ") + "}",
		"30 changes":                 "mutation{" + numbered(30, `a%d:updateRole(id:"1",input:{name:"r%[1]d"}){id} `) + "}",
		"30 devices":                 "mutation{" + numbered(30, `a%d:registerDevice(input:{deviceId:"d%[1]d",platform:android}){deviceToken} `) + "}",
		"30 sign-ins":                "mutation{" + numbered(30, `a%d:login(input:{username:"n%[1]d@many.test",password:"x"}){verified} `) + "}",
		"30 passwords":               "mutation{" + numbered(30, `a%d:createUser(input:{name:"n",email:"x%[1]d@many.test",password:"a-long-password-%[1]d"}){id} `) + "}",
		"9 passwords":                "mutation{" + numbered(9, `a%d:createUser(input:{name:"n",email:"x%[1]d@many.test",password:"a-long-password-%[1]d"}){id} `) + "}",
		"a first of 2^31":            "{users(first:2147483647){edges{node{id}}}}",
		"a limit of 2^40":            "query($l:Int){employees(limit:$l){nodes{id}}}",
	} {
		out = append(out, twice("cost: "+name, query(document, `{"l":1099511627776}`))...)
	}
	return out
}

// cursors are texts in place of a cursor.
func cursors() (out []hostile) {
	value := func(v string) string { return "\x82\xa1i\x01\xa1v" + v }
	for name, raw := range map[string]string{
		"a list": value("\x91\x01"), "an empty list": value("\x90"), "a map": value("\x81\xa1a\x01"), "lists in lists": value(strings.Repeat("\x91", 100_000)),
		"long lists": value(strings.Repeat("\xdd\xff\xff\xff\xff", 30_000)), "long maps": value(strings.Repeat("\xdf\xff\xff\xff\xff\xa1a", 20_000)),
		"one long map": value("\xdf\xff\xff\xff\xff"), "long bytes": value("\xc6\xff\xff\xff\xff"), "a long text": value("\xdb\xff\xff\xff\xff"),
		"half a text": value("\xdb\x00\x02\x00\x00" + strings.Repeat("a", 100_000)), "a text": value("\xda\xff\xff" + strings.Repeat("a", 65_535)),
		"a huge number": value("\xcf\xff\xff\xff\xff\xff\xff\xff\xff"), "a negative number": value("\xd3\x80\x00\x00\x00\x00\x00\x00\x00"), "a float": value("\xcb\x7f\xf0\x00\x00\x00\x00\x00\x00"),
		"a time": value("\xd7\xff\x00\x00\x00\x00\x60\x00\x00\x00"), "a late time": value("\xc7\x0c\xff\x00\x00\x00\x00\x7f\xff\xff\xff\xff\xff\xff\xff"), "a boolean": value("\xc3"),
		"not UTF-8": value("\xa2\xff\xfe"), "NUL": value("\xa1\x00"), "an extension": value("\xc7\x04\x05abcd"), "an id of 2^63": "\x81\xa1i\xcf\xff\xff\xff\xff\xff\xff\xff\xff",
		"an id of text": "\x81\xa1i\xa11", "an id of a list": "\x81\xa1i\x91\x01", "an id in a float": "\x81\xa1i\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00", "no map": "\x91\x01", "a name": value("\xa4Budi"),
	} {
		text := base64.RawStdEncoding.EncodeToString([]byte(raw))
		for _, arguments := range []string{`after:$c`, `before:$c,last:10`, `after:$c,orderBy:{field:NAME,direction:DESC}`} {
			out = append(out, hostile{name: "cursor: " + name + " " + arguments, token: true,
				text: query("query($c:Cursor){users("+arguments+"){totalCount edges{node{id}}}}", `{"c":"`+text+`"}`)})
		}
		out = append(out, hostile{name: "cursor: " + name + " of times", token: true,
			text: query(`{attendances(after:"`+text+`",orderBy:{field:CLOCKED_IN_AT,direction:ASC}){edges{node{id}}}}`, "")})
	}
	return out
}

// documents are GraphQL documents.
func documents() (out []hostile) {
	chain := func(n int) string {
		text := "{viewer{...F0}}"
		for i := range n {
			text += fmt.Sprintf("fragment F%d on User{...F%d ...F%d}", i, i+1, i+1)
		}
		return text + fmt.Sprintf("fragment F%d on User{name}", n)
	}
	for name, text := range map[string]string{
		"fragments 2^22":      chain(22),
		"fragments 2^70":      chain(70),
		"fragments in circle": "{viewer{...A}} fragment A on User{...B ...B} fragment B on User{...A ...A}",
		"selections":          strings.Repeat("{a", 100_000),
		"lists":               "{user(id:" + strings.Repeat("[", 200_000),
		"aliases":             "{" + numbered(15_000, "a%d:viewer{id} ") + "}",
		"500 aliases":         "{" + numbered(330, "a%d:__typename ") + "}",
		"one field often":     "{" + strings.Repeat("__typename ", 990) + "}",
		"one object often":    "{" + strings.Repeat("viewer{id} ", 240) + "}",
		"unlike fields":       "{viewer{" + strings.Repeat("a:id a:name ", 160) + "}}",
		"unlike objects":      "{" + strings.Repeat("a:viewer{id b:name} a:company{b:id name} ", 80) + "}",
		"directives":          "{viewer{id " + strings.Repeat("@include(if:true)", 160) + "}}",
		"unknown directives":  "{viewer{id" + strings.Repeat("@a", 490) + "}}",
		"unknown fields":      "{" + numbered(900, "x%d ") + "}",
		"unknown arguments":   "{users(" + numbered(300, "x%d:1 ") + "){totalCount}}",
		"comments":            strings.Repeat("#\n", 100_000) + "{viewer{id}}",
		"commas":              strings.Repeat(",", 200_000) + "{viewer{id}}",
		"a long name":         "{" + strings.Repeat("a", 200_000) + "}",
		"a long text":         `{user(id:"` + strings.Repeat("a", 200_000) + `"){id}}`,
		"a block text":        `{user(id:"""` + strings.Repeat("\n  a", 50_000) + `"""){id}}`,
		"a long number":       "{users(first:" + strings.Repeat("9", 200_000) + "){totalCount}}",
		"introspection":       "{__schema{types{fields{type{fields{type{fields{type{name}}}}}}}}}",
		"operations":          strings.Repeat("query{viewer{id}}", 160),
		"named operations":    numbered(190, "query Q%d{__typename}"),
		"inline fragments":    "{" + nested(19, "...on Query{", "viewer{id}", "}") + "}",
		"deferred":            "{viewer{...@defer{name}}}",
		"a subscription":      "subscription{x}",
		"nothing":             "",
		"NUL":                 "{\x00}",
		"a bad escape":        `{user(id:"\uZZZZ"){id}}`,
		"surrogates":          `{user(id:"\uD800"){id}}`,
		"a schema":            "type A{a:Int} {viewer{id}}",
	} {
		out = append(out, twice("document: "+name, query(text, ""))...)
	}
	for name, body := range map[string]string{
		"an array of operations": list(1000, `{"query":"{viewer{id}}"}`),
		"a deep member":          `{"query":"{viewer{id}}","x":` + nested(100_000, "[", "", "]") + "}",
		"deep extensions":        `{"query":"{viewer{id}}","extensions":` + nested(30, `{"a":`, "{}", "}") + "}",
		"many members":           `{"query":"{viewer{id}}"` + numbered(15_000, `,"m%d":0`) + "}",
		"queries":                `{"query":"{viewer{id}}"` + strings.Repeat(`,"query":"{viewer{id}}"`, 9000) + "}",
		"a number":               `{"query":1}`,
		"too large":              `{"query":"` + strings.Repeat(" ", 300_000) + `"}`,
		"a name of operation":    `{"query":"query A{viewer{id}}","operationName":"` + strings.Repeat("A", 200_000) + `"}`,
	} {
		out = append(out, twice("request: "+name, post("/graphql", body))...)
	}
	return out
}

// headers are requests whose header is made to cost much.
func headers() (out []hostile) {
	const most = 27 << 10
	long := strings.Repeat("a", most)
	for name, lines := range map[string][]string{
		"languages":             {"X-Language: " + strings.Repeat("id;q=0.1,", most/9)},
		"one long language":     {"X-Language: " + strings.Repeat("a-", most/2)},
		"languages again":       {"Accept-Language: " + strings.Repeat("en-US-x-a;q=0.123,", most/18)},
		"encodings":             {"Accept-Encoding: " + strings.Repeat("gzip;q=0.5,", most/11)},
		"media types":           {"Accept: " + strings.Repeat("application/problem+json;q=0.1,", most/30)},
		"tags":                  {"If-None-Match: " + strings.Repeat(`"a",`, most/4)},
		"one long tag":          {`If-None-Match: "` + long + `"`},
		"ranges":                {"Range: bytes=" + strings.Repeat("0-1,", most/4)},
		"addresses":             {"X-Forwarded-For: " + strings.Repeat("1.2.3.4,", most/8)},
		"cookies":               {"Cookie: " + strings.Repeat("a=b;", most/4)},
		"a long request id":     {"X-Req-Id: " + long},
		"a long key":            {"Idempotency-Key: " + long},
		"a quoted key":          {`Idempotency-Key: "` + strings.Repeat(`\"`, most/2) + `"`},
		"a version":             {"X-App-Version: " + strings.Repeat("1.", most/2)},
		"a version of digits":   {"X-App-Version: " + strings.Repeat("9", most)},
		"a long token":          {"X-Access-Token: wfa_" + long},
		"tokens of all kinds":   {"X-Device-Token: wfd_" + long[:6000], "X-User-Token: wfu_" + long[:6000], "X-Refresh-Token: wfr_" + long[:6000]},
		"900 names":             strings.Split(strings.TrimSuffix(numbered(900, "X-H%d: 1|"), "|"), "|"),
		"one name 900 times":    strings.Split(strings.TrimSuffix(strings.Repeat("X-Req-Id: a|", 900), "|"), "|"),
		"tokens 500 times":      strings.Split(strings.TrimSuffix(strings.Repeat("X-Access-Token: wfa_a|", 500), "|"), "|"),
		"too large":             {"X-Long: " + strings.Repeat("a", 40<<10)},
		"far too large":         {"X-Long: " + strings.Repeat("a", 2<<20)},
		"not ASCII":             {"X-Req-Id: \xff\xfe\xfd", "X-Language: \u00e9"},
		"an origin":             {"Origin: http://" + long},
		"a preflight":           {"Origin: http://a", "Access-Control-Request-Method: POST", "Access-Control-Request-Headers: " + strings.Repeat("x,", most/2)},
		"a content type":        {"Content-Type: application/json;" + strings.Repeat("a=b;", most/4)},
		"a boundary":            {"Content-Type: multipart/form-data; boundary=" + long},
		"an upgrade":            {"Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13"},
		"an upgrade to HTTP/2":  {"Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA"},
		"an expectation":        {"Expect: 100-continue"},
		"another expectation":   {"Expect: everything"},
		"a folded line":         {"X-A: a", " b"},
		"a name with a blank":   {"X A: a"},
		"no name":               {": a"},
		"two hosts":             {"Host: other.test"},
		"a connection's tokens": {"Connection: " + strings.Repeat("close,", most/6)},
	} {
		out = append(out, twice("header: "+name, sent("GET", "/user?limit=1", "", lines...))...)
		out = append(out, hostile{name: "header of a query: " + name, token: true, text: sent("POST", "/graphql", `{"query":"{viewer{id}}"}`, append([]string{asJSON}, lines...)...)})
	}
	return out
}

// targets are request lines.
func targets() (out []hostile) {
	const most = 25 << 10
	for name, target := range map[string]string{
		"a long path":         "/" + strings.Repeat("a", most),
		"many segments":       "/" + strings.Repeat("a/", most/2),
		"many slashes":        strings.Repeat("/", most),
		"up and up":           "/user" + strings.Repeat("/..", most/3),
		"escapes":             "/" + strings.Repeat("%41", most/3),
		"NUL in the path":     "/user%00",
		"bad escapes":         "/user%zz",
		"not UTF-8":           "/organization/designation/%ff%fe",
		"a long id":           "/organization/designation/" + strings.Repeat("9", most),
		"a long search":       "/user?search=" + strings.Repeat("a", most),
		"wildcards":           "/user?search=" + strings.Repeat("_", most),
		"escaped wildcards":   "/user?search=" + strings.Repeat("%25", 900),
		"folded letters":      "/user?search=" + url.QueryEscape(strings.Repeat("\u0390", 900)),
		"NUL":                 "/user?search=%00",
		"a search not UTF-8":  "/user?search=%ff%fe",
		"parameters":          "/user?" + numbered(4000, "a%d=&"),
		"one parameter often": "/user?" + strings.Repeat("search=a&", most/9),
		"semicolons":          "/user?" + strings.Repeat("a;", most/2),
		"a page of 2^31":      "/user?limit=1000&page=2147483648",
		"a page of 2^63":      "/user?limit=1000&page=9223372036854775807",
		"a page of 10^300":    "/user?limit=1000&page=1e300",
		"a page of 9s":        "/user?limit=1000&page=" + strings.Repeat("9", most),
		"a limit of 2^64":     "/user?limit=18446744073709551616",
		"a negative page":     "/user?limit=1&page=-9223372036854775808",
		"everybody":           "/user",
		"another scheme":      "ftp://wf.test/user",
		"another host":        "http://other.test/user",
		"an asterisk":         "*",
		"a query by GET":      "/graphql?query=" + strings.Repeat("%7Ba", most/4),
		"a filter by GET":     "/graphql?query=%7Bviewer%7Bid%7D%7D&variables=" + strings.Repeat("%5B", most/3),
		"the documents":       "/openapi.json",
		"a page of docs":      "/docs",
		"an error's page":     "/errors/" + strings.Repeat("A", most),
		"metrics":             "/metrics",
	} {
		out = append(out, twice("target: "+name, sent("GET", target, "", "GraphQL-Preflight: 1"))...)
	}
	for _, method := range []string{"HEAD", "OPTIONS", "TRACE", "PATCH", "CONNECT", "DELETE", strings.Repeat("M", 20_000), "G\x00T", ""} {
		out = append(out, twice("method: "+method[:min(len(method), 10)], sent(method, "/user", ""))...)
	}
	return out
}

// transfers are the ways in which a body can arrive, or not arrive.
func transfers() (out []hostile) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, _ = z.Write(make([]byte, 50<<20)) // to memory
	_ = z.Close()
	chunk := func(data string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(data), data) }
	head := "POST /attendance/clockIn HTTP/1.1\r\nHost: wf.test\r\n" + authorization + asJSON + "\r\n"
	chunked := head + "Transfer-Encoding: chunked\r\n\r\n"
	part := "--b\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\na\r\n"
	multipart := func(body string) string {
		return sent("POST", "/attendance/clockIn", body, "Content-Type: multipart/form-data; boundary=b")
	}
	for name, text := range map[string]string{
		"compressed":                sent("POST", "/attendance/clockIn", zipped.String(), asJSON, "Content-Encoding: gzip"),
		"compressed query":          sent("POST", "/graphql", zipped.String(), asJSON, "Content-Encoding: gzip"),
		"chunks of a byte":          chunked + strings.Repeat(chunk(" "), 50_000) + "0\r\n\r\n",
		"chunks, too many bytes":    chunked + strings.Repeat(chunk(strings.Repeat("[", 60_000)), 20) + "0\r\n\r\n",
		"long extensions of chunks": chunked + strings.Repeat("1;"+strings.Repeat("a", 3000)+"\r\n[\r\n", 100) + "0\r\n\r\n",
		"a chunk of 2^63":           chunked + "7fffffffffffffff\r\n{}",
		"a chunk of 2^64":           chunked + "10000000000000000\r\n{}",
		"a chunk of no number":      chunked + "zz\r\n{}\r\n0\r\n\r\n",
		"trailers":                  chunked + chunk("{}") + "0\r\n" + numbered(2000, "X-T%d: a\r\n") + "\r\n",
		"length and chunks":         head + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk("{}") + "0\r\n\r\n",
		"two lengths":               head + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} ",
		"a negative length":         head + "Content-Length: -1\r\n\r\n{}",
		"a length of 2^63":          head + "Content-Length: 9223372036854775807\r\n\r\n{}",
		"a length of 2^64":          head + "Content-Length: 18446744073709551616\r\n\r\n{}",
		"another coding":            head + "Transfer-Encoding: gzip, chunked\r\n\r\n" + chunk("{}") + "0\r\n\r\n",
		"HTTP/1.0":                  "POST /attendance/clockIn HTTP/1.0\r\n" + authorization + asJSON + "\r\nContent-Length: 2\r\n\r\n{}",
		"HTTP/0.9":                  "GET /user\r\n\r\n",
		"HTTP/2":                    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00",
		"HTTP/9.9":                  "GET /user HTTP/9.9\r\nHost: a\r\n\r\n",
		"no host":                   "GET /user HTTP/1.1\r\n" + authorization + "\r\n",
		"bytes":                     strings.Repeat("\x00\xff", 20_000),
		"lines":                     strings.Repeat("\r\n", 1000) + "GET /user HTTP/1.1\r\nHost: a\r\n\r\n",
		"bare line feeds":           "GET /user HTTP/1.1\nHost: a\n\n",
		"parts":                     multipart(strings.Repeat(fmt.Sprintf(part, "a"), 10_000) + "--b--\r\n"),
		"a part without an end":     multipart(fmt.Sprintf(part, strings.Repeat("a", 500_000))),
		"a part's header":           multipart("--b\r\n" + numbered(20_000, "X-H%d: a\r\n") + "\r\na\r\n--b--\r\n"),
		"a form":                    sent("POST", "/attendance/clockIn", strings.Repeat("a=b&", 200_000), "Content-Type: application/x-www-form-urlencoded"),
		"a form to GraphQL":         sent("POST", "/graphql", "query="+strings.Repeat("%7Ba", 50_000), "Content-Type: application/x-www-form-urlencoded"),
		"an upload to GraphQL":      sent("POST", "/graphql", strings.Repeat(fmt.Sprintf(part, "0"), 2000)+"--b--\r\n", "Content-Type: multipart/form-data; boundary=b", "GraphQL-Preflight: 1"),
		"a body of a GET":           sent("GET", "/user?limit=1", strings.Repeat("[", 3<<20)),
		"a body of a DELETE":        sent("DELETE", "/organization/designation/1?moveTo=1", strings.Repeat("[", 3<<20)),
		"XML":                       sent("POST", "/attendance/clockIn", strings.Repeat("<a>", 200_000), "Content-Type: text/xml"),
		"another charset":           sent("POST", "/attendance/clockIn", "{}", "Content-Type: application/json; charset=utf-16"),
		"pipelined":                 strings.Repeat(sent("GET", "/user?limit=1", ""), 20),
	} {
		out = append(out, twice("transfer: "+name, text)...)
	}
	for name, text := range map[string]string{
		"half a request line": "GET /us",
		"half a header":       "GET /user HTTP/1.1\r\nHost: a\r\nX-A: ",
		"half a body":         head + "Content-Length: 1000000\r\n\r\n" + strings.Repeat("[", 1000),
		"half of a chunk":     chunked + "fffff\r\n" + strings.Repeat("[", 1000),
		"nothing":             "",
		"TLS":                 "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + strings.Repeat("\x00", 500),
	} {
		for _, h := range twice("transfer: "+name, text) {
			h.open = true
			out = append(out, h)
		}
	}
	return out
}
