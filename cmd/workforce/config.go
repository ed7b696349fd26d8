package main

import (
	"encoding"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"reflect"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"workforce/internal/database"
	"workforce/internal/demo"
	"workforce/internal/password"
	"workforce/internal/server"
	"workforce/internal/telemetry"
)

// configCmd shows the settings.
type configCmd struct {
	Print configPrintCmd `cmd:"" help:"Print the settings of serve as environment variables, without secrets."`
}

type configPrintCmd struct {
	settings
	configFlag
	jsonFlag
}

// Run implements the command: a line for each flag of serve, as the environment
// variable that sets it. What is not set, or holds a secret, is a comment, so that the
// lines can be given back.
func (c *configPrintCmd) Run(command *kong.Context, io streams) error {
	if err := c.check(); err != nil {
		return err
	}
	given, facts := c.settings, map[string]any{}
	for _, flag := range command.Selected().Flags {
		if flag.Name == "config" || flag.Name == "json" { // these are no settings
			continue
		}
		c.settings = given
		value := flagText(flag.Target)
		c.settings = given.redacted()
		shown := flagText(flag.Target)
		switch {
		case c.JSON:
			facts[flag.Name] = map[string]any{"value": shown, "secret": shown != value}
		case shown != value:
			fmt.Fprintf(io.out, "# %s=%s # with a secret, which is not shown\n", flag.Envs[0], shown)
		case value == "":
			fmt.Fprintf(io.out, "# %s=\n", flag.Envs[0])
		default:
			fmt.Fprintf(io.out, "%s=%s\n", flag.Envs[0], quoted(value))
		}
	}
	if c.JSON {
		return printJSON(io.out, facts)
	}
	return nil
}

// flagText returns a flag's value as the command line takes it; "" where it is not
// set.
func flagText(v reflect.Value) string {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	}
	switch value := v.Interface().(type) {
	case time.Duration:
		return shortDuration(value)
	case slog.Level:
		return strings.ToLower(value.String())
	case time.Time:
		return value.Format(time.RFC3339Nano)
	case []string:
		return strings.Join(value, ",")
	case encoding.TextMarshaler:
		text, err := value.MarshalText()
		if err == nil {
			return string(text)
		}
	}
	return fmt.Sprint(v.Interface())
}

// shortDuration writes a duration without its zeros at the end: 15m, not 15m0s.
func shortDuration(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// quoted quotes a value for a shell where it needs that.
func quoted(value string) string {
	safe := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("%+,-./:=@_", c)
	}
	if !strings.ContainsFunc(value, func(c rune) bool { return !safe(c) }) {
		return value
	}
	return "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
}

