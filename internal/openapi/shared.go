package openapi

import (
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/errs"
	"workforce/internal/rootfield"
)

// requestHeaders are the headers of operations, besides tokens.
var requestHeaders = []struct {
	name, about string
	of          Kind // the operations that have it; "" for all
}{
	{"X-App-Version", "Version of the app, as in 2.3.0.", ""},
	{"X-Req-Id", "Names the request; echoed. On writes it makes a retry safe.", ""},
	{"X-Language", "Language of messages: id or en.", ""},
	{"Idempotency-Key", "Makes a retry safe; another body with the same key is refused.", Remembered},
	{"If-None-Match", "The ETag of an earlier answer: 304 where it still is the answer.", Tagged},
}

// A Kind of operation has headers of its own.
type Kind string

const (
	Remembered Kind = "remembered" // its answers are kept for a repetition
	Tagged     Kind = "tagged"     // its answers have an ETag
)

// RequestHeaders refers to the headers of an operation of a kind; "" for any other.
func RequestHeaders(kind Kind) (refs []any) {
	for _, h := range requestHeaders {
		if h.of == "" || h.of == kind {
			refs = append(refs, Ref{"#/components/parameters/" + h.name})
		}
	}
	return refs
}

// tokenHeaders are the security schemes by the names of the kinds of @token.
var tokenHeaders = map[string]struct{ scheme, header, about string }{
	"access":  {"accessToken", "x-Access-Token", "Access token."},
	"refresh": {"refreshToken", "x-Refresh-Token", "Refresh token."},
	"user":    {"userToken", "x-User-Token", "User token."},
	"device":  {"deviceToken", "X-Device-Token", "Device token."},
}

// TokenHeader returns the header of a kind of token, such as access.
func TokenHeader(kind string) string { return tokenHeaders[kind].header }

// replyHeaders are the headers of answers.
var replyHeaders = []struct {
	name, about string
	always      bool // on every answer that lists it
	kind        string
}{
	{"X-Req-Id", "X-Req-Id of the request, or one that was made.", true, "string"},
	{"Content-Language", "Language of the messages: id or en.", false, "string"},
	{"ETag", "Names the answer for If-None-Match.", false, "string"},
	{"Link", "RFC 8288: first, prev, next and last page with a limit; deprecation of what will go.", false, "string"},
	{"Deprecation", "RFC 9745: since when what the request uses is deprecated, as in @1795996800.", false, "string"},
	{"Sunset", "RFC 8594: until when it is there.", false, "string"},
	{"Idempotent-Replayed", "true where the answer is that of an earlier request, and nothing was done again.", false, "string"},
	{"RateLimit-Limit", "Calls that are allowed in the period.", false, "integer"},
	{"RateLimit-Remaining", "Calls that are left in the period.", false, "integer"},
	{"RateLimit-Reset", "Seconds until there are more.", false, "integer"},
	{"Retry-After", "Seconds after which to try again.", false, "integer"},
	{"Content-Range", "How many bytes the file has, as in bytes */1024.", false, "string"},
	{"Upgrade", "Platform and least version of the app, as in android/2.3.0.", false, "string"},
	{"WWW-Authenticate", "RFC 9110: that a bearer token is needed.", false, "string"},
}

const bearer = "bearer"

// Schemas is where references to named schemas begin.
const Schemas = "#/components/schemas/"

// A Part is what a document says of requests that are no endpoints of operation documents.
type Part struct {
	Paths           map[string]map[string]any // operations by path and method
	Webhooks        Object                    // requests that the service sends
	Tags            map[string]string         // descriptions by name
	Codes           []errs.Code               // whose responses are referred to
	Schemas         map[string]*Schema
	SecuritySchemes Object
}

