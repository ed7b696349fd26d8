package pages

import (
	"net/http"
	"regexp"

	"workforce/internal/errs"
	"workforce/internal/request"
)

// A codePage explains one error code, in each language.
type codePage struct {
	Code   string
	Status int
	Reason string // text of the status
	Texts  []codeText
}

// A codeText is the title and message of a code in one language.
type codeText struct{ Lang, Title, Detail string }

// showCode answers /errors/{code}, the type of every error of that code.
func showCode(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("code")
	entry, ok := errs.Describe(name)
	if !ok {
		request.Fail(w, r, errs.New(errs.NotFound, nil))
		return
	}
	code := errs.Code(name)
	if name == errs.Internal.String() {
		code = errs.Internal
	}
	show(w, "code.html", codePage{name, entry.Status, http.StatusText(entry.Status), []codeText{
		{"en", entry.En.Title, sample(code, entry.En, "en")},
		{"id", entry.ID.Title, sample(code, entry.ID, "id")},
	}})
}

// fact matches the names of the facts in the template of a message.
var fact = regexp.MustCompile(`{{(?:with )?\$?\.(\w+)}}`)

// sample returns a code's message with the name of each fact in its place, such
// as "You are ‹distanceMeters› m from ‹address›".
func sample(code errs.Code, text errs.Text, lang string) string {
	meta := errs.Meta{}
	for _, m := range fact.FindAllStringSubmatch(text.Detail, -1) {
		meta[m[1]] = "‹" + m[1] + "›"
	}
	return errs.ProblemOf(errs.New(code, meta), lang).Detail
}
