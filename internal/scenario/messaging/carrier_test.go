package messaging

import (
	"maps"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"workforce/ent"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/testdb"
)

// TestNoCarrier invites somebody while nothing carries messages: the invitation waits, messages say
// so, and it is sent once a server has a carrier.
func TestNoCarrier(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		key := filepath.Join(t.TempDir(), "key") // outlives the servers
		without := func(s *server.Config) { s.SecretKeyFile, s.Demo, s.Clock = key, false, nil }
		tokens := map[string]string{}
		t.Run("the demo", func(t *testing.T) {
			s := harness.New(t, database, func(s *server.Config) { s.SecretKeyFile = key })
			s.SignIn(t, "andini", "admin@demo.test")
			maps.Copy(tokens, s.Vars)
		})
		const waiting = `{messages(where:{kind:"invited"}){edges{node{status attempts error}}}}`
		t.Run("without", func(t *testing.T) {
			s := harness.New(t, database, without)
			maps.Copy(s.Vars, tokens)
			s.Run(t, []apitest.Scenario{harness.Asks("created", "andini",
				`mutation{createUser(input:{name:"Wati",email:"wati@demo.test"}){name}}`, `{"createUser":{"name":"Wati"}}`)})
			sent(t, s, "wati@demo.test", func(m *ent.Message) bool { return m.Error != nil })
			s.Run(t, []apitest.Scenario{harness.Asks("waits", "andini", waiting,
				`{"messages":{"edges":[{"node":{"status":"queued","attempts":0,`+
					`"error":"nothing carries messages of this channel: set --smtp-url for mail, --sms-url for all channels"}}]}}`)})
		})
		g := &gateway{asked: map[string]int{}, taken: map[string]map[string]string{}}
		carrier := httptest.NewServer(g)
		t.Cleanup(carrier.Close)
		t.Run("with", func(t *testing.T) {
			s := harness.New(t, database, without, func(s *server.Config) { s.SMSURL, s.SMSSecret = carrier.URL, GatewaySecret })
			maps.Copy(s.Vars, tokens)
			sent(t, s, "wati@demo.test", isSent)
			s.Run(t, []apitest.Scenario{harness.Asks("was sent", "andini", waiting,
				`{"messages":{"edges":[{"node":{"status":"sent","attempts":1,"error":null}}]}}`)})
			if mails := g.to("wati@demo.test"); len(mails) != 1 || !strings.Contains(mails[0]["text"], "wati@demo.test") {
				t.Errorf("the gateway took %v", mails)
			}
		})
	})
}
