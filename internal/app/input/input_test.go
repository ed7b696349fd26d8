package input

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"workforce/internal/errs"
)

func TestName(t *testing.T) {
	for _, tt := range []struct {
		about string
		name  *string
		want  string
		fault errs.Reason
	}{
		{"null", nil, "", errs.Required},
		{"empty", new(""), "", errs.Required},
		{"space", new(" \t\u00a0"), "", errs.Required},
		{"space around it", new(" Ana B "), "Ana B", ""},
		{"100 characters", new(strings.Repeat("ä", 100)), strings.Repeat("ä", 100), ""},
		{"100 characters with space around them", new(" " + strings.Repeat("ä", 100)), strings.Repeat("ä", 100), ""},
		{"101 characters", new(strings.Repeat("ä", 101)), strings.Repeat("ä", 101), errs.TooLong},
		{"a line break", new("Ana\nB"), "Ana\nB", errs.NotPlain},
		{"a tab", new("Ana\tB"), "Ana\tB", errs.NotPlain},
		{"a delete character", new("Ana\u007f"), "Ana\u007f", errs.NotPlain},
		{"a control character of the second block", new("Ana\u0085B"), "Ana\u0085B", errs.NotPlain},
		{"a line separator", new("Ana\u2028B"), "Ana\u2028B", errs.NotPlain},
		{"a line break after it", new("Ana\n"), "Ana", ""},
		{"a turned direction", new("Ana \u202efdp.exe"), "Ana \u202efdp.exe", errs.NotPlain},
		{"an isolated direction", new("Ana\u2067B\u2069 C"), "Ana\u2067B\u2069 C", errs.NotPlain},
		{"nothing that shows", new("\u2800\u3164"), "", errs.Required},
		{"a joiner within", new("می\u200cخواهم"), "می\u200cخواهم", ""},
		{"joined emoji", new("👩🏽\u200d🚀"), "👩🏽\u200d🚀", ""},
		{"decomposed", new("Jose\u0301"), "Jos\u00e9", ""},
	} {
		var faults errs.Faults
		if got := Name(&faults, "title", tt.name); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.about, got, tt.want)
		}
		checkFault(t, tt.about, faults, "title", tt.fault)
		if tt.fault == errs.TooLong && faults[0].Meta["max"] != 100 {
			t.Errorf("%s: meta %v", tt.about, faults[0].Meta)
		}
	}
}

func TestLine(t *testing.T) {
	for _, tt := range []struct {
		about string
		text  *string
		want  string
		fault errs.Reason
	}{
		{"null", nil, "", ""},
		{"blank", new(" \t"), "", ""},
		{"nothing that shows", new("\u3164\u2800"), "", ""},
		{"as long as it may be", new(" abc "), "abc", ""},
		{"longer", new("abcd"), "abcd", errs.TooLong},
		{"a line break", new("a\rb"), "a\rb", errs.NotPlain},
	} {
		var faults errs.Faults
		if got := Line(&faults, "model", tt.text, 3); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.about, got, tt.want)
		}
		checkFault(t, tt.about, faults, "model", tt.fault)
	}
}

func TestIDs(t *testing.T) {
	for n, want := range map[int]errs.Reason{0: "", 100: "", 101: errs.TooMany} {
		var faults errs.Faults
		list := make([]int, n)
		for i := range list {
			list[i] = 7
		}
		if got := IDs(&faults, "roleIds", Given(list)); len(got) != min(n, 1) {
			t.Errorf("%d times 7: %v", n, got)
		}
		checkFault(t, "many", faults, "roleIds", want)
	}
	var faults errs.Faults
	if got := IDs(&faults, "roleIds", Omittable[[]int]{}); len(got) > 0 || len(faults) > 0 {
		t.Errorf("absent: %v, %v", got, faults)
	}
}

// checkFault wants one fault of a field for a reason, or none.
func checkFault(t *testing.T, about string, faults errs.Faults, field string, want errs.Reason) {
	t.Helper()
	switch {
	case want == "" && len(faults) == 0:
	case want != "" && len(faults) == 1 && faults[0].Field == field && faults[0].Reason == want && faults[0].Code == errs.Invalid:
	default:
		t.Errorf("%s: faults %v, want %q of %s", about, faults, want, field)
	}
}

