package messaging

import (
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/message"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// sent waits until a message to an address is as wanted, and returns it.
func sent(t *testing.T, s *harness.Server, to string, is func(*ent.Message) bool) *ent.Message {
	t.Helper()
	var m *ent.Message
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		var err error
		m, err = s.Store.Ent.Message.Query().Where(message.Destination(to)).Order(ent.Desc(message.FieldID)).First(viewer.System(t.Context()))
		if err == nil && is(m) {
			return m
		}
	}
	t.Fatalf("the message to %s stayed %v", to, m)
	return nil
}

func isSent(m *ent.Message) bool { return m.Status == message.StatusSent }
