package openapi

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"workforce/internal/errs"
)

// ExampleTime is the instant of examples.
const ExampleTime = "2026-03-10T09:00:00+07:00"

// Failure describes an error of one of some codes.
func Failure(codes []errs.Code) Object {
	var titles []string
	names, examples := []any{}, Object{}
	for _, c := range codes {
		entry, _ := errs.Describe(c.String())
		titles = append(titles, c.String()+" ("+entry.En.Title+")")
		names = append(names, c.String())
		examples[c.String()] = Ref{"#/components/examples/" + c.String()}
	}
	body := Object{
		"schema": Object{"allOf": []any{
			Ref{"#/components/schemas/Problem"},
			Object{"properties": Object{"code": Object{"enum": names}}},
		}},
		"examples": examples,
	}
	return Object{
		"description": strings.Join(titles, ", ") + ".",
		"headers":     failureHeaders(codes),
		"content": Object{
			"application/json":         body,
			"application/problem+json": Object{"schema": Ref{"#/components/schemas/Problem"}},
		},
	}
}

// failureHeaders lists the headers of an error of one of some codes.
func failureHeaders(codes []errs.Code) Object {
	names := []string{"X-Req-Id"}
	for _, c := range codes {
		switch {
		case c.Status() == http.StatusUnauthorized:
			names = append(names, "WWW-Authenticate")
		case c == errs.RateLimited:
			names = append(names, "Retry-After", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
		case c == errs.Unavailable || c == errs.IdempotencyInProgress || c == errs.ReportNotReady:
			names = append(names, "Retry-After")
		case c == errs.RangeNotSatisfiable:
			names = append(names, "Content-Range")
		case c == errs.UpgradeRequired:
			names = append(names, "Upgrade")
		}
	}
	return HeaderRefs(names...)
}

func HeaderRefs(names ...string) Object {
	refs := Object{}
	for _, name := range names {
		refs[name] = Ref{"#/components/headers/" + name}
	}
	return refs
}

// fact matches the names of the facts in the template of a message.
var fact = regexp.MustCompile(`{{(?:with )?\$?\.(\w+)}}`)

// problemExample returns an error of a code as it is sent, in English.
func problemExample(code errs.Code, base string) *errs.Problem {
	entry, _ := errs.Describe(code.String())
	meta := errs.Meta{}
	for _, m := range fact.FindAllStringSubmatch(entry.En.Detail, -1) {
		meta[m[1]] = factExample(m[1])
	}
	err := errs.New(code, meta)
	switch code {
	case errs.Invalid:
		err = errs.Because("name", errs.Required, nil)
	case errs.Conflict:
		err = errs.Conflicts(errs.LockedPeriod, "", errs.Meta{"lockedFrom": "2026-03-01", "lockedUntil": "2026-03-31"})
	}
	p := errs.ProblemOf(err, "en")
	p.Type, p.RequestID = base+"/errors/"+p.Code, "8e03978e-40d5-43dd-bc93-6894a57f9324"
	return p
}

// factExample returns a value for a fact: a number, a time, a list or a word, as its name says.
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
	case ends("allowed"):
		return []string{"image/jpeg", "image/png", "image/webp"}
	case ends("since", "from", "until", "earliest", "latest"):
		at, err := time.Parse(time.RFC3339, ExampleTime)
		if err != nil {
			panic(err) // of a constant
		}
		return errs.Time{Time: at.In(time.FixedZone("WIB", 7*60*60))}
	case ends("token"):
		return "access"
	}
	return cmp.Or(name, "…")
}
