package httpapi

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"workforce/ent"
	"workforce/ent/user"
	"workforce/ent/userimport"
	"workforce/internal/apitest"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/viewer"
)

// httpScenarios hold what all endpoints have in common.
func httpScenarios(t *testing.T, s *harness.Server) {
	s.SignIn(t, "budi", "budi@demo.test")
	s.SignIn(t, "dimas", "dimas@demo.test")
	s.SignIn(t, "daeng", "admin@tetangga.test")
	s.SignIn(t, "andini", "admin@demo.test")
	t.Run("request ids", func(t *testing.T) { requestIDs(t, s) })
	t.Run("languages", func(t *testing.T) { languages(t, s) })
	t.Run("errors", func(t *testing.T) { genericErrors(t, s) })
	t.Run("caching", func(t *testing.T) { caching(t, s) })
	t.Run("pages", func(t *testing.T) { errorPages(t, s) })
	t.Run("isolation", func(t *testing.T) { isolation(t, s) })
	t.Run("panic", func(t *testing.T) { panicking(t, s) })
}

func requestIDs(t *testing.T, s *harness.Server) {
	long := strings.Repeat("x", 128)
	made := `/[A-Z2-7]{26}/`
	for name, r := range map[string]apitest.Scenario{
		"success":              {Path: "/user/profile", Header: harness.SignedIn("budi"), Status: 200},
		"an unread query":      {Path: "/user/profile?a;b&%zz", Header: harness.SignedIn("budi"), Status: 200},
		"error":                {Path: "/user/profile", Status: 401},
		"no such path":         {Path: "/nowhere", Status: 404},
		"no such method":       {Method: "DELETE", Path: "/user", Status: 405},
		"unreadable":           {Path: "/device/register", Body: "{", Status: 400},
		"unreadable, no token": {Path: "/user/login", Body: "{", Status: 401},
		"GraphQL":              {Path: "/graphql", Body: `{"query":"{viewer{id}}"}`, Status: 200},
		"malformed GraphQL":    {Path: "/graphql", Body: `{"query":"{"}`, Status: 200},
		"something unsigned":   {Path: "/healthz", Status: 200},
	} {
		var all []apitest.Scenario
		for given, want := range map[string]string{"": made, "a": "a", "a b": made, "Ä": made, long: long, long + "x": made, `"q"`: `"q"`} {
			with := r
			with.Name, with.Header, with.WantHeader = name+" "+given, map[string]string{}, map[string]string{"X-Req-Id": want}
			for k, v := range r.Header {
				with.Header[k] = v
			}
			if given != "" {
				with.Header["X-Req-Id"] = given
			}
			all = append(all, with)
		}
		s.Run(t, all)
	}
	s.Run(t, []apitest.Scenario{
		{Name: "the body of an error has it", Path: "/nowhere", Header: map[string]string{"X-Req-Id": "r-1"}, Status: 404,
			Want: strings.Replace(harness.ProblemText("NOT_FOUND", "Not found", "404", "There is nothing here by that name or number.", "[]", "{}"), "<any>", "r-1", 1)},
	})
}

