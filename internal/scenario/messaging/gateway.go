package messaging

import (
	"testing"

	"workforce/internal/apitest"
	"workforce/internal/message"
	"workforce/internal/scenario/harness"
)

// GatewaySecret signs what the gateway says to servers of these scenarios.
const GatewaySecret = "between the gateway and us"

const received = `{"received":true}`

// callbackScenarios report a message.
func callbackScenarios(t *testing.T, s *harness.Server) {
	s.Run(t, []apitest.Scenario{report(s, "of a message that nobody knows", `{"id":"4711","status":"sent"}`, 200, received)})
}

// report is what the gateway says, signed now and with its secret.
func report(s *harness.Server, name, body string, status int, want string) apitest.Scenario {
	return apitest.Scenario{
		Name: name, Method: "POST", Path: message.CallbackPath, Body: body, Status: status, Want: want,
		Header: harness.Head("X-Signature", message.Sign(GatewaySecret, s.Clock.Now(), []byte(body)), "X-Language", "en"),
	}
}
