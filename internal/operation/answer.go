package operation

import (
	"context"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/internal/errs"
)

// MaxAnswer is how many bytes of data an operation may return.
const MaxAnswer = 16 << 20

// An Answer counts the bytes of the answer to one operation. All is within the limit
// for nil.
type Answer struct{ bytes atomic.Int64 }

// BoundAnswer is the innermost response middleware: more than MaxAnswer is
// PAYLOAD_TOO_LARGE, which rolls a mutation back.
func BoundAnswer(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	a := &Answer{}
	s := stateOf(ctx)
	s.answer = a
	resp := next(context.WithValue(ctx, key{}, s))
	if resp == nil || len(resp.Data) <= MaxAnswer && a.Fits(0) {
		return resp
	}
	return &graphql.Response{Errors: gqlerror.List{gqlerror.Wrap(errs.New(errs.PayloadTooLarge, errs.Meta{"limit": MaxAnswer}))}}
}

// AnswerFrom returns the answer to the operation of ctx, or nil outside of
// BoundAnswer.
func AnswerFrom(ctx context.Context) *Answer { return stateOf(ctx).answer }

// Fits reports whether the answer would be within MaxAnswer with so many bytes more.
func (a *Answer) Fits(bytes int) bool {
	return a == nil || a.bytes.Load()+int64(bytes) <= MaxAnswer
}

// Add counts bytes, and reports whether the answer is still within MaxAnswer. Beyond
// it nothing more needs to be read or written: BoundAnswer drops the answer.
func (a *Answer) Add(bytes int) bool {
	return a == nil || a.bytes.Add(int64(bytes)) <= MaxAnswer
}
