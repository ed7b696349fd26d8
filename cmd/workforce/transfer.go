package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"workforce/ent"
	"workforce/internal/app/audit"
	"workforce/internal/app/job"
	"workforce/internal/app/leave"
	"workforce/internal/app/peopleimport"
	"workforce/internal/app/scheduling"
	"workforce/internal/errs"
	"workforce/internal/server"
	"workforce/internal/viewer"
)

// importCmd imports files.
type importCmd struct {
	Users    importUsersCmd    `cmd:"" help:"Create and update the people of a company from a CSV or XLSX file."`
	Holidays importHolidaysCmd `cmd:"" help:"Add the holidays of an iCalendar file."`
	Template importTemplateCmd `cmd:"" help:"Print a table with the columns of an import and two examples."`
}

type importUsersCmd struct {
	databaseFlag
	jsonFlag
	File     string `arg:"" help:"CSV (UTF-8) or XLSX file of at most 10,000 people; - is standard input."`
	Company  int    `required:"" help:"Id of the company."`
	DryRun   bool   `help:"List the faults and write nothing; ends with status 3 if anything would be written."`
	Partial  bool   `help:"Write the rows without faults; without it, all rows or none."`
	Invite   bool   `help:"Invite those without a password, a hundred a minute, once a server with a carrier runs."`
	Language string `default:"en" enum:"en,id" help:"Language of the faults: en or id."`
}

// Run implements the command.
func (c *importUsersCmd) Run(ctx context.Context, io streams) (err error) {
	in, err := openInput(c.File, io.in)
	if err != nil {
		return err
	}
	defer in.Close()
	s, err := openStore(ctx, c.Database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	ctx = viewer.System(ctx)
	bar := newProgress(io.err)
	result, err := transfers(s).Import(ctx, in, peopleimport.Options{
		Company: c.Company, DryRun: c.DryRun, Partial: c.Partial, Invite: c.Invite, Progress: bar.show,
	})
	bar.end()
	if err != nil {
		return noCompany(c.Company, err)
	}
	return c.report(io.out, result, !c.DryRun && (c.Partial || len(result.Faults) == 0))
}

// report prints the faults, and what was done. Faults are an error.
func (c *importUsersCmd) report(out io.Writer, r *peopleimport.Result, written bool) error {
	var err error
	if c.JSON {
		err = printJSON(out, c.facts(r, written))
	} else {
		c.tell(out, r, written)
	}
	switch n := len(r.Faults) + r.More; {
	case err != nil:
		return err
	case n > 0:
		return fmt.Errorf("faults: %d", n)
	case c.DryRun && r.Created+r.Updated > 0:
		return wouldChange{}
	}
	return nil
}

// tell prints the faults, and what was done, as text.
func (c *importUsersCmd) tell(out io.Writer, r *peopleimport.Result, written bool) {
	for _, f := range r.Faults {
		fmt.Fprintln(out, c.line(f))
	}
	if r.More > 0 {
		fmt.Fprintf(out, "further faults: %d\n", r.More)
	}
	format := "people: %d would be created, %d updated\n"
	if written {
		format = "people: %d created, %d updated\n"
	}
	if written || len(r.Faults) == 0 {
		fmt.Fprintf(out, format, r.Created, r.Updated)
	}
	if r.Invited > 0 {
		fmt.Fprintf(out, "invitations: %d queued; they wait for a server with --smtp-url or --sms-url\n", r.Invited)
	}
}

// facts returns the faults, and what was done, as JSON has it.
func (c *importUsersCmd) facts(r *peopleimport.Result, written bool) map[string]any {
	faults := []any{}
	for _, f := range r.Faults {
		faults = append(faults, map[string]any{
			"row": f.Row, "column": f.Column, "code": codeOf(f.Fault), "message": messageOf(f.Fault, c.Language),
		})
	}
	return map[string]any{
		"dryRun": c.DryRun, "written": written, "created": r.Created, "updated": r.Updated, "invited": r.Invited,
		"faults": faults, "faultCount": len(r.Faults) + r.More,
	}
}

// line returns a fault as text: row, column, code and what is wrong.
func (c *importUsersCmd) line(f peopleimport.Fault) string {
	detail := messageOf(f.Fault, c.Language)
	return strings.TrimSpace(fmt.Sprintf("%d\t%s\t%s\t%s", f.Row, f.Column, codeOf(f.Fault), detail))
}

// codeOf returns the code of a fault, with its reason.
func codeOf(f errs.Fault) string {
	if f.Reason != "" {
		return f.Code.String() + "/" + string(f.Reason)
	}
	return f.Code.String()
}

// messageOf says what is wrong.
func messageOf(f errs.Fault, language string) string {
	return errs.ProblemOf(&errs.Error{Code: f.Code, Faults: []errs.Fault{f}}, language).Errors[0].Detail
}

type importTemplateCmd struct {
	Format string `default:"csv" enum:"csv,xlsx" help:"csv or xlsx."`
}

// Run implements the command.
func (c *importTemplateCmd) Run(io streams) error {
	return peopleimport.Template(io.out, c.Format, now())
}

// transfers returns the service of a store. Whatever jobs it queues, a server runs.
func transfers(s *server.Store) *peopleimport.Service {
	plans := newPlanner(s.Ent, peopleimport.Invitations(nil))
	return &peopleimport.Service{
		DB: s.Ent, Now: now, Jobs: plans.Jobs, Plans: plans, Audit: &audit.Recorder{DB: s.Ent, Now: now},
	}
}

// newPlanner returns a planner of a store, which queues jobs of some kinds besides its own.
func newPlanner(db *ent.Client, kinds ...job.Kind) *scheduling.Planner {
	plans := &scheduling.Planner{DB: db, Now: now, Jobs: job.New(kinds...)}
	for _, k := range append(plans.Kinds(), new(leave.Service).Recharging()) {
		plans.Jobs.Add(k)
	}
	plans.Jobs.Now = now
	return plans
}

// openInput opens a file, or standard input for -.
func openInput(name string, stdin io.Reader) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(stdin), nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	return file, nil
}

// A progress shows on a terminal how much is done.
type progress struct{ out io.Writer } // nil for none

func newProgress(w io.Writer) progress {
	if server.IsTerminal(w) {
		return progress{w}
	}
	return progress{}
}

// barWidth is how many characters a full bar has.
const barWidth = 40

func (p progress) show(done, total int) {
	if p.out != nil && total > 0 {
		fmt.Fprintf(p.out, "\r[%-*s] %d of %d", barWidth, strings.Repeat("#", barWidth*done/total), done, total)
	}
}

func (p progress) end() {
	if p.out != nil {
		fmt.Fprint(p.out, "\r\033[K")
	}
}
