package errs

import (
	"errors"
	"testing"
)

func TestFaultsOf(t *testing.T) {
	if f := FaultsOf(t.Context()); len(f) != 0 || Faulty(t.Context()) {
		t.Errorf("a request that was read begins with %v", f)
	}
	ctx := WithFaulty(t.Context())
	if f := FaultsOf(ctx); !Faulty(ctx) || !Is(f.Err(), Invalid) {
		t.Errorf("a request with faults begins with %v", f)
	}
}

func TestFaultsWith(t *testing.T) {
	var read Faults
	read.Add("date", BadFormat, nil)
	read.Add("points[3].x", WrongType, nil)
	found := func(more ...Fault) error { return append(FaultsOf(WithFaulty(t.Context())), more...).Err() }
	invalid := func(field string, reason Reason, meta Meta) Fault {
		return Fault{Field: field, Code: Invalid, Reason: reason, Meta: meta}
	}
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"none", nil, "VALIDATION_FAILED date(bad_format) points[3].x(wrong_type)"},
		{"no more", found(), "VALIDATION_FAILED date(bad_format) points[3].x(wrong_type)"},
		{"another member", found(invalid("note", TooLong, nil)), "VALIDATION_FAILED date(bad_format) points[3].x(wrong_type) note(too_long)"},
		{"another code", found(Fault{Field: "password", Code: PasswordWeak}), "VALIDATION_FAILED date(bad_format) points[3].x(wrong_type) password"},
		{"the same member", found(invalid("date", Required, nil)), "VALIDATION_FAILED date(bad_format) points[3].x(wrong_type)"},
		{"a member around it", found(invalid("points", Required, nil)), "VALIDATION_FAILED date(bad_format) points[3].x(wrong_type)"},
		{"a member whose name begins so", found(invalid("dates", Required, nil)), "VALIDATION_FAILED date(bad_format) points[3].x(wrong_type) dates(required)"},
		{"one that needs it", found(invalid("until", Needs, Meta{"other": "date"})), "VALIDATION_FAILED date(bad_format) points[3].x(wrong_type)"},
		{"an error behind the check of the members", Field(NotFound, "addressId", nil), "VALIDATION_FAILED date(bad_format) points[3].x(wrong_type)"},
		{"an error of nobody", errors.New("away"), "VALIDATION_FAILED date(bad_format) points[3].x(wrong_type)"},
	}
	for _, tt := range tests {
		if got := read.With(tt.err).Err().Error(); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}