func languages(t *testing.T, s *harness.Server) {
	details := map[string]string{"id": "Data yang diminta tidak ditemukan.", "en": "There is nothing here by that name or number."}
	methods := map[string]string{"id": "Alamat ini tidak melayani metode tersebut.", "en": "This address does not answer that method."}
	limits := map[string]string{"id": "Operasi melampaui batas 40 untuk nesting (tanda kurung di dalam tanda kurung): ada 42. Kurangi tingkat field", "en": "The operation exceeds the limit of 40 for nesting (brackets inside each other): it has 42. Nest fields"}
	for _, tt := range []struct {
		name, who, chosen, accepted, want string
	}{
		{"X-Language", "budi", "en", "", "en"},
		{"X-Language before Accept-Language", "budi", "en", "id", "en"},
		{"a region", "dimas", "id-ID", "", "id"},
		{"a list", "dimas", "fr;q=0.9, id;q=0.5", "", "id"},
		{"Accept-Language", "budi", "", "en-US,en;q=0.9", "en"},
		{"Accept-Language where X-Language is not spoken", "budi", "fr", "en", "en"},
		{"Malay is not Indonesian's better", "dimas", "id, en", "", "id"},
		{"the user's own, Indonesian", "budi", "", "", "id"},
		{"the user's own, English", "dimas", "", "", "en"},
		{"the user's own where none is spoken", "budi", "fr", "de", "id"},
		{"the user's own where it cannot be read", "budi", "???", "", "id"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := s.HeaderOf(tt.who)
			h["X-Language"], h["Accept-Language"] = tt.chosen, tt.accepted
			resp, body := s.Send(t, "GET", "/user?businessId=x", "", h)
			if got := resp.Header.Get("Content-Language"); got != tt.want || !strings.Contains(string(body), details[tt.want]) {
				t.Errorf("Content-Language %s, want %s; %s", got, tt.want, body)
			}
			resp, _ = s.Send(t, "GET", "/user/profile", "", h)
			if got := resp.Header.Get("Content-Language"); got != tt.want {
				t.Errorf("a success: Content-Language %s, want %s", got, tt.want)
			}
			resp, body = s.Send(t, "POST", "/graphql", `{"query":"{business(id:\"x\"){id}}"}`, h)
			if got := resp.Header.Get("Content-Language"); got != tt.want || !strings.Contains(string(body), details[tt.want]) {
				t.Errorf("GraphQL: Content-Language %s, want %s; %s", got, tt.want, body)
			}
			resp, body = s.Send(t, "GET", "/nowhere", "", h)
			if got := resp.Header.Get("Content-Language"); got != tt.want || !strings.Contains(string(body), details[tt.want]) {
				t.Errorf("no such path: Content-Language %s, want %s; %s", got, tt.want, body)
			}
			resp, body = s.Send(t, "DELETE", "/user", "", h)
			if got := resp.Header.Get("Content-Language"); got != tt.want || !strings.Contains(string(body), methods[tt.want]) {
				t.Errorf("no such method: Content-Language %s, want %s; %s", got, tt.want, body)
			}
			resp, body = s.Send(t, "POST", "/graphql", `{"query":"{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a{a"}`, h)
			if got := resp.Header.Get("Content-Language"); got != tt.want || !strings.Contains(string(body), limits[tt.want]) {
				t.Errorf("a limit of GraphQL: Content-Language %s, want %s; %s", got, tt.want, body)
			}
		})
	}
	s.Run(t, []apitest.Scenario{
		{Name: "faults of members are in the user's", Path: "/user?limit=0", Header: harness.SignedIn("budi"), Status: 422,
			Want: harness.InvalidText("limit", "Harus di antara 1 dan 1000."), WantHeader: map[string]string{"Content-Language": "id"}},
		{Name: "faults of variables are in the user's", Path: "/graphql", Header: harness.SignedIn("budi"),
			Body:       `{"query":"query($n:Int){users(first:$n){totalCount}}","variables":{"n":"x"}}`,
			Want:       `{"errors":[{"message":"Sebagian data yang dikirim kurang atau salah; lihat errors.","extensions":{"code":"VALIDATION_FAILED","errors":"<any>","meta":{},"requestId":"<any>"}}]}`,
			WantHeader: map[string]string{"Content-Language": "id"}},
	})
}

