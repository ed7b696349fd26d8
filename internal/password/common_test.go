package password

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"workforce/internal/errs"
)

func commonLines() []string { return strings.Split(strings.TrimSuffix(commonList, "\n"), "\n") }

// TestCommonList holds the form that the search needs.
func TestCommonList(t *testing.T) {
	lines := commonLines()
	if len(lines) != 10_000 || !strings.HasSuffix(commonList, "\n") {
		t.Errorf("%d lines, want 10,000 that all end", len(lines))
	}
	if !slices.IsSorted(lines) || len(slices.Compact(slices.Clone(lines))) != len(lines) {
		t.Error("not in the order of bytes, or with repetitions")
	}
	for _, line := range lines {
		if strings.ToLower(line) != line || len(line) != utf8.RuneCountInString(line) || len(line) < MinLength || len(line) > MaxLength {
			t.Errorf("%q is not 8 to 128 characters of lower-case ASCII", line)
		}
	}
}

func TestCommonFindsEveryLine(t *testing.T) {
	lines := commonLines()
	for _, line := range lines {
		if !common(line) || !common(strings.ToUpper(line)) {
			t.Errorf("%q is not found", line)
		}
		for _, near := range []string{line + "\x00", line + "\n", "\n" + line, line[:len(line)-1] + "\x7f"} {
			if common(near) {
				t.Errorf("%q is found", near)
			}
		}
	}
	if two := lines[0] + "\n" + lines[1]; common(two) {
		t.Errorf("%q is found", two)
	}
}

func TestCheckRefusesCommonPasswords(t *testing.T) {
	tests := []struct{ password, reason string }{
		{"password", "common"},
		{"PassWord", "common"},
		{"12345678", "common"},
		{"qwertyuiop", "common"},
		{"iloveyou", "common"},
		{"P@ssw0rd", "common"},
		{"password123", "common"},
		{"Qwerty123", "common"},
		{"aaaaaaaa", "common"},
		{"bismillah", "common"},
		{"indonesia", "common"},
		{"sayangku", "common"},
		{"qwerty", "length"},
		{"sunshine", "personal"},
		{"password ", ""},
		{" password", ""},
		{"password\nprincess", ""},
		{"пароль-пароль", ""},
		{"\xff\xff\xff\xff\xff\xff\xff\xff", ""},
		{"demo-password", ""},
		{"correct horse battery", ""},
	}
	for _, tt := range tests {
		err := Check("password", tt.password, "Sunshine")
		if tt.reason == "" {
			if err != nil {
				t.Errorf("Check(%q) = %v, want nil", tt.password, err)
			}
			continue
		}
		if e := errs.As(err); e.Code != errs.PasswordWeak || e.Meta["reason"] != tt.reason {
			t.Errorf("Check(%q) = %v with %v, want PASSWORD_WEAK for %s", tt.password, err, e.Meta, tt.reason)
		}
	}
}

func FuzzCommon(f *testing.F) {
	lines := map[string]bool{}
	for _, line := range commonLines() {
		lines[line] = true
	}
	for _, seed := range []string{"", "\n", "password", "PASSWORD", "zzzzzzzz", "!", "~~~~~~~~"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, password string) {
		if got, want := common(password), lines[strings.ToLower(password)]; got != want {
			t.Errorf("common(%q) = %v, want %v", password, got, want)
		}
	})
}
