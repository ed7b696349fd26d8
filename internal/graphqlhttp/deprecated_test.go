package graphqlhttp

import "testing"

// TestDeprecated has answers and refusals say what the operation uses that will go, and nothing else.
func TestDeprecated(t *testing.T) {
	srv := newServer(nil)
	const until = "Mon, 01 Mar 2027 00:00:00 GMT"
	const rename = `mutation M($p:Phone){rename(input:{name:\"a\",phone:$p})}`
	for _, tt := range []struct{ name, body, since, until string }{
		{"nothing", `{"query":"{hello}"}`, "", ""},
		{"a field", `{"query":"{hello greet}"}`, "@1769904000", until},
		{"a refusal", `{"query":"{greet fail(code:\"NOT_FOUND\")}"}`, "@1769904000", until},
		{"a limit", `{"query":"{greet users(first:100000){nodes{id}}}"}`, "@1769904000", until},
		{"a variable", `{"query":"` + rename + `","variables":{"p":{"number":1,"area":"b"}}}`, "@1767225600", ""},
		{"without it", `{"query":"` + rename + `","variables":{"p":{"number":1}}}`, "", ""},
		{"another operation", `{"query":"query Q{greet} ` + rename + `","operationName":"M"}`, "", ""},
	} {
		got := post(t, srv, tt.body)
		if h := got.header; h.Get("Deprecation") != tt.since || h.Get("Sunset") != tt.until {
			t.Errorf("%s: %s\n%v", tt.name, got.text, h)
		}
	}
}