// Components returns what operations refer to: the named schemas, the errors of some
// codes, with pages below base and a response for each that is the only one of a status,
// more security schemes, and what is the same for every service.
func Components(shapes map[string]*Schema, codes map[errs.Code]bool, base string,
	more Object) Object {
	schemas := Object{"Problem": problem()}
	for name, s := range shapes {
		schemas[name] = s
	}
	parameters := Object{}
	for _, h := range requestHeaders {
		parameters[h.name] = Object{"name": h.name, "in": "header", "description": h.about, "schema": Schema{Type: Types{"string"}}}
	}
	schemes := Object{bearer: Object{"type": "http", "scheme": "bearer", "description": "The token that the operation asks for."}}
	for _, t := range tokenHeaders {
		schemes[t.scheme] = Object{"type": "apiKey", "in": "header", "name": t.header, "description": t.about}
	}
	maps.Copy(schemes, more)
	headers, responses, examples := Object{}, Object{}, Object{}
	for _, h := range replyHeaders {
		header := Object{"description": h.about, "schema": Schema{Type: Types{h.kind}}}
		if h.always {
			header["required"] = true
		}
		headers[h.name] = header
	}
	for code, alone := range codes {
		if alone {
			responses[code.String()] = Failure([]errs.Code{code})
		}
		examples[code.String()] = Object{"value": problemExample(code, base)}
	}
	return Object{
		"schemas": schemas, "parameters": parameters, "securitySchemes": schemes,
		"headers": headers, "responses": responses, "examples": examples,
	}
}

// problem describes errs.Problem.
func problem() *Schema {
	text := func(about string) *Schema { return &Schema{Type: Types{"string"}, Description: about} }
	code := text("What went wrong.")
	for _, c := range errs.Codes() {
		code.Enum = append(code.Enum, c.String())
	}
	fault := &Schema{Type: Types{"object"}, Required: []string{"field", "code", "detail"}, Properties: Properties{
		{"field", text("Name of the member.")},
		{"code", text("What is wrong with it.")},
		{"detail", text("The same in words.")},
	}}
	conflict := text("Which conflict a CONFLICT is. The page about the code has the texts.")
	for _, reason := range slices.Sorted(maps.Keys(errs.ConflictTexts())) {
		conflict.Enum = append(conflict.Enum, string(reason))
	}
	meta := &Schema{Type: Types{"object"}, Description: "Facts of the error.", Properties: Properties{{"conflict", conflict}}, Additional: true}
	list := Properties{
		{"type", &Schema{Type: Types{"string"}, Format: "uri", Description: "Leads to a page about the code."}},
		{"code", code},
		{"title", text("The code in words.")},
		{"status", &Schema{Type: Types{"integer"}, Description: "The HTTP status."}},
		{"detail", text("What went wrong, in words.")},
		{"requestId", text("X-Req-Id of the request.")},
		{"errors", &Schema{Type: Types{"array"}, Items: fault, Description: "The members at fault."}},
		{"meta", meta},
	}
	s := &Schema{Type: Types{"object"}, Description: "An error (RFC 9457).", Properties: list}
	for _, p := range list {
		s.Required = append(s.Required, p.Name)
	}
	return s
}

// Security returns the ways to send the tokens that a root field takes: any one of
// the kinds, or all of them, and none where they are optional. The bearer value may
// stand for any one token.
func Security(f *ast.Field) []map[string][]string {
	t := rootfield.TokenOf(f.Definition)
	var schemes []string
	for _, kind := range t.Kinds {
		schemes = append(schemes, tokenHeaders[kind.Name()].scheme)
	}
	list := []map[string][]string{}
	if t.Optional {
		list = append(list, map[string][]string{})
	}
	if t.All && len(schemes) > 0 {
		return append(list, together(schemes)...)
	}
	for _, scheme := range schemes {
		list = append(list, map[string][]string{scheme: {}})
	}
	if len(schemes) > 0 {
		list = append(list, map[string][]string{bearer: {}})
	}
	return list
}

// together returns the ways to send tokens by all schemes: each in its header, or
// one of them as the bearer value.
func together(schemes []string) []map[string][]string {
	each := map[string][]string{}
	for _, scheme := range schemes {
		each[scheme] = []string{}
	}
	list := []map[string][]string{each}
	for _, scheme := range schemes {
		other := maps.Clone(each)
		delete(other, scheme)
		other[bearer] = []string{}
		list = append(list, other)
	}
	return list
}
