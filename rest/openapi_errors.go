package rest

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/errs"
	"workforce/internal/openapi"
	"workforce/internal/rootfield"
)

// failures describes the errors of an endpoint, by status.
func (d *description) failures(e *endpoint) openapi.Object {
	byStatus := map[string][]errs.Code{}
	for _, code := range e.codes() {
		status := strconv.Itoa(code.Status())
		byStatus[status] = append(byStatus[status], code)
	}
	all := openapi.Object{}
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
		if e.def.Operation == ast.Mutation && facts.Access.Resource != "" || facts.Widget != "" { // a page of another origin
			note(errs.Forbidden)
		}
		note(mentioned(f.Definition.Description)...)
	}
	if e.remembers() {
		note(errs.IdempotencyInProgress, errs.IdempotencyMismatch, errs.Invalid) // of Idempotency-Key
	}
	if len(e.members) > 0 {
		note(errs.Invalid, errs.BadRequest)
	}
	if e.file {
		note(errs.RangeNotSatisfiable, errs.PreconditionFailed)
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
		d.codes[c] = d.codes[c] || len(codes) == 1
	}
	if len(codes) == 1 {
		return openapi.Ref{Ref: "#/components/responses/" + codes[0].String()}
	}
	return openapi.Failure(codes)
}

// remembers reports whether the answers of an endpoint are remembered for requests with the same
// Idempotency-Key.
func (e *endpoint) remembers() bool {
	if e.def.Operation != ast.Mutation {
		return false
	}
	for _, f := range rootfield.Selected(e.def.SelectionSet) {
		if rootfield.Read(f.Definition).NeverRemembered {
			return false
		}
	}
	return true
}
