package attachment

import "testing"

func TestAfter(t *testing.T) {
	for _, word := range []string{"a", "東", "z9"} {
		for _, tail := range []string{"", "a", "zzz", "\U0001F600"} {
			if w := word + tail; w < word || w >= after(word) {
				t.Errorf("%q is not between %q and the next", w, word)
			}
		}
		if next := word[:len(word)-1] + string(word[len(word)-1]+1); next < after(word) {
			t.Errorf("%q is found by %q", next, word)
		}
	}
}
