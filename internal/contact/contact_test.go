package contact

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestUsername(t *testing.T) {
	tests := []struct {
		name, text, country string
		kind                Kind
		key                 string
	}{
		{"e-mail", "manager@demo.test", "ID", Email, "manager@demo.test"},
		{"e-mail in capitals", "Manager@Demo.TEST", "ID", Email, "manager@demo.test"},
		{"e-mail with space around", " budi@demo.test\n", "ID", Email, "budi@demo.test"},
		{"e-mail with a tag", "budi+x@demo.test", "ID", Email, "budi+x@demo.test"},
		{"e-mail whose name is digits", "0811@demo.test", "ID", Email, "0811@demo.test"},
		{"e-mail at a bare host", "root@localhost", "ID", Email, "root@localhost"},
		{"dotless i is not i", "bud\u0131@demo.test", "ID", Email, "bud\u0131@demo.test"},
		{"full-width letters", "\uff22udi@demo.test", "ID", Unknown, ""},
		{"a full-width domain", "budi@\uff44emo.test", "ID", Unknown, ""},
		{"a ligature", "\ufb01na@demo.test", "ID", Unknown, ""},
		{"composed and decomposed are one", "jose\u0301@demo.test", "ID", Email, "jos\u00e9@demo.test"},
		{"phone", "+62811123789", "ID", Phone, "+62811123789"},
		{"phone with spaces and dashes", "+62 811-123-789", "ID", Phone, "+62811123789"},
		{"phone with zero and code", "+62 (0)811 123 789", "ID", Phone, "+62811123789"},
		{"national", "0811123789", "ID", Phone, "+62811123789"},
		{"national without zero", "811123789", "ID", Phone, "+62811123789"},
		{"national elsewhere", "020 7946 0958", "GB", Phone, "+442079460958"},
		{"+ wins over country", "+442079460958", "ID", Phone, "+442079460958"},

		{"empty", "", "ID", Unknown, ""},
		{"word", "manager", "ID", Unknown, ""},
		{"too short for a number", "12345", "ID", Unknown, ""},
		{"too long for a number", "08111237890123456789", "ID", Unknown, ""},
		{"no country", "0811123789", "", Unknown, ""},
		{"unknown calling code", "+999811123789", "ID", Unknown, ""},
		{"vanity number", "0811-FLOWERS", "ID", Unknown, ""},
		{"extension", "0811123789 ext 5", "ID", Unknown, ""},
		{"link", "tel:0811123789", "ID", Unknown, ""},
		{"name and address", "Budi <budi@demo.test>", "ID", Unknown, ""},
		{"angle brackets", "<budi@demo.test>", "ID", Unknown, ""},
		{"two addresses", "a@demo.test,b@demo.test", "ID", Unknown, ""},
		{"two at signs", "a@b@demo.test", "ID", Unknown, ""},
		{"quoted name", `"a b"@demo.test`, "ID", Unknown, ""},
		{"address literal", "a@[127.0.0.1]", "ID", Unknown, ""},
		{"line break inside", "a@demo.test\r\nBcc: b@demo.test", "ID", Unknown, ""},
		{"no name", "@demo.test", "ID", Unknown, ""},
		{"no domain", "budi@", "ID", Unknown, ""},
		{"not UTF-8", "a\xff@demo.test", "ID", Unknown, ""},
		{"long name", strings.Repeat("a", 65) + "@demo.test", "ID", Unknown, ""},
		{"long address", "a@" + strings.Repeat("d.", 130) + "test", "ID", Unknown, ""},
		{"NUL", "a\x00@demo.test", "ID", Unknown, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if kind, key := Username(tt.text, tt.country); kind != tt.kind || key != tt.key {
				t.Errorf("Username(%q, %q) = %q, %q; want %q, %q", tt.text, tt.country, kind, key, tt.kind, tt.key)
			}
		})
	}
}

