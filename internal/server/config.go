package main

import (
	"cmp"
	"fmt"
	"log/slog"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rs/cors"

	"workforce/graph"
	"workforce/internal/database"
	"workforce/internal/message"
	"workforce/internal/middleware"
	"workforce/rest"
)

// settings are the flags of serve.
type settings struct {
	Addr              string        `default:"127.0.0.1:8080" help:"Address to listen on."`
	AdminAddr         string        `help:"Second address; with it, /metrics and /debug/pprof are only there."`
	PublicURL         string        `name:"public-url" help:"Base of the links handed out; http://ADDR when empty."`
	Database          string        `default:"sqlite:data/workforce.db" help:"sqlite:PATH or mysql://user:password@host:3306/name."`
	Migrate           bool          `default:"true" negatable:"" help:"Apply pending migrations; without, an old schema refuses to start."`
	SecretKeyFile     string        `default:"data/secret.key" help:"File of the secret key; made for an empty database only."`
	SMTPURL           string        `name:"smtp-url" help:"Mail server: smtp://user:password@host:587 or smtps://…; without, mail goes to the gateway."`
	MailFrom          string        `help:"Sender of all mail, such as no-reply@example.com."`
	SMSURL            string        `name:"sms-url" help:"Messaging gateway that messages are posted to."`
	SMSSecret         string        `name:"sms-secret" help:"Secret that signs what goes to the gateway, and what comes from it."`
	PasswordLegacy    string        `default:"opaque" enum:"opaque,base64" help:"How a password that is not encrypted is read: opaque, the text itself, or base64."`
	MinAppVersion     string        `help:"Oldest app versions served, such as android=2.3.0,ios=2.1.0."`
	UpdateURL         string        `name:"update-url" help:"Where an old app is told to find an update."`
	CORSOrigins       string        `name:"cors-origins" help:"Origins whose pages may call, separated by commas."`
	TrustedProxies    string        `help:"Addresses or networks whose X-Forwarded-For is believed, separated by commas."`
	Operations        string        `help:"Folder of operation documents laid over the built-in ones."`
	Introspection     *bool         `negatable:"" help:"Show the GraphQL schema to everybody; on with --demo, else off."`
	Playground        bool          `default:"true" negatable:"" help:"Serve /playground."`
	Docs              bool          `default:"true" negatable:"" help:"Serve /docs."`
	LogLevel          slog.Level    `default:"info" help:"debug, info, warn or error."`
	LogFormat         string        `default:"auto" enum:"auto,text,json" help:"text, json, or auto: text on a terminal, else json."`
	ShutdownTimeout   time.Duration `default:"20s" help:"How long requests may take to finish when the server stops."`
	AccessLife        time.Duration `default:"15m" help:"How long an access token lives."`
	UserLife          time.Duration `default:"15m" help:"How long a user token lives: the time to verify and get tokens after a login."`
	RefreshLife       time.Duration `default:"720h" help:"How long a refresh token lives unused."`
	SessionLife       time.Duration `default:"2160h" help:"How long a session lasts, however much it is used."`
	RegistrationLimit int           `default:"300" help:"New devices of one network address in an hour."`
	Country           string        `default:"ID" help:"ISO 3166 country in which phone numbers without + are read."`
	Cache             byteSize      `default:"64MiB" help:"Memory for answers that are sent again as long as nothing of a company's directory changed; 0 keeps none."`
	Demo              bool          `help:"Fill an empty database with the demo companies."`
	Clock             *time.Time    `help:"With --demo only: time at which the server's clock starts, RFC 3339."`
}

// parsed are settings that were read into what they mean.
type parsed struct {
	publicURL string
	proxies   []netip.Prefix
	cors      *cors.Cors
	gate      middleware.Gate
	api       *rest.API
	mail      message.Mail
}

// parse checks the settings; the error names the flag.
func (s settings) parse() (p parsed, err error) {
	p.publicURL = strings.TrimSuffix(cmp.Or(s.PublicURL, "http://"+s.Addr), "/")
	if p.proxies, err = middleware.ParseProxies(commas(s.TrustedProxies)); err != nil {
		return p, fmt.Errorf("--trusted-proxies: %w", err)
	}
	if p.cors, err = middleware.ParseOrigins(commas(s.CORSOrigins)); err != nil {
		return p, fmt.Errorf("--cors-origins: %w", err)
	}
	if p.gate, err = middleware.ParseGate(s.MinAppVersion, s.UpdateURL); err != nil {
		return p, fmt.Errorf("--min-app-version: %w", err)
	}
	if p.mail, err = s.parseMail(); err != nil {
		return p, err
	}
	if p.api, err = loadAPI(schemaOnly(), s.Operations); err != nil {
		return p, err
	}
	switch {
	case s.SMSURL != "" && s.SMSSecret == "":
		return p, fmt.Errorf("--sms-url needs --sms-secret")
	case s.SMSURL != "" && !isWeb(s.SMSURL):
		return p, fmt.Errorf("--sms-url must begin with http:// or https:// and name a host")
	case min(s.AccessLife, s.UserLife, s.RefreshLife, s.SessionLife) < 0:
		return p, fmt.Errorf("--access-life, --user-life, --refresh-life and --session-life must be positive")
	case s.RegistrationLimit < 0:
		return p, fmt.Errorf("--registration-limit must be positive")
	case s.Clock != nil && !s.Demo:
		return p, fmt.Errorf("--clock is for --demo only")
	}
	return p, nil
}

// parseMail reads how mail is sent. No error quotes the URL, which may hold a
// password.
func (s settings) parseMail() (m message.Mail, err error) {
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

// isWeb reports whether text is the URL of something that is reached over HTTP.
func isWeb(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// redacted returns the settings without secrets, to be shown.
func (s settings) redacted() settings {
	s.Database = database.Redact(s.Database)
	s.SMTPURL, s.SMSURL = hostOnly(s.SMTPURL), hostOnly(s.SMSURL)
	if s.SMSSecret != "" {
		s.SMSSecret = "xxxxx"
	}
	return s
}

// hostOnly returns a URL with xxxxx for whatever of it may be secret: all but
// scheme and host.
func hostOnly(text string) string {
	u, err := url.Parse(text)
	switch {
	case text == "":
		return ""
	case err != nil:
		return "xxxxx"
	}
	shown := u.Scheme + "://" + u.Host
	if text != shown && text != shown+"/" {
		shown += "/xxxxx"
	}
	return shown
}

// now returns the server's clock: UTC, to the microsecond that the databases
// keep.
func (s settings) now() func() time.Time {
	var ahead time.Duration
	if s.Clock != nil {
		ahead = time.Until(*s.Clock)
	}
	return func() time.Time { return time.Now().Add(ahead).UTC().Truncate(time.Microsecond) }
}

// introspection reports whether the schema is shown to everybody.
func (s settings) introspection() bool {
	if s.Introspection != nil {
		return *s.Introspection
	}
	return s.Demo
}

// lifetimes returns how long tokens live.
func (s settings) lifetimes() graph.Lifetimes {
	d := graph.DefaultLifetimes
	return graph.Lifetimes{
		Access: cmp.Or(s.AccessLife, d.Access), User: cmp.Or(s.UserLife, d.User),
		Refresh: cmp.Or(s.RefreshLife, d.Refresh), Session: cmp.Or(s.SessionLife, d.Session),
	}
}

// demoLog is where the demo keeps its log, so that its codes can be found.
func (s settings) demoLog() string {
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

// isTerminal reports whether a file is one that a person looks at.
func isTerminal(f any) bool {
	file, ok := f.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
