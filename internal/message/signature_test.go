package message

import (
	"bytes"
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/internal/errs"
)

var report = []byte(`{"id":"7","status":"delivered"}`)

func TestSign(t *testing.T) {
	// printf '1773144000.{}' | openssl dgst -sha256 -hmac key
	want := "t=1773144000,v1=" + "d63b0a3e0d618f93d54ff0dcfc83746e49a0ac9afe7527220b994d282c0aca63"
	if got := Sign("key", noon, []byte("{}")); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestVerify(t *testing.T) {
	signed := Sign("key", noon, report)
	at, v1, _ := strings.Cut(signed, ",")
	_, other, _ := strings.Cut(Sign("new", noon, report), ",")
	wrong := "v1=" + strings.Repeat("0", 64)
	huge := "t=999999999999," + v1
	tests := []struct {
		name    string
		secrets []string
		header  string
		now     time.Time
		want    string // in the cause; "" where it is accepted
	}{
		{"right", []string{"key"}, signed, noon, ""},
		{"upper case", []string{"key"}, at + ",v1=" + strings.ToUpper(v1[3:]), noon, ""},
		{"300 s late", []string{"key"}, signed, noon.Add(300 * time.Second), ""},
		{"300 s early", []string{"key"}, signed, noon.Add(-300 * time.Second), ""},
		{"a moment too late", []string{"key"}, signed, noon.Add(300*time.Second + 1), "too old"},
		{"a moment too early", []string{"key"}, signed, noon.Add(-300*time.Second - 1), "too old"},
		{"second secret", []string{"new", "key"}, signed, noon, ""},
		{"two signatures, old secret", []string{"key"}, signed + "," + other, noon, ""},
		{"two signatures, new secret", []string{"new"}, signed + "," + other, noon, ""},
		{"four signatures", []string{"key"}, at + strings.Repeat(","+wrong, 3) + "," + v1, noon, ""},
		{"five signatures", []string{"key"}, at + strings.Repeat(","+wrong, 4) + "," + v1, noon, "malformed"},
		{"other secret", []string{"new"}, signed, noon, "wrong"},
		{"no secrets", nil, signed, noon, "wrong"},
		{"empty secret", []string{""}, Sign("", noon, report), noon, "wrong"},
		{"empty secret beside another", []string{"key", ""}, Sign("", noon, report), noon, "wrong"},
		{"other time", []string{"key"}, "t=1773144001," + v1, noon, "wrong"},
		{"same time, other digits", []string{"key"}, "t=01773144000," + v1, noon, "wrong"},
		{"far future", []string{"key"}, huge, noon, "wrong"},
		{"nothing", []string{"key"}, "", noon, "malformed"},
		{"no time", []string{"key"}, v1, noon, "malformed"},
		{"empty time", []string{"key"}, "t=," + v1, noon, "malformed"},
		{"negative time", []string{"key"}, "t=-1," + v1, noon, "malformed"},
		{"signed time", []string{"key"}, "t=+1773144000," + v1, noon, "malformed"},
		{"time with a fraction", []string{"key"}, "t=1773144000.0," + v1, noon, "malformed"},
		{"time beyond numbers", []string{"key"}, "t=99999999999999999999," + v1, noon, "malformed"},
		{"two times", []string{"key"}, at + "," + signed, noon, "malformed"},
		{"time last", []string{"key"}, v1 + "," + at, noon, "malformed"},
		{"no signature", []string{"key"}, at, noon, "malformed"},
		{"empty signature", []string{"key"}, at + ",v1=", noon, "malformed"},
		{"short signature", []string{"key"}, signed[:len(signed)-2], noon, "malformed"},
		{"half a byte", []string{"key"}, signed[:len(signed)-1], noon, "malformed"},
		{"long signature", []string{"key"}, signed + "00", noon, "malformed"},
		{"not hex", []string{"key"}, signed[:len(signed)-1] + "g", noon, "malformed"},
		{"space", []string{"key"}, at + ", " + v1, noon, "malformed"},
		{"trailing comma", []string{"key"}, signed + ",", noon, "malformed"},
		{"other version", []string{"key"}, at + ",v0=" + v1[3:], noon, "malformed"},
		{"other version beside", []string{"key"}, signed + ",v0=" + v1[3:], noon, "malformed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := Verify(tt.secrets, tt.header, report, tt.now)
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("%s: %v", tt.header, err)
			case tt.want != "" && (!errs.Is(err, errs.Unauthenticated) || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("%s: error %v, want UNAUTHENTICATED with %q", tt.header, err, tt.want)
			}
		})
	}
	for _, body := range []string{"", "{}", string(report) + "\n", strings.ToUpper(string(report))} {
		if err := Verify([]string{"key"}, signed, []byte(body), noon); !errs.Is(err, errs.Unauthenticated) {
			t.Errorf("body %q: error %v", body, err)
		}
	}
}

// FuzzVerify looks for a header that is accepted although nobody signed it.
func FuzzVerify(f *testing.F) {
	signed := Sign("key", noon, report)
	for _, header := range []string{signed, signed + "," + signed[len("t=1773144000,"):], "", "t=,v1=", "t=1773144000,v1=00"} {
		f.Add(header, report, int64(0))
	}
	f.Add(signed, []byte{}, int64(1000))
	f.Fuzz(func(t *testing.T, header string, body []byte, drift int64) {
		now := noon.Add(time.Duration(drift))
		accepted := Verify([]string{"key"}, header, body, now) == nil
		at, sums, _ := strings.Cut(strings.TrimPrefix(header, "t="), ",")
		seconds, err := strconv.ParseInt(at, 10, 64)
		if !accepted {
			if header == signed && bytes.Equal(body, report) && now.Sub(noon).Abs() <= 300*time.Second {
				t.Errorf("refused %q at %v", header, now)
			}
			return
		}
		when := time.Unix(seconds, 0)
		_, want, _ := strings.Cut(Sign("key", when, body), ",")
		if err != nil || !strings.Contains(strings.ToLower(sums), want) || now.Sub(when).Abs() > 300*time.Second {
			t.Errorf("accepted %q for %q at %v", header, body, now)
		}
	})
}
