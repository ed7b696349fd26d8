package password

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"workforce/internal/errs"
)

func TestCheck(t *testing.T) {
	own := []string{"Budi Santoso", "budi.santoso@demo.test", "+62811123789", "Nusantara Demo", "Al", ""}
	tests := []struct {
		name, password, reason string
	}{
		{"eight characters", "abcdefgi", ""},
		{"seven characters", "abcdefg", "length"},
		{"empty", "", "length"},
		{"characters count, not bytes", "ééééééé", "length"},
		{"eight characters of two bytes", "éééééééé", ""},
		{"128 characters", strings.Repeat("é", 128), ""},
		{"129 characters", strings.Repeat("a", 129), "length"},
		{"spaces are characters", "a b c d ", ""},
		{"name", "Budi Santoso", "personal"},
		{"name in other case", "bUDI sANTOSO", "personal"},
		{"e-mail address", "Budi.Santoso@Demo.Test", "personal"},
		{"local part", "budi.SANTOSO", "personal"},
		{"phone number", "+62811123789", "personal"},
		{"name and more", "Budi Santoso!", "personal"},
		{"name without a space", "BudiSantoso", "personal"},
		{"name the other way round", "santoso_budi", "personal"},
		{"part of the name and a year", "Santoso2026", "personal"},
		{"name and a short word", "budi-kopi", "personal"},
		{"name and a word", "budi-minum", ""},
		{"name twice", "budibudi", "personal"},
		{"phone number as it is dialled", "0811-123-789", "personal"},
		{"another phone number", "0811-123-788", ""},
		{"company", "nusantarademo1", "personal"},
		{"part of the company", "demo-password", ""},
		{"a short name within a word", "jalan-jalan-ke-bali", ""},
		{"part of the company and a short word", "demo.test", "personal"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := Check("newPassword", tt.password, own...)
			if tt.reason == "" {
				if err != nil {
					t.Errorf("Check(%q) = %v, want nil", tt.password, err)
				}
				return
			}
			e := errs.As(err)
			if e.Code != errs.PasswordWeak || e.Meta["reason"] != tt.reason || len(e.Faults) != 1 || e.Faults[0].Field != "newPassword" {
				t.Errorf("Check(%q) = %v with %v, want PASSWORD_WEAK for %s", tt.password, err, e.Meta, tt.reason)
			}
			if tt.password != "" && strings.Contains(err.Error(), tt.password) {
				t.Errorf("the error holds the password: %v", err)
			}
		})
	}
}

func TestDelayGrowsToAMinute(t *testing.T) {
	want := []time.Duration{0, 0, 0, 0, 2, 4, 8, 16, 32, 60, 60}
	for failures, seconds := range want {
		if got := Delay(failures); got != seconds*time.Second {
			t.Errorf("Delay(%d) = %v, want %v", failures, got, seconds*time.Second)
		}
	}
	if got := Delay(1 << 40); got != time.Minute {
		t.Errorf("Delay(1 << 40) = %v", got)
	}
}

func TestIsJWE(t *testing.T) {
	b64 := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
	head := b64(`{"alg":"RSA-OAEP-256","enc":"A256GCM","kid":"1"}`)
	tests := []struct {
		name, text string
		want       bool
	}{
		{"whole", head + ".a2V5.aXY.dGV4dA.dGFn", true},
		{"without key", head + "..aXY.dGV4dA.dGFn", true},
		{"alg of another kind", b64(`{"alg":1}`) + ".a2V5.aXY.dGV4dA.dGFn", true},
		{"four parts", head + ".a2V5.aXY.dGV4dA", false},
		{"six parts", head + ".a2V5.aXY.dGV4dA.dGFn.", false},
		{"padded", head + ".a2V5.aXY=.dGV4dA.dGFn", false},
		{"standard alphabet", head + ".a+/5.aXY.dGV4dA.dGFn", false},
		{"no alg", b64(`{"enc":"A256GCM"}`) + ".a2V5.aXY.dGV4dA.dGFn", false},
		{"ALG", b64(`{"ALG":"dir"}`) + ".a2V5.aXY.dGV4dA.dGFn", false},
		{"header not an object", b64(`["alg"]`) + ".a2V5.aXY.dGV4dA.dGFn", false},
		{"header null", b64(`null`) + ".a2V5.aXY.dGV4dA.dGFn", false},
		{"header not JSON", "a2V5.a2V5.aXY.dGV4dA.dGFn", false},
		{"dots alone", "....", false},
		{"five words", "a.b.c.d.e", false},
		{"empty", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := IsJWE(tt.text); got != tt.want {
				t.Errorf("IsJWE(%q) = %v, want %v", tt.text, got, tt.want)
			}
		})
	}
}

func FuzzIsJWE(f *testing.F) {
	f.Add("eyJhbGciOiJkaXIifQ....")
	f.Fuzz(func(t *testing.T, text string) {
		if IsJWE(text) && strings.Count(text, ".") != 4 {
			t.Errorf("IsJWE(%q)", text)
		}
	})
}
