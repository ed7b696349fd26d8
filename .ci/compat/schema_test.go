package compat

import (
	"strings"
	"testing"
)

const small = `
directive @access(public: Boolean, self: Boolean) on FIELD_DEFINITION
directive @required on INPUT_FIELD_DEFINITION
type Query { users(first: Int = 10, search: String, ids: [ID!], kind: Kind!): [User!]! @access(self: true) }
interface Node { id: ID! }
type User implements Node { id: ID!, name: String!, mail: String, roles: [String!] }
type Team { id: ID! }
union Found = User | Team
enum Kind { A B }
input UserInput { name: String!, mail: String, roles: [String!], age: Int = 1 }
`

func TestSchemaBreaks(t *testing.T) {
	for _, tt := range []struct{ name, from, to, want string }{
		{"a type is gone", "type Team { id: ID! }\nunion Found = User | Team", "union Found = User", "Found: has no Team any more\nTeam: is gone"},
		{"a type of a union is gone", "= User | Team", "= User", "Found: has no Team any more"},
		{"a kind is another", "union Found = User | Team", "type Found { id: ID! }", "Found: was UNION, is OBJECT"},
		{"an interface is gone", "type User implements Node", "type User", "User: is no Node any more"},
		{"a field is gone", "mail: String, roles: [String!] }\ntype Team", "roles: [String!] }\ntype Team", "User.mail: is gone"},
		{"an argument is gone", "search: String, ", "", "Query.users(search:): is gone"},
		{"a value is gone", "A B", "A", "Kind.B: is gone"},
		{"a value is new", "A B", "A B C", ""},
		{"a field of an input is gone", "name: String!, mail: String, roles: [String!], age", "name: String!, roles: [String!], age", "UserInput.mail: is gone"},
		{"a field is another type", "id: ID!, name: String!", "id: ID!, name: Int!", "User.name: was String!, is Int!"},
		{"a field may be null", "id: ID!, name: String!", "id: ID!, name: String", "User.name: was String!, is String"},
		{"an item may be null", "[User!]!", "[User]!", "Query.users: was [User!]!, is [User]!"},
		{"a field is a list", "id: ID!, name: String!", "id: ID!, name: [String!]!", "User.name: was String!, is [String!]!"},
		{"a field is never null", "mail: String, roles: [String!] }\ntype Team", "mail: String!, roles: [String!]! }\ntype Team", ""},
		{"an argument is another type", "first: Int = 10", "first: Float = 10", "Query.users(first:): was Int, is Float"},
		{"an argument takes no null", "search: String", "search: String!", "Query.users(search:): was String, is String!"},
		{"an item takes no null", "ids: [ID!]", "ids: [ID]", ""},
		{"an argument takes null", "kind: Kind!", "kind: Kind", ""},
		{"another default", "first: Int = 10", "first: Int = 20", "Query.users(first:): had the default 10, has 20"},
		{"no default", "age: Int = 1", "age: Int", "UserInput.age: had the default 1, has none"},
		{"a required argument", "search: String", "search: String, team: ID!", "Query.users(team:): is new and required"},
		{"a new argument", "search: String", "search: String, team: ID, most: Int! = 3", ""},
		{"a required field of an input", "age: Int", "team: ID!, age: Int", "UserInput.team: is new and required"},
		{"one that the resolver requires", "age: Int", "team: ID @required, age: Int", "UserInput.team: is new and required"},
		{"a field that the resolver requires", "name: String!, mail: String, roles: [String!], age", "name: String!, mail: String @required, roles: [String!], age", "UserInput.mail: is required"},
		{"a new field of an input", "age: Int", "team: ID, age: Int", ""},
		{"a new field", "type Team {", "type Team { name: String", ""},
		{"a new type", "enum Kind", "type Site { id: ID! }\nenum Kind", ""},
		{"others may call it", "@access(self: true)", "@access(public: true)", "Query.users: was @access(self: true), is @access(public: true)"},
		{"a deprecation", "mail: String", `mail: String @deprecated(reason: "Use roles.")`, ""},
		{"other words", "type Team", "\"People.\"\ntype Team", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if !strings.Contains(small, tt.from) {
				t.Fatalf("the schema has no %q", tt.from)
			}
			found, err := SchemaBreaks([]byte(small), []byte(strings.Replace(small, tt.from, tt.to, 1)))
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(found, "\n"); got != tt.want {
				t.Errorf("found %q, want %q", got, tt.want)
			}
		})
	}
}
