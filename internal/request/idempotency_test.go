package request

import (
	"net/http"
	"strings"
	"testing"

	"workforce/internal/errs"
)

func TestIdempotencyKey(t *testing.T) {
	long := strings.Repeat("k", 255)
	tests := []struct {
		name   string
		sent   []string
		want   string
		reason errs.Reason // of the refusal
	}{
		{"absent", nil, "", ""},
		{"bare", []string{"8e03978e-40d5"}, "8e03978e-40d5", ""},
		{"quoted", []string{`"8e03978e-40d5"`}, "8e03978e-40d5", ""},
		{"spaces around", []string{` "abc" `}, "abc", ""},
		{"escapes", []string{`"\"a\\b\""`}, `"a\b"`, ""},
		{"space inside quotes", []string{`"a b"`}, "a b", ""},
		{"bare punctuation", []string{`!a,b;c=\~`}, `!a,b;c=\~`, ""},
		{"255 characters", []string{long}, long, ""},
		{"255 characters in quotes", []string{`"` + long + `"`}, long, ""},
		{"256 characters", []string{long + "k"}, "", errs.TooLong},
		{"256 characters in quotes", []string{`"` + long + `k"`}, "", errs.TooLong},
		{"empty", []string{""}, "", errs.Required},
		{"blank", []string{"  "}, "", errs.Required},
		{"empty quotes", []string{`""`}, "", errs.Required},
		{"quote alone", []string{`"`}, "", errs.BadFormat},
		{"unclosed", []string{`"abc`}, "", errs.BadFormat},
		{"closing quote escaped", []string{`"abc\"`}, "", errs.BadFormat},
		{"unopened", []string{`abc"`}, "", errs.BadFormat},
		{"quote inside", []string{`"a"b"`}, "", errs.BadFormat},
		{"unknown escape", []string{`"a\nb"`}, "", errs.BadFormat},
		{"backslash at the end", []string{`"a\`}, "", errs.BadFormat},
		{"parameter", []string{`"abc";v=1`}, "", errs.BadFormat},
		{"list", []string{`"abc", "def"`}, "", errs.BadFormat},
		{"list of bare keys", []string{"abc, def"}, "", errs.BadFormat},
		{"twice", []string{"abc", "abc"}, "", errs.BadFormat},
		{"blank in quotes", []string{`" "`}, "", errs.BadFormat},
		{"space before", []string{`" abc"`}, "", errs.BadFormat},
		{"space after", []string{`"abc "`}, "", errs.BadFormat},
		{"tab", []string{"\"a\tb\""}, "", errs.BadFormat},
		{"bare tab", []string{"a\tb"}, "", errs.BadFormat},
		{"delete", []string{"a\x7f"}, "", errs.BadFormat},
		{"not ASCII", []string{"kunci-é"}, "", errs.BadFormat},
		{"not ASCII in quotes", []string{`"é"`}, "", errs.BadFormat},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := IdempotencyKey(http.Header{"Idempotency-Key": tt.sent})
			if got != tt.want {
				t.Errorf("got key %q, want %q", got, tt.want)
			}
			if (err == nil) != (tt.reason == "") {
				t.Fatalf("got error %v, want reason %q", err, tt.reason)
			}
			if err == nil {
				return
			}
			e := errs.As(err)
			if e.Code != errs.Invalid || len(e.Faults) != 1 || e.Faults[0].Field != "Idempotency-Key" || e.Faults[0].Reason != tt.reason {
				t.Errorf("got %v, want VALIDATION_FAILED of Idempotency-Key because %s", err, tt.reason)
			}
		})
	}
}
