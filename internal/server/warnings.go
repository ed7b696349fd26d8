package server

import (
	"context"
	"fmt"
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
	warnIfReadable(ctx, srv.log, "--config", s.ConfigFile)
	warnIfReadable(ctx, srv.log, "--tls-key", s.TLSKey)
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

// checkSynced is an error for a SQLite file whose commits are not synced.
func (s *Store) checkSynced(ctx context.Context) error {
	if s.DB.Dialect != dialect.SQLite {
		return nil
	}
	var synchronous int
	err := s.DB.Writer.QueryRowContext(ctx, "PRAGMA synchronous").Scan(&synchronous)
	if err == nil && synchronous < 2 {
		err = fmt.Errorf("PRAGMA synchronous is %d, want 2 (FULL): acknowledged events would be lost when the power fails", synchronous)
	}
	return err
}

// warnIfNotDurable logs what a MySQL server may lose when its power fails; its
// operator may have reasons. Variables that a server does not have are not reported.
func (s *Store) warnIfNotDurable(ctx context.Context, log *slog.Logger) {
	if s.DB.Dialect != dialect.MySQL {
		return
	}
	for _, v := range []struct{ name, query, lost string }{
		{"innodb_flush_log_at_trx_commit", "SELECT @@innodb_flush_log_at_trx_commit", "acknowledged events of the last second"},
		{"sync_binlog", "SELECT IF(@@log_bin, @@sync_binlog, 1)", "acknowledged events in the binary log, which replicas and backups read"},
	} {
		var value int
		if err := s.DB.Reader.QueryRowContext(ctx, v.query).Scan(&value); err == nil && value != 1 {
			log.WarnContext(ctx, "the database may lose acknowledged events when its power fails",
				"variable", v.name, "value", value, "want", 1, "lost", v.lost)
		}
	}
}
