package server

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"workforce/internal/blob"
	"workforce/internal/broker"
	"workforce/internal/database"
	"workforce/internal/demo"
	"workforce/internal/message"
	"workforce/internal/textform"
)

// checkAddresses checks where the server listens and what it links to.
func (s Config) checkAddresses() error {
	return errors.Join(
		checkListener("--addr", s.Addr), checkListener("--admin-addr", s.AdminAddr), CheckPublicURL(s.PublicURL))
}

// CheckPublicURL returns why links cannot begin with a URL; "" stands for the address.
func CheckPublicURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case text == "":
		return nil
	case !isWeb(text):
		return errors.New(
			"--public-url must begin with http:// or https:// and name a host, such as https://api.example.com")
	case err != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || u.User != nil:
		return fmt.Errorf("--public-url must have no user, query or fragment: links are made by adding a path to it")
	}
	return nil
}

// checkListener checks a flag's address, such as 127.0.0.1:8080 or :8080; "" is none.
func checkListener(flag, addr string) error {
	if addr == "" {
		return nil
	}
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("%s: %q is no address such as 127.0.0.1:8080", flag, addr)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fmt.Errorf("%s: %q is no port between 0 and 65535", flag, port)
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

// checkBroker checks the URL of the broker without connecting. No error quotes it: it may
// hold a password.
func (s Config) checkBroker() error {
	if err := broker.Check(s.Broker); err != nil {
		return fmt.Errorf("--broker: %w", err)
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
	return errors.Join(
		unless(s.SMSURL == "" || isWeb(s.SMSURL), "--sms-url must begin with http:// or https:// and name a host"),
		unless(s.SMSURL == "" || s.SMSSecret != "", "--sms-url needs --sms-secret"),
	)
}

// unless returns an error where a condition does not hold.
func unless(ok bool, format string, args ...any) error {
	if ok {
		return nil
	}
	return fmt.Errorf(format, args...)
}

// checkLimits checks lifetimes, which are shorter the more often a token is sent,
// and limits.
func (s Config) checkLimits() error {
	return errors.Join(s.checkLifetimes(),
		unless(s.RegistrationLimit >= 0, "--registration-limit must be positive"),
		unless(s.ShutdownTimeout >= 0, "--shutdown-timeout must be positive"),
	)
}

func (s Config) checkLifetimes() error {
	l := s.lifetimes()
	if min(s.AccessLife, s.UserLife, s.RefreshLife, s.SessionLife) < 0 {
		return errors.New("--access-life, --user-life, --refresh-life and --session-life must be positive")
	}
	return errors.Join(
		unless(l.Access < l.Refresh,
			"--access-life (%v) must be shorter than --refresh-life (%v)", l.Access, l.Refresh),
		unless(l.Refresh <= l.Session,
			"--refresh-life (%v) must not be longer than --session-life (%v)", l.Refresh, l.Session),
		unless(l.User <= l.Session, "--user-life (%v) must not be longer than --session-life (%v)", l.User, l.Session),
	)
}

// inLink matches what stands in a link as it is.
var inLink = regexp.MustCompile(`^[A-Za-z0-9_-]*$`)

// isBootstrapToken reports whether a token stands in a link as it is and cannot be guessed. An
// expression that counts to 255 takes 2 ms to compile.
func isBootstrapToken(token string) bool {
	return 32 <= len(token) && len(token) <= 255 && inLink.MatchString(token)
}

// checkChoices checks the settings that take one of a few values, and the bootstrap
// token, which no error quotes.
func (s Config) checkChoices() error {
	return errors.Join(
		unless(s.Country == "" || textform.IsCountry(s.Country), "--country %q is no ISO 3166 country code such as ID",
			s.Country),
		unless(slices.Contains([]string{"", "opaque", "base64"}, s.PasswordLegacy),
			"--password-legacy must be opaque or base64"),
		unless(slices.Contains([]string{"", "auto", "text", "json"}, s.LogFormat), "--log-format must be auto, text or json"),
		unless(s.BootstrapToken == "" || isBootstrapToken(s.BootstrapToken),
			"--bootstrap-token must be 32 to 255 letters, digits, - and _"),
		unless(0 <= s.DemoScale && s.DemoScale <= demo.MaxScale, "--demo-scale must be between 1 and %d, not %d", demo.MaxScale, s.DemoScale),
		unless(s.DemoScale <= 1 || s.Demo, "--demo-scale is for --demo only"),
		unless(s.Clock == nil || s.Demo, "--clock is for --demo only"),
	)
}

// parseMail parses the settings of mail. No error quotes the URL, which may hold a
// password.
func (s Config) parseMail() (m message.Mail, _ error) {
	var server, from error
	if s.SMTPURL != "" {
		m.Server, server = flagged("--smtp-url", s.SMTPURL, message.ParseSMTP)
	}
	if s.MailFrom != "" {
		m.From, from = flagged("--mail-from", s.MailFrom, message.ParseFrom)
	}
	return m, errors.Join(server, from, unless(s.SMTPURL == "" || s.MailFrom != "", "--smtp-url needs --mail-from"))
}

// isWeb reports whether text is an http or https URL with a host.
func isWeb(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}

// checkStore checks the URL of the database without opening it, and that there is a
// key file.
func (s Config) checkStore() error {
	key := unless(s.SecretKeyFile != "", "--secret-key-file must name a file")
	if err := database.Check(s.Database); err != nil {
		return errors.Join(key, fmt.Errorf("--database: %s", strings.TrimPrefix(err.Error(), "database: ")))
	}
	return key
}
