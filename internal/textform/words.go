package textform

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

const (
	wordRunes = 40  // characters of a word; a longer one is found by its beginning
	keyRunes  = 400 // characters of the key of a name
)

// Words returns the words of texts in order, each once: letters and digits, without case
// and accents, cut at 40 characters. A longer one of a script without blanks between words is
// cut into pieces instead, each of which overlaps half of the one before. The same text gives
// the same words on every database.
func Words(texts ...string) []string {
	var words []string
	for _, text := range texts {
		for word := range strings.FieldsFuncSeq(fold(text), isSeparator) {
			words = append(words, cut(word, wordRunes))
			for long := IsUnspaced(word); long && utf8.RuneCountInString(word) > wordRunes; {
				word = word[len(cut(word, wordRunes/2)):]
				words = append(words, cut(word, wordRunes))
			}
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// SearchedWords returns the words of a search as Words does. Those of scripts without blanks
// between words are cut so that each is within a word of Words.
func SearchedWords(text string) []string {
	var words []string
	for word := range strings.FieldsFuncSeq(fold(text), isSeparator) {
		most := wordRunes
		if IsUnspaced(word) {
			for most = wordRunes / 2; utf8.RuneCountInString(word) > most; {
				piece := cut(word, most)
				words, word = append(words, piece), word[len(piece):]
			}
		}
		words = append(words, cut(word, most))
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// IsUnspaced reports whether a word has letters of a script that has no blanks between words:
// what people call a word may stand anywhere in it.
func IsUnspaced(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
			unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
	})
}

// SearchKey returns the words of a name as they follow one another, folded as those of Words,
// with one blank between two, cut at 400 characters: a name of 100 may have more, as one of
// ligatures does.
func SearchKey(name string) string {
	return cut(strings.Join(strings.FieldsFunc(fold(name), isSeparator), " "), keyRunes)
}

// isSeparator reports whether a character is part of no word.
func isSeparator(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }

// plain are letters that Unicode does not take apart, with the ones that people type for them.
var plain = strings.NewReplacer(
	"æ", "ae", "œ", "oe", "ß", "ss", "þ", "th", "ð", "d", "đ", "d",
	"ɖ", "d", "ɗ", "d", "ƌ", "d", "ł", "l", "ƚ", "l", "ø", "o", "ɵ", "o",
	"ı", "i", "ɨ", "i", "ħ", "h", "ŧ", "t", "ƭ", "t",
	"ŋ", "n", "ɲ", "n", "ƞ", "n", "ĸ", "k", "ƙ", "k", "ƀ", "b", "ɓ", "b", "ƈ", "c", "ȼ", "c",
	"ɇ", "e", "ǝ", "e", "ə", "e", "ɛ", "e", "ɔ", "o", "ƒ", "f",
	"ǥ", "g", "ɠ", "g", "ȷ", "j", "ɉ", "j", "ƥ", "p", "ɍ", "r", "ʉ", "u",
	"ʋ", "v", "ɏ", "y", "ƴ", "y", "ƶ", "z", "ȥ", "z",
)

// fold returns text without case, accents and invisible characters. Marks are dropped, not
// blanks: é is e, and ł is l.
func fold(text string) string {
	text = norm.NFKD.String(cases.Fold().String(norm.NFKD.String(text)))
	return plain.Replace(strings.Map(func(r rune) rune {
		if unicode.IsMark(r) || isIgnorable(r) {
			return -1
		}
		return r
	}, text))
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
