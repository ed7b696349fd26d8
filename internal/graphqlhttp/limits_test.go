package graphqlhttp

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"

	"workforce/internal/operation"
)

// bosses is a query n fields deep, of a user and bosses above them.
func bosses(n int) string { return "{user" + userFields(n-1) + "}" }

// userFields is a selection set of a user, n fields deep.
func userFields(n int) string {
	return strings.Repeat("{boss", n-1) + "{name}" + strings.Repeat("}", n-1)
}

func TestLimits(t *testing.T) {
	tests := []struct {
		name, text, variables string
		limit                 string // "" when it is within all
	}{
		{name: "tokens at the limit", text: "{hello" + strings.Repeat("#\n", 997) + "}"},
		{name: "tokens over", text: "{hello" + strings.Repeat("#\n", 998) + "}", limit: "tokens"},
		{name: "nesting at the limit", text: "{find(id:1,where:" + strings.Repeat("{not:", 37) + `{name:"a"}` + strings.Repeat("}", 37) + ")}"},
		{name: "nesting over", text: "{find(id:1,where:" + strings.Repeat("{not:", 38) + `{name:"a"}` + strings.Repeat("}", 38) + ")}", limit: "nesting"},
		{name: "brackets side by side do not nest", text: "{" + numbered(30, "a%d:user{name} ") + "}"},
		{name: "brackets in a text do not nest", text: `{find(id:1,where:{name:"` + strings.Repeat("{", 100) + `"})}`},

		{name: "depth at the limit", text: bosses(15)},
		{name: "depth over", text: bosses(16), limit: "depth"},
		{name: "depth through fragments", text: "{...A} fragment A on Query{user{...B}} fragment B on User" + userFields(14)},
		{name: "depth through fragments over", text: "{...A} fragment A on Query{user{boss{...B}}} fragment B on User" + userFields(14), limit: "depth"},
		{name: "inline fragments add no depth", text: "{...{...{user" + userFields(14) + "}}}"},

		{name: "root fields at the limit", text: "{" + numbered(30, "a%d:hello ") + "}"},
		{name: "root fields over", text: "{" + numbered(31, "a%d:hello ") + "}", limit: "rootFields"},
		{name: "root fields in a fragment", text: "{hello ...A} fragment A on Query{" + numbered(30, "a%d:hello ") + "}", limit: "rootFields"},
		{name: "root fields of a fragment spread twice", text: "{...A ...A} fragment A on Query{" + numbered(16, "a%d:hello ") + "}", limit: "rootFields"},
		{name: "skipped fields count", text: "{" + numbered(31, "a%d:hello@skip(if:true) ") + "}", limit: "rootFields"},
		{name: "introspection counts", text: "{" + numbered(31, `a%d:__type(name:"A"){name} `) + "}", limit: "rootFields"},

		{name: "fields at the limit", text: "{user{" + strings.Repeat("name ", 499) + "}}"},
		{name: "fields over", text: "{user{" + strings.Repeat("name ", 500) + "}}", limit: "fields"},

		{name: "cost at the limit", text: "{users(first:9999){edges{node{name}} totalCount pageInfo{hasNextPage}}}"},
		{name: "cost over", text: "{users(first:10000){edges{node{name}}}}", limit: "cost"},
		{name: "cost of last", text: "{users(last:10000){edges{node{name}}}}", limit: "cost"},
		{name: "cost of a plain list", text: "{employees(limit:20000){id}}"},
		{name: "cost of a plain list over", text: "{employees(limit:20001){id}}", limit: "cost"},
		{name: "the larger of two lengths counts", text: "{users(first:1,last:20000){nodes{id}}}", limit: "cost"},
		{name: "lengths multiply", text: "{users(first:100){nodes{reports(first:98){nodes{id}} designations{id}}}}"},
		{name: "lengths multiply over", text: "{users(first:100){nodes{reports(first:198){nodes{id}} designations{id}}}}", limit: "cost"},
		{name: "no length is 50", text: "{users{nodes{reports(first:397){nodes{id}}}}}"},
		{name: "no length is 50, over", text: "{users{nodes{reports(first:398){nodes{id}}}}}", limit: "cost"},
		{name: "null is no length", text: "{users(first:null){nodes{reports(first:399){nodes{id}}}}}", limit: "cost"},
		{name: "three levels without lengths", text: "{users{nodes{reports{nodes{reports{nodes{id}}}}}}}", limit: "cost"},
		{name: "the schema's default length", text: "{employees{reports(first:998){nodes{id}}}}"},
		{name: "the schema's default length, over", text: "{employees{reports(first:999){nodes{id}}}}", limit: "cost"},
		{name: "a length in a variable", text: "query($n:Int){users(first:$n){nodes{id}}}", variables: `{"n":19999}`},
		{name: "a length in a variable, over", text: "query($n:Int){users(first:$n){nodes{id}}}", variables: `{"n":20000}`, limit: "cost"},
		{name: "a length as text", text: "query($n:Int){users(first:$n){nodes{id}}}", variables: `{"n":"20000"}`, limit: "cost"},
		{name: "a variable's default", text: "query($n:Int=20000){users(first:$n){nodes{id}}}", limit: "cost"},
		{name: "a variable left out", text: "query($n:Int){users(first:$n){nodes{reports(first:399){nodes{id}}}}}", limit: "cost"},
		{name: "a variable of null", text: "query($n:Int){users(first:$n){nodes{reports(first:399){nodes{id}}}}}", variables: `{"n":null}`, limit: "cost"},
		{name: "a length below zero costs nothing", text: "{users(first:-5){nodes{reports(first:100000){nodes{id}}}}}"},
		{name: "none asked for", text: "{users(first:0){nodes{reports(first:100000){nodes{id}}}}}"},
		{name: "the product does not overflow", text: "{users(first:2147483647){nodes{reports(first:2147483647){nodes{reports(first:2147483647){nodes{reports(first:2147483647){nodes{id}}}}}}}}}", limit: "cost"},
		{name: "cost through a fragment spread in two connections", text: "{a:users(first:1){...C} b:users(first:19995){...C}} fragment C on UserConnection{nodes{id}}"},
		{name: "cost through a fragment spread in two connections, over", text: "{a:users(first:1){...C} b:users(first:20000){...C}} fragment C on UserConnection{nodes{id}}", limit: "cost"},
		{name: "a list of the query without a length", text: "{everybody{id} more:everybody{id}}"},
		{name: "a list of the query without a length, over", text: "{everybody{id} more:everybody{id} user{id}}", limit: "cost"},
		{name: "a page without a length", text: "{pages{nodes{id}}}"},
		{name: "a page without a length, over", text: "{pages{nodes{boss{id}}}}", limit: "cost"},
		{name: "a page's length", text: "{pages(limit:1000){nodes{boss{id} designations{id}}}}"},
		{name: "a list inside an object is 10", text: "{users(first:1000){nodes{designations{id} boss{id designations{id}}}}}", limit: "cost"},
		{name: "a list inside an object is 10, below", text: "{users(first:832){nodes{designations{id} boss{id designations{id}}} totalCount}}"},
		{name: "lists in lists", text: "{user{designations{holders{designations{holders{id}}}}}}"},
		{name: "lists in lists, over", text: "{user{designations{holders{designations{holders{boss{id}}}}}}}", limit: "cost"},
		{name: "scalars cost nothing", text: "{users(first:820){nodes{" + strings.Repeat("name ", 300) + "}}}"},
		{name: "an answer that is too large", text: "{users(first:830){nodes{" + strings.Repeat("name ", 300) + "}}}", limit: "answer"},
		{name: "an answer that is too large for its names", text: "{users(first:4100){nodes{" + strings.Repeat("a", 4100) + ":name}}}", limit: "answer"},
		{name: "a list of names", text: "{everybody{" + strings.Repeat("name ", 30) + "}}", limit: "answer"},

		{name: "a list of few", text: "{" + numbered(30, "a%d:few{boss{id} name} ") + "}"},
		{name: "a list of few, over", text: "{" + numbered(30, "a%d:few{boss{boss{boss{boss{boss{boss{id}}}}}}} ") + "}", limit: "cost"},
		{name: "its own default length", text: "{sheet{nodes{boss{designations{id}}}}}"},
		{name: "people times days", text: `{sheet(from:"2026-01-01",to:"2026-12-31",limit:109){nodes{id}}}`},
		{name: "people times days, over", text: `{sheet(from:"2026-01-01",to:"2026-12-31",limit:110){nodes{id}}}`, limit: "cost"},
		{name: "people times days of two fields", text: `{a:sheet(from:"2026-01-01",to:"2026-06-30",limit:110){nodes{id}} b:sheet(from:"2026-01-01",to:"2026-06-30",limit:110){nodes{id}}}`},
		{name: "of three", text: `{` + numbered(3, `a%d:sheet(from:"2026-01-01",to:"2026-06-30",limit:110){nodes{id}} `) + `}`, limit: "cost"},
		{name: "people in variables", text: "query($f:String,$t:String,$n:Int){sheet(from:$f,to:$t,limit:$n){nodes{id}}}", variables: `{"f":"2026-01-01T00:00:00+07:00","t":"2026-12-31T24:00:00Z","n":110}`, limit: "cost"},
		{name: "the objects count where they are more", text: `{sheet(limit:1000){nodes{designations{id} boss{id}}}}`},
		{name: "the objects count where they are more, over", text: `{sheet(limit:1700){nodes{designations{id} boss{id}}}}`, limit: "cost"},
		{name: "a week", text: "{sheet(limit:5714){totalCount:__typename}}"},
		{name: "a week, over", text: "{sheet(limit:5715){totalCount:__typename}}", limit: "cost"},
		{name: "without its start, the week of its end", text: `{sheet(to:"2026-12-31",limit:5714){__typename}}`},
		{name: "without its end, to now", text: `{sheet(from:"1999-01-01",limit:110){__typename}}`, limit: "cost"},
		{name: "without its end, from now on", text: `{sheet(from:"2999-01-01",limit:19998){__typename}}`},
		{name: "an end before the start", text: `{sheet(from:"2026-12-31",to:"2026-01-01",limit:19998){__typename}}`},
		{name: "longer than any field allows", text: `{sheet(from:"0001-01-01",to:"9999-12-31",limit:109){__typename}}`},
		{name: "no dates", text: `{sheet(from:"é",to:"x",limit:5714){__typename}}`},
		{name: "a list for each day of a week", text: `{plan(limit:2222){people{shifts{id} leaves{id}}}}`},
		{name: "a list for each day of a week, over",
			text: `{plan(limit:2223){people{shifts{id} leaves{id}}}}`, limit: "cost"},
		{name: "a list for each day of weeks", text: `{plan(weeks:4,limit:689){people{shifts{id}}}}`},
		{name: "a list for each day of weeks, over", text: `{plan(weeks:4,limit:690){people{shifts{id}}}}`, limit: "cost"},
		{name: "a list for each day in a fragment of two periods",
			text: `{plan(limit:10){people{...A}} b:plan(weeks:4,limit:690){people{...A}}}
			fragment A on Planned{shifts{id}}`, limit: "cost"},
		{name: "people that an input names",
			text: `mutation{assign(input:{userIds:` + times(900, "1") + `}){shifts{id} leaves{id boss{boss{id}}}}}`},
		{name: "items that an input names", text: "mutation($i:Many!){assign(input:$i){shifts{id} leaves{id boss{id}}}}",
			variables: `{"i":{"items":` + times(4900, "1") + `}}`},
		{name: "what is written for two lists of people",
			text:      "mutation($i:Many!){" + numbered(2, "a%d:assign(input:$i){id} ") + "}",
			variables: `{"i":{"userIds":` + times(1000, "1") + `}}`},
		{name: "what is written for three", text: "mutation($i:Many!){" + numbered(3, "a%d:assign(input:$i){id} ") + "}",
			variables: `{"i":{"userIds":` + times(100, "1") + `}}`, limit: "cost"},
		{name: "what is written for many, of a few people",
			text:      "mutation($i:Many!){" + numbered(20, "a%d:assign(input:$i){id} ") + "}",
			variables: `{"i":{"userIds":` + times(10, "1") + `}}`},
		{name: "an input that names nobody", text: `mutation{assign(input:{}){shifts{id}}}`},
		{name: "an input that names nobody, over", text: `mutation{assign(input:{}){shifts{id} leaves{id}}}`, limit: "cost"},
		{name: "people that are named", text: `{sheet(userIds:[1,2],from:"2026-01-01",to:"2026-12-31",limit:1000){nodes{id}}}`},
		{name: "a page of people that are named", text: `{sheet(userIds:` + times(200, "1") + `,from:"2026-01-01",to:"2026-12-31",limit:100){nodes{id}}}`},
		{name: "a person", text: `{` + numbered(30, `a%d:sheet(userId:1,from:"2026-01-01",to:"2026-12-31"){__typename} `) + `}`},
		{name: "a person of null is everybody", text: `{sheet(userId:null,from:"2026-01-01",to:"2026-12-31",limit:110){__typename}}`, limit: "cost"},
		{name: "a list by people", text: `{late(userIds:[` + strings.TrimSuffix(strings.Repeat("1,", 109), ",") + `],from:"2026-01-01",to:"2026-12-31"){boss{boss{id}}}}`},
		{name: "a list by people, over", text: `{late(userIds:[` + strings.TrimSuffix(strings.Repeat("1,", 110), ",") + `],from:"2026-01-01",to:"2026-12-31"){id}}`, limit: "cost"},
		{name: "everybody's sums", text: `{sums(from:"2026-01-01",to:"2026-12-31"){groups{id}}}`},
		{name: "everybody's sums, twice", text: `{a:sums(from:"2026-01-01",to:"2026-12-31"){seconds} b:sums(from:"2026-01-01",to:"2026-12-31"){seconds}}`, limit: "cost"},
		{name: "some people's sums", text: `{` + numbered(30, `a%d:sums(userIds:[1,2],from:"2026-01-01",to:"2026-12-31"){seconds} `) + `}`},
		{name: "the sums of many", text: `{sums(userIds:` + times(109, "1") + `,from:"2026-01-01",to:"2026-12-31"){seconds}}`},
		{name: "the sums of many, over", text: `{sums(userIds:` + times(110, "1") + `,from:"2026-01-01",to:"2026-12-31"){seconds}}`, limit: "cost"},
		{name: "at least", text: "{" + numbered(3, "a%d:team(limit:1){nodes{id}} ") + " user{id}}"},
		{name: "at least, over", text: "{" + numbered(4, "a%d:team(limit:1){nodes{id}} ") + " user{id}}", limit: "cost"},

		{name: "at least, but for a person", text: "{" + numbered(15, "a%d:team(userId:1,limit:1){nodes{id}} b%[1]d:team(userIds:[1,2],limit:1){nodes{id}} ") + "}"},
		{name: "days of one person whatever the limit", text: `{way(from:"2026-01-01",to:"2026-07-19",limit:10000){__typename}}`},
		{name: "days of one person whatever the limit, over", text: `{way(from:"2026-01-01",to:"2026-07-20",limit:1){__typename}}`, limit: "cost"},

		{name: "conditions at the limit", text: filtered, variables: `{"w":{"ids":[1,2,3],"and":` + times(199, `{"name":"a"}`) + "}}"},
		{name: "conditions over", text: filtered, variables: `{"w":{"ids":[1,2,3],"and":` + times(200, `{"name":"a"}`) + "}}", limit: "conditions"},
		{name: "conditions of all filters", text: "query($w:Where){a:find(id:1,where:$w) b:find(id:1,where:{not:$w})}", variables: `{"w":{"and":` + times(101, `{"name":"a"}`) + "}}", limit: "conditions"},
		{name: "conditions of a fragment spread twice", text: "query($w:Where){user{...A ...A}} fragment A on User{found(where:$w)}", variables: `{"w":{"and":` + times(101, `{"name":"a"}`) + "}}", limit: "conditions"},
		{name: "edges at the limit", text: "{find(id:1,where:" + strings.Repeat("{hasBossWith:[", 5) + "{hasBoss:false}" + strings.Repeat("]}", 5) + ")}"},
		{name: "edges over", text: "{find(id:1,where:" + strings.Repeat("{hasBossWith:[", 6) + "{hasBoss:false}" + strings.Repeat("]}", 6) + ")}", limit: "edges"},
		{name: "cost of edges", text: filtered, variables: `{"w":{"or":` + times(200, `{"hasBoss":true}`) + "}}"},
		{name: "cost of edges beside an object", text: strings.Replace(filtered, "{", "{user{id} ", 1), variables: `{"w":{"or":` + times(200, `{"hasBoss":true}`) + "}}", limit: "cost"},
		{name: "cost of conditions in a list", text: `{users(first:952){nodes{found(where:{name:"a",not:{ids:1}})}}}`},
		{name: "cost of conditions in a list, over", text: `{users(first:953){nodes{found(where:{name:"a",not:{ids:1}})}}}`, limit: "cost"},
		{name: "cost of passwords", text: "mutation($p:String,$i:Change!){" + numbered(8, `a%d:change(input:{password:"x",name:$p})`) + ` b:change(input:{old:"x",password:$p}) c:change(input:$i)}`, variables: `{"p":"y","i":{"password":null,"name":"z"}}`},
		{name: "cost of passwords, over", text: "mutation($p:String,$i:Change!){" + numbered(8, `a%d:change(input:{password:"x",name:$p})`) + ` b:change(input:{old:"x",password:$p}) c:change(input:$i)}`, variables: `{"p":"y","i":{"password":"z"}}`, limit: "cost"},
		{name: "a mutation", text: "mutation{" + numbered(31, `a%d:rename(input:{name:"x"}) `) + "}", limit: "rootFields"},
	}
	srv := newServer(yes)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.variables == "" {
				tt.variables = "null"
			}
			got := post(t, srv, strings.TrimSuffix(quoted(tt.text), "}")+`,"variables":`+tt.variables+"}")
			limit := ""
			if len(got.body.Errors) > 0 {
				limit = fmt.Sprint(got.body.Errors[0].Extensions.Meta["limit"])
			}
			if limit != tt.limit || tt.limit != "" && got.code() != "BAD_REQUEST" {
				t.Fatalf("limit %q, want %q: %.300s", limit, tt.limit, got.text)
			}
			if limit == "" {
				return
			}
			e := got.body.Errors[0]
			figures := fmt.Sprintf("the limit of %.0f for %s (", e.Extensions.Meta["max"], limit)
			if had := fmt.Sprintf(" %.0f. ", e.Extensions.Meta["got"]); !strings.Contains(e.Message, figures) || !strings.Contains(e.Message, had) {
				t.Errorf("%q does not say %q and %q", e.Message, figures, had)
			}
		})
	}
}