func genericErrors(t *testing.T, s *harness.Server) {
	notFound := harness.ProblemText("NOT_FOUND", "Not found", "404", "There is nothing here by that name or number.", "[]", "{}")
	notAllowed := harness.ProblemText("METHOD_NOT_ALLOWED", "Method not allowed", "405", "This address does not answer that method.", "[]", "{}")
	badRequest := harness.ProblemText("BAD_REQUEST", "Bad request", "400", "The request could not be read: it is not well formed.", "[]", "{}")
	device := map[string]string{"X-Device-Token": "{{budi.device}}"}
	login := func(name, body string, status int, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Method: "POST", Path: "/user/login", Header: device, Body: body, Status: status, Want: want}
	}
	typed := func(name, contentType string, status int) apitest.Scenario {
		sc := login(name, `{"username":"x","password":"x"}`, status, "")
		sc.Header = map[string]string{"X-Device-Token": "{{budi.device}}", "Content-Type": contentType}
		return sc
	}
	all := []apitest.Scenario{
		login("no JSON", "{", 400, badRequest),
		login("an array", "[]", 400, badRequest),
		login("null", "null", 400, badRequest),
		login("a text", `"x"`, 400, badRequest),
		login("two objects", "{}{}", 400, badRequest),
		login("1 MiB and a byte", `{"username":"`+strings.Repeat("x", 1<<20)+`"}`, 413,
			harness.ProblemText("PAYLOAD_TOO_LARGE", "Too large", "413", "The request is larger than 1048576 bytes.", "[]", `{"limit":1048576}`)),
		typed("a form", "application/x-www-form-urlencoded", 415),
		typed("a form with files", "multipart/form-data; boundary=x", 415),
		typed("plain text", "text/plain", 415),
		typed("with a charset", "application/json; charset=utf-8", 401),
		typed("without a type", "", 401),
		{Name: "as a problem", Path: "/nowhere", Header: map[string]string{"Accept": "application/problem+json"}, Status: 404, Want: notFound,
			WantHeader: map[string]string{"Content-Type": "application/problem+json"}},
		{Name: "as JSON", Path: "/nowhere", Header: map[string]string{"Accept": "*/*"}, Status: 404, Want: notFound,
			WantHeader: map[string]string{"Content-Type": "application/json", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
				"Vary": "Accept-Encoding, Accept-Language, X-Language"}},
		{Name: "GraphQL of more than 256 KiB", Path: "/graphql", Body: `{"query":"{` + strings.Repeat(" ", 256<<10) + `}"}`, Status: 413,
			Want: `{"errors":[{"message":"The request is too large.","extensions":{"code":"PAYLOAD_TOO_LARGE","errors":[],"meta":{"limit":262144},"requestId":"<any>"}}]}`},
	}
	for _, path := range []string{"/nowhere", "/user/", "//user", "/user//profile", "/./user", "/user/../user", "/user/%2e%2e/user", "/USER", "/graphql/", "/user/1"} {
		all = append(all, apitest.Scenario{Name: path, Path: path, Status: 404, Want: notFound})
	}
	for line, allow := range map[string]string{
		"POST /user": "GET, HEAD, OPTIONS", "PUT /user/login": "POST, OPTIONS", "GET /attendance/clockIn": "POST, OPTIONS",
		"POST /authorize/access-token": "GET, OPTIONS", "DELETE /authorize/refresh-token": "GET, OPTIONS", "PUT /healthz": "GET, HEAD, OPTIONS",
		"PATCH /task/report": "GET, OPTIONS", "PATCH /task/1": "GET, HEAD, PUT, DELETE, OPTIONS",
	} {
		method, path, _ := strings.Cut(line, " ")
		all = append(all, apitest.Scenario{Name: line, Method: method, Path: path, Status: 405, Want: notAllowed, WantHeader: map[string]string{"Allow": allow}})
	}
	for _, path := range []string{"/authorize/access-token", "/authorize/refresh-token"} {
		all = append(all, apitest.Scenario{Name: "HEAD " + path, Method: "HEAD", Path: path, Status: 405, WantHeader: map[string]string{"Allow": "GET, OPTIONS"}})
	}
	check := s.Check
	s.Check = nil // several are of no documented kind
	s.Run(t, all)
	s.Check = check
}

func caching(t *testing.T, s *harness.Server) {
	reads := map[string]string{"Cache-Control": "private, no-cache", "ETag": `"<any>"`}
	var all []apitest.Scenario
	for _, path := range []string{"/user", "/user/profile", "/user/token-info", "/attendance/today", "/attendance/shiftToday", "/attendance/allowedLocations"} {
		all = append(all, apitest.Scenario{Name: path, Path: path, Header: harness.SignedIn("budi"), WantHeader: reads})
	}
	s.Run(t, append(all, []apitest.Scenario{
		{Name: "a token is given", Path: "/authorize/access-token", Header: map[string]string{"x-User-Token": "{{dimas.user}}"},
			WantHeader: map[string]string{"Cache-Control": "no-store", "ETag": ""}, Save: map[string]string{"dimas.access": "/accessToken", "dimas.refresh": "/refreshToken"}},
		{Name: "a token is given again, whatever the client has", Path: "/authorize/refresh-token",
			Header:     map[string]string{"x-Refresh-Token": "{{dimas.refresh}}", "If-None-Match": "*"},
			WantHeader: map[string]string{"Cache-Control": "no-store", "ETag": ""}},
		{Name: "a device is registered", Path: "/device/register", Body: `{"deviceId":"x","platform":"web"}`,
			WantHeader: map[string]string{"Cache-Control": "no-store", "ETag": ""}},
		{Name: "an error", Path: "/user/profile", Status: 401, WantHeader: map[string]string{"Cache-Control": "no-store", "ETag": ""}},
		{Name: "GraphQL", Path: "/graphql", Body: `{"query":"{__typename}"}`, Want: `{"data":{"__typename":"Query"}}`,
			WantHeader: map[string]string{"Cache-Control": "no-store", "ETag": ""}},
	}...))
}

