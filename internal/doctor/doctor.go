// Package doctor examines what a server needs before it runs: its settings and what they name.
package doctor

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// A Status is what a check found.
type Status string

// The statuses, the best first.
const (
	OK      Status = "ok"
	Warning Status = "warning" // the server runs, and something is to be mended
	Failure Status = "failure" // the server does not run, or does not do what it is for
)

// A Result is what one check found.
type Result struct {
	Check  string `json:"check"`
	Status Status `json:"status"`
	Found  string `json:"found"`
	Advice string `json:"advice,omitempty"` // what to do about it
}

func fine(check, found string) Result { return Result{Check: check, Status: OK, Found: found} }

func warning(check, found, advice string) Result { return Result{check, Warning, found, advice} }

func failure(check, found, advice string) Result { return Result{check, Failure, found, advice} }

// limit bounds each check.
const limit = 10 * time.Second

// A Subject is what is examined. Secrets in it are in no result.
type Subject struct {
	Settings  error  // what is wrong with the settings, a flag each line
	Database  string // URL; "" where the settings are wrong about it
	Unset     bool   // no setting names the database: it is the default
	Migrate   bool   // whether serve applies pending migrations
	Files     string // URL of the file store; "" where the settings are wrong about it
	KeyFile   string
	PublicURL string // "" where it is not set
	TLSCert   string // file of the certificate, and that of its key; "" where the server has no such files
	TLSKey    string
	Issued    bool // a CA issues the server's certificates
	Demo      bool // messages go to the log

	Mail    func(context.Context) error        // signs in at the mail server; nil without one
	Gateway func(context.Context) (int, error) // asks the gateway for the status of an answer; nil without one
	Secure  bool                               // the gateway is asked over HTTPS, or on this machine

	Now    func() time.Time // of this machine
	Client *http.Client     // asks the public URL
	Disk   func(path string) (free uint64, err error)
}

// Examine runs all checks. One that cannot be run, since the settings are wrong about what it
// examines, is left out.
func Examine(ctx context.Context, s Subject) []Result {
	results := []Result{s.settings()}
	known := installation{}
	if s.Database != "" {
		var found []Result
		found, known = s.database(ctx)
		results = append(results, found...)
	}
	if s.Files != "" {
		results = append(results, bounded(ctx, func(ctx context.Context) Result { return s.files(ctx, known) }))
	}
	checks := []func(context.Context) Result{
		s.mail, s.gateway, func(context.Context) Result { return s.key(known) }, s.publicURL,
		func(context.Context) Result { return s.disk() },
	}
	if s.TLSCert != "" || s.TLSKey != "" {
		checks = append(checks, func(context.Context) Result { return s.certificate() })
	}
	for _, check := range checks {
		results = append(results, bounded(ctx, check))
	}
	return results
}

func bounded(ctx context.Context, check func(context.Context) Result) Result {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return check(ctx)
}

// Worst returns the worst status of some results.
func Worst(results []Result) Status {
	worst := OK
	for _, r := range results {
		if r.Status == Failure || r.Status == Warning && worst == OK {
			worst = r.Status
		}
	}
	return worst
}

// Print writes a line for each result.
func Print(w io.Writer, results []Result) error {
	for _, r := range results {
		line := fmt.Sprintf("%-7s  %-13s  %s", r.Status, r.Check, r.Found)
		if r.Advice != "" {
			line += "; " + r.Advice
		}
		if _, err := fmt.Fprintln(w, strings.ReplaceAll(line, "\n", "; ")); err != nil {
			return err
		}
	}
	return nil
}

func (s Subject) settings() Result {
	if s.Settings != nil {
		return failure("settings", s.Settings.Error(), "correct the flags or environment variables that are named")
	}
	return fine("settings", "all flags and environment variables are understood")
}
