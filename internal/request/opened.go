package request

import "context"

type openedKey struct{}

// WithOpened returns a context whose request can record what it opened in id.
func WithOpened(ctx context.Context, id *int) context.Context {
	return context.WithValue(ctx, openedKey{}, id)
}

// Opened records the id of the attendance that the request of ctx opened: the
// stored answer is replayed only while that is open.
func Opened(ctx context.Context, id int) {
	if opened, ok := ctx.Value(openedKey{}).(*int); ok {
		*opened = id
	}
}