const filtered = "query($w:Where){find(id:1,where:$w)}"

// times is a JSON list of n values.
func times(n int, value string) string {
	return "[" + value + strings.Repeat(","+value, n-1) + "]"
}

// TestFilters refuses what entgql would leave out of a filter, or fail for.
func TestFilters(t *testing.T) {
	long := strings.Repeat("é", MaxText)
	tests := []struct{ where, want string }{
		{`{name:"` + long + `"}`, ""},
		{`{name:null,ids:[1]}`, ""},
		{`{or:{name:"a"},hasBossWith:{hasBoss:false}}`, ""},
		{`{nameIsNil:true}`, ""},
		{`{}`, "where This is required."},
		{`{name:null}`, "where This is required."},
		{`{not:{}}`, "where.not This is required."},
		{`{name:"a",not:{and:[{not:{}},{name:"a"}]}}`, "where.not.and[0].not This is required."},
		{`{and:[]}`, "where.and This is required."},
		{`{or:[{name:"a"},{}]}`, "where.or[1] This is required."},
		{`{or:[{}]}`, "where.or[0] This is required."},
		{`{hasBossWith:[]}`, "where.hasBossWith This is required."},
		{`{hasBossWith:[{}],not:{}}`, "where.hasBossWith[0] This is required.; where.not This is required."},
		{`{ids:[]}`, "where.ids This is required."},
		{`{nameIsNil:false}`, "where.nameIsNil This must be one of true."},
		{`{name:"` + long + `é"}`, "where.name This may have at most 1000 characters."},
		{`{nameIn:["a","` + long + `é"]}`, "where.nameIn[1] This may have at most 1000 characters."},
	}
	srv := newServer(nil)
	for _, tt := range tests {
		inVariable := `{"query":"query($w:Where){find(id:1,where:$w)}","variables":{"w":` + quoteKeys.ReplaceAllString(tt.where, `$1"$2":`) + "}}"
		inMember := `{"query":"query($n:Where){find(id:1,where:{not:$n})}","variables":{"n":` + quoteKeys.ReplaceAllString(tt.where, `$1"$2":`) + "}}"
		for body, want := range map[string]string{
			quoted("{find(id:1,where:" + tt.where + ")}"): tt.want,
			inVariable: tt.want,
			inMember:   strings.ReplaceAll(tt.want, "where", "where.not"),
		} {
			got := post(t, srv, body)
			var faults []string
			for _, e := range got.body.Errors {
				for _, f := range e.Extensions.Errors {
					faults = append(faults, f.Field+" "+f.Detail)
				}
			}
			if list := strings.Join(faults, "; "); list != want || (want != "") != (got.code() == "VALIDATION_FAILED") {
				t.Errorf("%.200s: %s, want %s: %.300s", body, list, want, got.text)
			}
		}
	}
}

