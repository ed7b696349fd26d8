package graphql

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"workforce/internal/apitest"
	"workforce/internal/errs"
	"workforce/internal/scenario/harness"
)

// graphqlScenarios hold /graphql to what it promises, and to REST.
func graphqlScenarios(t *testing.T, s *harness.Server) {
	for name, email := range map[string]string{
		"budi": "budi@demo.test", "andini": "admin@demo.test", "ratna": "manager@demo.test", "daeng": "admin@tetangga.test",
	} {
		s.SignIn(t, name, email)
	}
	t.Run("equal answers", func(t *testing.T) { equalAnswers(t, s) })
	t.Run("equal refusals", func(t *testing.T) { equalRefusals(t, s) })
	t.Run("connections", func(t *testing.T) { usersConnection(t, s) })
	t.Run("filters", func(t *testing.T) { filters(t, s) })
	t.Run("schema", func(t *testing.T) { hiddenSchema(t, s) })
	t.Run("singles", func(t *testing.T) { single(t, s) })
	t.Run("transport", func(t *testing.T) { graphqlTransport(t, s) })
	t.Run("introspection", func(t *testing.T) { introspection(t, s) })
	t.Run("bombs", func(t *testing.T) { bombs(t, s) })
	t.Run("inactive people", func(t *testing.T) { inactivePeople(t, s) })
}

// bounded returns the text of an operation, with a limit where a client of GraphQL needs one:
// without, a list counts as one of 10,000.
func bounded(d harness.Document) string {
	if d.Method == "GET" && slices.Contains([]string{"/tasks", "/tasks/grouping", "/tasks/grouping/user"}, d.Path) {
		return strings.Replace(d.Text, "userId: $userId", "userId: $userId, limit: 100", 1)
	}
	return d.Text
}

// equalAnswers asks both APIs for everything that can be read.
func equalAnswers(t *testing.T, s *harness.Server) {
	for _, d := range harness.Documents(t) {
		if !strings.Contains(d.Text, "query ") || strings.Contains(d.Path, "{") {
			continue
		}
		path, variables := d.Path, map[string]any(nil)
		switch path {
		case "/user": // whose designations a client cannot have of everybody at once
			path, variables = "/user?limit=1000", map[string]any{"limit": 1000}
		case "/task": // with assignees and pictures
			path, variables = "/task?limit=10", map[string]any{"limit": 10}
		case "/ticket": // with categories and people
			path, variables = "/ticket?limit=100", map[string]any{"limit": 100}
		}
		for _, who := range []string{"budi", "ratna", "daeng"} {
			_, body := s.Get(t, who, path)
			answer := s.AskGraphQL(t, s.HeaderOf(who), bounded(d), variables)
			if len(answer.Errors) > 0 {
				t.Errorf("%s %s: %s", who, d.Path, answer.Text)
				continue
			}
			if diff := cmp.Diff(harness.InUTC(string(body)), string(unwrapped(t, answer.Data))); diff != "" {
				t.Errorf("%s %s (-REST +GraphQL):\n%s", who, d.Path, diff)
			}
		}
	}
}

// unwrapped returns the value of the only root field, or the nodes in it.
func unwrapped(t *testing.T, data json.RawMessage) json.RawMessage {
	t.Helper()
	var root map[string]json.RawMessage
	if err := json.Unmarshal(data, &root); err != nil || len(root) != 1 {
		t.Fatalf("%s: %v", data, err)
	}
	for _, value := range root {
		var list struct{ Nodes json.RawMessage }
		if json.Unmarshal(value, &list) == nil && list.Nodes != nil {
			return list.Nodes
		}
		return value
	}
	return nil
}

