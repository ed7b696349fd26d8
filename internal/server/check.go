package server

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"workforce/internal/blob"
	"workforce/internal/contact"
	"workforce/internal/database"
	"workforce/internal/message"
)

// checkAddresses checks where the server listens and what it links to.
func (s Config) checkAddresses() error {
	if err := checkListener(s.Addr); s.Addr != "" && err != nil {
		return fmt.Errorf("--addr: %w", err)
	}
	if err := checkListener(s.AdminAddr); s.AdminAddr != "" && err != nil {
		return fmt.Errorf("--admin-addr: %w", err)
	}
	if s.PublicURL == "" {
		return nil
	}
	u, err := url.Parse(s.PublicURL)
	switch {
	case !isWeb(s.PublicURL):
		return fmt.Errorf("--public-url must begin with http:// or https:// and name a host, such as https://api.example.com")
	case err != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || u.User != nil:
		return fmt.Errorf("--public-url must have no user, query or fragment: links are made by adding a path to it")
	}
	return nil
}

// checkListener checks an address such as 127.0.0.1:8080 or :8080.
func checkListener(addr string) error {
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("%q is no address such as 127.0.0.1:8080", addr)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fmt.Errorf("%q is no port between 0 and 65535", port)
	}
	return nil
}

// checkFiles checks the URL of the file store without opening it.
func (s Config) checkFiles() error {
	if err := blob.Check(s.filesURL()); err != nil {
		return fmt.Errorf("--files: %w", err)
	}
	return nil
}

// filesURL returns the URL of the file store.
func (s Config) filesURL() string {
	return cmp.Or(s.Files, "file:"+filepath.Join(filepath.Dir(s.SecretKeyFile), "files"))
}

// checkGateway checks the settings of the messaging gateway. No error quotes the
// URL, which may hold a password.
func (s Config) checkGateway() error {
	switch {
	case s.SMSURL != "" && s.SMSSecret == "":
		return fmt.Errorf("--sms-url needs --sms-secret")
	case s.SMSURL != "" && !isWeb(s.SMSURL):
		return fmt.Errorf("--sms-url must begin with http:// or https:// and name a host")
	}
	return nil
}

// checkLimits checks lifetimes, which are shorter the more often a token is sent,
// and limits.
func (s Config) checkLimits() error {
	l := s.lifetimes()
	switch {
	case min(s.AccessLife, s.UserLife, s.RefreshLife, s.SessionLife) < 0:
		return fmt.Errorf("--access-life, --user-life, --refresh-life and --session-life must be positive")
	case l.Access >= l.Refresh:
		return fmt.Errorf("--access-life (%v) must be shorter than --refresh-life (%v)", l.Access, l.Refresh)
	case l.Refresh > l.Session:
		return fmt.Errorf("--refresh-life (%v) must not be longer than --session-life (%v)", l.Refresh, l.Session)
	case l.User > l.Session:
		return fmt.Errorf("--user-life (%v) must not be longer than --session-life (%v)", l.User, l.Session)
	case s.RegistrationLimit < 0:
		return fmt.Errorf("--registration-limit must be positive")
	case s.ShutdownTimeout < 0:
		return fmt.Errorf("--shutdown-timeout must be positive")
	}
	return nil
}

// bootstrapToken matches what stands in a link as it is and cannot be guessed.
var bootstrapToken = regexp.MustCompile(`^[A-Za-z0-9_-]{32,255}$`)

// checkChoices checks the settings that take one of a few values, and the bootstrap
// token, which no error quotes.
func (s Config) checkChoices() error {
	switch {
	case s.Country != "" && !contact.IsCountry(s.Country):
		return fmt.Errorf("--country %q is no ISO 3166 country code such as ID", s.Country)
	case !slices.Contains([]string{"", "opaque", "base64"}, s.PasswordLegacy):
		return fmt.Errorf("--password-legacy must be opaque or base64")
	case !slices.Contains([]string{"", "auto", "text", "json"}, s.LogFormat):
		return fmt.Errorf("--log-format must be auto, text or json")
	case s.BootstrapToken != "" && !bootstrapToken.MatchString(s.BootstrapToken):
		return fmt.Errorf("--bootstrap-token must be 32 to 255 letters, digits, - and _")
	case s.Clock != nil && !s.Demo:
		return fmt.Errorf("--clock is for --demo only")
	}
	return nil
}

// parseMail parses the settings of mail. No error quotes the URL, which may hold a
// password.
func (s Config) parseMail() (m message.Mail, err error) {
	if s.SMTPURL != "" {
		if m.Server, err = message.ParseSMTP(s.SMTPURL); err != nil {
			return m, fmt.Errorf("--smtp-url: %w", err)
		}
		if s.MailFrom == "" {
			return m, fmt.Errorf("--smtp-url needs --mail-from")
		}
	}
	if s.MailFrom != "" {
		if m.From, err = message.ParseFrom(s.MailFrom); err != nil {
			return m, fmt.Errorf("--mail-from: %w", err)
		}
	}
	return m, nil
}

// isWeb reports whether text is an http or https URL with a host.
func isWeb(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}

// checkStore checks the URL of the database without opening it, and that there is a
// key file.
func (s Config) checkStore() error {
	if s.SecretKeyFile == "" {
		return fmt.Errorf("--secret-key-file must name a file")
	}
	if err := database.Check(s.Database); err != nil {
		return fmt.Errorf("--database: %s", strings.TrimPrefix(err.Error(), "database: "))
	}
	return nil
}
