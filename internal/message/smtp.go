package message

import (
	"errors"
	"net"
	"net/url"
	"strconv"

	gomail "github.com/wneessen/go-mail"
)

// SMTP says how to reach a mail server. ParseSMTP makes it; printed, it shows
// neither user nor password.
type SMTP struct {
	host           string
	port           int
	user, password string
	security       string
}

// When a connection is encrypted.
const (
	tlsImplicit  = "implicit"  // from its start
	tlsMandatory = "mandatory" // by STARTTLS, or it is given up
	tlsOffered   = "starttls"  // by STARTTLS where the server offers it
	tlsNone      = "none"      // not at all
)

// ParseSMTP reads smtp://user:password@host:port or smtps://…; user and
// password may be left out, and the ports are then 587 and 465. smtps encrypts
// from the start. smtp encrypts by STARTTLS: always (?tls=mandatory), where the
// server offers it (?tls=starttls) or never (?tls=none). Left out, it is
// mandatory, but on the same machine as offered. A password goes to another
// machine only where encryption is certain. No error quotes any of the text.
func ParseSMTP(text string) (SMTP, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return SMTP{}, errors.New("not a URL such as smtp://user:password@host:587; escape special characters in user and password, @ as %40")
	case u.Scheme != "smtp" && u.Scheme != "smtps":
		return SMTP{}, errors.New("must begin with smtp:// or smtps://")
	case u.Hostname() == "":
		return SMTP{}, errors.New("the host is missing")
	case u.Opaque != "" || u.Path != "" && u.Path != "/" || u.Fragment != "":
		return SMTP{}, errors.New("nothing but ?tls= may follow host and port; escape / ? and # in user and password")
	}
	s := SMTP{host: u.Hostname(), user: u.User.Username()}
	s.password, _ = u.User.Password()
	if (s.user == "") != (s.password == "") {
		return SMTP{}, errors.New("user and password go together")
	}
	if s.port, err = smtpPort(u); err != nil {
		return SMTP{}, err
	}
	if s.security, err = smtpSecurity(u); err != nil {
		return SMTP{}, err
	}
	if s.user != "" && !isLocal(s.host) && (s.security == tlsNone || s.security == tlsOffered) {
		return SMTP{}, errors.New("a password goes to another machine only with tls=mandatory or smtps://")
	}
	return s, nil
}

func smtpPort(u *url.URL) (int, error) {
	switch {
	case u.Port() == "" && u.Scheme == "smtps":
		return 465, nil
	case u.Port() == "":
		return 587, nil
	}
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	if err != nil || port == 0 {
		return 0, errors.New("the port must lie between 1 and 65535")
	}
	return int(port), nil
}

func smtpSecurity(u *url.URL) (string, error) {
	query, err := url.ParseQuery(u.RawQuery)
	asked, given := query["tls"]
	switch {
	case err != nil || len(query) > 1 || len(query) == 1 && !given || len(asked) > 1:
		return "", errors.New("tls is the one parameter, given once")
	case u.Scheme == "smtps" && given:
		return "", errors.New("smtps:// takes no tls parameter")
	case u.Scheme == "smtps":
		return tlsImplicit, nil
	case !given && isLocal(u.Hostname()):
		return tlsOffered, nil
	case !given:
		return tlsMandatory, nil
	}
	switch asked[0] {
	case tlsNone, tlsOffered, tlsMandatory:
		return asked[0], nil
	}
	return "", errors.New("tls must be none, starttls or mandatory")
}

// isLocal reports whether host is this machine.
func isLocal(host string) bool { return host == "localhost" || host == "127.0.0.1" || host == "::1" }

// String names the server, without user and password.
func (s SMTP) String() string { return net.JoinHostPort(s.host, strconv.Itoa(s.port)) }

// GoString is String.
func (s SMTP) GoString() string { return s.String() }

// policy is what the connection, once there, does about STARTTLS.
func (s SMTP) policy() gomail.TLSPolicy {
	switch s.security {
	case tlsMandatory:
		return gomail.TLSMandatory
	case tlsOffered:
		return gomail.TLSOpportunistic
	}
	return gomail.NoTLS
}