// equalRefusals are refused by both APIs with the same code, facts and members.
func equalRefusals(t *testing.T, s *harness.Server) {
	device := map[string]string{"X-Device-Token": s.Vars["budi.device"]}
	tests := []struct {
		name                 string
		header               map[string]string
		method, path, body   string // of REST
		document             string
		variables            map[string]any
		code                 string
		fields               string
		withoutGraphQLFields bool
	}{
		{"a page without a limit", s.HeaderOf("budi"), "GET", "/user?page=2", "", `{employees(page:2){totalCount}}`, nil, "VALIDATION_FAILED", "page", false},
		{"an ill-formed reference", s.HeaderOf("budi"), "GET", "/user?businessId=x", "", `{employees(businessId:"x"){totalCount}}`, nil, "NOT_FOUND", "businessId", false},
		{"an unknown reference", s.HeaderOf("budi"), "GET", "/user?designationId=77777", "", `query($d:ID){employees(designationId:$d){totalCount}}`, map[string]any{"d": "77777"}, "NOT_FOUND", "designationId", false},
		{"a wrong password", device, "POST", "/user/login", `{"username":"siti@demo.test","password":"wrong"}`,
			`mutation{login(input:{username:"siti@demo.test",password:"wrong"}){verified}}`, nil, "INVALID_CREDENTIALS", "", false},
		{"an unknown request", device, "POST", "/user/reset-password", `{"id":"123456789012345","otp":"000000","password":"a long enough one"}`,
			`mutation($i:ResetPasswordInput!){resetPassword(input:$i){name}}`, map[string]any{"i": map[string]any{"id": "123456789012345", "otp": "000000", "password": "a long enough one"}}, "OTP_INVALID", "otp", false},
		{"a user name of no kind", device, "POST", "/user/forgot-password", `{"username":"nobody"}`, `mutation{forgotPassword(input:{username:"nobody"}){id}}`, nil, "VALIDATION_FAILED", "username", false},
		{"a time that is none", s.HeaderOf("budi"), "POST", "/attendance/clockIn", `{"recordedAt":"yesterday"}`, `mutation($i:ClockInInput!){clockIn(input:$i){clockedIn}}`,
			map[string]any{"i": map[string]any{"recordedAt": "yesterday"}}, "VALIDATION_FAILED", "recordedAt", false},
		{"nothing given", device, "POST", "/user/login", `{}`, `mutation($i:LoginInput!){login(input:$i){verified}}`, map[string]any{"i": map[string]any{}}, "VALIDATION_FAILED", "username", false},
		{"members of other types", device, "POST", "/user/login", `{"username":{},"password":[1]}`, `mutation($input:LoginInput!){login(input:$input){verified}}`,
			map[string]any{"input": map[string]any{"username": map[string]any{}, "password": []int{1}}}, "VALIDATION_FAILED", "username", false},
		{"an unknown platform", nil, "POST", "/device/register", `{"platform":"symbian"}`, `mutation($i:RegisterDeviceInput!){registerDevice(input:$i){deviceToken}}`,
			map[string]any{"i": map[string]any{"platform": "symbian"}}, "VALIDATION_FAILED", "deviceId", false},
		{"not clocked in", s.HeaderOf("budi"), "POST", "/attendance/clockOut", `{"employeeShiftId":"{{shift}}","latitude":"-6.2","longitude":"106.816666"}`,
			`mutation{clockOut(input:{employeeShiftId:"{{shift}}",latitude:"-6.2",longitude:"106.816666"}){clockedOut}}`, nil, "NOT_CLOCKED_IN", "", false},
	}
	shift := s.ShiftToday(t, "budi")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			resp, body := s.Send(t, tt.method, tt.path, strings.ReplaceAll(tt.body, "{{shift}}", shift), tt.header)
			a := s.AskGraphQL(t, tt.header, strings.ReplaceAll(tt.document, "{{shift}}", shift), tt.variables)
			compareRefusals(t, body, a)
			if a.Code() != tt.code || a.Status != 200 || resp.StatusCode != errs.Code(tt.code).Status() {
				t.Errorf("GraphQL %s, REST %d; want %s", a.Text, resp.StatusCode, tt.code)
			}
			if len(a.Errors) == 1 && tt.fields != "" && fmt.Sprint(a.Errors[0].Extensions.Errors[0]["field"]) != tt.fields {
				t.Errorf("fields of %s, want %s", a.Text, tt.fields)
			}
		})
	}
	t.Run("without a token", func(t *testing.T) { withoutToken(t, s) })
}

// compareRefusals compares a problem with the error of GraphQL.
func compareRefusals(t *testing.T, problem []byte, a harness.GraphQLAnswer) {
	t.Helper()
	var want harness.ProblemFacts
	if err := json.Unmarshal(problem, &want); err != nil || len(a.Errors) != 1 {
		t.Fatalf("REST %s; GraphQL %s", problem, a.Text)
	}
	if diff := cmp.Diff(want, a.Errors[0].Extensions); diff != "" {
		t.Errorf("-REST +GraphQL:\n%s", diff)
	}
}