// settings are the flags of serve: server.Config with what the command line says
// of each.
type settings struct {
	Addr              string          `default:"127.0.0.1:8080" help:"Address to listen on."`
	AdminAddr         string          `help:"Second address to listen on; serves /metrics and /debug/pprof, which the first then does not."`
	PublicURL         string          `name:"public-url" help:"Base URL of links in answers and messages; http://ADDR when empty, or https://ADDR with TLS."`
	TLSCert           string          `help:"PEM file of a certificate: serves HTTPS. Read again when it changes."`
	TLSKey            string          `help:"PEM file of the key of --tls-cert."`
	TLSDomain         []string        `help:"Name to get a certificate for by ACME; accepts the CA's terms."`
	TLSCache          string          `help:"Folder of issued certificates; the database when empty."`
	ACMEURL           string          `name:"acme-url" help:"Directory of the CA; Let's Encrypt when empty."`
	ACMECA            string          `name:"acme-ca" help:"PEM file by which the CA's server is trusted."`
	ACMEEmail         string          `help:"Address that the CA writes to."`
	HTTPAddr          string          `help:"Address for plain HTTP beside TLS: redirects, and answers the CA."`
	Database          string          `default:"sqlite:data/workforce.db" help:"sqlite:PATH or mysql://user:password@host:3306/name."`
	Migrate           bool            `default:"true" negatable:"" help:"Apply pending migrations at the start; with --no-migrate the server refuses to start on an old schema."`
	Files             string          `default:"file:data/files" help:"Where files lie: file:PATH, or s3://bucket?endpoint=…&region=… with the credentials of the usual AWS variables."`
	SecretKeyFile     string          `default:"data/secret.key" help:"File of the secret key; created if the database is new."`
	Broker            string          `default:"memory" help:"What carries events between instances: memory for one alone, or redis://user:password@host:6379/0."`
	SMTPURL           string          `name:"smtp-url" help:"Mail server: smtp://user:password@host:587 or smtps://…; when empty, mail goes to the messaging gateway."`
	MailFrom          string          `help:"Sender of all mail, such as no-reply@example.com."`
	SMSURL            string          `name:"sms-url" help:"URL of the messaging gateway; when empty, messages are written to the log."`
	SMSSecret         string          `name:"sms-secret" help:"Secret that signs requests to the gateway and its delivery reports."`
	PasswordLegacy    string          `default:"opaque" enum:"opaque,base64" help:"How to read a password that is not encrypted: opaque (as it is) or base64."`
	MinAppVersion     string          `help:"Oldest app versions that are served, such as android=2.3.0,ios=2.1.0."`
	UpdateURL         string          `name:"update-url" help:"URL of the update that refused app versions are pointed to."`
	CORSOrigins       string          `name:"cors-origins" help:"Origins that may call the API from a browser, separated by commas."`
	TrustedProxies    string          `help:"Addresses or networks of the reverse proxies in front, such as 10.0.0.0/8, separated by commas: only from them X-Forwarded-For names the client."`
	Operations        string          `help:"Folder of operation documents that replace or add to the built-in ones."`
	Fonts             string          `help:"Folder of font files for scripts that the fonts of PDF reports lack."`
	TrustedDocuments  string          `help:"Folder of manifests of GraphQL documents: no others run then."`
	PersistedQueries  bool            `default:"true" negatable:"" help:"Keep GraphQL documents by their hashes."`
	Introspection     *bool           `negatable:"" help:"Allow GraphQL introspection without developer.read.all; default: on with --demo, else off."`
	Playground        bool            `default:"true" negatable:"" help:"Serve /playground."`
	Docs              bool            `default:"true" negatable:"" help:"Serve /docs."`
	LogLevel          slog.Level      `default:"info" help:"debug, info, warn or error."`
	LogFormat         string          `default:"auto" enum:"auto,text,json" help:"text, json, or auto: text on a terminal and with --demo, else json."`
	ShutdownTimeout   time.Duration   `default:"20s" help:"Time that running requests have to finish when the server stops."`
	AccessLife        time.Duration   `default:"15m" help:"Lifetime of an access token."`
	UserLife          time.Duration   `default:"15m" help:"Lifetime of a user token: the time after a login to verify the code and get tokens."`
	RefreshLife       time.Duration   `default:"720h" help:"Lifetime of an unused refresh token."`
	SessionLife       time.Duration   `default:"2160h" help:"Longest duration of a session."`
	RegistrationLimit int             `default:"300" help:"New devices per network address and hour."`
	BackupTo          string          `help:"Folder, or s3://bucket?endpoint=…&region=…, into which backups are written."`
	BackupEvery       time.Duration   `default:"24h" help:"Time between two backups."`
	BackupKeep        int             `default:"14" help:"How many backups are kept."`
	BackupRecipient   string          `help:"Public key of age that backups are encrypted to, such as age1…."`
	BootstrapToken    string          `help:"Token of the link that creates the first company, 32 to 255 letters, digits, - and _: PUBLIC-URL/setup?token=TOKEN; when empty, a random one is made and the link printed, or with JSON logs written to the file setup-link beside the secret key."`
	Country           string          `default:"ID" help:"ISO 3166 country code for phone numbers without +."`
	Cache             server.ByteSize `default:"64MiB" help:"Size of the response cache for directory lists; 0 disables it."`
	Demo              bool            `help:"Fill an empty database with the demo companies."`
	DemoScale         int             `default:"1" help:"With --demo only: above 1, add a company of 50 people times this with a year of work, at most 1000."`
	Clock             *time.Time      `help:"With --demo only: start time of the server's clock, RFC 3339."`

	Now          func() time.Time  `kong:"-" json:"-"` // of tests
	Machine      func() time.Time  `kong:"-" json:"-"` // of tests
	PasswordWork password.Work     `kong:"-" json:"-"` // of tests
	Program      string            `kong:"-" json:"-"` // version
	ConfigFile   string            `kong:"-" json:"-"` // of --config
	Version      string            `kong:"-" json:"-"`
	Revision     string            `kong:"-" json:"-"`
	Tracer       *telemetry.Tracer `kong:"-" json:"-"`
}

