package fuzz

import (
	"encoding/json"
	"fmt"
	"strings"

	"workforce/internal/demo"
)

// text is text for a member: what such a member holds, or something else.
func (d *driver) text(name string) string {
	lower := strings.ToLower(name)
	if d.IntN(4) > 0 {
		switch {
		case strings.Contains(lower, "password"):
			return one(d, demo.Password, "another-secret-7", "short", "a.b.c.d.e")
		case strings.Contains(lower, "email"), lower == "username":
			return one(d, people["budi"], people["andini"], "nobody@demo.test", "08401100003", fmt.Sprintf("x%d@demo.test", d.IntN(1000)))
		case strings.HasSuffix(lower, "id"), strings.HasSuffix(lower, "ids"):
			return fmt.Sprint(1 + d.IntN(60))
		case strings.HasSuffix(lower, "on"), strings.Contains(lower, "date"):
			return one(d, "2026-03-10", "2026-02-29", "0000-00-00", "9999-12-31", "2026-3-1", "10000-01-01")
		case strings.HasSuffix(lower, "at"), strings.HasSuffix(lower, "atgt"), strings.HasSuffix(lower, "atlt"):
			return one(d, "2026-03-10T09:00:00+07:00", "2026-03-10T02:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z", "2026-03-10T24:00:00Z", "2026-03-10 09:00:00 07:00")
		case strings.HasPrefix(lower, "latitude"):
			return one(d, "-6.2", "90", "91", "1e1", "0x1p3", "NaN")
		case strings.HasPrefix(lower, "longitude"):
			return one(d, "106.816666", "180", "-180.0000001", "Inf")
		case lower == "otp":
			return one(d, "000000", "123456", "12", "abcdef")
		case lower == "platform":
			return one(d, "android", "ios", "web", "symbian")
		}
	}
	return one(d, "", " ", "a", "Budi", "%", "_", `\`, "'", `"; --`, "\x00", "a\x00b", "\n", "\u202e", "\ufeff", "\U0001f600", "e\u0301", "\u0130", "\u00df", "１２", "-1", "0", "1", "007",
		"9223372036854775808", "1e309", "NaN", "null", "true", "{}", "[]", "2026-03-10", "id", "en", "xx-YY", "android", "../../x", "{{x}}", "${x}", strings.Repeat("a", 251), strings.Repeat("é", 101),
		strings.Repeat("x", 5000), fmt.Sprint(d.IntN(100)))
}

func (d *driver) integer() any {
	return one[any](d, 1, 2, 3, d.IntN(100), 0, -1, 1000, 1001, 1<<31, -1<<31, 1<<53+1, json.Number("9223372036854775808"), json.Number("1e3"), json.Number("1.5"), json.Number("1e400"), "5")
}

func (d *driver) number() any {
	return one[any](d, 1, 0, -6.2, 106.816666, d.NormFloat64(), 1e308, -1e308, 5e-324, json.Number("1e400"), json.Number("-0"), json.Number("0."+strings.Repeat("9", 400)), "1.5", "0x1p3")
}

// other is any value that JSON has.
func (d *driver) other(depth int) any {
	switch k := d.IntN(8); {
	case k == 0 && depth > 0:
		list := []any{}
		for range d.IntN(4) {
			list = append(list, d.other(depth-1))
		}
		return list
	case k == 1 && depth > 0:
		object := map[string]any{}
		for range d.IntN(4) {
			object[d.text("id")] = d.other(depth - 1)
		}
		return object
	case k == 2:
		return nil
	case k == 3:
		return d.IntN(2) == 0
	case k == 4:
		return d.integer()
	case k == 5:
		return d.number()
	}
	return d.text("")
}
