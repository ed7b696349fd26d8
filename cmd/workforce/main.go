// Command workforce is the workforce daily-activity backend.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	_ "time/tzdata" // time zones, for images and machines without their files

	"github.com/alecthomas/kong"
	kongcompletion "github.com/jotaen/kong-completion"

	"workforce/internal/errs"
	"workforce/internal/server"
)

// cli is the command line. Every flag of serve is also an environment variable:
// --database is WORKFORCE_DATABASE.
type cli struct {
	Serve      serveCmd      `cmd:"" help:"Serve the API."`
	Migrate    migrateCmd    `cmd:"" help:"Show and apply schema migrations."`
	Company    companyCmd    `cmd:"" help:"Manage companies."`
	User       userCmd       `cmd:"" help:"Manage users."`
	Import     importCmd     `cmd:"" help:"Import files."`
	Apply      applyCmd      `cmd:"" help:"Apply a file that describes a company."`
	Export     exportCmd     `cmd:"" help:"Export people and companies."`
	Backup     backupCmd     `cmd:"" help:"Write and verify backups."`
	Restore    restoreCmd    `cmd:"" help:"Restore a backup into an empty database."`
	Key        keyCmd        `cmd:"" help:"Manage the secret key, and the keys that passwords are encrypted with."`
	Face       faceCmd       `cmd:"" help:"Measure comparisons of faces."`
	Operations operationsCmd `cmd:"" help:"Check the operation documents of REST endpoints."`
	Openapi    openapiCmd    `cmd:"" help:"Print openapi.json."`
	Schema     schemaCmd     `cmd:"" help:"Print schema.graphql."`
	Config     configCmd     `cmd:"" help:"Show the settings."`
	Doctor     doctorCmd     `cmd:"" help:"Check what serve needs, with its flags."`
	Health     healthCmd     `cmd:"" name:"healthcheck" help:"Ask a server whether it lives."`
	Completion completionCmd `cmd:"" help:"Print what a shell needs to complete commands and flags."`
	Version    versionCmd    `cmd:"" help:"Print the version."`
}

// streams are where a command reads and writes.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

func main() {
	server.TuneCollector()
	go server.Schema() // is parsed while the command line is
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr})
	stop()
	if err != nil {
		for line := range strings.Lines(err.Error()) {
			fmt.Fprintln(os.Stderr, "workforce:", strings.TrimSuffix(line, "\n"))
		}
		os.Exit(exitStatus(err))
	}
}

// A usageError is that of flags or arguments that were not understood.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// wouldChange ends a dry run that would change something, with nothing to say besides.
type wouldChange struct{}

func (wouldChange) Error() string { return "" }

// exitStatus returns how a command ends: 0 done, 1 failed or faults found, 2 not understood, 3 a dry run that
// would change something.
func exitStatus(err error) int {
	var usage usageError
	var would wouldChange
	switch {
	case err == nil:
		return 0
	case errors.As(err, &would):
		return 3
	case errors.As(err, &usage):
		return 2
	}
	return 1
}

// run executes the command that args name.
func run(ctx context.Context, args []string, io streams) error {
	var c cli
	exited := false
	parser, err := kong.New(&c, append(slices.Clone(mappers),
		kong.Name("workforce"), kong.Description("Workforce daily-activity backend."),
		kong.DefaultEnvars("WORKFORCE"), kong.Writers(io.out, io.err), kong.Exit(func(int) { exited = true }),
		kong.BindTo(ctx, (*context.Context)(nil)), kong.Bind(io),
	)...)
	if err != nil {
		return err
	}
	kongcompletion.Register(parser) // answers a shell that asks, which sets COMP_LINE
	if exited {
		return nil
	}
	command, err := parser.Parse(args)
	if exited { // help was asked for
		return nil
	}
	if err != nil {
		return usageError{err}
	}
	return sentence(command.Run())
}

// sentence returns an error as the operator reads it: a classified one in English,
// with the flag of each member at fault.
func sentence(err error) error {
	var e *errs.Error
	if !errors.As(err, &e) || e.Code == errs.Internal {
		return err
	}
	p := errs.ProblemOf(err, "en")
	if len(p.Errors) == 0 {
		return errors.Join(errors.New(p.Detail), e.Err)
	}
	var list []error
	for _, f := range p.Errors {
		list = append(list, fmt.Errorf("--%s: %s", f.Field, f.Detail))
	}
	return errors.Join(list...)
}
