package graphqlhttp

import (
	"cmp"
	"context"
	"errors"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"

	"workforce/internal/errs"
	"workforce/internal/jsonscan"
)

const (
	maxErrors    = 20      // shown of those that a document has
	maxDocuments = 256     // kept parsed and validated
	maxDocument  = 8 << 10 // bytes of text of one that is kept
)

// documents are clients' documents, parsed and validated. They keep the most
// recently used of those that are short, so that clients cannot fill the memory.
type documents struct {
	schema *ast.Schema
	*lru.LRU[*ast.QueryDocument]
}

var _ graphql.Cache[*ast.QueryDocument] = documents{}

func newDocuments(schema *ast.Schema) documents {
	return documents{schema, lru.New[*ast.QueryDocument](maxDocuments)}
}

// Add implements graphql.Cache.
func (d documents) Add(ctx context.Context, text string, doc *ast.QueryDocument) {
	if len(text) <= maxDocument {
		d.LRU.Add(ctx, text, doc)
	}
}

// load returns the document of a text within the limits, parsed and valid, or up to
// maxErrors errors. What is wrong with a document that does not fit the schema is
// told only if explain returns true: the message may name what the client does not
// know of.
func (d documents) load(ctx context.Context, text string, explain func(context.Context) bool) (*ast.QueryDocument, gqlerror.List) {
	if doc, ok := d.Get(ctx, text); ok {
		return doc, nil
	}
	if err := checkText(text); err != nil {
		return nil, gqlerror.List{err}
	}
	if !jsonscan.IsText([]byte(text)) { // GraphQL has JSON's escapes
		return nil, gqlerror.List{Refuse(errs.BadRequest, nil, "A text has NUL, or half of a surrogate pair.")}
	}
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: text}, MaxTokens)
	if err != nil {
		return nil, gqlerror.List{invalidDocument(asGraphQLError(err))}
	}
	if len(doc.Operations) == 0 {
		return nil, gqlerror.List{invalidDocument(gqlerror.Errorf("no operation provided"))}
	}
	invalid := validator.ValidateWithRules(d.schema, doc, numberRules())
	if len(invalid) == 0 {
		invalid = validator.ValidateWithRules(d.schema, doc, rulesWithoutSuggestions())
	}
	if len(invalid) > 0 {
		if !explain(ctx) {
			invalid[0].Message, invalid = "The document does not fit the schema.", invalid[:1]
		}
		invalid = invalid[:min(len(invalid), maxErrors)]
		for i, e := range invalid {
			invalid[i] = invalidDocument(e)
		}
		return nil, invalid
	}
	d.Add(ctx, text, doc)
	return doc, nil
}

// operationOf returns the operation of a document that has the name, or its only
// one for "".
func operationOf(doc *ast.QueryDocument, name string) (*ast.OperationDefinition, gqlerror.List) {
	op := doc.Operations.ForName(name)
	if op == nil {
		return nil, gqlerror.List{invalidDocument(gqlerror.Errorf("operation %s not found", name))}
	}
	return op, nil
}

func asGraphQLError(err error) *gqlerror.Error {
	if g, ok := errors.AsType[*gqlerror.Error](err); ok {
		return g
	}
	return gqlerror.Wrap(err)
}

// invalidDocument classifies what the parser or the validation reports. Clients
// see its text, which may quote the document.
func invalidDocument(g *gqlerror.Error) *gqlerror.Error {
	return &gqlerror.Error{Err: &developerError{text: clip(g.Message), rule: cmp.Or(g.Rule, syntaxRule), cause: errs.New(errs.BadRequest, nil)}, Locations: g.Locations}
}