var quoteKeys = regexp.MustCompile(`([{,])(\w+):`)

// trusting is a transport whose documents are the server's own.
type trusting struct{ *API }

func (trusting) Supports(*http.Request) bool { return true }

func (t trusting) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	p, _ := readBody(w, r)
	doc, err := parser.ParseQuery(&ast.Source{Input: p.query})
	if err != nil || len(validator.ValidateWithRules(parsed, doc, nil)) > 0 {
		panic("bad document")
	}
	prepared := operation.New(doc, doc.Operations[0])
	prepared.Trusted = true
	x := exchange{t.API, w, r, exec, mediaJSON}
	x.respond(r.Context(), prepared.Run(r.Context(), exec, &graphql.RawParams{Query: p.query}))
}

func TestTrustedDocumentsAreExempt(t *testing.T) {
	api := newAPI(nil)
	srv, ours := serverOf(nil, api), handler.New(testExec{parsed})
	ours.AddTransport(trusting{api})
	api.Install(ours, nil)
	for name, text := range map[string]string{
		"depth":       bosses(40),
		"root fields": "{" + numbered(31, "a%d:hello ") + "}",
		"fields":      "{user{" + strings.Repeat("name ", 600) + "}}",
		"cost":        "{users(first:100000){nodes{id}}}",
	} {
		if got := query(t, srv, text); got.code() != "BAD_REQUEST" {
			t.Errorf("%s: a client's is answered %.200s", name, got.text)
		}
		if got := query(t, ours, text); got.code() != "" {
			t.Errorf("%s: the server's own is answered %.200s", name, got.text)
		}
		if got := query(t, srv, text); got.code() != "BAD_REQUEST" {
			t.Errorf("%s: once kept, a client's is answered %.200s", name, got.text)
		}
	}
}