func TestOneOf(t *testing.T) {
	for _, tt := range []struct {
		about    string
		text     Omittable[*string]
		nullable bool
		want     errs.Reason
	}{
		{"absent", Omittable[*string]{}, false, ""},
		{"null, nullable", Given[*string](nil), true, ""},
		{"null", Given[*string](nil), false, errs.Required},
		{"the first", Given(new("id")), false, ""},
		{"the last", Given(new("en")), true, ""},
		{"another", Given(new("fr")), true, errs.NotOneOf},
		{"empty", Given(new("")), true, errs.NotOneOf},
		{"in capitals", Given(new("ID")), false, errs.NotOneOf},
	} {
		var faults errs.Faults
		OneOf(&faults, "locale", tt.text, tt.nullable, "id", "en")
		checkFault(t, tt.about, faults, "locale", tt.want)
		if tt.want == errs.NotOneOf && faults[0].Meta["allowed"] != "id, en" {
			t.Errorf("%s: meta %v", tt.about, faults[0].Meta)
		}
	}
}

func TestReferenced(t *testing.T) {
	broken := errors.New("broken")
	for _, tt := range []struct {
		found bool
		err   error
		want  string
	}{
		{true, nil, ""},
		{false, nil, "NOT_FOUND userId"},
		{true, broken, "broken"},
		{false, broken, "broken"},
	} {
		got := ""
		if err := Referenced("userId", tt.found, tt.err); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("found %v, %v: %q, want %q", tt.found, tt.err, got, tt.want)
		}
	}
}

func TestNameTaken(t *testing.T) {
	unique, broken := errors.New("unique"), errors.New("broken")
	isConstraint := func(err error) bool { return err == unique }
	if err := NameTaken(nil, isConstraint); err != nil {
		t.Errorf("no error: %v", err)
	}
	if err := NameTaken(broken, isConstraint); err != broken {
		t.Errorf("another error: %v", err)
	}
	err := NameTaken(unique, isConstraint)
	checkFault(t, "a unique key", errs.As(err).Faults, "name", errs.AlreadyTaken)
}

func TestSet(t *testing.T) {
	for _, tt := range []struct {
		about  string
		member Omittable[*int]
		want   string
	}{
		{"absent", Omittable[*int]{}, ""},
		{"null", Given[*int](nil), "cleared"},
		{"given", Given(new(7)), "set"},
		{"zero", Given(new(0)), "set"},
	} {
		got, value := "", -1
		Set(tt.member, func(n int) { got, value = got+"set", n }, func() { got += "cleared" })
		if got != tt.want || got == "set" && value != *tt.member.Value() {
			t.Errorf("%s: %q with %d, want %q", tt.about, got, value, tt.want)
		}
	}
	Set(Given[*int](nil), func(int) { t.Error("null is set") }, nil)
}

func TestDropNull(t *testing.T) {
	if DropNull(Given[*int](nil)).IsSet() || DropNull(Omittable[*int]{}).IsSet() {
		t.Error("null is set")
	}
	if v, given := DropNull(Given(new(0))).ValueOK(); !given || *v != 0 {
		t.Error("a value is dropped")
	}
	if DropNullList(Given[[]int](nil)).IsSet() || DropNullList(Omittable[[]int]{}).IsSet() {
		t.Error("a list that is null is set")
	}
	if v, given := DropNullList(Given([]int{})).ValueOK(); !given || v == nil {
		t.Error("an empty list is dropped")
	}
}

func TestValue(t *testing.T) {
	if Value[int](nil) != 0 || Value(new(7)) != 7 {
		t.Errorf("values %d and %d", Value[int](nil), Value(new(7)))
	}
}

func TestDistinct(t *testing.T) {
	ids := []int{3, 1, 3, 2, 1}
	if got := Distinct(ids); !slices.Equal(got, []int{1, 2, 3}) {
		t.Errorf("got %v", got)
	}
	if !slices.Equal(ids, []int{3, 1, 3, 2, 1}) {
		t.Errorf("the list is now %v", ids)
	}
	if got := Distinct(nil); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}

func TestRenamed(t *testing.T) {
	one, two := 1, 2
	for _, tt := range []struct {
		id, old *int
		want    int
		reason  errs.Reason
	}{
		{nil, nil, 0, errs.Required},
		{&one, nil, 1, ""},
		{nil, &two, 2, ""},
		{&two, &two, 2, ""},
		{&one, &two, 0, errs.Excludes},
	} {
		got, err := Renamed("id", tt.id, "taskId", tt.old)
		if got != tt.want || (err == nil) != (tt.reason == "") {
			t.Fatalf("%v: %d, %v", tt, got, err)
		}
		if err != nil {
			if f := errs.As(err).Faults; len(f) != 1 || f[0].Field != "id" || f[0].Reason != tt.reason {
				t.Errorf("%v: %+v", tt, f)
			}
		}
	}
}
