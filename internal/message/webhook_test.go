package message

import (
	"encoding/json"
	"testing"
)

// TestWebhooks holds that the description is JSON that names what is sent and reported.
func TestWebhooks(t *testing.T) {
	text, err := json.Marshal(Webhooks())
	if err != nil {
		t.Fatal(err)
	}
	var hooks map[string]map[string]struct {
		RequestBody struct {
			Content map[string]struct {
				Schema  struct{ Required []string }
				Example map[string]string
			}
		}
		Callbacks map[string]map[string]map[string]struct{ Responses map[string]any }
	}
	if err := json.Unmarshal(text, &hooks); err != nil {
		t.Fatal(err)
	}
	hook := hooks["message"]["post"]
	sent, err := json.Marshal(posted{})
	if err != nil {
		t.Fatal(err)
	}
	var members map[string]string
	if err := json.Unmarshal(sent, &members); err != nil {
		t.Fatal(err)
	}
	content := hook.RequestBody.Content["application/json"]
	if len(content.Schema.Required) != len(members) || len(content.Example) != len(members) {
		t.Errorf("described %q, sent %v", content.Schema.Required, members)
	}
	for name := range members {
		if content.Example[name] == "" {
			t.Errorf("no example of %s", name)
		}
	}
	if n := len(hook.Callbacks["report"]["{$request.body#/callbackUrl}"]["post"].Responses); n != 7 {
		t.Errorf("%d responses to a report", n)
	}
}
