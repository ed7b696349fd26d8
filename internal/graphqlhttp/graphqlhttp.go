// Package graphqlhttp serves GraphQL over HTTP: the transports of /graphql, the
// limits of what a client may ask for, and the shape of errors.
package graphqlhttp

import (
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// The limits of a client's request. The server's own documents, see Trust, are
// held to MaxTokens alone.
const (
	MaxBytes      = 256 << 10 // of a body, or of a query string
	MaxTokens     = 1000      // of a document, comments included
	MaxNesting    = 40        // brackets of any kind inside each other
	MaxDepth      = 15        // fields inside each other
	MaxRootFields = 30
	MaxFields     = 500
	MaxCost       = 20_000 // objects that may be returned

	DefaultTimeout = 10 * time.Second // of one operation
)

const (
	defaultLength = 50      // of a list that is asked for without a length
	maxErrors     = 20      // shown of those that a document has
	maxDocuments  = 256     // kept parsed and validated
	maxDocument   = 8 << 10 // bytes of text of one that is kept
)

// Configure sets the limits of srv, and how it parses, validates and keeps
// documents. Introspection is refused with FORBIDDEN unless introspect, which
// is asked only where an operation needs it, returns true; nil never does.
func Configure(srv *handler.Server, introspect func(context.Context) bool) {
	srv.SetParserTokenLimit(MaxTokens)
	srv.SetDisableSuggestion(true)
	srv.SetValidationRulesFn(rulesWithoutSuggestions)
	srv.SetQueryCache(newDocuments())
	srv.Use(guard{introspect})
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

// documents keeps the most recently used documents that are short, so that
// clients cannot fill the memory.
type documents struct {
	*lru.LRU[*ast.QueryDocument]
}

var _ graphql.Cache[*ast.QueryDocument] = documents{}

func newDocuments() documents {
	return documents{lru.New[*ast.QueryDocument](maxDocuments)}
}

// Add implements graphql.Cache.
func (d documents) Add(ctx context.Context, text string, doc *ast.QueryDocument) {
	if len(text) <= maxDocument {
		d.LRU.Add(ctx, text, doc)
	}
}
