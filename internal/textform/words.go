package textform

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

const (
	wordRunes = 40  // characters of a word; a longer one is found by its beginning
	keyRunes  = 400 // characters of the key of a name
)

// Words returns the words of texts in order, each once: letters and digits, without case
// and accents, cut at 40 characters. The same text gives the same words on every database.
func Words(texts ...string) []string {
	var words []string
	for _, text := range texts {
		for word := range strings.FieldsFuncSeq(fold(text), isSeparator) {
			words = append(words, cut(word, wordRunes))
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// SearchKey returns the words of a name as they follow one another, folded as those of Words,
// with one blank between two, cut at 400 characters: a name of 100 may have more, as one of
// ligatures does.
func SearchKey(name string) string {
	return cut(strings.Join(strings.FieldsFunc(fold(name), isSeparator), " "), keyRunes)
}

// isSeparator reports whether a character is part of no word.
func isSeparator(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }

// fold returns text without case, accents and invisible characters. Marks are dropped, not
// blanks: é is e.
func fold(text string) string {
	text = norm.NFKD.String(cases.Fold().String(norm.NFKD.String(text)))
	return strings.Map(func(r rune) rune {
		if unicode.IsMark(r) || isIgnorable(r) {
			return -1
		}
		return r
	}, text)
}

// cut returns the first characters of a text, most at most.
func cut(text string, most int) string {
	n := 0
	for i := range text {
		if n == most {
			return text[:i]
		}
		n++
	}
	return text
}
