package table

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A format is how a cell shows a number, in sections for different numbers.
type format []section

// general shows numbers by their digits.
var general = format{{kind: generalNumber}}

// The kinds of sections.
const (
	fixedNumber   = iota // digits where the section has places for them
	generalNumber        // digits, also of what is scientific or a fraction
	dateNumber           // a date, a time or both
)

// A section shows some numbers of a format.
type section struct {
	kind      int
	condition string  // such as <=; "" for none
	limit     float64 // of the condition
	negates   bool    // shows numbers below zero, without their sign

	pieces   []piece // in front of the decimal point, from the left
	after    string  // text behind it
	point    bool
	decimals int
	percents int

	odd                 bool // scientific, or a fraction
	date, time, elapsed bool // what a dateNumber shows; elapsed are hours beyond a day too
	months              bool // months, or minutes beside a time
}

// A piece is text, or the place of a digit: 0, # or ?.
type piece struct {
	text  string
	place byte // 0 for text
}

// number is the place of all digits in a general section.
const number = 'n'

// builtIn returns the code of a format that workbooks do not spell out. Those that differ by
// language are dates.
func builtIn(id int) string {
	switch id {
	case 1, 3, 37, 38, 41, 42:
		return "0"
	case 2, 4, 39, 40, 43, 44:
		return "0.00"
	case 9:
		return "0%"
	case 10:
		return "0.00%"
	case 22:
		return "yyyy-mm-dd hh:mm"
	case 18, 19, 20, 21, 32, 33, 45, 47:
		return "hh:mm:ss"
	case 46:
		return "[h]:mm:ss"
	}
	if id >= 14 && id <= 17 || id >= 27 && id <= 36 || id >= 50 && id <= 58 {
		return "yyyy-mm-dd"
	}
	return ""
}

// parseFormat reads the code of a format; "" is general.
func parseFormat(code string) format {
	if code == "" {
		return general
	}
	var f format
	for rest := code; len(f) < 3; {
		var s section
		s, rest = parseSection(rest)
		f = append(f, s)
		if rest == "" {
			break
		}
		rest = rest[1:] // the semicolon
	}
	if len(f) > 1 && f[0].condition == "" && f[1].condition == "" {
		f[1].negates = true
	}
	return f
}

// choose returns the section that shows a number.
func (f format) choose(n float64) section {
	if len(f) > 1 && f[1].negates {
		switch {
		case n < 0:
			return f[1]
		case n == 0 && len(f) > 2:
			return f[2]
		}
		return f[0]
	}
	for _, s := range f {
		if s.holds(n) {
			return s
		}
	}
	return f[len(f)-1]
}

func (s section) holds(n float64) bool {
	switch s.condition {
	case "<":
		return n < s.limit
	case "<=":
		return n <= s.limit
	case ">":
		return n > s.limit
	case ">=":
		return n >= s.limit
	case "=":
		return n == s.limit
	case "<>":
		return n != s.limit
	}
	return true
}

// lexemes matches the parts of a section: quoted and escaped text, fillers, brackets, words, and
// single characters.
var lexemes = regexp.MustCompile(`^(?:"[^"]*"?|\\.|[_*].|\[[^\]]*\]?|(?i:general|am/pm|a/p|e[+-]|y+|m+|d+|h+|s+)|(?s:.))`)

// conditions matches what stands in brackets for which numbers a section is.
var conditions = regexp.MustCompile(`^(<=|>=|<>|<|>|=)(-?[0-9.]+)$`)

// parseSection reads a section, and returns what follows it.
func parseSection(code string) (s section, rest string) {
	for code != "" && code[0] != ';' {
		part := lexemes.FindString(code)
		code = code[len(part):]
		s.read(part, strings.ToLower(part))
	}
	switch {
	case s.kind == dateNumber:
		s.date = s.date || s.months && !s.time
	case s.odd:
		s.kind, s.pieces, s.after = generalNumber, nil, ""
	case s.kind == generalNumber && len(s.pieces) == 1:
		s.pieces = nil
	}
	return s, code
}

// read reads a part of a section, as it is written and in small letters.
func (s *section) read(part, small string) {
	switch first := small[0]; {
	case first == '"':
		s.add(strings.Trim(part, `"`))
	case first == '\\':
		s.add(part[1:])
	case (first == '_' || first == '*') && len(part) > 1:
	case first == '[':
		s.bracket(strings.Trim(part, "[]"), strings.Trim(small, "[]"))
	case small == "general", first == '@':
		s.kind = generalNumber
		s.pieces = append(s.pieces, piece{place: number})
	case first == 'e' && len(part) == 2:
		s.odd = true
	case s.hasPlaces():
		s.digit(part)
	case small == "am/pm", small == "a/p", first == 'h', first == 's':
		s.kind, s.time = dateNumber, true
	case first == 'y', first == 'd':
		s.kind, s.date = dateNumber, true
	case first == 'm':
		s.kind, s.months = dateNumber, true
	default:
		s.digit(part)
	}
}

// hasPlaces reports whether a section has a place for a digit.
func (s *section) hasPlaces() bool {
	for _, p := range s.pieces {
		if p.place != 0 {
			return true
		}
	}
	return s.decimals > 0
}

// add adds text.
func (s *section) add(text string) {
	if s.point {
		s.after += text
		return
	}
	s.pieces = append(s.pieces, piece{text: text})
}

// bracket reads what stands in brackets, as it is written and in small letters.
func (s *section) bracket(text, small string) {
	if m := conditions.FindStringSubmatch(small); m != nil {
		s.condition = m[1]
		s.limit, _ = strconv.ParseFloat(m[2], 64) // 0 for what is no number
	}
	switch {
	case small != "" && strings.Trim(small, small[:1]) == "" && strings.Contains("hms", small[:1]):
		s.kind, s.time, s.elapsed = dateNumber, true, true
	case strings.HasPrefix(text, "$"):
		currency, _, _ := strings.Cut(text[1:], "-")
		s.add(currency)
	}
}

