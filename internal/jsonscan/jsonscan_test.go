package jsonscan

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// FuzzScan holds what is found against encoding/json.
func FuzzScan(f *testing.F) {
	for _, text := range []string{
		`{}`, `[]`, ` { } `, `{"a":1}`, `{"a":{"b":[1,2,{}]},"c":"}","d":"\"]"}`, "[ 1 ,\n\t\"\\\\\" , [ ] , null,true ]",
		`{"\u0061":"x","a":-1.5e3 }`, "{\"\xff\":\"\xff\"}", `["\\"]`, `[{"a":[]},{"a":[[]]}]`, `1`, `"a"`, `{`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !json.Valid(text) {
			return
		}
		text = text[SkipSpace(text, 0):]
		switch text[0] {
		case '{':
			var want map[string]json.RawMessage
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			got := map[string]json.RawMessage{}
			for name, value := range Members(text) {
				got[string(name)] = value
			}
			if !maps.EqualFunc(got, want, same) {
				t.Errorf("%s: got %q, want %q", text, got, want)
			}
		case '[':
			var want, got []json.RawMessage
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			for value := range Elements(text) {
				got = append(got, value)
			}
			if !slices.EqualFunc(got, want, same) {
				t.Errorf("%s: got %q, want %q", text, got, want)
			}
		}
	})
}

func TestIsText(t *testing.T) {
	for text, want := range map[string]bool{
		``: true, `"a"`: true, `"é\n\t\"\\\u00e9"`: true, `"\u0001"`: true, `"\ud83d\ude00"`: true, `"\uD83D\uDE00x"`: true, `"\\u0000"`: true, `"\\\\ud800"`: true,
		`"\u0000"`: false, `{"\u0000":1}`: false, `"\\\u0000"`: false, `"\ud800"`: false, `"\udc00"`: false, `"\ud800\u0041"`: false,
		`"\ud800\ud800\udc00"`: false, `"\udc00\ud800"`: false, `"\ud800\n"`: false, `"\ud83d\ude00\u0000"`: false,
		"\"\xff\"": false, "\"\xed\xa0\x80\"": false, "\"a\x00\"": false, `\`: true, `"\u12`: true, `\ud800`: false,
	} {
		if got := IsText([]byte(text)); got != want {
			t.Errorf("IsText(%q) = %v, want %v", text, got, want)
		}
	}
}

// FuzzIsText compares it with what encoding/json decodes.
func FuzzIsText(f *testing.F) {
	for _, text := range []string{`"a"`, `"\u0000"`, `"\ud83d\ude00"`, `"\ud800"`, `"\\u0000"`, `"\ud800\\ud800"`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var s string
		if json.Unmarshal(text, &s) != nil || bytes.Contains(text, []byte(`\ufffd`)) || bytes.Contains(text, []byte(`\uFFFD`)) || bytes.Contains(text, []byte("\ufffd")) {
			return
		}
		want := strings.IndexByte(s, 0) < 0 && !strings.ContainsRune(s, unicode.ReplacementChar)
		if got := IsText(text); got != want && !bytes.Contains(bytes.ToLower(text), []byte(`\ufffd`)) {
			t.Errorf("IsText(%q) = %v, want %v", text, got, want)
		}
	})
}

func same(x, y json.RawMessage) bool { return string(x) == string(y) }

// TestMembersUntil takes the last member to end with its object, and walks all others.
func TestMembersUntil(t *testing.T) {
	for object, want := range map[string]string{
		`{"a":1,"b":{"c":"]}"}}`:              `a=1 b={"c":"]}"} `,
		"{ \"a\" : [1, 2] , \"b\" : [3] \n} ": `a=[1, 2] b=[3] `,
		`{"b":null}`:                          `b=null `,
		`{"a":{}}`:                            `a={} `,
		`{}`:                                  ``,
	} {
		var got string
		for name, value := range MembersUntil([]byte(object), "b") {
			got += string(name) + "=" + string(value) + " "
		}
		if got != want {
			t.Errorf("%s: %s, want %s", object, got, want)
		}
	}
}
