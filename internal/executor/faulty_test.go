package executor

import (
	"context"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"workforce/internal/errs"
)

// TestRefuseFaulty has a mutation end with an error whose use case found nothing wrong
// in the members that could be read.
func TestRefuseFaulty(t *testing.T) {
	done := func(context.Context) *graphql.Response { return &graphql.Response{Data: []byte(`{"made":true}`)} }
	if resp := refuseFaulty(t.Context(), done); len(resp.Errors) != 0 || resp.Data == nil {
		t.Errorf("a request that was read: %v", resp)
	}
	resp := refuseFaulty(errs.WithFaulty(t.Context()), done)
	if len(resp.Errors) != 1 || !errs.Is(resp.Errors[0], errs.Invalid) || resp.Data != nil {
		t.Errorf("a request with faults: %v", resp)
	}
}
