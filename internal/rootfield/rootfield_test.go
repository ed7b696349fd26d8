package rootfield

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/token"
	"workforce/internal/viewer"
)

const directives = `
directive @token(kinds: [TokenKind!]!, all: Boolean = false, optional: Boolean = false, expired: Boolean = false, also: [TokenKind!] = [], fresh: Boolean = false) on FIELD_DEFINITION
directive @access(public: Boolean = false, self: Boolean = false, resource: String, action: String,
	scope: String = "own",
	row: String, id: String = "id", people: Boolean) on FIELD_DEFINITION
directive @transaction(none: Boolean!) on FIELD_DEFINITION
directive @remember(never: Boolean!) on FIELD_DEFINITION
directive @cached on FIELD_DEFINITION
directive @limit(event: String!, unless: TokenKind) on FIELD_DEFINITION
enum TokenKind { ACCESS REFRESH USER DEVICE }
`

func load(t *testing.T, types string) (*ast.Schema, Fields, error) {
	t.Helper()
	s := gqlparser.MustLoadSchema(&ast.Source{Input: directives + types})
	fields, err := Load(s)
	return s, fields, err
}

// TestDirectives reads every directive of a field.
func TestDirectives(t *testing.T) {
	access := Token{Kinds: []token.Kind{token.Access}}
	public := Access{Public: true, People: true, Scope: viewer.Own}
	tests := []struct {
		name, directives string
		want             Field
	}{
		{"an access token, where nothing is said", `@access(self: true)`,
			Field{Token: access, Access: Access{Self: true, People: true, Scope: viewer.Own}}},
		{"a permission", `@access(resource: "user", action: "read")`, Field{Token: access, Access: Access{Resource: "user", Action: "read", Scope: viewer.Own}}},
		{"its scope", `@access(resource: "user", action: "write", scope: "all")`,
			Field{Token: access, Access: Access{Resource: "user", Action: "write", Scope: viewer.All}}},
		{"a row", `@access(resource: "device", action: "write", row: "Device")`,
			Field{Token: access, Access: Access{Resource: "device", Action: "write", Scope: viewer.Own, Entity: "Device", Argument: "id"}}},
		{"a row by another argument", `@access(resource: "session", action: "write", row: "User", id: "userId")`,
			Field{Token: access, Access: Access{Resource: "session", Action: "write", Scope: viewer.Own, Entity: "User", Argument: "userId"}}},
		{"a permission and oneself", `@access(self: true, resource: "user", action: "read")`,
			Field{Token: access, Access: Access{Self: true, People: true, Resource: "user", Action: "read", Scope: viewer.Own}}},
		{"not of keys", `@access(resource: "user", action: "read", people: true)`,
			Field{Token: access, Access: Access{People: true, Resource: "user", Action: "read", Scope: viewer.Own}}},
		{"what is public of keys too", `@access(public: true, people: false)`,
			Field{Token: access, Access: Access{Public: true, Scope: viewer.Own}}},
		{"other tokens are looked up in the database", `@access(public: true) @token(kinds: [DEVICE, USER], all: true)`,
			Field{Access: public, Token: Token{Kinds: []token.Kind{token.Device, token.User}, All: true, Fresh: true}}},
		{"an access token from the cache", `@access(public: true) @token(kinds: [ACCESS], also: [DEVICE])`,
			Field{Access: public, Token: Token{Kinds: []token.Kind{token.Access}, Also: []token.Kind{token.Device}}}},
		{"or not", `@access(public: true) @token(kinds: [ACCESS], fresh: true)`,
			Field{Access: public, Token: Token{Kinds: []token.Kind{token.Access}, Fresh: true}}},
		{"optional and expired", `@access(public: true) @token(kinds: [ACCESS, REFRESH], optional: true, expired: true)`,
			Field{Access: public, Token: Token{Kinds: []token.Kind{token.Access, token.Refresh}, Optional: true, Expired: true, Fresh: true}}},
		{"the rest", `@access(public: true) @transaction(none: true) @remember(never: true) @cached @limit(event: "code", unless: DEVICE)`,
			Field{Access: public, Token: access, OwnTransactions: true, NeverRemembered: true, Cached: true, Limit: Limit{Event: "code", Unless: token.Device}}},
		{"the rest, denied", `@access(public: true) @transaction(none: false) @remember(never: false)`, Field{Access: public, Token: access}},
	}
	for _, tt := range tests {
		_, fields, err := load(t, `type Query { ok: Int @access(public: true) } type Mutation { f(id: ID, userId: ID): Int `+tt.directives+` }`)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		tt.want.Name, tt.want.Write = "f", true
		if diff := cmp.Diff(&tt.want, fields["f"]); diff != "" {
			t.Errorf("%s: want -, got +\n%s", tt.name, diff)
		}
		if fields["ok"].Write || fields["__schema"] != nil {
			t.Errorf("%s: %v, %v", tt.name, fields["ok"], fields["__schema"])
		}
	}
}

