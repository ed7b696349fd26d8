package textform

import (
	"net/http"
	"strings"
)

// IsPage reports whether UTF-8 without a byte order mark is a web page by how it begins.
func IsPage(data []byte) bool { return strings.HasPrefix(http.DetectContentType(data), "text/html") }