func TestIntrospection(t *testing.T) {
	asked := 0
	only := func(answer bool) func(context.Context) bool {
		return func(context.Context) bool { asked++; return answer }
	}
	for _, text := range []string{
		"{__schema{types{name}}}", `{__type(name:"User"){name}}`, "{a:__schema{types{name}}}",
		"{...A} fragment A on Query{...{__schema{types{name}}}}",
	} {
		for name, srv := range map[string]http.Handler{"never": newServer(nil), "not for this one": newServer(only(false))} {
			if got := query(t, srv, text); got.code() != "FORBIDDEN" || got.status != 200 || len(got.body.Data) > 0 {
				t.Errorf("%s: %s: %d %s", name, text, got.status, got.text)
			}
			if got := query(t, srv, text, asGraphQL); got.status != 403 {
				t.Errorf("%s: %s: status %d, want 403", name, text, got.status)
			}
		}
		if got := query(t, newServer(only(true)), text); got.code() != "" {
			t.Errorf("allowed: %s: %s", text, got.text)
		}
	}
	asked = 0
	if got := query(t, newServer(only(false)), "{__typename user{__typename}}"); got.code() != "" || asked != 0 {
		t.Errorf("__typename: %s, asked %d times", got.text, asked)
	}
}

func TestDeferIsRefused(t *testing.T) {
	for _, text := range []string{
		"{user{...@defer{name}}}", "{user{...A@defer}} fragment A on User{name}",
	} {
		if got := query(t, newServer(nil), text); got.code() != "BAD_REQUEST" {
			t.Errorf("%s: %s", text, got.text)
		}
	}
}