// TestRefusedSchemas names every field whose @access is missing or wrong.
func TestRefusedSchemas(t *testing.T) {
	tests := []struct{ name, types, want string }{
		{"missing", `type Query { f: Int }`, "Query.f: @access is missing"},
		{"empty", `type Query { f: Int @access }`, "Query.f: @access names no permission"},
		{"unknown resource", `type Query { f: Int @access(resource: "moon", action: "read") }`, "Query.f: @access names no permission: moon.read"},
		{"unknown action", `type Query { f: Int @access(resource: "user", action: "eat") }`, "Query.f: @access names no permission: user.eat"},
		{"no action", `type Query { f: Int @access(resource: "user") }`, "Query.f: @access names no permission: user."},
		{"public and self", `type Query { f: Int @access(public: true, self: true) }`, "Query.f: @access says public and something else"},
		{"public with a permission", `type Query { f: Int @access(public: true, resource: "user", action: "read") }`, "Query.f: @access says public and something else"},
		{"a row without an argument", `type Query { f: Int @access(resource: "user", action: "write", row: "User") }`, "Query.f: @access names no argument: id"},
		{"another argument", `type Query { f(id: ID): Int @access(resource: "user", action: "write", row: "User", id: "userId") }`,
			"Query.f: @access names no argument: userId"},
		{"several", `type Query { ok: Int @access(public: true) } type Mutation { f: Int } type Subscription { g: Int }`,
			"Mutation.f: @access is missing\nSubscription.g: @access is missing"},
	}
	for _, tt := range tests {
		_, _, err := load(t, tt.types)
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) || strings.Count(err.Error(), "\n") != strings.Count(tt.want, "\n") {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}

func TestOperations(t *testing.T) {
	s, fields, err := load(t, `type Query {
  a: Int @access(public: true) @token(kinds: [DEVICE], optional: true)
  b: Int @access(public: true) @token(kinds: [REFRESH], also: [DEVICE])
  c: Int @access(self: true)
}`)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, query, of, unconditional, kinds string }{
		{"one", `{a}`, "a", "a", "wfd"},
		{"several, each kind once", `{b a c}`, "b a c", "b a c", "wfa wfd wfr"},
		{"aliases", `{x: c y: c}`, "c c", "c c", "wfa"},
		{"fragments, each once", `{...f ...f ... on Query {a}} fragment f on Query {c ...g} fragment g on Query {b}`, "c b a", "c b a", "wfa wfd wfr"},
		{"conditional fields", `{a c @skip(if: true)}`, "a c", "a", "wfa wfd"},
		{"conditional fragments", `{a ... @include(if: true) {c} ...f @skip(if: false)} fragment f on Query {b}`, "a c b", "a", "wfa wfd wfr"},
		{"nothing of the schema's own", `{__typename}`, "", "__typename", ""},
	}
	for _, tt := range tests {
		op := gqlparser.MustLoadQueryWithRules(s, tt.query, nil).Operations[0]
		var of, unconditional, kinds []string
		for _, f := range fields.Of(op) {
			of = append(of, f.Name)
		}
		for _, f := range Unconditional(op.SelectionSet) {
			unconditional = append(unconditional, f.Name)
		}
		all := fields.Needs(op).Kinds
		for _, k := range all {
			kinds = append(kinds, string(k))
		}
		got := [3]string{strings.Join(of, " "), strings.Join(unconditional, " "), strings.Join(kinds, " ")}
		if want := [3]string{tt.of, tt.unconditional, tt.kinds}; got != want || all == nil {
			t.Errorf("%s: %q, want %q", tt.name, got, want)
		}
	}
}
