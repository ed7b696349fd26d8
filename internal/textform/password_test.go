package textform

import (
	"slices"
	"testing"
)

func TestPasswordForms(t *testing.T) {
	for _, tt := range []struct {
		typed string
		want  []string
	}{
		{"correct horse", []string{"correct horse"}},
		{" around ", []string{" around "}},
		{"caf\u00e9 noir", []string{"caf\u00e9 noir", "cafe\u0301 noir"}},
		{"cafe\u0301 noir", []string{"caf\u00e9 noir", "cafe\u0301 noir"}},
		{"a\u00a0b\u3000c", []string{"a b c", "a\u00a0b\u3000c"}},
		{"\u00e9\u00a0", []string{"\u00e9 ", "\u00e9\u00a0", "e\u0301\u00a0"}},
		{"\ud55c\uae00", []string{"\ud55c\uae00", "\u1112\u1161\u11ab\u1100\u1173\u11af"}},
		{"q\u0307\u0323", []string{"q\u0323\u0307", "q\u0307\u0323"}},
		{"\u212b", []string{"\u00c5", "\u212b", "A\u030a"}},
		{"\ufb01ne", []string{"\ufb01ne"}}, // no other letter is one by its looks
		{"\u200d\x00\x7f", []string{"\u200d\x00\x7f"}},
		{"", []string{""}},
	} {
		if got := PasswordForms(tt.typed); !slices.Equal(got, tt.want) {
			t.Errorf("PasswordForms(%q) = %q, want %q", tt.typed, got, tt.want)
		}
		if got := Password(tt.typed); got != tt.want[0] {
			t.Errorf("Password(%q) = %q", tt.typed, got)
		}
	}
}
