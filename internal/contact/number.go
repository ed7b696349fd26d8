package contact

import (
	"database/sql/driver"
	"fmt"
	"strconv"
	"strings"

	"github.com/nyaruka/phonenumbers"
)

// Number is a phone number as a person entered it: the country code apart, the
// rest formatted or not. Both are nil when no number is registered.
type Number struct {
	CountryCode *int
	Number      *string
}

// NoNumber returns the number of somebody who has none.
func NoNumber() Number { return Number{} }

// Value stores the number as "62 0811-123", or "" for none.
func (n Number) Value() (driver.Value, error) {
	if n.CountryCode == nil && n.Number == nil {
		return "", nil
	}
	var code, rest string
	if n.CountryCode != nil {
		code = strconv.Itoa(*n.CountryCode)
	}
	if n.Number != nil {
		rest = *n.Number
	}
	return code + " " + rest, nil
}

// Scan reads what Value stored.
func (n *Number) Scan(src any) error {
	*n = Number{}
	var text string
	switch v := src.(type) {
	case nil:
		return nil
	case string:
		text = v
	case []byte:
		text = string(v)
	default:
		return fmt.Errorf("contact: cannot read a number from %T", src)
	}
	if text == "" {
		return nil
	}
	code, rest := Stored(text)
	if code != "" {
		c, err := strconv.Atoi(code)
		if err != nil {
			return fmt.Errorf("contact: stored number: %w", err)
		}
		n.CountryCode = &c
	}
	if rest != "" {
		n.Number = &rest
	}
	return nil
}

// Stored parts what Value stored: "" stands for none.
func Stored(text string) (code, number string) {
	code, number, _ = strings.Cut(text, " ")
	return code, number
}

// SplitNumber parts a number in E.164 into its country code and the rest.
func SplitNumber(key string) Number {
	n, err := phonenumbers.Parse(key, "")
	if err != nil {
		return NoNumber()
	}
	code, rest := int(n.GetCountryCode()), phonenumbers.GetNationalSignificantNumber(n)
	return Number{CountryCode: &code, Number: &rest}
}
