package jsonscan

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestParseObject(t *testing.T) {
	got, err := ParseObject([]byte(" { \"a\" : [1, {\"b\":[]}] ,\n\"\\u0061\":\"x\\\"\",\"c\":-1.5e+3 } "))
	want := []Member{
		{[]byte("a"), []byte(`[1, {"b":[]}]`), Size{3, 3}}, {[]byte("a"), []byte(`"x\""`), Size{}}, {[]byte("c"), []byte("-1.5e+3"), Size{}},
	}
	same := func(x, y Member) bool {
		return string(x.Name) == string(y.Name) && string(x.Value) == string(y.Value) && x.Size == y.Size
	}
	if err != nil || !slices.EqualFunc(got, want, same) {
		t.Errorf("members %+v, %v, want %+v", got, err, want)
	}
}

func TestMeasure(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	tests := []struct {
		text string
		size Size
		err  error
	}{
		{"1", Size{}, nil}, {" [ ] ", Size{0, 1}, nil}, {`{"a":[1,2],"b":{}}`, Size{4, 2}, nil}, {deep(deepest), Size{deepest - 1, deepest}, nil},
		{deep(deepest + 1), Size{}, ErrDepth}, {"\"\xff\"", Size{}, ErrText}, {"\"a\x00\"", Size{}, ErrText}, {`"\u0000"`, Size{}, ErrText},
		{`"\ud800"`, Size{}, ErrText}, {`"\ud83d\ude00"`, Size{}, nil}, {`"\u12"`, Size{}, ErrSyntax}, {`"\x"`, Size{}, ErrSyntax},
		{"\"a\nb\"", Size{}, ErrSyntax}, {`"a`, Size{}, ErrSyntax}, {`"\`, Size{}, ErrSyntax}, {"[1,]", Size{}, ErrSyntax}, {"[1 2]", Size{}, ErrSyntax},
		{`{"a"}`, Size{}, ErrSyntax}, {`{1:2}`, Size{}, ErrSyntax}, {"01", Size{}, ErrSyntax}, {"1.", Size{}, ErrSyntax}, {"1e", Size{}, ErrSyntax},
		{"-", Size{}, ErrSyntax}, {"+1", Size{}, ErrSyntax}, {"tru", Size{}, ErrSyntax}, {"", Size{}, ErrSyntax}, {"1 2", Size{}, ErrSyntax}, {"[", Size{}, ErrSyntax},
	}
	for _, tt := range tests {
		if size, err := Measure([]byte(tt.text)); size != tt.size || !errors.Is(err, tt.err) {
			t.Errorf("%.40q: %v, %v, want %v, %v", tt.text, size, err, tt.size, tt.err)
		}
	}
}

// FuzzParse holds what is accepted against encoding/json and IsText, and members against
// Members.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		`{}`, `{"a":{"b":[1,2,{}]},"c":"}","d":"\"]"}`, "[ 1 ,\n\t\"\\\\\" , [ ] , null,true ]", `{"\u0061":"x","a":-1.5e3 }`,
		"{\"\xff\":1}", `["\\"]`, `1`, `"a"`, `{`, `-0.0E-1`, `"\ud800\u0041"`, `[tru]`, `{"a":1,}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		valid := json.Valid(text) && IsText(text)
		size, err := Measure(text)
		if (err == nil) != valid {
			t.Fatalf("%q: %v, valid: %v", text, err, valid)
		}
		list, err := ParseObject(text)
		rest := text[SkipSpace(text, 0):]
		if isObject := valid && rest[0] == '{'; (err == nil) != isObject {
			t.Fatalf("%q: %v, valid object: %v", text, err, isObject)
		}
		if err != nil {
			return
		}
		i, values := 0, 0
		for name, value := range Members(rest) {
			if m := list[i]; string(m.Name) != string(name) || string(m.Value) != string(value) {
				t.Errorf("%q: member %+v, want %q: %q", text, m, name, value)
			}
			inner, err := Measure(value)
			if own := list[i].Size; err != nil || own.Values != inner.Values || own.Depth != inner.Depth {
				t.Errorf("%q: size of %q %v, want %v, %v", text, name, own, inner, err)
			}
			values += 1 + inner.Values
			i++
		}
		if i != len(list) || values != size.Values {
			t.Errorf("%q: %d members of %d, %d values of %d", text, len(list), i, values, size.Values)
		}
	})
}

// TestMeasureAllocates shows that a million values need no memory.
func TestMeasureAllocates(t *testing.T) {
	text := []byte(`{"a":[` + strings.Repeat(`{"b":[1]},`, 1_000_000) + `{}]}`)
	if n := testing.AllocsPerRun(1, func() {
		if size, err := Measure(text); err != nil || size.Values != 3_000_002 {
			t.Errorf("%v, %v", size, err)
		}
	}); n > 10 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkMeasure(b *testing.B) {
	text := []byte(`[` + strings.Repeat(`{"latitude":"-6.2","accuracy":12.5,"points":[0.1,0.2,-0.3]},`, 1000) + `{}]`)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Measure(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkValid(b *testing.B) {
	text := []byte(`[` + strings.Repeat(`{"latitude":"-6.2","accuracy":12.5,"points":[0.1,0.2,-0.3]},`, 1000) + `{}]`)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if !json.Valid(text) {
			b.Fatal("invalid")
		}
	}
}
