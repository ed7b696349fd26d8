package connection

import (
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"workforce/ent"
	"workforce/ent/user"
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

// place returns the path of the field that is being resolved, without the positions in
// lists, and whether it is in any: fields of one place have one selection.
func place(ctx context.Context) (path string, listed bool) {
	for _, element := range graphql.GetPath(ctx) {
		switch e := element.(type) {
		case ast.PathName:
			path += "." + string(e)
		case ast.PathIndex:
			listed = true
		}
	}
	return path, listed
}

// Placed is Shared for the fields of one place alone, which have one selection.
func Placed[T any](ctx context.Context, name string, load func(context.Context) (T, error)) (T, error) {
	path, _ := place(ctx)
	return Shared(ctx, name+" at "+path, load)
}

// People returns those of some people whom the viewer sees, by id, with the selected
// edges. Within a list, they are read once for the fields of all its elements: query
// must then match whomever any of them needs.
func People(ctx context.Context, ids []int, query func(context.Context) *ent.UserQuery) (map[int]*ent.User, error) {
	_, listed := place(ctx)
	load := func(ctx context.Context) (map[int]*ent.User, error) {
		q := query(ctx)
		if !listed {
			q.Where(user.IDIn(ids...))
		}
		list, err := All(ctx, q)
		byID := make(map[int]*ent.User, len(list))
		for _, u := range list {
			byID[u.ID] = u
		}
		return byID, err
	}
	if len(ids) == 0 {
		return nil, nil
	}
	if !listed {
		return load(ctx)
	}
	return Placed(ctx, "people", load)
}
