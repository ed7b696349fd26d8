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
	Text   string // of the status
	In     []wording
}

// A wording is what a code's page says in one language.
type wording struct {
	Lang, Title, Detail, Advice string
	MessageLabel, AdviceLabel   string
}

// explain answers /errors/{code}, where the type of every error leads to.
func explain(w http.ResponseWriter, r *http.Request) {
	entry, ok := errs.Describe(r.PathValue("code"))
	if !ok {
		request.Fail(w, r, errs.New(errs.NotFound, nil))
		return
	}
	code := errs.Code(r.PathValue("code"))
	if code == errs.Code(errs.Internal.String()) {
		code = errs.Internal
	}
	show(w, "code.html", codePage{
		Code: code.String(), Status: entry.Status, Text: http.StatusText(entry.Status),
		In: []wording{
			word(code, entry.En, "en", "What it says", "What to do"),
			word(code, entry.ID, "id", "Pesannya", "Yang dapat dilakukan"),
		},
	})
}

func word(code errs.Code, text errs.Text, lang, message, advice string) wording {
	return wording{lang, text.Title, sample(code, text, lang), adviceFor(code)[lang], message, advice}
}

// fact finds the names of the facts that a message is filled with.
var fact = regexp.MustCompile(`{{(?:with )?\.(\w+)}}`)

// sample words a code's message with the name of each fact in its place, so
// "You are ‹distanceMeters› m from ‹address›".
func sample(code errs.Code, text errs.Text, lang string) string {
	meta := errs.Meta{}
	for _, m := range fact.FindAllStringSubmatch(text.Detail, -1) {
		meta[m[1]] = "‹" + m[1] + "›"
	}
	return errs.ProblemOf(errs.New(code, meta), lang).Detail
}

// codeList answers /errors: every code, by status.
func codeList() http.HandlerFunc {
	type row struct {
		Code   errs.Code
		Status int
		En, ID string
	}
	var rows []row
	for _, code := range errs.Codes() {
		e, _ := errs.Describe(code.String())
		rows = append(rows, row{code, e.Status, e.En.Title, e.ID.Title})
	}
	return func(w http.ResponseWriter, _ *http.Request) { show(w, "codes.html", rows) }
}
