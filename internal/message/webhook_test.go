package message

import (
	"encoding/json"
	"testing"
)

// TestDescribe holds that the description names what is sent, and every answer to a report.
func TestDescribe(t *testing.T) {
	d := Describe()
	sent, err := json.Marshal(posted{})
	if err != nil {
		t.Fatal(err)
	}
	var members map[string]string
	if err := json.Unmarshal(sent, &members); err != nil {
		t.Fatal(err)
	}
	if described := d.Schemas["Message"]; len(described.Required) != len(members) || len(described.Properties) != len(members) {
		t.Errorf("described %q, sent %v", described.Required, members)
	}
	responses := d.Paths[CallbackPath]["post"].(map[string]any)["responses"].(map[string]any)
	for _, status := range []string{"200", "400", "401", "413", "415", "422", "503"} {
		if responses[status] == nil {
			t.Errorf("no response %s to a report", status)
		}
	}
}
