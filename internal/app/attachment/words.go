package attachment

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// The limits of words.
const (
	maxSearch = 20 // words of a search
	wordRunes = 40 // characters of a word; a longer one is found by its beginning
)

// Words returns the words of texts in order, each once: letters and digits, without case
// and accents, cut at 40 characters. The same text gives the same words on every database.
func Words(texts ...string) []string {
	var words []string
	for _, text := range texts {
		for word := range strings.FieldsFuncSeq(fold(text), isSeparator) {
			words = append(words, cut(word))
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// isSeparator reports whether a character is part of no word.
func isSeparator(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }

// fold returns text without case and accents. Marks are dropped, not blanks: é is e.
func fold(text string) string {
	text = norm.NFKD.String(cases.Fold().String(norm.NFKD.String(text)))
	return strings.Map(func(r rune) rune {
		if unicode.IsMark(r) {
			return -1
		}
		return r
	}, text)
}

// cut returns the beginning of a word.
func cut(word string) string {
	n := 0
	for i := range word {
		if n == wordRunes {
			return word[:i]
		}
		n++
	}
	return word
}

// after returns the first text in byte order that does not begin with a word: words that
// do lie between the word and it.
func after(word string) string { return word + "\U0010FFFF" }
