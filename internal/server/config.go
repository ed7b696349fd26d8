package server

import (
	"cmp"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"path/filepath"
	"strings"
	"time"

	"github.com/rs/cors"

	"workforce/internal/app/auth"
	"workforce/internal/appversion"
	"workforce/internal/database"
	"workforce/internal/message"
	"workforce/internal/middleware"
	"workforce/internal/password"
	"workforce/internal/persisted"
	"workforce/internal/report/pdf"
	"workforce/internal/telemetry"
	"workforce/rest"
)

// Config is the settings of a server, as plain values. A lifetime or limit of
// zero is the default one. Flag names in errors are those of the command.
type Config struct {
	Addr              string   // address to listen on
	AdminAddr         string   // second address, for /metrics and /debug/pprof; "" for none
	PublicURL         string   // base of links; "" is http://ADDR, or https://ADDR with TLS
	TLSCert           string   // PEM file of the certificate of Addr; "" for none
	TLSKey            string   // PEM file of its key
	TLSDomain         []string // names that a CA issues certificates for; it issues none for others
	TLSCache          string   // folder of what the CA issued; "" is the database
	ACMEURL           string   // directory of the CA; "" is Let's Encrypt
	ACMECA            string   // PEM file by which its server is trusted; "" is the system's certificates
	ACMEEmail         string   // where the CA writes to; "" for none
	HTTPAddr          string   // address for plain HTTP, beside TLS: challenges of the CA and a redirect; "" for none
	Database          string   // sqlite:PATH or mysql://…
	Migrate           bool     // whether to apply pending migrations; else they stop the start
	Files             string   // file:PATH or s3://…; "" is the folder files beside SecretKeyFile
	SecretKeyFile     string
	Broker            string // memory or redis://…; "" is memory
	SMTPURL           string // smtp:// or smtps://; "" sends mail to the gateway
	MailFrom          string
	SMSURL            string // messaging gateway; "" writes messages to the log
	SMSSecret         string // signs what goes to and comes from the gateway
	PasswordLegacy    string // how a plain password is read: opaque or base64
	MinAppVersion     string // such as android=2.3.0,ios=2.1.0
	UpdateURL         string
	CORSOrigins       string // separated by commas
	TrustedProxies    string // addresses or networks, separated by commas
	Operations        string // folder of operation documents laid over the built-in ones
	Fonts             string // folder of font files for reports; "" is the built-in fonts alone
	TrustedDocuments  string // folder of manifests; "": clients may send any document
	PersistedQueries  bool   // whether documents that clients send with their hash are kept
	Introspection     *bool  // nil is Demo
	Playground        bool
	Docs              bool
	LogLevel          slog.Level
	LogFormat         string // text, json, or auto: text on a terminal
	ShutdownTimeout   time.Duration
	AccessLife        time.Duration
	UserLife          time.Duration
	RefreshLife       time.Duration // while unused
	SessionLife       time.Duration
	RegistrationLimit int           // new devices of one network address in an hour
	BackupTo          string        // folder or s3://… of scheduled backups; "" for none
	BackupEvery       time.Duration // between two of them
	BackupKeep        int           // how many are kept
	BackupRecipient   string        // public key of age that they are encrypted to; "" leaves them open
	BootstrapToken    string        // stands in the link that creates the first company; "" makes a random one
	Country           string        // ISO 3166 code, for phone numbers without +
	Cache             ByteSize      // size of the response cache; 0 disables it
	Demo              bool          // whether to fill an empty database with the demo companies
	DemoScale         int           // with Demo only: above 1, a large company of 50 people times this is added; 0 is 1
	Clock             *time.Time    // with Demo only: where the clock starts

	Now          func() time.Time  // replaces the clock; nil is the machine's, on MySQL corrected by the database's
	Machine      func() time.Time  // of tests: the machine's clock that is corrected; nil is time.Now
	PasswordWork password.Work     // of tests; zero is password.Standard
	Program      string            // version of the program, as backups name it
	ConfigFile   string            // whose settings these are, to warn where others may read it
	Version      string            // the part of it that names the release
	Revision     string            // of the source; "" where it is not known
	Tracer       *telemetry.Tracer // nil makes no traces
}

