package tx

import (
	"context"
	"errors"
	"testing"

	"workforce/internal/errs"
)

// TestOutside defers work once for each key, and returns its results afterwards.
func TestOutside(t *testing.T) {
	full := errs.New(errs.RateLimited, nil)
	ran := 0
	work := func(ctx context.Context, key string) (string, error) {
		return Outside(ctx, key, func(context.Context) (string, error) {
			if ran++; key == "full" {
				return "", full
			}
			return "hash of " + key, nil
		})
	}
	if got, err := work(t.Context(), "a"); got != "hash of a" || err != nil || ran != 1 {
		t.Errorf("without a transaction: %q, %v, ran %d times", got, err, ran)
	}
	ctx, d := WithDeferred(t.Context())
	if d.Run(t.Context()) {
		t.Error("there was work")
	}
	for _, key := range []string{"a", "b", "full"} {
		if got, err := work(ctx, key); got != "" || !errors.Is(err, errDeferred) {
			t.Errorf("first %s: %q, %v", key, got, err)
		}
	}
	if ran != 1 {
		t.Error("the work ran in the transaction")
	}
	if !d.Run(t.Context()) || d.Run(t.Context()) || ran != 4 {
		t.Errorf("ran %d times, want 3 more", ran-1)
	}
	for key, want := range map[string]error{"a": nil, "b": nil, "full": full} {
		got, err := work(ctx, key)
		if !errors.Is(err, want) || err == nil && got != "hash of "+key {
			t.Errorf("then %s: %q, %v", key, got, err)
		}
	}
	if ran != 4 {
		t.Error("the work ran again")
	}
}
