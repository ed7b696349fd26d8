package pages

import (
	"maps"
	"net/http"
	"regexp"
	"slices"

	"workforce/internal/errs"
	"workforce/internal/request"
)

// A codePage explains one error code, in each language.
type codePage struct {
	Code      string
	Status    int
	Reason    string // text of the status
	Texts     []codeText
	Conflicts []conflictText // of CONFLICT
}

// A conflictText is the message of a reason of CONFLICT in each language.
type conflictText struct {
	Reason errs.ConflictReason
	En, ID string
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
	page := codePage{Code: name, Status: entry.Status, Reason: http.StatusText(entry.Status), Texts: []codeText{
		{"en", entry.En.Title, sample(errs.New(code, named(entry.En.Detail)), "en")},
		{"id", entry.ID.Title, sample(errs.New(code, named(entry.ID.Detail)), "id")},
	}}
	if code == errs.Conflict {
		page.Conflicts = conflicts()
	}
	show(w, "code.html", page)
}

// conflicts returns the messages of the reasons of CONFLICT, sorted.
func conflicts() (list []conflictText) {
	texts := errs.ConflictTexts()
	for _, reason := range slices.Sorted(maps.Keys(texts)) {
		err := errs.Conflicts(reason, "", named(texts[reason][0]))
		list = append(list, conflictText{reason, sample(err, "en"), sample(err, "id")})
	}
	return list
}

// fact matches the names of the facts in the template of a message.
var fact = regexp.MustCompile(`{{(?:with )?\$?\.(\w+)}}`)

// named returns the facts of a template, each with its name for a value, such as
// ‹distanceMeters›.
func named(template string) errs.Meta {
	meta := errs.Meta{}
	for _, m := range fact.FindAllStringSubmatch(template, -1) {
		meta[m[1]] = "‹" + m[1] + "›"
	}
	return meta
}

// sample returns the message of an error in a language.
func sample(err error, lang string) string { return errs.ProblemOf(err, lang).Detail }
