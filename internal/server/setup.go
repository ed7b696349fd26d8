package server

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"workforce/internal/app/bootstrap"
	"workforce/internal/executor"
	"workforce/internal/pages"
)

// offerSetup makes the link valid that creates the first company, unless there is one.
func (srv *Server) offerSetup(ctx context.Context) error {
	token := cmp.Or(srv.config.BootstrapToken, bootstrap.NewToken())
	offered, err := srv.Services.Setup.Offer(ctx, token)
	if err == nil && offered && srv.config.BootstrapToken == "" {
		srv.SetupPath = "/setup?token=" + token
	}
	return err
}

// setup returns what the page of the first start does.
func (srv *Server) setup() pages.Setup {
	return pages.Setup{
		Check: srv.Services.Setup.Check,
		Create: func(ctx context.Context, token string, f pages.SetupForm) (string, time.Time, error) {
			code, err := srv.Services.Setup.Create(ctx, token, bootstrap.Founding(f))
			if err == nil {
				srv.removeSetupLink(ctx)
			}
			return code.Code, code.Expires, err
		},
		Classify: func(ctx context.Context, err error) error { return executor.Classify(ctx, srv.log, err) },
	}
}

// setupLinkFile returns the path of the file that KeepSetupLink writes.
func (s Config) setupLinkFile() string {
	path := filepath.Join(filepath.Dir(s.SecretKeyFile), "setup-link")
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}

// KeepSetupLink writes the link that creates the first company to the file setup-link
// beside the secret key, for the file's owner alone to read, and logs where it is: the link
// holds a secret, which a log must not. base is the server's URL. Without a link to show it
// does nothing. A file that cannot be written is logged: the server runs without it.
func (srv *Server) KeepSetupLink(ctx context.Context, base string) {
	if srv.SetupPath == "" {
		return
	}
	path := srv.config.setupLinkFile()
	if err := writePrivate(path, base+srv.SetupPath+"\n"); err != nil {
		srv.log.ErrorContext(ctx, "the link that creates the first company cannot be written: start with --bootstrap-token",
			"file", path, "error", err)
		return
	}
	srv.log.WarnContext(ctx, "there is no company: open the link in the file within an hour to create it", "file", path)
}

// removeSetupLink removes the file with the link of an earlier start, or of a company that
// is there now.
func (srv *Server) removeSetupLink(ctx context.Context) {
	path := srv.config.setupLinkFile()
	if _, err := os.Lstat(path); err != nil { // in a folder that is read-only, removing nothing fails too
		return
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		srv.log.WarnContext(ctx, "removing the file with the setup link", "file", path, "error", err)
	}
}

// writePrivate replaces a file as a whole by one that its owner alone may read.
func writePrivate(path, text string) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".setup-link-*") // mode 0600
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // err tells more
	}
	return err
}
