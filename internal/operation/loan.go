package operation

import (
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"
)

// maxReused is the largest buffer that is reused, in bytes: the answer with 10,000 people has 3 MB.
const maxReused = 4 << 20

// buffers are reused for the texts of answers.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// Buffer returns a buffer to append to. Its bytes are of another answer.
func Buffer() *[]byte { return buffers.Get().(*[]byte) }

// Free has a buffer reused. Nobody may read any of its bytes from now on.
func Free(buffer *[]byte) {
	if cap(*buffer) <= maxReused {
		buffers.Put(buffer)
	}
}

// A Loan holds the buffers that the response to one operation is in. It is not safe for concurrent use.
type Loan struct{ Buffers []*[]byte }

type loanKey struct{}

// LoanFrom returns the loan of the operation of ctx; nil where somebody may keep the response.
func LoanFrom(ctx context.Context) *Loan {
	l, _ := ctx.Value(loanKey{}).(*Loan)
	return l
}

// Answer executes the operation as Run does, and has the response written. The buffers that it is in are
// reused if write reports that all of it was written: what keeps any of it for longer must copy it.
func (p *Prepared) Answer(ctx context.Context, exec graphql.GraphExecutor, params *graphql.RawParams, write func(*graphql.Response) bool) {
	l := &Loan{}
	if !write(p.Run(context.WithValue(ctx, loanKey{}, l), exec, params)) {
		return // after an error somebody may still be writing
	}
	for _, b := range l.Buffers {
		Free(b)
	}
	l.Buffers = nil
}
