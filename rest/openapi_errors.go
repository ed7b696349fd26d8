package rest

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/errs"
	"workforce/internal/rootfield"
)

// failures describes the errors of an endpoint, by status.
func (d *description) failures(e *endpoint) object {
	byStatus := map[string][]errs.Code{}
	for _, code := range e.codes() {
		status := strconv.Itoa(code.Status())
		byStatus[status] = append(byStatus[status], code)
	}
	all := object{}
	for status, codes := range byStatus {
		all[status] = d.failure(codes)
	}
	return all
}

// codes returns the codes that an endpoint may fail with, sorted: those that follow
// from its members and directives, and those that its descriptions name.
func (e *endpoint) codes() []errs.Code {
	found := map[errs.Code]bool{errs.UpgradeRequired: true, errs.Internal: true, errs.Unavailable: true}
	note := func(codes ...errs.Code) {
		for _, c := range codes {
			found[c] = true
		}
	}
	for _, f := range rootfield.Selected(e.def.SelectionSet) {
		facts := rootfield.Read(f.Definition)
		if len(facts.Token.Kinds) > 0 && !facts.Token.Optional {
			note(errs.Unauthenticated)
		}
		if facts.Limit.Event != "" {
			note(errs.RateLimited)
		}
		if e.def.Operation == ast.Mutation && facts.Access.Resource != "" {
			note(errs.Forbidden)
		}
		if e.def.Operation == ast.Mutation && !facts.NeverRemembered {
			note(errs.IdempotencyInProgress, errs.IdempotencyMismatch, errs.Invalid) // of Idempotency-Key
		}
		note(mentioned(f.Definition.Description)...)
	}
	if len(e.members) > 0 {
		note(errs.Invalid, errs.BadRequest)
	}
	if e.hasBody() {
		note(errs.BadRequest, errs.PayloadTooLarge, errs.UnsupportedMediaType)
	}
	for _, m := range e.members {
		if m.Type.Name() == "ID" || e.inPath(m.wire) {
			note(errs.NotFound)
		}
		note(mentioned(m.doc)...)
	}
	if root := e.responseField(); root != nil && !root.Definition.Type.NonNull && !e.nullable {
		note(errs.NotFound)
	}
	note(mentioned(e.def.Description)...)
	return slices.DeleteFunc(errs.Codes(), func(c errs.Code) bool { return !found[c] })
}

var codeName = regexp.MustCompile(`\b[A-Z]+(_[A-Z]+)*\b`)

// mentioned returns the codes of the catalogue that a description names.
func mentioned(description string) (codes []errs.Code) {
	for _, word := range codeName.FindAllString(description, -1) {
		if _, ok := errs.Describe(word); ok && word != errs.Internal.String() {
			codes = append(codes, errs.Code(word))
		}
	}
	return codes
}

// failure describes the response of one status: a component for a single code, which
// many endpoints share.
func (d *description) failure(codes []errs.Code) any {
	for _, c := range codes {
		d.codes[c] = true
	}
	if len(codes) == 1 {
		return ref{"#/components/responses/" + codes[0].String()}
	}
	return failureResponse(codes)
}

// failureResponse describes an error of one of some codes.
func failureResponse(codes []errs.Code) object {
	var titles []string
	names, examples := []any{}, object{}
	for _, c := range codes {
		entry, _ := errs.Describe(c.String())
		titles = append(titles, c.String()+" ("+entry.En.Title+")")
		names = append(names, c.String())
		examples[c.String()] = ref{"#/components/examples/" + c.String()}
	}
	body := object{
		"schema": object{"allOf": []any{
			ref{"#/components/schemas/Problem"},
			object{"properties": object{"code": object{"enum": names}}},
		}},
		"examples": examples,
	}
	return object{
		"description": strings.Join(titles, ", ") + ".",
		"headers":     failureHeaders(codes),
		"content": object{
			"application/json":         body,
			"application/problem+json": object{"schema": ref{"#/components/schemas/Problem"}},
		},
	}
}

// failureHeaders lists the headers of an error of one of some codes.
func failureHeaders(codes []errs.Code) object {
	names := []string{"X-Req-Id"}
	for _, c := range codes {
		switch {
		case c.Status() == http.StatusUnauthorized:
			names = append(names, "WWW-Authenticate")
		case c == errs.RateLimited:
			names = append(names, "Retry-After", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
		case c == errs.Unavailable || c == errs.IdempotencyInProgress || c == errs.ReportNotReady:
			names = append(names, "Retry-After")
		case c == errs.UpgradeRequired:
			names = append(names, "Upgrade")
		}
	}
	return headerRefs(names...)
}

func headerRefs(names ...string) object {
	refs := object{}
	for _, name := range names {
		refs[name] = ref{"#/components/headers/" + name}
	}
	return refs
}

// fact matches the names of the facts in the template of a message.
var fact = regexp.MustCompile(`{{(?:with )?\.(\w+)}}`)

// problemExample returns an error of a code as it is sent, in English.
func problemExample(code errs.Code, base string) *errs.Problem {
	entry, _ := errs.Describe(code.String())
	meta := errs.Meta{}
	for _, m := range fact.FindAllStringSubmatch(entry.En.Detail, -1) {
		meta[m[1]] = factExample(m[1])
	}
	err := errs.New(code, meta)
	if code == errs.Invalid {
		err = errs.Because("name", errs.Required, nil)
	}
	p := errs.ProblemOf(err, "en")
	p.Type, p.RequestID = base+"/errors/"+p.Code, "8e03978e-40d5-43dd-bc93-6894a57f9324"
	return p
}

// factExample returns a value for a fact: a number, a time or a word, as its name says.
func factExample(name string) any {
	ends := func(suffixes ...string) bool {
		return slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(strings.ToLower(name), s) })
	}
	switch {
	case ends("meters", "seconds"):
		return 100
	case ends("min"):
		return 8
	case ends("max"):
		return 128
	case ends("limit"):
		return 1 << 20
	case ends("version"):
		return "2.3.0"
	case ends("since", "from", "until", "earliest", "latest"):
		return exampleTime
	case ends("token"):
		return "access"
	}
	return cmp.Or(name, "…")
}
