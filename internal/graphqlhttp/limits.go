package graphqlhttp

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/lexer"

	"workforce/internal/errs"
	"workforce/internal/operation"
)

// guard refuses operations that are beyond the limits.
type guard struct{ *API }

var _ interface {
	graphql.HandlerExtension
	graphql.OperationParameterMutator
	graphql.OperationContextMutator
} = guard{}

// ExtensionName implements graphql.HandlerExtension.
func (guard) ExtensionName() string { return "Guard" }

// Validate implements graphql.HandlerExtension.
func (guard) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationParameters refuses texts that are costly to parse or to
// validate. Those of prepared operations are parsed already.
func (guard) MutateOperationParameters(ctx context.Context, p *graphql.RawParams) *gqlerror.Error {
	if operation.From(ctx) != nil {
		return nil
	}
	return checkText(p.Query)
}

// checkText refuses a text with too many tokens or too deep nesting.
func checkText(text string) *gqlerror.Error {
	tokens, nesting := scan(text)
	return firstOver([]limit{{"tokens", tokens, MaxTokens}, {"nesting", nesting, MaxNesting}})
}

// MutateOperationContext refuses operations that are costly to execute.
func (g guard) MutateOperationContext(ctx context.Context, oc *graphql.OperationContext) *gqlerror.Error {
	if p := operation.From(ctx); p != nil && p.Trusted {
		return nil
	}
	asked := extentOf(g.documents.schema, oc.Operation.SelectionSet, oc.Variables)
	if err := firstOver([]limit{
		{"depth", asked.Depth, MaxDepth},
		{"rootFields", asked.RootFields, MaxRootFields},
		{"fields", asked.Fields, MaxFields},
		{"conditions", asked.Conditions, MaxConditions},
		{"edges", asked.Edges, MaxEdges},
		{"cost", asked.Cost, MaxCost},
		{"answer", asked.Bytes, operation.MaxAnswer},
	}); err != nil {
		return err
	}
	if err := asked.Faults.Err(); err != nil {
		return gqlerror.Wrap(err)
	}
	if asked.Defers {
		return Refuse(errs.BadRequest, nil, "@defer is not supported.")
	}
	if !asked.Introspects {
		return nil
	}
	if !g.mayIntrospect(ctx) {
		return Refuse(errs.Forbidden, nil, "Introspection is not allowed.")
	}
	oc.DisableIntrospection = false
	return nil
}

type limit struct {
	name     string
	got, max int
}

// firstOver returns a BAD_REQUEST for the first limit that is passed. Its meta is limit,
// the name, max, and got, how much the operation has at least.
func firstOver(limits []limit) *gqlerror.Error {
	for _, l := range limits {
		if l.got > l.max {
			text := limitTexts[l.name]
			return Refuse(errs.BadRequest, errs.Meta{"limit": l.name, "max": l.max, "got": l.got}, text.english(l.max, l.got))
		}
	}
	return nil
}

// scan counts the tokens of a text and how deep its brackets nest, as far as
// the limits reach. What cannot be read is left for the parser to report.
func scan(text string) (tokens, nesting int) {
	lex := lexer.New(&ast.Source{Input: text})
	for open := 0; tokens <= MaxTokens; tokens++ {
		t, err := lex.ReadToken()
		if err != nil {
			break
		}
		switch t.Kind {
		case lexer.EOF:
			return tokens, nesting
		case lexer.BraceL, lexer.BracketL, lexer.ParenL:
			open++
			nesting = max(nesting, open)
		case lexer.BraceR, lexer.BracketR, lexer.ParenR:
			open--
		}
	}
	return tokens, nesting
}
