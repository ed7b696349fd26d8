package operation

import (
	"context"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// lender is a schema whose answers are in buffers of their operation's loan.
type lender struct {
	recorder
	lent *[]byte
	loan *Loan
}

func (l *lender) Exec(ctx context.Context) graphql.ResponseHandler {
	l.loan = LoanFrom(ctx)
	l.lent = Buffer()
	*l.lent = append((*l.lent)[:0], `{"f":1}`...)
	if l.loan != nil {
		l.loan.Buffers = append(l.loan.Buffers, l.lent)
	}
	return graphql.OneShot(&graphql.Response{Data: *l.lent})
}

// TestAnswer reuses the buffers of an answer that was written, once it was, and leaves
// those of any other alone.
func TestAnswer(t *testing.T) {
	l := &lender{recorder: recorder{schema: gqlparser.MustLoadSchema(&ast.Source{Input: "type Query { f: Int }"})}}
	exec := executor.New(l)
	exec.SetQueryCache(Cache{graphql.NoCache[*ast.QueryDocument]{}})
	exec.Use(Extension{})
	doc := gqlparser.MustLoadQueryWithRules(l.schema, "{ f }", nil)
	p, ctx := New(doc, doc.Operations[0]), graphql.StartOperationTrace(t.Context())
	// found looks for the buffer among those that are free: a pool may drop any.
	found := func() bool {
		for range 50 {
			if Buffer() == l.lent {
				return true
			}
		}
		return false
	}
	reused := 0
	for range 50 {
		p.Answer(ctx, exec, &graphql.RawParams{}, func(resp *graphql.Response) bool {
			if string(resp.Data) != `{"f":1}` || found() {
				t.Errorf("%s, in a buffer that others may have", resp.Data)
			}
			return true
		})
		if found() {
			reused++
		}
		p.Answer(ctx, exec, &graphql.RawParams{}, func(*graphql.Response) bool { return false })
		if found() {
			t.Fatal("the buffer of an answer is reused that was not written whole")
		}
	}
	if reused == 0 {
		t.Error("no buffer is reused")
	}
	p.Run(ctx, exec, &graphql.RawParams{})
	if l.loan != nil || found() {
		t.Error("the answer of an operation that somebody else writes is in a loan")
	}
	large := make([]byte, 0, maxReused+1)
	for range 50 {
		if Free(&large); Buffer() == &large {
			t.Fatal("a buffer of the largest answers is held")
		}
	}
}