// mappers read the flags of types whose own errors do not tell what is allowed. Kong puts
// the name of the flag before an error.
var mappers = []kong.Option{
	mapper("one of debug, info, warn, error", func(text string) (slog.Level, error) {
		var level slog.Level
		err := level.UnmarshalText([]byte(text))
		return level, err
	}),
	mapper("a duration such as 90s, 15m or 720h", time.ParseDuration),
	mapper("a time such as 2026-03-10T09:00:00+07:00", func(text string) (*time.Time, error) {
		at, err := time.Parse(time.RFC3339, text)
		return &at, err
	}),
}

// mapper reads the flags of a type by parse. expected completes "must be".
func mapper[T any](expected string, parse func(string) (T, error)) kong.Option {
	return kong.TypeMapper(reflect.TypeFor[T](), kong.MapperFunc(func(ctx *kong.DecodeContext,
		target reflect.Value) error {
		var text string
		if err := ctx.Scan.PopValueInto("value", &text); err != nil {
			return err
		}
		value, err := parse(text)
		if err != nil {
			return fmt.Errorf("%q must be %s", text, expected)
		}
		target.Set(reflect.ValueOf(value))
		return nil
	}))
}

// check returns nil, or an error that names the flags whose values are wrong, each on a
// line. A Config takes zero for the default; on the command line it is a mistake.
func (s settings) check() error {
	var faults []error
	for _, life := range []struct {
		flag  string
		value time.Duration
	}{
		{"--access-life", s.AccessLife}, {"--user-life", s.UserLife}, {"--refresh-life", s.RefreshLife},
		{"--session-life", s.SessionLife}, {"--shutdown-timeout", s.ShutdownTimeout},
	} {
		if life.value < time.Second {
			faults = append(faults, fmt.Errorf("%s must be at least 1s, not %v", life.flag, life.value))
		}
	}
	if s.RegistrationLimit < 1 {
		faults = append(faults, fmt.Errorf("--registration-limit must be at least 1, not %d", s.RegistrationLimit))
	}
	if s.DemoScale == 0 {
		faults = append(faults, fmt.Errorf("--demo-scale must be between 1 and %d, not 0", demo.MaxScale))
	}
	return errors.Join(append(faults, s.config().Check())...)
}

// config returns the settings as the server takes them.
func (s settings) config() server.Config { return server.Config(s) }

// redacted returns the settings without secrets, to be shown.
func (s settings) redacted() settings {
	s.Database = database.Redact(s.Database)
	s.SMTPURL, s.SMSURL = hostOnly(s.SMTPURL), hostOnly(s.SMSURL)
	if s.Broker != "memory" {
		s.Broker = hostOnly(s.Broker)
	}
	if s.SMSSecret != "" {
		s.SMSSecret = "xxxxx"
	}
	if s.BootstrapToken != "" {
		s.BootstrapToken = "xxxxx"
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