// digit reads a part of a section of numbers.
func (s *section) digit(part string) {
	switch part {
	case "0", "#", "?":
		if s.point {
			s.decimals++
		} else {
			s.pieces = append(s.pieces, piece{place: part[0]})
		}
	case ".":
		s.point = true
	case ",": // between digits
	case "/":
		s.odd = s.odd || s.hasPlaces()
		s.add(part)
	case "%":
		s.percents++
		s.add(part)
	default:
		s.add(part)
	}
}

// show returns a number as the section shows it; false for dates that there are not. Digits are
// not grouped, and have no zeros behind a decimal point at their end. Dates and times are written
// as ISO 8601 has them.
func (s section) show(n float64, since1904 bool) (string, bool) {
	switch s.kind {
	case dateNumber:
		return s.showDate(n, since1904)
	case generalNumber:
		text := join(decimal(n, 0, -1))
		if len(s.pieces) > 0 {
			text = s.around(text)
		}
		return s.signed(n, text), true
	}
	whole, fraction := decimal(n, 2*s.percents, s.decimals)
	text := strings.TrimSpace(join(s.fill(strings.TrimLeft(whole, "0")), fraction) + s.after)
	if whole == "0" && fraction == "" {
		n = 0
	}
	return s.signed(n, text), true
}

// signed returns the text of a number with its sign, unless the section has one.
func (s section) signed(n float64, text string) string {
	if n < 0 && !s.negates {
		return "-" + text
	}
	return text
}

// around returns a number with the text around it.
func (s section) around(digits string) string {
	var text strings.Builder
	for _, p := range s.pieces {
		if p.place == number {
			text.WriteString(digits)
		}
		text.WriteString(p.text)
	}
	return strings.TrimSpace(text.String())
}

// fill returns the pieces with digits in their places, from the right. The first place takes all
// that are left.
func (s section) fill(digits string) string {
	text, places := "", 0
	for _, p := range s.pieces {
		if p.place != 0 {
			places++
		}
	}
	if places == 0 && s.point {
		text, digits = digits, ""
	}
	for i := len(s.pieces) - 1; i >= 0; i-- {
		p := s.pieces[i]
		if p.place == 0 {
			text = p.text + text
			continue
		}
		from := max(0, len(digits)-1)
		if places--; places == 0 {
			from = 0
		}
		if digits == "" && p.place == '0' {
			text = "0" + text
		}
		text, digits = digits[from:]+text, digits[:from]
	}
	return text
}

func join(whole, fraction string) string {
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

// decimal returns the digits of a number without its sign, in front of the decimal point and
// behind it, times a power of ten, rounded to some decimals where these are not negative. It has 15
// digits, as in sheets, but all of a whole number that is stored exactly.
func decimal(n float64, power, decimals int) (whole, fraction string) {
	precision := 15
	if n == math.Trunc(n) && math.Abs(n) < 1<<53 {
		precision = 17
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(math.Abs(n), 'e', precision-1, 64), "e")
	point, _ := strconv.Atoi(exponent) // it is one
	digits := mantissa[:1] + mantissa[2:]
	if point += 1 + power; point < 0 {
		digits, point = strings.Repeat("0", -point)+digits, 0
	}
	if missing := point - len(digits); missing > 0 {
		digits += strings.Repeat("0", missing)
	}
	if keep := point + decimals; decimals >= 0 && keep < len(digits) {
		up := digits[keep] >= '5'
		digits = digits[:keep]
		if up {
			digits = increment(digits)
			point += len(digits) - keep
		}
	}
	whole = strings.TrimLeft(digits[:point], "0")
	if whole == "" {
		whole = "0"
	}
	return whole, strings.TrimRight(digits[point:], "0")
}

// increment adds one to the last of some digits.
func increment(digits string) string {
	d := []byte(digits)
	for i := len(d) - 1; i >= 0; i-- {
		if d[i] != '9' {
			d[i]++
			return string(d)
		}
		d[i] = '0'
	}
	return "1" + string(d)
}

// The days that sheets have.
const (
	daysTo1904 = 1462      // from day 0 of other workbooks to that of those that count from 1904
	lastDay    = 2_958_465 // 31 December 9999
	leapDay    = 60        // 29 February 1900, which sheets have and no calendar
)

// dayZero is day 0 of the days from March 1900 on.
var dayZero = time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)

// showDate returns a number of days as a date, a time or both: without the time where that is
// midnight.
func (s section) showDate(n float64, since1904 bool) (string, bool) {
	if math.Abs(n) > lastDay {
		return "", false
	}
	seconds := int64(math.Round(n * 24 * 60 * 60))
	if s.elapsed {
		abs := max(seconds, -seconds)
		return s.signed(n, fmt.Sprintf("%d:%02d:%02d", abs/3600, abs/60%60, abs%60)), true
	}
	day := seconds / (24 * 60 * 60)
	clock := dayZero.Add(time.Duration(seconds%(24*60*60)) * time.Second).Format(time.TimeOnly)
	switch {
	case n < 0:
		return "", false
	case !s.date:
		return clock, true
	case since1904:
		day += daysTo1904
	case day == 0 || day == leapDay:
		return "", false
	case day < leapDay:
		day++
	}
	text := dayZero.AddDate(0, 0, int(day)).Format(time.DateOnly)
	if s.time && clock != "00:00:00" {
		text += " " + clock
	}
	return text, day <= lastDay
}
