package message

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseSMTP(t *testing.T) {
	tests := []struct {
		text string
		want SMTP
	}{
		{"smtp://budi:pw@mail.test:587", SMTP{"mail.test", 587, "budi", "pw", tlsMandatory}},
		{"smtp://mail.test", SMTP{"mail.test", 587, "", "", tlsMandatory}},
		{"smtp://mail.test/", SMTP{"mail.test", 587, "", "", tlsMandatory}},
		{"SMTP://mail.test:25?tls=none", SMTP{"mail.test", 25, "", "", tlsNone}},
		{"smtp://mail.test?tls=starttls", SMTP{"mail.test", 587, "", "", tlsOffered}},
		{"smtp://budi:pw@mail.test?tls=mandatory", SMTP{"mail.test", 587, "budi", "pw", tlsMandatory}},
		{"smtps://mail.test", SMTP{"mail.test", 465, "", "", tlsImplicit}},
		{"smtps://budi%40demo.test:p%2Fw%23@mail.test:2465", SMTP{"mail.test", 2465, "budi@demo.test", "p/w#", tlsImplicit}},
		{"smtp://127.0.0.1:2525", SMTP{"127.0.0.1", 2525, "", "", tlsOffered}},
		{"smtp://127.0.0.1:2525?tls=mandatory", SMTP{"127.0.0.1", 2525, "", "", tlsMandatory}},
		{"smtp://budi:pw@localhost:2525?tls=none", SMTP{"localhost", 2525, "budi", "pw", tlsNone}},
		{"smtp://[::1]:2525", SMTP{"::1", 2525, "", "", tlsOffered}},
	}
	for _, tt := range tests {
		got, err := ParseSMTP(tt.text)
		if err != nil || got != tt.want {
			t.Errorf("ParseSMTP(%q) = %s %s, %v, want %s %s", tt.text, got, got.security, err, tt.want, tt.want.security)
		}
	}
}

func TestParseSMTPRefuses(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", "must begin with"},
		{"mail.test:587", "must begin with"},
		{"http://budi:hunter2@mail.test", "must begin with"},
		{"smtp:mail.test", "host is missing"},
		{"smtp://", "host is missing"},
		{"smtp://:587", "host is missing"},
		{"smtp://budi:hunter2@mail.test:0", "between 1 and 65535"},
		{"smtp://budi:hunter2@mail.test:65536", "between 1 and 65535"},
		{"smtp://budi:hunter2@mail.test:smtp", "not a URL"},
		{"smtp://budi:hunter2/x@mail.test", "not a URL"},
		{"smtp://budi:hunter2 x@mail.test", "not a URL"},
		{"smtp://budi:%zzhunter2@mail.test", "not a URL"},
		{"smtp://budi:25/hunter2@mail.test", "nothing but"},
		{"smtp://budi:25#hunter2@mail.test", "nothing but"},
		{"smtp://budi:25?hunter2@mail.test", "tls is the one parameter"},
		{"smtp://mail.test?tls=none&tls=mandatory", "tls is the one parameter"},
		{"smtp://mail.test?tls=none&x=hunter2", "tls is the one parameter"},
		{"smtp://mail.test?tls=%zz", "tls is the one parameter"},
		{"smtp://mail.test?tls=hunter2", "none, starttls or mandatory"},
		{"smtp://mail.test?tls=implicit", "none, starttls or mandatory"},
		{"smtps://mail.test?tls=none", "takes no tls"},
		{"smtp://budi@mail.test", "go together"},
		{"smtp://:hunter2@mail.test", "go together"},
		{"smtp://budi:hunter2@mail.test?tls=none", "only with tls=mandatory"},
		{"smtp://budi:hunter2@mail.test?tls=starttls", "only with tls=mandatory"},
	}
	for _, tt := range tests {
		_, err := ParseSMTP(tt.text)
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("ParseSMTP(%q): error %v, want one with %q and no password", tt.text, err, tt.want)
		}
	}
}

func TestSMTPHidesThePassword(t *testing.T) {
	s, err := ParseSMTP("smtps://budi:hunter2@mail.test")
	if err != nil {
		t.Fatal(err)
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		for _, v := range []any{s, &s, Mail{Server: s}} {
			if got := fmt.Sprintf(verb, v); strings.Contains(got, "hunter2") || strings.Contains(got, "budi") {
				t.Errorf("%s of %T: %s", verb, v, got)
			}
		}
	}
}
