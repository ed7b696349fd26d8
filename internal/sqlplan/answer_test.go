package sqlplan

import (
	"context"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"workforce/internal/operation"
)

// TestAnswerTooLarge stops at the element with which an answer is too large, and
// leaves out long texts of other fields then.
func TestAnswerTooLarge(t *testing.T) {
	long := strings.Repeat("a", longText)
	operation.BoundAnswer(t.Context(), func(ctx context.Context) *graphql.Response {
		w, written := answerWriter{answer: operation.AnswerFrom(ctx)}, 0
		if got := withinAnswer(ctx, long); got != long {
			t.Errorf("a text that fits is %q", got)
		}
		const size = operation.MaxAnswer / 4
		err := w.list(8, func(int) { w.to, written = make([]byte, len(w.to)+size), written+1 })
		if err != errTooLarge || written != 4 { // the long text was before
			t.Errorf("%v after %d elements", err, written)
		}
		for _, res := range []any{long, &long, "short", (*string)(nil), 5} {
			got, want := withinAnswer(ctx, res), res
			switch s := got.(type) {
			case string:
				if res == any(long) {
					want = ""
				}
			case *string:
				if s != nil && *s == "" {
					want = got
				}
			}
			if got != want || got == any(&long) {
				t.Errorf("%v becomes %v", res, got)
			}
		}
		return nil
	})
}
