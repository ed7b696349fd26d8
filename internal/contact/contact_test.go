package contact

import (
	"testing"

	"workforce/internal/textform"
)

func TestMask(t *testing.T) {
	tests := []struct {
		kind      textform.Kind
		key, want string
	}{
		{textform.Email, "manager@demo.test", "m***@demo.test"},
		{textform.Email, "b@demo.test", "b***@demo.test"},
		{textform.Email, "édith@demo.test", "é***@demo.test"},
		{textform.Email, "@demo.test", "***"},
		{textform.Email, "manager", "***"},
		{textform.Email, "", "***"},
		{textform.Phone, "+62811123789", "+62***789"},
		{textform.Phone, "+12025550143", "+1***143"},
		{textform.Phone, "+3581234567", "+358***567"},
		{textform.Phone, "+62811", "***"},
		{textform.Phone, "budi", "***"},
		{textform.Phone, "", "***"},
		{textform.Unknown, "budi", "***"},
	}
	for _, tt := range tests {
		if got := Mask(tt.kind, tt.key); got != tt.want {
			t.Errorf("Mask(%q, %q) = %q, want %q", tt.kind, tt.key, got, tt.want)
		}
	}
}

func TestIsErased(t *testing.T) {
	for key, want := range map[string]bool{ErasedKey(7): true, "erased-7@demo.test": false, "budi@demo.test": false} {
		if IsErased(key) != want {
			t.Errorf("%s: %v", key, !want)
		}
	}
	if _, ok := textform.EmailKey(ErasedKey(7)); ok {
		t.Error("the key is an address")
	}
}