// parsed is a Config whose texts were parsed.
type parsed struct {
	publicURL string
	proxies   []netip.Prefix
	cors      *cors.Cors
	gate      appversion.Gate
	api       *rest.API // nil with the built-in documents alone
	mail      message.Mail
	fonts     *pdf.Fonts         // nil with the built-in fonts alone
	trusted   persisted.Manifest // nil without --trusted-documents
	roots     *x509.CertPool     // by which the CA is trusted; nil without --acme-ca
}

// Check returns nil, or an error that names the flags whose values are wrong.
func (s Config) Check() error {
	_, err := s.parse()
	return err
}

// parse checks the settings; the error names the flags, each on a line.
func (s Config) parse() (p parsed, err error) {
	var proxies, origins, versions, mail, operations, fonts, trusted, encryption error
	p.publicURL = strings.TrimSuffix(cmp.Or(s.PublicURL, s.Scheme()+"://"+s.Addr), "/")
	p.roots, encryption = s.checkTLS()
	p.proxies, proxies = flagged("--trusted-proxies", commas(s.TrustedProxies), middleware.ParseProxies)
	p.cors, origins = flagged("--cors-origins", commas(s.CORSOrigins), middleware.ParseOrigins)
	p.gate, versions = appversion.ParseGate(s.MinAppVersion, s.UpdateURL)
	p.mail, mail = s.parseMail()
	if s.Operations != "" {
		p.api, operations = flagged("--operations", s.Operations, LoadAPI)
	}
	if s.Fonts != "" {
		p.fonts, fonts = flagged("--fonts", s.Fonts, pdf.Open)
	}
	if s.TrustedDocuments != "" {
		p.trusted, trusted = flagged("--trusted-documents", s.TrustedDocuments, persisted.ReadManifests)
	}
	return p, errors.Join(s.checkAddresses(), s.checkStore(), s.checkFiles(), s.checkGateway(), s.checkBroker(),
		s.checkLimits(), s.checkChoices(), s.checkBackup(),
		proxies, origins, versions, mail, operations, fonts, trusted, encryption)
}

// flagged parses the value of a flag; the error names the flag.
func flagged[In, Out any](flag string, value In, parse func(In) (Out, error)) (Out, error) {
	out, err := parse(value)
	if err != nil {
		err = fmt.Errorf("%s: %w", flag, err)
	}
	return out, err
}

// now returns the clock of the machine, or the one that the settings fix: UTC, in
// microseconds, as the databases store.
func (s Config) now() func() time.Time {
	if s.Now != nil {
		return s.Now
	}
	var ahead time.Duration
	if s.Clock != nil {
		ahead = time.Until(*s.Clock)
	}
	return func() time.Time { return time.Now().Add(ahead).UTC().Truncate(time.Microsecond) }
}

// measuredClock returns a clock that goes by that of the database; nil on SQLite and where
// the settings fix the clock.
func (s Config) measuredClock(db *database.DB, log *slog.Logger) *database.Clock {
	switch {
	case s.Now != nil || s.Clock != nil:
		return nil
	case s.Machine != nil:
		return database.NewClock(db, s.Machine, log)
	}
	return database.NewClock(db, time.Now, log)
}

// introspection reports whether introspection needs no permission.
func (s Config) introspection() bool {
	if s.Introspection != nil {
		return *s.Introspection
	}
	return s.Demo
}

// lifetimes returns the lifetimes of tokens.
func (s Config) lifetimes() auth.Lifetimes {
	d := auth.DefaultLifetimes
	return auth.Lifetimes{
		Access: cmp.Or(s.AccessLife, d.Access), User: cmp.Or(s.UserLife, d.User),
		Refresh: cmp.Or(s.RefreshLife, d.Refresh), Session: cmp.Or(s.SessionLife, d.Session),
	}
}

// DemoLog returns the path of the log file of a server with the demo.
func (s Config) DemoLog() string {
	folder := "data"
	if path, ok := strings.CutPrefix(s.Database, "sqlite:"); ok {
		folder = filepath.Dir(path)
	}
	path, err := filepath.Abs(filepath.Join(folder, "demo.log"))
	if err != nil {
		return filepath.Join(folder, "demo.log")
	}
	return path
}

// commas splits a list separated by commas.
func commas(text string) []string {
	var list []string
	for item := range strings.SplitSeq(text, ",") {
		if item = strings.TrimSpace(item); item != "" {
			list = append(list, item)
		}
	}
	return list
}
