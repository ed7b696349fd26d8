package harness

import (
	"testing"

	entMessage "workforce/ent/message"
	"workforce/internal/viewer"
)

// WantNotices fails unless so many notices of a kind were written.
func WantNotices(t *testing.T, s *Server, kind, to string, want int) {
	t.Helper()
	got := Must[int](t)(s.Store.Ent.Message.Query().Where(entMessage.Kind(kind), entMessage.Destination(to)).Count(viewer.System(t.Context())))
	if got != want {
		t.Errorf("%d messages %s to %s, want %d", got, kind, to, want)
	}
}
