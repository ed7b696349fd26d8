package messaging

import (
	"testing"

	"workforce/ent"
	entMessage "workforce/ent/message"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// sent waits until a message to an address is as wanted, and returns it.
func sent(t *testing.T, s *harness.Server, to string, is func(*ent.Message) bool) *ent.Message {
	t.Helper()
	var m *ent.Message
	s.Wait(t, "the message to "+to, func() (ok bool) {
		var err error
		m, err = s.Store.Ent.Message.Query().Where(entMessage.Destination(to)).Order(ent.Desc(entMessage.FieldID)).First(viewer.System(t.Context()))
		return err == nil && is(m)
	})
	return m
}

func isSent(m *ent.Message) bool { return m.Status == entMessage.StatusSent }