// errorPages follows the type of every error.
func errorPages(t *testing.T, s *harness.Server) {
	for _, code := range errs.Codes() {
		resp, body := s.Send(t, "GET", "/errors/"+code.String(), "", nil)
		if resp.StatusCode != 200 || !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") || !strings.Contains(string(body), code.String()) {
			t.Errorf("%s: %d %s %.200s", code, resp.StatusCode, resp.Header.Get("Content-Type"), body)
		}
	}
	if resp, _ := s.Send(t, "GET", "/errors/NO_SUCH_CODE", "", nil); resp.StatusCode != 404 {
		t.Errorf("an unknown code: %d, want 404", resp.StatusCode)
	}
}

// Marks of one company each, in names, addresses, numbers and settings. None may
// come about by chance in the 64 hexadecimal digits of a link's signature.
var (
	nusantaraMarks = []string{"Nusantara", "@demo.test", "1100 0", "Kantor", "Thamrin", "Staf", "Fleksibel", "Asia/Jakarta"}
	tetanggaMarks  = []string{"Tetangga", "@tetangga.test", "1200 0", "1200-0", "840120000", "Kasir", "Penghibur", "Asia/Makassar"}
)

// isolation reads everything that can be read in the name of each company, and
// looks for marks of the other.
func isolation(t *testing.T, s *harness.Server) {
	for who, marks := range map[string][2][]string{"andini": {nusantaraMarks, tetanggaMarks}, "daeng": {tetanggaMarks, nusantaraMarks}} {
		text := everything(t, s, who)
		for _, own := range marks[0] {
			if !strings.Contains(text, own) {
				t.Errorf("%s does not see %q of their own company", who, own)
			}
		}
		for _, foreign := range marks[1] {
			if at := strings.Index(text, foreign); at >= 0 {
				t.Errorf("%s sees %q: …%s…", who, foreign, text[max(0, at-200):min(len(text), at+50)])
			}
		}
	}
	singles(t, s)
}

// everything returns all answers to GET, and all connections with all that hangs
// on their nodes.
func everything(t *testing.T, s *harness.Server, who string) string {
	var all strings.Builder
	for _, path := range []string{"/user", "/user?search=a", "/user?search=%40", "/user/profile", "/user/token-info",
		"/attendance/today", "/attendance/shiftToday", "/attendance/allowedLocations"} {
		resp, body := s.Get(t, who, path)
		if resp.StatusCode != 200 {
			t.Errorf("%s %s: %d %s", who, path, resp.StatusCode, body)
		}
		all.Write(body)
	}
	for name, document := range connections() {
		_, body := s.Send(t, "POST", "/graphql", apitest.Query(document, nil), s.HeaderOf(who))
		if strings.Contains(string(body), `"errors":`) {
			t.Errorf("%s %s: %.500s", who, name, body)
		}
		all.Write(body)
	}
	return all.String()
}

// connections returns a query of each connection, by name.
func connections() map[string]string {
	schema, all := server.Schema(), map[string]string{}
	for _, f := range schema.Query.Fields {
		if of := schema.Types[f.Type.Name()]; strings.HasSuffix(of.Name, "Connection") {
			node := schema.Types[schema.Types[of.Fields.ForName("edges").Type.Name()].Fields.ForName("node").Type.Name()]
			all[f.Name] = "{" + f.Name + "(first:100){totalCount edges{node" + selection(schema, node, 2) + "}}}"
		}
	}
	return all
}

// selection selects all fields of a type, and of those it leads to.
func selection(schema *ast.Schema, of *ast.Definition, depth int) string {
	var b strings.Builder
	b.WriteString("{__typename")
	for _, f := range of.Fields {
		below := schema.Types[f.Type.Name()]
		required := slices.ContainsFunc(f.Arguments, func(a *ast.ArgumentDefinition) bool { return a.Type.NonNull })
		switch {
		case strings.HasPrefix(f.Name, "__") || required || strings.HasSuffix(below.Name, "Connection"):
		case below.Kind != ast.Object:
			b.WriteString(" " + f.Name)
		case depth > 1:
			b.WriteString(" " + f.Name + selection(schema, below, depth-1))
		}
	}
	return b.String() + "}"
}

