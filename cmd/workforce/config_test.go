package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestConfigPrintHidesSecrets prints settings that hold secrets everywhere.
func TestConfigPrintHidesSecrets(t *testing.T) {
	var out bytes.Buffer
	err := run(t.Context(), []string{"config", "print",
		"--database", "mysql://workforce:hunter2@db.test:3306/workforce",
		"--smtp-url", "smtps://budi:hunter2@mail.test:465", "--mail-from", "no-reply@demo.test",
		"--sms-url", "https://key:hunter2@gateway.test/hunter2?key=hunter2", "--sms-secret", "hunter2",
	}, streams{nil, &out, os.Stderr})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), "hunter2") {
		t.Errorf("printed:\n%s", &out)
	}
	var shown map[string]any
	if err := json.Unmarshal(out.Bytes(), &shown); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"SMTPURL": "smtps://mail.test:465/xxxxx", "SMSURL": "https://gateway.test/xxxxx", "SMSSecret": "xxxxx", "MailFrom": "no-reply@demo.test",
	} {
		if shown[name] != want {
			t.Errorf("%s is shown as %v, want %s", name, shown[name], want)
		}
	}
}
