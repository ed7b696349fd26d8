package auth

import (
	"bytes"
	"crypto/rand"
	"io"
	"testing"
)

func TestNew(t *testing.T) {
	tests := []struct {
		name   string
		random []byte
		want   string
	}{
		{"leading zeros stay", []byte{0, 0, 7}, "000007"},
		{"all zeros", []byte{0, 0, 0}, "000000"},
		{"largest", []byte{0x0f, 0x42, 0x3f}, "999999"},
		{"a million is drawn again, not folded", []byte{0x0f, 0x42, 0x40, 0, 0, 1}, "000001"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := newOTP(bytes.NewReader(tt.random))
			if err != nil || got != tt.want {
				t.Errorf("New(%x) = %q, %v; want %q", tt.random, got, err, tt.want)
			}
		})
	}
	if code, err := newOTP(io.LimitReader(rand.Reader, 2)); err == nil {
		t.Errorf("a code was made without randomness: %s", code)
	}
}

// TestNewIsUniform draws 20,000 codes and looks at each place's digits: 2,000
// of each are expected, and 300 more or less is seven standard deviations.
func TestNewIsUniform(t *testing.T) {
	var count [otpDigits][10]int
	for range 20_000 {
		code, err := newOTP(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		for i := range code {
			count[i][code[i]-'0']++
		}
	}
	for place, digits := range count {
		for digit, n := range digits {
			if n < 1_700 || n > 2_300 {
				t.Errorf("digit %d stands %d times in place %d, want about 2000", digit, n, place)
			}
		}
	}
}

func TestDigestIsBound(t *testing.T) {
	key, b := []byte("key"), otpBinding{Subject: "42", Purpose: "verify", Device: "7"}
	stored := otpDigest(key, b, "123456")
	if !equalOTP(stored[:], otpDigest(key, b, "123456")) {
		t.Error("the right code does not match")
	}
	tests := []struct {
		name string
		key  string
		b    otpBinding
		code string
	}{
		{"another code", "key", b, "123457"},
		{"another key", "kez", b, "123456"},
		{"another subject", "key", otpBinding{"43", "verify", "7"}, "123456"},
		{"another purpose", "key", otpBinding{"42", "reset", "7"}, "123456"},
		{"another device", "key", otpBinding{"42", "verify", "8"}, "123456"},
		{"parts shifted", "key", otpBinding{"4", "2verify", "7"}, "123456"},
		{"device run into code", "key", otpBinding{"42", "verify", "71"}, "23456"},
		{"no code", "key", b, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if equalOTP(stored[:], otpDigest([]byte(tt.key), tt.b, tt.code)) {
				t.Error("it matches")
			}
		})
	}
	for _, stored := range [][]byte{nil, {}, stored[:31]} {
		if equalOTP(stored, otpDigest(key, b, "123456")) {
			t.Errorf("a stored digest of %d bytes matches", len(stored))
		}
	}
}
