package server

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/ent/user"
	"workforce/internal/viewer"
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
			tt.set.Database, tt.set.SecretKeyFile = "sqlite:x.db", "x.key"
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

// TestRefusedSettings refuses each value that cannot work by an error that begins with
// the name of its flag.
func TestRefusedSettings(t *testing.T) {
	const second = time.Second
	early := time.Unix(0, 0)
	tests := []struct {
		name string
		set  func(*Config)
		want string // "" accepts
	}{
		{"a public URL", func(s *Config) { s.PublicURL = "https://api.example.id/workforce/" }, ""},
		{"a public URL without a scheme", func(s *Config) { s.PublicURL = "api.example.id" }, "--public-url must begin with"},
		{"a public URL of another scheme", func(s *Config) { s.PublicURL = "ftp://api.example.id" }, "--public-url must begin with"},
		{"a public URL without a host", func(s *Config) { s.PublicURL = "https://:443" }, "--public-url must begin with"},
		{"a public URL with a query", func(s *Config) { s.PublicURL = "https://api.example.id?a=1" }, "--public-url must have no"},
		{"a public URL with an empty query", func(s *Config) { s.PublicURL = "https://api.example.id/?" }, "--public-url must have no"},
		{"a public URL with a fragment", func(s *Config) { s.PublicURL = "https://api.example.id/#top" }, "--public-url must have no"},
		{"a public URL with a user", func(s *Config) { s.PublicURL = "https://budi@api.example.id" }, "--public-url must have no"},
		{"a country", func(s *Config) { s.Country = "SG" }, ""},
		{"an unknown country", func(s *Config) { s.Country = "ZZ" }, `--country "ZZ" is no`},
		{"a country in small letters", func(s *Config) { s.Country = "id" }, `--country "id" is no`},
		{"lifetimes", func(s *Config) { s.AccessLife, s.RefreshLife, s.SessionLife = second, 2*second, time.Hour }, ""},
		{"a negative lifetime", func(s *Config) { s.UserLife = -1 }, "--access-life, --user-life"},
		{"an access token as long as a refresh token", func(s *Config) { s.AccessLife = 720 * time.Hour }, "--access-life (720h0m0s) must be shorter"},
		{"a refresh token longer than the session", func(s *Config) { s.SessionLife = 700 * time.Hour }, "--refresh-life (720h0m0s) must not be longer"},
		{"a user token longer than the session", func(s *Config) { s.UserLife = 3000 * time.Hour }, "--user-life (3000h0m0s) must not be longer"},
		{"a negative limit", func(s *Config) { s.RegistrationLimit = -1 }, "--registration-limit must"},
		{"a negative timeout", func(s *Config) { s.ShutdownTimeout = -1 }, "--shutdown-timeout must"},
		{"an address without a port", func(s *Config) { s.Addr = "127.0.0.1" }, "--addr: "},
		{"a port that is none", func(s *Config) { s.Addr = ":70000" }, "--addr: "},
		{"any address", func(s *Config) { s.Addr, s.AdminAddr = ":8080", "[::1]:9090" }, ""},
		{"an admin address that is none", func(s *Config) { s.AdminAddr = "localhost" }, "--admin-addr: "},
		{"another database", func(s *Config) { s.Database = "oracle:hunter2" }, "--database: the URL begins neither"},
		{"a file without a name", func(s *Config) { s.Database = "sqlite:" }, "--database: write sqlite:PATH"},
		{"a database without a name", func(s *Config) { s.Database = "mysql://budi:hunter2@db.test" }, "--database: the URL names no database"},
		{"a bucket", func(s *Config) { s.Files = "s3://w?endpoint=http://127.0.0.1:9000&region=id-1" }, ""},
		{"a bucket with a password", func(s *Config) { s.Files = "s3://budi:hunter2@w" }, "--files: write s3://"},
		{"files elsewhere", func(s *Config) { s.Files = "ftp://hunter2" }, "--files: the URL begins neither"},
		{"no key file", func(s *Config) { s.SecretKeyFile = "" }, "--secret-key-file must"},
		{"a folder that is not there", func(s *Config) { s.Operations = "nowhere" }, "--operations: "},
		{"fonts that are not there", func(s *Config) { s.Fonts = "nowhere" }, "--fonts: "},
		{"a file that is no font", func(s *Config) { s.Fonts = "../report/pdf/font" },
			"--fonts: ../report/pdf/font/LICENSE: this is no TrueType"},
		{"a proxy that is none", func(s *Config) { s.TrustedProxies = "proxy" }, "--trusted-proxies: "},
		{"an origin that is none", func(s *Config) { s.CORSOrigins = "app.example.id" }, "--cors-origins: "},
		{"a version that is none", func(s *Config) { s.MinAppVersion = "android=new" }, "--min-app-version: "},
		{"an update URL that is none", func(s *Config) { s.UpdateURL = "store" }, "--update-url: "},
		{"another reading of passwords", func(s *Config) { s.PasswordLegacy = "rot13" }, "--password-legacy must"},
		{"a bootstrap token", func(s *Config) { s.BootstrapToken = strings.Repeat("aZ0-_9bc", 4) }, ""},
		{"the longest bootstrap token", func(s *Config) { s.BootstrapToken = strings.Repeat("a", 255) }, ""},
		{"a short bootstrap token", func(s *Config) { s.BootstrapToken = "hunter2" + strings.Repeat("a", 24) }, "--bootstrap-token must"},
		{"a long bootstrap token", func(s *Config) { s.BootstrapToken = "hunter2" + strings.Repeat("a", 249) }, "--bootstrap-token must"},
		{"a bootstrap token that a link would spell otherwise", func(s *Config) { s.BootstrapToken = "hunter2" + strings.Repeat("a", 32) + "%" }, "--bootstrap-token must"},
		{"another format", func(s *Config) { s.LogFormat = "xml" }, "--log-format must"},
		{"a scale of the demo", func(s *Config) { s.Demo, s.DemoScale = true, 1000 }, ""},
		{"a scale of the demo that is too large", func(s *Config) { s.Demo, s.DemoScale = true, 1001 }, "--demo-scale must be between 1 and 1000, not 1001"},
		{"a negative scale of the demo", func(s *Config) { s.Demo, s.DemoScale = true, -1 }, "--demo-scale must be between"},
		{"a scale without the demo", func(s *Config) { s.DemoScale = 2 }, "--demo-scale is for --demo only"},
		{"backups", func(s *Config) { s.BackupTo, s.BackupEvery, s.BackupKeep = "backups", time.Hour, 3 }, ""},
		{"backups into a bucket that is none", func(s *Config) {
			s.BackupTo, s.BackupEvery,
				s.BackupKeep = "s3://budi:hunter2@w", time.Hour, 3
		}, "--backup-to: write s3://"},
		{"backups among the files", func(s *Config) {
			s.Files, s.BackupTo, s.BackupEvery, s.BackupKeep = "file:data/files", "data/files/backups", time.Hour, 3
		}, "--backup-to must not lie in the folder of --files"},
		{"backups all the time", func(s *Config) { s.BackupTo, s.BackupEvery, s.BackupKeep = "backups", time.Second, 3 },
			"--backup-every must be at least 1m, not 1s"},
		{"backups that are not kept", func(s *Config) { s.BackupTo, s.BackupEvery = "backups", time.Hour },
			"--backup-keep must be at least 1, not 0"},
		{"a recipient that is none", func(s *Config) {
			s.BackupTo, s.BackupEvery, s.BackupKeep, s.BackupRecipient = "backups", time.Hour, 3, "hunter2"
		},
			"--backup-recipient: must be a public key of age"},
		{"a recipient of no backups", func(s *Config) { s.BackupRecipient = "age1" },
			"--backup-recipient is for --backup-to only"},
		{"a clock without the demo", func(s *Config) { s.Clock = &early }, "--clock is for"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := Config{Database: "sqlite:x.db", SecretKeyFile: "x.key"}
			tt.set(&s)
			err := s.Check()
			if (err == nil) != (tt.want == "") || err != nil && (!strings.HasPrefix(err.Error(), tt.want) || strings.Contains(err.Error(), "hunter2")) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

// TestAllFaults names the flags of all settings that cannot work, each on a line, and
// every proxy and origin that is none.
func TestAllFaults(t *testing.T) {
	early := time.Unix(0, 0)
	err := Config{
		Addr: "localhost", AdminAddr: "[::1]", PublicURL: "api.example.id", Database: "oracle:x", Files: "ftp://x", SMSURL: "ftp://hunter2", SMTPURL: "http://hunter2",
		RegistrationLimit: -1, ShutdownTimeout: -1, AccessLife: 900 * time.Hour, SessionLife: time.Hour, UserLife: 2 * time.Hour, Country: "id", PasswordLegacy: "rot13",
		LogFormat: "xml", BootstrapToken: "hunter2", DemoScale: 2000, Clock: &early, TrustedProxies: "one,two", CORSOrigins: "three,four", UpdateURL: "store",
		MinAppVersion: "symbian=1,ios=new", MailFrom: "nobody", Operations: "nowhere", Fonts: "nowhere",
	}.Check()
	if err == nil {
		t.Fatal("accepted")
	}
	var got []string
	for line := range strings.Lines(err.Error()) {
		flag, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		got = append(got, strings.TrimSuffix(flag, ":"))
	}
	want := strings.Fields(`--addr --admin-addr --public-url --secret-key-file --database --files --sms-url --sms-url --access-life --refresh-life --user-life
		--registration-limit --shutdown-timeout --country --password-legacy --log-format --bootstrap-token --demo-scale --demo-scale --clock
		--trusted-proxies trusted --cors-origins origin --update-url --min-app-version --min-app-version --smtp-url --mail-from
		--operations --fonts`)
	if !slices.Equal(got, want) || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("%v\nflags %q, want %q", err, got, want)
	}
}

// TestStartWarnings starts servers and lists the warnings that they log.
func TestStartWarnings(t *testing.T) {
	const noCodes = "one-time codes reach nobody, so that nobody can sign in on a new device: " +
		"set --smtp-url with --mail-from, or --sms-url with --sms-secret"
	const readable = "other users of this machine may read a file with secrets: run chmod 600"
	tests := []struct {
		name string
		set  func(*Config)
		want []string
	}{
		{"neither mail nor gateway", func(*Config) {}, []string{noCodes}},
		{"mail", func(s *Config) { s.SMTPURL, s.MailFrom = "smtp://mail.test", "no-reply@demo.test" }, nil},
		{"gateway", func(s *Config) { s.SMSURL, s.SMSSecret = "https://gateway.test", "secret" }, nil},
		{"the demo", func(s *Config) { s.Demo = true }, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir() + "/data"
			s := Config{Database: "sqlite:" + dir + "/workforce.db", SecretKeyFile: dir + "/secret.key", Migrate: true}
			tt.set(&s)
			if got := startWarnings(t, s); !slices.Equal(got, tt.want) {
				t.Errorf("first start: %q, want %q", got, tt.want)
			}
			for _, name := range []string{"", "workforce.db", "secret.key"} {
				info, err := os.Stat(filepath.Join(dir, name))
				if err != nil || info.Mode().Perm()&0o077 != 0 {
					t.Errorf("%q: %v %v, want its owner alone to read it", name, info.Mode(), err)
				}
				if name != "" {
					if err := os.Chmod(filepath.Join(dir, name), 0o640); err != nil {
						t.Fatal(err)
					}
				}
			}
			if got, want := startWarnings(t, s), append(slices.Clone(tt.want), readable, readable); !slices.Equal(got, want) {
				t.Errorf("with files that others may read: %q, want %q", got, want)
			}
			if info, err := os.Stat(dir + "/workforce.db"); err != nil || info.Mode().Perm() != 0o640 {
				t.Errorf("the mode of an existing file was changed: %v %v", info.Mode(), err)
			}
		})
	}
}

// startWarnings wires a server and returns the warnings that it logged.
func startWarnings(t *testing.T, s Config) (list []string) {
	t.Helper()
	var out bytes.Buffer
	srv, err := New(t.Context(), s, slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{Level: slog.LevelWarn})))
	if err != nil {
		t.Fatal(err)
	}
	if err := srv.Store.Close(); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		var record struct{ Msg string }
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Fatal(err)
		}
		list = append(list, record.Msg)
	}
	return list
}