// singles asks for every row of Nusantara by its id, in the name of Tetangga:
// the answer is that to an id which nobody has.
func singles(t *testing.T, s *harness.Server) {
	s.GraphQL(t, s.HeaderOf("andini"), `mutation{createHoliday(input:{name:"Natal",date:"2026-12-25"}){id}}`, nil, new(any))
	s.GraphQL(t, s.HeaderOf("andini"), `mutation{createReportSchedule(input:{kind:task,every:week}){id}}`, nil, new(any))
	harness.SaveRows(t, s, "budi@demo.test")
	schema := server.Schema()
	for _, f := range schema.Query.Fields {
		if len(f.Arguments) != 1 || f.Arguments[0].Name != "id" || f.Type.Elem != nil {
			continue
		}
		ids := ids(t, s, f.Type.Name(), "andini")
		if f.Name == "importJob" { // which no list has
			ids = []string{importJob(t, s)}
		}
		if len(ids) == 0 {
			t.Errorf("no ids of %s", f.Name)
		}
		read := func(who, id string) string {
			_, body := s.Send(t, "POST", "/graphql", apitest.Query("query($id:ID!){one:"+f.Name+"(id:$id){id}}", map[string]any{"id": id}),
				map[string]string{"Authorization": s.HeaderOf(who)["Authorization"], "X-Req-Id": "same", "X-Language": "en"})
			return string(body)
		}
		nobodys := read("daeng", "1999999")
		if !strings.Contains(nobodys, `"code":"NOT_FOUND"`) {
			t.Errorf("%s of nobody's id: %s", f.Name, nobodys)
		}
		for _, id := range ids[:min(len(ids), 5)] {
			if got := read("daeng", id); got != nobodys {
				t.Errorf("%s(id: %s) of another company: %s, of nobody: %s", f.Name, id, got, nobodys)
			}
			if got := read("andini", id); !strings.Contains(got, `{"data":{"one":{"id":"`+id+`"}}}`) {
				t.Errorf("%s(id: %s) of the own company: %s", f.Name, id, got)
			}
		}
	}
}

// importJob makes an import of Nusantara that has ended, and returns its id.
func importJob(t *testing.T, s *harness.Server) string {
	t.Helper()
	andini := s.Store.Ent.User.Query().Where(user.EmailKey("admin@demo.test")).OnlyX(viewer.System(t.Context()))
	id := 0
	err := tx.With(viewer.System(t.Context()), s.Store.Ent, func(db *ent.Client) error {
		row, err := db.UserImport.Create().SetCompanyID(andini.CompanyID).SetCreatedBy(andini.ID).SetDryRun(true).SetPartial(false).SetInvite(false).
			SetPeople(1).SetOutcome(userimport.OutcomeDone).SetCreatedAt(s.Clock.Now()).SetExpiresAt(s.Clock.Now().Add(time.Hour)).Save(viewer.System(t.Context()))
		if err == nil {
			id = row.ID
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strconv.Itoa(id)
}

// ids returns those of the rows of a type that somebody sees.
func ids(t *testing.T, s *harness.Server, typ, who string) (ids []string) {
	t.Helper()
	schema := server.Schema()
	for _, f := range schema.Query.Fields {
		if f.Type.Name() != typ+"Connection" {
			continue
		}
		var data map[string]struct {
			Edges []struct{ Node struct{ ID string } }
		}
		s.GraphQL(t, s.HeaderOf(who), "{"+f.Name+"{edges{node{id}}}}", nil, &data)
		for _, e := range data[f.Name].Edges {
			ids = append(ids, e.Node.ID)
		}
	}
	return ids
}

// panicking breaks the server, which is not used any more.
func panicking(t *testing.T, s *harness.Server) {
	s.Services.Auth.Passwords = nil
	_, body := s.Send(t, "POST", "/user/login", `{"username":"budi@demo.test","password":"x"}`, map[string]string{
		"X-Device-Token": s.Vars["budi.device"], "X-Req-Id": "broken", "X-Language": "en"})
	want := strings.Replace(harness.ProblemText("INTERNAL", "Internal error", "500", "Something went wrong on our side.", "[]", "{}"), "<any>", "broken", 1)
	if string(body) != want {
		t.Errorf("got  %s\nwant %s", body, want)
	}
	if log := s.Log.Lines(); !strings.Contains(log, "requestId=broken") || !strings.Contains(log, "panic") {
		t.Error("the log does not tell of the panic")
	}
	var problem errs.Problem
	_, body = s.Send(t, "POST", "/graphql", `{"query":"mutation{login(input:{username:\"a@b.c\",password:\"x\"}){verified}}"}`, map[string]string{"X-Device-Token": s.Vars["budi.device"]})
	if err := json.Unmarshal(body, &struct {
		Errors []struct{ Extensions *errs.Problem }
	}{[]struct{ Extensions *errs.Problem }{{&problem}}}); err != nil || problem.Code != "INTERNAL" {
		t.Errorf("GraphQL: %s, %v", body, err)
	}
}
