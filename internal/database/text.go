package database

import (
	"database/sql/driver"
	"errors"
	"strings"
	"unicode/utf8"
)

// errNotText is the error of a statement with a text that is not UTF-8, or has NUL. SQLite would
// store it, and no answer with it would be JSON.
var errNotText = errors.New("text that is not UTF-8 or has NUL is not sent to the database")

// checkText refuses arguments that are errNotText. Bytes are not looked at.
func checkText(args []driver.NamedValue) error {
	for _, arg := range args {
		if text, ok := arg.Value.(string); ok && (!utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0) {
			return errNotText
		}
	}
	return nil
}
