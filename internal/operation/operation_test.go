package operation

import (
	"context"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/errs"
)

// recorder is a schema that keeps the operations that it executes.
type recorder struct {
	schema *ast.Schema
	ran    *graphql.OperationContext
}

func (r *recorder) Schema() *ast.Schema { return r.schema }

func (*recorder) Complexity(context.Context, string, string, int, map[string]any) (int, bool) {
	return 0, false
}

func (r *recorder) Exec(ctx context.Context) graphql.ResponseHandler {
	r.ran = graphql.GetOperationContext(ctx)
	return graphql.OneShot(&graphql.Response{Data: []byte("{}")})
}

// TestRun shows that the executor takes document and variables as they are, and
// that it goes on checking all others.
func TestRun(t *testing.T) {
	r := &recorder{schema: gqlparser.MustLoadSchema(&ast.Source{Input: "type Query { f(n: Int!): Int }"})}
	exec := executor.New(r)
	exec.SetQueryCache(Cache{graphql.NoCache[*ast.QueryDocument]{}})
	exec.Use(Extension{})
	const text = "query A($n: Int!) { f(n: $n) } query B { f(n: 1) }"
	doc := gqlparser.MustLoadQueryWithRules(r.schema, text, nil)
	p := New(doc, doc.Operations[0])
	p.Variables = map[string]any{"n": "kept as it is"}
	params := &graphql.RawParams{Query: text, OperationName: "A"}
	if oc := p.Context(params); oc.Operation != doc.Operations[0] || oc.Variables != nil {
		t.Errorf("a check gets %+v", oc)
	}
	ctx := graphql.StartOperationTrace(t.Context())
	for range 2 {
		resp := p.Run(ctx, exec, params)
		if len(resp.Errors) > 0 || r.ran.Doc != doc || r.ran.Operation != doc.Operations[0] || r.ran.Variables["n"] != "kept as it is" || r.ran.RawQuery != text {
			t.Errorf("got %v, ran %+v", resp.Errors, r.ran)
		}
	}
	if _, invalid := exec.CreateOperationContext(ctx, params); len(invalid) != 1 {
		t.Errorf("an operation that was not prepared: %v, want one error for $n", invalid)
	}
}

func TestRecovered(t *testing.T) {
	if err := Recovered(t.Context(), nil, "boom"); !errs.Is(err, errs.Internal) || err.Error() != "INTERNAL: panic: boom" {
		t.Errorf("got %v", err)
	}
}
