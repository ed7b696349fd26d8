package server

import (
	"context"
	"log/slog"
	"os"
	"strings"

	"entgo.io/ent/dialect"
)

// warn logs what an operator should mend although the server runs: one line each.
func (srv *Server) warn(ctx context.Context) {
	s := srv.config
	srv.Store.warnIfNotDurable(ctx, srv.log)
	if s.SMTPURL == "" && s.SMSURL == "" && !s.Demo {
		srv.log.WarnContext(ctx, "one-time codes reach nobody, so that nobody can sign in on a new device: "+
			"set --smtp-url with --mail-from, or --sms-url with --sms-secret")
	}
	if path, ok := strings.CutPrefix(s.Database, "sqlite:"); ok {
		warnIfReadable(ctx, srv.log, "--database", path)
	}
	warnIfReadable(ctx, srv.log, "--secret-key-file", s.SecretKeyFile)
}

// warnIfReadable logs a warning if users of the machine other than the owner may read
// a file.
func warnIfReadable(ctx context.Context, log *slog.Logger, flag, path string) {
	info, err := os.Stat(path)
	if err == nil && info.Mode().Perm()&0o044 != 0 {
		log.WarnContext(ctx, "other users of this machine may read a file with secrets: run chmod 600",
			"flag", flag, "file", path, "mode", info.Mode().Perm().String())
	}
}

// warnIfNotDurable logs a warning if the MySQL server may lose committed data on
// a power failure. Servers without that setting are not reported.
func (s *Store) warnIfNotDurable(ctx context.Context, log *slog.Logger) {
	var flush int
	if s.DB.Dialect != dialect.MySQL {
		return
	}
	err := s.DB.Reader.QueryRowContext(ctx, "SELECT @@innodb_flush_log_at_trx_commit").Scan(&flush)
	if err == nil && flush != 1 {
		log.WarnContext(ctx, "the database may lose acknowledged events when its power fails", "innodb_flush_log_at_trx_commit", flush)
	}
}