func TestNoSuggestions(t *testing.T) {
	srv := newServer(yes)
	for _, text := range []string{
		"{hell}", "{user{nam}}", "{users{node{id}}}", "{user}", "{hello{a}}", // fields, leaves
		"{find(i:1)}", "{users(firs:1){totalCount}}", "{hello @skip(iff:true)}", // arguments
		"{user{...A}} fragment A on Usr{name}", "{user{...on Usr{name}}}", "query($w:Wher){find(id:1,where:$w)}", // types
		"{find(id:1,gender:mal)}", `{find(id:1,gender:"male")}`, "{find(id:mal)}", // enum values
		"{find(id:1,where:{nam:1})}", "{find(id:1,where:{and:[{nott:{}}]})}", "mutation{rename(input:{nme:1,name:\"a\"})}", // input fields
		"{hello @skipp(if:true)}", "{...Nosuch}",
	} {
		got := query(t, srv, text)
		if got.code() != "BAD_REQUEST" {
			t.Errorf("%s: %s", text, got.text)
		}
		if strings.Contains(got.text, "Did you mean") || strings.Contains(got.text, "inline fragment on") {
			t.Errorf("%s suggests: %s", text, got.text)
		}
	}
}

// TestInvalidDocumentsTellNothing guesses at the schema: without the permission to
// see it, all answers are the same but for the place.
func TestInvalidDocumentsTellNothing(t *testing.T) {
	place := regexp.MustCompile(`"locations":\[[^]]*\]`)
	told := map[string]bool{}
	for _, text := range []string{
		"{nosuch}", "{find}", "{user}", "{user{nosuch}}", "{hello{id}}", "{find(id:mal)}", "{find(id:1,gender:x)}", "{find(id:1,where:{nosuch:1})}",
		"{users(nosuch:1){totalCount}}", "query($w:Where){hello}", "query($i:Int){find(id:$i)}", "{...on User{id}}", "mutation{rename(input:{})}", "{hello @nosuch}",
	} {
		told[place.ReplaceAllString(query(t, newServer(nil), text).text, "")] = true
		if got := query(t, newServer(yes), text); got.code() != "BAD_REQUEST" || strings.Contains(got.text, "does not fit") {
			t.Errorf("%s: with the permission: %s", text, got.text)
		}
	}
	if len(told) != 1 {
		t.Errorf("answers differ: %v", told)
	}
}

func TestDocumentsKeepsShortOnes(t *testing.T) {
	srv := newServer(nil)
	for name, text := range map[string]string{"short": "{hello}", "long": "{hello" + strings.Repeat(" ", maxDocument) + "}"} {
		for range 2 {
			if got := query(t, srv, text); got.text != `{"data":{"hello":"x"}}` {
				t.Errorf("%s: %s", name, got.text)
			}
		}
	}
	d := newDocuments(parsed)
	for _, size := range []int{maxDocument, maxDocument + 1} {
		key := strings.Repeat("a", size)
		d.Add(t.Context(), key, &ast.QueryDocument{})
		if _, kept := d.Get(t.Context(), key); kept != (size <= maxDocument) {
			t.Errorf("%d bytes: kept is %v", size, kept)
		}
	}
}
