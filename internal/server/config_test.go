package server

import (
	"strings"
	"testing"
)

// TestMessageSettings refuses settings that cannot work, and quotes no secret.
func TestMessageSettings(t *testing.T) {
	tests := []struct {
		name string
		set  Config
		want string // "" accepts
	}{
		{"nothing", Config{}, ""},
		{"mail", Config{SMTPURL: "smtp://budi:hunter2@mail.test:587", MailFrom: "no-reply@demo.test"}, ""},
		{"mail without a sender", Config{SMTPURL: "smtp://budi:hunter2@mail.test:587"}, "--smtp-url needs --mail-from"},
		{"a sender alone", Config{MailFrom: "Workforce <no-reply@demo.test>"}, ""},
		{"a sender that is none", Config{SMTPURL: "smtp://budi:hunter2@mail.test", MailFrom: "nobody"}, "--mail-from: "},
		{"another scheme", Config{SMTPURL: "http://budi:hunter2@mail.test", MailFrom: "no-reply@demo.test"}, "--smtp-url: must begin with"},
		{"no URL at all", Config{SMTPURL: "smtp://budi:hunter2 %zz", MailFrom: "no-reply@demo.test"}, "--smtp-url: not a URL"},
		{"a password in the clear", Config{SMTPURL: "smtp://budi:hunter2@mail.test?tls=none", MailFrom: "no-reply@demo.test"}, "--smtp-url: a password"},
		{"gateway", Config{SMSURL: "https://gateway.test/send?key=hunter2", SMSSecret: "hunter2"}, ""},
		{"gateway without a secret", Config{SMSURL: "https://gateway.test/send?key=hunter2"}, "--sms-url needs --sms-secret"},
		{"callbacks alone", Config{SMSSecret: "hunter2"}, ""},
		{"gateway of another scheme", Config{SMSURL: "ftp://hunter2@gateway.test", SMSSecret: "hunter2"}, "--sms-url must begin with"},
		{"gateway without a host", Config{SMSURL: "https:///hunter2", SMSSecret: "hunter2"}, "--sms-url must begin with"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.set.Check()
			if (err == nil) != (tt.want == "") || err != nil && !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if err != nil && strings.Contains(err.Error(), "hunter2") {
				t.Errorf("the error quotes a secret: %v", err)
			}
		})
	}
}
