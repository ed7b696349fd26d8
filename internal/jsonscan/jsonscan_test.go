package jsonscan

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"
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

func same(x, y json.RawMessage) bool { return string(x) == string(y) }
