package operation

import (
	"context"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"workforce/internal/errs"
)

func TestBoundAnswer(t *testing.T) {
	if a := AnswerFrom(t.Context()); a != nil || !a.Add(MaxAnswer+1) || !a.Fits(MaxAnswer+1) {
		t.Error("an answer outside of an operation has a limit")
	}
	for name, tt := range map[string]struct {
		counted, data int
		large         bool
	}{
		"nothing": {}, "at the limit": {MaxAnswer, MaxAnswer, false}, "data over": {0, MaxAnswer + 1, true}, "counted over": {MaxAnswer + 1, 4, true},
	} {
		resp := BoundAnswer(t.Context(), func(ctx context.Context) *graphql.Response {
			a := AnswerFrom(ctx)
			if a.Fits(tt.counted) != (tt.counted <= MaxAnswer) || a.Add(tt.counted) != (tt.counted <= MaxAnswer) {
				t.Errorf("%s: %d bytes are counted wrong", name, tt.counted)
			}
			return &graphql.Response{Data: make([]byte, tt.data)}
		})
		if large := len(resp.Errors) == 1 && errs.Is(resp.Errors[0], errs.PayloadTooLarge); large != tt.large || large != (resp.Data == nil) {
			t.Errorf("%s: %v, %d bytes", name, resp.Errors, len(resp.Data))
		}
	}
	if resp := BoundAnswer(t.Context(), func(context.Context) *graphql.Response { return nil }); resp != nil {
		t.Errorf("no response becomes %v", resp)
	}
}
