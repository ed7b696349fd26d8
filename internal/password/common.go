package password

import (
	_ "embed"
	"strings"
)

// commonList holds 10,000 of the most common passwords of MinLength characters
// or more, as shorter ones are refused anyway: lower-case ASCII, one a line, in
// the order of their bytes. common.LICENSE tells their origin.
//
//go:embed common.txt
var commonList string

// common reports whether a password is on the list, ignoring case.
func common(password string) bool {
	password = strings.ToLower(password)
	low, high := 0, len(commonList) // starts of lines, or the end
	for low < high {
		start := low + strings.LastIndexByte(commonList[low:(low+high)/2], '\n') + 1
		line, _, _ := strings.Cut(commonList[start:high], "\n")
		switch strings.Compare(password, line) {
		case -1:
			high = start
		case 0:
			return true
		case 1:
			low = start + len(line) + len("\n")
		}
	}
	return false
}