// TestFonts gives the fonts of a folder to the reports.
func TestFonts(t *testing.T) {
	dir, folder := t.TempDir(), t.TempDir()
	font, err := os.ReadFile("../report/pdf/font/DejaVuSans.ttf")
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "a.ttf"), font, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	srv, err := New(t.Context(), Config{
		Database: "sqlite:" + dir + "/w.db", SecretKeyFile: dir + "/key", Migrate: true, Fonts: folder,
	}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = srv.Store.Close() })
	if srv.Services.Reports.Fonts == nil {
		t.Error("the reports have the built-in fonts alone")
	}
}

// TestPasswordWork holds what it takes to guess a password of a server whose settings do
// not say, as those of the command never do: OWASP's least for argon2id.
func TestPasswordWork(t *testing.T) {
	dir := t.TempDir()
	srv, err := New(t.Context(), Config{
		Database: "sqlite:" + dir + "/w.db", SecretKeyFile: dir + "/key", Migrate: true, Demo: true,
	}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = srv.Store.Close() })
	ctx := viewer.System(t.Context())
	for _, u := range srv.Store.Ent.User.Query().Where(user.PasswordHashNotNil()).AllX(ctx) {
		if !strings.HasPrefix(*u.PasswordHash, "$argon2id$v=19$m=19456,t=2,p=1$") {
			t.Errorf("%s: %.40s", u.Email, *u.PasswordHash)
		}
	}
}
