package connection

import (
	"context"
	"sync"
)

// A memo holds what the fields of one root field share, by name.
type memo struct {
	mu     sync.Mutex
	values map[string]any // of func() (T, error)
}

type memoKey struct{}

// withMemo returns the context of a root field.
func withMemo(ctx context.Context) context.Context {
	return context.WithValue(ctx, memoKey{}, &memo{values: map[string]any{}})
}

// Shared returns what load returns, which runs once for all objects below a root
// field. Each name has a type of its own.
func Shared[T any](ctx context.Context, name string, load func(context.Context) (T, error)) (T, error) {
	m, ok := ctx.Value(memoKey{}).(*memo)
	if !ok {
		return load(ctx)
	}
	m.mu.Lock()
	once, ok := m.values[name].(func() (T, error))
	if !ok {
		once = sync.OnceValues(func() (T, error) { return load(ctx) })
		m.values[name] = once
	}
	m.mu.Unlock()
	return once()
}
