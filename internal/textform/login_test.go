package textform

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestReadLogin(t *testing.T) {
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
		{"capitals beyond ASCII", "\u00c9.Case@ex.test", "ID", Email, "\u00e9.case@ex.test"},
		{"a domain in letters", "x@M\u00dcNCHEN.de", "ID", Email, "x@m\u00fcnchen.de"},
		{"the same domain in ASCII", "x@xn--mnchen-3ya.de", "ID", Email, "x@m\u00fcnchen.de"},
		{"zero-width space behind", "zw@ex.test\u200b", "ID", Email, "zw@ex.test"},
		{"byte order mark before", "\ufeffzw@ex.test", "ID", Email, "zw@ex.test"},
		{"soft hyphen inside", "z\u00adw@ex.test", "ID", Email, "zw@ex.test"},
		{"direction marks around a number", "\u202a+62 811 123 789\u202c", "ID", Phone, "+62811123789"},
		{"no-break blanks in a number", "0811\u00a0123\u202f789", "ID", Phone, "+62811123789"},
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
			if login := ReadLogin(tt.text, tt.country); login.Kind != tt.kind || login.Key() != tt.key {
				t.Errorf("ReadLogin(%q, %q) = %q, want %q, %q", tt.text, tt.country, login, tt.kind, tt.key)
			}
		})
	}
}

// TestKeysAreStable shows that a key is its own key, so that stored and typed
// addresses meet.
func TestKeysAreStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[A-Za-zÀ-žΑ-ωА-я.+]{1,8}@[A-Za-zÀ-žА-я]{1,8}\.test|\+62 ?8[0-9]{8,11}|0?8[0-9]{8,11}`).Draw(t, "text")
		login := ReadLogin(text, "ID")
		if login.Kind == Unknown {
			return
		}
		if again := ReadLogin(login.Key(), "ID"); again.Kind != login.Kind || again.Key() != login.Key() {
			t.Fatalf("%q is %q, whose key is %q", text, login, again)
		}
	})
}

func FuzzReadLogin(f *testing.F) {
	f.Add("Manager@demo.test")
	f.Add("+62 811 123 789")
	f.Fuzz(func(t *testing.T, text string) {
		login := ReadLogin(text, "ID")
		if (login.Kind == Unknown) != (login.Key() == "") {
			t.Errorf("ReadLogin(%q) = %q", text, login)
		}
		if again := ReadLogin(login.Key(), "ID"); again.Key() != login.Key() {
			t.Errorf("%q is %q, whose key is %q", text, login, again)
		}
		if line := Line(text); utf8.ValidString(text) && (Line(line) != line || Shows(line) != Shows(text)) {
			t.Errorf("Line(%q) = %q", text, line)
		}
		if key := SearchKey(text); SearchKey(key) != key {
			t.Errorf("SearchKey(%q) = %q, whose key is %q", text, key, SearchKey(key))
		}
		SortKey(text)
	})
}
