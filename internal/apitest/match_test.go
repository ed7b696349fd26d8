package apitest

import (
	"strings"
	"testing"
)

func TestMatch(t *testing.T) {
	const token = `"wfa_0123456789abcdefghijABCDEFGHIJ-_"`
	tests := []struct {
		name, want, got string
		ok              bool
	}{
		{"same", `{"a":1,"b":[true,null,"x"]}`, `{"a":1,"b":[true,null,"x"]}`, true},
		{"white space", ` { "a" : 1 } `, `{"a":1}` + "\n", true},
		{"order of keys", `{"a":1,"b":2}`, `{"b":2,"a":1}`, false},
		{"spelling of keys", `{"salutaion":null}`, `{"salutation":null}`, false},
		{"key missing", `{"a":1,"b":null}`, `{"a":1}`, false},
		{"key too many", `{"a":1}`, `{"a":1,"b":null}`, false},
		{"key twice", `{"a":1}`, `{"a":1,"a":1}`, false},
		{"number for text", `{"id":"42"}`, `{"id":42}`, false},
		{"text for number", `{"id":42}`, `{"id":"42"}`, false},
		{"digits of a number", `-6.200000`, `-6.2`, false},
		{"large number", `9007199254740993`, `9007199254740992`, false},
		{"null for list", `[]`, `null`, false},
		{"object for list", `[]`, `{}`, false},
		{"wrapped list", `[]`, `{"data":[]}`, false},
		{"element too many", `[1]`, `[1,2]`, false},
		{"element missing", `[1,"<any>"]`, `[1]`, false},
		{"order of elements", `[1,2]`, `[2,1]`, false},
		{"HTML", `"<b>&"`, `"\u003cb\u003e&"`, true},
		{"trailing text", `{}`, `{}{}`, false},
		{"not JSON", `{}`, `<html>`, false},
		{"empty", `{}`, ``, false},
		{"wanted not JSON", `{`, `{`, false},

		{"any object", `{"a":"<any>"}`, `{"a":{"b":1}}`, true},
		{"any null", `"<any>"`, `null`, true},
		{"any number", `"<any>"`, `1.5`, true},
		{"any bool", `"<any>"`, `false`, true},
		{"any text", `"<any>"`, `"a\nb"`, true},
		{"any does not excuse a key", `{"a":"<any>"}`, `{"b":1}`, false},
		{"int", `"<int>"`, `-12`, true},
		{"int is no fraction", `"<int>"`, `1.0`, false},
		{"int is no text", `"<int>"`, `"12"`, false},
		{"number", `"<number>"`, `1.5e3`, true},
		{"number is no text", `"<number>"`, `"1.5"`, false},
		{"digits", `"<digits>"`, `"42"`, true},
		{"digits are text", `"<digits>"`, `42`, false},
		{"digits are digits", `"<digits>"`, `"4x"`, false},
		{"15 digits", `"<digits 15>"`, `"123456789012345"`, true},
		{"14 digits", `"<digits 15>"`, `"12345678901234"`, false},
		{"16 digits", `"<digits 15>"`, `"1234567890123456"`, false},
		{"date", `"<date>"`, `"2026-03-01"`, true},
		{"date is no time", `"<date>"`, `"2026-03-01T00:00:00Z"`, false},
		{"time", `"<time>"`, `"2026-03-01T08:00:00.123456+07:00"`, true},
		{"time in UTC", `"<time>"`, `"2026-03-01T08:00:00Z"`, true},
		{"time without offset", `"<time>"`, `"2026-03-01T08:00:00"`, false},
		{"token", `"<token wfa>"`, token, true},
		{"token of another kind", `"<token wfr>"`, token, false},
		{"inside text", `"since <time>, <int> m (a.b)"`, `"since 2026-03-01T08:00:00Z, 12 m (a.b)"`, true},
		{"inside text, the rest is literal", `"since <time> (a.b)"`, `"since 2026-03-01T08:00:00Z (axb)"`, false},
		{"inside text, whole", `"<int> m"`, `"12 m or so"`, false},
		{"unknown placeholder is text", `"<name>"`, `"<name>"`, true},
		{"pattern", `"/[a-f]+\\d/"`, `"abc1"`, true},
		{"pattern is whole", `"/[a-f]+|x/"`, `"abc1"`, false},
		{"pattern wants text", `"/\\d/"`, `1`, false},
		{"one slash", `"/"`, `"/"`, true},
		{"two slashes", `"//"`, `"//"`, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := Match(tt.want, []byte(tt.got)); (err == nil) != tt.ok {
				t.Errorf("Match(%s, %s) = %v, want ok %v", tt.want, tt.got, err, tt.ok)
			}
		})
	}
}

// TestMatchShowsOnlyWhatDiffers reads the report as people do.
func TestMatchShowsOnlyWhatDiffers(t *testing.T) {
	err := Match(`{"at":"<time>","name":"Budi","n":"<int>"}`, []byte(`{"at":"2026-03-01T08:00:00Z","name":"budi","n":3}`))
	if err == nil {
		t.Fatal("no difference found")
	}
	var changed []string
	for line := range strings.Lines(err.Error()) {
		if strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-") {
			changed = append(changed, strings.Join(strings.Fields(line), ""))
		}
	}
	if got := strings.Join(changed, " "); got != `-"name":"Budi", +"name":"budi",` {
		t.Errorf("changed lines are %s in:\n%v", got, err)
	}
}