func TestNumberKey(t *testing.T) {
	tests := []struct {
		code   int
		number string
		want   string
	}{
		{62, "811 123 789", "+62811123789"},
		{62, "0811-123-789", "+62811123789"},
		{62, "+62811123789", "+62811123789"},
		{1, "202-555-0143", "+12025550143"},
		{62, "+12025550143", ""}, // another country than said
		{0, "811123789", ""},
		{-62, "811123789", ""},
		{999, "811123789", ""},
		{62, "", ""},
		{62, "12", ""},
	}
	for _, tt := range tests {
		if got, ok := NumberKey(tt.code, tt.number); got != tt.want || ok != (tt.want != "") {
			t.Errorf("NumberKey(%d, %q) = %q, %v; want %q", tt.code, tt.number, got, ok, tt.want)
		}
	}
}

func TestMask(t *testing.T) {
	tests := []struct {
		kind      Kind
		key, want string
	}{
		{Email, "manager@demo.test", "m***@demo.test"},
		{Email, "b@demo.test", "b***@demo.test"},
		{Email, "édith@demo.test", "é***@demo.test"},
		{Email, "@demo.test", "***"},
		{Email, "manager", "***"},
		{Email, "", "***"},
		{Phone, "+62811123789", "+62***789"},
		{Phone, "+12025550143", "+1***143"},
		{Phone, "+3581234567", "+358***567"},
		{Phone, "+62811", "***"},
		{Phone, "budi", "***"},
		{Phone, "", "***"},
		{Unknown, "budi", "***"},
	}
	for _, tt := range tests {
		if got := Mask(tt.kind, tt.key); got != tt.want {
			t.Errorf("Mask(%q, %q) = %q, want %q", tt.kind, tt.key, got, tt.want)
		}
	}
}

func TestSortKeyOrdersIgnoringCase(t *testing.T) {
	names := []string{"Zainal", "ahmad", "Émile", "budi", "Budi S", "ANI", "emile", "Straße", "strasse b", "İpek"}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(SortKey(a), SortKey(b)) })
	want := []string{"ahmad", "ANI", "budi", "Budi S", "emile", "İpek", "Straße", "strasse b", "Zainal", "Émile"}
	if !slices.Equal(names, want) {
		t.Errorf("order %q, want %q", names, want)
	}
}

func TestSortKeyIgnoresCaseAndForm(t *testing.T) {
	for _, same := range [][]string{
		{"BUDI", "budi", "Budi"},
		{"STRASSE", "straße", "Strasse"},
		{"Σίσυφος", "ΣΊΣΥΦΟΣ"},
		{"Jose\u0301", "JOS\u00c9"},
	} {
		for _, name := range same {
			if got, want := SortKey(name), SortKey(same[0]); got != want {
				t.Errorf("SortKey(%q) = %q, SortKey(%q) = %q", name, got, same[0], want)
			}
		}
	}
	if SortKey("a") == SortKey("á") {
		t.Error("accents are lost")
	}
}

// TestKeysAreStable shows that a key is its own key, so that stored and typed
// addresses meet.
func TestKeysAreStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[A-Za-z.+]{1,8}@[A-Za-z]{1,8}\.test|\+62 ?8[0-9]{8,11}|0?8[0-9]{8,11}`).Draw(t, "text")
		kind, key := Username(text, "ID")
		if kind == Unknown {
			return
		}
		if k2, again := Username(key, "ID"); k2 != kind || again != key {
			t.Fatalf("%q has key %q, which has key %q of kind %q", text, key, again, k2)
		}
		if masked := Mask(kind, key); !strings.Contains(masked, hidden) || masked == key {
			t.Fatalf("Mask(%q) = %q", key, masked)
		}
	})
}

func FuzzUsername(f *testing.F) {
	f.Add("Manager@demo.test")
	f.Add("+62 811 123 789")
	f.Fuzz(func(t *testing.T, text string) {
		kind, key := Username(text, "ID")
		if (kind == Unknown) != (key == "") {
			t.Errorf("Username(%q) = %q, %q", text, kind, key)
		}
		SortKey(text)
	})
}

func TestIsErased(t *testing.T) {
	for key, want := range map[string]bool{ErasedKey(7): true, "erased-7@demo.test": false, "budi@demo.test": false} {
		if IsErased(key) != want {
			t.Errorf("%s: %v", key, !want)
		}
	}
	if _, ok := EmailKey(ErasedKey(7)); ok {
		t.Error("the key is an address")
	}
}
