package operation

import (
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"
)

// buffers are reused for the texts of answers.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// Buffer returns a buffer to append to. Its bytes are of another answer.
func Buffer() *[]byte { return buffers.Get().(*[]byte) }

// Free has a buffer reused. Nobody may read any of its bytes from now on.
func Free(buffer *[]byte) { buffers.Put(buffer) }

// A Loan holds the buffers that the response to one operation is in. It is not safe for concurrent
// use. Nil leaves them to the garbage collector.
type Loan struct{ buffers []*[]byte }

type loanKey struct{}

// LoanFrom returns the loan of the operation of ctx; nil for none.
func LoanFrom(ctx context.Context) *Loan {
	l, _ := ctx.Value(loanKey{}).(*Loan)
	return l
}

// Keep adds a buffer, whose bytes are in the response.
func (l *Loan) Keep(buffer *[]byte) {
	if l != nil {
		l.buffers = append(l.buffers, buffer)
	}
}

// Answer executes the operation as Run does, and has the response written. The buffers that it is in are
// reused if write reports that all of it was written: what keeps any of it for longer must copy it.
func (p *Prepared) Answer(ctx context.Context, exec graphql.GraphExecutor, params *graphql.RawParams, write func(*graphql.Response) bool) {
	l := &Loan{}
	if !write(p.Run(context.WithValue(ctx, loanKey{}, l), exec, params)) {
		return // after an error somebody may still be writing
	}
	for _, b := range l.buffers {
		Free(b)
	}
	l.buffers = nil
}
