// Package docs holds the documents that the server shows.
package docs

import (
	_ "embed"
	"strings"
)

//go:embed introduction.md
var introduction string

// example is the address of the server in the examples of the introduction.
const example = "http://127.0.0.1:8080"

// Introduction returns what developers of clients read first, as the API reference shows it: in Markdown
// without its title, with the reference's links to headings, and with the address of a server in its
// examples; "" for that of the demo.
func Introduction(publicURL string) string {
	_, text, _ := strings.Cut(introduction, "\n\n")
	text = strings.ReplaceAll(text, "](#", "](#description/")
	if publicURL != "" {
		text = strings.ReplaceAll(text, example, strings.TrimSuffix(publicURL, "/"))
	}
	return text
}