// withoutToken asks for every operation that takes a token without one. With
// variables that are missing too, it is the token that is said to be.
func withoutToken(t *testing.T, s *harness.Server) {
	for _, d := range harness.Documents(t) {
		if d.Path == "/device/register" || d.Path == "/encrypt" && d.Method == "GET" { // which need none
			continue
		}
		path, body := regexp.MustCompile(`\{\w+\}`).ReplaceAllString(d.Path, "1"), ""
		if d.Method != "GET" && d.Method != "DELETE" {
			body = "{}"
		}
		resp, problem := s.Send(t, d.Method, path, body, nil)
		a := s.AskGraphQL(t, nil, d.Text, nil)
		compareRefusals(t, problem, a)
		if resp.StatusCode != 401 || a.Status != 200 || a.Code() != "UNAUTHENTICATED" || a.Errors[0].Extensions.Meta["reason"] != "missing" {
			t.Errorf("%s: %d %s; %s", d.Path, resp.StatusCode, problem, a.Text)
		}
	}
}

// A usersPage is one page of the connection of people.
type usersPage struct {
	Users struct {
		TotalCount int
		PageInfo   struct {
			HasNextPage, HasPreviousPage bool
			StartCursor, EndCursor       *string
		}
		Edges []struct{ Node struct{ Name string } }
	}
}

func userPage(t *testing.T, s *harness.Server, who, arguments string) (p usersPage, names string) {
	t.Helper()
	s.GraphQL(t, s.HeaderOf(who), "{users"+arguments+"{totalCount pageInfo{hasNextPage hasPreviousPage startCursor endCursor} edges{node{name}}}}", nil, &p)
	var list []string
	for _, e := range p.Users.Edges {
		list = append(list, e.Node.Name)
	}
	return p, strings.Join(list, ", ")
}

