package appversion

import (
	"net/http"
	"testing"

	"workforce/internal/errs"
	"workforce/internal/request"
)

const store = "https://example.com/app"

func TestGateCheck(t *testing.T) {
	gate, err := ParseGate("android=2.3.0, ios=2.1", store)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		platform, version string
		minimum           string // "" when let through
	}{
		{"android", "2.3.0", ""},
		{"android", "2.2.9", "2.3.0"},
		{"android", "2.10.0", ""},
		{"android", "2.3.0-beta.1", "2.3.0"},
		{"android", "2.3.0+build.7", ""},
		{"android", "v2.2.0", "2.3.0"},
		{"android", "2", "2.3.0"},
		{"ios", "2.0.99", "2.1.0"},
		{"ios", "2.1.0", ""},
		{"web", "0.0.1", ""},
		{"symbian", "0.0.1", ""},
		{"", "0.0.1", ""},
		{"android", "", ""},
		{"android", "banana", ""},
		{"android", "1.2.3.4", ""},
		{"android", "-1.0.0", ""},
		{"android", "99999999999999999999.0.0", ""},
	}
	for _, tt := range tests {
		t.Run(tt.platform+" "+tt.version, func(t *testing.T) {
			err := gate.Check(tt.platform, tt.version)
			if tt.minimum == "" {
				if err != nil {
					t.Errorf("got %v, want nil", err)
				}
				return
			}
			e := errs.As(err)
			if e.Code != errs.UpgradeRequired || e.Meta["minimumVersion"] != tt.minimum || e.Meta["updateUrl"] != store {
				t.Errorf("got %v %v, want UPGRADE_REQUIRED with minimum %s", e, e.Meta, tt.minimum)
			}
		})
	}
}

func TestGateZeroValue(t *testing.T) {
	if err := (Gate{}).Check("android", "0.0.1"); err != nil {
		t.Errorf("got %v", err)
	}
}

func TestGateAdmit(t *testing.T) {
	gate, err := ParseGate("ios=2.1.0", "")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		version, upgrade, connection string
		code                         errs.Code
	}{
		{"2.0.0", "ios/2.1.0", "Upgrade", errs.UpgradeRequired},
		{"2.1.0", "", "", ""},
	}
	for _, tt := range tests {
		info := &request.Info{AppVersion: tt.version, Reply: http.Header{}}
		err := gate.Admit(request.NewContext(t.Context(), info), "ios")
		if refused := tt.code != ""; errs.Is(err, tt.code) != refused || (err != nil) != refused {
			t.Errorf("%s: got %v, want %q", tt.version, err, tt.code)
		}
		if u, c := info.Reply.Get("Upgrade"), info.Reply.Get("Connection"); u != tt.upgrade || c != tt.connection {
			t.Errorf("%s: Upgrade %q, Connection %q; want %q, %q", tt.version, u, c, tt.upgrade, tt.connection)
		}
		if url, ok := errs.As(err).Meta["updateUrl"]; err != nil && (!ok || url != nil) {
			t.Errorf("%s: updateUrl %v, want null", tt.version, url)
		}
	}
}

func TestParseGateRefuses(t *testing.T) {
	tests := []struct{ minimum, updateURL string }{
		{"android", ""},
		{"android=", ""},
		{"android=two", ""},
		{"andriod=2.3.0", ""},
		{"Android=2.3.0", ""},
		{"=2.3.0", ""},
		{"android=1.0.0,android=2.0.0", ""},
		{"android=1.0.0;ios=2.0.0", ""},
		{"", "example.com/app"},
		{"", "://"},
	}
	for _, tt := range tests {
		if g, err := ParseGate(tt.minimum, tt.updateURL); err == nil {
			t.Errorf("%q, %q: got %v, want an error", tt.minimum, tt.updateURL, g)
		}
	}
	for _, minimum := range []string{"", " ", ","} {
		if _, err := ParseGate(minimum, ""); err != nil {
			t.Errorf("%q: %v", minimum, err)
		}
	}
}
