// Package graphqlhttp serves GraphQL over HTTP: the transports of /graphql, the
// limits of what a client may ask for, and the shape of errors.
package graphqlhttp

import (
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"workforce/internal/deprecation"
	"workforce/internal/operation"
	"workforce/internal/variables"
)

// The limits of a client's request. The server's own documents are held to
// MaxTokens alone.
const (
	MaxBytes      = 256 << 10           // of a body, or of a query string
	MaxTokens     = operation.MaxTokens // of a document, comments included
	MaxNesting    = 40                  // brackets of any kind inside each other
	MaxDepth      = 15                  // fields inside each other
	MaxRootFields = 30
	MaxFields     = 500
	MaxCost       = 20_000 // of objects that may be returned, of filters and passwords; see package cost
	MaxValues     = 5000   // in the variables of a request

	DefaultTimeout = operation.Timeout // of one operation
)

// An API is what the transports of /graphql share.
type API struct {
	Types   *variables.Types // of the schema
	Check   operation.Check  // may be nil
	Admit   operation.Admit  // may be nil
	End     operation.End    // may be nil
	Timeout time.Duration    // of an operation; zero is DefaultTimeout
	Streams Streams          // of subscriptions; nil refuses them
	Alive   time.Duration    // between signs of life of a connection that listens; zero is keepAlive
	Hashes  Hashes           // documents that clients may name by their hash

	uses       deprecation.Uses
	slots      slots
	documents  documents
	introspect func(context.Context) bool // nil: never
}

// New returns the API of a schema.
func New(schema *ast.Schema, types *variables.Types, check operation.Check, admit operation.Admit) *API {
	return &API{
		Types: types, Check: check, Admit: admit,
		uses: deprecation.NewUses(schema), documents: newDocuments(schema), slots: newSlots(),
	}
}

// Install adds the API's transports to srv, after all others, and sets how srv
// limits, parses, validates and keeps documents. Unless introspect, which is called
// only where an operation needs it, returns true, introspection is refused with
// FORBIDDEN, and the errors of invalid documents tell nothing of the schema; nil
// never does.
func (a *API) Install(srv *handler.Server, introspect func(context.Context) bool) {
	a.introspect = introspect
	srv.AddTransport(WebSocket{a})
	srv.AddTransport(SSE{a})
	srv.AddTransport(POST{a})
	srv.AddTransport(Multipart{a})
	srv.AddTransport(GET{a})
	srv.AddTransport(Fallback{})
	srv.SetParserTokenLimit(MaxTokens)
	srv.SetDisableSuggestion(true)
	srv.SetValidationRulesFn(rulesWithoutSuggestions)
	srv.SetQueryCache(operation.Cache{Cache: a.documents})
	srv.Use(operation.Extension{})
	srv.Use(guard{a})
}

// mayIntrospect reports whether the schema is shown to the caller.
func (a *API) mayIntrospect(ctx context.Context) bool {
	return a.introspect != nil && a.introspect(ctx)
}

// rulesWithoutSuggestions are the default rules, none of which names a part of
// the schema that the client did not name first.
func rulesWithoutSuggestions() *rules.Rules {
	r := rules.NewDefaultRules()
	for _, old := range []core.Rule{
		rules.FieldsOnCorrectTypeRule, rules.KnownArgumentNamesRule, rules.KnownTypeNamesRule,
		rules.ScalarLeafsRule, rules.ValuesOfCorrectTypeRule,
	} {
		r.RemoveRule(old.Name)
	}
	for _, quiet := range []core.Rule{
		rules.FieldsOnCorrectTypeRuleWithoutSuggestions, rules.KnownArgumentNamesRuleWithoutSuggestions,
		rules.KnownTypeNamesRuleWithoutSuggestions, rules.ScalarLeafsRuleWithoutSuggestions,
		rules.ValuesOfCorrectTypeRuleWithoutSuggestions,
	} {
		r.AddRule(quiet.Name, quiet.RuleFunc)
	}
	return r
}

// numberRules come before the others, which would report a number out of range again for
// each object around it, and quote the whole object each time.
func numberRules() *rules.Rules {
	return rules.NewRules(core.Rule{Name: "NumbersInRange", RuleFunc: numbersInRange})
}

// numbersInRange refuses numbers that no variable could hold, such as 1e400: where the
// type is a scalar of ours, no other rule looks at them.
func numbersInRange(observers *core.Events, addError core.AddErrFunc) {
	observers.OnValue(func(_ *core.Walker, v *ast.Value) {
		if v.Kind != ast.IntValue && v.Kind != ast.FloatValue {
			return
		}
		if _, err := v.Value(nil); err != nil {
			addError(core.Message("The number %s is out of range.", v.Raw), core.At(v.Position))
		}
	})
}