func usersConnection(t *testing.T, s *harness.Server) {
	const byName = "orderBy:{field:NAME,direction:ASC}"
	t.Run("forwards", func(t *testing.T) {
		var walked []string
		for after := ""; ; {
			p, names := userPage(t, s, "budi", "(first:10,"+byName+after+")")
			if p.Users.TotalCount != len(harness.Everybody) {
				t.Errorf("totalCount %d", p.Users.TotalCount)
			}
			walked = append(walked, names)
			if !p.Users.PageInfo.HasNextPage {
				break
			}
			after = fmt.Sprintf(",after:%q", *p.Users.PageInfo.EndCursor)
		}
		if diff := cmp.Diff(strings.Join(harness.Everybody, ", "), strings.Join(walked, ", ")); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("backwards", func(t *testing.T) {
		p, names := userPage(t, s, "budi", "(last:2,"+byName+")")
		if names != "tatang suherman, Wahyu Nur'aini" || !p.Users.PageInfo.HasPreviousPage {
			t.Errorf("%s %+v", names, p.Users.PageInfo)
		}
		if _, names = userPage(t, s, "budi", fmt.Sprintf("(last:1,before:%q,%s)", *p.Users.PageInfo.StartCursor, byName)); names != "Sumarni" {
			t.Errorf("before: %s", names)
		}
	})
	for arguments, want := range map[string]string{
		"(first:2,orderBy:{field:NAME,direction:DESC})":                                 "Wahyu Nur'aini, tatang suherman",
		`(where:{emailHasPrefix:"budi"})`:                                               "Budi Santoso",
		`(where:{or:[{emailHasPrefix:"budi"},{emailHasPrefix:"siti"}]},` + byName + ")": "Budi Santoso, Siti Rahmawati",
		`(where:{hasDesignationsWith:[{name:"Penyelia"}]},` + byName + ")":              "Asep Sutisna, Siti Rahmawati",
		`(where:{hasBusinessWith:[{name:"Tetangga"}]})`:                                 "",
		`(where:{hasDesignationsWith:[{name:"Kasir"}]})`:                                "",
		`(where:{emailHasSuffix:"@tetangga.test"})`:                                     "",
		"(first:0)": "",
	} {
		if _, names := userPage(t, s, "budi", arguments); names != want {
			t.Errorf("users%s: %s, want %s", arguments, names, want)
		}
	}
	for arguments, field := range map[string]string{
		"(first:1001)": "first", "(last:1001)": "last", "(first:-1)": "first", "(first:1,last:1)": "last", `(after:"?")`: "after",
	} {
		a := s.AskGraphQL(t, s.HeaderOf("budi"), "{users"+arguments+"{totalCount}}", nil)
		if a.Code() != "VALIDATION_FAILED" || a.Errors[0].Extensions.Errors[0]["field"] != field {
			t.Errorf("users%s: %s, want VALIDATION_FAILED of %s", arguments, a.Text, field)
		}
	}
	var data struct {
		EmployeeShifts struct {
			TotalCount int
			Edges      []any
		}
	}
	s.GraphQL(t, s.HeaderOf("andini"), `{employeeShifts{totalCount edges{node{id}}}}`, nil, &data)
	if data.EmployeeShifts.TotalCount <= 50 || len(data.EmployeeShifts.Edges) != 50 {
		t.Errorf("a list without a length has %d of %d, want 50", len(data.EmployeeShifts.Edges), data.EmployeeShifts.TotalCount)
	}
}

// single looks at things by id, and at what a filter must not tell.
func single(t *testing.T, s *harness.Server) {
	var me struct{ Viewer struct{ ID, Name string } }
	s.GraphQL(t, s.HeaderOf("budi"), `{viewer{id name}}`, nil, &me)
	var one struct{ User struct{ ID, Name string } }
	s.GraphQL(t, s.HeaderOf("ratna"), `query($id:ID!){user(id:$id){id name}}`, map[string]any{"id": me.Viewer.ID}, &one)
	if one.User != me.Viewer || me.Viewer.Name != "Budi Santoso" {
		t.Errorf("viewer %+v, user %+v", me.Viewer, one.User)
	}
	for _, field := range []string{"passwordHash", "passwordHashContains", "sortName", "emailKey", "companyID", "hasCompany", "hasSessions", "hasDevices", "hasFaces", "phoneKey", "mobileNumber"} {
		if a := s.AskGraphQL(t, s.HeaderOf("budi"), "{users(where:{"+field+":null}){totalCount}}", nil); a.Code() != "BAD_REQUEST" {
			t.Errorf("people can be asked for by %s: %s", field, a.Text)
		}
	}
	// The list of people does not reveal who has attendances: only own ones are seen.
	var own, all struct{ Attendances struct{ TotalCount int } }
	s.GraphQL(t, s.HeaderOf("budi"), `{attendances{totalCount}}`, nil, &own)
	s.GraphQL(t, s.HeaderOf("andini"), `{attendances{totalCount}}`, nil, &all)
	if own.Attendances.TotalCount == 0 || own.Attendances.TotalCount >= all.Attendances.TotalCount {
		t.Errorf("budi sees %d attendances, the owner %d", own.Attendances.TotalCount, all.Attendances.TotalCount)
	}
	a := s.AskGraphQL(t, s.HeaderOf("budi"), `{attendances(where:{hasUserWith:[{emailHasPrefix:"siti"}]}){totalCount}}`, nil)
	if a.Text != `{"data":{"attendances":{"totalCount":0}}}` {
		t.Errorf("another's attendances: %s", a.Text)
	}
}

func graphqlTransport(t *testing.T, s *harness.Server) {
	const graph = "application/graphql-response+json"
	wanted := func(code, meta string) string {
		return `{"errors":[{"message":"<any>","extensions":{"code":"` + code + `","errors":[],"meta":` + meta + `,"requestId":"<any>"}}]}`
	}
	located := strings.Replace(wanted("BAD_REQUEST", "{}"), `"extensions"`, `"locations":"<any>","extensions"`, 1)
	post := func(name, body string, status int, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Path: "/graphql", Header: map[string]string{"Authorization": "Bearer {{budi.access}}"}, Body: body, Status: status, Want: want}
	}
	as := func(media string, sc apitest.Scenario) apitest.Scenario {
		sc.Header = map[string]string{"Accept": media, "Authorization": sc.Header["Authorization"]}
		return sc
	}
	const byHash = `{"extensions":{"persistedQuery":{"version":1,"sha256Hash":` +
		`"ecf4edb46db40b5132295c0291d62fb65d6759a9eedfa4d5d612dd5ec54a6b38"}}}`
	const withHash = `{"query":"{__typename}","extensions":{"persistedQuery":{"version":1,"sha256Hash":` +
		`"ecf4edb46db40b5132295c0291d62fb65d6759a9eedfa4d5d612dd5ec54a6b38"}}}`
	unknown := strings.Replace(wanted("PERSISTED_QUERY_NOT_FOUND", "{}"), "<any>", "PersistedQueryNotFound", 1)
	const nobody = `{"errors":[{"message":"A valid access token is needed.","path":["viewer"],"extensions":{"code":"UNAUTHENTICATED","errors":[],"meta":{"reason":"missing","token":"access"},"requestId":"<any>"}}],"data":null}`
	s.Run(t, []apitest.Scenario{
		post("no JSON", "{", 400, wanted("BAD_REQUEST", "{}")),
		post("an array of operations", `[{"query":"{__typename}"}]`, 400, wanted("BAD_REQUEST", "{}")),
		post("no query", "{}", 400, wanted("BAD_REQUEST", "{}")),
		post("a query by its hash", byHash, 200, unknown),
		post("a query with another hash", `{"query":"{__typename}",`+strings.Replace(byHash[1:], "ecf4", "ecf5", 1), 400,
			wanted("BAD_REQUEST", "{}")),
		{Name: "a query with its hash, of nobody", Path: "/graphql", Body: withHash, Want: `{"data":{"__typename":"Query"}}`},
		post("a query that nobody sent", byHash, 200, unknown),
		post("a query with its hash", withHash, 200, `{"data":{"__typename":"Query"}}`),
		post("a query by its hash, known", byHash, 200, `{"data":{"__typename":"Query"}}`),
		post("a query that is no text", `{"query":1}`, 400, wanted("BAD_REQUEST", "{}")),
		post("an empty query", `{"query":""}`, 200, wanted("BAD_REQUEST", "{}")),
		post("no GraphQL", `{"query":"{"}`, 200, located),
		as(graph, post("no GraphQL, told so", `{"query":"{"}`, 400, located)),
		post("an unknown field", `{"query":"{nosuch}"}`, 200, located),
		post("an unknown operation", `{"query":"query A{__typename}","operationName":"B"}`, 200, wanted("BAD_REQUEST", "{}")),
		{Name: "nobody is 200", Path: "/graphql", Body: `{"query":"{viewer{id}}"}`, Status: 200, Want: nobody},
		{Name: "nobody is 200 as GraphQL, since it was executed", Path: "/graphql", Header: map[string]string{"Accept": graph}, Body: `{"query":"{viewer{id}}"}`, Status: 200, Want: nobody,
			WantHeader: map[string]string{"Content-Type": graph}},
		{Name: "a form", Path: "/graphql", Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, Body: "query={__typename}", Status: 415, Want: wanted("UNSUPPORTED_MEDIA_TYPE", "{}")},
		{Name: "another method", Method: "PUT", Path: "/graphql", Body: `{"query":"{__typename}"}`, Status: 405, Want: wanted("METHOD_NOT_ALLOWED", "{}"), WantHeader: map[string]string{"Allow": "GET, POST"}},
		{Name: "a GET that no browser was asked about", Path: "/graphql?query={__typename}", Status: 400, Want: wanted("BAD_REQUEST", "{}")},
		{Name: "a GET", Path: "/graphql?query={__typename}", Header: map[string]string{"GraphQL-Preflight": "1"}, Want: `{"data":{"__typename":"Query"}}`},
		{Name: "a GET that writes", Path: "/graphql?query=" + url.QueryEscape("mutation{logout{loggedOut}}"), Header: harness.SignedIn("budi", "X-Req-Id", "1"), Status: 405, WantHeader: map[string]string{"Allow": "POST"}},
		post("a mutation without a transaction beside another", `{"query":"mutation{logout{loggedOut} verify(input:{otp:\"1\"}){verified}}"}`, 200, wanted("BAD_REQUEST", "{}")),
		post("in a fragment", `{"query":"mutation{...F} fragment F on Mutation{logout{loggedOut} ...G} fragment G on Mutation{a:refreshToken{tokenType}}"}`, 200, wanted("BAD_REQUEST", "{}")),
		post("the same twice", `{"query":"mutation{a:refreshToken{tokenType} b:refreshToken{tokenType}}"}`, 200, wanted("BAD_REQUEST", "{}")),
		post("and nothing of it was done", `{"query":"{viewer{name}}"}`, 200, `{"data":{"viewer":{"name":"Budi Santoso"}}}`),
	})
}

func introspection(t *testing.T, s *harness.Server) {
	const ask = `{__schema{queryType{name}}}`
	for _, tt := range []struct {
		open bool
		who  string
		want string
	}{
		{true, "", `{"data":{"__schema":{"queryType":{"name":"Query"}}}}`},
		{false, "andini", `{"data":{"__schema":{"queryType":{"name":"Query"}}}}`},
		{false, "", "FORBIDDEN"},
		{false, "budi", "FORBIDDEN"},
		{false, "ratna", "FORBIDDEN"},
	} {
		s.Executor.Introspection = tt.open
		header := map[string]string{}
		if tt.who != "" {
			header = s.HeaderOf(tt.who)
		}
		if a := s.AskGraphQL(t, header, ask, nil); a.Text != tt.want && a.Code() != tt.want {
			t.Errorf("open %v, %s: %s, want %s", tt.open, tt.who, a.Text, tt.want)
		}
		if a := s.AskGraphQL(t, header, `{__type(name:"User"){name}}`, nil); a.Code() != "" && a.Code() != tt.want {
			t.Errorf("open %v, %s: %s, want %s", tt.open, tt.who, a.Text, tt.want)
		}
		resp, text := s.Send(t, "GET", "/schema.graphql", "", header)
		shown := resp.StatusCode == 200 && resp.Header.Get("ETag") != "" && strings.Contains(string(text), "type Query {")
		refused := resp.StatusCode == 403 && strings.Contains(string(text), `"code":"FORBIDDEN"`)
		if a := tt.want != "FORBIDDEN"; shown != a || refused == a {
			t.Errorf("open %v, %s: /schema.graphql is %d %.200s", tt.open, tt.who, resp.StatusCode, text)
		}
	}
	s.Executor.Introspection = true
	for _, typo := range []string{"{viewr{id}}", "{viewer{nam}}", "{users(frst:1){totalCount}}", "{users(where:{emal:\"x\"}){totalCount}}", "{user(id:1){... on Usr{id}}}"} {
		if a := s.AskGraphQL(t, s.HeaderOf("budi"), typo, nil); a.Code() != "BAD_REQUEST" || strings.Contains(a.Text, "mean") {
			t.Errorf("%s: %s", typo, a.Text)
		}
	}
}

// bombs are documents that cost a naive server seconds, gigabytes or its life.
func bombs(t *testing.T, s *harness.Server) {
	chained := func(n int) string {
		var b strings.Builder
		b.WriteString("{viewer{...F0}}")
		for i := range n {
			fmt.Fprintf(&b, "fragment F%d on User{...F%d ...F%d}", i, i+1, i+1)
		}
		return b.String() + fmt.Sprintf("fragment F%d on User{name}", n)
	}
	deep := func(n int) string { // levels
		return "{businesses(first:1){edges{node{" + strings.Repeat("parent{", n-4) + "name" + strings.Repeat("}", n)
	}
	tests := []struct {
		name, text string
		limit      string // that refuses it; "" is the parser, the validation, or the size
	}{
		{"fragments 2^22", chained(22), "fields"},
		{"fragments 2^34", chained(34), "fields"},
		{"fragments in a circle", "{viewer{...A}} fragment A on User{...B ...B} fragment B on User{...A ...A}", ""},
		{"20,000 aliases", "{" + strings.Repeat("a:__typename ", 20_000) + "}", "tokens"},
		{"20,000 fields", "{" + strings.Repeat("__typename ", 20_000) + "}", "tokens"},
		{"as many fields as there may be tokens", "{" + strings.Repeat("__typename ", 990) + "}", "rootFields"},
		{"2,000 objects", "{" + strings.Repeat("viewer{name} ", 2000) + "}", "tokens"},
		{"20,000 directives", "{__typename" + strings.Repeat("@a", 20_000) + "}", "tokens"},
		{"as many directives as there may be tokens", "{__typename" + strings.Repeat("@a", 490) + "}", ""},
		{"a long list", "{users(first:100000){edges{node{name}}}}", "cost"},
		{"lists in lists", "{users(first:1000){edges{node{designations{id} roles{id} business{id}}}} a:users(first:1000){edges{node{designations{id}}}} b:users(first:1000){edges{node{designations{id} roles{id}}}} c:users(first:1000){edges{node{designations{id} roles{id}}}} d:users(first:1000){edges{node{designations{id} roles{id}}}}}", "cost"},
		{"a list of 10,000 lists", "{user(id:" + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + "){id}}", "tokens"},
		{"selections, 3 MB", strings.Repeat("{a", 3<<19), ""},
		{"selections, 200 kB", strings.Repeat("{a", 100_000), "tokens"},
		{"lists, 2 MB", "{user(id:" + strings.Repeat("[", 2<<20), ""},
		{"lists, 200 kB", "{user(id:" + strings.Repeat("[", 200_000), "tokens"},
		{"filters in filters", "{users(where:" + strings.Repeat("{not:", 200) + "{}" + strings.Repeat("}", 200) + "){totalCount}}", "nesting"},
		{"comments", strings.Repeat("#\n", 60_000) + "{__typename}", "tokens"},
		{"too deep", deep(16), "depth"},
		{"31 fields", "{" + strings.Repeat("__typename ", 31) + "}", "rootFields"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var a harness.GraphQLAnswer
			cheaply(t, func() { a = s.AskGraphQL(t, s.HeaderOf("budi"), tt.text, nil) })
			limit := ""
			if len(a.Errors) > 0 {
				limit, _ = a.Errors[0].Extensions.Meta["limit"].(string)
			}
			if len(a.Errors) == 0 || len(a.Data) > 0 || limit != tt.limit || len(a.Text) > 20_000 {
				t.Errorf("limit %q, want %q: %.300s", limit, tt.limit, a.Text)
			}
		})
	}
	s.GraphQL(t, s.HeaderOf("budi"), deep(15), nil, nil)
	for who, screen := range map[string]string{ // the first ones of a phone and a dashboard fit in one request
		"budi": `{profile{name} attendanceToday{date entries{id clockInAt clockOutAt}} shiftToday{name startAt endAt} allowedLocations{addressId name}
			tasksWidget{open items{title}} ticketWidget{open items{id}} timesheetWidget{days{date workedSeconds}} leaveBalances{leaveType{name} remaining} runningActivity{id}
			projectList{id name} taskCategoryList{id name} companyAddresses{id name} businessList{id} roleList{id name}}`,
		"andini": `{attendanceSummary{groups{name count people{userId name status}}} roster{people{name shifts{name startAt}}}
			timesheet{people{name total{workedSeconds}}} timeTotals(by:project){groups{label seconds}} businessStructure{id name}}`,
	} {
		s.GraphQL(t, s.HeaderOf(who), screen, nil, nil)
	}
}

// cheaply fails the test when f takes 250 ms of CPU time or more.
func cheaply(t *testing.T, f func()) {
	t.Helper()
	runtime.GC()
	before := cpuTime(t)
	f()
	if used := cpuTime(t) - before; used >= 250*time.Millisecond && !raceEnabled {
		t.Errorf("took %v of CPU time, want less than 250ms", used)
	}
}

// cpuTime is what the process has used so far.
func cpuTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// inactivePeople are shown to those alone who may change them.
func inactivePeople(t *testing.T, s *harness.Server) {
	s.SetActive(t, "joko@demo.test", false)
	const joko = `(where:{emailHasPrefix:"joko"})`
	for who, want := range map[string]string{"andini": "Joko Susilo", "budi": "", "ratna": ""} {
		if _, names := userPage(t, s, who, joko); names != want {
			t.Errorf("%s sees %q, want %q", who, names, want)
		}
		if list := harness.Names(t, s, who, "/user"); len(list) != len(harness.Everybody)-1 {
			t.Errorf("Get Users List shows %s %d people, want %d", who, len(list), len(harness.Everybody)-1)
		}
	}
}
